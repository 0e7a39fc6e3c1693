// The draws behind everything random. The check values are those of the reference data, so a change of the rule cannot
// pass unnoticed; the rest makes sure that keys that differ a little give draws that differ entirely.
#include "core/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

namespace mlpac {
namespace {

constexpr std::array<std::uint64_t, 5> kIndices{0, 1, 2, 3, 63};

struct CheckRow {
  std::string_view name;
  std::uint64_t seed;
  std::string_view kind;
  float scale;
  std::array<float, 5> expected;
};

float filled(std::string_view kind, float scale, std::uint64_t bits) {
  const float u = unit_float(bits);
  if (kind == "unit") return u;
  if (kind == "sym") return scale * (2 * u - 1);
  if (kind == "pos") return 0.5F + u;
  return (0.5F + u) * ((bits & 3U) == 0 ? -1.0F : 1.0F);
}

TEST(Random, CheckValuesOfTheReferenceData) {
  const std::vector<CheckRow> rows{
      {"image", 11, "unit", 1, {0.82341826F, 0.28026098F, 0.371681154F, 0.785052478F, 0.0306400061F}},
      {"model.embeddings.word_embeddings.weight",
       71,
       "sym",
       1,
       {-0.121801257F, -0.100322962F, 0.695527077F, 0.869107842F, -0.903062701F}},
      {"body.conv1.1.weight", 11, "signed", 1, {-0.940342784F, -0.606404245F, 0.559152663F, 0.571172714F, 1.14071202F}},
      {"body.conv1.1.running_var", 11, "pos", 1, {1.10588157F, 0.797720373F, 0.549464047F, 1.42428756F, 1.37528062F}},
      {"bilinear.weight",
       71,
       "sym",
       0.1F,
       {-0.047606837F, 0.071288459F, -0.0498350523F, 0.0376933813F, -0.0281563401F}},
  };
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < kIndices.size(); ++i) {
      EXPECT_EQ(filled(row.kind, row.scale, bits_at(stream_key(row.seed, row.name), kIndices[i])), row.expected[i])
          << row.name << ' ' << kIndices[i];
    }
  }
}

TEST(Random, HashOfNames) {
  // Published values of FNV-1a.
  static_assert(fnv1a64("") == 0xcbf29ce484222325ULL);
  static_assert(fnv1a64("a") == 0xaf63dc4c8601ec8cULL);
  static_assert(fnv1a64("foobar") == 0x85944171f73967e8ULL);
  // The first output of SplitMix64 with state 0.
  static_assert(bits_at(0, 0) == 0xe220a8397b1dcdafULL);
}

TEST(Random, UnitNumbersStayBelowOne) {
  constexpr std::uint64_t kOnes = ~std::uint64_t{0};
  static_assert(unit_float(0) == 0 && unit_double(0) == 0);
  static_assert(unit_float(kOnes) < 1 && unit_double(kOnes) < 1);
  static_assert(unit_float(kOnes) == 1 - 0x1p-24F);
}

/// Chi-square statistic of `draws` numbers in `bins` cells, as standard deviations from its mean.
template <typename Draw>
double uniformity(std::size_t draws, std::size_t bins, Draw draw) {
  std::vector<double> counts(bins);
  for (std::size_t i = 0; i < draws; ++i) counts[static_cast<std::size_t>(draw(i) * static_cast<double>(bins))] += 1;
  const double expected = static_cast<double>(draws) / static_cast<double>(bins);
  double chi = 0;
  for (const double count : counts) chi += (count - expected) * (count - expected) / expected;
  const auto freedom = static_cast<double>(bins - 1);
  return (chi - freedom) / std::sqrt(2 * freedom);
}

template <typename A, typename B>
double correlation(std::size_t draws, A a, B b) {
  double sum = 0;
  for (std::size_t i = 0; i < draws; ++i) sum += (a(i) - 0.5) * (b(i) - 0.5) * 12;
  return sum / std::sqrt(static_cast<double>(draws));  // standard normal if independent
}

