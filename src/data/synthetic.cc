// Synthetic data: standard normal features, labels by a rule that is linear up to a small product term.
//
// The rule ("world") and the rows have separate seeds. Everything that defines the rule, the thresholds included, is
// computed from the world alone, so that files made with different row seeds are samples of one distribution.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/random.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

constexpr std::int32_t kClassesPerGroup = 4;
constexpr double kLargestPrior = 0.9;
constexpr double kProductWeight = 0.5;      ///< enough for an MLP to gain a little over a linear model
constexpr std::int64_t kSampleRows = 4096;  ///< rows of the world from which scales and thresholds are measured

void check(const SyntheticSpec& spec) {
  const auto require = [](bool holds, std::string_view what, double value, std::string_view expected) {
    if (!holds) throw UsageError(fmt::format("synthetic data: {} is {}, expected {}", what, value, expected));
  };
  constexpr double kMost = 1e9;
  const auto rows = static_cast<double>(spec.rows);
  require(rows >= 1 && rows <= kMost, "the number of rows", rows, "1 to 1e9");
  require(spec.features >= 1 && spec.features <= 1000000, "the number of features", spec.features, "1 to 1e6");
  require(spec.labels >= 1 && spec.labels <= 100000, "the number of labels", spec.labels, "1 to 1e5");
  // These are held in memory as float32.
  require(rows * spec.features <= 4e9, "rows x features", rows * spec.features, "at most 4e9");
  require(static_cast<double>(spec.features) * spec.labels <= 5e8, "features x labels",
          static_cast<double>(spec.features) * spec.labels, "at most 5e8");
  require(spec.positives > 0 && spec.positives <= kLargestPrior * spec.labels, "the mean number of positives",
          spec.positives, "more than 0 and at most 0.9 times the number of labels");
  require(spec.correlation >= 0 && spec.correlation <= 1, "the correlation", spec.correlation, "0 to 1");
  require(spec.imbalance >= 1 && spec.imbalance <= kMost, "the imbalance", spec.imbalance, "1 to 1e9");
  require(spec.noise >= 0 && spec.noise <= kMost, "the noise", spec.noise, "0 to 1e9");
}

/// Geometric priors, most frequent class first, that sum to `positives`; what a cap takes from one goes to the others.
std::vector<double> class_priors(const SyntheticSpec& spec) {
  const auto labels = static_cast<std::size_t>(spec.labels);
  std::vector<double> weights(labels, 1.0);
  for (std::size_t c = 1; c < labels; ++c) {
    weights[c] = std::pow(spec.imbalance, -static_cast<double>(c) / static_cast<double>(labels - 1));
  }
  std::vector<double> priors(labels, 0.0);
  // Weights decrease, so the capped classes are the first ones: try how many there are.
  for (std::size_t capped = 0; capped < labels; ++capped) {
    double open_weight = 0;
    for (std::size_t c = capped; c < labels; ++c) open_weight += weights[c];
    const double scale = (spec.positives - kLargestPrior * static_cast<double>(capped)) / open_weight;
    for (std::size_t c = 0; c < labels; ++c) priors[c] = c < capped ? kLargestPrior : scale * weights[c];
    if (priors[capped] <= kLargestPrior) break;
    priors[capped] = kLargestPrior;
  }
  return priors;
}

/// A random direction of unit length.
std::vector<double> direction(std::uint64_t stream, std::uint64_t which, std::size_t size) {
  const std::uint64_t key = row_key(stream, 0, which);
  std::vector<double> result(size);
  double squares = 0;
  for (std::size_t i = 0; i < size; ++i) {
    result[i] = normal_at(key, i);
    squares += result[i] * result[i];
  }
  for (double& value : result) value /= std::max(std::sqrt(squares), 1e-12);
  return result;
}

/// The rule that labels rows.
class World {
 public:
  explicit World(const SyntheticSpec& spec)
      : features_(static_cast<std::size_t>(spec.features)),
        classes_(static_cast<std::size_t>(spec.labels)),
        groups_((classes_ + kClassesPerGroup - 1) / kClassesPerGroup),
        noise_(spec.noise),
        weights_(features_ * width()) {
    const std::uint64_t own = stream_key(spec.world, "world own");
    const std::uint64_t shared = stream_key(spec.world, "world group");
    for (std::size_t c = 0; c < classes_; ++c) {
      const std::vector<double> mine = direction(own, c, features_);
      const std::vector<double> ours = direction(shared, group(c), features_);
      std::vector<double> sum(features_);
      for (std::size_t f = 0; f < features_; ++f) {
        sum[f] = std::sqrt(spec.correlation) * ours[f] + std::sqrt(1 - spec.correlation) * mine[f];
      }
      set_column(c, sum);
    }
    const std::uint64_t product = stream_key(spec.world, "world product");
    for (std::size_t k = 0; k < 2 * groups_; ++k) set_column(classes_ + k, direction(product, k, features_));
    measure(spec);
  }

  /// Fills one row of features and the scores of all classes, noise included.
  void draw_row(std::uint64_t feature_stream, std::uint64_t noise_stream, std::uint64_t row, std::span<float> x,
                std::vector<double>& scores) {
    const std::uint64_t feature_key = row_key(feature_stream, 0, row);
    std::fill(sums_.begin(), sums_.end(), 0.0F);
    for (std::size_t f = 0; f < features_; ++f) {
      x[f] = static_cast<float>(normal_at(feature_key, f));
      const float* const weights = &weights_[f * width()];
      for (std::size_t k = 0; k < width(); ++k) sums_[k] += x[f] * weights[k];
    }
    const std::uint64_t noise_key = row_key(noise_stream, 0, row);
    for (std::size_t c = 0; c < classes_; ++c) {
      const std::size_t pair = classes_ + 2 * group(c);
      const double product = static_cast<double>(sums_[pair]) * sums_[pair + 1];
      const double clean = (sums_[c] + kProductWeight * product - mean_[c]) * scale_[c];
      scores[c] = noise_ > 0 ? clean + noise_ * normal_at(noise_key, c) : clean;
    }
  }

