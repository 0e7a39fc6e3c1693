// Where to draw the line between TRUE and FALSE, seen from annotated positives alone.
#pragma once

#include <span>
#include <vector>

#include "mlpac/prior.h"

namespace mlpac {

/// The threshold, as log-odds, with the best F1 estimated from annotations and the prior (see estimated_f1); scores of
/// near thresholds are averaged, because a single annotation can move one.
double best_threshold(const ScoreCurve& curve, double prior);

/// Thresholds of single classes, given the curve of each and the common threshold: those that raise the F1 of all
/// decisions together. Every class is taken to be annotated as completely as any other. A class keeps the common
/// threshold unless another one gains more than a standard error, which a class with few annotations rarely does.
std::vector<double> class_thresholds(std::span<const ScoreCurve> classes, double threshold, double prior);

/// Share of the entries above a threshold, and the threshold (log-odds) above which a share lies, as nearly as bins go.
double rate_above(const ScoreCurve& curve, double threshold);
double threshold_of_rate(const ScoreCurve& curve, double rate);

/// Share of the annotations among so large a share of the entries, those with the highest log-odds; the mean over
/// shares from two thirds to one and a half times as large, because a single annotation can move one. It compares how
/// two models order the same entries: neither a prior nor a threshold is needed.
double recall_around(const ScoreCurve& curve, double rate);

/// How far up the annotations of each class are ranked: -log of the share of the class's entries above one, the mean of
/// a class, the mean over the classes that have annotations; 1 in random order. It compares how two models order the
/// entries of each class, however rare. Average precision would, too, but there a single annotation that happens to be
/// the first of its class outweighs all others.
double mean_log_rank(std::span<const ScoreCurve> classes);

}  // namespace mlpac
