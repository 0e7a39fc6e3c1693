#include "core/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/wrap.h"

namespace mlpac {

namespace {

// Words are matched here and not by compgen -W, which would expand them like the shell. Lines are read one by one so
// that a file name with blanks or stars stays one word; compopt makes readline quote it, and does not exist before
// bash 4.
constexpr std::string_view kFunctions = R"(_mlpac_words() {
  local word
  for word in $1; do
    if [[ $word == "$cur"* ]]; then COMPREPLY+=("$word"); fi
  done
}

_mlpac_paths() {  # -f: files and folders, -d: folders
  local path
  compopt -o filenames 2>/dev/null
  while IFS= read -r path; do
    COMPREPLY+=("$path")
  done < <(compgen "$1" -- "$cur")
}
)";

// bash cuts words at "=": --method=ml arrives as three words.
constexpr std::string_view kBegin = R"(
_mlpac() {
  local IFS=$' \t\n'
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} options=
  COMPREPLY=()
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${COMP_WORDS[COMP_CWORD-2]}
  fi
)";

// A dash asks for options; without one, options are offered only where no positional word is expected.
constexpr std::string_view kOptions = R"(  if [[ $cur == -* ]]; then
    _mlpac_words "$options"
    return
  fi
)";

constexpr std::string_view kEnd = R"(}

complete -F _mlpac mlpac
)";

std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + '\'';
}

std::string options_of(const CommandHelp& command) {
  std::string text;
  for (const auto& entry : option_table()) {
    if ((entry.commands & command.options) != 0) text += fmt::format("--{} ", entry.name);
  }
  return text + (command.options == 0 ? "--help" : "--help --help-all");
}

/// What bash does to offer the values of an option; empty: it takes none.
std::string value_action(const OptionEntry& entry, const CompletionNames& names) {
  if (!takes_value(entry)) return {};
  const auto words = [](std::string_view list) { return fmt::format("_mlpac_words {}", single_quoted(list)); };
  if (const auto it = names.options.find(entry.name); it != names.options.end()) {
    return words(fmt::format("{}", fmt::join(it->second, " ")));
  }
  if (entry.kind == OptionKind::flag) return words("true false");
  if (!entry.choices.empty()) return words(entry.choices);
  return entry.kind == OptionKind::path ? "_mlpac_paths -f" : ":";
}

/// What bash does to offer positional words.
std::string word_action(const CommandHelp& command, const CompletionNames& names) {
  if (const auto it = names.words.find(command.name); it != names.words.end()) {
    return fmt::format("_mlpac_words {}", single_quoted(fmt::format("{}", fmt::join(it->second, " "))));
  }
  const auto mentions = [&](std::string_view word) { return command.words.find(word) != std::string_view::npos; };
  if (mentions("FILE")) return "_mlpac_paths -f";
  if (mentions("RUN") || mentions("FOLDER")) return "_mlpac_paths -d";
  return "_mlpac_words \"$options\"";
}

/// The cases of a `case` statement, labels with the same action in one.
class Cases {
 public:
  void add(std::string label, const std::string& action) {
    const auto same = [&](const auto& one) { return one.first == action; };
    const auto it = std::find_if(cases_.begin(), cases_.end(), same);
    if (it == cases_.end()) {
      cases_.push_back({action, {std::move(label)}});
    } else {
      it->second.push_back(std::move(label));
    }
  }

  std::string print(std::string_view indent, std::string_view tail) const {
    std::string out;
    for (const auto& [action, labels] : cases_) {
      out += fmt::format("{}{}) {}{} ;;\n", indent, fmt::join(labels, " | "), action, tail);
    }
    return out;
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> cases_;
};

}  // namespace

std::string bash_completion(std::span<const CommandHelp> commands, const CompletionNames& names) {
  std::string all_names;
  Cases options;
  Cases words;
  unsigned bits = 0;
  for (const auto& command : commands) {
    all_names += fmt::format("{} ", command.name);
    options.add(std::string(command.name), fmt::format("options={}", single_quoted(options_of(command))));
    words.add(std::string(command.name), word_action(command, names));
    bits |= command.options;
  }
  Cases values;
  for (const auto& entry : option_table()) {
    if ((entry.commands & bits) == 0) continue;
    if (const auto action = value_action(entry, names); !action.empty())
      values.add(fmt::format("--{}", entry.name), action);
  }
  std::string out = "# bash completion of mlpac, generated from its option table: source it in ~/.bashrc\n\n";
  out += kFunctions;
  out += kBegin;
  out += fmt::format("  if ((COMP_CWORD == 1)); then\n    _mlpac_words {}\n    return\n  fi\n",
                     single_quoted(all_names + "help --help --version"));
  out += fmt::format("  case ${{COMP_WORDS[1]}} in\n{}    *) return ;;\n  esac\n", options.print("    ", ""));
  out += fmt::format("  if [[ \" $options \" == *\" $prev \"* ]]; then\n    case $prev in\n{}    esac\n  fi\n",
                     values.print("      ", "; return"));
  out += kOptions;
  out += fmt::format("  case ${{COMP_WORDS[1]}} in\n{}  esac\n", words.print("    ", ""));
  out += kEnd;
  return out;
}

}  // namespace mlpac
