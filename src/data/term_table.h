// Numbers for the terms of texts: words, and sequences of words as (sequence without its last word, last word). A
// sequence takes a few bytes however long its words are; its text is made only when it is wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/random.h"

namespace mlpac {

class TermTable {
 public:
  /// No term; sequences with it are no terms either.
  static constexpr std::uint32_t kNone = UINT32_MAX;
  static constexpr std::size_t kLongestWord = 255;

  /// What add and find want to be told, so that a word is hashed once.
  static std::uint64_t hash_of(std::string_view word) { return mix64(fnv1a64(word)); }

  /// Most of the time of add and find is waiting for memory. They are faster if prefetch_slot, and later prefetch_word,
  /// was called some time before.
  void prefetch_slot(std::uint64_t hash) const { __builtin_prefetch(&first_slot(hash)); }
  void prefetch_word(std::uint64_t hash) const {
    const std::uint64_t key = first_slot(hash).key;
    if ((key & kWordBit) != 0) __builtin_prefetch(bytes_.data() + (key & ~kWordBit));
  }

  /// The number of a word (1 to kLongestWord bytes), which is added if it is new. Numbers count from 0 in the order of
  /// first occurrence.
  std::uint32_t add(std::string_view word, std::uint64_t hash);
  /// The number of a sequence that goes on with a word.
  std::uint32_t add(std::uint32_t prefix, std::uint32_t word);

  /// The same for terms that are there; kNone if they are not.
  std::uint32_t find(std::string_view word, std::uint64_t hash) const;
  std::uint32_t find(std::uint32_t prefix, std::uint32_t word) const;

  /// Words joined by blanks.
  std::string text(std::uint32_t term) const;
  std::size_t size() const { return keys_.size(); }

 private:
  /// The key of a sequence is its prefix and its last word; that of a word is where its bytes are, with the first bit
  /// set.
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t hash = 0;
    std::uint32_t term = kNone;
  };

  static constexpr std::uint64_t kWordBit = std::uint64_t{1} << 63U;

  const Slot& first_slot(std::uint64_t hash) const { return slots_[hash & (slots_.size() - 1)]; }
  std::string_view word(std::uint64_t key) const;
  std::size_t slot_of(std::string_view word, std::uint64_t hash) const;
  std::size_t slot_of(std::uint64_t key, std::uint64_t hash) const;
  std::uint32_t insert(std::size_t slot, std::uint64_t hash, std::uint64_t key);
  void grow();

  std::vector<Slot> slots_{std::vector<Slot>(1024)};  ///< open addressing; the size is a power of 2
  std::vector<std::uint64_t> keys_;                   ///< of each term
  std::string bytes_;                                 ///< the words, each after a byte with its length
};

}  // namespace mlpac