TEST(Random, UniformAlongEveryPartOfTheKey) {
  constexpr std::size_t kDraws = 100'000;
  const std::uint64_t stream = stream_key(1, "mask");
  const auto along_index = [&](std::size_t i) { return double{unit_float(bits_at(row_key(stream, 0, 0), i))}; };
  const auto along_row = [&](std::size_t i) { return double{unit_float(bits_at(row_key(stream, 0, i), 0))}; };
  const auto along_epoch = [&](std::size_t i) { return double{unit_float(bits_at(row_key(stream, i, 0), 0))}; };
  const auto along_seed = [&](std::size_t i) {
    return double{unit_float(bits_at(row_key(stream_key(i, "mask"), 0, 0), 0))};
  };
  EXPECT_LT(std::abs(uniformity(kDraws, 128, along_index)), 5);
  EXPECT_LT(std::abs(uniformity(kDraws, 128, along_row)), 5);
  EXPECT_LT(std::abs(uniformity(kDraws, 128, along_epoch)), 5);
  EXPECT_LT(std::abs(uniformity(kDraws, 128, along_seed)), 5);
  EXPECT_LT(std::abs(correlation(kDraws, along_index, along_row)), 5);
  EXPECT_LT(std::abs(correlation(kDraws, along_row, along_epoch)), 5);
  EXPECT_LT(std::abs(correlation(kDraws, along_row, [&](std::size_t i) { return along_row(i + 1); })), 5);
  EXPECT_LT(std::abs(correlation(kDraws, along_index, [&](std::size_t i) { return along_index(i + 1); })), 5);
}

TEST(Random, StreamsAndSeedsAreIndependent) {
  constexpr std::size_t kDraws = 100'000;
  const auto draw = [](std::uint64_t seed, std::string_view name) {
    const std::uint64_t key = row_key(stream_key(seed, name), 3, 5);
    return [key](std::size_t i) { return double{unit_float(bits_at(key, i))}; };
  };
  EXPECT_LT(std::abs(correlation(kDraws, draw(1, "mask"), draw(1, "actions"))), 5);
  EXPECT_LT(std::abs(correlation(kDraws, draw(1, "mask"), draw(2, "mask"))), 5);
  EXPECT_LT(std::abs(correlation(kDraws, draw(0, "mask"), draw(1, "mask"))), 5);
}

TEST(Random, RowKeysDoNotCollide) {
  std::set<std::uint64_t> keys;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    for (const std::string_view name : {"mask", "actions"}) {
      for (std::uint64_t epoch = 0; epoch < 30; ++epoch) {
        for (std::uint64_t row = 0; row < 100; ++row) keys.insert(row_key(stream_key(seed, name), epoch, row));
      }
    }
  }
  EXPECT_EQ(keys.size(), std::size_t{4} * 2 * 30 * 100);
}

TEST(Random, NormalDrawsHaveTheMomentsOfTheNormal) {
  constexpr int kDraws = 200'000;
  const std::uint64_t key = stream_key(7, "noise");
  std::array<double, 5> moments{};
  int beyond_two = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = normal_at(key, static_cast<std::uint64_t>(i));
    ASSERT_TRUE(std::isfinite(x));
    beyond_two += std::abs(x) > 2 ? 1 : 0;
    double power = 1;
    for (double& moment : moments) moment += (power *= x) / kDraws;
  }
  // Five standard errors of each moment: sqrt((E x^2k - (E x^k)^2) / n).
  const double n = std::sqrt(kDraws);
  EXPECT_NEAR(moments[0], 0, 5 / n);
  EXPECT_NEAR(moments[1], 1, 5 * std::sqrt(2.0) / n);
  EXPECT_NEAR(moments[2], 0, 5 * std::sqrt(15.0) / n);
  EXPECT_NEAR(moments[3], 3, 5 * std::sqrt(96.0) / n);
  EXPECT_NEAR(static_cast<double>(beyond_two) / kDraws, 0.0455, 0.0025);
}

TEST(Random, BetaDrawsHaveTheMomentsOfBeta) {
  constexpr int kDraws = 20'000;
  for (const double shape : {0.001, 0.3, 1.0, 4.0, 1000.0}) {
    double mean = 0;
    double square = 0;
    for (int i = 0; i < kDraws; ++i) {
      const double x = beta_at(row_key(stream_key(1, "beta"), 0, static_cast<std::uint64_t>(i)), shape);
      ASSERT_TRUE(x >= 0 && x <= 1) << x;
      mean += x / kDraws;
      square += x * x / kDraws;
    }
    const double variance = 1 / (4 * (2 * shape + 1));
    EXPECT_NEAR(mean, 0.5, 5 * std::sqrt(variance / kDraws)) << shape;
    EXPECT_NEAR(square - mean * mean, variance, 0.04 * variance) << shape;
  }
}

}  // namespace
}  // namespace mlpac
