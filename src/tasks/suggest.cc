#include "tasks/suggest.h"

#include <fmt/format.h>

#include <cmath>

#include "data/csv_field.h"
#include "mlpac/error.h"

namespace mlpac {

namespace {

/// What entries are ranked by: both networks have a say, because they err in different ways.
double combined(const ScoredRows& part, std::size_t at) {
  if (part.critic.empty()) return part.policy[at];
  return 0.5 * (static_cast<double>(part.policy[at]) + static_cast<double>(part.critic[at]));
}

float probability_of(float log_odds) { return 1 / (1 + std::exp(-log_odds)); }

/// How scores are spread, and where the annotations are.
struct Curves {
  std::vector<ScoreCurve> annotated;
  std::vector<ScoreCurve> truth;  ///< with all positives as annotations; empty if they are not known
};

/// Calls `count` with part, label and log-odds of all entries of some rows.
template <typename Count>
void each_entry(const ScoredRows& part, const Count& count) {
  const auto classes = static_cast<std::size_t>(part.classes);
  for (std::size_t i = 0; i < part.rows.size() * classes; ++i) count(part.part, i % classes, combined(part, i));
}

/// The same for those of its entries that `labels` has as annotated.
template <typename Count>
void each_annotated(const ScoredRows& part, const Labels& labels, const Count& count) {
  const auto classes = static_cast<std::size_t>(part.classes);
  for (std::size_t i = 0; i < part.rows.size(); ++i) {
    for (const auto& entry : labels.row(part.rows[i])) {
      const auto c = static_cast<std::size_t>(entry.column);
      if (entry.state == kAnnotated) count(part.part, c, combined(part, i * classes + c));
    }
  }
}

/// Models of several parts on one scale.
Alignment align(const Scoring& scoring, double annotated) {
  if (scoring.parts.size() < 2) return Alignment(scoring.parts.size());
  std::vector<ScoreCurve> models(scoring.parts.size());
  score(scoring, [&](const ScoredRows& part) {
    each_entry(part, [&](std::size_t p, std::size_t, double z) { ++models[p].entries[ScoreCurve::bin_of(z)]; });
    each_annotated(part, scoring.annotated,
                   [&](std::size_t p, std::size_t, double z) { ++models[p].annotated[ScoreCurve::bin_of(z)]; });
  });
  return Alignment(models, annotated);
}

Curves curves_of(const Scoring& scoring, const Alignment& alignment) {
  Curves curves;
  curves.annotated.resize(scoring.label_names.size());
  if (scoring.truth) curves.truth.resize(scoring.label_names.size());
  const auto bin = [&](std::size_t part, double z) { return ScoreCurve::bin_of(alignment.aligned(part, z)); };
  const auto into = [&](std::vector<ScoreCurve>& found) {
    return [&found, &bin](std::size_t p, std::size_t c, double z) { ++found[c].annotated[bin(p, z)]; };
  };
  score(scoring, [&](const ScoredRows& part) {
    each_entry(part, [&](std::size_t p, std::size_t c, double z) { ++curves.annotated[c].entries[bin(p, z)]; });
    each_annotated(part, scoring.annotated, into(curves.annotated));
    if (scoring.truth) each_annotated(part, *scoring.truth, into(curves.truth));
  });
  return curves;
}

/// Calls `visit` with every row and its unknown entries as suggestions with the probability that `rule` gives.
template <typename Rule, typename Visit>
void visit_unknown(const Scoring& scoring, const Alignment& alignment, const Rule& rule, const Visit& visit) {
  std::vector<Suggestion> row;
  score(scoring, [&](const ScoredRows& part) {
    const auto classes = static_cast<std::size_t>(part.classes);
    for (std::size_t i = 0; i < part.rows.size(); ++i) {
      row.clear();
      auto known = scoring.annotated.row(part.rows[i]);
      for (std::size_t c = 0; c < classes; ++c) {
        if (!known.empty() && static_cast<std::size_t>(known.front().column) == c) {
          known = known.subspan(1);
          continue;
        }
        const auto at = i * classes + c;
        Suggestion suggestion;
        suggestion.row = part.rows[i];
        suggestion.label = static_cast<std::int32_t>(c);
        suggestion.probability = static_cast<float>(rule(c, alignment.aligned(part.part, combined(part, at))));
        suggestion.policy = probability_of(part.policy[at]);
        suggestion.critic =
            part.critic.empty() ? std::numeric_limits<float>::quiet_NaN() : probability_of(part.critic[at]);
        row.push_back(suggestion);
      }
      visit(row);
    }
  });
}

}  // namespace

Suggested suggest(const Scoring& scoring, const Options& options) {
  const auto& rank = options.text("rank");
  const double precision = options.number("min-precision");
  const double known = options.number("annotated-share");
  Suggested result;
  result.calibrated = rank == "calibrated";
  if (precision > 0 && !result.calibrated) {
    throw UsageError(fmt::format("--min-precision: precision is only estimated by --rank calibrated, not {}", rank));
  }
  // Other rankings are as people use them: by what the networks say.
  const auto alignment = result.calibrated ? align(scoring, known) : Alignment(scoring.parts.size());
  const auto all = curves_of(scoring, alignment);
  const auto& curves = all.annotated;
  const Calibration calibration(curves, known);
  result.reliability = reliability(curves, calibration, all.truth);
  const auto thresholds = confident_thresholds(curves);
  result.annotated = calibration.annotated();
  for (std::size_t c = 0; c < curves.size(); ++c) {
    for (std::size_t bin = 0; bin < curves[c].entries.size(); ++bin) {
      result.missing += static_cast<double>(curves[c].entries[bin] - curves[c].annotated[bin]) *
                        calibration.probability(c, ScoreCurve::centre_of(bin));
    }
  }
  const auto rule = [&](std::size_t c, double z) {
    if (rank == "score") return 1 / (1 + std::exp(-z));
    if (rank == "confident-learning") return 0.5 + 0.5 * (1 / (1 + std::exp(-z)) - thresholds[c]);
    return calibration.probability(c, z);
  };
  SuggestionBudget budget;
  budget.total = options.integer("limit");
  if (budget.total == 0) budget.total = std::max<std::int64_t>(1, std::llround(result.missing));
  budget.per_label = options.integer("per-label");
  budget.per_row = options.integer("per-row");
  budget.min_probability = options.number("min-probability");
  SuggestionRanker ranker(budget, static_cast<std::int32_t>(scoring.label_names.size()));
  visit_unknown(scoring, alignment, rule, [&](std::vector<Suggestion>& row) { ranker.add_row(row); });
  result.ranked = ranker.take();
  if (precision > 0) result.ranked.resize(count_with_precision(result.ranked, precision));
  return result;
}

std::string suggestion_header(bool csv) { return csv ? "rank,row,id,label,probability,policy,critic,agreement\n" : ""; }

std::string suggestion_text(std::span<const Suggestion> suggestions, std::size_t first, const Scoring& scoring,
                            bool csv) {
  std::string text;
  const auto quoted = [&](const std::string& word) { return csv ? csv_field(word) : nlohmann::json(word).dump(); };
  for (const auto& suggestion : suggestions) {
    const auto row = static_cast<std::size_t>(suggestion.row);
    const auto id = quoted(scoring.ids.empty() ? std::to_string(suggestion.row) : scoring.ids[row]);
    const auto label = quoted(scoring.label_names[static_cast<std::size_t>(suggestion.label)]);
    const bool critic = !std::isnan(suggestion.critic);
    const auto agreement = 1 - std::abs(suggestion.policy - suggestion.critic);
    if (csv) {
      text += fmt::format("{},{},{},{},{:.4f},{:.4f},{},{}\n", first++, row, id, label, suggestion.probability,
                          suggestion.policy, critic ? fmt::format("{:.4f}", suggestion.critic) : "",
                          critic ? fmt::format("{:.4f}", agreement) : "");
    } else {
      text += fmt::format(
          "{{\"rank\":{},\"row\":{},\"id\":{},\"label\":{},\"probability\":{:.4f},\"policy\":{:.4f},\"critic\":{},"
          "\"agreement\":{}}}\n",
          first++, row, id, label, suggestion.probability, suggestion.policy,
          critic ? fmt::format("{:.4f}", suggestion.critic) : "null",
          critic ? fmt::format("{:.4f}", agreement) : "null");
    }
  }
  return text;
}

}  // namespace mlpac
