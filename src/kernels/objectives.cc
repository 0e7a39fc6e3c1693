// Expectations in closed form: cross entropy and linear rewards, value and gradient in one go.
#include <algorithm>

#include "kernels/clones.h"
#include "kernels/functions.h"
#include "kernels/kernels.h"

namespace mlpac::kernels {

namespace {

constexpr std::int64_t kBlock = 1024;  // float32 sums of at most this many terms

}  // namespace

MLPAC_CLONES void sigmoid(float* out, const float* z, std::int64_t count) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) out[i] = sigmoid_of(z[i]);
}

MLPAC_CLONES double cross_entropy(const float* z, const float* y, float* gradient, std::int64_t count,
                                  float positive_weight, float scale) {
  double total = 0;
  for (std::int64_t first = 0; first < count; first += kBlock) {
    const auto last = std::min(count, first + kBlock);
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t i = first; i < last; ++i) {
      const auto [pi, softplus] = logistic(z[i]);
      const bool positive = y[i] > 0;
      sum += positive ? positive_weight * (softplus - z[i]) : softplus;
      gradient[i] = scale * (positive ? positive_weight * (pi - 1.0F) : pi);
    }
    total += sum;
  }
  return scale * total;
}

MLPAC_CLONES TaughtSums taught_cross_entropy(const float* own, const float* other, const float* y, float* gradient,
                                             std::int64_t count, float eps, float scale) {
  TaughtSums sums;
  for (std::int64_t first = 0; first < count; first += kBlock) {
    const auto last = std::min(count, first + kBlock);
    float loss = 0;
    float total = 0;
#pragma omp simd reduction(+ : loss, total)
    for (std::int64_t i = first; i < last; ++i) {
      const float belief = sigmoid_of(other[i]);
      const float pi = sigmoid_of(own[i]);
      const float rest = sigmoid_of(-own[i]);  // 1 - pi would lose its digits where pi is near 1
      const float up = belief + (y[i] > 0 ? 1.0F : 0.0F);
      const float down = 1.0F - belief + (y[i] < 0 ? 1.0F : 0.0F);
      loss -= up * log_of(pi + eps) + down * log_of(rest + eps);
      total += pi;
      gradient[i] = scale * pi * rest * (down / (rest + eps) - up / (pi + eps));
    }
    sums.loss += loss;
    sums.pi += total;
  }
  sums.loss *= scale;
  return sums;
}

MLPAC_CLONES void add_sigmoid_slope(float* gradient, const float* z, std::int64_t count, float factor) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) {
    const float pi = sigmoid_of(z[i]);
    gradient[i] += factor * pi * (1.0F - pi);
  }
}

MLPAC_CLONES void critic_value(float* k, const float* critic_z, const float* y, std::int64_t count) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) {
    const float low = critic_z[i] < -1.0F ? -1.0F : critic_z[i];
    const float value = low > 1.0F ? 1.0F : low;
    k[i] = y[i] < 0 ? -1.0F : value;
  }
}

MLPAC_CLONES void mask_probability(float* mask, const float* y, std::int64_t count, float rho) {
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) mask[i] = y[i] != 0 ? 1.0F : rho;
}

MLPAC_CLONES ObjectiveSums exact_linear(const Rewarded& batch, const float* mask, const LinearReward& reward,
                                        float* gradient) {
  const auto own = reward;
  const auto classes = batch.classes;
  const auto* const z = batch.z;
  // Over all rows at once: a row may be shorter than a vector.
#pragma omp simd
  for (std::int64_t i = 0; i < batch.rows * classes; ++i) gradient[i] = sigmoid_of(z[i]);
  ObjectiveSums sums;
  for (std::int64_t row = 0; row < batch.rows; ++row) {
    const auto* const y = batch.y + row * classes;
    const auto* const k = batch.k + row * classes;
    const auto* const m = mask + row * classes;
    auto* const g = gradient + row * classes;  // holds pi
    float annotated = 0;
#pragma omp simd reduction(+ : annotated)
    for (std::int64_t c = 0; c < classes; ++c) annotated += y[c] > 0 ? 1.0F : 0.0F;
    const float others = static_cast<float>(classes) - annotated;
    const float true_worth = own.recall / std::max(annotated, 1.0F);
    const float false_worth = own.negative / std::max(others, 1.0F);
    float local = 0;
    float global = 0;
#pragma omp simd reduction(+ : local, global)
    for (std::int64_t c = 0; c < classes; ++c) {
      const float pi = g[c];
      const bool positive = y[c] > 0;
      const float worth = own.local * m[c] * k[c];
      local += worth * (2.0F * pi - 1.0F);
      global += positive ? true_worth * pi : false_worth * (1.0F - pi);
      const float pull = own.w * (own.mask_logprob ? m[c] : 1.0F) * (positive ? true_worth : -false_worth);
      g[c] = -own.scale * (2.0F * worth + pull) * pi * (1.0F - pi);
    }
    sums.local += local;
    sums.global += global;
  }
  sums.loss = -own.scale * (sums.local + own.w * sums.global);
  return sums;
}

}  // namespace mlpac::kernels
