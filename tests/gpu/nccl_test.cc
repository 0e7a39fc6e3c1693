// Exchanges between GPUs. One process with one GPU goes the whole way through NCCL, to itself.
#include <gtest/gtest.h>

#include "distributed/gradient_sum.h"
#include "distributed/group.h"
#include "nn/torch.h"

namespace mlpac {
namespace {

class Nccl : public testing::Test {
 protected:
  void SetUp() override {
    if (!torch::cuda::is_available()) GTEST_SKIP() << "no CUDA device";
    Launch launch;
    launch.address = "127.0.0.1";
    launch.port = 29871;
    launch.exchange_alone = true;
    group_ = std::make_unique<Group>(launch, Patience{20, 60});
    group_->exchange_on(at::Device(at::kCUDA, 0));
  }

  std::unique_ptr<Group> group_;
};

TEST_F(Nccl, OneProcessGetsBackWhatItSends) {
  ASSERT_FALSE(group_->alone());
  const auto values = torch::randn({1000, 3}, at::kCUDA);
  const auto summed = values.clone();
  group_->sum(summed);
  EXPECT_TRUE(summed.equal(values));
  EXPECT_EQ(group_->traffic().under_way, 0) << "went through the host";
  EXPECT_EQ(group_->traffic().bytes, 12'000);
  const auto largest = values.clone();
  group_->begin_max(largest).wait();
  EXPECT_TRUE(largest.equal(values));
  EXPECT_TRUE(group_->gather(values).equal(values));
  const auto told = values.clone();
  group_->from_first(told);
  EXPECT_TRUE(told.equal(values));
  EXPECT_EQ(group_->from_first(std::string("text")), "text");
}

TEST_F(Nccl, GradientsOfAllTypesAreSummedDuringTheBackwardPass) {
  torch::manual_seed(1);
  const auto large = torch::randn({1500, 2000}, at::kCUDA).requires_grad_();  // a bucket of its own
  const auto half = torch::randn({2000, 7}, at::kCUDA).to(at::kBFloat16).requires_grad_();
  const auto unused = torch::randn({5}, at::kCUDA).requires_grad_();
  GradientSum sum(*group_, {large, half, unused});
  const auto input = torch::randn({16, 1500}, at::kCUDA);
  for (int step = 0; step < 3; ++step) {
    large.mutable_grad() = at::Tensor();
    half.mutable_grad() = at::Tensor();
    const auto loss = input.mm(large).to(at::kBFloat16).mm(half).to(at::kFloat).square().sum();
    const auto expected = torch::autograd::grad({loss}, {large, half}, {}, true);
    sum.begin();
    loss.backward();
    sum.finish();
    EXPECT_TRUE(large.grad().equal(expected[0]));
    EXPECT_EQ(half.grad().scalar_type(), at::kBFloat16);
    EXPECT_TRUE(half.grad().equal(expected[1]));
    EXPECT_FALSE(unused.grad().defined());
  }
}

}  // namespace
}  // namespace mlpac
