// A cell that lists the names of labels.
#pragma once

#include <cstddef>
#include <string_view>

#include "data/text.h"

namespace mlpac {

/// Calls `use` with every name in the cell; blanks around names are removed and empty ones left out.
template <typename Use>
void for_each_name(std::string_view cell, std::string_view separators, const Use& use) {
  while (!cell.empty()) {
    const std::size_t end = cell.find_first_of(separators);
    const std::string_view name = trim(cell.substr(0, end));
    if (!name.empty()) use(name);
    cell.remove_prefix(end == std::string_view::npos ? cell.size() : end + 1);
  }
}

}  // namespace mlpac
