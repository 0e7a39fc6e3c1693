// Documents as a data set: an item is a document, its label rows are the ordered pairs of its entities.
#pragma once

#include <memory>
#include <vector>

#include "documents/encoded_documents.h"
#include "nn/document_windows.h"
#include "train/problem.h"

namespace mlpac {

/// Which pairs the label rows of each document are.
using PairLists = std::vector<std::vector<EntityPair>>;
PairLists pair_lists(std::span<const Document> documents);

/// One row per pair with the triples of its document as annotated positives; one class per relation but "none".
Labels pair_labels(std::span<const Document> documents, const PairLists& pairs, const Relations& relations);

class DocumentRows : public Dataset {
 public:
  /// `annotated`: whose evidence is learned from; empty: no evidence is known.
  DocumentRows(EncodedDocuments encoded, PairLists pairs, const WindowTokens& window,
               std::span<const Document> annotated = {});

  std::int64_t items() const override { return static_cast<std::int64_t>(encoded_.size()); }
  std::vector<std::int64_t> label_rows(std::span<const std::int64_t> items) const override;
  void collate(std::span<const std::int64_t> items, at::Device device, Batch& batch) const override;
  std::span<const std::int64_t> costs() const override { return lengths_; }
  std::int64_t largest_sweep() const override { return 16; }

  const std::vector<EntityPair>& pairs(std::int64_t item) const { return pairs_[static_cast<std::size_t>(item)]; }
  std::int64_t first_row(std::int64_t item) const { return first_row_[static_cast<std::size_t>(item)]; }
  const EncodedDocument& encoded(std::int64_t item) const { return encoded_[static_cast<std::size_t>(item)]; }
  std::span<const std::int32_t> ids(std::int64_t item) const { return encoded_.ids(static_cast<std::size_t>(item)); }

 private:
  EncodedDocuments encoded_;
  PairLists pairs_;
  WindowTokens window_;
  std::vector<std::vector<EvidenceCount>> evidence_;
  std::vector<std::int64_t> lengths_;
  std::vector<std::int64_t> first_row_;  ///< and one more: the number of rows
};

/// What surrounds windows of an encoder that has `longest` positions.
WindowTokens window_tokens(const Tokeniser& tokeniser, std::int64_t longest);

}  // namespace mlpac
