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

/// A stretch of training with its own schedule and selection.
struct Phase {
  std::string name;
  std::int64_t epochs = 0;
  std::int64_t patience = 0;  ///< stop after this many epochs without a better score; 0: never
  double settle = 0;          ///< share of the epochs before the first one that may be selected
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
  std::shared_ptr<Network> network;
  std::shared_ptr<Network> average;  ///< moving average of the weights; null if off
  std::unique_ptr<Adam> optimizer;
  ScheduleKind schedule = ScheduleKind::linear;
  double warmup = 0;               ///< share of the steps of a phase that climb
  std::int64_t restart_epoch = 0;  ///< linear-restart: where the second schedule begins

  Rate rate(const Clock& clock) const;
  /// The network that predictions come from.
  Network& predictor() const { return average ? *average : *network; }

  void save(State& state) const;
  void load(const State& state);
};

/// Numbers of a step for the log; summed on the device, read once per epoch.
class StepLog {
 public:
  void add(const std::string& name, const at::Tensor& value);
  nlohmann::json means() const;
  void clear() { sums_.clear(); }
  void save(State& state, const std::string& prefix) const;
  void load(const State& state, const std::string& prefix);

 private:
  std::map<std::string, std::pair<at::Tensor, std::int64_t>> sums_;
};

/// What a method may ask for between epochs.
struct EpochContext {
  const Clock& clock;
  std::span<const double> scores;  ///< smoothed score of each candidate
  /// Weights of the best predictor of this phase so far.
  const std::map<std::string, at::Tensor>& best;
  /// Runs networks in evaluation mode over all training rows.
  std::function<void(std::span<Network* const>, const std::function<void(const Batch&, std::span<const at::Tensor>)>&)>
      sweep;
  /// Selection score of any network on the validation slice.
  std::function<double(Network&)> score;
  nlohmann::json& log;
};

class Method {
 public:
  virtual ~Method() = default;

  virtual std::vector<Phase> phases() const = 0;
  /// Called when a phase starts, with the weights selected in the phase before (empty for the first).
  virtual void begin_phase(std::size_t phase, const std::map<std::string, at::Tensor>& selected) = 0;
  /// The learners that take a step, in order.
  virtual std::vector<Learner*> active(const Clock& clock) = 0;
  /// What `learner` minimises on this batch.
  virtual at::Tensor objective(Learner& learner, const Batch& batch, const Clock& clock, StepLog& log) = 0;
  /// Learners to score after each epoch; the best becomes the model. A null stands for one that was given up.
  virtual std::vector<Learner*> candidates(std::size_t phase) = 0;
  virtual void end_epoch(const EpochContext& context) = 0;

  /// A second network whose test result is reported beside the model's (the critic), or null.
  virtual Network* companion() { return nullptr; }
  /// Weight w of a candidate in the last phase, if there is one.
  virtual std::optional<double> weight(std::int64_t /*candidate*/, const Clock& /*clock*/) const { return {}; }

  virtual void save(State& state) const = 0;
  virtual void load(const State& state) = 0;
};

/// The options that govern a supervised phase: training itself, or the pre-training of another method.
struct Stage {
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
  std::map<std::string, at::Tensor> initial{};  ///< weights to start from (--init); empty: none
  Stage stage{};
};

enum class TrainingLabels { annotated, complete };

struct MethodEntry {
  std::string_view name;
  std::string_view summary;
  std::string_view source;      ///< where it comes from
  std::string_view assumption;  ///< what must hold for it to work
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

/// A learner with initialised weights, its optimiser and schedule as the options say.
Learner make_learner(const std::string& name, const MethodContext& context, std::string_view lr_option);
/// Sets a learner's weights (and their average).
void set_weights(Learner& learner, const std::map<std::string, at::Tensor>& weights);
/// A copy that later training does not change.
std::map<std::string, at::Tensor> copy_weights(const Network& network);

}  // namespace mlpac
