// Running networks in evaluation mode over a data set, and counting or scoring what they decide.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>

#include "distributed/group.h"
#include "mlpac/metrics.h"
#include "mlpac/prior.h"
#include "train/problem.h"

namespace mlpac {

struct SweepSpec {
  at::Device device{at::kCPU};
  bool bf16 = false;
  std::int64_t batch = 1024;
  std::int64_t loaders = 0;             ///< threads that make slow inputs ahead; 0: one for each core
  const Group* group = &Group::solo();  ///< each process runs over some of the batches
};

/// Calls `visit` with each batch of this process (labels of `labels` in batch.y, if given) and its items. Items that
/// differ in cost come in its order.
void sweep_batches(const Dataset& data, std::span<const std::int64_t> items, const Labels* labels,
                   const SweepSpec& spec,
                   const std::function<void(const Batch&, std::span<const std::int64_t>)>& visit);

/// The same with the float32 logits of every network, which run in evaluation mode.
void sweep(const Dataset& data, std::span<const std::int64_t> items, const Labels* labels,
           std::span<Network* const> networks, const SweepSpec& spec,
           const std::function<void(const Batch&, std::span<const at::Tensor>)>& visit);

/// Decisions of a network against labels (unknown counts as negative), and where its log-odds lie.
struct Tally {
  Counts counts;
  std::optional<Counts> truth;  ///< the same against complete labels, where they are known
  ScoreCurve curve;

  void add(const Tally& other);
};
std::vector<Tally> tally_decisions(const Dataset& data, std::span<const std::int64_t> items, const Labels& labels,
                                   const Decision& decision, std::span<Network* const> networks, const SweepSpec& spec,
                                   const Labels* truth = nullptr);

/// Where the log-odds of each class lie.
std::vector<ScoreCurve> class_curves(const Dataset& data, std::span<const std::int64_t> items, const Labels& labels,
                                     const Decision& decision, Network& network, const SweepSpec& spec);

/// All metrics of a network on completely labelled data; `shift` is subtracted from the log-odds before deciding.
/// `uncut` becomes what would have been decided without it.
Metrics evaluate_network(const Dataset& data, const Labels& labels, const Decision& decision, Network& network,
                         const SweepSpec& spec, const at::Tensor& shift = {}, Counts* uncut = nullptr);

}  // namespace mlpac
