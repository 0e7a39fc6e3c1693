// Random tensors must not depend on how rows are spread over batches, samples or devices: resuming and distributing
// training rest on this.
#include "nn/draws.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "core/random.h"
#include "nn/torch.h"

namespace mlpac {

namespace {

Draws draws_of(std::vector<std::int64_t> rows, std::uint64_t seed = 1, std::uint64_t epoch = 0) {
  return {seed, epoch, std::move(rows), at::kCPU};
}

TEST(Draws, HostAndDeviceVersionsGiveTheSameBits) {
  // Keys with the highest bit set are the ones signed arithmetic could get wrong.
  std::vector<std::uint64_t> keys{0, 1, ~std::uint64_t{0}, std::uint64_t{1} << 63, 0x7fffffffffffffffULL};
  for (std::uint64_t i = 0; i < 200; ++i) keys.push_back(bits_at(3, i));
  const auto count = static_cast<std::int64_t>(keys.size());
  const auto tensor = torch::from_blob(keys.data(), {count}, at::kLong);
  for (const std::int64_t first : {0L, 1L, 1000L, 4'000'000'000L}) {
    EXPECT_TRUE(at::equal(uniform_on_host(keys, first, 37), uniform_on_device(tensor, first, 37))) << first;
  }
  EXPECT_EQ(uniform_on_host(keys, 0, 0).numel(), 0);
}

TEST(Draws, ElementsAreThoseOfTheKeyedSequence) {
  const auto values = draws_of({4, 9}, 5, 7).uniform("mask", 6);
  for (std::int64_t i = 0; i < 2; ++i) {
    const std::uint64_t key = row_key(stream_key(5, "mask"), 7, i == 0 ? 4 : 9);
    for (std::int64_t c = 0; c < 6; ++c) {
      EXPECT_EQ(values[i][c].item<float>(), unit_float(bits_at(key, static_cast<std::uint64_t>(c))));
    }
  }
}

TEST(Draws, FirstSkipsElements) {
  const std::array<std::uint64_t, 2> keys{17, 18};
  EXPECT_TRUE(at::equal(uniform_on_host(keys, 5, 10), uniform_on_host(keys, 0, 15).slice(1, 5)));
}

TEST(Draws, ARowDoesNotDependOnTheOthersOfItsBatch) {
  const auto together = draws_of({3, 8, 1, 1000000007}).uniform("mask", 11);
  const auto reordered = draws_of({1, 1000000007, 3}).uniform("mask", 11);
  EXPECT_TRUE(at::equal(together[0], reordered[2]));
  EXPECT_TRUE(at::equal(together[2], reordered[0]));
  EXPECT_TRUE(at::equal(together[3], reordered[1]));
  EXPECT_TRUE(at::equal(together[1], draws_of({8}).uniform("mask", 11)[0]));
  EXPECT_FALSE(at::equal(together[0], together[1]));
}

TEST(Draws, SamplesOfARowDoNotDependOnTheBatchEither) {
  const auto together = draws_of({3, 8, 1}).uniform("actions", 4, 6);
  EXPECT_EQ(together.sizes().vec(), (std::vector<std::int64_t>{4, 3, 6}));
  const auto alone = draws_of({1}).uniform("actions", 4, 6);
  EXPECT_TRUE(at::equal(together.select(1, 2), alone.select(1, 0)));
  // More samples extend the sequence, they do not change it.
  EXPECT_TRUE(at::equal(draws_of({1}).uniform("actions", 9, 6).slice(0, 0, 4), alone));
  EXPECT_TRUE(at::equal(draws_of({1}).uniform("actions", 1, 6)[0], draws_of({1}).uniform("actions", 6)));
}

TEST(Draws, EverythingInTheKeyMatters) {
  const auto base = draws_of({2}).uniform("mask", 8);
  EXPECT_FALSE(at::equal(base, draws_of({3}).uniform("mask", 8)));
  EXPECT_FALSE(at::equal(base, draws_of({2}, 2).uniform("mask", 8)));
  EXPECT_FALSE(at::equal(base, draws_of({2}, 1, 1).uniform("mask", 8)));
  EXPECT_FALSE(at::equal(base, draws_of({2}).uniform("actions", 8)));
  const auto samples = draws_of({2}).uniform("mask", 3, 8);
  EXPECT_FALSE(at::equal(samples[0], samples[1]));
  EXPECT_FALSE(at::equal(samples[1], samples[2]));
  EXPECT_TRUE(at::equal(base, draws_of({2}).uniform("mask", 8)));  // and nothing else
}

TEST(Draws, AreUniformOverRowsAndSamples) {
  std::vector<std::int64_t> rows(500);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::int64_t>(i);
  const auto values = draws_of(rows).uniform("mask", 10, 20).to(at::kDouble);
  EXPECT_GE(values.min().item<double>(), 0);
  EXPECT_LT(values.max().item<double>(), 1);
  EXPECT_NEAR(values.mean().item<double>(), 0.5, 0.005);
  EXPECT_NEAR(values.var().item<double>(), 1.0 / 12, 0.002);
  EXPECT_LT((values.mean(c10::IntArrayRef{0, 1}) - 0.5).abs().max().item<double>(), 0.02);  // per class
}

TEST(FillUniform, DependsOnKeyAndElementOnly) {
  auto matrix = at::empty({4, 6});
  fill_uniform(matrix, stream_key(1, "init.layer0.weight"), 0.5);
  auto vector = at::empty({24});
  fill_uniform(vector, stream_key(1, "init.layer0.weight"), 0.5);
  EXPECT_TRUE(at::equal(matrix.view(-1), vector));
  auto shorter = at::empty({10});
  fill_uniform(shorter, stream_key(1, "init.layer0.weight"), 0.5);
  EXPECT_TRUE(at::equal(shorter, vector.slice(0, 0, 10)));
  EXPECT_LE(matrix.abs().max().item<float>(), 0.5F);
  EXPECT_LT(matrix.min().item<float>(), 0);
  auto parameter = at::zeros({3}).requires_grad_();
  fill_uniform(parameter, 1, 1);  // not recorded by autograd
  EXPECT_TRUE(parameter.is_leaf());
}

TEST(Fill, NormalDrawsAreNormal) {
  auto values = at::empty({200, 500});
  fill_normal(values, 7, 0.5);
  EXPECT_NEAR(values.mean().item<double>(), 0, 0.01);
  EXPECT_NEAR(values.std().item<double>(), 0.5, 0.01);
  // Shares within one and two deviations.
  EXPECT_NEAR((values.abs() < 0.5).to(at::kFloat).mean().item<double>(), 0.6827, 0.01);
  EXPECT_NEAR((values.abs() < 1.0).to(at::kFloat).mean().item<double>(), 0.9545, 0.01);
  auto again = at::empty({200, 500});
  fill_normal(again, 7, 0.5);
  EXPECT_TRUE(at::equal(values, again));
  fill_normal(again, 8, 0.5);
  EXPECT_FALSE(at::equal(values, again));
}

}  // namespace

}  // namespace mlpac
