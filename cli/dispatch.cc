// Command line to Options: CLI11 parses what the option table declares.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <exception>
#include <iostream>

#include "cli/command.h"
#include "core/file.h"
#include "core/log.h"
#include "core/names.h"
#include "core/version.h"
#include "mlpac/error.h"

namespace mlpac::cli {

namespace {

constexpr std::array<Command, 7> kCommands{{
    {"demo", "", "learn from embedded data of which 10 % of the positives are annotated, and compare methods",
     "mlpac demo", kDemo, run_demo},
    {"train", "", "train a model into a run folder", "mlpac train --train data.arff --labels data.xml --out runs/first",
     kTrain, run_train},
    {"evaluate", "RUN", "test a trained model on a completely labelled file",
     "mlpac evaluate runs/first --data test.arff", kEvaluate, run_evaluate},
    {"predict", "RUN", "labels with probabilities for new rows, as JSON lines or CSV",
     "mlpac predict runs/first --data new.arff --out predictions.jsonl", kPredict, run_predict},
    {"generate", "", "write synthetic data with known complete labels: train.arff, test.arff, labels.xml",
     "mlpac generate --out data", kGenerate, run_generate},
    {"list", "WHAT", "methods, tasks, networks, rewards, schedules, losses, selections, ablations or readers",
     "mlpac list methods", 0, run_list},
    {"info", "RUN|FILE", "explain a run folder or a data file in a screenful", "mlpac info runs/first", kEvaluate,
     run_info},
}};

/// The value of every table option of a command, bound to CLI11.
struct Binding {
  const OptionEntry* entry;
  std::string value;
  bool flag = false;
  CLI::Option* option = nullptr;
};

/// A switch that is off by default takes no value; one that is on can be turned off by --name false.
bool takes_value(const OptionEntry& entry) { return entry.kind != OptionKind::flag || entry.fallback != "false"; }

std::string_view type_of(const OptionEntry& entry) {
  constexpr std::array<std::string_view, 5> kTypes{"TEXT", "PATH", "N", "X", "true|false"};
  return kTypes.at(static_cast<std::size_t>(entry.kind));
}

void bind(CLI::App& app, unsigned bits, std::vector<Binding>& bindings) {
  for (const auto& entry : option_table()) {
    if ((entry.commands & bits) != 0) bindings.push_back({&entry, {}});
  }
  for (auto& binding : bindings) {
    const auto& entry = *binding.entry;
    const std::string name = fmt::format("--{}", entry.name);
    binding.option = takes_value(entry) ? app.add_option(name, binding.value) : app.add_flag(name, binding.flag);
  }
}

[[noreturn]] void refuse_extra(const std::string& extra, const std::vector<Binding>& bindings,
                               std::string_view command) {
  std::vector<std::string> names;
  for (const auto& binding : bindings) names.push_back(fmt::format("--{}", binding.entry->name));
  const auto nearest = nearest_name(extra.substr(0, extra.find('=')), names);
  throw UsageError(fmt::format("unknown {} '{}'{}; see mlpac {} --help", extra.starts_with("-") ? "option" : "argument",
                               extra, nearest.empty() ? "" : fmt::format("; did you mean {}?", nearest), command));
}

/// Breaks text into lines of at most `width` characters, at blanks.
std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  while (text.size() > width) {
    auto at = text.rfind(' ', width);
    if (at == std::string_view::npos || at == 0) at = width;
    lines.emplace_back(text.substr(0, at));
    text.remove_prefix(std::min(text.size(), at + 1));
  }
  lines.emplace_back(text);
  return lines;
}

std::string help(const Command& command) {
  constexpr std::size_t kColumn = 32;
  constexpr std::size_t kWidth = 100;
  std::string text =
      fmt::format("{}\n\nUsage: mlpac {}{}{}{}\n", command.summary, command.name, command.words.empty() ? "" : " ",
                  command.words, command.options == 0 ? "" : " [OPTIONS]");
  std::string_view group;
  for (const auto& entry : option_table()) {
    if ((entry.commands & command.options) == 0) continue;
    if (entry.group != group) {
      group = entry.group;
      text += fmt::format("\n{}:\n", group);
    }
    std::string description(entry.help);
    if (!entry.choices.empty()) description += fmt::format(" ({})", entry.choices);
    if (!entry.fallback.empty() && entry.fallback != "false") description += fmt::format(" [{}]", entry.fallback);
    const std::string name =
        fmt::format("  --{}{}", entry.name, takes_value(entry) ? fmt::format(" {}", type_of(entry)) : "");
    const auto lines = wrap(description, kWidth - kColumn);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      text += fmt::format("{:<{}}{}\n", i == 0 ? name + ' ' : "", kColumn, lines[i]);
    }
  }
  return text + fmt::format("\nExample:\n  {}\n", command.example);
}

