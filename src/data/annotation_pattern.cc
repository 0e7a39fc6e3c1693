#include "data/annotation_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/text.h"
#include "mlpac/error.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

constexpr std::string_view kAssumption =
    "selection and the estimate of the score assume that positives are annotated at random";

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }
double real(std::int64_t count) { return static_cast<double>(count); }

/// "a", "a and b", "a, b and c", "a, b, c and 4 more".
std::string listed(const std::vector<std::string>& items) {
  constexpr std::size_t kNamed = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(items.size(), kNamed); ++i) {
    if (i > 0) text += i + 1 == items.size() ? " and " : ", ";
    text += items[i];
  }
  if (items.size() > kNamed) text += fmt::format(" and {} more", items.size() - kNamed);
  return text;
}

/// Annotated positives of one row.
std::int64_t positives_of(const Labels& labels, std::int64_t row) {
  const auto entries = labels.row(row);
  return std::count_if(entries.begin(), entries.end(), [](const LabelEntry& e) { return e.state == kAnnotated; });
}

/// Whether k1 of n1 is less than a fifth of k2 of n2 and not by chance: the difference of the two shares is more than
/// six standard deviations, so that the extremes of thousands of classes do not reach it, on enough counts for a z.
bool clearly_smaller(std::int64_t k1, std::int64_t n1, std::int64_t k2, std::int64_t n2) {
  constexpr double kFactor = 5;
  constexpr double kDeviations = 6;
  constexpr std::int64_t kEnough = 30;
  if (n1 == 0 || n2 == 0 || k2 < kEnough) return false;
  const double share1 = real(k1) / real(n1);
  const double share2 = real(k2) / real(n2);
  const double pooled = real(k1 + k2) / real(n1 + n2);
  const double deviation = std::sqrt(pooled * (1 - pooled) * (1 / real(n1) + 1 / real(n2)));
  return kFactor * share1 < share2 && share2 - share1 > kDeviations * deviation;
}

/// z of a 2 x 2 table of counts (this class, the others) x (annotated in training, positive in the test labels), from
/// the likelihood ratio: z^2 = 2 sum O ln(O / E), E from the margins, each O moved by 1/2 towards its E. That keeps to
/// the normal distribution down to counts of one or two, where (O - E) / sqrt(E) does not.
double table_z(std::int64_t annotated, std::int64_t test, std::int64_t all_annotated, std::int64_t all_test) {
  const double total = real(all_annotated + all_test);
  const double expected = real(annotated + test) * real(all_annotated) / total;
  const double apart = std::max(0.0, std::abs(real(annotated) - expected) - 0.5);
  const double shift = real(annotated) > expected ? apart : -apart;
  const auto term = [](double mean, double change) {
    const double count = mean + change;
    return count > 0 ? count * std::log(count / mean) : 0.0;
  };
  const double sum = term(expected, shift) + term(real(annotated + test) - expected, -shift) +
                     term(real(all_annotated) - expected, -shift) +
                     term(real(all_test) - (real(annotated + test) - expected), shift);
  return std::sqrt(std::max(0.0, 2 * sum));
}

class Patterns {
 public:
  Patterns(const Labels& labels, const std::vector<std::string>& names, const Labels* test)
      : labels_(labels),
        names_(names),
        test_(test),
        positives_(labels.count_per_class(kAnnotated)),
        negatives_(labels.count_per_class(kKnownNegative)),
        all_positives_(std::accumulate(positives_.begin(), positives_.end(), std::int64_t{0})) {}

  std::vector<std::string> all() {
    if (labels_.rows() == 0 || positives_.empty()) return {};
    classes_without_positives();
    if (all_positives_ == 0) return std::move(found_);  // nothing else can be compared
    classes_in_every_row();
    classes_known_unequally();
    part_of_the_file();
    if (test_ != nullptr && test_->rows() > 0) {
      single_positives();
      classes_annotated_unequally();
    }
    return std::move(found_);
  }

 private:
  template <typename Condition>
  std::vector<std::string> names_where(Condition condition) const {
    std::vector<std::string> names;
    for (std::size_t c = 0; c < positives_.size(); ++c) {
      if (condition(c)) names.push_back(in_quotes(names_[c]));
    }
    return names;
  }

