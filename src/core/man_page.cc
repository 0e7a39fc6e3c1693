#include "core/man_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/wrap.h"

namespace mlpac {

namespace {

constexpr std::size_t kExampleWidth = 69;  // a page of 80 columns less two indents
constexpr std::size_t kSourceWidth = 72;

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array<Pair, 8> kRunFiles{{
    {"config.toml", "the options of the run; --config reads it back"},
    {"metrics.jsonl", "one JSON object per epoch"},
    {"model.safetensors", "weights of the selected model"},
    {"model.json", "what evaluate and predict need beside the weights: task, network, labels, columns, scaling"},
    {"critic.safetensors", "weights of the critic, for methods that have one"},
    {"checkpoint.safetensors", "state of an unfinished run, from which --resume continues; removed at the end"},
    {"result.json", "selection, test metrics and times; written last, so a run that has it is complete"},
    {"tb/", "event files for TensorBoard, if asked for"},
}};

constexpr std::array<Pair, 4> kExitStatus{{
    {"0", "the command did what it was asked for"},
    {"1", "it failed: a file cannot be read or written, data are not valid, memory is short"},
    {"2", "wrong usage: unknown command or option, value out of range"},
    {"130, 143", "stopped by SIGINT or SIGTERM; training has saved its state, and --resume continues it"},
}};

constexpr std::string_view kDescription =
    "mlpac learns a classifier that gives each row any number of labels, from data in which only some of the positive "
    "labels are annotated and every other entry is unknown rather than negative. It implements MLPAC, which combines "
    "supervised learning and reinforcement learning, and simpler methods to compare it with.";

constexpr std::string_view kStreams =
    "Results are printed on standard output; progress, warnings and errors on standard error. An interrupted training "
    "saves its state and continues later with the same result.";

constexpr std::string_view kConfigFile =
    "A file for --config is TOML: one option per line, its name without dashes, an equals sign and its value; text "
    "and paths in double quotes; # begins a comment. mlpac train --dump-config prints one, and the config.toml of a "
    "run is one.";

constexpr std::string_view kPrecedence =
    "A value can come from several places; each of these is stronger than those before it: built-in default, default "
    "of the task or method, ablation, configuration file, command line.";

constexpr std::string_view kSeeAlso =
    "mlpac COMMAND --help-all; mlpac list methods. The method: Combining Supervised Learning and Reinforcement "
    "Learning for Multi-Label Classification Tasks with Partial Labels, ACL 2024.";

/// A macro argument: one even if it holds blanks.
std::string argument(std::string_view text) { return fmt::format("\"{}\"", roff_text(text)); }

/// Running text, in source lines of a width that people and tools like.
std::string filled(std::string_view text) {
  return roff_text(fmt::format("{}", fmt::join(wrap(text, kSourceWidth), "\n")));
}

/// A section and its first paragraph, which needs no macro.
std::string section(std::string_view title, std::string_view text = {}) {
  return fmt::format(".SH {}\n{}{}", argument(title), filled(text), text.empty() ? "" : "\n");
}
std::string paragraph(std::string_view text) { return fmt::format(".PP\n{}\n", filled(text)); }

/// An indented paragraph with a tag in bold.
std::string item(std::string_view tag, std::string_view text) {
  return fmt::format(".TP\n.B {}\n{}\n", argument(tag), filled(text));
}

std::string items(std::span<const Pair> pairs) {
  std::string out;
  for (const auto& [tag, text] : pairs) out += item(tag, text);
  return out;
}

std::string synopsis(std::span<const CommandHelp> commands) {
  std::string out;
  for (const auto& command : commands) {
    const auto program = fmt::format("mlpac {}", command.name);
    const auto words = usage(command).substr(program.size());
    out += fmt::format(".BI {} {}\n.br\n", argument(program), argument(words));
  }
  return section("SYNOPSIS") + out + ".B mlpac \\-\\-help\n.br\n.B mlpac \\-\\-version\n";
}

std::string options(std::span<const CommandHelp> commands) {
  unsigned bits = 0;
  for (const auto& command : commands) bits |= command.options;
  std::string out = section(
      "OPTIONS",
      "In brackets: the default, unless the task, the method or an ablation sets another. In parentheses: the values "
      "that are accepted.");
  for (const auto& [group, entries] : option_groups(bits)) {
    out += fmt::format(".SS {}\n", argument(group));
    for (const auto* entry : entries) {
      std::string text(entry->help);
      const auto accepted = takes_value(*entry) ? accepted_values(*entry) : std::string();
      if (!accepted.empty()) text += fmt::format(" ({})", accepted);
      if (takes_value(*entry) && !entry->fallback.empty()) text += fmt::format(" [{}]", entry->fallback);
      out += fmt::format(".TP\n.BI {} {}\n{}\n", argument(fmt::format("--{}", entry->name)),
                         argument(takes_value(*entry) ? fmt::format(" {}", value_word(*entry)) : ""), filled(text));
      out += fmt::format(".br\nCommands: {}.\n",
                         roff_text(fmt::format("{}", fmt::join(commands_of(*entry, commands), ", "))));
    }
  }
  return out;
}

std::string examples(std::span<const CommandHelp> commands) {
  std::string out = section("EXAMPLES", "Commands to paste, by what they are for:");
  for (const auto& command : commands) {
    const auto lines = split_words(command.example, '\n');
    if (lines.empty()) continue;
    out += paragraph(fmt::format("{}:", command.summary)) + ".RS 4\n.EX\n";
    for (const auto line : lines) {
      for (const auto& part : wrap_command(line, kExampleWidth)) out += roff_text(part) + '\n';
    }
    out += ".EE\n.RE\n";
  }
  return out;
}

}  // namespace

std::string roff_text(std::string_view text) {
  constexpr std::array<std::pair<char, std::string_view>, 7> kEscapes{{
      {'\\', "\\e"},    // the current escape character, printed
      {'-', "\\-"},     // a hyphen could become a typographic one, which the shell does not know
      {'\'', "\\(aq"},  // also: at the start of a line it begins a request
      {'"', "\\(dq"},   // also: it ends a macro's argument
      {'`', "\\(ga"},
      {'^', "\\(ha"},
      {'~', "\\(ti"},
  }};
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && c == '.') out += "\\&";  // otherwise a request
    const auto* const escape =
        std::find_if(kEscapes.begin(), kEscapes.end(), [c](const auto& pair) { return pair.first == c; });
    if (escape == kEscapes.end()) {
      out += c;
    } else {
      out += escape->second;
    }
    line_start = c == '\n';
  }
  return out;
}

std::string man_page(std::span<const CommandHelp> commands, std::string_view version, std::string_view date) {
  std::string out = fmt::format(".\\\" Generated from the option table of mlpac {}.\n", version);
  out += fmt::format(".TH MLPAC 1 \"{}\" {} \"User Commands\"\n", date, argument(fmt::format("mlpac {}", version)));
  out += ".nh\n.ad l\n";  // names of files and options must not be hyphenated
  out += section("NAME", fmt::format("mlpac - {}", purpose())) + synopsis(commands);
  out += section("DESCRIPTION", kDescription);
  out += paragraph(kStreams);
  out += section("COMMANDS");
  for (const auto& command : commands) out += item(usage(command), command.summary);
  out += options(commands);
  out += section("CONFIGURATION FILE", kConfigFile);
  out += paragraph(kPrecedence);
  out += section("FILES", "A run folder (--out of mlpac train) holds:") + items(kRunFiles);
  out += section("EXIT STATUS") + items(kExitStatus) + examples(commands);
  return out + section("SEE ALSO", kSeeAlso);
}

}  // namespace mlpac
