// Fusion of what is said of documents and of their evidence alone.
#include "mlpac/relation_fusion.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "documents_example.h"

namespace mlpac {
namespace {

using Scores = std::vector<std::pair<TripleKey, double>>;

TEST(RelationFusion, PseudoDocumentsKeepSentencesAndEntities) {
  const Document document = example_documents().front();
  // Old Bonn (2) is only in the second sentence, Germany (1) only in the first.
  const std::vector<ScoredTriple> candidates{
      {0, 1, 1, 0.5, {0}}, {0, 1, 2, 0.1, {0}}, {2, 0, 1, -1, {1}}, {2, 1, 1, 3, {}}, {2, 1, 3, 2, {1}}};
  const auto made = pseudo_documents(document, candidates);
  ASSERT_EQ(made.size(), 3U) << "one per set of sentences, none without evidence";
  EXPECT_EQ(made[0].sentences, std::vector<std::int32_t>{0});
  EXPECT_EQ(made[0].entities, (std::vector<std::int32_t>{0, 1}));
  ASSERT_EQ(made[0].document.entities[0].size(), 1U) << "the mention in the other sentence is gone";
  EXPECT_EQ(made[1].sentences, std::vector<std::int32_t>{1});
  EXPECT_EQ(made[1].entities, (std::vector<std::int32_t>{0, 2}));
  EXPECT_EQ(made[1].document.entities[1].front().sentence, 0) << "sentences are numbered anew";
  EXPECT_EQ(made[2].sentences, (std::vector<std::int32_t>{0, 1})) << "Germany's sentence is added";
  EXPECT_TRUE(made[2].document.triples.empty());
}

TEST(RelationFusion, MergedScores) {
  const TripleKey both{0, 0, 1, 1};
  const TripleKey sum{0, 0, 1, 2};
  const TripleKey whole{0, 1, 0, 1};
  const TripleKey part{1, 0, 1, 1};
  const TripleKey none{0, 0, 1, 0};
  const Scores documents{{both, 2}, {sum, -1}, {whole, 4}, {none, 9}};
  const Scores pseudo{{both, -3}, {both, 0.5}, {sum, 0.25}, {part, 1}, {none, 9}};
  const auto merged = merge_candidates(documents, pseudo);
  EXPECT_EQ(merged.sure, std::vector<TripleKey>{both}) << "the better of two scores counts";
  const Scores expected{{sum, -0.75}, {whole, -6}, {part, -9}};
  EXPECT_EQ(merged.doubtful, expected);
}

TEST(RelationFusion, ThresholdMaximisesF1) {
  MergedCandidates candidates;
  const auto key = [](std::int32_t relation) { return TripleKey{0, 0, 1, relation}; };
  candidates.sure = {key(1)};
  candidates.doubtful = {{key(2), 3}, {key(3), 2}, {key(4), 1}, {key(5), 0}};
  const std::vector<TripleKey> gold{key(1), key(3)};
  // F1 of the sure one: 2/3; with two: 1/2; with three: 4/5; then it falls.
  EXPECT_EQ(fusion_threshold(candidates, gold), 2);
  EXPECT_EQ(fused_triples(candidates, 2), (std::vector<TripleKey>{key(1), key(2), key(3)}));
  EXPECT_TRUE(std::isinf(fusion_threshold(candidates, std::vector<TripleKey>{key(1)})));
  EXPECT_EQ(fused_triples(candidates, INFINITY), std::vector<TripleKey>{key(1)});
  EXPECT_TRUE(std::isinf(fusion_threshold({}, {}))) << "nothing to choose from";
}

}  // namespace
}  // namespace mlpac
