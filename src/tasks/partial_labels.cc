#include "tasks/partial_labels.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/random.h"
#include "mlpac/annotation.h"
#include "mlpac/error.h"
#include "priors/prior_option.h"
#include "review/journal.h"

namespace mlpac {

namespace {

/// One slice suffices to choose by where it holds hundreds of annotations; fewer are made the most of in several folds.
/// The fewer there are, the more it matters that what is chosen was trained on almost all of them; ten trainings of
/// every candidate cost little on few rows.
std::int64_t enough_folds(const Options& options, const Labels& annotated) {
  constexpr std::int64_t kFewRows = 1000;
  if (const auto given = options.integer("folds"); given > 0) return given;
  if (slice_suffices(annotated, options.number("validation"))) return 1;
  if (slice_suffices(annotated, 1)) return 3;
  return annotated.rows() <= kFewRows ? std::min<std::int64_t>(10, annotated.rows()) : 5;
}

std::vector<Split> make_folds(const Options& options, const Labels& annotated, std::uint64_t seed) {
  const auto folds = enough_folds(options, annotated);
  if (folds > 1) return split_folds(annotated, folds, seed);
  const double share = options.number("validation");
  if (options.text("split") == "stratified") return {split_stratified(annotated, share, seed)};
  return {split_items(annotated.rows(), share, seed)};
}

}  // namespace

void use_decisions(Problem& problem, const Options& options, const RowNames& names) {
  if (!options.has("decisions")) return;
  const auto& file = options.text("decisions");
  const auto decisions = read_journal(file).standing();
  problem.annotated = with_decisions(problem.annotated, decisions, names, file);
  std::uint64_t hash = fnv1a64("decisions");
  for (const auto& decision : decisions) {
    hash = mix64(hash ^ fnv1a64(decision.id) ^ static_cast<std::uint64_t>(decision.verdict));
    hash = mix64(hash ^ fnv1a64(decision.label) ^ static_cast<std::uint64_t>(decision.row));
  }
  problem.fingerprint += fmt::format("-{:016x}", hash);
}

void hide_labels(Problem& problem, const Options& options, Labels labels, const RowNames& names,
                 const std::string& source) {
  if (labels.count(kAnnotated) == 0) throw Error(fmt::format("{}: no label is annotated", source));
  const auto ratio = options.has("ratio") ? std::optional(options.number("ratio")) : std::nullopt;
  const auto plan = parse_hide_plan(options.text("hide"), ratio);
  if (plan.hides()) {
    problem.annotated = hide(labels, plan, static_cast<std::uint64_t>(options.integer("label-seed")));
    if (problem.annotated.count(kAnnotated) == 0) {
      throw Error(fmt::format("--ratio {}: none of the {} positives of {} stays annotated; raise it",
                              options.text("ratio"), labels.count(kAnnotated), source));
    }
    problem.truth = std::move(labels);
  } else {
    problem.annotated = std::move(labels);
  }
  use_decisions(problem, options, names);
  set_folds(problem, options, problem.annotated);
}

void set_folds(Problem& problem, const Options& options, const Labels& items) {
  problem.folds = make_folds(options, items, static_cast<std::uint64_t>(options.integer("seed")));
  problem.refit = problem.folds.size() > 1 || (options.integer("folds") == 0 && options.number("validation") > 0);
}

std::vector<std::int64_t> last_trained_items(const Problem& problem) {
  return problem.refit ? items_of(problem.folds.front()) : problem.folds.front().train;
}

void set_prior(Problem& problem, const Options& options, std::span<const std::string> label_names,
               const FeatureView* features) {
  auto rows = last_trained_items(problem);
  if (problem.train) rows = problem.train->label_rows(rows);
  PriorSources sources{problem.annotated};
  if (problem.truth) sources.truth = &*problem.truth;
  sources.features = features;
  sources.label_names = label_names;
  sources.rows = rows;
  sources.seed = static_cast<std::uint64_t>(options.integer("seed"));
  problem.prior = resolve_prior(options, sources);
}

}  // namespace mlpac
