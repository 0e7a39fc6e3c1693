#include "data/normalise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "mlpac/error.h"

namespace mlpac {

namespace {

constexpr double kSparse = 0.25;

/// What `auto` does with a column of data that is mostly zeros. Values within -1 to 1 (flags, tf-idf weights) are left
/// as they are.
std::string_view choose(const ColumnSums& column, double rows) {
  if (column.largest <= 1) return "none";
  return static_cast<double>(column.stored) >= kSparse * rows ? "standardise" : "max-abs";
}

/// The vector, or null if all of it is `usual`.
nlohmann::json unless_all(const std::vector<float>& values, float usual) {
  const bool same = std::all_of(values.begin(), values.end(), [&](float value) { return value == usual; });
  return same ? nlohmann::json() : nlohmann::json(values);
}

std::vector<float> all_unless(const nlohmann::json& json, std::size_t columns, float usual) {
  return json.is_null() ? std::vector<float>(columns, usual) : json.get<std::vector<float>>();
}

std::string attribute_of(const std::string& column) { return column.substr(0, column.find('=')); }

/// One over a spread that may be below the smallest normal float.
float inverse(double spread) {
  return static_cast<float>(std::min(1 / spread, double{std::numeric_limits<float>::max()}));
}

}  // namespace

Normaliser Normaliser::fit(const FeatureMatrix& features, std::string_view kind) {
  ColumnStatistics statistics;
  statistics.add(FeatureView(features));
  return fit(statistics, kind);
}

Normaliser Normaliser::fit(const ColumnStatistics& statistics, std::string_view kind) {
  const auto& sums = statistics.columns;
  const auto columns = sums.size();
  const auto rows = static_cast<double>(statistics.rows);
  const bool sparse = static_cast<double>(statistics.stored) < kSparse * rows * static_cast<double>(columns);
  const bool by_column = kind == "auto" && sparse;
  if (kind == "auto") kind = "standardise";

  Normaliser result{std::vector<float>(columns, 0), std::vector<float>(columns, 1), std::vector<float>(columns, 0)};
  for (std::size_t c = 0; c < columns; ++c) {
    const double known = std::max(1.0, rows - static_cast<double>(sums[c].missing));
    const double mean = sums[c].sum / known;
    result.fill[c] = static_cast<float>(mean);
    if (by_column) kind = choose(sums[c], rows);
    if (kind == "standardise") {
      const double variance = std::max(0.0, sums[c].squares / known - mean * mean);
      // A column that is constant up to rounding carries nothing; scaling its noise up would hurt.
      const bool constant = variance <= 1e-12 * std::max(1e-30, sums[c].squares / known);
      result.shift[c] = static_cast<float>(mean);
      result.scale[c] = constant ? 1.0F : inverse(std::sqrt(variance));
    } else if (kind == "max-abs" && sums[c].largest > 0) {
      result.scale[c] = inverse(sums[c].largest);
    }
  }
  return result;
}

nlohmann::json Normaliser::to_json() const {
  return {{"columns", scale.size()},
          {"shift", unless_all(shift, 0)},
          {"scale", unless_all(scale, 1)},
          {"fill", unless_all(fill, 0)}};
}

Normaliser Normaliser::from_json(const nlohmann::json& json) {
  const auto columns = json.at("columns").get<std::size_t>();
  Normaliser result{all_unless(json.at("shift"), columns, 0), all_unless(json.at("scale"), columns, 1),
                    all_unless(json.at("fill"), columns, 0)};
  if (result.shift.size() != columns || result.scale.size() != columns || result.fill.size() != columns) {
    throw Error("the normalisation of the model is damaged: its parts differ in length");
  }
  return result;
}

FeatureMatrix Normaliser::apply(FeatureMatrix features) const {
  const bool shifts = std::any_of(shift.begin(), shift.end(), [](float value) { return value != 0; });
  if (!shifts) {
    for (std::size_t i = 0; i < features.values.size(); ++i) {
      features.values[i] = scaled(features.indices[i], features.values[i]);
    }
    return features;
  }
  const FeatureView view(features);
  const SparseScaler scaler(*this, view);
  FeatureMatrix result;
  result.columns = features.columns;
  result.offsets.reserve(features.offsets.size());
  for (std::int64_t row = 0; row < view.rows(); ++row) {
    scaler.visit(view, row, [&](std::int32_t column, float value) {
      result.indices.push_back(column);
      result.values.push_back(value);
    });
    result.offsets.push_back(static_cast<std::int64_t>(result.indices.size()));
  }
  return result;
}

void Normaliser::apply(const FeatureView& features, std::int64_t row, float* out) const {
  if (features.copy_dense(row, out)) {
    const auto* const shifts = shift.data();  // plain pointers: `out` might be any float of this object
    const auto* const scales = scale.data();
    const auto* const fills = fill.data();
    for (std::size_t c = 0; c < shift.size(); ++c) {
      out[c] = ((std::isnan(out[c]) ? fills[c] : out[c]) - shifts[c]) * scales[c];  // as scaled()
    }
    return;
  }
  for (std::size_t c = 0; c < shift.size(); ++c) out[c] = -shift[c] * scale[c];
  features.visit(row, [&](std::int32_t column, float value) { out[column] = scaled(column, value); });
}

SparseScaler::SparseScaler(Normaliser normaliser, const FeatureView& features) : normaliser_(std::move(normaliser)) {
  for (std::size_t c = 0; c < normaliser_.shift.size(); ++c) {
    if (normaliser_.shift[c] != 0) shifted_.push_back(static_cast<std::int32_t>(c));
  }
  const double added = static_cast<double>(shifted_.size()) * static_cast<double>(features.rows());
  if (added > 4 * static_cast<double>(features.stored()) + 1e6) {
    throw UsageError(fmt::format(
        "--normalise standardise would turn {:.0f} zeros of sparse data into numbers; use auto or max-abs", added));
  }
}

std::vector<std::int32_t> match_columns(const FeatureData& data, std::int32_t present,
                                        const std::vector<std::string>& names, std::int32_t columns) {
  if (names.empty() || data.feature_names.empty()) {
    if (!data.open_ended && present != columns) {
      throw Error(
          fmt::format("{}: {} columns, expected the {} the model was trained on", data.source, present, columns));
    }
    // Rows of a sparse file may stop short of the last column or go beyond it.
    std::vector<std::int32_t> target;
    if (present > columns) {
      target.assign(static_cast<std::size_t>(present), -1);
      std::iota(target.begin(), target.begin() + columns, 0);
    }
    return target;
  }
  if (data.feature_names == names) return {};
  std::unordered_map<std::string, std::int32_t> position;
  for (std::size_t i = 0; i < names.size(); ++i) position.emplace(names[i], static_cast<std::int32_t>(i));
  std::unordered_map<std::string, int> categories;  // one-hot columns of each attribute of the new file
  std::vector<std::int32_t> target(data.feature_names.size(), -1);
  std::unordered_set<std::string> own_names(data.feature_names.begin(), data.feature_names.end());
  for (std::size_t i = 0; i < data.feature_names.size(); ++i) {
    const auto& own = data.feature_names[i];
    if (own.find('=') != std::string::npos) ++categories[attribute_of(own)];
    if (const auto it = position.find(own); it != position.end()) target[i] = it->second;
  }
  for (const auto& name : names) {
    if (own_names.contains(name)) continue;
    // An attribute with two values is one column, named after the second: what its zeros mean is not known here.
    const auto known = categories.find(attribute_of(name));
    if (name.find('=') == std::string::npos || known == categories.end() || known->second < 2) {
      throw Error(
          fmt::format("{}: column '{}' is missing; the model was trained on {} columns and needs each by name "
                      "(a category: declare the same values)",
                      data.source, name, names.size()));
    }
  }
  return target;
}

FeatureMatrix align_columns(FeatureData data, const std::vector<std::string>& names, std::int32_t columns) {
  auto targets = match_columns(data, data.features.columns, names, columns);
  if (!targets.empty()) return FeatureView(data.features).with_columns(std::move(targets), columns).matrix();
  data.features.columns = columns;
  return std::move(data.features);
}

}  // namespace mlpac
