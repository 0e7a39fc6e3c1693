#include "review/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "mlpac/error.h"
#include "review/decisions.h"
#include "review/instances.h"
#include "review/journal.h"
#include "review/suggestion_index.h"

namespace mlpac {
namespace {

using nlohmann::json;

std::int64_t count(const std::array<std::int64_t, 4>& counts, Verdict verdict) {
  return counts.at(static_cast<std::size_t>(verdict));
}

json to_json(const std::array<std::int64_t, 4>& counts) {
  return {{"open", count(counts, Verdict::open)},
          {"accepted", count(counts, Verdict::accept)},
          {"rejected", count(counts, Verdict::reject)},
          {"skipped", count(counts, Verdict::skip)},
          {"total", counts[0] + counts[1] + counts[2] + counts[3]}};
}

}  // namespace

ReviewSession::ReviewSession(SuggestionIndex suggestions, std::unique_ptr<const Instances> instances, Journal& journal)
    : suggestions_(std::move(suggestions)), instances_(std::move(instances)), journal_(journal) {
  verdicts_.resize(suggestions_.size(), Verdict::open);
  labels_.resize(suggestions_.label_names().size());
  for (std::size_t i = 0; i < suggestions_.size(); ++i) {
    ++labels_[static_cast<std::size_t>(suggestions_.label(i))][0];
    ++all_[0];
  }
  for (const ReviewDecision& decision : journal_.decisions().standing()) {
    if (const auto at = suggestions_.find(decision.row, decision.label)) set(*at, decision.verdict);
  }
  constexpr std::size_t kChecked = 100;  // the others say so when they are shown
  for (std::size_t i = 0; i < std::min(kChecked, suggestions_.size()); ++i) {
    const auto line = suggestions_.at(i);
    const auto known = instances_->annotated({line.row, line.id});
    if (std::find(known.begin(), known.end(), line.label) != known.end()) {
      throw Error(
          fmt::format("the label {} of {} is suggested, but it is annotated already; were the suggestions made "
                      "for other data?",
                      line.label, line.id));
    }
  }
}

void ReviewSession::check(std::size_t at) const {
  if (at >= suggestions_.size()) {
    throw Error(fmt::format("there is no suggestion {}, expected one from 0 to {}", at, suggestions_.size() - 1));
  }
}

void ReviewSession::set(std::size_t at, Verdict verdict) {
  auto& own = labels_[static_cast<std::size_t>(suggestions_.label(at))];
  for (auto* const counts : {&own, &all_}) {
    --counts->at(static_cast<std::size_t>(verdicts_[at]));
    ++counts->at(static_cast<std::size_t>(verdict));
  }
  verdicts_[at] = verdict;
}

json ReviewSession::state() const {
  const std::lock_guard lock(mutex_);
  auto labels = json::array();
  for (std::size_t i = 0; i < labels_.size(); ++i) {
    auto entry = to_json(labels_[i]);
    entry["name"] = suggestions_.label_names()[i];
    labels.push_back(std::move(entry));
  }
  return {{"labels", std::move(labels)}, {"progress", {{"all", to_json(all_)}}}, {"journal", journal_.path().string()}};
}

json ReviewSession::progress(const ReviewFilter& filter) const {
  const std::lock_guard lock(mutex_);
  json result{{"all", to_json(all_)}, {"undo", journal_.decisions().size() > 0}};
  if (filter.label) result["label"] = to_json(labels_.at(static_cast<std::size_t>(*filter.label)));
  return result;
}

std::optional<std::size_t> ReviewSession::next(std::size_t from, const ReviewFilter& filter) const {
  const std::lock_guard lock(mutex_);
  if (filter.label && (*filter.label < 0 || static_cast<std::size_t>(*filter.label) >= labels_.size())) {
    throw Error(fmt::format("there is no label {}", *filter.label));
  }
  const auto& counts = filter.label ? labels_[static_cast<std::size_t>(*filter.label)] : all_;
  if (count(counts, filter.verdict) == 0) return std::nullopt;
  for (std::size_t step = 0; step < verdicts_.size(); ++step) {
    const std::size_t at = (from + step) % verdicts_.size();
    if (verdicts_[at] == filter.verdict && (!filter.label || suggestions_.label(at) == *filter.label)) return at;
  }
  return std::nullopt;
}

json ReviewSession::item(std::size_t at) const {
  check(at);
  const auto line = suggestions_.at(at);
  const InstanceName name{line.row, line.id};
  json result{{"at", at},
              {"id", line.id},
              {"row", line.row},
              {"label", line.label},
              {"meaning", instances_->meaning(line.label)},
              {"probability", line.probability},
              {"policy", line.policy},
              {"critic", line.critic ? json(*line.critic) : json()},
              {"annotated", instances_->annotated(name)},
              {"instance", instances_->show(name)}};
  constexpr std::size_t kMostOthers = 50;
  auto others = json::array();
  const std::lock_guard lock(mutex_);
  result["verdict"] = verdict_name(verdicts_[at]);
  for (const std::size_t other : suggestions_.of_row(line.row)) {
    if (other == at || others.size() == kMostOthers) continue;
    others.push_back({{"at", other},
                      {"label", suggestions_.label_names()[static_cast<std::size_t>(suggestions_.label(other))]},
                      {"verdict", verdict_name(verdicts_[other])}});
  }
  result["others"] = std::move(others);
  return result;
}

std::optional<Picture> ReviewSession::picture(std::size_t at) const {
  check(at);
  const auto line = suggestions_.at(at);
  return instances_->picture({line.row, line.id});
}

void ReviewSession::decide(std::size_t at, Verdict verdict) {
  check(at);
  auto line = suggestions_.at(at);
  const std::lock_guard lock(mutex_);
  journal_.add({verdict, line.row, std::move(line.id), std::move(line.label), line.probability, utc_now()});
  set(at, verdict);
}

std::optional<ReviewSession::Undone> ReviewSession::undo() {
  const std::lock_guard lock(mutex_);
  auto decision = journal_.undo();
  if (!decision) return std::nullopt;
  const auto at = suggestions_.find(decision->row, decision->label);
  if (at) set(*at, journal_.decisions().verdict(decision->row, decision->label));
  return Undone{std::move(*decision), at};
}

}  // namespace mlpac
