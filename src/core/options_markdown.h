// The reference of all options as a page of the documentation.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/help.h"

namespace mlpac {

/// A default that a method, task or ablation puts in the place of the table's.
struct ChangedDefault {
  std::string setter;  ///< "method mlpac", "ablation no-global", ...
  std::string_view option;
  std::string value;
};

/// docs/options.md: commands, options by group, changed defaults.
std::string options_markdown(std::span<const CommandHelp> commands, std::span<const ChangedDefault> defaults);

}  // namespace mlpac
