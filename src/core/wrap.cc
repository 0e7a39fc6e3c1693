#include "core/wrap.h"

#include <algorithm>

namespace mlpac {

namespace {

/// Where the first word of a shell command ends: at a blank that is not quoted.
std::size_t shell_word_end(std::string_view text) {
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && quote != '\'') {
      ++i;
    } else if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == ' ') {
      return i;
    }
  }
  return text.size();
}

/// The command cut before each option and each shell operator: an option stays with its value.
std::vector<std::string> command_parts(std::string_view command) {
  std::vector<std::string> parts;
  while (!command.empty()) {
    const auto end = shell_word_end(command);
    const auto word = command.substr(0, end);
    command.remove_prefix(std::min(end + 1, command.size()));
    if (word.empty()) continue;
    const bool starts_part = std::string_view("-|&;>").find(word[0]) != std::string_view::npos;
    if (parts.empty() || starts_part) {
      parts.emplace_back(word);
    } else {
      parts.back().append(" ").append(word);
    }
  }
  return parts;
}

}  // namespace

std::vector<std::string_view> split_words(std::string_view text, char separator) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t at = std::min(text.find(separator), text.size());
    if (at > 0) words.push_back(text.substr(0, at));
    text.remove_prefix(std::min(at + 1, text.size()));
  }
  return words;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  for (const auto word : split_words(text)) {
    if (lines.empty() || lines.back().size() + 1 + word.size() > width) {
      lines.emplace_back(word);
    } else {
      lines.back().append(" ").append(word);
    }
  }
  return lines;
}

std::vector<std::string> wrap_command(std::string_view command, std::size_t width) {
  constexpr std::string_view kIndent = "    ";
  constexpr std::string_view kContinued = " \\";
  const auto parts = command_parts(command);
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t reserved = i + 1 < parts.size() ? kContinued.size() : 0;
    if (lines.empty()) {
      lines.push_back(parts[i]);
    } else if (lines.back().size() + 1 + parts[i].size() + reserved <= width) {
      lines.back() += ' ' + parts[i];
    } else {
      lines.back() += kContinued;
      lines.push_back(std::string(kIndent) + parts[i]);
    }
  }
  return lines;
}

}  // namespace mlpac
