// Logistic regressions of many classes at once, by AdaGrad on small batches, on sparse rows. The weights of a column
// lie together for all classes, so that the inner loops run over classes whether rows are sparse or dense.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random.h"
#include "kernels/clones.h"
#include "priors/priors.h"

namespace mlpac {

namespace {

constexpr std::uint64_t kFolds = 3;
constexpr std::size_t kBatch = 32;

/// z = sum over the stored values of a row of value * weights of the column.
MLPAC_CLONES void product(const std::int32_t* columns, const float* values, std::int64_t stored, const float* weights,
                          std::int64_t classes, float* z) {
  for (std::int64_t i = 0; i < stored; ++i) {
    const float* const row = weights + static_cast<std::int64_t>(columns[i]) * classes;
    const float value = values[i];
#pragma omp simd
    for (std::int64_t c = 0; c < classes; ++c) z[c] += value * row[c];
  }
}

/// gradient of the column += value * g, for every stored value of a row.
MLPAC_CLONES void outer_product(const std::int32_t* columns, const float* values, std::int64_t stored, const float* g,
                                std::int64_t classes, float* gradient) {
  for (std::int64_t i = 0; i < stored; ++i) {
    float* const row = gradient + static_cast<std::int64_t>(columns[i]) * classes;
    const float value = values[i];
#pragma omp simd
    for (std::int64_t c = 0; c < classes; ++c) row[c] += value * g[c];
  }
}

/// AdaGrad with L2 decay; the gradient is spent.
MLPAC_CLONES void update(float* weights, float* gradient, float* squares, std::int64_t classes, float rate,
                         float decay) {
#pragma omp simd
  for (std::int64_t c = 0; c < classes; ++c) {
    const float g = gradient[c] + decay * weights[c];
    squares[c] += g * g;
    weights[c] -= rate * g / (std::sqrt(squares[c]) + 1e-8F);
    gradient[c] = 0;
  }
}

class Regression {
 public:
  Regression(const FeatureMatrix& x, std::int64_t classes)
      : x_(x),
        classes_(classes),
        weights_(size(x.columns + 1), 0),
        gradient_(size(x.columns + 1), 0),
        squares_(size(x.columns + 1), 0),
        seen_(static_cast<std::size_t>(x.columns), 0) {}

  /// `annotated`: [all rows x classes].
  void fit(std::vector<std::int64_t> rows, std::span<const std::uint8_t> annotated, std::uint64_t key) {
    start(rows, annotated);
    double norm = 1;  // of a row with the constant, squared
    for (const float value : x_.values) norm += static_cast<double>(value) * value / static_cast<double>(x_.rows());
    const auto rate = static_cast<float>(kRate / std::sqrt(norm));
    const auto epochs = std::clamp<std::int64_t>(kRowSteps / static_cast<std::int64_t>(rows.size()), 4, 40);
    for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
      std::sort(rows.begin(), rows.end(), [&](std::int64_t a, std::int64_t b) {
        const auto of = [&](std::int64_t row) {
          return row_key(key, static_cast<std::uint64_t>(epoch), static_cast<std::uint64_t>(row));
        };
        return of(a) < of(b);
      });
      for (std::size_t i = 0; i < rows.size(); i += kBatch) {
        step(std::span(rows).subspan(i, std::min(kBatch, rows.size() - i)), annotated, rate,
             1 / static_cast<float>(rows.size()));
      }
    }
  }

  void score(std::int64_t row, float* z) const {
    const float* const bias = weights_.data() + size(x_.columns);
    std::copy_n(bias, classes_, z);
    product(columns(row), values(row), stored(row), weights_.data(), classes_, z);
  }

 private:
  static constexpr double kRate = 0.5;
  static constexpr std::int64_t kRowSteps = 60'000;  ///< fewer would leave small data unlearned

