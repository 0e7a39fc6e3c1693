#include "mlpac/annotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "core/names.h"
#include "core/random.h"
#include "data/fraction.h"
#include "mlpac/error.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

constexpr std::array<HideEntry, 4> kHideModes{{
    {"exact", "exactly the ratio of all positives, drawn over the whole matrix: the share of a class varies"},
    {"per-class", "exactly the ratio of the positives of every class, rounded down"},
    {"independent", "every positive by a draw of its own: the number kept varies around the ratio (rps)"},
    {"fixed:N",
     "N positives of every class, or all where there are fewer, and N known negatives; takes no ratio (fpc)"},
}};
constexpr std::size_t kFixed = 3;
constexpr std::string_view kFixedName = "fixed:";

constexpr std::string_view kRatio = "the ratio of positives to keep";

/// One candidate of a draw. The order of the keys is a uniformly random permutation; the index settles ties.
struct Ticket {
  std::uint64_t key = 0;
  std::int64_t index = 0;
  bool operator<(const Ticket& other) const { return key != other.key ? key < other.key : index < other.index; }
};

/// Indices of the `count` tickets with the smallest keys.
std::vector<std::int64_t> draw(std::vector<Ticket> tickets, std::int64_t count) {
  const auto kept = tickets.begin() + std::min(count, static_cast<std::int64_t>(tickets.size()));
  std::nth_element(tickets.begin(), kept, tickets.end());
  std::vector<std::int64_t> drawn;
  for (auto ticket = tickets.begin(); ticket != kept; ++ticket) drawn.push_back(ticket->index);
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

/// Key of one entry. It depends on the entry alone, so a larger ratio keeps what a smaller one keeps, and rows added
/// later do not change the order of those before.
std::uint64_t entry_key(std::uint64_t stream, std::int64_t row, std::int32_t column) {
  return bits_at(row_key(stream, 0, static_cast<std::uint64_t>(row)), static_cast<std::uint64_t>(column));
}

/// The entries of `truth` whose running number is among `kept` (sorted).
Labels keep(const Labels& truth, std::span<const std::int64_t> kept) {
  Labels result(truth.classes());
  std::int64_t number = 0;
  std::size_t next = 0;
  for (std::int64_t row = 0; row < truth.rows(); ++row) {
    std::vector<LabelEntry> entries;
    for (const LabelEntry& entry : truth.row(row)) {
      if (next < kept.size() && kept[next] == number) {
        entries.push_back(entry);
        ++next;
      }
      ++number;
    }
    result.append(std::move(entries));
  }
  return result;
}

}  // namespace

Labels hide_exact(const Labels& truth, double ratio, std::uint64_t seed) {
  check_fraction(ratio, kRatio);
  const std::uint64_t stream = stream_key(seed, "hide exact");
  std::vector<Ticket> tickets;
  std::int64_t number = 0;
  for (std::int64_t row = 0; row < truth.rows(); ++row) {
    for (const LabelEntry& entry : truth.row(row)) {
      if (entry.state == kAnnotated) tickets.push_back({entry_key(stream, row, entry.column), number});
      ++number;
    }
  }
  const std::int64_t count = part_of(static_cast<std::int64_t>(tickets.size()), ratio);
  return keep(truth, draw(std::move(tickets), count));
}

Labels hide_class_ratio(const Labels& truth, double ratio, std::uint64_t seed) {
  check_fraction(ratio, kRatio);
  const std::uint64_t stream = stream_key(seed, "hide class ratio");
  std::vector<std::vector<Ticket>> lots(static_cast<std::size_t>(truth.classes()));
  std::int64_t number = 0;
  for (std::int64_t row = 0; row < truth.rows(); ++row) {
    for (const LabelEntry& entry : truth.row(row)) {
      if (entry.state == kAnnotated) {
        lots[static_cast<std::size_t>(entry.column)].push_back({entry_key(stream, row, entry.column), number});
      }
      ++number;
    }
  }
  std::vector<std::int64_t> kept;
  for (std::vector<Ticket>& lot : lots) {
    const std::int64_t count = part_of(static_cast<std::int64_t>(lot.size()), ratio);
    const std::vector<std::int64_t> drawn = draw(std::move(lot), count);
    kept.insert(kept.end(), drawn.begin(), drawn.end());
  }
  std::sort(kept.begin(), kept.end());
  return keep(truth, kept);
}

