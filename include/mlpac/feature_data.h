// Feature data as readers deliver it: sparse rows of numbers, a label matrix, and the names of both.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
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
  /// One per column; a category becomes `attribute=value`. Empty: the columns are only numbered (libsvm, text, arrays).
  std::vector<std::string> feature_names;
  std::vector<std::string> label_names;
  bool open_ended = false;       ///< libsvm: the number of columns is only the largest that occurs in this file
  std::vector<std::string> ids;  ///< one per row, from --id; empty: rows are numbered
  /// How a table or text was turned into numbers (kinds of the columns, vocabulary): stored with the model and given
  /// back in ReadOptions, so that a new file is read the same way. Null if the format needs none.
  nlohmann::json schema;
};

/// How free text becomes tf-idf columns.
struct TextSpec {
  bool hashed = false;        ///< columns are hashes of terms; otherwise a vocabulary is collected from the file
  std::int64_t columns = 0;   ///< of hashes, or largest vocabulary; 0: 2^18 and 50 000
  std::int64_t ngrams = 1;    ///< longest sequence of words that is a term
  std::int64_t min_rows = 2;  ///< a term of the vocabulary occurs in at least this many rows
};

/// What the caller knows about a file beyond its path.
struct ReadOptions {
  std::filesystem::path label_file;      ///< names the labels: Mulan XML, or text with one per line; may be empty
  std::filesystem::path target_file;     ///< the label matrix, if it is not in the file itself (.npy, .npz)
  std::vector<std::string> label_names;  ///< labels known from elsewhere (a trained model)
  /// False for prediction: a file that has none of the label columns is accepted; its data has no label names and
  /// rows without classes. A file that has some of them must have all.
  bool labels_required = true;
  std::string format;  ///< name of a reader, or empty to recognise the file

  // Tables (CSV, TSV; label_columns also ARFF). A name may contain * for any characters.
  std::vector<std::string> label_columns;    ///< columns that hold 1, 0 or -1
  std::string label_list;                    ///< the column that lists the names of a row's labels
  std::string label_separators = ",;|";      ///< characters between the names in it
  std::string id_column;                     ///< identifies rows in predictions; not a feature
  std::vector<std::string> ignored_columns;  ///< neither features nor labels
  std::vector<std::string> text_columns;     ///< free text; empty: recognised
  TextSpec text;
  nlohmann::json schema;  ///< of the data a model was trained on; null: decided from the file
};

struct ReaderEntry {
  std::string_view name;
  std::string_view summary;
  std::string_view extensions;  ///< space-separated, with the dot
  /// True if the first bytes of a file look like this format.
  bool (*recognises)(std::string_view head);
  FeatureData (*read)(const std::filesystem::path& path, const ReadOptions& options);
  /// The file with the labels of `data` (read from it with these options) instead of its own and everything else as it
  /// was; null for formats that cannot.
  std::string (*relabel)(const std::filesystem::path& path, const ReadOptions& options, const FeatureData& data);
};

/// Every format the program reads.
std::span<const ReaderEntry> feature_readers();

/// The reader that `options` name, or that recognises the file: by content, then by extension.
const ReaderEntry& reader_of(const std::filesystem::path& path, const ReadOptions& options);

/// Reads a file with that reader.
FeatureData read_features(const std::filesystem::path& path, const ReadOptions& options = {});

/// Writes data that was read from `in` with the labels it has now: as `in` in every other respect if `out` has its
/// extension and its format can be relabelled, otherwise as ARFF or libsvm. UsageError that names `option` for another
/// extension.
void write_relabelled(const FeatureData& data, const std::filesystem::path& in, const ReadOptions& read,
                      const std::filesystem::path& out, std::string_view option);

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