int run_command(const Command& command, std::vector<std::string> arguments) {
  CLI::App app(std::string(command.summary), fmt::format("mlpac {}", command.name));
  app.allow_extras();
  Call call;
  std::vector<Binding> bindings;
  bind(app, command.options, bindings);
  if (!command.words.empty()) app.add_option(std::string(command.words), call.words)->type_name("")->group("");
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
  try {
    app.parse(arguments);
  } catch (const CLI::CallForHelp&) {
    print_result(help(command));
    return 0;
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{}; see mlpac {} --help", error.what(), command.name));
  }
  if (const auto extras = app.remaining(); !extras.empty()) refuse_extra(extras.front(), bindings, command.name);
  for (const auto& binding : bindings) {
    if (binding.option->count() == 0) continue;
    call.options.set(binding.entry->name, takes_value(*binding.entry) ? binding.value : "true");
  }
  set_quiet((command.options != 0) && call.options.flag("quiet"));
  return command.run(call);
}

std::string overview() {
  std::string text = fmt::format(
      "mlpac {}: multi-label classification when only some positive labels are annotated\n\nUsage: mlpac COMMAND "
      "[OPTIONS]\n\nCommands:\n",
      kVersion);
  for (const auto& command : kCommands) {
    text += fmt::format("  {:<19} {}\n", fmt::format("{} {}", command.name, command.words), command.summary);
  }
  return text + "\nmlpac COMMAND --help explains a command. Start with: mlpac demo\n";
}

int run(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    print_result(overview());
    return 0;
  }
  if (arguments[0] == "--version") {
    print_result(fmt::format("mlpac {}\n", kVersion));
    return 0;
  }
  const auto& command = kCommands[index_of(arguments[0], kCommands, "command")];
  return run_command(command, {arguments.begin() + 1, arguments.end()});
}

}  // namespace

std::span<const Command> commands() { return kCommands; }

void read_config(Options& options, const std::string& file, OptionSource source) {
  std::istringstream text(read_file(file));
  for (const auto& item : CLI::ConfigTOML().from_config(text)) {
    if (item.name == "++" || item.name == "--") continue;  // CLI11's marks for sections
    if (item.inputs.size() != 1) {
      throw UsageError(fmt::format("{}: '{}' needs exactly one value", file, item.fullname()));
    }
    try {
      options.set(item.name, item.inputs[0], source);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", file, error.what()));
    }
  }
}

const std::string& word(const Call& call, std::size_t index, std::string_view what) {
  if (index >= call.words.size()) throw UsageError(fmt::format("{} is missing", what));
  return call.words[index];
}

void print_result(std::string_view text) {
  std::cout << text << std::flush;
  if (!std::cout) throw Error("cannot write to standard output");
}

int dispatch(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const UsageError& error) {
    fmt::print(stderr, "mlpac: {}\n", error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "mlpac: out of memory; use fewer rows, a smaller --batch or narrower --widths\n");
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "mlpac: {}\n", error.what());
    return 1;
  }
}

}  // namespace mlpac::cli
