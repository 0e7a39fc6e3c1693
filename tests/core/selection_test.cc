// The score that chooses epoch and w without complete labels, and the memory of the best so far.
#include "mlpac/selection.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "mlpac/error.h"

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

TEST(SelectionRules, NamesGoBothWays) {
  ASSERT_EQ(selection_rules().size(), 5U);
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
  EXPECT_DOUBLE_EQ(selection_score(SelectionRule::lee_liu, evidence, 0), 3.2);
  // Everything TRUE scores 1 whatever the labels; nothing TRUE and nothing annotated score 0.
  EXPECT_DOUBLE_EQ(lee_liu(counts(10, 90, 0, 0)), 1);
  EXPECT_DOUBLE_EQ(lee_liu(counts(0, 0, 10, 90)), 0);
  EXPECT_DOUBLE_EQ(lee_liu(counts(0, 20, 0, 80)), 0);
  EXPECT_DOUBLE_EQ(lee_liu(Counts{}), 0);
}

TEST(SelectionScore, EachRuleLooksAtItsOwnLabels) {
  SelectionEvidence evidence{counts(8, 12, 2, 78), counts(15, 5, 10, 70), counts(30, 10, 10, 50)};
  EXPECT_DOUBLE_EQ(selection_score(SelectionRule::partial_f1, evidence, 4), 100.0 * 16 / 30);
  EXPECT_DOUBLE_EQ(selection_score(SelectionRule::full_dev, evidence, 4), 100.0 * 30 / 45);
  EXPECT_DOUBLE_EQ(selection_score(SelectionRule::oracle, evidence, 4), 75);
  // Lee-Liu only tells candidates of the same epoch apart: 0.8^2 / 0.2 = 3.2.
  EXPECT_DOUBLE_EQ(selection_score(SelectionRule::last, evidence, 4), 4 + 3.2 / 4.2);
  evidence.annotated = counts(0, 0, 10, 90);
  EXPECT_DOUBLE_EQ(selection_score(SelectionRule::last, evidence, 5), 5);
}

TEST(SelectionScore, MissingLabelsAreAnErrorThatSaysWhichOption) {
  const SelectionEvidence evidence{counts(1, 1, 1, 1), {}, {}};
  const auto message = [&](SelectionRule rule) {
    try {
      selection_score(rule, evidence, 0);
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
  EXPECT_GT(selection_score(SelectionRule::partial_f1, timid, 0),
            selection_score(SelectionRule::partial_f1, good_unlucky, 0));
  EXPECT_GT(selection_score(SelectionRule::lee_liu, good_unlucky, 0),
            selection_score(SelectionRule::lee_liu, timid, 0));
  EXPECT_GT(selection_score(SelectionRule::lee_liu, good, 0), selection_score(SelectionRule::lee_liu, timid, 0));
  // It is not simply recall: predicting everything is worse than either.
  const SelectionEvidence everything{counts(10, 990, 0, 0), {}, {}};
  EXPECT_LT(selection_score(SelectionRule::lee_liu, everything, 0), selection_score(SelectionRule::lee_liu, timid, 0));
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

TEST(Selector, SmoothsOverTheWindowOfEachCandidate) {
  Selector selector(3);
  EXPECT_DOUBLE_EQ(selector.observe(0, 3), 3);
  EXPECT_DOUBLE_EQ(selector.observe(0, 6), 4.5);
  EXPECT_DOUBLE_EQ(selector.observe(1, 100), 100);  // another candidate has its own memory
  EXPECT_DOUBLE_EQ(selector.observe(0, 9), 6);
  EXPECT_DOUBLE_EQ(selector.observe(0, 12), 9);  // the 3 is forgotten
  Selector plain(1);
  plain.observe(0, 3);
  EXPECT_DOUBLE_EQ(plain.observe(0, 7), 7);
}

TEST(Selector, BestAndTies) {
  Selector selector(1);
  EXPECT_EQ(selector.best().epoch, -1);
  EXPECT_TRUE(selector.offer(0, 0, 0.0));  // the first is the best even with score 0
  EXPECT_TRUE(selector.offer(1, 0, 0.5));
  EXPECT_FALSE(selector.offer(2, 0, 0.4));
  EXPECT_EQ(selector.best().epoch, 1);
  EXPECT_TRUE(selector.offer(3, 2, 0.5));  // a tie goes to the later one
  EXPECT_EQ(selector.best().epoch, 3);
  EXPECT_EQ(selector.best().candidate, 2);
  EXPECT_DOUBLE_EQ(selector.best().score, 0.5);
  selector.reset();
  EXPECT_EQ(selector.best().epoch, -1);
  EXPECT_TRUE(selector.offer(0, 0, -1.0));
  EXPECT_DOUBLE_EQ(selector.observe(0, 8), 8);  // no memory of the phase before
}

TEST(Selector, StateGoesThroughJsonUnchanged) {
  Selector selector(3);
  for (int i = 0; i < 4; ++i) {
    for (std::int64_t candidate = 0; candidate < 2; ++candidate) {
      selector.offer(i, candidate, selector.observe(candidate, 0.1 * i + static_cast<double>(candidate) / 3));
    }
  }
  const auto text = selector.save().dump();  // as a checkpoint stores it
  Selector loaded(3);
  loaded.observe(9, 1);  // whatever was there is replaced
  loaded.load(nlohmann::json::parse(text));
  EXPECT_EQ(loaded.save().dump(), text);
  EXPECT_EQ(loaded.best().epoch, selector.best().epoch);
  EXPECT_EQ(loaded.best().candidate, selector.best().candidate);
  EXPECT_EQ(loaded.best().score, selector.best().score);  // bit for bit, or a tie could be decided otherwise
  EXPECT_EQ(loaded.observe(1, 0.7), selector.observe(1, 0.7));
  EXPECT_EQ(loaded.observe(0, 0.7), selector.observe(0, 0.7));
}

}  // namespace
}  // namespace mlpac
