// Command line to Options: CLI11 parses what the option table declares.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <exception>
#include <iostream>
#include <sstream>

#include "cli/command.h"
#include "core/file.h"
#include "core/help.h"
#include "core/log.h"
#include "core/memory.h"
#include "core/names.h"
#include "core/version.h"
#include "mlpac/error.h"

namespace mlpac::cli {

namespace {

constexpr std::array<Command, 14> kCommands{{
    {"demo", "", "learn from embedded data of which 10 % of the positives are annotated, and compare methods",
     "mlpac demo", kDemo, run_demo},
    {"train", "", "train a model into a run folder",
     "mlpac train --train examples/tickets/tickets.csv --label-list topics --id ticket --out runs/first\n"
     "mlpac train --train data/train.arff --labels data/labels.xml --out runs/second",
     kTrain, run_train},
    {"evaluate", "RUN", "test a trained model on a completely labelled file",
     "mlpac evaluate runs/first --data examples/tickets/complete.csv", kEvaluate, run_evaluate},
    {"predict", "RUN", "labels with probabilities for new rows, as JSON lines or CSV",
     "mlpac predict runs/first --data examples/tickets/new.csv --out predictions.jsonl", kPredict, run_predict},
    {"suggest", "RUN", "labels that are probably missing, the surest first",
     "mlpac suggest --train examples/tickets/tickets.csv --label-list topics --id ticket --out suggestions.csv",
     kTrain | kSuggest, run_suggest},
    {"review", "S", "accept or reject the suggestions in S on a page in the browser, and write the repaired data",
     "mlpac review suggestions.csv --data examples/tickets/tickets.csv --label-list topics --id ticket\n"
     "mlpac review suggestions.csv --data examples/tickets/tickets.csv --label-list topics --id ticket --export "
     "better.csv",
     kReview, run_review},
    {"hide", "", "hide positives of a completely labelled file: the same file with fewer annotations",
     "mlpac hide --data examples/tickets/complete.csv --label-list topics --ratio 0.1 --out partial.csv", kHide,
     run_hide},
    {"pack", "INPUT...", "write data as a store that is trained on where it lies, however large it is",
     "mlpac pack examples/tickets/tickets.csv --label-list topics --id ticket --out tickets.store\n"
     "mlpac train --train tickets.store --out runs/packed\n"
     "mlpac pack --check tickets.store",
     kPack, run_pack},
    {"generate", "", "write synthetic data with known complete labels: train.arff, test.arff, labels.xml",
     "mlpac generate --out data", kGenerate, run_generate},
    {"info", "RUN|FILE", "explain a run folder or a data file in a screenful",
     "mlpac info runs/first\nmlpac info examples/tickets/tickets.csv --label-list topics", kInfo, run_info},
    {"report", "RUN...", "a page about a run, or about several beside each other (HTML)",
     "mlpac report runs/first --out first.html\nmlpac report runs/first runs/second --out both.html", kReport,
     run_report},
    {"experiment", "list|run|show NAME", "make the runs of an experiment of the paper, and report them beside it",
     "mlpac experiment list\nmlpac experiment run --all --scale smoke", kExperiment, run_experiment},
    {"list", "WHAT", "methods, networks, readers and other names that options take", "mlpac list methods", 0, run_list},
    {"docs", "WHAT", "print all options (Markdown), the man page, or the bash completion",
     "mlpac docs completion >>~/.bash_completion", 0, run_docs},
}};

/// The value of every table option of a command, bound to CLI11.
struct Binding {
  const OptionEntry* entry;
  std::string value;
  bool flag = false;
  CLI::Option* option = nullptr;
};

void bind(CLI::App& app, unsigned bits, std::vector<Binding>& bindings) {
  for (const auto& entry : option_table()) {
    if ((entry.commands & bits) != 0) bindings.push_back({&entry, {}});
  }
  for (auto& binding : bindings) {
    const auto& entry = *binding.entry;
    const std::string name = fmt::format("--{}", entry.name);
    binding.option = takes_value(entry) ? app.add_option(name, binding.value) : app.add_flag(name, binding.flag);
    if (entry.repeats) binding.option->multi_option_policy(CLI::MultiOptionPolicy::Join);
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

CommandHelp help_of(const Command& command) {
  return {command.name, command.words, command.summary, command.example, command.options};
}

Call parse(const Command& command, std::vector<std::string> arguments) {
  CLI::App app(std::string(command.summary), fmt::format("mlpac {}", command.name));
  app.allow_extras();
  app.set_help_flag();
  Call call;
  std::vector<Binding> bindings;
  bind(app, command.options, bindings);
  if (!command.words.empty()) app.add_option("words", call.words)->type_name("")->group("");
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them from the back
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{}; see mlpac {} --help", error.what(), command.name));
  }
  if (const auto extras = app.remaining(); !extras.empty()) refuse_extra(extras.front(), bindings, command.name);
  for (const auto& binding : bindings) {
    if (binding.option->count() == 0) continue;
    const auto* const set = binding.flag ? "true" : "false";  // --quiet=false says so, too
    call.options.set(binding.entry->name, takes_value(*binding.entry) ? binding.value : set);
  }
  return call;
}

int run_command(const Command& command, const std::vector<std::string>& arguments) {
  const auto wants = [&](std::string_view flag) {
    return std::find(arguments.begin(), arguments.end(), flag) != arguments.end();
  };
  if (wants("--help") || wants("-h") || wants("--help-all")) {
    print_result(command_help(help_of(command), wants("--help-all")));
    return 0;
  }
  auto call = parse(command, arguments);
  set_quiet(call.options.flag("quiet"));
  if (command.run != run_review) keep_freed_memory();  // a server waits most of the time, and gives its memory back
  return command.run(call);
}

int run(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" || arguments[0] == "help") {
    print_result(overview(command_helps(), kVersion));
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

Call parse_call(std::string_view command, const std::vector<std::string>& arguments) {
  return parse(kCommands[index_of(command, kCommands, "command")], arguments);
}

std::vector<CommandHelp> command_helps() {
  std::vector<CommandHelp> helps;
  for (const auto& command : kCommands) helps.push_back(help_of(command));
  return helps;
}

namespace {

/// Number of the first line that sets `key`, for messages; 0 if there is none.
int line_of(const std::string& text, std::string_view key) {
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto first = line.find_first_not_of(" \t\"'");
    if (first == std::string::npos || line.compare(first, key.size(), key) != 0) continue;
    const auto next = line.find_first_not_of(" \t\"'", first + key.size());
    if (next == std::string::npos || line[next] == '=') return number;
  }
  return 0;
}

}  // namespace

void read_config(Options& options, const std::string& file, OptionSource source) {
  read_config(options, file, read_file(file), source);
}

void read_config(Options& options, const std::string& file, const std::string& content, OptionSource source) {
  std::istringstream text(content);
  std::vector<CLI::ConfigItem> items;
  try {
    items = CLI::ConfigTOML().from_config(text);
  } catch (const CLI::Error& error) {
    throw UsageError(fmt::format("{}: {}", file, error.what()));
  }
  for (const auto& item : items) {
    if (item.name == "++" || item.name == "--") continue;  // CLI11's marks for sections
    const auto place = fmt::format("{}:{}", file, line_of(content, item.name));
    if (item.inputs.size() != 1) throw UsageError(fmt::format("{}: '{}' needs exactly one value", place, item.name));
    try {
      options.set(item.name, item.inputs[0], source);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", place, error.what()));
    }
  }
}

Options over_file(const Options& given, const std::string& file) { return over_config(given, file, read_file(file)); }

Options over_config(const Options& given, const std::string& file, const std::string& content) {
  Options merged;
  read_config(merged, file, content, OptionSource::config);
  for (const auto& entry : option_table()) {
    if (given.source(entry.name) == OptionSource::table) continue;
    merged.set(entry.name, given.text(entry.name), given.source(entry.name));
  }
  return merged;
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
    log_error(error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    log_error("out of memory; use fewer rows, a smaller --batch or narrower --widths");
    return 1;
  } catch (const std::exception& error) {
    const std::string_view what = error.what();  // LibTorch adds where in its code, which helps nobody here
    log_error(what.substr(0, what.find("\nException raised from")));
    return 1;
  }
}

}  // namespace mlpac::cli
