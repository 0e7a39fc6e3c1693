// From estimates of single classes to priors of all: which rows, which evidence, and what few annotations borrow from
// the other classes.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random.h"
#include "data/normalise.h"
#include "priors/priors.h"

namespace mlpac {

double PriorEvidence::share() const {
  const auto count = std::accumulate(annotated.begin(), annotated.end(), std::int64_t{0});
  return static_cast<double>(count) / static_cast<double>(annotated.size());
}

namespace {

constexpr std::size_t kMostRows = 50'000;
constexpr double kFew = 20;  // annotations

/// At most so many rows, drawn at random.
std::vector<std::int64_t> sample(std::span<const std::int64_t> rows, std::uint64_t seed) {
  std::vector<std::int64_t> result(rows.begin(), rows.end());
  if (result.size() <= kMostRows) return result;
  const std::uint64_t stream = stream_key(seed, "prior.rows");
  const auto key = [&](std::int64_t row) { return row_key(stream, 0, static_cast<std::uint64_t>(row)); };
  std::nth_element(result.begin(), result.begin() + kMostRows, result.end(),
                   [&](std::int64_t a, std::int64_t b) { return key(a) < key(b); });
  result.resize(kMostRows);
  std::sort(result.begin(), result.end());
  return result;
}

/// The rows in a scale that a linear model can work with; missing values filled in.
FeatureMatrix comparable(const FeatureView& features, std::span<const std::int64_t> rows) {
  auto part = features.matrix(rows);
  const auto normaliser = Normaliser::fit(part, "auto");
  return normaliser.apply(std::move(part));
}

/// Classes first..first + count of the rows as bytes [rows x count].
std::vector<std::uint8_t> annotated_bytes(const Labels& labels, std::span<const std::int64_t> rows, std::int64_t first,
                                          std::int64_t count) {
  std::vector<std::uint8_t> bytes(rows.size() * static_cast<std::size_t>(count), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& entry : labels.row(rows[i])) {
      const std::int64_t at = entry.column - first;
      if (entry.state != kAnnotated || at < 0 || at >= count) continue;
      bytes[i * static_cast<std::size_t>(count) + static_cast<std::size_t>(at)] = 1;
    }
  }
  return bytes;
}

template <typename T>
std::vector<T> column_of(const std::vector<T>& matrix, std::size_t column, std::size_t columns) {
  std::vector<T> result;
  result.reserve(matrix.size() / std::max<std::size_t>(1, columns));
  for (std::size_t i = column; i < matrix.size(); i += columns) result.push_back(matrix[i]);
  return result;
}

/// Positives per annotation of every class; 0 where nothing or everything is annotated.
std::vector<double> multiples(const FeatureView& features, const Labels& labels, std::span<const std::int64_t> rows,
                              const PriorEntry& entry, std::uint64_t seed) {
  const std::int64_t classes = labels.classes();
  std::vector<double> result(static_cast<std::size_t>(classes), 0);
  const auto x = comparable(features, rows);
  const BinnedColumns columns = entry.needs_scores ? BinnedColumns() : BinnedColumns(x);
  // Weights of some classes at a time, so that wide data does not need memory for all of them.
  constexpr std::int64_t kMostWeights = std::int64_t{1} << 24;
  const std::int64_t block = std::clamp<std::int64_t>(kMostWeights / (x.columns + 1), 8, 128);
  for (std::int64_t first = 0; first < classes; first += block) {
    const std::int64_t count = std::min(block, classes - first);
    const auto bytes = annotated_bytes(labels, rows, first, count);
    std::vector<float> scores;
    if (entry.needs_scores) scores = held_out_scores(x, bytes, count, stream_key(seed, "prior.scores"));
    for (std::int64_t c = 0; c < count; ++c) {
      const auto width = static_cast<std::size_t>(count);
      const auto annotated = column_of(bytes, static_cast<std::size_t>(c), width);
      const auto own =
          entry.needs_scores ? column_of(scores, static_cast<std::size_t>(c), width) : std::vector<float>();
      const PriorEvidence evidence{annotated, own, &columns, stream_key(seed, "prior.folds")};
      const double share = evidence.share();
      if (share == 0 || share == 1) continue;
      result[static_cast<std::size_t>(first + c)] = std::clamp(entry.estimate(evidence), share, 1.0) / share;
    }
  }
  return result;
}

/// Positives per annotation over all classes with at least `fewest` annotations; 0 if there is none.
double pooled(std::span<const double> multiples, std::span<const double> counts, double fewest) {
  double positives = 0;
  double annotations = 0;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    if (multiples[c] == 0 || counts[c] < fewest) continue;
    positives += multiples[c] * counts[c];
    annotations += counts[c];
  }
  return annotations > 0 ? positives / annotations : 0;
}

}  // namespace

ClassPriors estimate_priors(const FeatureMatrix& features, const Labels& labels, std::span<const std::int64_t> rows,
                            std::string_view estimator, std::uint64_t seed) {
  return estimate_priors(FeatureView(features), labels, rows, estimator, seed);
}

ClassPriors estimate_priors(const FeatureView& features, const Labels& labels, std::span<const std::int64_t> rows,
                            std::string_view estimator, std::uint64_t seed) {
  const auto& entry = find_prior_estimator(estimator);
  const auto classes = static_cast<std::size_t>(labels.classes());
  std::vector<double> counts(classes, 0);
  std::vector<double> negatives(classes, 0);
  for (const std::int64_t row : rows) {
    for (const auto& label : labels.row(row)) {
      ++(label.state == kAnnotated ? counts : negatives)[static_cast<std::size_t>(label.column)];
    }
  }
  ClassPriors result;
  result.annotated.assign(classes, 0);
  result.prior.assign(classes, 0);
  if (rows.empty()) return result;
  const auto own = multiples(features, labels, sample(rows, seed), entry, seed);
  result.multiple = pooled(own, counts, kFew);
  if (result.multiple == 0) result.multiple = pooled(own, counts, 0);
  if (result.multiple == 0) result.multiple = 1;
  const auto total = static_cast<double>(rows.size());
  for (std::size_t c = 0; c < classes; ++c) {
    const double share = counts[c] / total;
    const double weight = own[c] == 0 ? 0 : counts[c] / (counts[c] + kFew);
    const double multiple =
        std::exp(weight * std::log(std::max(own[c], 1.0)) + (1 - weight) * std::log(result.multiple));
    result.annotated[c] = share;
    // Known negatives are no positives.
    result.prior[c] = std::max(share, std::min(share * multiple, 1 - negatives[c] / total));
  }
  return result;
}

}  // namespace mlpac
