#include "mlpac/selection.h"

#include <array>
#include <numeric>

#include "core/names.h"
#include "mlpac/error.h"

namespace mlpac {

namespace {

constexpr std::array<NamedChoice, 5> kRules{{
    {"lee-liu", "recall(annotated)^2 / P(TRUE) on the partially annotated slice: needs no negatives and no prior"},
    {"partial-f1", "F1 against the annotations of the slice, unknown counted as negative (favours under-prediction)"},
    {"full-dev", "F1 on the slice with complete labels: only where the training labels are completely known"},
    {"oracle", "F1 on the TEST labels: an upper bound for comparison, never an honest result"},
    {"last", "the last epoch (of several w, the one with the best Lee-Liu score)"},
}};

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

double selection_score(SelectionRule rule, const SelectionEvidence& evidence, std::int64_t epoch) {
  switch (rule) {
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

double Selector::observe(std::int64_t candidate, double score) {
  auto& recent = recent_[candidate];
  recent.push_back(score);
  if (static_cast<std::int64_t>(recent.size()) > window_) recent.erase(recent.begin());
  return std::accumulate(recent.begin(), recent.end(), 0.0) / static_cast<double>(recent.size());
}

bool Selector::offer(std::int64_t epoch, std::int64_t candidate, double smoothed) {
  if (best_.epoch >= 0 && smoothed < best_.score) return false;
  best_ = {epoch, candidate, smoothed};
  return true;
}

void Selector::reset() {
  recent_.clear();
  best_ = {};
}

nlohmann::json Selector::save() const {
  nlohmann::json recent = nlohmann::json::array();
  for (const auto& [candidate, scores] : recent_) recent.push_back({candidate, scores});
  return {{"recent", recent}, {"epoch", best_.epoch}, {"candidate", best_.candidate}, {"score", best_.score}};
}

void Selector::load(const nlohmann::json& state) {
  recent_.clear();
  for (const auto& entry : state.at("recent")) {
    recent_[entry.at(0).get<std::int64_t>()] = entry.at(1).get<std::vector<double>>();
  }
  best_ = {state.at("epoch").get<std::int64_t>(), state.at("candidate").get<std::int64_t>(),
           state.at("score").get<double>()};
}

}  // namespace mlpac
