// What every loss of the table keeps to: a finite number and gradient whatever the batch looks like, the gradient of
// what it computes, and cross entropy where it should meet it.
#include <gtest/gtest.h>

#include <array>

#include <map>
#include <set>
#include <string>

#include "enumeration.h"
#include "losses/bce.h"
#include "mlpac/error.h"
#include "nn/torch.h"
#include "tiny_problem.h"

namespace mlpac {

namespace {

using enumeration::draws;
using tiny::Settings;

/// A batch that knows what a loss may ask for.
class Case {
 public:
  Case(at::Tensor z, at::Tensor y, const Settings& settings = {}) : z_(std::move(z)), y_(std::move(y)) {
    for (const auto& [name, value] : settings) options_.set(name, value);
    positives_ = count(y_ > 0);
    negatives_ = count(y_ < 0);
    prior_.assign(positives_.size(), 0.3);
    for (std::size_t c = 0; c < prior_.size(); ++c) prior_[c] = std::max(prior_[c], context().annotated_share(c));
  }

  LossContext context() const { return {options_, y_.size(0), positives_, negatives_, prior_}; }
  /// Only what the entry declares: what it does not declare it must not need.
  LossInput input(const LossEntry& entry, const at::Tensor& z) const {
    LossInput result{z, y_, {}, {}};
    if (entry.needs_sums) result.sums = batch_sums(y_);
    if (entry.needs_draws) result.draws = draws(z.sizes(), "contract.draws").to(z.dtype());
    return result;
  }
  double value(const LossEntry& entry, const at::Tensor& z) const {
    return entry.create(context())(input(entry, z)).item<double>();
  }
  const at::Tensor& z() const { return z_; }
  const at::Tensor& y() const { return y_; }

 private:
  static std::vector<std::int64_t> count(const at::Tensor& mask) {
    const auto sums = mask.sum(0).to(at::kLong).contiguous();
    return {sums.data_ptr<std::int64_t>(), sums.data_ptr<std::int64_t>() + sums.numel()};
  }

