// The one training loop. It owns time: phases, epochs, steps, schedules, precision, averages, evaluation, selection,
// checkpoints, interruption and progress. It does not know which method or task it runs.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "core/log.h"
#include "methods/method.h"
#include "mlpac/selection.h"
#include "train/batch_order.h"
#include "train/event_log.h"
#include "train/prefetch.h"
#include "train/problem.h"
#include "train/run_folder.h"
#include "train/sweep.h"
#include "train/workers.h"

namespace mlpac {

struct TrainerSpec {
  std::uint64_t seed = 1;
  std::int64_t batch = 128;
  std::int64_t shuffle_block = 1;  ///< rows that are drawn together
  std::int64_t parts = 1;          ///< in which the rows of a step go through the networks: what fits into memory
  double ema = 0;
  SelectionRule rule = SelectionRule::lee_liu;
  std::int64_t smooth = 3;
  bool class_curves = false;       ///< record where the log-odds of each class lie
  std::int64_t workers = 1;        ///< threads that take steps of independent learners
  double checkpoint_seconds = -1;  ///< negative: about 2 % of the time, at most twice a second
  double log_seconds = 10;
  std::string title = "train";
  SweepSpec sweep;
};

/// The models whose mean predicts.
struct Mix {
  bool selected = true;    ///< what the last phase selected
  bool initial = false;    ///< the model it began with
  bool companion = false;  ///< the method's second network
  bool operator==(const Mix&) const = default;
};
std::string mix_name(const Mix& mix);

/// The selected model.
struct Outcome {
  int signal = 0;                             ///< not 0: stopped by this signal; the state is saved
  std::map<std::string, at::Tensor> weights;  ///< of a committee, where it has several members
  std::size_t members = 1;
  Mix mix;
  std::optional<double> rate;  ///< share of the entries that is to be TRUE; without: as the curve and the prior say
  std::string phase;
  std::int64_t epoch = 0;  ///< of the phase, from 1
  double score = 0;
  double prior = 1;                      ///< bound of the share of positive entries
  ScoreCurve curve;                      ///< log-odds of the rows set aside
  std::vector<ScoreCurve> class_curves;  ///< of each class, if asked for
  std::optional<double> w;
  double seconds = 0;  ///< spent in the loop, over all interruptions
};

class Trainer {
 public:
  /// `folder` may be null: nothing is written and nothing can be resumed. Of several processes (spec.sweep.group) only
  /// the first has one.
  Trainer(Method& method, const Problem& problem, const TrainerSpec& spec, RunFolder* folder);

  /// Continues from the folder's checkpoint if `resume` and there is one.
  Outcome run(bool resume);

 private:
  bool train_epoch();
  /// Those of the items that have an annotation.
  std::vector<std::int64_t> annotated_of(std::span<const std::int64_t> items);
  /// The batches of a step, of every fold and every part of it.
  struct PartBatch {
    Batch batch;
    std::int64_t rows = 0;  ///< of this part in all processes
  };
  using StepBatches = std::vector<std::vector<PartBatch>>;
  StepBatches next_batches(std::span<const BatchOrder> orders, BatchStream& stream) const;
  /// A part of a step, and of that what this process computes. One that has no row of it computes one that does not
  /// count, because the others wait for its share of what they compute together.
  struct Part {
    BatchOrder::Step whole;
    BatchOrder::Step own;
    bool counts = true;
  };
  Part part_of(const BatchOrder& order, std::int64_t step, std::int64_t part) const;
  std::int64_t rows_of(std::span<const std::int64_t> items) const;
  void step(const std::vector<Learner*>& group, const StepBatches& batches);
  void end_epoch();
  std::vector<double> score_candidates(nlohmann::json& line);
  std::vector<double> choose(std::span<const Candidate> candidates, std::span<const Tally> tallies,
                             nlohmann::json& line);
  std::vector<Tally> tally(std::size_t fold, std::span<Network* const> networks);
  /// Where the log-odds of the rows set aside lie: of each class, and of each mix.
  std::vector<ScoreCurve> curves_of_classes(const Mix& mix);
  std::vector<ScoreCurve> curves_of(std::span<const Mix> mixes);
  /// Takes what was selected, what may take its place, or a mean: what orders the rows set aside best.
  void choose_mix();
  std::vector<Weights> mixed(std::size_t split, const Mix& mix) const;
  std::shared_ptr<Network> mixed_network(std::size_t fold, const Mix& mix) const;
  SelectionEvidence evidence_of(const Tally& tally) const;
  std::span<const Split> splits(std::size_t phase) const;
  /// Of the draws for what is trained on a split of the current phase.
  std::uint64_t seed_of(std::size_t split) const;
  /// Whether nothing is chosen any more after the current phase.
  bool last_choice() const;
  std::int64_t steps_of(std::size_t phase) const;
  std::int64_t epochs_of(std::size_t phase) const;
  double progress_steps() const;
  bool phase_done() const;
  void enter_phase(std::size_t phase);
  /// What is to be done after a step, if any process asks for it.
  struct Wishes {
    int signal = 0;
    bool checkpoint = false;
  };
  void begin_wishes();
  Wishes wishes();
  void checkpoint();
  bool checkpoint_due() const;
  void restore();
  void report_progress();
  double elapsed() const;

  Method& method_;
  const Problem& problem_;
  TrainerSpec spec_;
  RunFolder* folder_;
  const Group& group_;
  std::vector<Phase> phases_;
  std::vector<Split> everything_;  ///< all rows are trained on, none set aside; by every member of a committee
  std::vector<std::int64_t> test_items_;
  std::vector<bool> annotated_items_;  ///< found when they are first asked for
  Workers workers_;

  Clock clock_;
  Selector selector_;
  std::vector<Weights> best_;     ///< of the selector's best, per fold; where nothing is chosen, per member
  std::vector<Weights> initial_;  ///< that the phase began with, where they may have a part in what predicts
  Mix mix_;
  std::optional<double> rate_;          ///< share of the entries that is TRUE, if the mix is not what was selected
  std::vector<Selector::Best> chosen_;  ///< by the phases that are over
  double score_ = 0;                    ///< of the last of them
  ScoreCurve curve_;                    ///< of the selector's best, over all folds
  std::vector<ScoreCurve> class_curves_;
  std::optional<double> best_w_;
  std::int64_t waits_ = 0;           ///< epochs since the best
  std::optional<double> data_wait_;  ///< seconds that the steps of this epoch waited for data, where it is made ahead
  Group::Traffic traffic_;           ///< up to this epoch
  StepLog log_;
  double seconds_before_ = 0;
  std::chrono::steady_clock::time_point start_;
  std::chrono::steady_clock::time_point saved_;
  double save_cost_ = 0;  ///< seconds the last checkpoint took
  at::Tensor wishes_;     ///< of all processes, under way
  Group::Pending pending_wishes_;
  int signal_ = 0;  ///< that stopped the training
  std::unique_ptr<EventLog> events_;
  std::unique_ptr<Progress> progress_;
  std::string note_;
};

}  // namespace mlpac
