// Saving and restoring the training loop: what it adds to the state of the method.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "mlpac/error.h"
#include "train/trainer.h"

namespace mlpac {

namespace {

ScoreCurve to_curve(const nlohmann::json& values) {
  ScoreCurve curve;
  curve.annotated = values.at(0).get<std::vector<std::int64_t>>();
  curve.entries = values.at(1).get<std::vector<std::int64_t>>();
  return curve;
}

}  // namespace

bool Trainer::checkpoint_due() const {
  if (folder_ == nullptr) return false;
  const double interval = spec_.checkpoint_seconds < 0 ? std::max(0.5, 50 * save_cost_) : spec_.checkpoint_seconds;
  return seconds_since(saved_) >= interval;
}

void Trainer::checkpoint() {
  log_.combine(group_);
  if (!group_.first()) log_.zero();  // the first process has it all now
  if (folder_ == nullptr) return;
  const auto start = std::chrono::steady_clock::now();
  State state;
  method_.save(state);
  log_.save(state, "log.");
  for (std::size_t fold = 0; fold < best_.size(); ++fold) {
    for (const auto& [name, tensor] : best_[fold]) state.tensors[fmt::format("best{}.{}", fold, name)] = tensor;
  }
  for (std::size_t fold = 0; fold < initial_.size(); ++fold) {
    for (const auto& [name, tensor] : initial_[fold]) state.tensors[fmt::format("initial{}.{}", fold, name)] = tensor;
  }
  auto curves = nlohmann::json::array();
  for (const auto& curve : class_curves_) curves.push_back({curve.annotated, curve.entries});
  auto chosen = nlohmann::json::array();
  for (const auto& best : chosen_) chosen.push_back({best.epochs, best.candidate});
  state.values["trainer"] = {{"phase", clock_.phase},
                             {"epoch", clock_.epoch},
                             {"step", clock_.step},
                             {"global_epoch", clock_.global_epoch},
                             {"waits", waits_},
                             {"selector", selector_.save()},
                             {"chosen", chosen},
                             {"score", score_},
                             {"initial", initial_.size()},
                             {"mix", {mix_.selected, mix_.initial, mix_.companion}},
                             {"rate", rate_ ? nlohmann::json(*rate_) : nlohmann::json()},
                             {"curve", {curve_.annotated, curve_.entries}},
                             {"class_curves", curves},
                             {"w", best_w_ ? nlohmann::json(*best_w_) : nlohmann::json()},
                             {"seconds", elapsed()},
                             {"prior", problem_.prior},
                             {"fingerprint", problem_.fingerprint},
                             {"metrics_size", folder_->metrics_size()}};
  save_state(folder_->checkpoint(), state);
  saved_ = std::chrono::steady_clock::now();
  save_cost_ = seconds_since(start);
}

void Trainer::restore() {
  const auto file = group_.from_first(group_.first() ? folder_->checkpoint().string() : std::string());
  const auto state = from_first(group_, group_.first() ? load_state(file) : State());
  try {
    const auto& values = state.values.at("trainer");
    if (values.at("fingerprint") != problem_.fingerprint)
      throw Error("the data files have changed since it was written");
    clock_.phase = values.at("phase").get<std::size_t>();
    clock_.epochs = phases_.at(clock_.phase).epochs;
    clock_.steps_per_epoch = steps_of(clock_.phase);
    clock_.epoch = values.at("epoch").get<std::int64_t>();
    clock_.step = values.at("step").get<std::int64_t>();
    clock_.global_epoch = values.at("global_epoch").get<std::int64_t>();
    waits_ = values.at("waits").get<std::int64_t>();
    selector_.load(values.at("selector"));
    if (!values.at("w").is_null()) best_w_ = values.at("w").get<double>();
    seconds_before_ = values.at("seconds").get<double>();
    for (const auto& best : values.at("chosen")) {
      chosen_.push_back({best.at(0).get<std::int64_t>(), best.at(1).get<std::int64_t>()});
    }
    score_ = values.at("score").get<double>();
    curve_ = to_curve(values.at("curve"));
    for (const auto& curve : values.at("class_curves")) class_curves_.push_back(to_curve(curve));
    best_.assign(splits(clock_.phase).size(), {});
    for (std::size_t fold = 0; fold < best_.size(); ++fold) {
      best_[fold] = state.tensors_under(fmt::format("best{}.", fold));
    }
    const auto mix = values.at("mix").get<std::array<bool, 3>>();
    mix_ = {mix[0], mix[1], mix[2]};
    if (!values.at("rate").is_null()) rate_ = values.at("rate").get<double>();
    initial_.assign(values.at("initial").get<std::size_t>(), {});
    for (std::size_t fold = 0; fold < initial_.size(); ++fold) {
      initial_[fold] = state.tensors_under(fmt::format("initial{}.", fold));
    }
    log_.load(state, "log.");
    if (!group_.first()) log_.zero();
    method_.load(state);
    if (folder_ != nullptr) folder_->truncate_metrics(values.at("metrics_size").get<std::uintmax_t>());
  } catch (const std::exception& error) {
    throw Error(
        fmt::format("{}: the checkpoint does not fit this run: {}; start over with --force", file, error.what()));
  }
}

}  // namespace mlpac
