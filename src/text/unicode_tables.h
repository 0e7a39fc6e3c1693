// The tables that scripts/unicode_tables.py writes; unicode.h looks things up in them.
#pragma once

#include <cstdint>
#include <span>

namespace mlpac::unicode {

/// Letters first, first + step, ... last have their lower-case letter `difference` further on.
struct LowerRun {
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t step;
  std::int32_t difference;
};

/// Sorted; first code point of a range * 8 + Kind.
std::span<const std::uint32_t> kind_ranges();
/// Sorted; a run ends before the next begins.
std::span<const LowerRun> lower_runs();
/// Sorted by code point; an entry is code point * 2^32 + base, several of them in the order of the decomposition.
std::span<const std::uint64_t> bases();

}  // namespace mlpac::unicode
