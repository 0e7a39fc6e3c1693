// Documents as a data set: what a batch holds, and how batches are composed.
#include "tasks/document_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "../core/documents_example.h"
#include "nn/document_input.h"
#include "train/batch_order.h"

namespace mlpac {

namespace {

/// The example twice, the second time without its second sentence's mention marks in triples.
std::vector<Document> two() {
  auto documents = example_documents();
  documents.push_back(documents.front());
  documents.back().title = "second";
  documents.back().triples.resize(1);
  return documents;
}

TEST(DocumentRows, BatchesHoldTokensPairsAndEvidence) {
  const auto documents = two();
  const auto tokeniser = example_tokeniser();
  const auto pairs = pair_lists(documents);
  const DocumentRows data(encode_documents(documents, *tokeniser, 1), pairs, window_tokens(*tokeniser, 512), documents);
  EXPECT_EQ(data.items(), 2);
  const std::vector<std::int64_t> second{1};
  EXPECT_EQ(data.label_rows(second), (std::vector<std::int64_t>{6, 7, 8, 9, 10, 11}));
  Batch batch;
  data.collate(std::vector<std::int64_t>{1, 0}, at::kCPU, batch);
  EXPECT_EQ(batch.rows, (std::vector<std::int64_t>{6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5}));
  const auto input = documents_of(batch);
  const auto length = input.lengths[0].item<std::int64_t>();
  EXPECT_EQ(length, data.costs()[0]);
  EXPECT_EQ(input.ids.size(1) % 8, 0);
  EXPECT_EQ(input.mask.sum(1)[0].item<std::int64_t>(), length);
  const auto star = tokeniser->id_of("*");
  for (const auto& positions : {input.positions[0][0], input.positions[0][1]}) {
    EXPECT_EQ(input.ids[0][positions[0].item<std::int64_t>()].item<std::int64_t>(), star) << "a mention is its star";
  }
  EXPECT_EQ(input.positions[0][1][1].item<std::int64_t>(), -1) << "Germany is named once";
  EXPECT_EQ(input.pairs[0][0].item<std::int64_t>(), 0);
  EXPECT_EQ(input.pairs[6][0].item<std::int64_t>(), 1);
  EXPECT_EQ(input.pairs[0][1].item<std::int64_t>(), pairs[1][0].head);
  EXPECT_EQ(input.sentences[0][0][0].item<std::int64_t>(), 1) << "after the start token";
  EXPECT_EQ(input.sentences[0][1][1].item<std::int64_t>(), length - 1) << "before the end token";
  EXPECT_EQ(input.evidence.sum().item<double>(), 2 + 4) << "of what is annotated: one triple with two, three with four";
}

TEST(DocumentRows, LabelsHaveNoColumnForNone) {
  const auto documents = two();
  const auto labels = pair_labels(documents, pair_lists(documents), example_relations());
  EXPECT_EQ(labels.classes(), 3);
  EXPECT_EQ(labels.rows(), 12);
  EXPECT_EQ(labels.at(0, 0), kAnnotated) << "P17 is the first relation";
  EXPECT_EQ(labels.count(kAnnotated), 4 + 1);
}

TEST(BatchOrder, ItemsOfSimilarCostShareABatch) {
  constexpr std::int64_t kItems = 103;
  constexpr std::int64_t kBatch = 4;
  std::vector<std::int64_t> items;
  std::vector<std::int64_t> costs;
  for (std::int64_t i = 0; i < kItems; ++i) {
    items.push_back(i);
    costs.push_back((i * 37) % 101);
  }
  const auto batches_of = [&](std::int64_t epoch, std::span<const std::int64_t> by) {
    const BatchOrder order(items, {}, {}, kBatch, 5, epoch, by);
    std::vector<std::vector<std::int64_t>> result;
    for (std::int64_t s = 0; s < BatchOrder::steps(items.size(), {}, kBatch); ++s)
      result.push_back(order.step(s).items);
    return result;
  };
  const auto waste = [&](const std::vector<std::vector<std::int64_t>>& batches) {
    std::int64_t total = 0;
    for (const auto& batch : batches) {
      std::int64_t most = 0;
      for (const auto item : batch) most = std::max(most, costs[static_cast<std::size_t>(item)]);
      for (const auto item : batch) total += most - costs[static_cast<std::size_t>(item)];
    }
    return total;
  };
  const auto grouped = batches_of(0, costs);
  std::set<std::int64_t> seen;
  for (const auto& batch : grouped) seen.insert(batch.begin(), batch.end());
  EXPECT_EQ(seen.size(), items.size()) << "every item once";
  EXPECT_EQ(grouped.back().size(), 3U) << "the batch that is not full is the last";
  EXPECT_LT(10 * waste(grouped), waste(batches_of(0, {})));
  EXPECT_EQ(grouped, batches_of(0, costs));
  EXPECT_NE(grouped, batches_of(1, costs));
}

}  // namespace

}  // namespace mlpac
