// Breaking text and shell commands into lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace mlpac {

/// Parts between separators; empty parts are left out.
std::vector<std::string_view> split_words(std::string_view text, char separator = ' ');

/// Breaks text at blanks into lines of at most `width` bytes; only a longer word makes a longer line.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

/// Breaks a shell command before its options into lines that still work when pasted: all but the last end with a
/// backslash, all but the first are indented.
std::vector<std::string> wrap_command(std::string_view command, std::size_t width);

}  // namespace mlpac
