// Text made from the option table: the help of the program, and the pieces that its other forms share.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mlpac/options.h"

namespace mlpac {

/// A command as the help, the manual page and the completion see it.
struct CommandHelp {
  std::string_view name;
  std::string_view words;    ///< positional arguments as the usage line shows them
  std::string_view summary;  ///< one line
  std::string_view example;  ///< one command per line, each works when pasted
  unsigned options;          ///< bits of OptionCommand
};

/// The help of one command, 80 columns wide. Without `all`, a help that fills more than a screen shows the common
/// options only and ends with the way to the others.
std::string command_help(const CommandHelp& command, bool all);

/// What `mlpac --help` prints, 80 columns wide.
std::string overview(std::span<const CommandHelp> commands, std::string_view version);

/// What the program is for, as one sentence without a full stop.
std::string_view purpose();

/// "mlpac evaluate RUN [OPTIONS]"
std::string usage(const CommandHelp& command);

/// A switch that is off by default takes no value; one that is on can be turned off by --name false.
bool takes_value(const OptionEntry& entry);

/// The word that stands for an option's value: PATH, N, X, ...
std::string_view value_word(const OptionEntry& entry);

/// The numbers or names an option accepts, in words; empty: anything.
std::string accepted_values(const OptionEntry& entry);

/// Names of the commands that have an option.
std::vector<std::string_view> commands_of(const OptionEntry& entry, std::span<const CommandHelp> commands);

/// The options of commands (bits of OptionCommand) by group, in the order of the table.
using OptionGroup = std::pair<std::string_view, std::vector<const OptionEntry*>>;
std::vector<OptionGroup> option_groups(unsigned commands);

}  // namespace mlpac
