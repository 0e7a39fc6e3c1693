// Gradients of parameters summed over all processes while the backward pass still computes others: those that are ready
// are exchanged in buckets, from the last layer to the first.
#pragma once

#include <ATen/core/Tensor.h>

#include <vector>

#include "distributed/group.h"

namespace torch::autograd {
struct Node;
}

namespace mlpac {

class GradientSum {
 public:
  /// What a bucket holds at most, in bytes; a larger parameter has one of its own.
  static constexpr std::int64_t kBucketBytes = std::int64_t{8} << 20;

  GradientSum(const Group& group, std::vector<at::Tensor> parameters);
  GradientSum(const GradientSum&) = delete;
  GradientSum& operator=(const GradientSum&) = delete;
  ~GradientSum();

  /// Called before the backward pass that completes the gradients of a step: what it finishes is sent at once.
  void begin();
  /// Waits for the sums and puts them where the gradients were. A parameter that has no gradient in any process has
  /// none afterwards; a sparse gradient holds the rows of all.
  void finish();

 private:
  struct Bucket {
    std::vector<std::size_t> parameters;
    std::vector<at::Tensor> views;  ///< where their gradients lie in `flat`
    at::Tensor flat;                ///< float32: the gradients, and 1 for every parameter that has one
    std::size_t ready = 0;
    Group::Pending sum;
  };
  struct Hook {
    std::shared_ptr<torch::autograd::Node> node;
    std::uintptr_t key;
  };

  /// Which gradients are sparse is known after the first backward pass.
  void fill_buckets();
  void on_gradient(std::size_t parameter);
  /// In the order of the buckets, which is the same in all processes.
  void send_ready();
  void send(Bucket& bucket);
  void receive(Bucket& bucket);
  void sum_sparse(at::Tensor& parameter) const;

  const Group& group_;
  std::vector<at::Tensor> parameters_;
  std::vector<Hook> hooks_;
  std::vector<std::size_t> bucket_of_;  ///< of each parameter
  std::vector<std::size_t> sparse_;
  std::vector<Bucket> buckets_;
  std::size_t sent_ = 0;  ///< buckets of this step
  bool active_ = false;
};

}  // namespace mlpac
