// libsvm files on disk: written and read back, larger than the buffer, and with other labels.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "core/file.h"
#include "core/random.h"
#include "data/libsvm.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

using Names = std::vector<std::string>;

ReadOptions with_names(const Names& names) {
  ReadOptions options;
  options.label_names = names;
  return options;
}

/// Random data in which some rows have no labels, no features, or neither, and the last column is empty.
FeatureData random_data(const Names& names, std::int64_t rows) {
  FeatureData data;
  data.label_names = names;
  data.features.columns = 12;
  data.labels = Labels(static_cast<std::int32_t>(names.size()));
  constexpr float kMax = std::numeric_limits<float>::max();
  const std::vector<float> special{kMax,   -kMax,       std::numeric_limits<float>::denorm_min(), 0.1F,
                                   1e-20F, 16777216.0F, std::numeric_limits<float>::quiet_NaN()};
  for (std::uint64_t row = 0; row < static_cast<std::uint64_t>(rows); ++row) {
    for (std::uint64_t column = 0; column < 11 && row % 5 != 1; ++column) {
      const std::uint64_t bits = bits_at(row, column);
      if (bits % 2 == 0) continue;
      data.features.indices.push_back(static_cast<std::int32_t>(column));
      data.features.values.push_back((bits >> 8U) % 4 == 0 ? special[(bits >> 16U) % special.size()]
                                                           : static_cast<float>(normal_at(row, bits % 1000)));
    }
    data.features.offsets.push_back(static_cast<std::int64_t>(data.features.values.size()));
    std::vector<LabelEntry> labels;
    for (std::size_t c = 0; c < names.size() && row % 3 != 1; ++c) {
      labels.push_back(
          {static_cast<std::int32_t>(c), static_cast<std::int8_t>(static_cast<int>(bits_at(row, 50 + c) % 3) - 1)});
    }
    data.labels.append(labels);
  }
  return data;
}

TEST(LibsvmFiles, WhatIsWrittenReadsIdentically) {
  const TemporaryFolder folder;
  for (const Names& names : {Names{"0", "1", "2"}, Names{"beach", "at sea", "!x,y:z"}}) {
    const FeatureData data = random_data(names, 200);
    for (const bool header : {false, true}) {
      write_libsvm(data, folder / "data.svm", header);
      const FeatureData back = read_libsvm(folder / "data.svm", with_names(names));
      expect_equal(data, back);
      EXPECT_EQ(back.source, (folder / "data.svm").string());
    }
  }
  const FeatureData numbered = random_data({"3", "20", "100"}, 200);
  write_libsvm(numbered, folder / "data.svm", false);
  expect_equal(numbered, read_libsvm(folder / "data.svm", {}));
}

TEST(LibsvmFiles, TheTextIsPlain) {
  const TemporaryFolder folder;
  FeatureData data;
  data.label_names = {"a", "b"};
  data.features = {.columns = 4, .offsets = {0, 2, 2, 2}, .indices = {0, 2}, .values = {0.5F, -3}};
  data.labels = Labels(2);
  data.labels.append({{0, kAnnotated}, {1, kKnownNegative}});
  data.labels.append({{1, kAnnotated}});
  data.labels.append({});
  write_libsvm(data, folder / "data.svm", true);
  EXPECT_EQ(read_file(folder / "data.svm"), "3 4 2\n0,!1 0:0.5 2:-3\n1\n 3:0\n");
  write_libsvm(data, folder / "data.svm", false);
  EXPECT_EQ(read_file(folder / "data.svm"), "0,!1 0:0.5 2:-3 3:0\n1\n 3:0\n");
}

TEST(LibsvmFiles, WhatCannotBeWrittenIsRefusedAndLeavesTheOldFile) {
  const TemporaryFolder folder;
  const auto path = folder / "data.svm";
  write_text(path, "old");
  const FeatureData good = random_data({"1", "2"}, 5);
  FeatureData infinite = good;
  infinite.features.values[0] = std::numeric_limits<float>::infinity();
  FeatureData unnamed = good;
  unnamed.label_names.pop_back();
  FeatureData shorter = good;
  shorter.features.offsets.pop_back();
  FeatureData wide = good;
  wide.features.columns = 100'000'001;
  for (const FeatureData& bad : {infinite, unnamed, shorter, wide, FeatureData{}}) {
    EXPECT_THROW(write_libsvm(bad, path, false), Error);
  }
  EXPECT_THROW(write_libsvm(good, path, true), Error);  // labels 1 and 2 would become 0 and 1
  EXPECT_EQ(read_file(path), "old");
  EXPECT_THROW(write_libsvm(good, folder / "none/data.svm", false), Error);
}

