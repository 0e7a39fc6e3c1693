#include "data/annotation_pattern.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/random.h"
#include "mlpac/annotation.h"
#include "mlpac/error.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

std::vector<std::string> numbered(std::int32_t classes) {
  std::vector<std::string> names(static_cast<std::size_t>(classes));
  for (std::size_t c = 0; c < names.size(); ++c) names[c] = fmt::format("l{}", c);
  return names;
}

std::vector<std::string> warnings(const Labels& annotated, const Labels* test = nullptr) {
  return annotation_warnings(annotated, numbered(annotated.classes()), test);
}

/// Complete labels: class c is positive with probability about `top` / (c + 1)^`decay`, and rows differ in how many
/// positives they have, as real rows do.
struct World {
  std::int32_t classes = 10;
  double top = 0.4;
  double decay = 0.5;
  bool negatives = false;  ///< what is not positive is stored as known negative

  double probability(std::int32_t c) const { return top / std::pow(c + 1.0, decay); }
  Labels rows(std::int64_t count, std::uint64_t seed) const {
    Labels labels(classes);
    for (std::int64_t row = 0; row < count; ++row) {
      const std::uint64_t key = row_key(stream_key(seed, "world"), 0, static_cast<std::uint64_t>(row));
      const double activity = 0.25 + 1.5 * unit_double(bits_at(key, 1U << 20U));
      std::vector<LabelEntry> entries;
      for (std::int32_t c = 0; c < classes; ++c) {
        const bool positive = unit_double(bits_at(key, static_cast<std::uint64_t>(c))) < activity * probability(c);
        if (positive) entries.push_back({c, kAnnotated});
        if (!positive && negatives) entries.push_back({c, kKnownNegative});
      }
      labels.append(std::move(entries));
    }
    return labels;
  }
};

/// Every positive is kept with one probability and every known negative with another.
Labels keep_both(const Labels& truth, double positives, double negatives, std::uint64_t seed) {
  Labels kept(truth.classes());
  for (std::int64_t row = 0; row < truth.rows(); ++row) {
    const std::uint64_t key = row_key(stream_key(seed, "keep"), 0, static_cast<std::uint64_t>(row));
    std::vector<LabelEntry> entries;
    for (const LabelEntry& entry : truth.row(row)) {
      const double draw = unit_double(bits_at(key, static_cast<std::uint64_t>(entry.column)));
      if (draw < (entry.state == kAnnotated ? positives : negatives)) entries.push_back(entry);
    }
    kept.append(std::move(entries));
  }
  return kept;
}

/// The entries for which `keep(row, entry)` holds.
template <typename Keep>
Labels filtered(const Labels& truth, Keep keep) {
  Labels kept(truth.classes());
  for (std::int64_t row = 0; row < truth.rows(); ++row) {
    std::vector<LabelEntry> entries;
    for (const LabelEntry& entry : truth.row(row)) {
      if (keep(row, entry)) entries.push_back(entry);
    }
    kept.append(std::move(entries));
  }
  return kept;
}

/// The only sentence of `found`, which must contain `words`, say why it matters and what to do.
void expect_only(const std::vector<std::string>& found, std::string_view words) {
  ASSERT_EQ(found.size(), 1U) << fmt::format("{}", fmt::join(found, "\n"));
  EXPECT_NE(found[0].find(words), std::string::npos) << found[0] << "\nexpected: " << words;
  EXPECT_NE(found[0].find("assume that positives are annotated at random"), std::string::npos) << found[0];
  EXPECT_GE(std::count(found[0].begin(), found[0].end(), ':'), 1) << found[0];
  EXPECT_LT(found[0].size(), 400U) << found[0];
}

/// Random annotation: no sentence but that a label has no positive, and this one exactly if it is so.
void expect_nothing(const Labels& annotated, const Labels* test) {
  const std::vector<std::int64_t> counts = annotated.count_per_class(kAnnotated);
  const std::int64_t lost = std::count(counts.begin(), counts.end(), 0);
  for (const std::string& sentence : warnings(annotated, test)) {
    EXPECT_TRUE(lost > 0 && sentence.starts_with("no ")) << sentence;
  }
  EXPECT_EQ(warnings(annotated, test).size(), lost > 0 ? 1U : 0U);
}

