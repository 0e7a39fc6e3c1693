// REINFORCE without a tensor of samples: one row at a time, all its samples side by side.
#include <algorithm>
#include <vector>

#include "core/random.h"
#include "kernels/clones.h"
#include "kernels/functions.h"
#include "kernels/kernels.h"

namespace mlpac::kernels {

namespace {

/// One row: its samples side by side.
struct Samples {
  std::vector<float> local, global;        ///< reward of every sample
  std::vector<float> mask_draws, actions;  ///< draws of one class
  std::vector<float> kept;                 ///< [classes x samples]: 1 in the mask
  std::vector<float> taken;                ///< 1 in the mask and TRUE
};

/// Elements first + t * step of the sequence, t = 0, 1, ...: unit_float(bits_at()) of core/random.h.
MLPAC_CLONES void draw(float* out, std::uint64_t first, std::uint64_t step, std::int64_t count) {
#pragma omp simd
  for (std::int64_t t = 0; t < count; ++t) {
    const auto bits = mix64(first + static_cast<std::uint64_t>(t) * step) >> 40U;
    out[t] = static_cast<float>(static_cast<std::int32_t>(bits)) * 0x1p-24F;
  }
}

/// What one class is worth, and its probabilities.
struct Class {
  float pi, mask, local, when_true, when_false;
  float at_least;  ///< 1: the log-probability of a class outside the mask counts, too
};

MLPAC_CLONES void add_class(const Class& which, std::int64_t samples, const float* mask_draws, const float* actions,
                            float* local, float* global, float* kept, float* taken) {
  const auto own = which;
#pragma omp simd
  for (std::int64_t t = 0; t < samples; ++t) {
    const float in = mask_draws[t] <= own.mask ? 1.0F : 0.0F;
    const float is_true = actions[t] < own.pi ? 1.0F : 0.0F;
    local[t] += in * own.local * (2.0F * is_true - 1.0F);
    global[t] += is_true * own.when_true + (1.0F - is_true) * own.when_false;
    kept[t] = in > own.at_least ? in : own.at_least;
    taken[t] = kept[t] * is_true;
  }
}

struct Pair {
  float with_a, without_a;
};

/// sum_t R_t m_t a_t and sum_t R_t m_t
MLPAC_CLONES Pair weigh(const float* reward, const float* kept, const float* taken, std::int64_t samples) {
  float with_a = 0;
  float without_a = 0;
#pragma omp simd reduction(+ : with_a, without_a)
  for (std::int64_t t = 0; t < samples; ++t) {
    with_a += reward[t] * taken[t];
    without_a += reward[t] * kept[t];
  }
  return {with_a, without_a};
}

}  // namespace

ObjectiveSums reinforce_linear(const Rewarded& batch, const float* pi, const float* mask, const SampleKeys& keys,
                               const LinearReward& reward, float* gradient) {
  const auto classes = batch.classes;
  const auto samples = keys.samples;
  const auto size = static_cast<std::size_t>(samples);
  Samples drawn;
  drawn.kept.resize(size * static_cast<std::size_t>(classes));
  drawn.taken.resize(drawn.kept.size());
  drawn.mask_draws.resize(size);
  drawn.actions.resize(size);
  const auto step = static_cast<std::uint64_t>(classes) * kGolden;
  ObjectiveSums sums;
  for (std::int64_t row = 0; row < batch.rows; ++row) {
    const auto at = row * classes;
    const auto annotated =
        static_cast<float>(std::count_if(batch.y + at, batch.y + at + classes, [](float y) { return y > 0; }));
    const float true_worth = reward.true_worth(annotated);
    const float false_worth = reward.negative / std::max(static_cast<float>(classes) - annotated, 1.0F);
    drawn.local.assign(size, 0);
    drawn.global.assign(size, 0);
    for (std::int64_t c = 0; c < classes; ++c) {
      const bool positive = batch.y[at + c] > 0;
      const Class own{pi[at + c],
                      mask[at + c],
                      reward.local * batch.k[at + c],
                      positive ? true_worth : 0.0F,
                      positive ? 0.0F : false_worth,
                      reward.mask_logprob ? 0.0F : 1.0F};
      const auto first = (static_cast<std::uint64_t>(c) + 1) * kGolden;  // as in bits_at
      draw(drawn.mask_draws.data(), keys.mask[row] + first, step, samples);
      draw(drawn.actions.data(), keys.actions[row] + first, step, samples);
      add_class(own, samples, drawn.mask_draws.data(), drawn.actions.data(), drawn.local.data(), drawn.global.data(),
                drawn.kept.data() + c * samples, drawn.taken.data() + c * samples);
    }
    for (std::size_t t = 0; t < size; ++t) {
      sums.local += drawn.local[t];
      sums.global += drawn.global[t];
      drawn.local[t] = (drawn.local[t] + reward.w * drawn.global[t]) / static_cast<float>(samples);
    }
    for (std::int64_t c = 0; c < classes; ++c) {
      const auto pair =
          weigh(drawn.local.data(), drawn.kept.data() + c * samples, drawn.taken.data() + c * samples, samples);
      // log pi_c(a) = a z - softplus(z)
      const float z = batch.z[at + c];
      sums.loss -= reward.scale * (pair.with_a * z - pair.without_a * logistic(z).softplus);
      gradient[at + c] = -reward.scale * (pair.with_a - pair.without_a * pi[at + c]);
    }
  }
  sums.local /= static_cast<double>(samples);
  sums.global /= static_cast<double>(samples);
  return sums;
}

}  // namespace mlpac::kernels
