// Documents as a network reads them, wherever their pieces lie: in memory, or in a store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/mapped_file.h"
#include "mlpac/documents.h"

namespace mlpac {

class EncodedDocuments {
 public:
  EncodedDocuments() = default;
  /// In memory.
  EncodedDocuments(std::vector<EncodedDocument> documents);  // NOLINT(google-explicit-constructor): the usual case
  /// With the pieces of each document (`ids` of `documents` are empty) in a mapped file; null: in memory.
  EncodedDocuments(std::vector<EncodedDocument> documents, const std::vector<std::span<const std::int32_t>>& ids,
                   std::shared_ptr<const MappedFile> file, std::shared_ptr<const void> owner);

  std::size_t size() const { return documents_.size(); }
  const EncodedDocument& operator[](std::size_t document) const { return documents_[document]; }
  /// Its pieces, with the start and the end token.
  std::span<const std::int32_t> ids(std::size_t document) const { return pieces_[document].ids; }
  /// The pieces were read.
  void was_read(std::size_t document) const;

  /// These and the others behind them.
  void append(EncodedDocuments others);

 private:
  struct Pieces {
    std::span<const std::int32_t> ids;
    const MappedFile* file = nullptr;  ///< null: in memory
  };

  std::vector<EncodedDocument> documents_;
  std::vector<Pieces> pieces_;
  std::vector<std::shared_ptr<const void>> owners_;
};

}  // namespace mlpac
