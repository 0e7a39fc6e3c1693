// Completion of the command line in bash.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/help.h"

namespace mlpac {

/// Names that the option table does not hold because they belong to other tables.
struct CompletionNames {
  using Names = std::map<std::string, std::vector<std::string>, std::less<>>;
  Names options;  ///< values of an option: "method" -> mlpac, negative, ...
  Names words;    ///< positional words of a command: "list" -> methods, tasks, ...
};

/// A script that bash sources: it defines the completion of `mlpac` and needs nothing but bash (3.2 or later). It
/// completes commands, the options of each command, their values where they are choices, names or paths, and positional
/// words: names, or else files and folders by the words of the usage line (FILE, RUN, FOLDER).
std::string bash_completion(std::span<const CommandHelp> commands, const CompletionNames& names);

}  // namespace mlpac
