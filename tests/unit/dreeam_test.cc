// The document network against loops that do one entity and one pair after the other, as the papers write it.
#include "nn/dreeam.h"

#include <gtest/gtest.h>

#include <cmath>

#include "document_batches.h"
#include "losses/bce.h"
#include "nn/grouped_bilinear.h"

namespace mlpac {

namespace {

using documents::tiny_encoder;

nlohmann::json architecture(std::int64_t positions = 16) {
  return {{"network", "dreeam"}, {"encoder", tiny_encoder(0, positions)}, {"outputs", 5}, {"width", 8}, {"block", 4}};
}

/// Two documents with three and two entities, one of which has lost its mention.
Batch two_documents() {
  DocumentInput input;
  input.ids = torch::tensor({{1, 7, 8, 9, 3, 4, 12, 2}, {1, 5, 6, 11, 2, 0, 0, 0}}, at::kLong);
  input.mask = (input.ids > 0).to(at::kLong);
  input.lengths = torch::tensor({8, 5}, at::kLong);
  input.positions = torch::tensor({{{1, 4}, {2, -1}, {6, -1}}, {{1, 3}, {-1, -1}, {-1, -1}}}, at::kLong);
  input.pairs = torch::tensor({{0, 0, 1}, {0, 1, 0}, {0, 2, 0}, {1, 0, 1}, {1, 1, 0}}, at::kLong);
  input.sentences = torch::tensor({{{1, 4}, {4, 7}}, {{1, 4}, {0, 0}}}, at::kLong);
  input.evidence = torch::tensor({{1., 0.}, {0., 0.}, {1., 2.}, {0., 0.}, {1., 0.}}, at::kFloat);
  Batch batch;
  put_documents(input, batch);
  batch.rows = {0, 1, 2, 3, 4};
  batch.draws = Draws(1, 0, batch.rows, at::kCPU);
  return batch;
}

TEST(Dreeam, BorrowsAnEncoderWithoutTeachingIt) {
  Dreeam owner(architecture());
  Dreeam borrower(architecture());
  owner.initialise(5);
  borrower.initialise(6);
  ASSERT_TRUE(borrower.borrow_body(owner));
  Dreeam alone(architecture());
  load_tensors(alone, named_tensors(borrower), "a copy");
  const auto batch = two_documents();
  const auto logits = borrower.forward(batch);
  EXPECT_TRUE(at::equal(logits, alone.forward(batch)));
  logits.square().sum().backward();
  const auto own = owner.named_parameters();
  for (const auto& item : borrower.named_parameters()) {
    const bool shared = item.key().starts_with(borrower.body());
    EXPECT_EQ(item.value().data_ptr() == own[item.key()].data_ptr(), shared) << item.key();
    EXPECT_EQ(item.value().grad().defined(), !shared) << item.key();
  }
  owner.forward(batch).square().sum().backward();
  EXPECT_TRUE(own["model.embeddings.word_embeddings.weight"].grad().defined());
}

TEST(Dreeam, EqualsLoopsOverEntitiesAndPairs) {
  Dreeam network(architecture());
  network.initialise(5);
  network.eval();
  const at::NoGradGuard no_grad;
  const auto batch = two_documents();
  const auto input = documents_of(batch);
  const auto output = network.run(batch);
  const auto parameters = network.named_parameters();
  auto& encoder = const_cast<Encoder&>(network.encoder());
  const auto encoded = encoder.forward(input.ids, input.mask, 3);
  for (std::int64_t p = 0; p < input.pairs.size(0); ++p) {
    const auto d = input.pairs[p][0].item<std::int64_t>();
    std::vector<at::Tensor> vectors;
    std::vector<at::Tensor> maps;
    for (const std::int64_t side : {1, 2}) {
      const auto e = input.pairs[p][side].item<std::int64_t>();
      std::vector<at::Tensor> states;
      std::vector<at::Tensor> rows;
      for (std::int64_t m = 0; m < 2; ++m) {
        const auto at = input.positions[d][e][m].item<std::int64_t>();
        if (at < 0) continue;
        states.push_back(encoded.hidden[d][at]);
        rows.push_back(encoded.attention[d].select(1, at));
      }
      vectors.push_back(states.empty() ? at::zeros({8}) : at::stack(states).logsumexp(0));
      maps.push_back(rows.empty() ? at::zeros({2, 8}) : at::stack(rows).mean(0));
    }
    auto a = (maps[0] * maps[1]).mean(0);
    a = a / (a.sum() + 1e-30);
    EXPECT_TRUE(at::allclose(output.attention[p], a, 1e-4, 1e-6)) << p;
    const auto context = at::matmul(a, encoded.hidden[d]);
    const auto z = [&](const std::string& layer, const at::Tensor& entity) {
      return (at::matmul(parameters[layer + ".weight"], at::cat({entity, context})) + parameters[layer + ".bias"])
          .tanh();
    };
    const auto s = z("head_extractor", vectors[0]);
    const auto o = z("tail_extractor", vectors[1]);
    std::vector<at::Tensor> products;
    for (std::int64_t g = 0; g < 2; ++g) {
      for (std::int64_t i = 0; i < 4; ++i) {
        for (std::int64_t j = 0; j < 4; ++j) products.push_back(s[4 * g + i] * o[4 * g + j]);
      }
    }
    const auto logits = at::matmul(parameters["bilinear.weight"], at::stack(products)) + parameters["bilinear.bias"];
    EXPECT_TRUE(at::allclose(output.logits[p], logits, 1e-4, 1e-5)) << p;
    for (std::int64_t k = 0; k < 2; ++k) {
      const auto from = input.sentences[d][k][0].item<std::int64_t>();
      const auto to = input.sentences[d][k][1].item<std::int64_t>();
      EXPECT_NEAR(output.importance[p][k].item<double>(), a.slice(0, from, to).sum().item<double>(), 1e-5);
    }
  }
}

TEST(Dreeam, EvidenceIsAddedForPairsWithARelation) {
  auto shape = architecture();
  shape["evidence_weight"] = 0.5;
  Dreeam network(shape);
  network.initialise(5);
  const auto batch = two_documents();
  const auto supervision = network.supervise(batch);
  ASSERT_TRUE(supervision.auxiliary);
  auto y = at::zeros({5, 4});
  y[2][1] = 1;
  y[1][0] = 1;  // no evidence is known for it: it costs nothing, but counts
  const auto loss = supervision.auxiliary(y);
  const auto s = network.run(batch).importance[2].detach();
  const double expected =
      1. / 3 * std::log(1. / 3 / s[0].item<double>()) + 2. / 3 * std::log(2. / 3 / s[1].item<double>());
  EXPECT_NEAR(loss.item<double>(), 0.5 * expected / 2, 1e-4);
  loss.backward();
  const auto gradient = network.named_parameters()["model.encoder.layer.0.attention.self.query.weight"].grad();
  EXPECT_GT(gradient.abs().sum().item<double>(), 0);
  EXPECT_TRUE(at::isfinite(gradient).all().item<bool>());
  EXPECT_EQ(network.supervise(batch).auxiliary(at::zeros({5, 4})).item<double>(), 0) << "no pair has a relation";
  EXPECT_FALSE(Dreeam(architecture()).supervise(batch).auxiliary) << "without a weight there is nothing to add";
}

/// Central differences of f(x) weighted by `direction`.
at::Tensor slopes(const std::function<at::Tensor(const at::Tensor&)>& f, const at::Tensor& x) {
  constexpr double kStep = 1e-6;
  const auto result = at::zeros_like(x);
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    const auto moved = [&](double by) {
      auto y = x.detach().clone();
      y.view(-1)[i] += by;
      return f(y).item<double>();
    };
    result.view(-1)[i] = (moved(kStep) - moved(-kStep)) / (2 * kStep);
  }
  return result;
}

TEST(GroupedBilinear, PartsAndGradients) {
  torch::manual_seed(3);
  const auto a = at::randn({7, 6}, at::kDouble).requires_grad_();
  const auto b = at::randn({7, 6}, at::kDouble).requires_grad_();
  const auto w = at::randn({4, 6 * 3}, at::kDouble).requires_grad_();
  const auto direction = at::randn({7, 4}, at::kDouble);
  const auto whole = grouped_bilinear(a, b, w, 3);
  const auto parts = grouped_bilinear(a, b, w, 3, 2 * 18 * 8);  // two rows at a time
  EXPECT_TRUE(at::allclose(whole, parts, 1e-12, 1e-12));
  (parts * direction).sum().backward();
  const auto value = [&](const at::Tensor& x, const at::Tensor& y, const at::Tensor& z) {
    return (grouped_bilinear(x, y, z, 3) * direction).sum();
  };
  EXPECT_TRUE(at::allclose(a.grad(), slopes([&](const at::Tensor& x) { return value(x, b, w); }, a), 1e-5, 1e-7));
  EXPECT_TRUE(at::allclose(b.grad(), slopes([&](const at::Tensor& x) { return value(a, x, w); }, b), 1e-5, 1e-7));
  EXPECT_TRUE(at::allclose(w.grad(), slopes([&](const at::Tensor& x) { return value(a, b, x); }, w), 1e-5, 1e-7));
}

TEST(DocumentWindows, LongDocumentsAreCutInTwo) {
  const WindowTokens tokens{8, 101, 102, 2};
  const std::vector<std::int32_t> shorter{101, 5, 6, 102};
  EXPECT_EQ(windows_of(shorter, tokens), (std::vector<std::vector<std::int32_t>>{shorter}));
  const std::vector<std::int32_t> longer{101, 1, 2, 3, 4, 5, 6, 7, 8, 102};
  const std::vector<std::vector<std::int32_t>> expected{{101, 1, 2, 3, 4, 5, 102, 102}, {101, 3, 4, 5, 6, 7, 8, 102}};
  EXPECT_EQ(windows_of(longer, tokens), expected);
}

TEST(DocumentWindows, MergedWhereTheyOverlap) {
  // One document of 10 tokens in two windows of 8 with one end token, and one of 5 tokens.
  constexpr std::int64_t kLongest = 8;
  torch::manual_seed(1);
  const Encoded windows{at::randn({3, kLongest, 2}), at::rand({3, 1, kLongest, kLongest})};
  const auto merged = merge_windows(windows, {{10, 5}, 10, kLongest, 1});
  ASSERT_EQ(merged.hidden.sizes().vec(), (std::vector<std::int64_t>{2, 10, 2}));
  for (std::int64_t t = 0; t < 10; ++t) {
    const bool first = t < 7;   // without the end token
    const bool second = t > 2;  // token t is at t - 2 of the second window, whose start token is dropped
    auto expected = at::zeros({2});
    if (first) expected += windows.hidden[0][t];
    if (second) expected += windows.hidden[1][t - 2];
    EXPECT_TRUE(at::allclose(merged.hidden[0][t], expected / (first + second), 1e-5, 1e-6)) << t;
    auto row = at::zeros({10});
    for (std::int64_t u = 0; u < 10; ++u) {
      if (first && u < 7) row[u] += windows.attention[0][0][t][u];
      if (second && u > 2) row[u] += windows.attention[1][0][t - 2][u - 2];
    }
    EXPECT_TRUE(at::allclose(merged.attention[0][0][t], row / row.sum(), 1e-4, 1e-6)) << t;
  }
  EXPECT_TRUE(at::equal(merged.hidden[1].slice(0, 0, kLongest), windows.hidden[2]));
  EXPECT_EQ(merged.hidden[1].slice(0, kLongest).abs().sum().item<double>(), 0);
  EXPECT_TRUE(at::equal(merged.attention[1][0].slice(0, 0, kLongest).slice(1, 0, kLongest), windows.attention[2][0]));
}

TEST(Dreeam, DropoutIsKeyed) {
  auto shape = architecture();
  shape["encoder"] = tiny_encoder(0.4);
  Dreeam network(shape);
  network.initialise(2);
  network.train();
  auto batch = two_documents();
  torch::manual_seed(1);
  const auto first = network.forward(batch);
  torch::manual_seed(2);
  EXPECT_TRUE(at::equal(first, network.forward(batch))) << "LibTorch's generator must not matter";
  network.stream = "critic";
  EXPECT_FALSE(at::allclose(first, network.forward(batch))) << "two networks do not share masks";
  network.stream = "network";
  batch.draws = Draws(1, 1, batch.rows, at::kCPU);
  EXPECT_FALSE(at::allclose(first, network.forward(batch))) << "another epoch";
}

TEST(AdaptiveThreshold, EqualsTheDefinition) {
  torch::manual_seed(4);
  const auto logits = at::randn({6, 5}, at::kDouble);
  const auto y = at::zeros({6, 4}, at::kDouble);
  y[0][1] = y[0][3] = y[2][0] = 1;
  y[4][2] = -1;  // a known negative is one of the others
  LossInput input;
  input.z = logits.slice(1, 1) - logits.slice(1, 0, 1);
  input.y = y;
  double expected = 0;
  for (std::int64_t i = 0; i < 6; ++i) {
    const double threshold = std::exp(logits[i][0].item<double>());
    double positives = threshold;
    double others = threshold;
    for (std::int64_t c = 0; c < 4; ++c) {
      (y[i][c].item<double>() > 0 ? positives : others) += std::exp(logits[i][c + 1].item<double>());
    }
    for (std::int64_t c = 0; c < 4; ++c) {
      if (y[i][c].item<double>() > 0) expected += std::log(positives) - logits[i][c + 1].item<double>();
    }
    expected += std::log(others / threshold);
  }
  EXPECT_NEAR(bce(input, {.form = LossForm::adaptive_threshold}).item<double>(), expected / 6, 1e-9);
}

}  // namespace

}  // namespace mlpac
