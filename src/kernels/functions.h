// exp and its relatives without branches or calls, so that compilers vectorise the loops they occur in. Errors are a
// few units of the last place; NaN gives NaN.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace mlpac::kernels {

/// exp(x) for x <= 0: x = n ln 2 + r, a polynomial of r (Cephes expf), times 2^n. Below -87 it is exp(-87) = 2e-38.
inline float exp_negative(float x) {
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding it leaves the nearest whole number in the last bits
  x = x < -87.0F ? -87.0F : x;
  const float shifted = x * 1.44269504F + kRound;
  const float n = shifted - kRound;
  const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  float y = 1.9875691500e-4F;
  y = y * r + 1.3981999507e-3F;
  y = y * r + 8.3334519073e-3F;
  y = y * r + 4.1665795894e-2F;
  y = y * r + 1.6666665459e-1F;
  y = y * r + 5.0000001201e-1F;
  const auto exponent = std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(kRound) + 127U;
  return (y * r * r + r + 1.0F) * std::bit_cast<float>(exponent << 23U);
}

/// log(1 + e) for e in [0, 1]: 2 artanh(s), s = e / (2 + e) <= 1/3.
inline float log1p_unit(float e) {
  const float s = e / (2.0F + e);
  const float q = s * s;
  float y = 1.0F / 17;
  y = y * q + 1.0F / 15;
  y = y * q + 1.0F / 13;
  y = y * q + 1.0F / 11;
  y = y * q + 1.0F / 9;
  y = y * q + 1.0F / 7;
  y = y * q + 1.0F / 5;
  y = y * q + 1.0F / 3;
  return 2.0F * s * (y * q + 1.0F);
}

/// log(x) for x >= 2e-38: x = 2^n (1 + e), e in [0, 1).
inline float log_of(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const auto n = static_cast<float>(static_cast<std::int32_t>(bits >> 23U) - 127);
  const float mantissa = std::bit_cast<float>((bits & 0x007fffffU) | 0x3f800000U);
  return n * 0.69314718F + log1p_unit(mantissa - 1.0F);
}

struct Logistic {
  float pi;        ///< 1 / (1 + exp(-z))
  float softplus;  ///< log(1 + exp(z))
};

inline float sigmoid_of(float z) {
  const float e = exp_negative(-std::fabs(z));
  return (z >= 0 ? 1.0F : e) / (1.0F + e);
}

inline Logistic logistic(float z) {
  const float e = exp_negative(-std::fabs(z));
  return {(z >= 0 ? 1.0F : e) / (1.0F + e), (z > 0 ? z : 0.0F) + log1p_unit(e)};
}

}  // namespace mlpac::kernels