TEST(AnnotationWarnings, NoFalseAlarmOnRandomAnnotation) {
  const std::vector<World> worlds{{6, 0.5, 0.3, false},   {14, 0.4, 0.5, false}, {50, 0.3, 1.0, false},
                                  {150, 0.3, 1.2, false}, {14, 0.6, 1.0, false}, {300, 0.02, 0.3, false}};
  const std::vector<double> ratios{0.01, 0.05, 0.1, 0.3, 0.5, 0.7, 1.0};
  for (std::uint64_t draw = 0; draw < 300; ++draw) {
    SCOPED_TRACE(draw);
    const auto below = [&](std::size_t limit, std::uint64_t index) { return bits_at(draw + 1000, index) % limit; };
    const World& world = worlds[below(worlds.size(), 0)];
    const Labels truth = world.rows(static_cast<std::int64_t>(50 + below(1500, 1)), 2 * draw);
    const Labels test = world.rows(static_cast<std::int64_t>(20 + below(1000, 2)), 2 * draw + 1);
    const HideMode mode = parse_hide_mode(hide_modes()[below(3, 3)].name);
    const Labels annotated = hide(truth, mode, ratios[below(ratios.size(), 4)], draw);
    expect_nothing(annotated, &test);
    expect_nothing(annotated, nullptr);
  }
}

TEST(AnnotationWarnings, NoFalseAlarmWithKnownNegatives) {
  const std::vector<World> worlds{{6, 0.5, 0.3, true}, {14, 0.5, 0.7, true}, {40, 0.5, 1.2, true}};
  const std::vector<double> ratios{0.002, 0.02, 0.1, 0.5, 1.0};
  for (std::uint64_t draw = 0; draw < 200; ++draw) {
    SCOPED_TRACE(draw);
    const auto below = [&](std::size_t limit, std::uint64_t index) { return bits_at(draw + 5000, index) % limit; };
    const World& world = worlds[below(worlds.size(), 0)];
    const Labels truth = world.rows(static_cast<std::int64_t>(50 + below(1500, 1)), 2 * draw);
    const Labels test = world.rows(static_cast<std::int64_t>(20 + below(600, 2)), 2 * draw + 1);
    const double positives = ratios[below(ratios.size(), 3)];
    const double negatives = ratios[below(ratios.size(), 4)];
    expect_nothing(keep_both(truth, positives, negatives, draw), &test);
  }
}

TEST(AnnotationWarnings, LabelsWithoutPositives) {
  const Labels truth = World{}.rows(500, 1);
  const auto without = [&](std::int32_t first) {
    return filtered(truth, [&](std::int64_t, const LabelEntry& entry) { return entry.column < first; });
  };
  expect_only(warnings(without(9)), "no annotated positive of 'l9'; ");
  expect_only(warnings(without(8)), "no annotated positive of 'l8' and 'l9'; ");
  expect_only(warnings(without(7)), "no annotated positive of 'l7', 'l8' and 'l9'; ");
  expect_only(warnings(without(4)), "no annotated positive of 'l4', 'l5', 'l6' and 3 more; ");
  expect_only(warnings(without(0)), "no label has an annotated positive; ");
  const Labels test = World{}.rows(500, 2);
  expect_only(warnings(without(9), &test), "no annotated positive of 'l9'; ");  // and not once more as annotated rarely
}

TEST(AnnotationWarnings, LabelsInEveryRow) {
  Labels labels(3);
  for (int row = 0; row < 60; ++row) labels.append({{1, kAnnotated}, {row % 2 == 0 ? 0 : 2, kAnnotated}});
  expect_only(warnings(labels), "every row is annotated as positive for 'l1'; ");
  labels.append({});
  EXPECT_TRUE(warnings(labels).empty());
  Labels few(1);
  for (int row = 0; row < 9; ++row) few.append({{0, kAnnotated}});
  EXPECT_TRUE(warnings(few).empty());
}

