// What the training loop needs from a method, and the table of methods. A method owns networks, optimisers and label
// state; it knows batches, decisions and the label matrix, but neither readers nor tasks nor time.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mlpac/decision.h"
#include "mlpac/labels.h"
#include "mlpac/options.h"
#include "nn/network.h"
#include "train/optimizer.h"
#include "train/state.h"

namespace mlpac {

class GradientSum;
class Group;

using Weights = std::map<std::string, at::Tensor>;
/// Names of options and their values.
using Settings = std::vector<std::pair<std::string, std::string>>;

/// What may predict instead of what a phase selected, or as a mean with it: the model it began with, or that and the
/// method's companion.
enum class MixWith { nothing, initial, all };

/// A stretch of training with its own schedule and selection.
struct Phase {
  std::string name;
  std::int64_t epochs = 0;    ///< of the schedule
  std::int64_t patience = 0;  ///< stop after this many epochs without a better score; 0: never
  double settle = 0;          ///< share of the epochs before the first one that may be selected
  /// Trains on all rows what another phase selected, up to the epoch it selected; nothing is scored.
  std::optional<std::size_t> repeats{};
  bool may_keep = false;  ///< the model it begins with may be selected, too
  MixWith mix = MixWith::nothing;
  std::size_t members = 1;  ///< repeated: so many are trained, each with a seed of its own, and become a committee
};

/// The seed of a member of a committee; that of the first is the run's.
std::uint64_t member_seed(std::uint64_t seed, std::size_t member);

/// How the rows of a step are drawn. With positives: so many items with an annotation, again and again, before
/// `unlabelled` (0: as many as --batch says) of all items; an epoch has seen each of the latter once. Without: items of
/// all kinds, --batch of them.
struct BatchPlan {
  std::int64_t positives = 0;
  std::int64_t unlabelled = 0;
};

/// Where training stands.
struct Clock {
  std::size_t phase = 0;
  std::int64_t epoch = 0;  ///< of the phase
  std::int64_t step = 0;   ///< of the epoch
  std::int64_t steps_per_epoch = 1;
  std::int64_t epochs = 1;        ///< of the phase
  std::int64_t global_epoch = 0;  ///< over all phases: the key of random draws
  std::int64_t phase_step() const { return epoch * steps_per_epoch + step; }
};

/// A network under training.
struct Learner {
  std::string name;
  std::size_t fold = 0;  ///< which rows it is not trained on; of a committee: which member it belongs to
  std::shared_ptr<Network> network;
  std::shared_ptr<Network> average;  ///< moving average of the weights; null if off
  std::unique_ptr<Adam> optimizer;
  std::shared_ptr<GradientSum> gradients;  ///< that other processes compute, too; null: this one trains alone
  ScheduleKind schedule = ScheduleKind::linear;
  double warmup = 0;               ///< share of the steps of a phase that climb
  std::int64_t restart_epoch = 0;  ///< linear-restart: where the second schedule begins

  Rate rate(const Clock& clock) const;
  /// The network that predictions come from.
  const std::shared_ptr<Network>& predicting() const { return average ? average : network; }
  Network& predictor() const { return *predicting(); }

  void save(State& state) const;
  void load(const State& state);
};

/// Numbers of a step for the log; summed on the device, read once per epoch.
class StepLog {
 public:
  void add(const std::string& name, const at::Tensor& value);
  nlohmann::json means() const;
  /// What was noted about a share of the rows of a step.
  void add(const StepLog& other, double share = 1);
  void clear() { sums_.clear(); }
  /// Adds what other processes have noted, under the same names.
  void combine(const Group& group);
  /// Keeps the names only.
  void zero();
  void save(State& state, const std::string& prefix) const;
  void load(const State& state, const std::string& prefix);

 private:
  std::map<std::string, std::pair<at::Tensor, double>> sums_;  ///< and of how many steps
};

/// Called with each batch and the logits of every network.
using Visit = std::function<void(const Batch&, std::span<const at::Tensor>)>;

/// What a method may ask for between epochs.
struct EpochContext {
  const Clock& clock;
  std::span<const double> scores;    ///< smoothed score of each candidate
  std::span<const Weights> best_of;  ///< weights of the best predictor of this phase so far, per fold
  std::function<void(std::size_t fold, std::span<Network* const>, const Visit&)> sweep_of;
  std::function<double(std::size_t fold, Network&)> score_of;
  nlohmann::json* log;
  const Group& group;  ///< a sweep shows each process some of the rows: what comes of them has to be brought together
  std::size_t fold = 0;

