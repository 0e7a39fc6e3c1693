// ARFF files on disk: written and read back, larger than the buffer, and the real ones where they are at hand.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "core/random.h"
#include "data/arff.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

namespace fs = std::filesystem;

/// Random data with awkward names and numbers; `zeros` of ten values are 0.
FeatureData random_data(std::uint64_t zeros) {
  FeatureData data;
  data.feature_names = {"plain", "with blank",    "it's",        "say \"hi\"", "back\\slash", "a,b", "{x}", "%",
                        "?",     "tab\tnl\ncr\r", "caf\xC3\xA9", "=",          "@data",       "'",   " x "};
  data.label_names = {"l 1", "<&>\"'", "l\\3"};
  data.features.columns = static_cast<std::int32_t>(data.feature_names.size());
  data.labels = Labels(3);
  constexpr float kMax = std::numeric_limits<float>::max();
  const std::vector<float> special{kMax,   -kMax,       std::numeric_limits<float>::denorm_min(), 0.1F,
                                   1e-20F, 16777217.0F, std::numeric_limits<float>::quiet_NaN()};
  for (std::uint64_t row = 0; row < 200; ++row) {
    std::vector<LabelEntry> labels;
    labels.reserve(3);
    for (std::int32_t column = 0; column < data.features.columns; ++column) {
      const std::uint64_t bits = bits_at(row + 1000 * zeros, static_cast<std::uint64_t>(column));
      if (bits % 10 < zeros) continue;
      data.features.indices.push_back(column);
      const bool take_special = (bits >> 8U) % 4 == 0;
      data.features.values.push_back(take_special ? special[(bits >> 16U) % special.size()]
                                                  : static_cast<float>(normal_at(row, bits % 1000)));
    }
    for (std::int32_t c = 0; c < 3; ++c)
      labels.push_back(
          {c, static_cast<std::int8_t>(static_cast<int>(bits_at(7 * row, static_cast<std::uint64_t>(c)) % 3) - 1)});
    data.labels.append(labels);
    data.features.offsets.push_back(static_cast<std::int64_t>(data.features.values.size()));
  }
  return data;
}

TEST(ArffFiles, WhatIsWrittenReadsIdentically) {
  const TemporaryFolder folder;
  for (const std::uint64_t zeros : {0U, 8U}) {  // dense, sparse
    const FeatureData data = random_data(zeros);
    write_arff(data, folder / "it's a file.arff", folder / "labels.xml");
    ReadOptions options;
    options.label_file = folder / "labels.xml";
    expect_equal(read_features(folder / "it's a file.arff", options), data);
  }
}

TEST(ArffFiles, RefusesWhatCouldNotBeRead) {
  const TemporaryFolder folder;
  FeatureData data = random_data(0);
  data.feature_names[1] = data.label_names[0];
  EXPECT_THROW(write_arff(data, folder / "a.arff"), Error);
  data = random_data(0);
  data.features.values[3] = std::numeric_limits<float>::infinity();
  EXPECT_THROW(write_arff(data, folder / "a.arff"), Error);
  data = random_data(0);
  data.feature_names.pop_back();
  EXPECT_THROW(write_arff(data, folder / "a.arff"), Error);
  EXPECT_THROW(write_arff(random_data(0), folder / "missing/a.arff"), Error);
  EXPECT_FALSE(fs::exists(folder / "a.arff"));
}

TEST(ArffFiles, FilesLargerThanTheBufferReadLikeText) {
  std::string text = "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute y {0,1}\n@data\n";
  while (text.size() < (std::size_t{9} << 20U)) {
    text += std::to_string(text.size()) + ",0." + std::to_string(bits_at(1, text.size())) +
            (text.size() % 3 == 0 ? ",1\n" : ",0\r\n");
    if (text.size() % 1000 == 0) text += "%" + std::string(5000, 'x') + "\n";
  }
  const TemporaryFolder folder;
  write_text(folder / "large.arff", text);
  ReadOptions options;
  options.label_names = {"y"};
  expect_equal(read_features(folder / "large.arff", options), parse_arff(text, "text", options));
}

struct RealFile {
  const char* arff;
  const char* xml;
  std::int64_t rows;
  std::int32_t features;
  std::int32_t labels;
};

TEST(ArffFiles, ReadsTheMulanFiles) {
  const char* const variable = std::getenv("MLPAC_DATA");
  fs::path root = variable != nullptr ? variable : "";
  if (root.empty()) GTEST_SKIP() << "set MLPAC_DATA to the folder where mulan.tar.xz is unpacked to test real files";
  if (!fs::exists(root / "yeast") && fs::exists(root / "mulan")) root /= "mulan";
  if (!fs::exists(root / "yeast")) GTEST_SKIP() << root << " has no folder yeast; unpack mulan.tar.xz there";
  const std::vector<RealFile> files{
      {"bibtex/bibtex-train.arff", "bibtex/bibtex.xml", 4880, 1836, 159},
      {"bibtex/bibtex-test.arff", "bibtex/bibtex.xml", 2515, 1836, 159},
      {"delicious/delicious-train.arff", "delicious/delicious.xml", 12920, 500, 983},
      {"delicious/delicious-test.arff", "delicious/delicious.xml", 3185, 500, 983},
      {"flags/flags-train.arff", "flags/flags.xml", 129, 43, 7},
      {"flags/flags-test.arff", "flags/flags.xml", 65, 43, 7},
      {"genbase/genbase-train.arff", "genbase/genbase.xml", 463, 1847, 27},
      {"genbase/genbase-test.arff", "genbase/genbase.xml", 199, 1847, 27},
      {"medical/medical-train.arff", "medical/medical.xml", 333, 1449, 45},
      {"medical/medical-test.arff", "medical/medical.xml", 645, 1449, 45},
      {"scene/scene-train.arff", "scene/scene.xml", 1211, 294, 6},
      {"scene/scene-test.arff", "scene/scene.xml", 1196, 294, 6},
      {"tmc2007/tmc2007-500-train.arff", "tmc2007/tmc2007-500.xml", 21519, 500, 22},
      {"tmc2007/tmc2007-500-test.arff", "tmc2007/tmc2007-500.xml", 7077, 500, 22},
      {"yeast/yeast-train.arff", "yeast/yeast.xml", 1500, 103, 14},
      {"yeast/yeast-test.arff", "yeast/yeast.xml", 917, 103, 14},
      {"cal500/cal500.arff", "cal500/cal500.xml", 502, 68, 174},
  };
  const TemporaryFolder folder;
  for (const RealFile& file : files) {
    SCOPED_TRACE(file.arff);
    ReadOptions options;
    options.label_file = root / file.xml;
    const FeatureData data = read_features(root / file.arff, options);
    EXPECT_EQ(data.features.rows(), file.rows);
    EXPECT_EQ(data.features.columns, file.features);
    EXPECT_EQ(data.labels.classes(), file.labels);
    EXPECT_EQ(data.labels.rows(), file.rows);
    EXPECT_GT(data.labels.count(kAnnotated), 0);
    write_arff(data, folder / "copy.arff", folder / "copy.xml");
    options.label_file = folder / "copy.xml";
    expect_equal(read_features(folder / "copy.arff", options), data);
  }
}

}  // namespace
}  // namespace mlpac
