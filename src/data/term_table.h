// Numbers for the terms of texts: words, and sequences of words as (sequence without its last word, last word). A
// sequence takes a few bytes however long its words are; its text is made only when it is wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mlpac {

class TermTable {
 public:
  /// No term; sequences with it are no terms either.
  static constexpr std::uint32_t kNone = UINT32_MAX;

  /// The number of a word, which is added if it is new. Numbers count from 0 in the order of first occurrence.
  std::uint32_t add(std::string_view word);
  /// The number of a sequence that goes on with a word.
  std::uint32_t add(std::uint32_t prefix, std::uint32_t word);

  /// The same for terms that are there; kNone if they are not.
  std::uint32_t find(std::string_view word) const;
  std::uint32_t find(std::uint32_t prefix, std::uint32_t word) const;

  /// Words joined by blanks.
  std::string text(std::uint32_t term) const;
  std::size_t size() const { return terms_.size(); }

 private:
  /// A word has no prefix and `last` is its place among the words; of a sequence, `last` is the term of its last word.
  struct Term {
    std::uint32_t prefix;
    std::uint32_t last;
  };
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t term = kNone;
  };

  std::string_view word(std::uint32_t place) const;
  template <typename Same>
  std::size_t slot_of(std::uint32_t hash, const Same& same) const;
  std::uint32_t insert(std::size_t slot, std::uint32_t hash, Term term);
  void grow();

  std::vector<Slot> slots_{std::vector<Slot>(1024)};  ///< open addressing; the size is a power of 2
  std::vector<Term> terms_;
  std::vector<std::size_t> word_ends_;
  std::string bytes_;  ///< the words, one after the other
};

}  // namespace mlpac