  /// Weights of the best predictor of this phase so far.
  const Weights& best() const { return best_of[fold]; }
  /// Runs networks in evaluation mode over all training rows.
  void sweep(std::span<Network* const> networks, const Visit& visit) const { sweep_of(fold, networks, visit); }
  /// Selection score of any network on the rows set aside; 0 where there are none.
  double score(Network& network) const { return score_of(fold, network); }
};

/// What the phase before selected.
struct Selected {
  std::span<const Weights> weights;          ///< per fold
  std::span<const std::int64_t> candidates;  ///< of every phase so far
};

/// Learners that differ only in the rows they are trained on, one per fold (or in their seed, one per member of a
/// committee); empty for one that was given up.
using Candidate = std::vector<Learner*>;

class Method {
 public:
  virtual ~Method() = default;

  virtual std::vector<Phase> phases() const = 0;
  /// Called when a phase starts, with what was selected in the phase before (no weights for the first).
  virtual void begin_phase(std::size_t phase, const Selected& selected) = 0;
  /// The learners that take a step: groups one after the other, those of a group in any order or at once.
  virtual std::vector<std::vector<Learner*>> active(const Clock& clock) = 0;
  /// What `learner` minimises on this batch. Called for the learners of a group from several threads.
  virtual at::Tensor objective(Learner& learner, const Batch& batch, const Clock& clock, StepLog& log) = 0;
  /// What is scored after each epoch; the best becomes the model.
  virtual std::vector<Candidate> candidates(std::size_t phase) = 0;
  virtual void end_epoch(const EpochContext& context) = 0;
  /// How the batches of a phase are composed.
  virtual BatchPlan batch_plan(std::size_t /*phase*/) const { return {}; }

  /// Second networks whose test result is reported beside the model's (critics), one for every fold or member; or none.
  virtual std::vector<std::shared_ptr<Network>> companions() { return {}; }
  /// Weight w of a candidate in the last phase, if there is one.
  virtual std::optional<double> weight(std::int64_t /*candidate*/, const Clock& /*clock*/) const { return {}; }
  /// Options with which the method has only the given candidate of each phase.
  virtual Settings settings(std::span<const std::int64_t> /*candidates*/) const { return {}; }

  virtual void save(State& state) const = 0;
  virtual void load(const State& state) = 0;
};

/// The options that govern a supervised phase: training itself, or the pre-training of another method.
struct Stage {
  static constexpr std::string_view kPretrain = "pretrain";
  std::string_view name = "train";
  std::string_view epochs = "epochs";
  std::string_view patience = "patience";
  std::string_view lr = "lr";
};

/// What a method is built from.
struct MethodContext {
  const Options& options;
  nlohmann::json architecture;
  Decision decision;
  const Labels& annotated;
  const Labels* truth = nullptr;               ///< only to log how good proposed labels are
  std::span<const std::int64_t> train_rows{};  ///< label rows that are trained on
  at::Device device{at::kCPU};
  std::uint64_t seed = 0;
  Weights initial{};     ///< weights to start from (--init); empty: none
  Weights pretrained{};  ///< weights of a part of the network to start from (a pre-trained encoder); empty: none
  Stage stage{};
  std::span<const double> prior{};  ///< share of positives of every class (--prior); empty: not asked for
  bool trained = false;             ///< `initial` is a model of these labels: no pre-training is needed
  std::size_t folds = 1;            ///< in each of which every candidate is trained
};

enum class TrainingLabels { annotated, complete };

struct MethodEntry {
  std::string_view name;
  std::string_view summary;
  std::string_view source;      ///< where it comes from
  std::string_view assumption;  ///< what must hold for it to work
  std::string_view needs;       ///< what it must be told beside the annotations; empty: nothing
  TrainingLabels labels;        ///< `complete` is the upper bound: it sees the labels that were hidden
  std::string_view loss;        ///< supervised methods: entry of the loss table
  std::span<const OptionDefault> defaults;
  std::unique_ptr<Method> (*create)(const MethodEntry& entry, const MethodContext& context);
};

std::span<const MethodEntry> methods();
const MethodEntry& find_method(std::string_view name);

/// Parts of MLPAC that can be removed, each a set of option values.
struct AblationEntry {
  std::string_view name;
  std::string_view summary;
  std::span<const OptionDefault> values;
};
std::span<const AblationEntry> ablations();
const AblationEntry& find_ablation(std::string_view name);

/// A learner with initialised weights, its optimiser and schedule as the options say. Its optimiser also moves `more`:
/// parameters that are not of the network; with a lender, whose body its network borrows, no parameters of the body.
Learner make_learner(const std::string& name, const MethodContext& context, std::string_view lr_option,
                     const std::vector<NamedParameter>& more = {}, Network* lender = nullptr);
/// The loss and what the network adds to it for these labels.
at::Tensor with_auxiliary(const at::Tensor& loss, const Supervision& supervision, const at::Tensor& target,
                          StepLog& log);
/// Sets a learner's weights (and their average).
void set_weights(Learner& learner, const Weights& weights);
/// A copy that later training does not change.
Weights copy_weights(const Network& network);

}  // namespace mlpac
