// From options to a finished run: builds the problem and the method, runs the loop, writes weights and result.
#include "tasks/training.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <thread>

#include "core/file.h"
#include "core/log.h"
#include "core/signals.h"
#include "core/version.h"
#include "methods/cross_fit.h"
#include "mlpac/error.h"
#include "nn/committee.h"
#include "nn/gpu_memory.h"
#include "tasks/features.h"
#include "tasks/initial_weights.h"
#include "tasks/model.h"
#include "tasks/partial_labels.h"
#include "tasks/threshold.h"
#include "train/trainer.h"

namespace mlpac {

namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

double peak_memory_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

/// Rows per step: small data needs small batches to be stepped through often enough.
std::int64_t batch_size(const Options& options, const Problem& problem) {
  if (const auto given = options.integer("batch"); given > 0) return given;
  constexpr std::int64_t kSteps = 40;
  std::int64_t batch = 16;
  while (batch < 128 && batch * kSteps < static_cast<std::int64_t>(problem.folds.front().train.size())) batch *= 2;
  return batch;
}

/// Threads of this process: what is asked for, or its share of the machine.
std::int64_t threads_of(const Options& options, const Group& group) {
  if (const auto given = options.integer("threads"); given > 0) return given;
  const auto cores = static_cast<std::int64_t>(std::thread::hardware_concurrency());
  return std::max<std::int64_t>(1, cores / group.launch().local_size);
}

/// Small networks lose time when a step is spread over threads: below this many multiply-adds each learner has one
/// thread, and learners that do not depend on each other take their steps at the same time. The number of the latter.
/// Processes that talk to each other take them one after the other, in the same order everywhere.
std::int64_t choose_threads(const Options& options, const Problem& problem, std::int64_t batch,
                            const at::Device& device, const Group& group) {
  constexpr std::int64_t kWorthThreads = 60'000'000;
  const auto threads = threads_of(options, group);
  const auto cost = create_network(problem.architecture)->parameter_count() * batch;
  const bool inside = cost >= kWorthThreads || !device.is_cpu();
  at::set_num_threads(static_cast<int>(inside ? threads : 1));
  return inside || !group.alone() ? 1 : threads;
}

/// Threads that make slow inputs: all cores where something else computes, otherwise half of them.
std::int64_t loader_threads(const Options& options, const at::Device& device, const Group& group) {
  const auto threads = threads_of(options, group);
  return device.is_cpu() ? (threads + 1) / 2 : threads;
}

/// Debian's reference BLAS is forty times slower than OpenBLAS and easily installed by accident.
void warn_slow_blas(const at::Device& device) {
  if (!device.is_cpu()) return;
  const auto a = at::ones({192, 192});
  at::mm(a, a);
  const auto start = SteadyClock::now();
  at::mm(a, a);
  const double gflops = 2 * 192.0 * 192.0 * 192.0 / seconds_since(start) / 1e9;
  if (gflops < 4) {
    log_warning(
        fmt::format("matrix products run at {:.1f} GFLOP/s: LibTorch seems to use the reference BLAS; on Debian: "
                    "apt install libopenblas0-openmp",
                    gflops));
  }
}

/// A run is resumed with the options it was started with; only the device may be another one.
void refuse_changed_options(const RunFolder& folder, const Options& options) {
  const auto without_device = [](std::string text) {
    const auto line = text.find("\ndevice = ");
    if (line != std::string::npos) text.erase(line, text.find('\n', line + 1) - line);
    return text;
  };
  if (without_device(read_file(folder.config())) != without_device(options.to_toml(kTrain))) {
    throw Error(
        fmt::format("{}: the run was started with other options (see config.toml); resume with "
                    "mlpac train --resume --out {}, or start over with --force",
                    folder.path().string(), folder.path().string()));
  }
}

nlohmann::json model_description(const Options& options, const Problem& problem, std::size_t members) {
  nlohmann::json description = problem.description;
  description["task"] = options.text("task");
  description["architecture"] = problem.architecture;
  if (members > 1) description["architecture"]["members"] = members;
  description["decision"] = {{"threshold_class", problem.decision.threshold_class}, {"cap", problem.decision.cap}};
  description["version"] = kVersion;
  return description;
}

/// A resumed run keeps the priors it was started with, whatever a file or an estimate would say now.
void keep_prior(Problem& problem, const RunFolder& folder) {
  if (problem.prior.empty() || !fs::exists(folder.checkpoint())) return;
  const auto state = load_state(folder.checkpoint());
  const auto stored = state.values.value(nlohmann::json::json_pointer("/trainer/prior"), nlohmann::json());
  if (stored.is_array() && stored.size() == problem.prior.size()) problem.prior = stored.get<std::vector<double>>();
}

/// All processes must have read the same data; the priors are those of the first.
void agree_on_data(Problem& problem, const Group& group) {
  if (group.from_first(problem.fingerprint) != problem.fingerprint) {
    throw Error(fmt::format("rank {} reads other data than rank 0; all processes need the same files", group.rank()));
  }
  const auto prior = group.from_first(nlohmann::json(problem.prior).dump());
  if (!group.alone()) problem.prior = nlohmann::json::parse(prior).get<std::vector<double>>();
}

nlohmann::json number_or_null(const Options& options, std::string_view name) {
  return options.has(name) ? nlohmann::json(options.number(name)) : nlohmann::json();
}

/// Every class on the test data, in percent; nothing where they are so many that nobody would look at them.
nlohmann::json class_lines(const Metrics& metrics, const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 2000;
  nlohmann::json lines = nlohmann::json::array();
  if (names.size() != metrics.class_counts.size() || names.size() > kMost) return lines;
  for (std::size_t c = 0; c < names.size(); ++c) {
    const auto& counts = metrics.class_counts[c];
    lines.push_back({{"label", names[c]},
                     {"positives", counts.true_positive + counts.false_negative},
                     {"precision", counts.precision()},
                     {"recall", counts.recall()},
                     {"f1", counts.f1()},
                     {"ap", metrics.class_ap[c]}});
  }
  return lines;
}

}  // namespace

