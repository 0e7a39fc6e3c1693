#include "tasks/scoring.h"

#include <fmt/format.h>

#include "core/file.h"
#include "core/log.h"
#include "core/random.h"
#include "mlpac/annotation.h"
#include "mlpac/error.h"
#include "nn/committee.h"
#include "tasks/training.h"

namespace mlpac {

namespace {

namespace fs = std::filesystem;

SweepSpec sweep_spec(const Options& options) {
  SweepSpec spec;
  spec.device = parse_device(options.text("device"));
  return spec;
}

ScoredPart load_part(const fs::path& run, const SweepSpec& spec, std::vector<std::int64_t> items) {
  ScoredPart part;
  part.policy = load_content(run, spec);
  part.items = std::move(items);
  if (const auto weights = run / "critic.safetensors"; fs::exists(weights)) {
    const auto tensors = load_state(weights).tensors;
    part.critic = create_network(with_members_of(part.policy->description.at("architecture"), tensors));
    load_tensors(*part.critic, tensors, weights.string());
    part.critic->to(spec.device);
  }
  return part;
}

/// A run that is there is used only if it would come out the same; --force removes another one, but never that.
void settle(const RunFolder& folder, const std::string& config, bool force) {
  if (!folder.started() || read_file(folder.config()) == config) return;
  if (force) return folder.clear();
  throw Error(
      fmt::format("{}: holds a run with other options; name another folder with --runs, or start over with "
                  "--force",
                  folder.path().string()));
}

}  // namespace

void score(const Scoring& scoring, const std::function<void(const ScoredRows&)>& visit) {
  for (std::size_t p = 0; p < scoring.parts.size(); ++p) {
    const auto& part = scoring.parts[p];
    std::vector<Network*> networks{part.policy->network.get()};
    if (part.critic) networks.push_back(part.critic.get());
    sweep(*scoring.data, part.items, nullptr, networks, part.policy->sweep,
          [&](const Batch& batch, std::span<const at::Tensor> logits) {
            std::vector<at::Tensor> z;
            for (const auto& tensor : logits) {
              z.push_back(part.policy->decision.log_odds(tensor).to(at::kCPU).contiguous());
            }
            const auto values = [](const at::Tensor& t) {
              return std::span<const float>(t.data_ptr<float>(), static_cast<std::size_t>(t.numel()));
            };
            visit({p, batch.rows, z[0].size(1), values(z[0]), z.size() > 1 ? values(z[1]) : std::span<const float>()});
          });
  }
}

Scoring scoring_of_run(const fs::path& run, const Options& options) {
  Scoring scoring;
  auto part = load_part(run, sweep_spec(options), {});
  const auto& model = *part.policy;
  const auto& task = find_task(model.description.at("task").get<std::string>());
  auto application = task.apply(model.description, options, false);
  scoring.data = application.data;
  scoring.ids = std::move(application.ids);
  scoring.label_names = model.labels;
  const auto classes = static_cast<std::int32_t>(model.labels.size());
  if (application.labels && application.labels->classes() == classes) {
    scoring.annotated = std::move(*application.labels);
  } else {
    scoring.annotated = Labels(classes);
    for (std::size_t row = 0; row < scoring.data->label_rows(all_items(*scoring.data)).size(); ++row) {
      scoring.annotated.append({});
    }
  }
  part.items = all_items(*scoring.data);
  scoring.parts.push_back(std::move(part));
  return scoring;
}

Scoring scoring_out_of_fold(const Options& options, const fs::path& runs, int& signal) {
  const auto folds = options.integer("parts");
  const auto problem = find_task(options.text("task")).load(options);
  Scoring scoring;
  scoring.data = problem.train;
  scoring.annotated = problem.annotated;
  scoring.truth = problem.truth;
  scoring.ids = problem.ids;
  scoring.label_names = problem.description.at("labels").get<std::vector<std::string>>();
  const auto config = options.to_toml(kTrain);
  // Not the seed itself: the folds of training must not be these parts.
  const auto seed = stream_key(static_cast<std::uint64_t>(options.integer("seed")), "parts");
  const auto splits = split_folds(item_labels(problem), folds, seed);
  Options training = options;
  training.set("resume", "true");
  for (std::size_t f = 0; f < splits.size(); ++f) {
    const auto path = runs / fmt::format("part-{}", f + 1);
    {
      RunFolder folder(path);
      settle(folder, config, options.flag("force"));
      if (!folder.finished()) {
        log_info(
            fmt::format("part {} of {}: training without its {} items", f + 1, folds, splits[f].validation.size()));
        const auto report = train_problem(training, without_items(problem, splits[f].validation), &folder,
                                          std::chrono::steady_clock::now());
        if ((signal = report.signal) != 0) return scoring;
      }
    }
    scoring.parts.push_back(load_part(path, sweep_spec(options), splits[f].validation));
  }
  return scoring;
}

}  // namespace mlpac
