#include "mlpac/selection.h"

#include <array>
#include <utility>

#include "core/names.h"
#include "mlpac/error.h"
#include "mlpac/prior.h"
#include "mlpac/thresholds.h"

namespace mlpac {

namespace {

constexpr std::array<NamedChoice, 8> kRules{{
    {"estimated-f1",
     "F1 estimated from recall(annotated), P(TRUE) and a bound of the share of positives; no negatives, no given "
     "prior"},
    {"middle-f1",
     "estimated F1 with a share of positives in the middle, by ratio, between the annotated one and the bound: for "
     "models whose surest predictions are often wrong"},
    {"break-even",
     "estimated F1 if as many entries were TRUE as are positive by the bound: compares how models order entries, for "
     "thresholds that are chosen afterwards (--threshold auto)"},
    {"lee-liu", "recall(annotated)^2 / P(TRUE) on the partially annotated slice: needs no negatives and no prior"},
    {"partial-f1", "F1 against the annotations of the slice, unknown counted as negative (favours under-prediction)"},
    {"full-dev", "F1 on the slice with complete labels: only where the training labels are completely known"},
    {"oracle", "F1 on the TEST labels: an upper bound for comparison, never an honest result"},
    {"last", "the last epoch (of several w, the one with the best Lee-Liu score)"},
}};

double annotated_share(const Counts& counts) {
  const auto annotated = static_cast<double>(counts.true_positive + counts.false_negative);
  return counts.entries() > 0 ? annotated / static_cast<double>(counts.entries()) : 0;
}

const Counts& needed(const std::optional<Counts>& counts, const char* what) {
  if (!counts) throw Error(what);
  return *counts;
}

}  // namespace

std::span<const NamedChoice> selection_rules() { return kRules; }

SelectionRule parse_selection(std::string_view name) {
  return static_cast<SelectionRule>(index_of(name, kRules, "selection rule"));
}

std::string_view selection_name(SelectionRule rule) { return kRules.at(static_cast<std::size_t>(rule)).name; }

double selection_score(SelectionRule rule, const SelectionEvidence& evidence, std::int64_t epoch, double prior) {
  switch (rule) {
    case SelectionRule::estimated_f1:
      return estimated_f1(evidence.annotated, prior);
    case SelectionRule::middle_f1:
      return estimated_f1(evidence.annotated, middle_prior(annotated_share(evidence.annotated), prior));
    case SelectionRule::break_even:  // precision and recall are the same there, and so is F1
      return 100 * recall_around(evidence.curve, prior);
    case SelectionRule::lee_liu:
      return lee_liu(evidence.annotated);
    case SelectionRule::partial_f1:
      return evidence.annotated.f1();
    case SelectionRule::full_dev:
      return needed(evidence.truth,
                    "--selection full-dev needs complete training labels (use --ratio on a complete file)")
          .f1();
    case SelectionRule::oracle:
      return needed(evidence.test, "--selection oracle needs a labelled --test file").f1();
    case SelectionRule::last: {  // epochs come first; candidates of the same epoch are told apart by Lee-Liu
      const double score = lee_liu(evidence.annotated);
      return static_cast<double>(epoch) + score / (1 + score);
    }
  }
  return 0;
}

void Selector::observe(std::int64_t candidate, std::int64_t epoch, const SelectionEvidence& evidence) {
  auto& recent = recent_[candidate];
  recent.push_back({1, epoch, evidence});
  if (static_cast<std::int64_t>(recent.size()) > window_) recent.erase(recent.begin());
}

std::vector<Selector::Weighted> Selector::evidence_of(std::int64_t candidate) const {
  constexpr double kNeighbour = 0.6;  // exp(-1/2): a Gaussian one step wide
  std::vector<Weighted> result;
  const bool noisy = estimates_f1(rule_) || rule_ == SelectionRule::lee_liu;
  for (const std::int64_t other : {candidate - 1, candidate, candidate + 1}) {
    const auto it = recent_.find(other);
    if (it == recent_.end() || (other != candidate && !noisy)) continue;
    for (Weighted item : it->second) {
      item.weight = (other == candidate ? 1 : kNeighbour) / static_cast<double>(it->second.size());
      result.push_back(item);
    }
  }
  return result;
}

double Selector::mean(const std::vector<Weighted>& evidence) const {
  double sum = 0;
  double weights = 0;
  for (const auto& item : evidence) {
    sum += item.weight * selection_score(rule_, item.evidence, item.epoch, prior_);
    weights += item.weight;
  }
  return weights > 0 ? sum / weights : 0;
}

double Selector::score(std::int64_t candidate) const { return mean(evidence_of(candidate)); }

bool Selector::offer(std::int64_t epochs, std::int64_t candidate) {
  auto evidence = evidence_of(candidate);
  if (best_.candidate >= 0 && mean(evidence) < best_score()) return false;
  best_ = {epochs, candidate};
  best_evidence_ = std::move(evidence);
  return true;
}

void Selector::begin_with(const SelectionEvidence& evidence) {
  best_ = {0, 0};
  best_evidence_ = {{1, 0, evidence}};
}

void Selector::reset() {
  recent_.clear();
  best_ = {};
  best_evidence_.clear();
}

namespace {

nlohmann::json to_json(const Counts& counts) {
  return {counts.true_positive, counts.false_positive, counts.false_negative, counts.true_negative};
}

Counts to_counts(const nlohmann::json& values) {
  const auto at = [&](std::size_t i) { return values.at(i).get<std::int64_t>(); };
  return {at(0), at(1), at(2), at(3)};
}

nlohmann::json to_json(const std::optional<Counts>& counts) { return counts ? to_json(*counts) : nlohmann::json(); }

std::optional<Counts> to_optional(const nlohmann::json& values) {
  return values.is_null() ? std::nullopt : std::optional(to_counts(values));
}

ScoreCurve to_curve(const nlohmann::json& annotated, const nlohmann::json& entries) {
  ScoreCurve curve;
  curve.annotated = annotated.get<std::vector<std::int64_t>>();
  curve.entries = entries.get<std::vector<std::int64_t>>();
  return curve;
}

}  // namespace

nlohmann::json Selector::save() const {
  const auto list = [](const std::vector<Weighted>& evidence) {
    auto result = nlohmann::json::array();
    for (const auto& [weight, epoch, item] : evidence) {
      result.push_back({weight, epoch, to_json(item.annotated), to_json(item.truth), to_json(item.test),
                        item.curve.annotated, item.curve.entries});
    }
    return result;
  };
  auto recent = nlohmann::json::array();
  for (const auto& [candidate, evidence] : recent_) recent.push_back({candidate, list(evidence)});
  return {{"prior", prior_},
          {"recent", recent},
          {"epochs", best_.epochs},
          {"candidate", best_.candidate},
          {"best", list(best_evidence_)}};
}

void Selector::load(const nlohmann::json& state) {
  const auto list = [](const nlohmann::json& values) {
    std::vector<Weighted> result;
    for (const auto& entry : values) {
      result.push_back({entry.at(0).get<double>(),
                        entry.at(1).get<std::int64_t>(),
                        {to_counts(entry.at(2)), to_optional(entry.at(3)), to_optional(entry.at(4)),
                         to_curve(entry.at(5), entry.at(6))}});
    }
    return result;
  };
  prior_ = state.at("prior").get<double>();
  recent_.clear();
  for (const auto& entry : state.at("recent")) recent_[entry.at(0).get<std::int64_t>()] = list(entry.at(1));
  best_ = {state.at("epochs").get<std::int64_t>(), state.at("candidate").get<std::int64_t>()};
  best_evidence_ = list(state.at("best"));
}

}  // namespace mlpac