  bool positive(std::size_t c, double score) const { return score > thresholds_[c]; }

 private:
  std::size_t width() const { return classes_ + 2 * groups_; }
  /// Neighbouring classes differ little in frequency; taking turns gives every group frequent and rare ones.
  std::size_t group(std::size_t c) const { return c % groups_; }

  void set_column(std::size_t k, std::vector<double> values) {
    double squares = 0;
    for (const double value : values) squares += value * value;
    const double scale = 1 / std::max(std::sqrt(squares), 1e-12);
    for (std::size_t f = 0; f < features_; ++f) weights_[f * width() + k] = static_cast<float>(values[f] * scale);
  }

  /// Scales the scores to mean 0 and deviation 1, and puts each threshold where the class gets its prior.
  void measure(const SyntheticSpec& spec) {
    sums_.assign(width(), 0.0F);
    mean_.assign(classes_, 0.0);
    scale_.assign(classes_, 1.0);
    std::vector<std::vector<double>> sample(classes_, std::vector<double>(kSampleRows));
    const double noise = std::exchange(noise_, 0.0);
    sample_scores(spec, sample);
    for (std::size_t c = 0; c < classes_; ++c) {
      double sum = 0;
      double squares = 0;
      for (const double score : sample[c]) sum += score;
      mean_[c] = sum / kSampleRows;
      for (const double score : sample[c]) squares += (score - mean_[c]) * (score - mean_[c]);
      scale_[c] = 1 / std::max(std::sqrt(squares / kSampleRows), 1e-12);
    }
    noise_ = noise;
    const std::uint64_t noise_stream = stream_key(spec.world, "world sample noise");
    const std::vector<double> priors = class_priors(spec);
    for (std::size_t c = 0; c < classes_; ++c) {
      for (std::size_t row = 0; row < sample[c].size(); ++row) {
        sample[c][row] = (sample[c][row] - mean_[c]) * scale_[c];
        if (noise_ > 0) sample[c][row] += noise_ * normal_at(row_key(noise_stream, 0, row), c);
      }
      const auto rank = static_cast<std::ptrdiff_t>(std::lround(priors[c] * kSampleRows));
      const auto at = sample[c].begin() + std::min<std::ptrdiff_t>(rank, kSampleRows - 1);
      std::nth_element(sample[c].begin(), at, sample[c].end(), std::greater<>());
      thresholds_.push_back(*at);  // `rank` of the sample's scores lie above
    }
  }

  void sample_scores(const SyntheticSpec& spec, std::vector<std::vector<double>>& sample) {
    const std::uint64_t stream = stream_key(spec.world, "world sample");
    std::vector<float> x(features_);
    std::vector<double> scores(classes_);
    for (std::size_t row = 0; row < kSampleRows; ++row) {
      draw_row(stream, 0, row, x, scores);
      for (std::size_t c = 0; c < classes_; ++c) sample[c][row] = scores[c];
    }
  }

  std::size_t features_;
  std::size_t classes_;
  std::size_t groups_;
  double noise_;
  /// features x (classes + 2 per group), so that the inner loop runs over neighbouring numbers
  std::vector<float> weights_;
  std::vector<float> sums_;
  std::vector<double> mean_;
  std::vector<double> scale_;
  std::vector<double> thresholds_;
};

}  // namespace

FeatureData synthesise(const SyntheticSpec& spec) {
  check(spec);
  World world(spec);
  FeatureData data;
  data.source = fmt::format("synthetic data (world {}, seed {})", spec.world, spec.seed);
  data.features.columns = spec.features;
  data.labels = Labels(spec.labels);
  for (std::int32_t f = 0; f < spec.features; ++f) data.feature_names.push_back(fmt::format("f{}", f));
  for (std::int32_t c = 0; c < spec.labels; ++c) data.label_names.push_back(fmt::format("label{}", c));
  const std::uint64_t feature_stream = stream_key(spec.seed, "synthetic features");
  const std::uint64_t noise_stream = stream_key(spec.seed, "synthetic noise");
  std::vector<float> x(static_cast<std::size_t>(spec.features));
  std::vector<double> scores(static_cast<std::size_t>(spec.labels));
  for (std::int64_t row = 0; row < spec.rows; ++row) {
    world.draw_row(feature_stream, noise_stream, static_cast<std::uint64_t>(row), x, scores);
    for (std::int32_t f = 0; f < spec.features; ++f) data.features.indices.push_back(f);
    data.features.values.insert(data.features.values.end(), x.begin(), x.end());
    data.features.offsets.push_back(static_cast<std::int64_t>(data.features.values.size()));
    std::vector<LabelEntry> positives;
    for (std::int32_t c = 0; c < spec.labels; ++c) {
      if (world.positive(static_cast<std::size_t>(c), scores[static_cast<std::size_t>(c)])) {
        positives.push_back({c, kAnnotated});
      }
    }
    data.labels.append(std::move(positives));
  }
  return data;
}

}  // namespace mlpac
