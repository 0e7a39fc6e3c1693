#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <thread>
#include <tuple>

#include "cli/command.h"
#include "core/file.h"
#include "core/log.h"
#include "core/process.h"
#include "core/wrap.h"
#include "experiment/experiment_report.h"
#include "experiment/place.h"
#include "experiment/python_text.h"
#include "experiment/runner.h"
#include "mlpac/error.h"
#include "mlpac/training.h"

namespace mlpac::cli {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

Scale scale_of(const Options& options) {
  const auto& name = options.text("scale");
  return name == "smoke" ? Scale::smoke : name == "here" ? Scale::here : Scale::paper;
}

std::string device_of(const Options& options) {
  if (options.text("device") != "auto") return options.text("device");
  return gpu_name().empty() ? "cpu" : "cuda";
}

/// Whether a cell has one of the values, as they are written on the command line.
bool matches(const PlanCell& cell, const std::string& axis, const std::vector<std::string_view>& wanted) {
  std::vector<std::string> found = cell.groups;
  if (axis != "group") {
    const auto& value = cell.values.at(axis);
    found = {value.is_null() ? std::string(kNoVariant) : python_str(value)};
  }
  return std::any_of(found.begin(), found.end(), [&](const std::string& value) {
    return std::find(wanted.begin(), wanted.end(), value) != wanted.end();
  });
}

/// The cells that --only leaves.
std::vector<PlanCell> chosen(const Plan& plan, const std::string& only) {
  auto cells = plan.cells();
  for (const auto line : split_words(only, '\n')) {
    const auto equals = line.find('=');
    const std::string axis(line.substr(0, equals));
    if (equals == std::string_view::npos || (axis != "variant" && axis != "group" && !plan.axes().contains(axis))) {
      std::string known;
      for (const auto& [name, values] : plan.axes().items()) known += name + ", ";
      throw UsageError(fmt::format("--only {}: expected AXIS=VALUE,VALUE with one of {}variant, group", line, known));
    }
    const auto wanted = split_words(line.substr(equals + 1), ',');
    for (const auto value : wanted) {
      const auto has = [&](const PlanCell& cell) { return matches(cell, axis, {value}); };
      if (std::none_of(plan.cells().begin(), plan.cells().end(), has)) {
        throw UsageError(fmt::format("--only {}: no cell of the plan has the {} '{}'", line, axis, value));
      }
    }
    std::erase_if(cells, [&](const PlanCell& cell) { return !matches(cell, axis, wanted); });
  }
  return cells;
}

/// runs/NAME, or runs/smoke/NAME: what is measured on synthetic data never mixes with the rest.
fs::path runs_folder(const Plan& plan, const std::string& name) {
  return plan.scale() == Scale::smoke ? fs::path("runs/smoke") / name : fs::path("runs") / name;
}

fs::path cells_file(const Plan& plan, const Options& options) {
  return options.has("cells") ? fs::path(options.text("cells")) : runs_folder(plan, plan.kind()) / "cells.jsonl";
}

/// docs/results of the tree that the plan belongs to; reports of trials and of other plans stay with the runs.
fs::path report_folder(const Plan& plan, const Options& options) {
  if (options.has("out")) return options.text("out");
  const auto results = plan.home().parent_path() / "docs" / "results";
  const auto relative = plan.path().lexically_relative(fs::absolute(plan.home()).lexically_normal());
  const bool inside = !relative.empty() && relative.begin()->string() != "..";
  return plan.scale() != Scale::smoke && inside && fs::exists(results) ? results : runs_folder(plan, plan.name());
}

/// Synthetic data that every experiment is tried with.
std::vector<std::string> synthetic_files(const std::string& program) {
  const fs::path folder = "runs/smoke/data";
  if (!fs::exists(folder / "labels.xml")) {
    create_folder(folder.parent_path());
    Process generate({{program, "generate", "--rows", "400", "--test-rows", "200", "--features", "16", "--classes", "6",
                       "--positives", "1.5", "--out", folder.string(), "--quiet"},
                      "/dev/null",
                      "/dev/null",
                      {}});
    while (!generate.poll()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    if (*generate.poll() != 0) throw Error(fmt::format("{}: cannot generate data in {}", program, folder.string()));
  }
  return {"--train", (folder / "train.arff").string(), "--labels", (folder / "labels.xml").string(),
          "--test",  (folder / "test.arff").string()};
}

/// What makes the experiment, as people type it.
std::string command_text(const Plan& plan, const std::string& data = "DIR", const std::string& cells = {}) {
  const auto in_tree = fs::exists(plan.home() / plan.name() / "plan.json") ||
                       fs::exists(plan.home() / "paper" / (plan.name() + ".json"));
  std::vector<std::string> words{"mlpac", "experiment", "run", in_tree ? plan.name() : plan.path().string()};
  if (plan.scale() != Scale::here) words.insert(words.end(), {"--scale", std::string(scale_name(plan.scale()))});
  if (plan.needs_data() && plan.scale() != Scale::smoke) words.insert(words.end(), {"--data", data});
  if (!cells.empty()) words.insert(words.end(), {"--cells", cells});
  return shell_text(words);
}

int list_cells(CellFile& store, const FailureFile& failures, const std::vector<PlanCell>& cells) {
  std::string text;
  for (const auto& cell : cells) {
    const bool measured = store.get(cell.name, cell.options) != nullptr;
    const auto error = failures.error(cell.name, cell.options);
    const auto* const state = measured                    ? "measured"
                              : error                     ? "failed"
                              : store.has_name(cell.name) ? "changed"
                                                          : "missing";
    text += fmt::format("{:<9} {}\n", state, cell.name);
    if (!measured && error) text += fmt::format("          {}\n", error->substr(0, error->find('\n')));
  }
  print_result(text);
  return 0;
}

/// Whether `mlpac train` takes the options of every cell: better known before hours of training.
int check(const Plan& plan, const std::vector<PlanCell>& cells, const fs::path& work) {
  // Cells of one kind differ by numbers only.
  std::map<std::tuple<std::string, std::string, std::string>, const PlanCell*> kinds;
  for (const auto& cell : cells) {
    std::string layers;
    for (const auto& layer : cell.layers) layers += layer.string() + '\n';
    kinds.emplace(
        std::tuple(layers, python_str(cell.values.value("method", Json())), python_str(cell.values.at("variant"))),
        &cell);
  }
  std::size_t failed = 0;
  create_folder(work);
  for (const auto& [kind, cell] : kinds) {
    auto arguments = plan.config(*cell, work);
    arguments.insert(arguments.end(), cell->arguments.begin(), cell->arguments.end());
    try {
      auto options = parse_call("train", arguments).options;
      if (options.has("config")) options = over_file(options, options.text("config"));
      apply_defaults(options);
    } catch (const Error& error) {
      ++failed;
      log_warning(fmt::format("FAILED {}: mlpac train {}\n{}", cell->name, shell_text(arguments), error.what()));
    }
  }
  fs::remove_all(work);
  log_info(fmt::format("{}: {} of {} kinds of cells have options that mlpac train takes", plan.name(),
                       kinds.size() - failed, kinds.size()));
  return failed > 0 ? 1 : 0;
}

RunnerOutcome make(const Plan& plan, CellFile& store, FailureFile& failures, const std::vector<PlanCell>& cells,
                   const Options& options, std::optional<double> seconds) {
  RunnerSpec spec;
  spec.program = measured_program();
  spec.device = device_of(options);
  const auto cores = static_cast<std::size_t>(core_count());
  const auto jobs = static_cast<std::size_t>(options.integer("jobs"));
  spec.jobs = jobs > 0 ? jobs : spec.device == "cpu" ? cores : 1;
  spec.threads = std::max<std::size_t>(1, cores / spec.jobs);
  spec.seconds = seconds;
  spec.work = cells_file(plan, options).parent_path() / "work";
  spec.retry = options.flag("retry");
  spec.keep_runs = options.flag("keep-runs");
  spec.quiet = options.flag("quiet");
  spec.log_seconds = options.number("log-seconds");
  spec.extra = extra_options();
  spec.commit = commit_of(plan.home());
  spec.files = [&plan, &options, program = spec.program](const PlanCell& cell) {
    if (plan.scale() == Scale::smoke) return std::pair(std::string("synthetic"), synthetic_files(program));
    return plan.files_of(cell, options.text("data"));
  };
  return Runner(plan, store, failures, std::move(spec)).run(cells);
}

int one(const fs::path& path, Call& call, std::optional<double> seconds, bool show) {
  const auto& options = call.options;
  const Plan plan(path, scale_of(options), plans_folder(options.text("plans")), extra_options());
  if (plan.cells().empty()) {
    const bool here = plan.scale() == Scale::here;
    throw UsageError(fmt::format("{} has no cells at the scale '{}'{}", plan.name(), scale_name(plan.scale()),
                                 here ? "; it needs the paper's data: --scale paper --data DIR" : ""));
  }
  const auto cells = chosen(plan, options.text("only"));
  CellFile store(cells_file(plan, options), plan);
  FailureFile failures(store.path());
  for (const auto file : split_words(options.text("merge"), '\n')) store.merge(std::string(file));
  if (options.flag("list")) return list_cells(store, failures, cells);
  if (options.flag("check")) return check(plan, cells, runs_folder(plan, plan.name()) / "check");
  RunnerOutcome outcome;
  if (!show && !options.flag("report-only")) outcome = make(plan, store, failures, cells, options, seconds);
  if (outcome.signal != 0) {
    log_info("interrupted; what was running has saved its state, the same command continues");
    return 128 + outcome.signal;
  }
  const Results results(plan, store);
  const auto report = experiment_report(results, failures, commit_of(plan.home()), command_text(plan));
  if (show) {
    print_result(report.markdown);
    return 0;
  }
  const auto folder = report_folder(plan, options);
  write_report(report, folder, plan.name());
  const auto measured = results.records().size();
  log_info(fmt::format("cells: {}: {} of {} are measured", store.path().string(), measured, plan.cells().size()));
  if (measured < plan.cells().size()) {
    log_info(
        fmt::format("next: {} makes the others; --merge FILE adds those of another machine",
                    command_text(plan, options.has("data") ? options.text("data") : "DIR", options.text("cells"))));
  }
  print_result(
      fmt::format("{}\n{}\n", (folder / (plan.name() + ".md")).string(), (folder / (plan.name() + ".html")).string()));
  return outcome.failed > 0 ? 1 : 0;
}

int list_experiments(const Options& options) {
  const auto plans = plans_folder(options.text("plans"));
  std::string text;
  for (const auto& path : all_plans(plans)) {
    const Plan plan(path, scale_of(options), plans);
    std::string state = scale_of(options) == Scale::here ? "only with --scale paper" : "only with --scale here";
    if (!plan.cells().empty()) {
      CellFile store(cells_file(plan, options), plan);
      state = fmt::format("{} of {} cells", Results(plan, store).records().size(), plan.cells().size());
    }
    text += fmt::format("  {:<22} {:<24} {}\n", plan.name(), state, plan.title());
  }
  print_result(text);
  return 0;
}

}  // namespace

int run_experiment(Call& call) {
  const auto& action = word(call, 0, "list, run NAME or show NAME");
  if (action == "list") return list_experiments(call.options);
  if (action != "run" && action != "show") {
    throw UsageError(fmt::format("unknown action '{}'; expected list, run NAME or show NAME", action));
  }
  const auto plans = plans_folder(call.options.text("plans"));
  std::optional<double> seconds;
  if (call.options.has("seconds")) seconds = call.options.number("seconds");
  if (!call.options.flag("all")) {
    const auto& name = word(call, 1, "NAME of an experiment (mlpac experiment list), or --all");
    return one(find_plan(name, plans), call, seconds, action == "show");
  }
  const auto start = Clock::now();
  int code = 0;
  for (const auto& path : all_plans(plans)) {
    if (Plan(path, scale_of(call.options), plans).cells().empty()) continue;
    const auto left = seconds ? std::optional(std::max(0.0, *seconds - seconds_since(start))) : std::nullopt;
    const int own = one(path, call, left, action == "show");
    if (own >= 128) return own;
    code = std::max(code, own);
  }
  return code;
}

}  // namespace mlpac::cli
