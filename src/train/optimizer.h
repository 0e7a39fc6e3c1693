// Adam in the forms the reproduced codes use, with parameter groups and a state that is a plain list of tensors.
#pragma once

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

#include "mlpac/schedule.h"

namespace mlpac {

struct State;

struct OptimizerSpec {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;
  bool decoupled = true;               ///< AdamW; false: L2 added to the gradient
  bool decay_matrices_only = false;    ///< no decay on tensors of one dimension (biases, normalisation)
  bool eps_before_correction = false;  ///< transformers' AdamW: eps is added before the bias correction
  double clip = 0;                     ///< largest gradient norm over all parameters; 0: off
};

struct NamedParameter {
  std::string name;
  at::Tensor value;
  double lr_scale = 1;  ///< group factor of the learning rate (for example a new head on a pre-trained body)
  bool decays = true;   ///< weight decay applies to it
};

class Adam {
 public:
  Adam(std::vector<NamedParameter> parameters, const OptimizerSpec& spec);

  /// One update from the gradients that the parameters hold; then forgets the gradients. A sparse gradient moves only
  /// the rows it holds ("lazy" Adam: the moments of the others wait), so a step costs what the batch touches.
  void step(const Rate& rate);

  /// The parameters it moves.
  std::vector<at::Tensor> values() const;

  void save(State& state, const std::string& prefix) const;
  void load(const State& state, const std::string& prefix);

 private:
  /// What gradients are multiplied by to be clipped. On a GPU the number stays there, so that nobody waits for it.
  struct Clip {
    double on_host = 1;
    at::Tensor on_device = {};
  };
  Clip clip() const;

  OptimizerSpec spec_;
  std::vector<NamedParameter> parameters_;
  std::vector<at::Tensor> first_;
  std::vector<at::Tensor> second_;
  std::int64_t steps_ = 0;
};

}  // namespace mlpac
