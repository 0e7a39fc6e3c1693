// How many entries can at most be truly positive, seen from annotated positives alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mlpac {

/// Counts of log-odds in bins: of all entries and of the annotated ones. The edge in the middle is log-odds 0.
class ScoreCurve {
 public:
  static constexpr std::int64_t kBins = 96;
  static constexpr double kBinsPerUnit = 4;

  ScoreCurve() : annotated(kBins, 0), entries(kBins, 0) {}
  void add(const ScoreCurve& other);

  /// The bin that log-odds lie in, and the log-odds in the middle of a bin.
  static std::size_t bin_of(double log_odds);
  static double centre_of(std::size_t bin);

  std::vector<std::int64_t> annotated;
  std::vector<std::int64_t> entries;
};

/// An upper bound of the share of entries that is truly positive. At any threshold, TRUE entries make up a share q and
/// find a share r of the annotations; positives are annotated at random, so the precision is r prior / q, and because
/// it is at most 1, prior <= q / r. The least such bound is taken, with r lowered by a standard error: the minimum
/// over many thresholds of a noisy ratio would otherwise be too small. It is then multiplied by 0.8: the surest
/// predictions are not all right either. Never less than the share that is annotated,
/// and otherwise at most 0.5: data in which most entries are positive are not what this is for.
double bound_of_prior(const ScoreCurve& curve);

/// The middle, by ratio, between the share that is annotated and a bound of the share that is positive: as many times
/// too large at worst as too small. For models whose surest predictions are often wrong, so that the bound is far too
/// large.
double middle_prior(double annotated_share, double bound);
/// The same with the annotated share of the curve's entries.
double middle_prior(const ScoreCurve& curve, double bound);

}  // namespace mlpac
