// The score that chooses epoch and w without complete labels, and the memory of the best so far.
#include "mlpac/selection.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "mlpac/error.h"
#include "mlpac/thresholds.h"

namespace mlpac {
namespace {

Counts counts(std::int64_t tp, std::int64_t fp, std::int64_t fn, std::int64_t tn) {
  Counts result;
  result.true_positive = tp;
  result.false_positive = fp;
  result.false_negative = fn;
  result.true_negative = tn;
  return result;
}

/// The score with a prior that only estimated-f1 looks at.
double score_of(SelectionRule rule, const SelectionEvidence& evidence, std::int64_t epoch, double prior = 0.1) {
  return selection_score(rule, evidence, epoch, prior);
}

TEST(SelectionRules, NamesGoBothWays) {
  ASSERT_EQ(selection_rules().size(), 8U);
  for (const auto& rule : selection_rules()) {
    EXPECT_EQ(selection_name(parse_selection(rule.name)), rule.name);
    EXPECT_FALSE(rule.summary.empty());
  }
  EXPECT_THROW(parse_selection("test"), UsageError);
  EXPECT_EQ(parse_selection("lee-liu"), SelectionRule::lee_liu);
  EXPECT_EQ(parse_selection("last"), SelectionRule::last);
}

TEST(SelectionScore, LeeLiuByHand) {
  // 8 of 10 annotations found, 20 of 100 entries TRUE: 0.8^2 / 0.2 = 3.2.
  const SelectionEvidence evidence{counts(8, 12, 2, 78), {}, {}};
  EXPECT_DOUBLE_EQ(score_of(SelectionRule::lee_liu, evidence, 0), 3.2);
  // Everything TRUE scores 1 whatever the labels; nothing TRUE and nothing annotated score 0.
  EXPECT_DOUBLE_EQ(lee_liu(counts(10, 90, 0, 0)), 1);
  EXPECT_DOUBLE_EQ(lee_liu(counts(0, 0, 10, 90)), 0);
  EXPECT_DOUBLE_EQ(lee_liu(counts(0, 20, 0, 80)), 0);
  EXPECT_DOUBLE_EQ(lee_liu(Counts{}), 0);
}

TEST(SelectionScore, EachRuleLooksAtItsOwnLabels) {
  SelectionEvidence evidence{counts(8, 12, 2, 78), counts(15, 5, 10, 70), counts(30, 10, 10, 50)};
  EXPECT_DOUBLE_EQ(score_of(SelectionRule::partial_f1, evidence, 4), 100.0 * 16 / 30);
  EXPECT_DOUBLE_EQ(score_of(SelectionRule::full_dev, evidence, 4), 100.0 * 30 / 45);
  EXPECT_DOUBLE_EQ(score_of(SelectionRule::oracle, evidence, 4), 75);
  // Lee-Liu only tells candidates of the same epoch apart: 0.8^2 / 0.2 = 3.2.
  EXPECT_DOUBLE_EQ(score_of(SelectionRule::last, evidence, 4), 4 + 3.2 / 4.2);
  evidence.annotated = counts(0, 0, 10, 90);
  EXPECT_DOUBLE_EQ(score_of(SelectionRule::last, evidence, 5), 5);
}

TEST(SelectionScore, MissingLabelsAreAnErrorThatSaysWhichOption) {
  const SelectionEvidence evidence{counts(1, 1, 1, 1), {}, {}};
  const auto message = [&](SelectionRule rule) {
    try {
      score_of(rule, evidence, 0);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message(SelectionRule::full_dev).find("--ratio"), std::string::npos);
  EXPECT_NE(message(SelectionRule::oracle).find("--test"), std::string::npos);
  EXPECT_EQ(message(SelectionRule::lee_liu), "");
  EXPECT_EQ(message(SelectionRule::partial_f1), "");
  EXPECT_EQ(message(SelectionRule::last), "");
}

TEST(SelectionScore, LeeLiuSeesATradeOffThatPartialF1DoesNot) {
  // 1000 entries, 100 truly positive, a random tenth of them annotated. A timid model finds 30 of the positives and
  // makes no mistake; a good one finds 90 with 10 mistakes. Annotations are hit in proportion.
  const auto timid_truth = counts(30, 0, 70, 900);
  const auto good_truth = counts(90, 10, 10, 890);
  ASSERT_GT(good_truth.f1(), timid_truth.f1() + 40);
  const SelectionEvidence timid{counts(3, 27, 7, 963), {}, {}};
  const SelectionEvidence good{counts(9, 91, 1, 899), {}, {}};
  // Against the annotations alone the good model's true positives look like mistakes, so F1 hardly tells them apart
  // and prefers the timid one once a little recall is missed by chance.
  const SelectionEvidence good_unlucky{counts(7, 93, 3, 897), {}, {}};
  EXPECT_GT(score_of(SelectionRule::partial_f1, timid, 0), score_of(SelectionRule::partial_f1, good_unlucky, 0));
  EXPECT_GT(score_of(SelectionRule::lee_liu, good_unlucky, 0), score_of(SelectionRule::lee_liu, timid, 0));
  EXPECT_GT(score_of(SelectionRule::lee_liu, good, 0), score_of(SelectionRule::lee_liu, timid, 0));
  // It is not simply recall: predicting everything is worse than either.
  const SelectionEvidence everything{counts(10, 990, 0, 0), {}, {}};
  EXPECT_LT(score_of(SelectionRule::lee_liu, everything, 0), score_of(SelectionRule::lee_liu, timid, 0));
}

TEST(SelectionScore, LeeLiuIsProportionalToPrecisionTimesRecallOfTheTruth) {
  // With annotations hit exactly in proportion, score = precision * recall / prior (Lee and Liu, section 4).
  const double prior = 0.1;
  for (const auto& truth : {counts(100, 0, 0, 900), counts(50, 50, 50, 850), counts(80, 320, 20, 580)}) {
    const auto tp = truth.true_positive / 10;
    const auto annotated = counts(tp, truth.predicted() - tp, 10 - tp, 1000 - truth.predicted() - 10 + tp);
    EXPECT_NEAR(lee_liu(annotated), truth.precision() / 100 * truth.recall() / 100 / prior, 1e-12);
  }
}

TEST(SelectionScore, EstimatedF1IsTheF1OfTheTruth) {
  // With annotations hit exactly in proportion and the true prior, the estimate is exact.
  for (const auto& truth : {counts(100, 0, 0, 900), counts(50, 50, 50, 850), counts(80, 320, 20, 580)}) {
    const auto tp = truth.true_positive / 10;
    const SelectionEvidence evidence{
        counts(tp, truth.predicted() - tp, 10 - tp, 1000 - truth.predicted() - 10 + tp), {}, {}};
    EXPECT_NEAR(score_of(SelectionRule::estimated_f1, evidence, 0, 0.1), truth.f1(), 1e-9);
  }
  // Everything TRUE is no way to win, nor is nothing.
  EXPECT_EQ(estimated_f1(counts(10, 90, 0, 0), 0.5), 0);
  // One standard error above chance: half of the score.
  const double error = std::sqrt(0.2 * 0.8 / 16);
  EXPECT_NEAR(estimated_f1(0.2 + error, 0.2, 0.3, 16), 50 * 2 * (0.2 + error) * 0.3 / 0.5, 1e-9);
  EXPECT_EQ(estimated_f1(counts(0, 0, 10, 90), 0.5), 0);
  EXPECT_EQ(estimated_f1(Counts{}, 0.5), 0);
}

TEST(SelectionScore, MiddleF1IsExactWhereTheBoundIsAsMuchTooLargeAsTheAnnotatedShareIsTooSmall) {
  const SelectionEvidence evidence{counts(8, 392, 2, 598), {}, {}};  // of counts(80, 320, 20, 580), a tenth annotated
  EXPECT_NEAR(score_of(SelectionRule::middle_f1, evidence, 0, 1.0), counts(80, 320, 20, 580).f1(), 1e-9);
  // All positives annotated and a tight bound: both rules say the same. A bound below what is annotated is none.
  const SelectionEvidence complete{counts(80, 320, 20, 580), {}, {}};
  EXPECT_NEAR(score_of(SelectionRule::middle_f1, complete, 0, 0.1), complete.annotated.f1(), 1e-9);
  EXPECT_NEAR(score_of(SelectionRule::middle_f1, complete, 0, 0.01), complete.annotated.f1(), 1e-9);
  EXPECT_EQ(score_of(SelectionRule::middle_f1, {}, 0, 0.5), 0);
}

TEST(SelectionScore, BreakEvenIsTheF1WhereAsManyAreTrueAsPositive) {
  // 1000 entries, 100 of them positive and half of those annotated, in four bins: the upper two hold 100 entries, and
  // 40 of the 50 annotations. There, precision, recall and F1 are 80 %.
  SelectionEvidence evidence;
  const std::array<std::size_t, 4> bins{10, 30, 50, 70};
  const std::array<std::int64_t, 4> entries{500, 400, 60, 40};
  const std::array<std::int64_t, 4> annotated{4, 6, 20, 20};
  for (std::size_t i = 0; i < bins.size(); ++i) {
    evidence.curve.entries[bins[i]] = entries[i];
    evidence.curve.annotated[bins[i]] = annotated[i];
  }
  // Averaged over rates around 0.1: less than at the rate itself, since recall rises ever more slowly.
  const double score = score_of(SelectionRule::break_even, evidence, 0, 0.1);
  EXPECT_LT(score, 80);
  EXPECT_GT(score, 70);
  EXPECT_EQ(score_of(SelectionRule::break_even, evidence, 0, 0.1), 100 * recall_around(evidence.curve, 0.1));
  // What a model decides at 0.5 does not matter.
  evidence.annotated = counts(0, 0, 50, 950);
  EXPECT_EQ(score_of(SelectionRule::break_even, evidence, 0, 0.1), score);
  // A model with more of the annotations on top is better.
  evidence.curve.annotated[70] += 4;
  evidence.curve.annotated[10] -= 4;
  EXPECT_GT(score_of(SelectionRule::break_even, evidence, 0, 0.1), score + 5);
}

/// Evidence of a candidate that finds `hits` of 10 annotations with 20 of 100 entries TRUE.
SelectionEvidence hits(std::int64_t found) { return {counts(found, 20 - found, 10 - found, 70 + found), {}, {}}; }

TEST(Selector, SmoothsOverTheWindowOfEachCandidate) {
  Selector selector(SelectionRule::partial_f1, 3);
  const auto f1 = [](std::int64_t found) { return hits(found).annotated.f1(); };
  selector.observe(0, 0, hits(3));
  EXPECT_DOUBLE_EQ(selector.score(0), f1(3));
  selector.observe(0, 1, hits(6));
  EXPECT_DOUBLE_EQ(selector.score(0), (f1(3) + f1(6)) / 2);
  selector.observe(5, 1, hits(10));  // another candidate has its own memory
  EXPECT_DOUBLE_EQ(selector.score(5), f1(10));
  selector.observe(0, 2, hits(9));
  selector.observe(0, 3, hits(1));  // the first is forgotten
  EXPECT_DOUBLE_EQ(selector.score(0), (f1(6) + f1(9) + f1(1)) / 3);
}

TEST(Selector, NeighboursHelpWhereScoresAreNoisy) {
  for (const auto rule :
       {SelectionRule::lee_liu, SelectionRule::estimated_f1, SelectionRule::middle_f1, SelectionRule::partial_f1}) {
    Selector selector(rule, 1);
    selector.bound_prior(0.2);
    for (const std::int64_t candidate : {1, 2, 3, 7}) selector.observe(candidate, 0, hits(candidate));
    const auto own = [&](std::int64_t found) { return selection_score(rule, hits(found), 0, 0.2); };
    const double with_neighbours = (own(2) + 0.6 * own(1) + 0.6 * own(3)) / 2.2;
    EXPECT_NEAR(selector.score(2), rule == SelectionRule::partial_f1 ? own(2) : with_neighbours, 1e-9);
    EXPECT_NEAR(selector.score(7), own(7), 1e-9);
    selector.forget(3);
    EXPECT_NEAR(selector.score(2), rule == SelectionRule::partial_f1 ? own(2) : (own(2) + 0.6 * own(1)) / 1.6, 1e-9);
  }
}

TEST(Selector, BestAndTies) {
  Selector selector(SelectionRule::partial_f1, 1);
  EXPECT_EQ(selector.best().candidate, -1);
  const auto offer = [&](std::int64_t epochs, std::int64_t candidate, std::int64_t found) {
    selector.observe(candidate, epochs - 1, hits(found));
    return selector.offer(epochs, candidate);
  };
  EXPECT_TRUE(offer(1, 0, 0));  // the first is the best even with score 0
  EXPECT_TRUE(offer(2, 0, 5));
  EXPECT_FALSE(offer(3, 0, 4));
  EXPECT_EQ(selector.best().epochs, 2);
  EXPECT_TRUE(offer(4, 2, 5));  // a tie goes to the later one
  EXPECT_EQ(selector.best().epochs, 4);
  EXPECT_EQ(selector.best().candidate, 2);
  EXPECT_DOUBLE_EQ(selector.best_score(), hits(5).annotated.f1());
  selector.reset();
  EXPECT_EQ(selector.best().candidate, -1);
  EXPECT_TRUE(offer(1, 1, 1));  // no memory of the phase before
}

TEST(Selector, TheModelAPhaseBeginsWithStaysUntilABetterOneComes) {
  Selector selector(SelectionRule::partial_f1, 1);
  selector.begin_with(hits(5));
  EXPECT_EQ(selector.best().epochs, 0);
  selector.observe(0, 0, hits(4));
  EXPECT_FALSE(selector.offer(1, 0));
  selector.observe(0, 1, hits(6));
  EXPECT_TRUE(selector.offer(2, 0));
  EXPECT_EQ(selector.best().epochs, 2);
}

TEST(Selector, TheBestIsJudgedAgainWhenThePriorFalls) {
  // With a large prior the candidate with more recall leads, with a small one the more careful one.
  const SelectionEvidence bold{counts(10, 40, 0, 50), {}, {}};
  const SelectionEvidence careful{counts(6, 4, 4, 86), {}, {}};
  Selector selector(SelectionRule::estimated_f1, 1);
  selector.observe(0, 0, bold);
  selector.offer(1, 0);
  selector.observe(5, 0, careful);
  EXPECT_FALSE(selector.offer(1, 5));
  selector.bound_prior(0.1);
  selector.bound_prior(0.3);  // a looser bound says nothing new
  EXPECT_EQ(selector.prior(), 0.1);
  EXPECT_TRUE(selector.offer(1, 5));
}

TEST(Selector, StateGoesThroughJsonUnchanged) {
  Selector selector(SelectionRule::estimated_f1, 3);
  selector.bound_prior(0.3);
  for (int i = 0; i < 4; ++i) {
    for (std::int64_t candidate = 0; candidate < 2; ++candidate) {
      selector.observe(candidate, i, hits(i + candidate));
      selector.offer(i + 1, candidate);
    }
  }
  const auto text = selector.save().dump();  // as a checkpoint stores it
  Selector loaded(SelectionRule::estimated_f1, 3);
  loaded.observe(9, 1, hits(1));  // whatever was there is replaced
  loaded.load(nlohmann::json::parse(text));
  EXPECT_EQ(loaded.save().dump(), text);
  EXPECT_EQ(loaded.best().epochs, selector.best().epochs);
  EXPECT_EQ(loaded.best().candidate, selector.best().candidate);
  EXPECT_EQ(loaded.best_score(), selector.best_score());  // bit for bit, or a tie could be decided otherwise
  loaded.observe(1, 4, hits(7));
  selector.observe(1, 4, hits(7));
  EXPECT_EQ(loaded.score(1), selector.score(1));
  EXPECT_EQ(loaded.score(0), selector.score(0));
}

TEST(Selector, CurvesGoThroughJsonUnchanged) {
  Selector selector(SelectionRule::break_even, 1);
  SelectionEvidence evidence;
  evidence.curve.entries[40] = 90;
  evidence.curve.entries[60] = 10;
  evidence.curve.annotated[60] = 4;
  evidence.curve.annotated[40] = 1;
  selector.bound_prior(0.1);
  selector.observe(0, 0, evidence);
  ASSERT_TRUE(selector.offer(1, 0));
  Selector loaded(SelectionRule::break_even, 1);
  loaded.load(nlohmann::json::parse(selector.save().dump()));
  EXPECT_GT(loaded.score(0), 50);
  EXPECT_EQ(loaded.score(0), selector.score(0));
  EXPECT_EQ(loaded.best_score(), selector.best_score());
}

}  // namespace
}  // namespace mlpac
