// Reading arrays: which of a file's arrays are features, labels and names, and what each becomes.
#include "data/arrays.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/file.h"
#include "data/array_labels.h"
#include "data/array_matrix.h"
#include "data/npy.h"
#include "data/npy_header.h"
#include "data/npz.h"
#include "data/text.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

/// A pipe may never end, and nothing but its end would stop the reading of binary data.
std::string array_bytes(const std::filesystem::path& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::exists(status) && std::filesystem::is_other(status)) {
    throw Error(fmt::format("{}: arrays cannot be read from a pipe, expected a file", path.string()));
  }
  return read_file(path);
}

constexpr std::string_view kFeatureValues = "a finite number, or NaN if it is missing";
constexpr std::string_view kNoFeatures =
    "expected 'X' (dense), 'X_data', 'X_indices', 'X_indptr' and 'X_shape', or what scipy.sparse.save_npz writes";

/// How a matrix is called in an .npz file.
struct MatrixNames {
  std::vector<std::string_view> dense;
  std::string_view prefix;  ///< of the parts of a sparse one
  bool scipy = false;       ///< parts without a prefix are this matrix
};

/// Where a matrix is: one dense array, or sparse parts after a prefix.
struct MatrixPlace {
  std::string name;
  bool sparse = false;
};

std::optional<MatrixPlace> find_matrix(const NpzFile& file, const MatrixNames& names) {
  std::vector<MatrixPlace> found;
  for (const std::string_view name : names.dense) {
    if (file.contains(name)) found.push_back({std::string(name), false});
  }
  const std::string prefix(names.prefix);
  for (const std::string_view part : {"data", "indices", "indptr"}) {
    if (!file.contains(prefix + std::string(part))) continue;
    found.push_back({prefix, true});
    break;
  }
  if (names.scipy && (file.contains("format") || file.contains("indptr"))) found.push_back({"", true});
  if (found.size() > 1) {
    const auto text = [](const MatrixPlace& place) {
      return place.sparse ? in_quotes(place.name + "data") : in_quotes(place.name);
    };
    throw Error(fmt::format("{}: both {} and {} could be the {}, expected one of them; rename the other", file.source(),
                            text(found[0]), text(found[1]), names.prefix == "X_" ? "features" : "labels"));
  }
  if (found.empty()) return std::nullopt;
  return found[0];
}

/// Names of rows or columns; empty if the file has none.
std::vector<std::string> read_names(const NpzFile& file, std::string_view name, std::int64_t count,
                                    std::string_view per, bool unique) {
  if (!file.contains(name)) return {};
  const NpyArray array = file.read(name);
  if (array.header.elements != count) {
    array.fail(fmt::format("there are {} names, expected {}, one per {}", array.header.elements, count, per));
  }
  std::vector<std::string> names = name_list(array);
  std::unordered_set<std::string_view> seen;
  for (std::size_t i = 0; unique && i < names.size(); ++i) {
    if (!seen.insert(names[i]).second) {
      array.fail(fmt::format("the name {} is given twice, expected different ones", in_quotes(names[i])));
    }
  }
  return names;
}

FeatureMatrix features_of(const NpyArray& array) {
  if (array.header.shape.size() == 1) {
    array.fail(
        "the features have one dimension, expected two, rows and columns; use X.reshape(-1, 1) for one column or "
        "X.reshape(1, -1) for one row");
  }
  return dense_matrix(array, kFeatureValues);
}

void read_features_of(const NpzFile& file, FeatureData& data) {
  std::optional<MatrixPlace> place = find_matrix(file, {{"X", "x", "features"}, "X_", true});
  if (!place && file.contains("data")) place = MatrixPlace{"data", false};
  if (!place) {
    throw Error(fmt::format("{}: no array holds the features, {}, but the file has {}; use numpy.savez(file, X=X, Y=Y)",
                            file.source(), kNoFeatures, file.names()));
  }
  data.features = place->sparse ? csr_matrix(file, place->name, kFeatureValues) : features_of(file.read(place->name));
  data.feature_names = read_names(file, "feature_names", data.features.columns, "column of the features", true);
  data.ids = read_names(file, "ids", data.features.rows(), "row", false);
}

