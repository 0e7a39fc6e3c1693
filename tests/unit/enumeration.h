// The expected reward and its policy gradient by brute force: every action and every mask is visited and weighted by
// its probability. Plain loops over doubles that share no code with the library, so that both can be wrong only
// independently. Shared by the tests of the exact objective, of REINFORCE and of the rewards.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "core/random.h"
#include "mlpac/rewards.h"
#include "nn/torch.h"

namespace mlpac::enumeration {

using Row = std::vector<double>;

/// Counts as the formulas of the paper write them: 0/0 is 0.
inline double ratio(double part, double whole) { return whole == 0 ? 0 : part / whole; }

inline double naive_local(const Row& a, const Row& k, const Row& m, Normalisation normalisation) {
  double sum = 0, positive = 0, negative = 0, falses = 0, trues = 0, kept = 0, positive_masked = 0;
  for (std::size_t c = 0; c < a.size(); ++c) {
    const bool is_true = a[c] == 1;
    sum += m[c] * (is_true ? k[c] : -k[c]);
    (is_true ? trues : falses) += 1;
    if (is_true) {
      positive += k[c];
      positive_masked += m[c] * k[c];
    } else {
      negative -= m[c] * k[c];
      kept += m[c];
    }
  }
  switch (normalisation) {
    case Normalisation::paper_mean:
      return sum / static_cast<double>(a.size());
    case Normalisation::none:
      return sum;
    case Normalisation::docre_count:
      return positive_masked + ratio(negative, falses);
    case Normalisation::image_means:
      return ratio(positive, trues) + ratio(negative, kept);
  }
  return NAN;
}

inline double naive_global(const Row& a, const Row& y, const RewardSpec& spec) {
  double hits = 0, annotated = 0, trues = 0, others = 0, others_false = 0;
  for (std::size_t c = 0; c < a.size(); ++c) {
    trues += a[c];
    if (y[c] > 0) {
      annotated += 1;
      hits += a[c];
    } else {
      others += 1;
      others_false += 1 - a[c];
    }
  }
  const double recall = ratio(hits, annotated);
  const double precision = ratio(hits, trues);
  switch (spec.global) {
    case GlobalReward::recall:
    case GlobalReward::batch_recall:  // of a batch of one row
      return recall;
    case GlobalReward::precision:
      return precision;
    case GlobalReward::f1:
      return ratio(2 * precision * recall, precision + recall);
    case GlobalReward::recall_plus_negative:
      return recall + spec.negative_recall * ratio(others_false, others);
    case GlobalReward::none:
      return 0;
  }
  return NAN;
}

inline double naive_reward(const Row& a, const Row& k, const Row& y, const Row& m, double w, const RewardSpec& spec) {
  return (spec.local ? naive_local(a, k, m, spec.normalisation) : 0) + w * naive_global(a, y, spec);
}

/// -E[R] and its policy gradient -sum p(m) pi(a) R g_c (a_c - pi_c), with g = m if the log-probability is masked.
struct Expectation {
  double value = 0;
  Row gradient;
};

/// Calls visit(bits, probability) for every 0/1 vector with independent entries; impossible ones are left out.
template <typename Visit>
void for_all(const Row& probabilities, const Visit& visit) {
  const std::size_t n = probabilities.size();
  Row bits(n);
  for (std::uint64_t code = 0; code < (std::uint64_t{1} << n); ++code) {
    double probability = 1;
    for (std::size_t c = 0; c < n; ++c) {
      bits[c] = static_cast<double>((code >> c) & 1);
      probability *= bits[c] == 1 ? probabilities[c] : 1 - probabilities[c];
    }
    if (probability > 0) visit(bits, probability);
  }
}

inline Expectation expectation(const Row& z, const Row& k, const Row& y, const Row& mask, double w,
                               const RewardSpec& spec) {
  Expectation result{0, Row(z.size(), 0.0)};
  Row pi;
  for (const double x : z) pi.push_back(1 / (1 + std::exp(-x)));
  for_all(mask, [&](const Row& m, double mask_probability) {
    for_all(pi, [&](const Row& a, double action_probability) {
      const double weighted = mask_probability * action_probability * naive_reward(a, k, y, m, w, spec);
      result.value -= weighted;
      for (std::size_t c = 0; c < z.size(); ++c) {
        result.gradient[c] -= weighted * (spec.mask_logprob ? m[c] : 1) * (a[c] - pi[c]);
      }
    });
  });
  return result;
}

/// Uniform draws in [low, high) as a double tensor, keyed by a name: the same on every machine.
inline at::Tensor draws(at::IntArrayRef shape, const std::string& name, double low = 0, double high = 1) {
  auto out = at::empty(shape, at::TensorOptions(at::kDouble));
  const auto key = stream_key(1, name);
  auto* data = out.data_ptr<double>();
  for (std::int64_t i = 0; i < out.numel(); ++i) {
    data[i] = low + (high - low) * unit_double(bits_at(key, static_cast<std::uint64_t>(i)));
  }
  return out;
}

inline Row row_of(const at::Tensor& matrix, std::int64_t row) {
  const auto values = matrix.select(0, row).to(at::kDouble).contiguous();
  return {values.data_ptr<double>(), values.data_ptr<double>() + values.numel()};
}

/// Every combination of the switches of a reward.
inline std::vector<RewardSpec> all_specs() {
  std::vector<RewardSpec> specs;
  for (const auto normalisation :
       {Normalisation::paper_mean, Normalisation::docre_count, Normalisation::image_means, Normalisation::none}) {
    for (const auto global : {GlobalReward::recall, GlobalReward::precision, GlobalReward::f1,
                              GlobalReward::recall_plus_negative, GlobalReward::none}) {
      for (int switches = 0; switches < 8; ++switches) {
        RewardSpec spec;
        spec.normalisation = normalisation;
        spec.global = global;
        spec.local = (switches & 1) != 0;
        spec.mask_logprob = (switches & 2) != 0;
        spec.reduction = (switches & 4) != 0 ? Reduction::sum : Reduction::mean;
        specs.push_back(spec);
      }
    }
  }
  return specs;
}

inline std::string describe(const RewardSpec& spec) {
  return std::string(normalisations()[static_cast<std::size_t>(spec.normalisation)].name) + ", " +
         std::string(global_rewards()[static_cast<std::size_t>(spec.global)].name) +
         (spec.local ? ", local" : ", no local") + (spec.mask_logprob ? ", masked log-probability" : "") +
         (spec.reduction == Reduction::sum ? ", sum" : ", mean");
}

}  // namespace mlpac::enumeration
