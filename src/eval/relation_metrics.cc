#include "mlpac/relation_metrics.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mlpac {
namespace {

constexpr auto kFrequent =
    std::to_array<std::string_view>({"P17", "P131", "P27", "P150", "P175", "P577", "P463", "P527", "P495", "P361"});

std::string fact_key(const std::string& head, const std::string& tail, std::int32_t relation) {
  // Names hold no NUL, so the parts cannot run into each other.
  std::string key = head;
  key += '\0';
  key += tail;
  key += '\0';
  key += std::to_string(relation);
  return key;
}

/// Fractions to a score in percent.
RelationScore score(double precision, double recall) {
  const double f1 = precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0;
  return {100 * precision, 100 * recall, 100 * f1};
}

double share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

bool is_entity(const Document& document, std::int32_t entity) {
  return entity >= 0 && static_cast<std::size_t>(entity) < document.entities.size();
}

bool share_a_sentence(const Document& document, std::int32_t head, std::int32_t tail) {
  for (const Mention& h : document.entities[static_cast<std::size_t>(head)]) {
    for (const Mention& t : document.entities[static_cast<std::size_t>(tail)]) {
      if (h.sentence == t.sentence) return true;
    }
  }
  return false;
}

/// (document, head, tail, relation)
using Key = std::tuple<std::size_t, std::int32_t, std::int32_t, std::int32_t>;

/// Gold triples with the evidence of the last of equal ones, as the official script has it.
std::vector<std::pair<Key, std::set<std::int32_t>>> gold_triples(std::span<const Document> gold) {
  std::vector<std::pair<Key, std::set<std::int32_t>>> triples;
  for (std::size_t d = 0; d < gold.size(); ++d) {
    for (const Triple& triple : gold[d].triples) {
      triples.push_back({Key{d, triple.head, triple.tail, triple.relation},
                         std::set<std::int32_t>(triple.evidence.begin(), triple.evidence.end())});
    }
  }
  std::stable_sort(triples.begin(), triples.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < triples.size(); ++i) {
    if (i + 1 < triples.size() && triples[i + 1].first == triples[i].first) continue;
    if (kept != i) triples[kept] = std::move(triples[i]);
    ++kept;
  }
  triples.resize(kept);
  return triples;
}

/// The groups of relations and of pairs that a triple belongs to.
class Groups {
 public:
  Groups(RelationMetrics& metrics, const Relations& relations) : metrics_(metrics), relations_(relations) {
    metrics_.per_relation.resize(static_cast<std::size_t>(relations.size()));
  }

  /// Calls count(group) for all counts the triple belongs to; `document` is null if it is unknown.
  template <typename Count>
  void visit(const Document* document, std::int32_t head, std::int32_t tail, std::int32_t relation,
             const Count& count) const {
    count(metrics_.triples);
    if (relation >= 0 && relation < relations_.size()) {
      count(metrics_.per_relation[static_cast<std::size_t>(relation)]);
      const bool frequent = std::find(kFrequent.begin(), kFrequent.end(), relations_.name(relation)) != kFrequent.end();
      count(frequent ? metrics_.frequent : metrics_.long_tail);
    }
    if (document != nullptr && is_entity(*document, head) && is_entity(*document, tail)) {
      count(share_a_sentence(*document, head, tail) ? metrics_.intra : metrics_.inter);
    }
  }

 private:
  RelationMetrics& metrics_;
  const Relations& relations_;
};

/// In the order of the official script, each triple once.
std::vector<const PredictedTriple*> distinct(std::span<const PredictedTriple> predictions) {
  std::vector<const PredictedTriple*> order;
  order.reserve(predictions.size());
  for (const PredictedTriple& prediction : predictions) order.push_back(&prediction);
  const auto key = [](const PredictedTriple* p) { return std::tie(p->title, p->head, p->tail, p->relation); };
  std::stable_sort(order.begin(), order.end(), [&](const auto* a, const auto* b) { return key(a) < key(b); });
  order.erase(std::unique(order.begin(), order.end(), [&](const auto* a, const auto* b) { return key(a) == key(b); }),
              order.end());
  return order;
}

}  // namespace

TrainFacts::TrainFacts(std::span<const Document> documents) {
  for (const Document& document : documents) {
    for (const Triple& triple : document.triples) {
      for (const Mention& head : document.entities[static_cast<std::size_t>(triple.head)]) {
        for (const Mention& tail : document.entities[static_cast<std::size_t>(triple.tail)]) {
          facts_.insert(fact_key(head.name, tail.name, triple.relation));
        }
      }
    }
  }
}

bool TrainFacts::contains(const Document& document, std::int32_t head, std::int32_t tail, std::int32_t relation) const {
  if (facts_.empty()) return false;
  for (const Mention& h : document.entities[static_cast<std::size_t>(head)]) {
    for (const Mention& t : document.entities[static_cast<std::size_t>(tail)]) {
      if (facts_.contains(fact_key(h.name, t.name, relation))) return true;
    }
  }
  return false;
}

RelationMetrics evaluate_triples(std::span<const Document> gold, std::span<const PredictedTriple> predictions,
                                 const Relations& relations, const TrainFacts& train) {
  RelationMetrics metrics;
  const Groups groups(metrics, relations);
  std::unordered_map<std::string_view, std::size_t> numbers;
  for (std::size_t d = 0; d < gold.size(); ++d) {
    numbers.emplace(gold[d].title, d);
    for (const Triple& triple : gold[d].triples) {
      metrics.gold_evidence += static_cast<std::int64_t>(triple.evidence.size());
    }
  }
  const auto triples = gold_triples(gold);
  // All gold triples are missed until they are found.
  for (const auto& entry : triples) {
    const auto& [document, head, tail, relation] = entry.first;
    groups.visit(&gold[document], head, tail, relation, [](Counts& counts) { ++counts.false_negative; });
  }
  for (const PredictedTriple* p : distinct(predictions)) {
    const auto number = numbers.find(p->title);
    const Document* document = number == numbers.end() ? nullptr : &gold[number->second];
    bool correct = false;
    if (document != nullptr) {
      const std::set<std::int32_t> evidence(p->evidence.begin(), p->evidence.end());
      metrics.predicted_evidence += static_cast<std::int64_t>(evidence.size());
      const Key key{number->second, p->head, p->tail, p->relation};
      const auto found = std::lower_bound(triples.begin(), triples.end(), key,
                                          [](const auto& a, const Key& b) { return a.first < b; });
      correct = found != triples.end() && found->first == key;
      if (correct) {
        metrics.correct_evidence +=
            std::count_if(evidence.begin(), evidence.end(), [&](std::int32_t s) { return found->second.contains(s); });
        if (train.contains(*document, p->head, p->tail, p->relation)) ++metrics.correct_in_train;
      }
    }
    groups.visit(document, p->head, p->tail, p->relation, [&](Counts& counts) {
      if (correct) {
        ++counts.true_positive;
        --counts.false_negative;
      } else {
        ++counts.false_positive;
      }
    });
  }
  const std::int64_t correct = metrics.triples.true_positive;
  const double recall = share(correct, correct + metrics.triples.false_negative);
  // The small term is the official script's, against a division by zero.
  const double ign_precision = static_cast<double>(correct - metrics.correct_in_train) /
                               (static_cast<double>(metrics.triples.predicted() - metrics.correct_in_train) + 1e-5);
  metrics.ign = score(ign_precision, recall);
  metrics.evidence = score(share(metrics.correct_evidence, metrics.predicted_evidence),
                           share(metrics.correct_evidence, metrics.gold_evidence));
  return metrics;
}

}  // namespace mlpac
