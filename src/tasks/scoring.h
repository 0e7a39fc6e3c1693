// Scores of label entries by models that were not trained on them.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mlpac/options.h"
#include "tasks/model.h"

namespace mlpac {

/// Items that one pair of networks scores.
struct ScoredPart {
  std::shared_ptr<Model::Content> policy;
  std::shared_ptr<Network> critic;  ///< null: the run has none
  std::vector<std::int64_t> items;
};

/// Data, what is annotated of it, and who scores which part.
struct Scoring {
  std::shared_ptr<const Dataset> data;
  Labels annotated;
  std::optional<Labels> truth;   ///< complete labels, in experiments
  std::vector<std::string> ids;  ///< of the label rows; empty: they are numbered
  std::vector<std::string> label_names;
  std::vector<ScoredPart> parts;
};

/// Log-odds of some label rows, [rows x classes].
struct ScoredRows {
  std::size_t part = 0;  ///< whose networks they are of
  std::span<const std::int64_t> rows;
  std::int64_t classes = 0;
  std::span<const float> policy;
  std::span<const float> critic;  ///< empty: there is none
};

/// Calls `visit` with some rows after the others, so that only few are in memory.
void score(const Scoring& scoring, const std::function<void(const ScoredRows&)>& visit);

/// The data of --data, scored by a finished run.
Scoring scoring_of_run(const std::filesystem::path& run, const Options& options);

/// The training data, every item scored by a run that was trained without it: one run per part, in folders under
/// `runs`. Finished ones are used again and unfinished ones continued, if they were started with the same options and
/// data. `signal` is set, and the scoring incomplete, if a stop was asked for.
Scoring scoring_out_of_fold(const Options& options, const std::filesystem::path& runs, int& signal);

}  // namespace mlpac
