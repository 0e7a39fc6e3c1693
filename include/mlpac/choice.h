// One line of a table of names: what `mlpac list`, the help and the messages print.
#pragma once

#include <string_view>

namespace mlpac {

struct NamedChoice {
  std::string_view name;
  std::string_view summary;
};

}  // namespace mlpac
