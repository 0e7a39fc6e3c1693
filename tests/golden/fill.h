// Weights and images that are not stored but computed by a rule (see "Weights by rule" of the reference data).
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>

namespace mlpac::golden {

/// kind: unit, sym, pos, signed or zero; float32, bit for bit what the rule says.
at::Tensor fill(const std::string& name, at::IntArrayRef shape, std::uint64_t seed, const std::string& kind,
                float scale = 1);

}  // namespace mlpac::golden
