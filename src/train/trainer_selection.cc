// Scoring candidates on the rows set aside, and choosing among them.
#include <algorithm>
#include <array>

#include "mlpac/thresholds.h"
#include "nn/committee.h"
#include "train/trainer.h"

namespace mlpac {

std::vector<Tally> Trainer::tally(std::size_t fold, std::span<Network* const> networks) {
  const auto& own = splits(clock_.phase)[fold].validation;
  if (spec_.rule == SelectionRule::oracle && problem_.test && problem_.test_truth) {
    return tally_decisions(*problem_.test, test_items_, *problem_.test_truth, problem_.decision, networks, spec_.sweep);
  }
  const bool complete = spec_.rule == SelectionRule::full_dev && problem_.truth;
  // Complete labels are counted only to be shown (experiments hide labels that are known); nothing is chosen by them.
  const auto* const shown = complete || !problem_.truth ? nullptr : &*problem_.truth;
  return tally_decisions(*problem_.train, own, complete ? *problem_.truth : problem_.annotated, problem_.decision,
                         networks, spec_.sweep, shown);
}

SelectionEvidence Trainer::evidence_of(const Tally& tally) const {
  SelectionEvidence evidence;
  if (spec_.rule == SelectionRule::full_dev && problem_.truth) {
    evidence.truth = tally.counts;
  } else if (spec_.rule == SelectionRule::oracle && problem_.test && problem_.test_truth) {
    evidence.test = tally.counts;
  } else {
    evidence.annotated = tally.counts;
    evidence.curve = tally.curve;
  }
  return evidence;
}

std::vector<ScoreCurve> Trainer::curves_of_classes(const Mix& mix) {
  std::vector<ScoreCurve> curves(static_cast<std::size_t>(problem_.annotated.classes()));
  for (std::size_t fold = 0; fold < best_.size(); ++fold) {
    const auto network = mixed_network(fold, mix);
    const auto part = class_curves(*problem_.train, splits(clock_.phase)[fold].validation, problem_.annotated,
                                   problem_.decision, *network, spec_.sweep);
    for (std::size_t c = 0; c < part.size(); ++c) curves[c].add(part[c]);
  }
  return curves;
}

std::vector<Weights> Trainer::mixed(std::size_t split, const Mix& mix) const {
  std::vector<Weights> weights;
  if (mix.selected) weights.push_back(best_[split]);
  if (mix.initial) weights.push_back(initial_[split]);
  if (mix.companion) weights.push_back(copy_weights(*method_.companions()[split]));
  return weights;
}

std::shared_ptr<Network> Trainer::mixed_network(std::size_t fold, const Mix& mix) const {
  std::vector<std::shared_ptr<Network>> members;
  for (const auto& weights : mixed(fold, mix)) {
    members.push_back(create_network(problem_.architecture));
    members.back()->to(spec_.sweep.device);
    load_tensors(*members.back(), weights, "the selected model");
  }
  return one_network(members);
}

std::vector<ScoreCurve> Trainer::curves_of(std::span<const Mix> mixes) {
  std::vector<ScoreCurve> curves(mixes.size());
  for (std::size_t fold = 0; fold < best_.size(); ++fold) {
    std::vector<std::shared_ptr<Network>> networks;
    std::vector<Network*> scored;
    for (const auto& mix : mixes) {
      networks.push_back(mixed_network(fold, mix));
      scored.push_back(networks.back().get());
    }
    const auto part = tally(fold, scored);
    for (std::size_t i = 0; i < mixes.size(); ++i) curves[i].add(part[i].curve);
  }
  return curves;
}

void Trainer::choose_mix() {
  if (initial_.empty()) return;
  std::vector<Mix> mixes{{true, false}, {true, true}, {false, true}};
  const bool all = phases_[clock_.phase].mix == MixWith::all && !method_.companions().empty();
  if (all) {
    mixes.insert(mixes.end(), {{true, true, true}, {true, false, true}, {false, true, true}, {false, false, true}});
  }
  const auto curves = curves_of(mixes);
  // As many entries stay TRUE as the policy says: its best share is known from the scores of many candidates and
  // epochs, a mix has one. A critic, which says TRUE less often, has a share of its own, and what it learns of rare
  // classes is not seen among the surest entries of all.
  const double rate = rate_above(curves[0], best_threshold(curves[0], selector_.prior()));
  if (rate == 0 && !all) return;
  std::size_t best = 0;
  double most = -1;
  for (std::size_t i = 0; i < mixes.size(); ++i) {
    const double order = all ? mean_log_rank(curves_of_classes(mixes[i])) : recall_around(curves[i], rate);
    if (order <= most) continue;
    most = order;
    best = i;
  }
  if (best == 0) return;
  mix_ = mixes[best];
  curve_ = curves[best];
  if (!all) rate_ = rate;
}

std::vector<double> Trainer::score_candidates(nlohmann::json& line) {
  const auto candidates = method_.candidates(clock_.phase);
  if (phases_[clock_.phase].repeats) {  // nothing to choose: the model is what this epoch made
    for (std::size_t m = 0; m < best_.size(); ++m) best_[m] = copy_weights(candidates.front()[m]->predictor());
    if (clock_.phase + 1 == phases_.size()) best_w_ = method_.weight(0, clock_);
    return std::vector<double>(candidates.size(), 0);
  }
  std::vector<Tally> tallies(candidates.size());
  for (std::size_t fold = 0; fold < splits(clock_.phase).size(); ++fold) {
    std::vector<Network*> networks;
    for (const auto& candidate : candidates) {
      if (!candidate.empty()) networks.push_back(&candidate[fold]->predictor());
    }
    const auto part = tally(fold, networks);
    std::size_t next = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (!candidates[i].empty()) tallies[i].add(part[next++]);
    }
  }
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto id = static_cast<std::int64_t>(i);
    if (candidates[i].empty()) {
      selector_.forget(id);
      continue;
    }
    selector_.observe(id, clock_.epoch, evidence_of(tallies[i]));
    selector_.bound_prior(bound_of_prior(tallies[i].curve));
  }
  return choose(candidates, tallies, line);
}