LabelArray labels_of(const NpyArray& array) {
  LabelArray labels;
  labels.source = array.source;
  labels.flat = array.header.shape.size() == 1;
  labels.matrix = dense_matrix(array, kLabelValues);
  return labels;
}

std::vector<std::string> read_label_names_of(const NpzFile& file, const FeatureMatrix& labels) {
  return read_names(file, "label_names", labels.columns, "class", true);
}

/// The labels of an .npz file. `own`: it is a file of labels, so a matrix without a name can only be theirs.
std::optional<LabelArray> find_labels(const NpzFile& file, bool own) {
  const std::optional<MatrixPlace> place = find_matrix(file, {{"Y", "y", "labels"}, "Y_", own});
  if (!place) return std::nullopt;
  LabelArray labels;
  if (place->sparse) {
    labels.source = fmt::format("{}({}data)", file.source(), place->name);
    labels.matrix = csr_matrix(file, place->name, kLabelValues);
  } else {
    labels = labels_of(file.read(place->name));
  }
  labels.names = read_label_names_of(file, labels.matrix);
  return labels;
}

[[noreturn]] void fail_format(const std::string& source) {
  throw Error(
      fmt::format("{}: is neither a .npy nor a .npz file, expected what numpy.save or numpy.savez writes", source));
}

LabelArray read_target(const std::filesystem::path& path) {
  const std::string bytes = array_bytes(path);
  std::optional<LabelArray> labels;
  if (looks_like_npy(bytes)) {
    labels = labels_of(parse_npy(bytes, path.string()));
  } else if (looks_like_zip(bytes)) {
    const NpzFile file(bytes, path.string());
    labels = find_labels(file, true);
    if (!labels) {
      throw Error(
          fmt::format("{}: no array holds the labels, expected 'Y' (dense), 'Y_data', 'Y_indices', 'Y_indptr' "
                      "and 'Y_shape', or what scipy.sparse.save_npz writes, but the file has {}",
                      file.source(), file.names()));
    }
  } else {
    fail_format(path.string());
  }
  labels->bytes = bytes.size();
  return *std::move(labels);
}

FeatureData parse(std::string_view bytes, std::string source, const ReadOptions& options) {
  FeatureData data;
  data.source = std::move(source);
  std::optional<LabelArray> labels;
  if (!options.target_file.empty()) labels = read_target(options.target_file);
  if (looks_like_npy(bytes)) {
    data.features = features_of(parse_npy(bytes, data.source));
  } else if (looks_like_zip(bytes)) {
    const NpzFile file(bytes, data.source);
    read_features_of(file, data);
    if (!labels) {
      labels = find_labels(file, false);
      if (labels) labels->bytes = bytes.size();
    } else if (labels->names.empty()) {
      labels->names = read_label_names_of(file, labels->matrix);
    }
  } else {
    fail_format(data.source);
  }
  if (labels) {
    set_labels(*labels, options, data);
  } else if (options.labels_required) {
    throw Error(
        fmt::format("{}: there are no labels, expected an array 'Y' of rows and classes beside the features "
                    "(numpy.savez(file, X=X, Y=Y)), or a file of labels",
                    data.source));
  } else {
    for (std::int64_t row = 0; row < data.features.rows(); ++row) data.labels.append({});
  }
  return data;
}

template <typename Read>
FeatureData with_enough_memory(const std::string& source, const Read& read) {
  constexpr std::string_view kTooSmall =
      "the memory of this machine is too small for the file, expected a smaller one; split it";
  try {
    return read();
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format("{}: {}", source, kTooSmall));
  } catch (const std::length_error&) {  // a vector that no memory could hold
    throw Error(fmt::format("{}: {}", source, kTooSmall));
  }
}

}  // namespace

FeatureData parse_arrays(std::string_view bytes, std::string source, const ReadOptions& options) {
  return with_enough_memory(source, [&] { return parse(bytes, source, options); });
}

FeatureData read_arrays(const std::filesystem::path& path, const ReadOptions& options) {
  return with_enough_memory(path.string(), [&] { return parse(array_bytes(path), path.string(), options); });
}

}  // namespace mlpac