Labels hide_each(const Labels& truth, double ratio, std::uint64_t seed) {
  check_fraction(ratio, kRatio);
  const std::uint64_t stream = stream_key(seed, "hide each");
  Labels result(truth.classes());
  for (std::int64_t row = 0; row < truth.rows(); ++row) {
    std::vector<LabelEntry> entries;
    for (const LabelEntry& entry : truth.row(row)) {
      if (entry.state == kAnnotated && unit_double(entry_key(stream, row, entry.column)) < ratio)
        entries.push_back(entry);
    }
    result.append(std::move(entries));
  }
  return result;
}

std::span<const HideEntry> hide_modes() { return kHideModes; }

HideMode parse_hide_mode(std::string_view name) {
  const std::size_t index = index_of(name, kHideModes, "way of hiding");
  if (index == kFixed) throw UsageError("--hide fixed:N: expected a number in place of N, such as fixed:1000");
  return static_cast<HideMode>(index);
}

HidePlan parse_hide_plan(std::string_view how, std::optional<double> ratio) {
  HidePlan plan;
  if (!how.starts_with(kFixedName)) {
    plan.mode = parse_hide_mode(how);
    plan.ratio = ratio;
    return plan;
  }
  std::int64_t count = 0;
  const std::string_view digits = how.substr(kFixedName.size());
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc{} || stop != digits.data() + digits.size() || count < 1) {
    throw UsageError(fmt::format("--hide {}: expected a number of labels to keep, such as fixed:1000", how));
  }
  if (ratio) throw UsageError(fmt::format("--hide {} keeps a number of labels: leave --ratio out", how));
  plan.per_class = count;
  return plan;
}

Labels hide(const Labels& truth, const HidePlan& plan, std::uint64_t seed) {
  if (plan.per_class) return hide_per_class(truth, *plan.per_class, seed);
  return plan.ratio ? hide(truth, plan.mode, *plan.ratio, seed) : truth;
}

Labels hide(const Labels& truth, HideMode mode, double ratio, std::uint64_t seed) {
  switch (mode) {
    case HideMode::exact:
      return hide_exact(truth, ratio, seed);
    case HideMode::per_class:
      return hide_class_ratio(truth, ratio, seed);
    case HideMode::independent:
      return hide_each(truth, ratio, seed);
  }
  throw Error("hide: no such mode");
}

Labels hide_independent(const Labels& truth, std::span<const double> draws, double drop) {
  check_fraction(drop, "the probability to forget a label");
  const std::int64_t expected = truth.rows() * truth.classes();
  if (static_cast<std::int64_t>(draws.size()) != expected) {
    throw Error(
        fmt::format("{} draws for a label matrix of {} entries, expected one per entry", draws.size(), expected));
  }
  Labels result(truth.classes());
  for (std::int64_t row = 0; row < truth.rows(); ++row) {
    std::vector<LabelEntry> entries;
    for (const LabelEntry& entry : truth.row(row)) {
      const auto at = static_cast<std::size_t>(row * truth.classes() + entry.column);
      if (!(draws[at] < drop)) entries.push_back(entry);
    }
    result.append(std::move(entries));
  }
  return result;
}

