// Files that tests write, and the comparison of feature data that went through them.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>

#include "mlpac/feature_data.h"

namespace mlpac {

inline void expect_equal(const FeatureData& a, const FeatureData& b) {
  EXPECT_EQ(a.feature_names, b.feature_names);
  EXPECT_EQ(a.label_names, b.label_names);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.features.columns, b.features.columns);
  EXPECT_EQ(a.features.offsets, b.features.offsets);
  EXPECT_EQ(a.features.indices, b.features.indices);
  ASSERT_EQ(a.features.values.size(), b.features.values.size());
  for (std::size_t i = 0; i < a.features.values.size(); ++i) {
    const bool both_missing = std::isnan(a.features.values[i]) && std::isnan(b.features.values[i]);
    if (!both_missing) {
      ASSERT_EQ(a.features.values[i], b.features.values[i]);
    }
  }
}

/// A folder that is removed at the end of the test.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_(std::filesystem::temp_directory_path() / ("mlpac_test_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  std::filesystem::path operator/(const char* name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

}  // namespace mlpac