  std::size_t size(std::int64_t columns) const { return static_cast<std::size_t>(columns * classes_); }
  std::int64_t first(std::int64_t row) const { return x_.offsets[static_cast<std::size_t>(row)]; }
  std::int64_t stored(std::int64_t row) const { return first(row + 1) - first(row); }
  const std::int32_t* columns(std::int64_t row) const { return x_.indices.data() + first(row); }
  const float* values(std::int64_t row) const { return x_.values.data() + first(row); }
  const std::uint8_t* labels(std::span<const std::uint8_t> annotated, std::int64_t row) const {
    return annotated.data() + row * classes_;
  }

  /// The constant alone is right from the beginning.
  void start(std::span<const std::int64_t> rows, std::span<const std::uint8_t> annotated) {
    std::vector<double> counts(static_cast<std::size_t>(classes_), 0.5);
    for (const std::int64_t row : rows) {
      for (std::int64_t c = 0; c < classes_; ++c) counts[static_cast<std::size_t>(c)] += labels(annotated, row)[c];
    }
    for (std::int64_t c = 0; c < classes_; ++c) {
      const double count = counts[static_cast<std::size_t>(c)];
      weights_[size(x_.columns) + static_cast<std::size_t>(c)] =
          static_cast<float>(std::log(count / (static_cast<double>(rows.size()) + 1 - count)));
    }
  }

  void step(std::span<const std::int64_t> rows, std::span<const std::uint8_t> annotated, float rate, float decay) {
    std::vector<float> z(static_cast<std::size_t>(classes_));
    float* const bias = gradient_.data() + size(x_.columns);
    touched_.clear();
    for (const std::int64_t row : rows) {
      score(row, z.data());
      const auto* const y = labels(annotated, row);
      for (std::int64_t c = 0; c < classes_; ++c) {
        const auto at = static_cast<std::size_t>(c);
        z[at] = 1 / (1 + std::exp(-z[at])) - static_cast<float>(y[c]);
        bias[c] += z[at];
      }
      outer_product(columns(row), values(row), stored(row), z.data(), classes_, gradient_.data());
      for (std::int64_t i = 0; i < stored(row); ++i) {
        auto& mark = seen_[static_cast<std::size_t>(columns(row)[i])];
        if (mark == 0) touched_.push_back(columns(row)[i]);
        mark = 1;
      }
    }
    for (const std::int32_t column : touched_) {
      const auto at = size(column);
      update(&weights_[at], &gradient_[at], &squares_[at], classes_, rate, decay * static_cast<float>(rows.size()));
      seen_[static_cast<std::size_t>(column)] = 0;
    }
    const auto at = size(x_.columns);
    update(&weights_[at], &gradient_[at], &squares_[at], classes_, rate, 0);
  }

  const FeatureMatrix& x_;
  std::int64_t classes_;
  std::vector<float> weights_;  ///< [columns and the constant x classes]
  std::vector<float> gradient_;
  std::vector<float> squares_;  ///< of gradients, summed
  std::vector<std::uint8_t> seen_;
  std::vector<std::int32_t> touched_;  ///< columns of the batch
};

}  // namespace

std::vector<float> held_out_scores(const FeatureMatrix& features, std::span<const std::uint8_t> annotated,
                                   std::int64_t classes, std::uint64_t key) {
  std::vector<float> scores(annotated.size(), 0);
  for (std::uint64_t fold = 0; fold < kFolds; ++fold) {
    std::vector<std::int64_t> fitted;
    std::vector<std::int64_t> held;
    for (std::int64_t row = 0; row < features.rows(); ++row) {
      (row_key(key, kFolds, static_cast<std::uint64_t>(row)) % kFolds == fold ? held : fitted).push_back(row);
    }
    if (fitted.empty() || held.empty()) continue;
    Regression regression(features, classes);
    regression.fit(std::move(fitted), annotated, key);
    for (const std::int64_t row : held) regression.score(row, scores.data() + row * classes);
  }
  return scores;
}

}  // namespace mlpac