TEST(LibsvmFiles, AFileLargerThanTheBufferIsReadWhole) {
  const TemporaryFolder folder;
  std::string text;
  std::int64_t rows = 0;
  // Long rows come late, so that the first estimate of the number of values is far too small.
  while (text.size() < (std::size_t{6} << 20U)) {
    text += std::to_string(rows % 7);
    const int values = text.size() < (std::size_t{2} << 20U) ? 1 : 60;
    for (int i = 0; i < values; ++i) text += ' ' + std::to_string(i) + ':' + std::to_string(1 + (rows + i) % 10);
    text += '\n';
    ++rows;
  }
  write_text(folder / "data.svm", text);
  const FeatureData data = read_libsvm(folder / "data.svm", {});
  ASSERT_EQ(data.features.rows(), rows);
  EXPECT_EQ(data.labels.classes(), 7);
  std::size_t at = 0;
  for (std::int64_t row = 0; row < rows; ++row) {
    ASSERT_EQ(data.labels.at(row, static_cast<std::int32_t>(row % 7)), kAnnotated);
    const auto end = static_cast<std::size_t>(data.features.offsets[static_cast<std::size_t>(row) + 1]);
    for (std::int32_t i = 0; at < end; ++at, ++i) {
      ASSERT_EQ(data.features.indices[at], i);
      ASSERT_EQ(data.features.values[at], static_cast<float>(1 + (row + i) % 10));
    }
  }
  EXPECT_EQ(at, data.features.values.size());
  expect_equal(data, parse_libsvm(text, "text", {}));
}

TEST(LibsvmFiles, MissingFilesAndFoldersAreRefused) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_libsvm(folder / "none.svm", {}), Error);
  EXPECT_THROW(read_libsvm(folder / ".", {}), Error);
  EXPECT_THROW(relabel_libsvm(folder / "none.svm", {}, {}), Error);
}

/// The data with labels `rows` instead.
FeatureData relabelled(FeatureData data, const std::vector<std::vector<LabelEntry>>& rows) {
  data.labels = Labels(data.labels.classes());
  for (const auto& row : rows) data.labels.append(row);
  return data;
}

TEST(LibsvmFiles, RelabellingKeepsEverythingButTheLabels) {
  const TemporaryFolder folder;
  const auto path = folder / "data.svm";
  write_text(
      path,
      "\xEF\xBB\xBF# head\r\n5,7 3:1.50  1:+2 # one\r\n\r\n 2:1\r\n7.0,5\t4:1\r\n3:0\r\n5\r\n5,7# two\r\n7 #three");
  const FeatureData data = relabelled(read_libsvm(path, {}), {{{1, kAnnotated}},
                                                              {{0, kKnownNegative}},
                                                              {},
                                                              {{0, kAnnotated}, {1, kKnownNegative}},
                                                              {},
                                                              {{1, kAnnotated}},
                                                              {}});
  const std::string changed = relabel_libsvm(path, {}, data);
  EXPECT_EQ(changed,
            "\xEF\xBB\xBF# head\r\n7 3:1.50  1:+2 # one\r\n\r\n!5 2:1\r\n\t4:1\r\n5,!7 3:0\r\n 4:0\r\n7# two\r\n 4:0 "
            "#three");
  expect_equal(parse_libsvm(changed, "changed", {}), data);
}

TEST(LibsvmFiles, RelabellingBelowAHeaderAndWithNames) {
  const TemporaryFolder folder;
  const auto path = folder / "data.svm";
  write_text(path, "4 5 2\n0,1 3:1\n\n1\n1 # c\n");
  const std::vector<std::vector<LabelEntry>> rows{{{1, kAnnotated}}, {{0, kAnnotated}}, {}, {}};
  for (const Names& names : {Names{}, Names{"0", "1"}, Names{"sea", "beach"}}) {
    const FeatureData data = relabelled(read_libsvm(path, with_names(names)), rows);
    const std::string changed = relabel_libsvm(path, with_names(names), data);
    EXPECT_EQ(changed, "4 5 2\n1 3:1\n0\n\n 4:0 # c\n");
    expect_equal(parse_libsvm(changed, "changed", with_names(names)), data);
  }
  write_text(path, "sea,beach 3:1\nsea 1:1\n");
  const FeatureData data = relabelled(read_libsvm(path, {}), {{{0, kAnnotated}}, {{1, kKnownNegative}}});
  EXPECT_EQ(relabel_libsvm(path, {}, data), "beach 3:1\n!sea 1:1\n");
}

TEST(LibsvmFiles, RelabellingRefusesAnotherFile) {
  const TemporaryFolder folder;
  const auto path = folder / "data.svm";
  write_text(path, "1 1:1\n2 1:1\n");
  const FeatureData data = read_libsvm(path, {});
  write_text(path, "1 1:1\n");
  EXPECT_THROW(relabel_libsvm(path, {}, data), Error);
  write_text(path, "1 1:1\n2 1:1\n2 1:1\n");
  EXPECT_THROW(relabel_libsvm(path, {}, data), Error);
}

}  // namespace
}  // namespace mlpac