TrainingReport train_problem(const Options& options, Problem problem, RunFolder* folder, SteadyClock::time_point start,
                             const Group& group) {
  const auto& entry = find_method(options.text("method"));
  const auto device = parse_device(options.text("device"), group.launch().local_rank);
  const ThresholdRule threshold(options);
  if (entry.labels == TrainingLabels::complete) {
    if (!problem.truth) problem.truth = problem.annotated;
    problem.annotated = *problem.truth;
  }
  if (folder != nullptr && options.flag("resume")) keep_prior(problem, *folder);
  agree_on_data(problem, group);
  if (group.first()) {
    for (const auto& warning : problem.warnings) log_warning(warning);
  }
  const auto batch = batch_size(options, problem);
  TrainerSpec spec;
  spec.workers = choose_threads(options, problem, batch, device, group);
  warn_slow_blas(device);
  spec.seed = static_cast<std::uint64_t>(options.integer("seed"));
  spec.batch = batch;
  spec.shuffle_block = options.integer("shuffle-block");
  spec.parts = std::min(batch, options.integer("accumulate"));
  spec.ema = options.number("ema");
  spec.rule = parse_selection(options.text("selection"));
  if (spec.rule == SelectionRule::break_even && threshold.given()) {
    throw UsageError("--selection break-even says nothing about decisions at a given threshold; add --threshold auto");
  }
  spec.smooth = options.integer("smooth");
  spec.checkpoint_seconds = options.number("checkpoint-seconds");
  spec.log_seconds = options.number("log-seconds");
  spec.class_curves = threshold.per_class();
  spec.title = options.text("method");
  spec.sweep = {device, options.text("precision") == "bf16"};
  spec.sweep.loaders = loader_threads(options, device, group);
  spec.sweep.group = &group;

  std::vector<std::vector<std::int64_t>> rows;  // label rows that are trained on, per fold
  for (const auto& split : problem.folds) rows.push_back(problem.train->label_rows(split.train));
  const auto trained = problem.train->label_rows(last_trained_items(problem));
  MethodContext context{options, problem.architecture, problem.decision, problem.annotated};
  context.truth = problem.truth ? &*problem.truth : nullptr;
  context.train_rows = trained;
  context.device = device;
  context.seed = spec.seed;
  context.prior = problem.prior;
  context.pretrained = problem.pretrained;
  if (options.has("init")) {
    auto initial = initial_weights(options.text("init"), problem.architecture, spec.seed);
    context.initial = std::move(initial.weights);
    context.trained = initial.trained;
  }
  if (!problem.refit && options.integer("members") > 1 && options.source("members") > OptionSource::ablation) {
    throw UsageError("--members: a committee is trained on all rows after the choice; use --folds 0 or 2 and more");
  }
  const auto method = problem.refit ? std::make_unique<CrossFit>(entry, context, rows) : entry.create(entry, context);
  Trainer trainer(*method, problem, spec, folder);
  // Only now, when options and data have proved usable, is the run said to have started.
  if (folder != nullptr && !folder->started()) write_file_atomically(folder->config(), options.to_toml(kTrain));
  const auto outcome = trainer.run(options.flag("resume"));
  TrainingReport report;
  report.signal = outcome.signal;
  if (outcome.signal != 0) return report;

  const auto content =
      make_content(model_description(options, problem, outcome.members), outcome.weights, spec.sweep, "model");
  const auto cut = threshold.choose(outcome, problem, *content);
  content->description["thresholds"] = cut.thresholds;
  report.model = std::make_shared<Model>(content);
  const auto companions = method->companions();
  const auto companion = companions.empty() ? nullptr : one_network(companions);
  nlohmann::json test;
  nlohmann::json uncut;
  nlohmann::json critic;
  nlohmann::json classes;
  if (problem.test && problem.test_truth) {
    const auto measure = [&](Network& network, const at::Tensor& shift, Counts* counts = nullptr) {
      return evaluate_network(*problem.test, *problem.test_truth, problem.decision, network, spec.sweep, shift, counts);
    };
    Counts counts;
    const auto metrics = measure(*content->network, threshold_shift(*content), &counts);
    test = to_json(metrics);
    uncut = {{"precision", counts.precision()}, {"recall", counts.recall()}, {"f1", counts.f1()}};
    classes = class_lines(metrics, content->labels);
    if (companion) critic = to_json(measure(*companion, {}));
  }
  content->sweep.group = &Group::solo();  // what follows concerns the first process alone
  if (!group.first()) return report;
  nlohmann::json reports;
  for (const auto& [name, describe] : problem.reports) {
    reports[name] = describe(*content->network, content->sweep, threshold_shift(*content));
  }
  const auto gpu_memory = device.is_cuda() ? nlohmann::json(peak_gpu_memory_mb(device)) : nlohmann::json();
  report.result = {{"method", options.text("method")},
                   {"task", options.text("task")},
                   {"ratio", number_or_null(options, "ratio")},
                   {"seed", options.integer("seed")},
                   {"label_seed", options.integer("label-seed")},
                   {"ablation", options.text("ablation")},
                   {"selection",
                    {{"rule", selection_name(spec.rule)},
                     {"epoch", outcome.epoch},
                     {"phase", outcome.phase},
                     {"folds", problem.folds.size()},
                     {"score", outcome.score},
                     {"prior_bound", outcome.prior},
                     {"threshold", cut.common},
                     {"own_thresholds", cut.own},
                     {"mix", options.text("mix") != "off" ? nlohmann::json(mix_name(outcome.mix)) : nlohmann::json()},
                     {"w", outcome.w ? nlohmann::json(*outcome.w) : nlohmann::json()}}},
                   {"prior", problem.prior.empty() ? nlohmann::json() : nlohmann::json(problem.prior)},
                   {"data", problem.facts},
                   {"test", test},
                   {"uncut", uncut},
                   {"classes", classes},
                   {"critic", critic},
                   {"reports", reports},
                   {"seconds", {{"total", seconds_since(start)}, {"train", outcome.seconds}}},
                   {"peak_memory_mb", peak_memory_mb()},
                   {"peak_gpu_memory_mb", gpu_memory},
                   {"version", kVersion}};
  if (folder != nullptr) {
    report.model->save(folder->path());
    if (companion) {
      State weights;
      weights.tensors = named_tensors(*companion);
      save_state(folder->path() / "critic.safetensors", weights);
    }
    write_file_atomically(folder->result(),
                          report.result.dump(2) + '\n');  // its presence says that the run is complete
    std::error_code ignored;
    fs::remove(folder->checkpoint(), ignored);
  }
  return report;
}

