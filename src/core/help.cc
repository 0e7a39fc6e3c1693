#include "core/help.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "core/wrap.h"

namespace mlpac {

namespace {

constexpr std::size_t kWidth = 80;
constexpr std::ptrdiff_t kScreen = 40;   // lines that a help without --help-all may fill
constexpr std::size_t kWidestName = 26;  // a longer name gets a line of its own
constexpr double kUnbounded = 9.0e15;    // integers from here on are only limited by what a double holds exactly

/// Two columns: names, and wrapped text from the same column on.
class Columns {
 public:
  void add(std::string name, std::string text) { rows_.emplace_back(std::move(name), std::move(text)); }
  void heading(std::string text) { rows_.emplace_back(std::move(text), std::string()); }

  std::string print() const {
    std::size_t widest = 0;
    for (const auto& [name, text] : rows_) {
      if (!text.empty() && name.size() <= kWidestName) widest = std::max(widest, name.size());
    }
    const std::size_t column = widest + 2;
    std::string out;
    for (const auto& [name, text] : rows_) {
      out += name;
      std::size_t at = name.size();
      for (const auto& line : text.empty() ? std::vector<std::string>() : wrap(text, kWidth - column)) {
        if (at > 0 && at + 2 > column) {
          out += '\n';
          at = 0;
        }
        out += std::string(column - at, ' ') + line;
        at = column + line.size();
      }
      out += '\n';
    }
    return out;
  }

 private:
  std::vector<std::pair<std::string, std::string>> rows_;
};

std::string description(const OptionEntry& entry) {
  std::string text(entry.help);
  if (!entry.choices.empty()) text += fmt::format(" ({})", fmt::join(split_words(entry.choices), ", "));
  if (!entry.fallback.empty() && entry.fallback != "false") text += fmt::format(" [{}]", entry.fallback);
  return text;
}

std::string paragraph(std::string_view text) { return fmt::format("{}\n", fmt::join(wrap(text, kWidth), "\n")); }

std::string examples(std::string_view text) {
  const auto commands = split_words(text, '\n');
  if (commands.empty()) return {};
  std::string out = commands.size() == 1 ? "\nExample:\n" : "\nExamples:\n";
  for (const auto command : commands) {
    for (const auto& line : wrap_command(command, kWidth - 2)) out += fmt::format("  {}\n", line);
  }
  return out;
}

std::string command_help(const CommandHelp& command, const std::vector<OptionGroup>& groups, std::size_t in_all) {
  std::string out = paragraph("Usage: " + usage(command)) + '\n' + paragraph(command.summary);
  Columns columns;
  for (const auto& [group, entries] : groups) {
    columns.heading(fmt::format("\n{}:", group));
    for (const auto* entry : entries) {
      const auto value = takes_value(*entry) ? fmt::format(" {}", value_word(*entry)) : std::string();
      columns.add(fmt::format("  --{}{}", entry->name, value), description(*entry));
    }
  }
  out += columns.print() + examples(command.example);
  if (in_all > 0) out += fmt::format("\nmlpac {} --help-all shows all {} options\n", command.name, in_all);
  return out;
}

}  // namespace

std::string command_help(const CommandHelp& command, bool all) {
  auto groups = option_groups(command.options);
  auto text = command_help(command, groups, 0);
  if (all || std::count(text.begin(), text.end(), '\n') <= kScreen) return text;
  std::size_t total = 0;
  for (auto& [group, entries] : groups) {
    total += entries.size();
    std::erase_if(entries, [](const OptionEntry* entry) { return !entry->common; });
  }
  std::erase_if(groups, [](const OptionGroup& group) { return group.second.empty(); });
  return command_help(command, groups, total);
}

std::string overview(std::span<const CommandHelp> commands, std::string_view version) {
  std::string out = paragraph(fmt::format("mlpac {}: {}", version, purpose()));
  out += "\nUsage: mlpac COMMAND [OPTIONS]\n";
  Columns columns;
  columns.heading("\nCommands:");
  for (const auto& command : commands) {
    const auto words = command.words.empty() ? std::string() : fmt::format(" {}", command.words);
    columns.add(fmt::format("  {}{}", command.name, words), std::string(command.summary));
  }
  out += columns.print() + "\nmlpac COMMAND --help explains a command; mlpac --version prints the version.\n";
  const auto first = commands.empty() ? std::vector<std::string_view>() : split_words(commands[0].example, '\n');
  return first.empty() ? out : out + fmt::format("Start with: {}\n", first[0]);
}

std::string_view purpose() { return "multi-label classification when only some positive labels are annotated"; }

std::string usage(const CommandHelp& command) {
  return fmt::format("mlpac {}{}{}{}", command.name, command.words.empty() ? "" : " ", command.words,
                     command.options == 0 ? "" : " [OPTIONS]");
}

bool takes_value(const OptionEntry& entry) { return entry.kind != OptionKind::flag || entry.fallback != "false"; }

std::string_view value_word(const OptionEntry& entry) {
  constexpr std::array<std::string_view, 5> kWords{"TEXT", "PATH", "N", "X", "true|false"};
  return kWords.at(static_cast<std::size_t>(entry.kind));
}

std::string accepted_values(const OptionEntry& entry) {
  switch (entry.kind) {
    case OptionKind::flag:
      return "true, false";
    case OptionKind::integer:
    case OptionKind::number: {
      const bool bounded = std::isfinite(entry.high) && entry.high < kUnbounded;
      return bounded ? fmt::format("{} to {}", entry.low, entry.high) : fmt::format("at least {}", entry.low);
    }
    case OptionKind::text:
    case OptionKind::path:
      break;
  }
  return fmt::format("{}", fmt::join(split_words(entry.choices), ", "));
}

std::vector<std::string_view> commands_of(const OptionEntry& entry, std::span<const CommandHelp> commands) {
  std::vector<std::string_view> names;
  for (const auto& command : commands) {
    if ((entry.commands & command.options) != 0) names.push_back(command.name);
  }
  return names;
}

std::vector<OptionGroup> option_groups(unsigned commands) {
  std::vector<OptionGroup> groups;
  for (const auto& entry : option_table()) {
    if ((entry.commands & commands) == 0) continue;
    if (groups.empty() || groups.back().first != entry.group) groups.push_back({entry.group, {}});
    groups.back().second.push_back(&entry);
  }
  return groups;
}

}  // namespace mlpac