TEST(AnnotationWarnings, LabelsKnownUnequally) {
  World world{6, 0.4, 0.1, true};
  const Labels truth = world.rows(800, 3);
  // Labels 0 to 3 are known in a half of the rows, 4 and 5 in one of twenty.
  const auto share = [](const LabelEntry& entry) { return entry.column < 4 ? 0.5 : 0.05; };
  const Labels annotated = filtered(truth, [&](std::int64_t row, const LabelEntry& entry) {
    return unit_double(bits_at(static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(entry.column))) <
           share(entry);
  });
  expect_only(warnings(annotated), "the state of 'l4' and 'l5' is known in at most ");
  // The same without known negatives cannot be told from rare labels.
  EXPECT_TRUE(warnings(filtered(annotated, [](std::int64_t, const LabelEntry& entry) {
                return entry.state == kAnnotated;
              })).empty());
  // A factor of four is not reported.
  const Labels nearer = filtered(truth, [&](std::int64_t row, const LabelEntry& entry) {
    const double draw = unit_double(bits_at(static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(entry.column)));
    return draw < (entry.column < 4 ? 0.5 : 0.125);
  });
  EXPECT_TRUE(warnings(nearer).empty());
}

TEST(AnnotationWarnings, OnePositiveInEveryAnnotatedRow) {
  const World world;
  const Labels test = world.rows(400, 4);
  ASSERT_GE(test.count(kAnnotated), 1.3 * 400);
  const Labels truth = world.rows(400, 5);
  // One of the positives of each row, drawn.
  const Labels single = filtered(truth, [&](std::int64_t row, const LabelEntry& entry) {
    const auto entries = truth.row(row);
    return entry == entries[bits_at(9, static_cast<std::uint64_t>(row)) % entries.size()];
  });
  const std::vector<std::string> found = warnings(single, &test);
  expect_only(found, fmt::format("each of the {} annotated rows has exactly one positive", single.count(kAnnotated)));
  EXPECT_NE(found.at(0).find("known setting"), std::string::npos);
  EXPECT_TRUE(warnings(single, nullptr).empty());  // classes may exclude each other
  // Fewer than 50 annotated rows prove nothing.
  std::vector<std::int64_t> few(45);
  for (std::size_t i = 0; i < few.size(); ++i) few[i] = static_cast<std::int64_t>(i);
  for (const std::string& sentence : warnings(single.select(few), &test)) EXPECT_TRUE(sentence.starts_with("no "));
  // Classes that exclude each other in the test labels too.
  const Labels exclusive =
      filtered(test, [&](std::int64_t row, const LabelEntry& entry) { return entry == test.row(row).front(); });
  for (const std::string& sentence : warnings(single, &exclusive)) {
    EXPECT_EQ(sentence.find("exactly one positive"), std::string::npos);
  }
}

TEST(AnnotationWarnings, LabelsAnnotatedUnequally) {
  const World world{10, 0.3, 0.2, false};
  const Labels truth = world.rows(2000, 6);
  const Labels test = world.rows(1000, 7);
  const auto annotate = [&](double rate2, double rate5) {
    return filtered(truth, [&](std::int64_t row, const LabelEntry& entry) {
      const double rate = entry.column == 2 ? rate2 : entry.column == 5 ? rate5 : 0.15;
      return unit_double(bits_at(static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(entry.column))) < rate;
    });
  };
  EXPECT_TRUE(warnings(annotate(0.15, 0.15), &test).empty());
  expect_only(warnings(annotate(0.15, 0.02), &test), "than the labels together: 'l5' (0.1");
  expect_only(warnings(annotate(0.9, 0.15), &test), "than the labels together: 'l2' (");
  EXPECT_TRUE(warnings(annotate(0.15, 0.08), &test).empty());  // about a half: significant, but no factor of three
  EXPECT_TRUE(warnings(annotate(0.9, 0.15), nullptr).empty());

  const Labels other = filtered(test, [](std::int64_t, const LabelEntry& entry) { return entry.column != 3; });
  expect_only(warnings(annotate(0.15, 0.15), &other), "'l3' (never in the test labels)");
}

