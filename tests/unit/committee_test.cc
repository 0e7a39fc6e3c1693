// Committees: what is chosen is trained several times on all rows, and the mean of the log-odds is predicted.
#include "nn/committee.h"

#include <gtest/gtest.h>

#include <csignal>

#include "mlpac/error.h"
#include "training_bench.h"

namespace mlpac {
namespace {

using tiny::Bench;
using tiny::Cut;
using tiny::Settings;

Settings members(const char* count, Settings more = {}) {
  Settings settings{{"ratio", "0.5"},   {"folds", "3"},
                    {"epochs", "4"},    {"pretrain-epochs", "3"},
                    {"members", count}, {"pretrain-candidates", "2"},
                    {"mix", "off"}};
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

Batch rows_of_ones(std::int64_t columns) {
  Batch batch;
  batch.inputs = {at::ones({2, columns}) * torch::tensor({{1.0F}, {-2.0F}})};
  batch.rows = {0, 1};
  return batch;
}

TEST(Committee, ItsLogitsAreTheMeanOfItsMembers) {
  const nlohmann::json member{{"network", "mlp"}, {"inputs", 3}, {"outputs", 2}, {"widths", {4}}};
  auto architecture = member;
  architecture["members"] = 3;
  const auto committee = create_network(architecture);
  committee->initialise(1);
  const auto weights = named_tensors(*committee);
  const auto batch = rows_of_ones(3);
  const at::NoGradGuard no_grad;
  at::Tensor sum = at::zeros({2, 2});
  std::vector<std::map<std::string, at::Tensor>> parts;
  for (std::size_t m = 0; m < 3; ++m) {
    const auto network = create_network(member);
    parts.push_back(member_weights(weights, m));
    load_tensors(*network, parts.back(), "member");
    sum += network->forward(batch);
  }
  EXPECT_TRUE(at::allclose(committee->forward(batch), sum / 3));
  EXPECT_FALSE(tiny::equal(parts[0], parts[1]));
  EXPECT_TRUE(tiny::equal(committee_weights(parts), weights));
  EXPECT_TRUE(weights.contains(committee->last_layer() + ".weight"));
  // As many members as there are weights of, whatever the architecture says.
  auto other = architecture;
  other["members"] = 6;
  EXPECT_EQ(with_members_of(other, weights), architecture);
  EXPECT_EQ(with_members_of(other, parts[0]), member);
}

TEST(Committee, TheFirstMemberIsTheModelThatIsTrainedAlone) {
  for (const char* method : {"mlpac", "pos-weight", "self-training", "role"}) {
    SCOPED_TRACE(method);
    const auto alone = tiny::run(members("1", {{"method", method}}));
    const auto three = tiny::run(members("3", {{"method", method}}));
    EXPECT_TRUE(tiny::equal(member_weights(three.weights, 0), alone.weights));
    EXPECT_FALSE(tiny::equal(member_weights(three.weights, 1), alone.weights));
    EXPECT_FALSE(tiny::equal(member_weights(three.weights, 2), member_weights(three.weights, 1)));
    EXPECT_EQ(three.weights.size(), 3 * alone.weights.size());
    EXPECT_TRUE(tiny::equal(member_weights(three.critic, 0), alone.critic));
    EXPECT_EQ(three.report.result.at("selection").at("epoch"), alone.report.result.at("selection").at("epoch"));
  }
}

TEST(Committee, ResumesExactlyWithAllItsMembers) {
  const auto settings = members("3", {{"dropout", "0.2"}});
  const auto whole = Bench(settings).run(nullptr, false);
  EXPECT_EQ(whole.members, 3U);
  for (const Cut& cut : {Cut{1, 1, 1}, Cut{2, 0, 2}, Cut{3, 0, 1}}) {
    SCOPED_TRACE(cut.phase);
    // Threads do not change the result either.
    EXPECT_TRUE(tiny::equal(tiny::stopped_and_resumed(settings, cut, 3).weights, whole.weights));
  }
}

TEST(Committee, IsAModelLikeAnyOther) {
  const auto test = tiny::data(1, 100);
  const tiny::Folder folder;
  auto settings = members("2");
  settings.emplace_back("out", folder.path().string());
  const auto report = train(tiny::options(settings), tiny::data(), &test);
  const auto metrics = Model(folder.path()).evaluate(test);
  EXPECT_EQ(report.result.at("test"), to_json(metrics));
  EXPECT_EQ(Model(folder.path()).description().at("architecture").at("members"), 2);
  // What starts from it starts from its first member.
  const auto next =
      tiny::run({{"ratio", "0.5"}, {"init", folder.path().string()}, {"critic-epochs", "0"}, {"lr", "0"}, {"w", "1"}});
  EXPECT_TRUE(tiny::equal(next.weights, member_weights(load_state(folder.path() / "model.safetensors").tensors, 0)));
}

TEST(Committee, NeedsATrainingOnAllRows) {
  EXPECT_THROW(tiny::run({{"ratio", "0.5"}, {"folds", "1"}, {"members", "2"}}), UsageError);
}

}  // namespace
}  // namespace mlpac
