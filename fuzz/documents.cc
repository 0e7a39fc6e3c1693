// Documents: parsed or refused; what is accepted can be encoded, paired, hidden and evaluated. An input that begins
// with a brace is a file of relation numbers.
#include <algorithm>
#include <memory>
#include <vector>

#include "fuzz.h"
#include "mlpac/documents.h"
#include "mlpac/relation_metrics.h"
#include "mlpac/tokeniser.h"

namespace {

void read_documents(std::string_view text) {
  static const mlpac::Relations kRelations({"Na", "P17", "P131", "P36"});
  static const std::unique_ptr<mlpac::Tokeniser> kTokeniser =
      mlpac::make_word_piece("[UNK]\n[CLS]\n[SEP]\n*\na\n##b\n", true, "vocabulary");
  auto documents = mlpac::parse_documents(text, "fuzz", kRelations, 1);
  std::vector<mlpac::PredictedTriple> predictions;
  for (const mlpac::Document& document : documents) {
    mlpac::WordCache words(*kTokeniser);
    const auto encoded = mlpac::encode_document(document, words);
    mlpac::require(encoded.ids.size() <= mlpac::kMostPieces + 2);
    mlpac::require(encoded.mentions.size() == document.entities.size());
    for (const mlpac::Span& sentence : encoded.sentences) {
      mlpac::require(sentence.begin <= sentence.end && sentence.end + 2 <= static_cast<int>(encoded.ids.size()));
    }
    if (document.entities.size() > 100) continue;  // pairs grow with the square
    const auto pairs = mlpac::entity_pairs(document);
    mlpac::Labels labels(kRelations.size());
    mlpac::append_pair_labels(document, pairs, labels);
    mlpac::require(labels.rows() == static_cast<std::int64_t>(pairs.size()));
    for (const auto& count : mlpac::evidence_counts(document, pairs)) {
      mlpac::require(static_cast<std::size_t>(count.sentence) < document.sentences.size());
    }
    for (const mlpac::Triple& t : document.triples) {
      predictions.push_back({document.title, t.head, t.tail, t.relation, t.evidence});
    }
  }
  const auto metrics = mlpac::evaluate_triples(documents, predictions, kRelations, mlpac::TrainFacts(documents));
  mlpac::require(metrics.triples.false_positive == 0);
  const auto before = mlpac::count_triples(documents);
  mlpac::hide_triples(documents, {0.5, 0, 1});
  mlpac::require(mlpac::count_triples(documents) == before / 2);
}

void read_relations(std::string_view text) { mlpac::parse_relations(text, "fuzz"); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  return mlpac::parsed_or_refused(bytes, size, size > 0 && bytes[0] == '{' ? read_relations : read_documents);
}
