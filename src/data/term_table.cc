#include "data/term_table.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/random.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

constexpr std::size_t kMostTerms = std::size_t{1} << 31U;

std::uint32_t hash_of(std::string_view word) { return static_cast<std::uint32_t>(mix64(fnv1a64(word)) >> 32U); }

std::uint32_t hash_of(std::uint32_t prefix, std::uint32_t word) {
  return static_cast<std::uint32_t>(bits_at(prefix, word) >> 32U);
}

}  // namespace

std::string_view TermTable::word(std::uint32_t place) const {
  const std::size_t first = place == 0 ? 0 : word_ends_[place - 1];
  return std::string_view(bytes_).substr(first, word_ends_[place] - first);
}

/// The slot of the term, or the empty one where it belongs.
template <typename Same>
std::size_t TermTable::slot_of(std::uint32_t hash, const Same& same) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = hash & mask;
  while (slots_[i].term != kNone && (slots_[i].hash != hash || !same(terms_[slots_[i].term]))) i = (i + 1) & mask;
  return i;
}

std::uint32_t TermTable::add(std::string_view word) {
  const std::uint32_t hash = hash_of(word);
  const std::size_t slot =
      slot_of(hash, [&](const Term& term) { return term.prefix == kNone && this->word(term.last) == word; });
  if (slots_[slot].term != kNone) return slots_[slot].term;
  bytes_ += word;
  word_ends_.push_back(bytes_.size());
  return insert(slot, hash, {kNone, static_cast<std::uint32_t>(word_ends_.size() - 1)});
}

std::uint32_t TermTable::add(std::uint32_t prefix, std::uint32_t word) {
  const std::uint32_t hash = hash_of(prefix, word);
  const std::size_t slot = slot_of(hash, [&](const Term& term) { return term.prefix == prefix && term.last == word; });
  return slots_[slot].term != kNone ? slots_[slot].term : insert(slot, hash, {prefix, word});
}

std::uint32_t TermTable::find(std::string_view word) const {
  return slots_[slot_of(hash_of(word),
                        [&](const Term& term) { return term.prefix == kNone && this->word(term.last) == word; })]
      .term;
}

std::uint32_t TermTable::find(std::uint32_t prefix, std::uint32_t word) const {
  if (prefix == kNone || word == kNone) return kNone;
  return slots_[slot_of(hash_of(prefix, word),
                        [&](const Term& term) { return term.prefix == prefix && term.last == word; })]
      .term;
}

std::uint32_t TermTable::insert(std::size_t slot, std::uint32_t hash, Term term) {
  if (terms_.size() >= kMostTerms) {
    throw Error("the texts have more than 2 billion different terms, expected fewer; use hashed columns");
  }
  const auto number = static_cast<std::uint32_t>(terms_.size());
  slots_[slot] = {hash, number};
  terms_.push_back(term);
  if (2 * terms_.size() > slots_.size()) grow();
  return number;
}

void TermTable::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.term != kNone) slots_[slot_of(slot.hash, [](const Term&) { return false; })] = slot;
  }
}

std::string TermTable::text(std::uint32_t term) const {
  std::vector<std::string_view> words;
  while (terms_[term].prefix != kNone) {
    words.push_back(word(terms_[terms_[term].last].last));
    term = terms_[term].prefix;
  }
  std::string text(word(terms_[term].last));
  for (std::size_t i = words.size(); i > 0; --i) {
    text += ' ';
    text += words[i - 1];
  }
  return text;
}

}  // namespace mlpac
