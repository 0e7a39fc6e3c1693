#include "data/normalise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "mlpac/error.h"

namespace mlpac {

namespace {

/// Sums over the stored values of a column.
struct ColumnSums {
  double sum = 0;
  double squares = 0;
  double largest = 0;
  std::int64_t missing = 0;
};

std::string attribute_of(const std::string& column) { return column.substr(0, column.find('=')); }

/// One over a spread that may be below the smallest normal float.
float inverse(double spread) {
  return static_cast<float>(std::min(1 / spread, double{std::numeric_limits<float>::max()}));
}

}  // namespace

Normaliser Normaliser::fit(const FeatureMatrix& features, std::string_view kind) {
  const auto columns = static_cast<std::size_t>(features.columns);
  std::vector<ColumnSums> sums(columns);
  for (std::size_t i = 0; i < features.values.size(); ++i) {
    auto& column = sums[static_cast<std::size_t>(features.indices[i])];
    const double value = features.values[i];
    if (std::isnan(value)) {
      ++column.missing;
      continue;
    }
    column.sum += value;
    column.squares += value * value;
    column.largest = std::max(column.largest, std::abs(value));
  }
  const auto rows = static_cast<double>(features.rows());
  constexpr double kSparse = 0.25;
  const bool sparse = static_cast<double>(features.values.size()) < kSparse * rows * static_cast<double>(columns);
  if (kind == "auto") kind = sparse ? "max-abs" : "standardise";

  Normaliser result{std::vector<float>(columns, 0), std::vector<float>(columns, 1), std::vector<float>(columns, 0)};
  for (std::size_t c = 0; c < columns; ++c) {
    const double known = std::max(1.0, rows - static_cast<double>(sums[c].missing));
    const double mean = sums[c].sum / known;
    result.fill[c] = static_cast<float>(mean);
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

nlohmann::json Normaliser::to_json() const { return {{"shift", shift}, {"scale", scale}, {"fill", fill}}; }

Normaliser Normaliser::from_json(const nlohmann::json& json) {
  return {json.at("shift").get<std::vector<float>>(), json.at("scale").get<std::vector<float>>(),
          json.at("fill").get<std::vector<float>>()};
}

void Normaliser::apply(const FeatureMatrix& features, std::int64_t row, float* out) const {
  for (std::size_t c = 0; c < shift.size(); ++c) out[c] = -shift[c] * scale[c];
  const auto at = static_cast<std::size_t>(row);
  for (std::int64_t i = features.offsets[at]; i < features.offsets[at + 1]; ++i) {
    const auto c = static_cast<std::size_t>(features.indices[static_cast<std::size_t>(i)]);
    const float value = features.values[static_cast<std::size_t>(i)];
    out[c] = ((std::isnan(value) ? fill[c] : value) - shift[c]) * scale[c];
  }
}

FeatureMatrix align_columns(const FeatureData& data, const std::vector<std::string>& names) {
  if (data.feature_names == names) return data.features;
  std::unordered_map<std::string, std::int32_t> position;
  for (std::size_t i = 0; i < names.size(); ++i) position.emplace(names[i], static_cast<std::int32_t>(i));
  std::unordered_map<std::string, int> categories;  // one-hot columns of each attribute of the new file
  std::vector<std::int32_t> target(data.feature_names.size(), -1);
  std::unordered_set<std::string> present(data.feature_names.begin(), data.feature_names.end());
  for (std::size_t i = 0; i < data.feature_names.size(); ++i) {
    const auto& own = data.feature_names[i];
    if (own.find('=') != std::string::npos) ++categories[attribute_of(own)];
    if (const auto it = position.find(own); it != position.end()) target[i] = it->second;
  }
  for (const auto& name : names) {
    if (present.contains(name)) continue;
    // An attribute with two values is one column, named after the second: what its zeros mean is not known here.
    const auto known = categories.find(attribute_of(name));
    if (name.find('=') == std::string::npos || known == categories.end() || known->second < 2) {
      throw Error(
          fmt::format("{}: column '{}' is missing; the model was trained on {} columns and needs each by name "
                      "(a category: declare the same values)",
                      data.source, name, names.size()));
    }
  }
  FeatureMatrix result;
  result.columns = static_cast<std::int32_t>(names.size());
  std::vector<std::pair<std::int32_t, float>> row;
  for (std::int64_t r = 0; r < data.features.rows(); ++r) {
    row.clear();
    const auto at = static_cast<std::size_t>(r);
    for (std::int64_t i = data.features.offsets[at]; i < data.features.offsets[at + 1]; ++i) {
      const auto column = target[static_cast<std::size_t>(data.features.indices[static_cast<std::size_t>(i)])];
      if (column >= 0) row.emplace_back(column, data.features.values[static_cast<std::size_t>(i)]);
    }
    std::sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [column, value] : row) {
      result.indices.push_back(column);
      result.values.push_back(value);
    }
    result.offsets.push_back(static_cast<std::int64_t>(result.indices.size()));
  }
  return result;
}

}  // namespace mlpac
