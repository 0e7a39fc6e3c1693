// Documents for relation extraction in the format of DocRED, Re-DocRED and DocGNRE: sentences, entities with their
// mentions, and triples (head entity, relation, tail entity) with the sentences that support them.
//
// An instance is an ordered pair of entities: a document covers as many label rows as it has pairs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mlpac/labels.h"
#include "mlpac/tokeniser.h"

namespace mlpac {

/// The classes of a rel2id file: names such as P17 by number. Number 0 is "none": as a class it is the threshold of
/// adaptive thresholding; no triple has it.
class Relations {
 public:
  Relations() = default;
  /// Names in the order of their numbers.
  explicit Relations(std::vector<std::string> names);

  std::int32_t size() const { return static_cast<std::int32_t>(names_.size()); }
  const std::string& name(std::int32_t relation) const { return names_.at(static_cast<std::size_t>(relation)); }
  /// The number, or -1.
  std::int32_t find(std::string_view name) const;

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::int32_t> numbers_;
};

/// From a JSON object of name to number (rel2id.json); Error unless the numbers are 0, 1, 2, ...
Relations read_relations(const std::filesystem::path& path);
Relations parse_relations(std::string_view text, const std::string& source);

/// What relations mean by name, from rel_info.json, which DocRED has beside its other files; empty if it is not beside
/// this one or is something else.
std::map<std::string, std::string> read_meanings(const std::filesystem::path& neighbour);

/// Where an entity is named: words [begin, end) of a sentence.
struct Mention {
  std::int32_t sentence = 0;
  std::int32_t begin = 0;
  std::int32_t end = 0;
  std::string name;
  std::string type;  ///< ORG, LOC, NUM, TIME, MISC or PER; no model uses it
};

struct Triple {
  std::int32_t head = 0;
  std::int32_t tail = 0;
  std::int32_t relation = 0;
  std::vector<std::int32_t> evidence;  ///< sentences; often none are given
  friend bool operator==(const Triple&, const Triple&) = default;
};

struct Document {
  std::string title;
  std::vector<std::vector<std::string>> sentences;  ///< of words
  std::vector<std::vector<Mention>> entities;
  std::vector<Triple> triples;
};

/// Reads a JSON array of documents on `threads` threads (0: one per core). Error names the file, the document by number
/// and title, the field, and what was expected there.
std::vector<Document> read_documents(const std::filesystem::path& path, const Relations& relations, int threads = 0);
std::vector<Document> parse_documents(std::string_view text, const std::string& source, const Relations& relations,
                                      int threads = 0);

/// Replaces the triples of the documents by those a file lists: [{"title": ..., "docred_labels": [[head, tail,
/// relation],
/// ...]}, ...]. A triple that a document already had keeps its evidence. Error for a title no document has, and for a
/// document that is not listed.
void replace_triples(std::vector<Document>& documents, const std::filesystem::path& path, const Relations& relations);
void replace_triples(std::vector<Document>& documents, std::string_view text, const std::string& source,
                     const Relations& relations);

// ---- what a network reads ----

/// Pieces [begin, end) of a document.
struct Span {
  std::int32_t begin = 0;
  std::int32_t end = 0;
  friend bool operator==(const Span&, const Span&) = default;
};

/// A document as sub-word pieces, with a star before and after each mention (Zhou et al. 2021). Positions count pieces
/// and not the start token: in `ids` they are one further on.
struct EncodedDocument {
  std::vector<std::int32_t> ids;            ///< with the start and the end token
  std::vector<std::vector<Span>> mentions;  ///< of each entity, from its opening star; may lie beyond a cut document
  std::vector<Span> sentences;
};

/// Pieces of a document that are kept: what fits into two windows of an encoder with 512 positions. Documents are not
/// cut at the window.
inline constexpr std::size_t kMostPieces = 1022;

EncodedDocument encode_document(const Document& document, WordCache& words);

/// All documents, on `threads` threads (0: one per core).
std::vector<EncodedDocument> encode_documents(std::span<const Document> documents, const Tokeniser& tokeniser,
                                              int threads = 0);

/// An ordered pair of entities.
struct EntityPair {
  std::int32_t head = 0;
  std::int32_t tail = 0;
  friend bool operator==(const EntityPair&, const EntityPair&) = default;
};

/// All n (n - 1) pairs of a document: first those with a triple in the order of the triples, then the others by head
/// and tail.
std::vector<EntityPair> entity_pairs(const Document& document);

/// What a pair is called in lists: the title and the numbers of its entities, `Title/0/3`.
std::string pair_id(std::string_view title, const EntityPair& pair);
struct PairName {
  std::string_view title;
  EntityPair pair;
};
/// The parts of such a name; nothing if it is none.
std::optional<PairName> parse_pair_id(std::string_view id);

/// How many triples of a pair name a sentence as evidence; the target of evidence attention.
struct EvidenceCount {
  std::int32_t pair = 0;
  std::int32_t sentence = 0;
  std::int32_t count = 0;
  friend bool operator==(const EvidenceCount&, const EvidenceCount&) = default;
};

/// Appends one row per pair, with the triples of the document as annotated positives. The columns are all relations;
/// column 0 is never stored, because whether a pair has none is not known where labels are partial.
void append_pair_labels(const Document& document, std::span<const EntityPair> pairs, Labels& labels);

/// The target of a row as supervised losses take it: 1 for annotated relations, and for column 0 if there is none.
std::vector<std::uint8_t> target_row(std::span<const LabelEntry> row, std::int32_t relations);

/// Sorted by pair and sentence; pairs as given.
std::vector<EvidenceCount> evidence_counts(const Document& document, std::span<const EntityPair> pairs);

// ---- partial annotation ----

/// Which triples stay known in an experiment.
struct TripleHiding {
  double ratio = 1;
  std::int32_t version = 0;  ///< the draws of an experiment are numbered 0, 1, 2
  std::uint64_t seed = 0;
};

std::int64_t count_triples(std::span<const Document> documents);

/// Keeps exactly floor(ratio * N) of the N triples, drawn uniformly over all documents, with their evidence; documents
/// without any stay. Each ratio and each version is a draw of its own, as in the published files. Draws are keyed by
/// title, so training and validation documents are hidden independently with one seed.
void hide_triples(std::vector<Document>& documents, const TripleHiding& hiding);

}  // namespace mlpac
