#include "documents/encoded_documents.h"

#include <iterator>
#include <utility>

namespace mlpac {

EncodedDocuments::EncodedDocuments(std::vector<EncodedDocument> documents) {
  // The pieces stay where they are however the documents are moved about.
  for (auto& document : documents) {
    const auto ids = std::make_shared<const std::vector<std::int32_t>>(std::move(document.ids));
    pieces_.push_back({*ids, nullptr});
    owners_.push_back(ids);
    document.ids.clear();
  }
  documents_ = std::move(documents);
}

EncodedDocuments::EncodedDocuments(std::vector<EncodedDocument> documents,
                                   const std::vector<std::span<const std::int32_t>>& ids,
                                   std::shared_ptr<const MappedFile> file, std::shared_ptr<const void> owner)
    : documents_(std::move(documents)) {
  for (const auto& own : ids) pieces_.push_back({own, file.get()});
  owners_ = {std::move(file), std::move(owner)};
}

void EncodedDocuments::was_read(std::size_t document) const {
  const auto& pieces = pieces_[document];
  if (pieces.file != nullptr) pieces.file->was_read(pieces.ids.size_bytes());
}

void EncodedDocuments::append(EncodedDocuments others) {
  std::move(others.documents_.begin(), others.documents_.end(), std::back_inserter(documents_));
  pieces_.insert(pieces_.end(), others.pieces_.begin(), others.pieces_.end());
  owners_.insert(owners_.end(), others.owners_.begin(), others.owners_.end());
}

}  // namespace mlpac
