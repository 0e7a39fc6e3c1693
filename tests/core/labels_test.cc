#include "mlpac/labels.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "mlpac/error.h"

namespace mlpac {
namespace {

TEST(Labels, StartsEmpty) {
  const Labels labels(3);
  EXPECT_EQ(labels.rows(), 0);
  EXPECT_EQ(labels.classes(), 3);
  EXPECT_EQ(labels.count(kAnnotated), 0);
  EXPECT_EQ(Labels().rows(), 0);
}

TEST(Labels, AppendSortsAndDropsUnknown) {
  Labels labels(5);
  labels.append({{4, kAnnotated}, {2, kUnknown}, {0, kKnownNegative}, {4, kAnnotated}});
  labels.append({});
  ASSERT_EQ(labels.rows(), 2);
  ASSERT_EQ(labels.row(0).size(), 2U);
  EXPECT_EQ(labels.row(0)[0], (LabelEntry{0, kKnownNegative}));
  EXPECT_EQ(labels.row(0)[1], (LabelEntry{4, kAnnotated}));
  EXPECT_TRUE(labels.row(1).empty());
  EXPECT_EQ(labels.at(0, 4), kAnnotated);
  EXPECT_EQ(labels.at(0, 0), kKnownNegative);
  EXPECT_EQ(labels.at(0, 2), kUnknown);
  EXPECT_EQ(labels.at(1, 4), kUnknown);
}

TEST(Labels, CountsByState) {
  Labels labels(3);
  labels.append({{0, kAnnotated}, {1, kKnownNegative}});
  labels.append({{0, kAnnotated}, {2, kAnnotated}});
  EXPECT_EQ(labels.count(kAnnotated), 3);
  EXPECT_EQ(labels.count(kKnownNegative), 1);
  EXPECT_EQ(labels.count_per_class(kAnnotated), (std::vector<std::int64_t>{2, 0, 1}));
  EXPECT_EQ(labels.count_per_class(kKnownNegative), (std::vector<std::int64_t>{0, 1, 0}));
}

TEST(Labels, RefusedRowChangesNothing) {
  Labels labels(2);
  labels.append({{1, kAnnotated}});
  const Labels before = labels;
  EXPECT_THROW(labels.append({{0, kAnnotated}, {2, kAnnotated}}), Error);
  EXPECT_THROW(labels.append({{-1, kAnnotated}}), Error);
  EXPECT_THROW(labels.append({{0, kAnnotated}, {0, kKnownNegative}}), Error);
  EXPECT_THROW(labels.append({{0, 7}}), Error);
  EXPECT_EQ(labels, before);
}

TEST(Labels, SelectKeepsTheGivenOrder) {
  Labels labels(2);
  labels.append({{0, kAnnotated}});
  labels.append({{1, kAnnotated}});
  labels.append({{1, kKnownNegative}});
  const std::vector<std::int64_t> rows{2, 0, 2};
  const Labels selected = labels.select(rows);
  ASSERT_EQ(selected.rows(), 3);
  EXPECT_EQ(selected.at(0, 1), kKnownNegative);
  EXPECT_EQ(selected.at(1, 0), kAnnotated);
  EXPECT_EQ(selected.at(2, 1), kKnownNegative);
  const std::vector<std::int64_t> outside{3};
  EXPECT_THROW(labels.select(outside), Error);
}

}  // namespace
}  // namespace mlpac
