#include "tasks/document_predictions.h"

#include "mlpac/error.h"
#include "nn/dreeam.h"

namespace mlpac {

namespace {

/// The numbers of one batch on the host.
struct BatchScores {
  at::Tensor decisions, importance, classes, scores;
};

std::vector<std::int32_t> evidence_of(const at::Tensor& importance, std::int64_t row, std::size_t sentences) {
  std::vector<std::int32_t> result;
  const auto* const shares = importance.data_ptr<float>() + row * importance.size(1);
  for (std::size_t s = 0; s < sentences; ++s) {
    if (shares[s] > kEvidenceShare) result.push_back(static_cast<std::int32_t>(s));
  }
  return result;
}

void collect(const BatchScores& batch, std::int64_t row, const EntityPair& pair, const Document& document,
             DocumentPrediction& prediction) {
  const auto classes = batch.decisions.size(1);
  const auto* const decided = batch.decisions.data_ptr<std::uint8_t>() + row * classes;
  const auto evidence = evidence_of(batch.importance, row, document.sentences.size());
  for (std::int64_t c = 0; c < classes; ++c) {
    if (decided[c] == 0) continue;
    const auto relation = static_cast<std::int32_t>(c + 1);
    prediction.triples.push_back({document.title, pair.head, pair.tail, relation, evidence});
  }
  if (!batch.classes.defined()) return;
  for (std::int64_t k = 0; k < batch.classes.size(1); ++k) {
    const auto at = row * batch.classes.size(1) + k;
    prediction.candidates.push_back({pair.head, pair.tail,
                                     static_cast<std::int32_t>(batch.classes.data_ptr<std::int64_t>()[at]),
                                     batch.scores.data_ptr<float>()[at], evidence});
  }
}

nlohmann::json json_of(const Counts& counts) {
  return {{"precision", counts.precision()}, {"recall", counts.recall()}, {"f1", counts.f1()}};
}

nlohmann::json json_of(const RelationScore& score) {
  return {{"precision", score.precision}, {"recall", score.recall}, {"f1", score.f1}};
}

}  // namespace

std::vector<DocumentPrediction> predict_documents(Network& network, const DocumentRows& data,
                                                  std::span<const Document> documents, const PredictionSpec& prediction,
                                                  const SweepSpec& spec) {
  auto* const model = dynamic_cast<Dreeam*>(&network);
  if (model == nullptr) throw Error("the model does not read documents");
  std::vector<DocumentPrediction> result(documents.size());
  sweep_batches(data, all_items(data), nullptr, spec, [&](const Batch& batch, std::span<const std::int64_t> items) {
    Dreeam::Output output;
    {
      const bool trains = model->is_training();
      model->eval();
      const Autocast autocast(spec.bf16, spec.device.type());
      output = model->run(batch);
      model->train(trains);
    }
    const auto logits = output.logits.to(at::kFloat);
    BatchScores scores;
    scores.decisions = prediction.decision.decide(logits, prediction.shift).to(at::kCPU, at::kByte).contiguous();
    scores.importance = output.importance.to(at::kCPU, at::kFloat).contiguous();
    if (prediction.candidates > 0) {
      const auto top = top_classes(logits, prediction.candidates);
      scores.classes = top.classes.to(at::kCPU).contiguous();
      scores.scores = top.scores.to(at::kCPU).contiguous();
    }
    std::int64_t row = 0;
    for (const std::int64_t item : items) {
      const auto i = static_cast<std::size_t>(item);
      for (const EntityPair& pair : data.pairs(item)) collect(scores, row++, pair, documents[i], result[i]);
    }
  });
  return result;
}

std::vector<PredictedTriple> all_triples(std::span<const DocumentPrediction> predictions) {
  std::vector<PredictedTriple> result;
  for (const auto& prediction : predictions) {
    result.insert(result.end(), prediction.triples.begin(), prediction.triples.end());
  }
  return result;
}

nlohmann::json to_json(const RelationMetrics& metrics, const Relations& relations) {
  nlohmann::json result = json_of(metrics.triples);
  result["ign"] = json_of(metrics.ign);
  result["evidence"] = json_of(metrics.evidence);
  result["frequent"] = json_of(metrics.frequent);
  result["long_tail"] = json_of(metrics.long_tail);
  result["intra"] = json_of(metrics.intra);
  result["inter"] = json_of(metrics.inter);
  for (std::int32_t r = 1; r < relations.size(); ++r) {
    const auto& counts = metrics.per_relation.at(static_cast<std::size_t>(r));
    const auto positives = counts.true_positive + counts.false_negative;
    if (positives + counts.false_positive == 0) continue;
    result["relations"][relations.name(r)] = json_of(counts);
    result["relations"][relations.name(r)]["positives"] = positives;
  }
  return result;
}

}  // namespace mlpac
