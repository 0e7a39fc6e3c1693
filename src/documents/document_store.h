// Documents in a store: their pieces, already made by a tokeniser, lie where training reads them; titles, entities and
// triples are loaded; words are looked at only where people want to read them.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/store.h"
#include "documents/encoded_documents.h"

namespace mlpac {

struct StoredDocuments {
  std::vector<Document> documents;  ///< sentences are there, but without words unless these were asked for
  EncodedDocuments encoded;
};

/// `progress` is told the share that is done; the bytes of the store.
std::uint64_t write_document_store(const std::filesystem::path& path, std::span<const Document> documents,
                                   const Relations& relations, const Tokeniser& tokeniser, bool overwrite,
                                   const std::function<void(double)>& progress);

/// The relations of a store of documents.
Relations stored_relations(const Store& store);

/// Error if the store was made with other relations, or for a tokeniser (null: any) with other pieces.
StoredDocuments open_document_store(const std::shared_ptr<const Store>& store, const Relations& relations,
                                    const Tokeniser* tokeniser, bool words);

}  // namespace mlpac