namespace {

/// What the leading candidate decides on the rows set aside, in percent.
void note_decisions(const Tally& tally, nlohmann::json& line) {
  const auto& counts = tally.counts;
  line["annotated_recall"] = counts.recall();
  line["predicted_share"] =
      100 * static_cast<double>(counts.predicted()) / static_cast<double>(std::max<std::int64_t>(1, counts.entries()));
  if (!tally.truth) return;
  line["true_precision"] = tally.truth->precision();
  line["true_recall"] = tally.truth->recall();
  line["true_f1"] = tally.truth->f1();
}

}  // namespace

std::vector<double> Trainer::choose(std::span<const Candidate> candidates, std::span<const Tally> tallies,
                                    nlohmann::json& line) {
  const auto& phase = phases_[clock_.phase];
  const bool settled = static_cast<double>(clock_.epoch + 1) > phase.settle * static_cast<double>(phase.epochs);
  const bool last = last_choice();
  bool improved = !settled;
  double top = -1;
  std::vector<double> scores(candidates.size(), -1);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].empty()) continue;
    const auto id = static_cast<std::int64_t>(i);
    scores[i] = selector_.score(id);
    const double score = selection_score(spec_.rule, evidence_of(tallies[i]), clock_.epoch, selector_.prior());
    const auto w = last ? method_.weight(id, clock_) : std::nullopt;
    if (scores[i] > top) {
      top = scores[i];
      line["score"] = score;
      if (w) line["w"] = *w;
      note_decisions(tallies[i], line);
    }
    if (candidates.size() > 1) line["candidates"].push_back({{"w", w.value_or(0)}, {"score", score}});
    // A tie goes to the later epoch but is no progress; before the first score above 0 nothing can be said.
    const double before = selector_.best_score();
    if (settled && selector_.offer(clock_.epoch + 1, id)) {
      improved = improved || before <= 0 || scores[i] > before;
      for (std::size_t fold = 0; fold < best_.size(); ++fold)
        best_[fold] = copy_weights(candidates[i][fold]->predictor());
      best_w_ = w;
      curve_ = tallies[i].curve;
    }
  }
  if (estimates_f1(spec_.rule)) line["prior_bound"] = selector_.prior();
  waits_ = improved ? 0 : waits_ + 1;
  return scores;
}

}  // namespace mlpac
