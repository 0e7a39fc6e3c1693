// The inner loops of training on the CPU, on plain float32 arrays: no LibTorch header, so that they are compiled with
// flags of their own (CMakeLists.txt) and for several instruction sets (clones.h). What they compute is defined by the
// tensor code of their callers, which serves every other device and type.
#pragma once

#include <cstdint>

namespace mlpac::kernels {

// ---- Adam ----

/// The numbers of one update that all elements share. The complements 1 - beta are numbers of their own: formed in
/// float32, 1 - 0.999 would be wrong in the fifth digit and no longer match the bias correction.
template <typename T>
struct AdamCoefficients {
  T beta1, beta2, rest1, rest2, gradient_scale, l2, keep, keep_after, rate, correction, eps;
};

/// Value p, gradient g, moments m and v: one pass over memory, no temporary.
void adam_update(float* p, const float* g, float* m, float* v, std::int64_t count, const AdamCoefficients<float>& c);

// ---- layers ----

/// out[j] = sum over i < count, in this order, of factors[i] * matrix[rows[i] * width + j]
void weighted_rows(float* out, const float* matrix, const std::int32_t* rows, const float* factors, std::int64_t count,
                   std::int64_t width);
/// Every row of x + bias, and negative numbers set to 0 if `relu`.
void add_bias(float* x, const float* bias, std::int64_t rows, std::int64_t width, bool relu);
/// The gradient of ReLU (and of dropout after it): `scale` times g where the output was above 0.
void relu_gradient(float* g, const float* output, std::int64_t count, float scale);
/// sums[j] = sum over the rows of x
void column_sums(float* sums, const float* x, std::int64_t rows, std::int64_t width);

// ---- objectives: they fill the gradient with respect to z ----

void sigmoid(float* out, const float* z, std::int64_t count);
/// scale * sum of the cross entropy; terms of positives (y > 0) weigh `positive_weight`.
double cross_entropy(const float* z, const float* y, float* gradient, std::int64_t count, float positive_weight,
                     float scale);

struct TaughtSums {
  double loss = 0;  ///< scaled
  double pi = 0;    ///< sum of probabilities
};
/// scale * sum of (1[y > 0] + other) * -log(own + eps) + (1[y < 0] + 1 - other) * -log(1 - own + eps), in probabilities
/// of the two logits; the gradient is that of `own`.
TaughtSums taught_cross_entropy(const float* own, const float* other, const float* y, float* gradient,
                                std::int64_t count, float eps, float scale);
/// gradient += factor * slope of the sigmoid at z
void add_sigmoid_slope(float* gradient, const float* z, std::int64_t count, float factor);

/// k as rewards.h defines it.
void critic_value(float* k, const float* critic_z, const float* y, std::int64_t count);
/// 1 where y is known, rho elsewhere.
void mask_probability(float* mask, const float* y, std::int64_t count, float rho);

/// A batch of which the policy is rewarded; everything [rows x classes].
struct Rewarded {
  const float* z;
  const float* k;
  const float* y;
  std::int64_t rows, classes;
};

/// A reward that is linear in the actions:
/// R = local sum_c m_c (2 a_c - 1) k_c + w (share of the annotated that is TRUE + negative * share of the others that
/// is FALSE).
struct LinearReward {
  float local;
  float w;
  float recall;  ///< 1 or 0
  float negative;
  bool mask_logprob;
  float scale;  ///< of the loss, from the sum over rows
};

struct ObjectiveSums {
  double loss = 0;    ///< scaled
  double local = 0;   ///< sums over rows
  double global = 0;  ///< without w
};

ObjectiveSums exact_linear(const Rewarded& batch, const float* mask, const LinearReward& reward, float* gradient);

/// Keys of the draws of every row (core/random.h), and how many samples are drawn.
struct SampleKeys {
  const std::uint64_t* mask;
  const std::uint64_t* actions;
  std::int64_t samples;
};

/// REINFORCE with keyed draws; `mask` holds probabilities, `pi` the policy's.
ObjectiveSums reinforce_linear(const Rewarded& batch, const float* pi, const float* mask, const SampleKeys& keys,
                               const LinearReward& reward, float* gradient);

}  // namespace mlpac::kernels