  void classes_without_positives() {
    if (all_positives_ == 0) {
      found_.push_back(fmt::format(
          "no label has an annotated positive; {}, and nothing can be learned without any: check how the labels were "
          "read, or annotate some",
          kAssumption));
      return;
    }
    const auto names = names_where([&](std::size_t c) { return positives_[c] == 0; });
    if (names.empty()) return;
    found_.push_back(
        fmt::format("no annotated positive of {}; {} and can say nothing about a label without any: annotate some, or "
                    "leave the label out",
                    listed(names), kAssumption));
  }

  void classes_in_every_row() {
    constexpr std::int64_t kFewest = 10;  // in a handful of rows a frequent label is everywhere by chance
    if (labels_.rows() < kFewest) return;
    const auto names = names_where([&](std::size_t c) { return positives_[c] == labels_.rows(); });
    if (names.empty()) return;
    found_.push_back(
        fmt::format("every row is annotated as positive for {}; {} and that some rows are not positive: check how the "
                    "column was read, or leave the label out",
                    listed(names), kAssumption));
  }

  /// Known states differ between classes also when positives are annotated at random at one rate and negatives at
  /// another, only because classes are not equally frequent. Then the known negatives alone do not differ, so both
  /// must.
  void classes_known_unequally() {
    const std::int64_t rows = labels_.rows();
    const auto known = [&](std::size_t c) { return positives_[c] + negatives_[c]; };
    std::size_t best = 0;
    for (std::size_t c = 1; c < positives_.size(); ++c) {
      if (known(c) > known(best)) best = c;
    }
    std::int64_t most_of_the_little = 0;
    const auto names = names_where([&](std::size_t c) {
      if (positives_[c] == 0 || !clearly_smaller(known(c), rows, known(best), rows) ||
          !clearly_smaller(negatives_[c], rows - positives_[c], negatives_[best], rows - positives_[best])) {
        return false;
      }
      most_of_the_little = std::max(most_of_the_little, known(c));
      return true;
    });
    if (names.empty()) return;
    found_.push_back(
        fmt::format("the state of {} is known in at most {:.2g} % of the rows, but that of {} in {:.2g} %; {}, at the "
                    "same rate for "
                    "every label: annotate labels alike, or train on those alone that were annotated in the same way",
                    listed(names), 100 * real(most_of_the_little) / real(rows), in_quotes(names_[best]),
                    100 * real(known(best)) / real(rows), kAssumption));
  }

  /// Rows, not positives, are counted in the blocks: the positives of one row are not independent.
  void part_of_the_file() {
    constexpr std::int64_t kBlocks = 10;
    constexpr std::int64_t kMeanPositives = 20;
    constexpr double kChiSquare = 45;  // nine degrees of freedom: one in a million by chance
    struct Block {
      std::int64_t rows = 0;
      std::int64_t annotated = 0;
      std::int64_t first = 0;
      std::int64_t last = 0;
    };
    if (labels_.rows() < kBlocks || all_positives_ < kBlocks * kMeanPositives) return;
    std::array<Block, kBlocks> blocks;
    std::int64_t annotated = 0;
    for (std::int64_t row = 0; row < labels_.rows(); ++row) {
      Block& block = blocks.at(at(row * kBlocks / labels_.rows()));
      ++block.rows;
      if (labels_.row(row).empty()) continue;
      if (block.annotated++ == 0) block.first = row + 1;
      block.last = row + 1;
      ++annotated;
    }
    double chi_square = 0;
    std::vector<std::pair<std::int64_t, std::int64_t>> stretches;  // of blocks with annotation, numbered from 1
    bool gap = true;
    for (const Block& block : blocks) {
      const double expected = real(annotated) * real(block.rows) / real(labels_.rows());
      chi_square += (real(block.annotated) - expected) * (real(block.annotated) - expected) / expected;
      if (block.annotated > 0) {
        if (gap) stretches.emplace_back(block.first, block.last);
        stretches.back().second = block.last;
      }
      gap = block.annotated == 0;
    }
    if (chi_square < kChiSquare ||
        std::none_of(blocks.begin(), blocks.end(), [](const Block& block) { return block.annotated == 0; })) {
      return;
    }
    std::vector<std::string> covered;
    covered.reserve(stretches.size());
    for (const auto& [first, last] : stretches) covered.push_back(fmt::format("{} to {}", first, last));
    found_.push_back(fmt::format(
        "annotation seems to cover only a part of the file (rows {} of {}); {} over all rows: leave out the rows that "
        "nobody looked at, or annotate rows drawn from the whole file",
        listed(covered), labels_.rows(), kAssumption));
  }

