#include <cmath>

#include "kernels/clones.h"
#include "kernels/kernels.h"

namespace mlpac::kernels {

MLPAC_CLONES void adam_update(float* p, const float* g, float* m, float* v, std::int64_t count,
                              const AdamCoefficients<float>& c) {
  const auto own = c;  // a copy: stores to p, m and v could change the original
#pragma omp simd
  for (std::int64_t i = 0; i < count; ++i) {
    const float x = g[i] * own.gradient_scale + own.l2 * p[i];
    m[i] = own.beta1 * m[i] + own.rest1 * x;
    v[i] = own.beta2 * v[i] + own.rest2 * x * x;
    p[i] = (p[i] * own.keep - own.rate * m[i] / (std::sqrt(v[i]) * own.correction + own.eps)) * own.keep_after;
  }
}

}  // namespace mlpac::kernels
