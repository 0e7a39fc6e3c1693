#include "data/term_table.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

constexpr std::size_t kMostTerms = std::size_t{1} << 31U;

std::uint64_t sequence_key(std::uint32_t prefix, std::uint32_t word) {
  return (static_cast<std::uint64_t>(prefix) << 32U) | word;
}

/// The half of the hash that slots keep; its lower bits are also those that choose the slot.
std::uint32_t short_hash(std::uint64_t hash) { return static_cast<std::uint32_t>(hash); }

}  // namespace

std::string_view TermTable::word(std::uint64_t key) const {
  const auto place = static_cast<std::size_t>(key & ~kWordBit);
  return std::string_view(bytes_).substr(place + 1, static_cast<unsigned char>(bytes_[place]));
}

/// The slot of the word, or the empty one where it belongs.
std::size_t TermTable::slot_of(std::string_view word, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = hash & mask;
  while (slots_[i].term != kNone &&
         (slots_[i].hash != short_hash(hash) || (slots_[i].key & kWordBit) == 0 || this->word(slots_[i].key) != word)) {
    i = (i + 1) & mask;
  }
  return i;
}

/// The slot of the sequence, or the empty one where it belongs.
std::size_t TermTable::slot_of(std::uint64_t key, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = hash & mask;
  while (slots_[i].term != kNone && slots_[i].key != key) i = (i + 1) & mask;
  return i;
}

std::uint32_t TermTable::add(std::string_view word, std::uint64_t hash) {
  const std::size_t slot = slot_of(word, hash);
  if (slots_[slot].term != kNone) return slots_[slot].term;
  const std::uint64_t key = kWordBit | bytes_.size();
  bytes_ += static_cast<char>(word.size());
  bytes_ += word;
  return insert(slot, hash, key);
}

std::uint32_t TermTable::add(std::uint32_t prefix, std::uint32_t word) {
  const std::uint64_t key = sequence_key(prefix, word);
  const std::uint64_t hash = mix64(key);
  const std::size_t slot = slot_of(key, hash);
  return slots_[slot].term != kNone ? slots_[slot].term : insert(slot, hash, key);
}

std::uint32_t TermTable::find(std::string_view word, std::uint64_t hash) const {
  return slots_[slot_of(word, hash)].term;
}

std::uint32_t TermTable::find(std::uint32_t prefix, std::uint32_t word) const {
  if (prefix == kNone || word == kNone) return kNone;
  const std::uint64_t key = sequence_key(prefix, word);
  return slots_[slot_of(key, mix64(key))].term;
}

std::uint32_t TermTable::insert(std::size_t slot, std::uint64_t hash, std::uint64_t key) {
  if (keys_.size() >= kMostTerms) {
    throw Error("the texts have more than 2 billion different terms, expected fewer; use hashed columns");
  }
  const auto number = static_cast<std::uint32_t>(keys_.size());
  slots_[slot] = {key, short_hash(hash), number};
  keys_.push_back(key);
  if (5 * keys_.size() > 3 * slots_.size()) grow();
  return number;
}

void TermTable::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.term == kNone) continue;
    std::size_t i = slot.hash & mask;
    while (slots_[i].term != kNone) i = (i + 1) & mask;
    slots_[i] = slot;
  }
}

std::string TermTable::text(std::uint32_t term) const {
  std::vector<std::string_view> words;
  std::uint64_t key = keys_[term];
  for (; (key & kWordBit) == 0; key = keys_[key >> 32U]) words.push_back(word(keys_[static_cast<std::uint32_t>(key)]));
  std::string text(word(key));
  for (std::size_t i = words.size(); i > 0; --i) {
    text += ' ';
    text += words[i - 1];
  }
  return text;
}

}  // namespace mlpac
