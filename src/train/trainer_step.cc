// A step: which rows it is made of, in parts and by process, and how learners take it.
#include "core/signals.h"
#include "distributed/batch_share.h"
#include "distributed/gradient_sum.h"
#include "train/trainer.h"

namespace mlpac {

namespace {

/// All state is averaged: what batch norm has seen of the weights of one step does not fit an average of many. Counts
/// of batches stay as they are, since they say nothing about an average.
void update_average(const Learner& learner, double decay) {
  const at::NoGradGuard no_grad;
  auto own = learner.average->parameters();
  auto now = learner.network->parameters();
  const auto own_buffers = learner.average->buffers();
  const auto buffers = learner.network->buffers();
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (!buffers[i].is_floating_point()) continue;
    own.push_back(own_buffers[i]);
    now.push_back(buffers[i]);
  }
  at::_foreach_mul_(own, decay);
  at::_foreach_add_(own, now, 1 - decay);
}

}  // namespace

Trainer::Part Trainer::part_of(const BatchOrder& order, std::int64_t step, std::int64_t part) const {
  auto whole = order.step(step).part(part, spec_.parts);
  if (group_.alone()) return {whole, whole};
  auto own = whole.part(group_.rank(), group_.size());
  if (rows_of(own.items) > 0) return {std::move(whole), std::move(own)};
  own = {};
  for (const std::int64_t item : whole.items) {
    if (own.items.empty() && rows_of({&item, 1}) > 0) own.items.push_back(item);
  }
  return {std::move(whole), std::move(own), false};
}

std::int64_t Trainer::rows_of(std::span<const std::int64_t> items) const {
  return static_cast<std::int64_t>(problem_.train->label_rows(items).size());
}

Trainer::StepBatches Trainer::next_batches(std::span<const BatchOrder> orders, BatchStream& stream) const {
  StepBatches batches(orders.size());
  for (std::size_t f = 0; f < orders.size(); ++f) {
    const bool whole_step = spec_.parts == 1 && group_.alone();
    const auto rows = whole_step ? 0.0 : static_cast<double>(rows_of(orders[f].step(clock_.step).items));
    for (std::int64_t p = 0; p < spec_.parts; ++p) {
      auto& [batch, part_rows] = batches[f].emplace_back();
      stream.next(batch);
      if (batch.rows.empty()) continue;  // folds differ by a row
      const auto [whole, own, counts] = part_of(orders[f], clock_.step, p);
      const auto& [items, drawn_positives] = own;
      batch.drawn_positives = drawn_positives;
      if (!whole_step) {
        part_rows = rows_of(whole.items);
        batch.share = counts ? static_cast<double>(batch.rows.size()) / rows : 0;
      }
      if (drawn_positives > 0 && batch.rows.size() != items.size()) {  // an item covers several rows
        const auto first = std::span(items).first(static_cast<std::size_t>(drawn_positives));
        batch.drawn_positives = static_cast<std::int64_t>(problem_.train->label_rows(first).size());
      }
      batch.y = dense_labels(problem_.annotated, batch.rows, spec_.sweep.device);
      batch.draws = Draws(seed_of(f), static_cast<std::uint64_t>(clock_.global_epoch), batch.rows, spec_.sweep.device);
      problem_.train->augment(batch);
    }
  }
  return batches;
}

std::vector<std::int64_t> Trainer::annotated_of(std::span<const std::int64_t> items) {
  if (annotated_items_.empty()) {
    for (const std::int64_t item : all_items(*problem_.train)) {
      bool annotated = false;
      for (const std::int64_t row : problem_.train->label_rows({&item, 1})) {
        for (const auto& entry : problem_.annotated.row(row)) annotated = annotated || entry.state == kAnnotated;
      }
      annotated_items_.push_back(annotated);
    }
  }
  std::vector<std::int64_t> result;
  for (const std::int64_t item : items) {
    if (annotated_items_[static_cast<std::size_t>(item)]) result.push_back(item);
  }
  return result;
}

void Trainer::step(const std::vector<Learner*>& group, const StepBatches& batches) {
  std::vector<StepLog> logs(group.size());
  workers_.run(group.size(), [&](std::size_t i) {
    Learner& learner = *group[i];
    const auto& parts = batches[learner.fold];
    const PartBatch* last = nullptr;
    for (const auto& part : parts) last = part.batch.rows.empty() ? last : &part;
    if (last == nullptr) return;
    if (!group_.alone() && !learner.gradients) {
      learner.gradients = std::make_shared<GradientSum>(group_, learner.optimizer->values());
    }
    for (const auto& part : parts) {
      const auto& batch = part.batch;
      if (batch.rows.empty()) continue;
      StepLog log;
      at::Tensor loss;
      {
        const BatchShare share(group_, part.rows, batch.share > 0);
        const Autocast autocast(spec_.sweep.bf16, spec_.sweep.device.type());
        loss = method_.objective(learner, batch, clock_, log);
      }
      logs[i].add(log, batch.share);
      if (batch.share != 1) loss = loss * batch.share;
      if (learner.gradients && &part == last) learner.gradients->begin();
      loss.backward();
    }
    if (learner.gradients) learner.gradients->finish();
    learner.optimizer->step(learner.rate(clock_));
    if (learner.average) update_average(learner, average_decay(spec_.ema, clock_.phase_step()));
  });
  for (const auto& log : logs) log_.add(log);  // in order, so that sums do not depend on threads
}

void Trainer::begin_wishes() {
  if (group_.alone()) return;
  wishes_ = torch::tensor({std::int64_t{StopSignals::received()}, std::int64_t{checkpoint_due()}}, at::kLong);
  pending_wishes_ = group_.begin_max(wishes_);
}

Trainer::Wishes Trainer::wishes() {
  if (group_.alone()) return {StopSignals::received(), checkpoint_due()};
  pending_wishes_.wait();
  return {static_cast<int>(wishes_[0].item<std::int64_t>()), wishes_[1].item<std::int64_t>() != 0};
}

}  // namespace mlpac
