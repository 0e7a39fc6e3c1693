#include "data/normalise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "mlpac/error.h"

namespace mlpac {

namespace {

/// Sums over the stored values of a column.
struct ColumnSums {
  double sum = 0;
  double squares = 0;
  double largest = 0;
  std::int64_t stored = 0;
  std::int64_t missing = 0;
};

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

/// Columns without names are matched by number. Rows of a sparse file may stop short of the last column or go beyond
/// it.
FeatureMatrix align_numbered(FeatureMatrix features, std::int32_t columns) {
  if (features.columns > columns) {
    std::size_t kept = 0;
    std::size_t first = 0;
    for (std::size_t row = 1; row < features.offsets.size(); ++row) {
      const auto last = static_cast<std::size_t>(features.offsets[row]);
      for (std::size_t i = first; i < last; ++i) {
        if (features.indices[i] >= columns) continue;
        features.indices[kept] = features.indices[i];
        features.values[kept++] = features.values[i];
      }
      first = last;
      features.offsets[row] = static_cast<std::int64_t>(kept);
    }
    features.indices.resize(kept);
    features.values.resize(kept);
  }
  features.columns = columns;
  return features;
}

}  // namespace

Normaliser Normaliser::fit(const FeatureMatrix& features, std::string_view kind) {
  const auto columns = static_cast<std::size_t>(features.columns);
  std::vector<ColumnSums> sums(columns);
  for (std::size_t i = 0; i < features.values.size(); ++i) {
    auto& column = sums[static_cast<std::size_t>(features.indices[i])];
    const double value = features.values[i];
    ++column.stored;
    if (std::isnan(value)) {
      ++column.missing;
      continue;
    }
    column.sum += value;
    column.squares += value * value;
    column.largest = std::max(column.largest, std::abs(value));
  }
  const auto rows = static_cast<double>(features.rows());
  const bool sparse = static_cast<double>(features.values.size()) < kSparse * rows * static_cast<double>(columns);
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
  std::vector<std::int32_t> shifted;  // zeros of these columns become something else and must be stored
  for (std::size_t c = 0; c < shift.size(); ++c) {
    if (shift[c] != 0) shifted.push_back(static_cast<std::int32_t>(c));
  }
  const auto scaled = [this](std::int32_t column, float value) {
    const auto c = static_cast<std::size_t>(column);
    return ((std::isnan(value) ? fill[c] : value) - shift[c]) * scale[c];
  };
  if (shifted.empty()) {
    for (std::size_t i = 0; i < features.values.size(); ++i) {
      features.values[i] = scaled(features.indices[i], features.values[i]);
    }
    return features;
  }
  const double added = static_cast<double>(shifted.size()) * static_cast<double>(features.rows());
  if (added > 4 * static_cast<double>(features.values.size()) + 1e6) {
    throw UsageError(fmt::format(
        "--normalise standardise would turn {:.0f} zeros of sparse data into numbers; use auto or max-abs", added));
  }
  FeatureMatrix result;
  result.columns = features.columns;
  result.offsets.reserve(features.offsets.size());
  for (std::size_t row = 0; row + 1 < features.offsets.size(); ++row) {
    auto next = shifted.begin();
    const auto fill_up = [&](std::int32_t before) {
      for (; next != shifted.end() && *next < before; ++next) {
        result.indices.push_back(*next);
        result.values.push_back(scaled(*next, 0));
      }
    };
    for (auto i = features.offsets[row]; i < features.offsets[row + 1]; ++i) {
      const std::int32_t column = features.indices[static_cast<std::size_t>(i)];
      fill_up(column);
      if (next != shifted.end() && *next == column) ++next;
      result.indices.push_back(column);
      result.values.push_back(scaled(column, features.values[static_cast<std::size_t>(i)]));
    }
    fill_up(features.columns);
    result.offsets.push_back(static_cast<std::int64_t>(result.indices.size()));
  }
  return result;
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

FeatureMatrix align_columns(FeatureData data, const std::vector<std::string>& names, std::int32_t columns) {
  if (names.empty() || data.feature_names.empty()) {
    if (!data.open_ended && data.features.columns != columns) {
      throw Error(fmt::format("{}: {} columns, expected the {} the model was trained on", data.source,
                              data.features.columns, columns));
    }
    return align_numbered(std::move(data.features), columns);
  }
  if (data.feature_names == names) return std::move(data.features);
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