  /// Rows with two annotated positives are missing although random annotation at the rate seen would have made some:
  /// fourteen expected means a chance of one in a million for none.
  void single_positives() {
    constexpr std::int64_t kFewestRows = 50;
    constexpr double kTogether = 1.3;
    constexpr double kExpectedPairs = 14;
    std::int64_t single = 0;
    for (std::int64_t row = 0; row < labels_.rows(); ++row) {
      const std::int64_t count = positives_of(labels_, row);
      if (count > 1) return;
      single += count;
    }
    const double mean = real(test_->count(kAnnotated)) / real(test_->rows());
    if (single < kFewestRows || mean < kTogether) return;
    const double rate = std::min(1.0, real(single) / real(labels_.rows()) / mean);
    double several = 0;
    for (std::int64_t row = 0; row < test_->rows(); ++row) {
      const double count = real(positives_of(*test_, row));
      if (count > 1) several += 1 - std::pow(1 - rate, count) - count * rate * std::pow(1 - rate, count - 1);
    }
    if (several / real(test_->rows()) * real(labels_.rows()) < kExpectedPairs) return;
    found_.push_back(fmt::format(
        "each of the {} annotated rows has exactly one positive, although a row of the test labels has {:.2g} on "
        "average: this single-positive annotation is a known setting, but not random over the entries, and {}: use "
        "--selection last, or check the result on completely labelled rows",
        single, mean, kAssumption));
  }

  /// The rate of a class is its annotated frequency over its frequency in the test labels.
  void classes_annotated_unequally() {
    constexpr double kFactor = 3;
    constexpr double kZ = 4;
    const std::vector<std::int64_t> tests = test_->count_per_class(kAnnotated);
    const std::int64_t all_tests = std::accumulate(tests.begin(), tests.end(), std::int64_t{0});
    if (all_tests == 0) return;
    // With 2 ln(classes) added to z^2, the chance that any of the classes gets there stays what it is for one.
    const double limit = std::sqrt(kZ * kZ + 2 * std::log(real(labels_.classes())));
    std::vector<std::pair<double, std::string>> unequal;
    for (std::size_t c = 0; c < positives_.size(); ++c) {
      if (positives_[c] == 0) continue;  // said already
      const double here = real(positives_[c]) * real(all_tests);
      const double overall = real(tests[c]) * real(all_positives_);
      if (here <= kFactor * overall && overall <= kFactor * here) continue;
      const double z = table_z(positives_[c], tests[c], all_positives_, all_tests);
      if (z <= limit) continue;
      const std::string factor =
          tests[c] == 0 ? "never in the test labels" : fmt::format("{:.2g} times", here / overall);
      unequal.emplace_back(z, fmt::format("{} ({})", in_quotes(names_[c]), factor));
    }
    if (unequal.empty()) return;
    std::stable_sort(unequal.begin(), unequal.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<std::string> names;
    names.reserve(unequal.size());
    for (auto& [z, name] : unequal) names.push_back(std::move(name));
    found_.push_back(fmt::format(
        "compared with the test labels, annotated at another rate than the labels together: {}; {}, at the same rate "
        "for every label: look at how these were annotated, or leave them out",
        listed(names), kAssumption));
  }

  const Labels& labels_;
  const std::vector<std::string>& names_;
  const Labels* test_;
  std::vector<std::int64_t> positives_;
  std::vector<std::int64_t> negatives_;
  std::int64_t all_positives_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> annotation_warnings(const Labels& annotated, const std::vector<std::string>& names,
                                             const Labels* complete_test) {
  if (static_cast<std::int64_t>(names.size()) != annotated.classes()) {
    throw Error(fmt::format("{} names for a label matrix of {} classes", names.size(), annotated.classes()));
  }
  if (complete_test != nullptr && complete_test->classes() != annotated.classes()) {
    throw Error(fmt::format("test labels of {} classes for a label matrix of {}, expected the same",
                            complete_test->classes(), annotated.classes()));
  }
  return Patterns(annotated, names, complete_test).all();
}

}  // namespace mlpac
