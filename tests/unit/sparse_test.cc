// Sparse rows through the first layer: the same numbers as dense ones, at the cost of the stored values.
#include <gtest/gtest.h>

#include "nn/network.h"
#include "nn/sparse_linear.h"
#include "tasks/feature_rows.h"
#include "train/optimizer.h"

namespace mlpac {
namespace {

/// About one value in ten is stored; row 2 has none.
FeatureMatrix example(std::int32_t columns = 40, std::int64_t rows = 7) {
  FeatureMatrix matrix;
  matrix.columns = columns;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int32_t c = 0; c < columns && row != 2; ++c) {
      if ((row * 31 + c * 17) % 10 != 0) continue;
      matrix.indices.push_back(c);
      matrix.values.push_back(static_cast<float>((row * 7 + c * 3) % 11) / 4 - 1);
    }
    matrix.offsets.push_back(static_cast<std::int64_t>(matrix.indices.size()));
  }
  return matrix;
}

Batch collated(bool sparse, const std::vector<std::int64_t>& items, const FeatureMatrix& matrix = example()) {
  Batch batch;
  feature_rows(FeatureView(matrix), Normaliser::fit(matrix, "max-abs"), sparse)->collate(items, at::kCPU, batch);
  return batch;
}

SparseRows rows_of(const Batch& batch) { return {batch.inputs[0], batch.inputs[1], batch.inputs[2]}; }

const std::vector<std::int64_t> kItems{5, 0, 2, 6, 0};

TEST(SparseProduct, EqualsTheDenseProduct) {
  const auto w = at::randn({40, 6});
  const auto dense = collated(false, kItems).inputs[0].mm(w);
  EXPECT_TRUE(at::allclose(sparse_product(rows_of(collated(true, kItems)), w), dense, 1e-5, 1e-6));
}

TEST(SparseProduct, GradientEqualsTheDenseOneAndHoldsOnlyTouchedColumns) {
  const auto seed = at::randn({5, 6});
  auto w = at::randn({40, 6}).requires_grad_();
  auto v = w.detach().clone().requires_grad_();
  (collated(false, kItems).inputs[0].mm(w) * seed).sum().backward();
  const auto batch = collated(true, kItems);
  (sparse_product(rows_of(batch), v) * seed).sum().backward();
  ASSERT_TRUE(v.grad().is_sparse());
  EXPECT_TRUE(at::allclose(v.grad().to_dense(), w.grad(), 1e-5, 1e-6));
  const auto touched = std::get<0>(at::_unique(batch.inputs[1].to(at::kLong), true, false));
  EXPECT_TRUE(at::equal(v.grad().coalesce().indices()[0], touched));
  EXPECT_LT(touched.numel(), 40);
}

TEST(SparseProduct, RowsWithoutValuesGiveZeros) {
  const auto batch = collated(true, {2});
  auto w = at::randn({40, 3}).requires_grad_();
  const auto product = sparse_product(rows_of(batch), w);
  EXPECT_TRUE(at::equal(product, at::zeros({1, 3})));
  product.sum().backward();
  EXPECT_EQ(w.grad().to_dense().abs().sum().item<float>(), 0);
}

TEST(SparseNetwork, GivesTheLogitsOfTheDenseOneWithTheSameWeights) {
  for (const std::string name : {"linear", "mlp"}) {
    nlohmann::json architecture{
        {"network", name}, {"inputs", 40}, {"outputs", 4}, {"widths", {8, 5}}, {"dropout", 0.0}};
    const auto dense = create_network(architecture);
    architecture["sparse"] = true;
    const auto sparse = create_network(architecture);
    dense->initialise(3);
    auto weights = named_tensors(*dense);
    EXPECT_EQ(weights.at("layer0.weight").size(1), 40);
    weights["layer0.weight"] = weights.at("layer0.weight").t();
    load_tensors(*sparse, weights, "test");
    const auto expected = dense->forward(collated(false, kItems));
    EXPECT_TRUE(at::allclose(sparse->forward(collated(true, kItems)), expected, 1e-5, 1e-6)) << name;
    const auto before = named_tensors(*sparse).at("layer0.bias").clone();
    sparse->initialise(3);
    EXPECT_TRUE(at::equal(named_tensors(*sparse).at("layer0.bias"), before));
    EXPECT_LE(named_tensors(*sparse).at("layer0.weight").abs().max().item<float>(), 1 / std::sqrt(40.0F));
  }
}

class LazyAdam : public ::testing::TestWithParam<at::ScalarType> {};

TEST_P(LazyAdam, MovesTouchedRowsLikeDenseAdamAndLeavesTheOthers) {
  OptimizerSpec spec;
  spec.weight_decay = 0.1;
  spec.clip = 0.5;
  const auto options = at::TensorOptions(GetParam());
  const auto start = at::randn({6, 3}, options);
  auto a = start.clone();
  auto b = start.clone();
  Adam dense({{"w", a}}, spec);
  Adam lazy({{"w", b}}, spec);
  for (int step = 0; step < 5; ++step) {
    const auto rows = at::randn({2, 3}, options);
    const auto index = torch::tensor({1, 4}, at::kLong);
    a.mutable_grad() = at::zeros({6, 3}, options).index_copy(0, index, rows);
    b.mutable_grad() = at::sparse_coo_tensor(index.unsqueeze(0), rows, {6, 3});
    dense.step({});
    lazy.step({});
    EXPECT_FALSE(b.grad().defined());
  }
  const auto touched = torch::tensor({1, 4}, at::kLong);
  EXPECT_TRUE(at::allclose(b.index_select(0, touched), a.index_select(0, touched), 1e-6, 1e-7));
  const auto others = torch::tensor({0, 2, 3, 5}, at::kLong);
  EXPECT_TRUE(at::equal(b.index_select(0, others), start.index_select(0, others)));
}

// float32 takes the fused path, float64 the one that other devices take.
INSTANTIATE_TEST_SUITE_P(Types, LazyAdam, ::testing::Values(at::kFloat, at::kDouble));

TEST(FeatureRows, SparseAndDenseBatchesHoldTheSameNumbers) {
  auto matrix = example();
  matrix.values[3] = std::numeric_limits<float>::quiet_NaN();  // a missing value
  const auto dense = collated(false, kItems, matrix).inputs[0];
  const auto sparse = rows_of(collated(true, kItems, matrix));
  EXPECT_TRUE(at::allclose(sparse_product(sparse, at::eye(40)), dense));
}

TEST(FeatureRows, SparsePaysOffForManyColumnsOnly) {
  EXPECT_FALSE(worth_sparse(FeatureView(example(40))));
  EXPECT_FALSE(worth_sparse(FeatureView(example(5000))));  // a tenth is stored
  auto wide = example(40);
  wide.columns = 5000;
  EXPECT_TRUE(worth_sparse(FeatureView(wide)));
  wide.columns = 500;
  EXPECT_FALSE(worth_sparse(FeatureView(wide)));
}

}  // namespace
}  // namespace mlpac
