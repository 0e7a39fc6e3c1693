// The official evaluation on a document that can be counted by hand.
#include "mlpac/relation_metrics.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "documents_example.h"
#include "mlpac/documents.h"

namespace mlpac {
namespace {

// Gold: (2, 1, P17) {0, 1}, (0, 1, P131) {0}, (2, 1, P131) {1}, (0, 1, P17) {}.
std::vector<PredictedTriple> some_predictions() {
  return {{"Bonn", 2, 1, 1, {0}},     // right, one of two sentences
          {"Bonn", 2, 1, 1, {0, 1}},  // again: the first counts
          {"Bonn", 0, 1, 1, {1}},     // right, no gold evidence
          {"Bonn", 1, 0, 3, {}},      // wrong
          {"Paris", 0, 1, 1, {0}}};   // no such document
}

TEST(RelationMetrics, CountedByHand) {
  const auto gold = example_documents();
  const auto metrics = evaluate_triples(gold, some_predictions(), example_relations(), {});
  EXPECT_EQ(metrics.triples.true_positive, 2);
  EXPECT_EQ(metrics.triples.false_positive, 2);
  EXPECT_EQ(metrics.triples.false_negative, 2);
  EXPECT_DOUBLE_EQ(metrics.triples.f1(), 50);
  EXPECT_NEAR(metrics.ign.f1, 50, 1e-3);
  EXPECT_EQ(metrics.correct_evidence, 1);
  EXPECT_EQ(metrics.predicted_evidence, 2);
  EXPECT_EQ(metrics.gold_evidence, 4);
  EXPECT_DOUBLE_EQ(metrics.evidence.precision, 50);
  EXPECT_DOUBLE_EQ(metrics.evidence.recall, 25);
  EXPECT_EQ(metrics.per_relation[1].true_positive, 2);
  EXPECT_EQ(metrics.per_relation[2].false_negative, 2);
  EXPECT_EQ(metrics.per_relation[3].false_positive, 1);
  EXPECT_EQ(metrics.frequent.predicted(), 3);
  EXPECT_EQ(metrics.long_tail.predicted(), 1);
  EXPECT_EQ(metrics.intra.true_positive, 1);  // Bonn and Germany; Old Bonn is in another sentence
  EXPECT_EQ(metrics.inter.true_positive, 1);
  EXPECT_EQ(metrics.inter.false_negative, 1);
}

TEST(RelationMetrics, FactsOfTrainingAreIgnored) {
  const auto gold = example_documents();
  auto train = gold;
  train[0].triples = {{0, 1, 1, {}}};
  const TrainFacts facts(train);
  EXPECT_EQ(facts.size(), 1U);
  const auto metrics = evaluate_triples(gold, some_predictions(), example_relations(), facts);
  EXPECT_EQ(metrics.correct_in_train, 1);
  EXPECT_NEAR(metrics.ign.precision, 100.0 / 3, 1e-3);
  EXPECT_DOUBLE_EQ(metrics.ign.recall, 50);
}

TEST(RelationMetrics, NothingPredictedOrNothingThere) {
  const auto none = evaluate_triples(example_documents(), {}, example_relations(), {});
  EXPECT_EQ(none.triples.f1(), 0);
  EXPECT_EQ(none.ign.f1, 0);
  EXPECT_EQ(none.evidence.f1, 0);
  const auto empty = evaluate_triples({}, some_predictions(), example_relations(), {});
  EXPECT_EQ(empty.triples.false_positive, 4);
  EXPECT_EQ(empty.triples.f1(), 0);
}

TEST(RelationMetrics, ResultFileKeepsPredictions) {
  const auto predictions = some_predictions();
  const std::string text = predictions_json(predictions, example_relations());
  EXPECT_NE(text.find(R"({"title":"Bonn","h_idx":2,"t_idx":1,"r":"P17","evidence":[0]})"), std::string::npos) << text;
  EXPECT_EQ(parse_predictions(text, "result.json", example_relations()), predictions);
  EXPECT_TRUE(parse_predictions(predictions_json({}, example_relations()), "result.json", example_relations()).empty());
}

}  // namespace
}  // namespace mlpac
