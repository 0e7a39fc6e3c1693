// The official evaluation of document-level relation extraction (DocRED, Yao et al. 2019; groups of relations and pairs
// as in Re-DocRED, Tan et al. 2022), and predictions in its result.json.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "mlpac/documents.h"
#include "mlpac/metrics.h"

namespace mlpac {

struct PredictedTriple {
  std::string title;
  std::int32_t head = 0;
  std::int32_t tail = 0;
  std::int32_t relation = 0;
  std::vector<std::int32_t> evidence;  ///< sentences
  friend bool operator==(const PredictedTriple&, const PredictedTriple&) = default;
};

/// What a model has seen in training: (name of a head mention, name of a tail mention, relation) of all triples.
class TrainFacts {
 public:
  TrainFacts() = default;
  explicit TrainFacts(std::span<const Document> documents);
  /// Whether some mention of the head and some of the tail are such a fact.
  bool contains(const Document& document, std::int32_t head, std::int32_t tail, std::int32_t relation) const;
  std::size_t size() const { return facts_.size(); }

 private:
  std::unordered_set<std::string> facts_;
};

/// In percent.
struct RelationScore {
  double precision = 0;
  double recall = 0;
  double f1 = 0;
};

/// Counts hold no true negatives: nobody lists them.
struct RelationMetrics {
  Counts triples;
  std::int64_t correct_in_train = 0;  ///< correct triples that are facts of the training documents
  RelationScore ign;                  ///< without those; recall is that of all
  std::int64_t correct_evidence = 0;  ///< sentences of correct triples
  std::int64_t predicted_evidence = 0;
  std::int64_t gold_evidence = 0;
  RelationScore evidence;
  std::vector<Counts> per_relation;  ///< by number
  Counts frequent;                   ///< the ten most frequent relations of DocRED
  Counts long_tail;                  ///< the other ones
  Counts intra;                      ///< pairs with mentions in a common sentence
  Counts inter;                      ///< the other ones
};

/// Predictions may come in any order; of equal triples the first counts, with its evidence. Those for unknown documents
/// count as predicted, but not in the groups of pairs nor with their evidence. Nothing predicted: all scores are 0.
RelationMetrics evaluate_triples(std::span<const Document> gold, std::span<const PredictedTriple> predictions,
                                 const Relations& relations, const TrainFacts& train);

/// The text of a result.json: [{"title", "h_idx", "t_idx", "r", "evidence"}, ...].
std::string predictions_json(std::span<const PredictedTriple> predictions, const Relations& relations);
/// Reads one; Error names the entry and its field.
std::vector<PredictedTriple> parse_predictions(std::string_view text, const std::string& source,
                                               const Relations& relations);
std::vector<PredictedTriple> read_predictions(const std::filesystem::path& path, const Relations& relations);

}  // namespace mlpac