  at::Tensor z_;
  at::Tensor y_;
  Options options_;
  std::vector<std::int64_t> positives_;
  std::vector<std::int64_t> negatives_;
  std::vector<double> prior_;
};

/// Values of options under which a loss behaves differently.
std::vector<Settings> variants(std::string_view loss) {
  static const std::map<std::string_view, std::vector<Settings>> table{
      {"pos-weight", {{{"positive-weight", "share"}}, {{"positive-weight", "rows"}}, {{"positive-weight", "7"}}}},
      {"neg-weight", {{{"negatives", "rate:0.2"}}, {{"negatives", "pairs:2"}}}},
      {"asl",
       {{{"gamma-positive", "1"}, {"probability-margin", "0.05"}},
        {{"gamma-positive", "0.5"}, {"gamma-negative", "0.5"}, {"probability-margin", "0.2"}},
        {{"focus-gradient", "false"}}}},
      {"p-asl", {{{"gamma-positive", "0.5"}, {"gamma-unknown", "0.5"}, {"probability-margin", "0.1"}}}},
      {"csl", {{{"likelihood-top", "1"}}, {{"likelihood-top", "1000"}}, {{"prior-threshold", "0"}}}},
      {"upu", {{{"surrogate", "logistic"}}, {{"unlabelled", "all"}}}},
      {"nnpu", {{{"surrogate", "logistic"}}, {{"unlabelled", "all"}}, {{"pu-beta", "0.1"}, {"pu-gamma", "0.5"}}}},
      {"imbalanced-nnpu", {{{"target-prior", "0.9"}}}},
      {"ssr-pu", {{{"ssr-risk", "pn"}}, {{"ssr-risk", "pu"}}, {{"margin", "0.25"}}}},
  };
  std::vector<Settings> result{{}};
  if (const auto found = table.find(loss); found != table.end()) {
    result.insert(result.end(), found->second.begin(), found->second.end());
  }
  return result;
}

std::string describe(std::string_view loss, const Settings& settings) {
  std::string text(loss);
  for (const auto& [name, value] : settings) text += " --" + name + " " + value;
  return text;
}

TEST(LossTable, OneFiniteNumberAndGradientWhateverTheBatch) {
  struct Batch {
    const char* name;
    at::Tensor z;
    at::Tensor y;
  };
  const auto near = [](at::IntArrayRef sizes) { return draws(sizes, "contract", -2, 2).to(at::kFloat); };
  const std::vector<Batch> batches{
      {"no positives", near({3, 4}), at::zeros({3, 4})},
      {"all positive", near({3, 4}), at::ones({3, 4})},
      {"one row", near({1, 5}), at::tensor({0.F, 1.F, 0.F, -1.F, 0.F}).view({1, 5})},
      {"one class", near({4, 1}), at::tensor({0.F, 1.F, 0.F, -1.F}).view({4, 1})},
      {"one entry", near({1, 1}), at::ones({1, 1})},
      {"extreme logits", at::tensor({80.F, -80.F, 80.F, -80.F, 0.F, 80.F}).view({2, 3}),
       at::tensor({0.F, 1.F, 1.F, 0.F, 1.F, -1.F}).view({2, 3})},
  };
  // The others also push annotated entries down, or others up: smoothing, expected positives, PU corrections.
  const std::set<std::string_view> one_sided{"bce", "pos-weight", "neg-weight", "wan",
                                             "asl", "p-asl",      "csl",        "pairwise"};
  for (const auto& entry : losses()) {
    EXPECT_EQ(find_loss(entry.name).create, entry.create);
    EXPECT_FALSE(entry.summary.empty());
    for (const auto& settings : variants(entry.name)) {
      for (const auto& batch : batches) {
        SCOPED_TRACE(describe(entry.name, settings) + ", " + batch.name);
        const Case test(batch.z, batch.y.clone(), settings);
        std::vector<Loss> all{entry.create(test.context())};
        if (entry.trials != nullptr) {
          for (auto& trial : entry.trials(test.context(), std::array{0.25, 1.0, 4.0}))
            all.push_back(std::move(trial.loss));
        }
        for (const auto& one : all) {
          const auto z = batch.z.clone().requires_grad_();
          const auto input = test.input(entry, z);
          const auto loss = one(input);
          EXPECT_EQ(loss.dim(), 0);
          EXPECT_TRUE(at::isfinite(loss).item<bool>());
          loss.backward();
          EXPECT_EQ(z.grad().sizes(), z.sizes());
          EXPECT_TRUE(at::isfinite(z.grad()).all().item<bool>()) << z.grad();
          EXPECT_TRUE(at::equal(z.detach(), batch.z) && at::equal(input.y, batch.y)) << "inputs are not changed";
          EXPECT_EQ(one(input).item<double>(), loss.item<double>()) << "deterministic";
          if (one_sided.contains(entry.name)) {
            EXPECT_FALSE(((z.grad() > 0) & (input.y > 0)).any().item<bool>());
            EXPECT_FALSE(((z.grad() < 0) & (input.y <= 0)).any().item<bool>());
          }
        }
      }
    }
  }
  EXPECT_THROW(find_loss("bcee"), UsageError);
}

at::Tensor random_labels() {
  auto y = at::zeros({6, 5}, at::kDouble);
  const auto u = draws({6, 5}, "table.y");
  return y.masked_fill_(u < 0.25, 1).masked_fill_(u > 0.9, -1);
}

// Factors without a gradient and the correction of PU risks are left out here by the choice of options.
TEST(LossTable, GradientIsThatOfTheValue) {
  const Settings plain{{"gamma-positive", "0"}, {"gamma-negative", "0"}, {"gamma-unknown", "0"}, {"pu-beta", "100"}};
  for (const auto& entry : losses()) {
    for (auto settings : variants(entry.name)) {
      if (entry.name != "asl") settings.insert(settings.end(), plain.begin(), plain.end());
      if (describe(entry.name, settings).find("focus-gradient") != std::string::npos) continue;
      SCOPED_TRACE(describe(entry.name, settings));
      const Case test(draws({6, 5}, "table.z", -2, 2), random_labels(), settings);
      const auto z = test.z().clone().requires_grad_();
      entry.create(test.context())(test.input(entry, z)).backward();
      auto numerical = at::zeros_like(test.z());
      constexpr double kStep = 1e-5;
      for (std::int64_t i = 0; i < z.numel(); ++i) {
        auto up = test.z().clone();
        auto down = test.z().clone();
        up.view(-1)[i] += kStep;
        down.view(-1)[i] -= kStep;
        numerical.view(-1)[i] = (test.value(entry, up) - test.value(entry, down)) / (2 * kStep);
      }
      EXPECT_TRUE(at::allclose(z.grad(), numerical, 1e-5, 1e-7)) << (z.grad() - numerical).abs().max();
    }
  }
}

TEST(LossTable, LimitsAreBinaryCrossEntropy) {
  const std::map<std::string_view, Settings> limits{
      {"pos-weight", {{"positive-weight", "1"}}},
      {"neg-weight", {{"negatives", "rate:1"}}},
      {"asl", {{"gamma-negative", "0"}}},
      {"p-asl", {{"gamma-negative", "0"}, {"gamma-unknown", "0"}}},
      {"csl", {{"gamma-negative", "0"}, {"gamma-unknown", "0"}, {"likelihood-top", "1e-9"}, {"prior-threshold", "1"}}},
      {"an-ls", {{"smoothing", "0"}}},
      {"wan", {{"unknown-weight", "1"}}},
  };
  for (const auto& [name, settings] : limits) {
    SCOPED_TRACE(name);
    const Case test(draws({6, 5}, "limits.z", -3, 3), random_labels(), settings);
    const auto& entry = find_loss(name);
    // The losses of Cole et al. add 1e-5 to probabilities.
    const double tolerance = name == "an-ls" || name == "wan" ? 1e-3 : 1e-9;
    EXPECT_NEAR(test.value(entry, test.z()), test.value(find_loss("bce"), test.z()), tolerance);
  }
}

TEST(LossTable, MalformedOptions) {
  const auto labels = at::tensor({1.0, 0.0, 0.0, 0.0}).view({2, 2});
  const auto create = [&](std::string_view loss, const Settings& settings) {
    return find_loss(loss).create(Case(at::zeros({2, 2}), labels, settings).context());
  };
  EXPECT_THROW(create("neg-weight", {{"negatives", "pairs:"}}), UsageError);
  EXPECT_THROW(create("neg-weight", {{"negatives", "pairs:-1"}}), UsageError);
  EXPECT_THROW(create("pos-weight", {{"positive-weight", "row"}}), UsageError);
  for (const auto* mode : {"ignore", "ignore-normalised"}) {  // nothing would ever be negative
    EXPECT_THROW(create("p-asl", {{"partial", mode}}), UsageError);
  }
  Options options;
  EXPECT_THROW(options.set("partial", "some"), UsageError);
  EXPECT_THROW(options.set("gamma-unknown", "-1"), UsageError);
  EXPECT_THROW(options.set("target-prior", "1"), UsageError);
  EXPECT_THROW(options.set("smoothing", "0.6"), UsageError);
}

}  // namespace

}  // namespace mlpac