Labels hide_per_class(const Labels& truth, std::int64_t count, std::uint64_t seed) {
  if (count < 0)
    throw UsageError(fmt::format("the number of labels to keep per class is {}, expected 0 or more", count));
  const std::uint64_t stream = stream_key(seed, "hide per class");
  // Positives and known negatives of every class are drawn separately: class c has the lots 2c and 2c + 1.
  std::vector<std::vector<Ticket>> lots(2 * static_cast<std::size_t>(truth.classes()));
  std::int64_t number = 0;
  for (std::int64_t row = 0; row < truth.rows(); ++row) {
    for (const LabelEntry& entry : truth.row(row)) {
      const std::size_t lot = 2 * static_cast<std::size_t>(entry.column) + (entry.state == kAnnotated ? 0 : 1);
      lots[lot].push_back({entry_key(stream, row, entry.column), number++});
    }
  }
  std::vector<std::int64_t> kept;
  for (std::vector<Ticket>& lot : lots) {
    const std::vector<std::int64_t> drawn = draw(std::move(lot), count);
    kept.insert(kept.end(), drawn.begin(), drawn.end());
  }
  std::sort(kept.begin(), kept.end());
  return keep(truth, kept);
}

Split split_items(std::int64_t items, double validation_fraction, std::uint64_t seed) {
  check_fraction(validation_fraction, "the fraction of validation items");
  if (items < 0) throw UsageError(fmt::format("{} items to split, expected 0 or more", items));
  const std::uint64_t stream = stream_key(seed, "split");
  std::vector<Ticket> tickets;
  for (std::int64_t i = 0; i < items; ++i) tickets.push_back({bits_at(stream, static_cast<std::uint64_t>(i)), i});
  Split split;
  split.validation = draw(std::move(tickets), part_of(items, validation_fraction));
  std::size_t next = 0;
  for (std::int64_t i = 0; i < items; ++i) {
    if (next < split.validation.size() && split.validation[next] == i) {
      ++next;
    } else {
      split.train.push_back(i);
    }
  }
  return split;
}

bool slice_suffices(const Labels& annotated, double share) {
  constexpr double kEnough = 500;
  return share * static_cast<double>(annotated.count(kAnnotated)) >= kEnough;
}

std::vector<Split> split_folds(const Labels& annotated, std::int64_t folds, std::uint64_t seed) {
  if (folds < 2 || folds > annotated.rows()) {
    throw UsageError(
        fmt::format("{} folds of {} rows, expected from 2 to as many as there are rows", folds, annotated.rows()));
  }
  const auto counts = annotated.count_per_class(kAnnotated);
  const auto visit = [&](std::int64_t row, const auto& action) {
    for (const auto& entry : annotated.row(row)) {
      if (entry.state == kAnnotated) action(static_cast<std::size_t>(entry.column));
    }
  };
  struct Place {
    std::int64_t rarity;  ///< positives of the rarest class of the row; rows without any come last
    std::size_t column;
    std::uint64_t draw;
    std::int64_t row;
  };
  const std::uint64_t stream = stream_key(seed, "folds");
  std::vector<Place> places;
  for (std::int64_t row = 0; row < annotated.rows(); ++row) {
    Place place{std::numeric_limits<std::int64_t>::max(), 0, bits_at(stream, static_cast<std::uint64_t>(row)), row};
    visit(row, [&](std::size_t c) {
      if (counts[c] < place.rarity) {
        place.rarity = counts[c];
        place.column = c;
      }
    });
    places.push_back(place);
  }
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return std::tie(a.rarity, a.column, a.draw, a.row) < std::tie(b.rarity, b.column, b.draw, b.row);
  });
  std::vector<std::size_t> fold_of(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    fold_of[static_cast<std::size_t>(places[i].row)] = i % static_cast<std::size_t>(folds);
  }
  std::vector<Split> result(static_cast<std::size_t>(folds));
  for (std::size_t row = 0; row < fold_of.size(); ++row) {
    for (std::size_t f = 0; f < result.size(); ++f) {
      (fold_of[row] == f ? result[f].validation : result[f].train).push_back(static_cast<std::int64_t>(row));
    }
  }
  return result;
}

}  // namespace mlpac
