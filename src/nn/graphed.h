// Passes of a network as CUDA graphs: many small kernels are started as a whole, where starting them one by one takes
// longer than they run. Without CUDA it is the plain call.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "nn/torch.h"

namespace mlpac {

/// Records what a function of tensors does, once for every shape of its inputs, and plays it back from then on. The
/// function must depend on nothing but its inputs, the owner's parameters and buffers, and the device's generator of
/// random numbers, whose seed holds for played passes as for others; it must not wait for the device.
class Graphed {
 public:
  using Tensors = std::vector<at::Tensor>;
  using Function = std::function<Tensors(const Tensors& inputs)>;

  /// `owner` is the module whose parameters the function uses, and all of them that learn get their gradients here.
  explicit Graphed(torch::nn::Module& owner);
  Graphed(const Graphed&) = delete;
  Graphed& operator=(const Graphed&) = delete;
  ~Graphed();

  Tensors operator()(const Tensors& inputs, const Function& function);

 private:
  class Recorder;
  torch::nn::Module& owner_;
  std::unique_ptr<Recorder> recorder_;
};

}  // namespace mlpac