namespace {

/// Opens --out and settles what is there already: a finished run, an unfinished one, or nothing.
std::unique_ptr<RunFolder> open_folder(const Options& options) {
  if (!options.has("out")) return nullptr;
  auto folder = std::make_unique<RunFolder>(options.text("out"));
  const auto name = folder->path().string();
  if (options.flag("force")) folder->clear();
  if (folder->finished() && !options.flag("resume")) {
    throw Error(fmt::format("{}: holds a finished run; choose another --out, or overwrite it with --force", name));
  }
  if (folder->started() && !folder->finished()) {
    if (!options.flag("resume")) {
      throw Error(
          fmt::format("{}: holds an unfinished run; continue it with --resume, or start over with --force", name));
    }
    refuse_changed_options(*folder, options);
  }
  return folder;
}

}  // namespace

void apply_defaults(Options& options) {
  const auto& task = find_task(options.text("task"));
  for (const auto& [method, defaults] : task.method_defaults) {
    if (method == options.text("method")) options.set_defaults(defaults, OptionSource::method);
  }
  options.set_defaults(task.defaults, OptionSource::method);
  options.set_defaults(find_method(options.text("method")).defaults, OptionSource::method);
  // What pre-training needs to know has the default of the method that pre-trains.
  if (const auto& pretrain = options.text("pretrain"); pretrain != "none") {
    for (const auto& value : find_method(pretrain).defaults) {
      if (value.first == "prior" && !options.has("prior")) options.set_defaults({&value, 1}, OptionSource::method);
    }
  }
  const auto& ablation = find_ablation(options.text("ablation"));
  for (const auto& [name, value] : ablation.values) {
    if (options.source(name) > OptionSource::ablation && options.text(name) != value) {
      throw UsageError(fmt::format("--ablation {} means --{} {}, but --{} {} is given; leave one of them out",
                                   ablation.name, name, value, name, options.text(name)));
    }
  }
  options.set_defaults(ablation.values, OptionSource::ablation);
}

TrainingReport train(Options options, Group& group) {
  const auto start = SteadyClock::now();
  apply_defaults(options);
  const auto& task = find_task(options.text("task"));
  const auto folder = group.first() ? open_folder(options) : nullptr;
  const bool finished = folder != nullptr && folder->finished();
  const auto result = group.from_first(finished ? read_file(folder->result()) : std::string());
  if (!result.empty()) return {0, nlohmann::json::parse(result), nullptr};
  group.exchange_on(parse_device(options.text("device"), group.launch().local_rank));
  return train_problem(options, task.load(options), folder.get(), start, group);
}

TrainingReport train(Options options) {
  Group alone;
  return train(std::move(options), alone);
}

TrainingReport train(Options options, const FeatureData& data, const FeatureData* test) {
  const auto start = SteadyClock::now();
  apply_defaults(options);
  const auto folder = open_folder(options);
  if (folder != nullptr && folder->finished()) {
    return {0, nlohmann::json::parse(read_file(folder->result())), nullptr};
  }
  auto problem =
      feature_problem(options, FeatureTable(data), test == nullptr ? std::nullopt : std::optional<FeatureTable>(*test));
  return train_problem(options, std::move(problem), folder.get(), start);
}

}  // namespace mlpac
