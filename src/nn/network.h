// Networks: what a batch is, what a network does with it, and the table of architectures.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nn/draws.h"
#include "nn/torch.h"

namespace mlpac {

/// Some items of a data set on the device, and the label rows they cover (a document covers a range of them).
struct Batch {
  std::vector<at::Tensor>
      inputs;  ///< meaning fixed between data set and network; features: [rows x columns] or SparseRows
  std::vector<std::int64_t> rows;  ///< label rows, in the order of the network's output rows
  at::Tensor y;                    ///< annotated label states +1, 0, -1 [rows x classes], float32
  /// The first so many rows were drawn from those with an annotation (see BatchPlan); 0: rows of all kinds.
  std::int64_t drawn_positives = 0;
  /// Of the rows of the step, which may be computed in parts and by several processes; its loss counts so much. 0: a
  /// process that has no row of its own computes one of another's.
  double share = 1;
  Draws draws;
};

/// A forward pass whose logits are learned from labels.
struct Supervision {
  at::Tensor logits;
  /// What the network itself adds to a supervised objective, given the labels that are learned from [rows x classes];
  /// empty: nothing. Rewards are not supervised: a policy has no such part.
  std::function<at::Tensor(const at::Tensor& target)> auxiliary{};
};

/// A module that maps a batch to logits [label rows x outputs]. Parameter names equal those of the PyTorch original.
class Network : public torch::nn::Module {
 public:
  virtual at::Tensor forward(const Batch& batch) = 0;
  virtual Supervision supervise(const Batch& batch) { return {forward(batch)}; }
  /// Sets all parameters by keyed draws of the stream "init".
  virtual void initialise(std::uint64_t seed) = 0;
  /// Name of the layer whose outputs are the logits: what a linear classifier on frozen features consists of.
  virtual std::string last_layer() const = 0;
  /// What the names of the parameters begin with that may come pre-trained, and have a learning rate of their own
  /// (--encoder-lr-scale); empty: none.
  virtual std::string body() const { return {}; }
  /// Reads the body of another network of the same kind from now on instead of its own: no copy, and gradients end
  /// there. False: there is none to share.
  virtual bool borrow_body(Network& /*owner*/) { return false; }
  /// Networks that compare embeddings: log-odds of the embedding of the none class [1 x classes]. Undefined elsewhere.
  virtual at::Tensor none_log_odds() const { return {}; }
  /// Rough cost of one row, in multiply-adds, to choose the number of threads.
  std::int64_t parameter_count() const;

  /// Name of the streams this network draws from (dropout), so that two networks do not share masks.
  std::string stream = "network";
};

/// What a network reads, and so which tasks can use it.
enum class NetworkInput { features, images, documents };

struct NetworkEntry {
  std::string_view name;
  std::string_view summary;
  NetworkInput input;
  std::shared_ptr<Network> (*create)(const nlohmann::json& architecture);
};

std::span<const NetworkEntry> networks();
const NetworkEntry& find_network(std::string_view name);
/// Builds the network that `architecture` describes: {"network": name, "inputs": n, "outputs": n, ...}; with
/// {"members": n} that many of them as a committee.
std::shared_ptr<Network> create_network(const nlohmann::json& architecture);

/// Parameters and buffers by name.
std::map<std::string, at::Tensor> named_tensors(const Network& network);
/// Copies tensors into a network. Throws Error that lists every missing, unexpected or differently shaped tensor.
void load_tensors(Network& network, const std::map<std::string, at::Tensor>& tensors, std::string_view source);

}  // namespace mlpac
