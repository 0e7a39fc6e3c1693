#include "train/sweep.h"

#include <algorithm>
#include <numeric>

#include "train/prefetch.h"

namespace mlpac {

void sweep_batches(const Dataset& data, std::span<const std::int64_t> items, const Labels* labels,
                   const SweepSpec& spec,
                   const std::function<void(const Batch&, std::span<const std::int64_t>)>& visit) {
  const at::NoGradGuard no_grad;
  const auto processes = static_cast<std::size_t>(spec.group->size());
  const auto rank = static_cast<std::size_t>(spec.group->rank());
  // Small data is cut finer, so that all have something to do.
  const auto largest = static_cast<std::size_t>(std::min(spec.batch, data.largest_sweep()));
  const auto step = std::clamp<std::size_t>((items.size() + processes - 1) / processes, 1, largest);
  std::vector<std::int64_t> sorted;
  if (const auto costs = data.costs(); !costs.empty()) {
    sorted.assign(items.begin(), items.end());
    std::stable_sort(sorted.begin(), sorted.end(), [&](std::int64_t a, std::int64_t b) {
      return costs[static_cast<std::size_t>(a)] < costs[static_cast<std::size_t>(b)];
    });
    items = sorted;
  }
  const auto part = [&](std::int64_t number) {
    const auto first = (static_cast<std::size_t>(number) * processes + rank) * step;
    return items.subspan(first, std::min(step, items.size() - first));
  };
  BatchList list;
  const auto batches = (items.size() + step - 1) / step;
  list.end = static_cast<std::int64_t>((batches + processes - 1 - rank) / processes);
  list.items = [&](std::int64_t number) { return std::vector<std::int64_t>(part(number).begin(), part(number).end()); };
  BatchStream stream(data, list, spec.device, spec.loaders);
  for (std::int64_t i = 0; i < list.end; ++i) {
    Batch batch;
    stream.next(batch);
    if (labels != nullptr) batch.y = dense_labels(*labels, batch.rows, spec.device);
    visit(batch, part(i));
  }
}

void sweep(const Dataset& data, std::span<const std::int64_t> items, const Labels* labels,
           std::span<Network* const> networks, const SweepSpec& spec,
           const std::function<void(const Batch&, std::span<const at::Tensor>)>& visit) {
  const at::NoGradGuard no_grad;
  for (auto* network : networks) network->eval();
  sweep_batches(data, items, labels, spec, [&](const Batch& batch, std::span<const std::int64_t>) {
    std::vector<at::Tensor> logits;
    {
      const Autocast autocast(spec.bf16, spec.device.type());
      for (auto* network : networks) logits.push_back(network->forward(batch));
    }
    for (auto& tensor : logits) tensor = tensor.to(at::kFloat);
    visit(batch, logits);
  });
  for (auto* network : networks) network->train();
}

void Tally::add(const Tally& other) {
  counts.add(other.counts);
  if (other.truth) {
    if (!truth) truth.emplace();
    truth->add(*other.truth);
  }
  curve.add(other.curve);
}

namespace {

/// The bin of a ScoreCurve that each value lies in.
at::Tensor bins_of(const at::Tensor& log_odds) {
  const auto scaled = (log_odds * ScoreCurve::kBinsPerUnit).floor_().add_(ScoreCurve::kBins / 2);
  return scaled.nan_to_num_(0).clamp_(0, ScoreCurve::kBins - 1).to(at::kLong);
}

}  // namespace

std::vector<Tally> tally_decisions(const Dataset& data, std::span<const std::int64_t> items, const Labels& labels,
                                   const Decision& decision, std::span<Network* const> networks, const SweepSpec& spec,
                                   const Labels* truth) {
  constexpr auto kBins = ScoreCurve::kBins;
  const auto n = static_cast<std::int64_t>(networks.size());
  const auto zeros = [&](at::IntArrayRef sizes) {
    return at::zeros(sizes, at::TensorOptions(at::kLong).device(spec.device));
  };
  auto hits = zeros({n});
  auto predicted = zeros({n});
  auto true_hits = zeros({n});
  auto true_positives = zeros({});
  auto annotated = zeros({n, kBins});
  auto entries = zeros({n, kBins});
  sweep(data, items, &labels, networks, spec, [&](const Batch& batch, std::span<const at::Tensor> logits) {
    const auto positive = batch.y > 0;
    const auto known = truth == nullptr ? at::Tensor() : dense_labels(*truth, batch.rows, spec.device) > 0;
    if (known.defined()) true_positives += known.sum();
    for (std::int64_t i = 0; i < n; ++i) {
      const auto& own = logits[static_cast<std::size_t>(i)];
      const auto decisions = decision.decide(own);
      hits[i] += (decisions & positive).sum();
      if (known.defined()) true_hits[i] += (decisions & known).sum();
      predicted[i] += decisions.sum();
      const auto bins = bins_of(decision.log_odds(own));
      entries[i] += at::bincount(bins.flatten(), {}, kBins);
      annotated[i] += at::bincount(bins.masked_select(positive), {}, kBins);
    }
  });
  for (auto* const counts : {&hits, &predicted, &true_hits, &true_positives, &annotated, &entries}) {
    *counts = counts->to(at::kCPU).contiguous();
    spec.group->sum(*counts);
  }
  std::vector<Tally> tallies;
  for (std::int64_t i = 0; i < n; ++i) {
    Tally tally;
    const auto* const a = annotated.data_ptr<std::int64_t>() + i * kBins;
    const auto* const e = entries.data_ptr<std::int64_t>() + i * kBins;
    tally.curve.annotated.assign(a, a + kBins);
    tally.curve.entries.assign(e, e + kBins);
    const auto positives = std::accumulate(a, a + kBins, std::int64_t{0});
    auto& c = tally.counts;
    c.true_positive = hits[i].item<std::int64_t>();
    c.false_positive = predicted[i].item<std::int64_t>() - c.true_positive;
    c.false_negative = positives - c.true_positive;
    c.true_negative = std::accumulate(e, e + kBins, -c.true_positive - c.false_positive - c.false_negative);
    if (truth != nullptr) {
      auto& t = tally.truth.emplace();
      t.true_positive = true_hits[i].item<std::int64_t>();
      t.false_positive = c.predicted() - t.true_positive;
      t.false_negative = true_positives.item<std::int64_t>() - t.true_positive;
      t.true_negative = c.entries() - c.predicted() - t.false_negative;
    }
    tallies.push_back(std::move(tally));
  }
  return tallies;
}

std::vector<ScoreCurve> class_curves(const Dataset& data, std::span<const std::int64_t> items, const Labels& labels,
                                     const Decision& decision, Network& network, const SweepSpec& spec) {
  constexpr auto kBins = ScoreCurve::kBins;
  const std::int64_t classes = labels.classes();
  const auto zeros = at::zeros({classes * kBins}, at::TensorOptions(at::kLong).device(spec.device));
  auto annotated = zeros.clone();
  auto entries = zeros.clone();
  const auto firsts = at::arange(classes, zeros.options()) * kBins;
  const std::array<Network*, 1> networks{&network};
  sweep(data, items, &labels, networks, spec, [&](const Batch& batch, std::span<const at::Tensor> logits) {
    const auto bins = bins_of(decision.log_odds(logits[0])) + firsts;
    entries += at::bincount(bins.flatten(), {}, classes * kBins);
    annotated += at::bincount(bins.masked_select(batch.y > 0), {}, classes * kBins);
  });
  for (auto* const counts : {&annotated, &entries}) {
    *counts = counts->to(at::kCPU).contiguous();
    spec.group->sum(*counts);
  }
  std::vector<ScoreCurve> curves(static_cast<std::size_t>(classes));
  const auto* a = annotated.data_ptr<std::int64_t>();
  const auto* e = entries.data_ptr<std::int64_t>();
  for (auto& curve : curves) {
    curve.annotated.assign(a, a + kBins);
    curve.entries.assign(e, e + kBins);
    a += kBins;
    e += kBins;
  }
  return curves;
}

Metrics evaluate_network(const Dataset& data, const Labels& labels, const Decision& decision, Network& network,
                         const SweepSpec& spec, const at::Tensor& shift, Counts* uncut) {
  const std::int64_t classes = labels.classes();
  std::vector<at::Tensor> scores{at::empty({0, classes}, at::kFloat)};  // a process may have no batch
  std::vector<at::Tensor> decisions{at::empty({0, classes}, at::kByte)};
  std::vector<at::Tensor> uncut_decisions = decisions;
  std::vector<at::Tensor> targets{at::empty({0, classes}, at::kChar)};
  std::vector<std::int64_t> rows;
  const std::array<Network*, 1> networks{&network};
  sweep(data, all_items(data), &labels, networks, spec, [&](const Batch& batch, std::span<const at::Tensor> logits) {
    scores.push_back(decision.log_odds(logits[0]).to(at::kCPU));
    decisions.push_back(decision.decide(logits[0], shift).to(at::kCPU, at::kByte));
    if (uncut != nullptr) uncut_decisions.push_back(decision.decide(logits[0]).to(at::kCPU, at::kByte));
    targets.push_back(batch.y.to(at::kCPU, at::kChar));
    rows.insert(rows.end(), batch.rows.begin(), batch.rows.end());
  });
  // By row, so that equal scores are ranked alike however many processes there are.
  const auto order = spec.group->gather(torch::tensor(rows, at::kLong)).argsort();
  const auto all = [&](const std::vector<at::Tensor>& parts) {
    return spec.group->gather(at::cat(parts)).index_select(0, order).contiguous();
  };
  const auto s = all(scores);
  const auto d = all(decisions);
  const auto t = all(targets);
  const auto view = [&](const auto* values) {
    return MatrixView{std::span(values, static_cast<std::size_t>(s.numel())), s.size(0), s.size(1)};
  };
  const auto truth = view(t.data_ptr<std::int8_t>());
  if (uncut != nullptr) {
    const auto u = all(uncut_decisions);
    *uncut = count(view(u.data_ptr<std::uint8_t>()), truth);
  }
  return evaluate(view(s.data_ptr<float>()), view(d.data_ptr<std::uint8_t>()), truth);
}

}  // namespace mlpac
