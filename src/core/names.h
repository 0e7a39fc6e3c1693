// Looking a name up in a table, with the nearest name in the message when it is not there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "mlpac/error.h"

namespace mlpac {

/// The candidate with the smallest edit distance, or an empty string if none is close.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

/// Throws UsageError: "unknown <what> 'x'; did you mean 'y'? (one of: ...)".
[[noreturn]] void throw_unknown_name(std::string_view what, std::string_view name,
                                     const std::vector<std::string>& candidates);

/// Position of the entry called `name` in a table whose entries have a member `name`.
template <typename Table>
std::size_t index_of(std::string_view name, const Table& table, std::string_view what) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::size(table); ++i) {
    if (table[i].name == name) return i;
    names.emplace_back(table[i].name);
  }
  throw_unknown_name(what, name, names);
}

}  // namespace mlpac