TEST(AnnotationWarnings, UnequalRatesOfAFewCountsAreChance) {
  // Two annotated positives of a label that the test labels do not have, and a handful where none is expected.
  Labels annotated(3);
  Labels test(3);
  for (int row = 0; row < 200; ++row) {
    annotated.append(row < 20 ? std::vector<LabelEntry>{{0, kAnnotated}} : std::vector<LabelEntry>{});
    test.append({{0, kAnnotated}});
  }
  annotated.append({{1, kAnnotated}});
  annotated.append({{1, kAnnotated}});
  annotated.append({{2, kAnnotated}});
  EXPECT_TRUE(warnings(annotated, &test).empty());
  for (int row = 0; row < 20; ++row) annotated.append({{2, kAnnotated}});
  expect_only(warnings(annotated, &test), "'l2' (never in the test labels)");
}

TEST(AnnotationWarnings, APartOfTheFile) {
  const Labels truth = World{}.rows(1000, 8);
  const auto rows = [&](auto inside) {
    return filtered(hide_each(truth, 0.5, 1), [&](std::int64_t row, const LabelEntry&) { return inside(row); });
  };
  const auto first_and_last = [](const Labels& labels) {
    std::int64_t first = -1;
    std::int64_t last = -1;
    for (std::int64_t row = 0; row < labels.rows(); ++row) {
      if (labels.row(row).empty()) continue;
      if (first < 0) first = row + 1;
      last = row + 1;
    }
    return fmt::format("{} to {}", first, last);
  };
  const Labels front = rows([](std::int64_t row) { return row < 350; });
  expect_only(warnings(front), fmt::format("only a part of the file (rows {} of 1000); ", first_and_last(front)));
  const Labels middle = rows([](std::int64_t row) { return row >= 250 && row < 620; });
  expect_only(warnings(middle), fmt::format("only a part of the file (rows {} of 1000); ", first_and_last(middle)));
  const Labels ends = rows([](std::int64_t row) { return row < 200 || row >= 600; });
  const std::vector<std::string> found = warnings(ends);
  expect_only(found, "only a part of the file (rows ");
  EXPECT_NE(found.at(0).find(" and 60"), std::string::npos) << found.at(0);
  // Less in one part than in another is no proof, and neither are few positives.
  EXPECT_TRUE(warnings(rows([](std::int64_t row) { return row < 350 || row % 5 == 0; })).empty());
  EXPECT_TRUE(warnings(filtered(front, [](std::int64_t row, const LabelEntry&) { return row % 6 == 0; })).empty());
}

TEST(AnnotationWarnings, RowsWithKnownNegativesAreAnnotated) {
  // Positives in the first half only, but somebody looked at the second half and found none.
  Labels labels(2);
  for (int row = 0; row < 1000; ++row) {
    labels.append({{0, row < 500 ? kAnnotated : kKnownNegative}, {1, row % 2 == 0 ? kAnnotated : kKnownNegative}});
  }
  EXPECT_TRUE(warnings(labels).empty());
}

TEST(AnnotationWarnings, SeveralPatternsAreSeveralSentences) {
  Labels labels(4);
  for (int row = 0; row < 1000; ++row) {
    labels.append(row < 400 ? std::vector<LabelEntry>{{0, kAnnotated}, {row % 2, kAnnotated}}
                            : std::vector<LabelEntry>{});
  }
  EXPECT_EQ(warnings(labels).size(), 2U);
}

TEST(AnnotationWarnings, NamesAreQuotedForTerminals) {
  Labels labels(2);
  labels.append({{0, kAnnotated}});
  const std::vector<std::string> found = annotation_warnings(labels, {"a", "bad\x1b[31m"}, nullptr);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].find("'bad\\x1B[31m'"), std::string::npos) << found[0];
}

TEST(AnnotationWarnings, EmptyMatricesAndWrongSizes) {
  EXPECT_TRUE(warnings(Labels(3)).empty());
  EXPECT_TRUE(warnings(Labels(0)).empty());
  Labels labels(2);
  labels.append({{0, kAnnotated}, {1, kAnnotated}});
  const Labels no_rows(2);
  EXPECT_TRUE(warnings(labels, &no_rows).empty());
  Labels no_positives(2);
  no_positives.append({});
  EXPECT_TRUE(warnings(labels, &no_positives).empty());
  const Labels other(3);
  EXPECT_THROW(warnings(labels, &other), Error);
  EXPECT_THROW(annotation_warnings(labels, {"a"}, nullptr), Error);
}

}  // namespace
}  // namespace mlpac
