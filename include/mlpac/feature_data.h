// Feature data as readers deliver it: sparse rows of numbers, a label matrix, and the names of both.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mlpac/labels.h"

namespace mlpac {

/// Rows of numbers in compressed form; a value that is not stored is 0, a missing one is a stored NaN.
struct FeatureMatrix {
  std::int32_t columns = 0;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> indices;  ///< column of each stored value, increasing within a row
  std::vector<float> values;

  std::int64_t rows() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
};

struct FeatureData {
  std::string source;  ///< where it came from, for messages
  FeatureMatrix features;
  Labels labels;
  std::vector<std::string> feature_names;  ///< one per column; a category becomes `attribute=value`
  std::vector<std::string> label_names;
};

/// What the caller knows about a file beyond its path.
struct ReadOptions {
  std::filesystem::path label_file;  ///< names the label attributes: Mulan XML, or text with one per line; may be empty
  std::vector<std::string> label_names;  ///< label attributes known from elsewhere (a trained model)
  /// False for prediction: a file that has none of the label attributes is accepted; its data has no label names and
  /// rows without classes. A file that has some of them must have all.
  bool labels_required = true;
  std::string format;  ///< name of a reader, or empty to recognise the file
};

struct ReaderEntry {
  std::string_view name;
  std::string_view summary;
  std::string_view extensions;  ///< space-separated, with the dot
  /// True if the first bytes of a file look like this format.
  bool (*recognises)(std::string_view head);
  FeatureData (*read)(const std::filesystem::path& path, const ReadOptions& options);
};

/// Every format the program reads.
std::span<const ReaderEntry> feature_readers();

/// Reads a file with the reader that recognises it (by content, then by extension).
FeatureData read_features(const std::filesystem::path& path, const ReadOptions& options = {});

/// Writes `data` as ARFF (sparse if most values are 0) and, if `label_file` is given, the Mulan XML beside it.
void write_arff(const FeatureData& data, const std::filesystem::path& path,
                const std::filesystem::path& label_file = {});

/// Synthetic feature data whose complete labels are known.
struct SyntheticSpec {
  std::int64_t rows = 3000;
  std::int32_t features = 80;
  std::int32_t labels = 10;
  double positives = 1.2;    ///< mean number of positive labels of a row
  double correlation = 0.5;  ///< 0: classes depend on separate directions of the input, 1: groups of classes share one
  double imbalance = 2;      ///< frequency of the most frequent class over that of the rarest
  double noise = 0.3;        ///< standard deviation of the noise added to each class score (the scores have 1)
  std::uint64_t seed = 0;    ///< of the rows
  std::uint64_t world = 0;   ///< of the rule that labels them: same world and another seed = more rows of the same kind
};

FeatureData synthesise(const SyntheticSpec& spec);

}  // namespace mlpac
