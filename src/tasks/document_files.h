// Documents from files as DocRED writes them, or from stores that were made of them.
#pragma once

#include <string>
#include <vector>

#include "documents/document_store.h"
#include "mlpac/options.h"

namespace mlpac {

/// The value of an option that must be there.
std::string needed(const Options& options, std::string_view name, std::string_view what);

/// Documents of a file or a store. `words`: they will be read by people, or taken apart again.
StoredDocuments read_pieces(const std::string& file, const Relations& relations, const Tokeniser& tokeniser,
                            int threads, bool words = false);
/// The same without pieces.
std::vector<Document> read_any(const std::string& file, const Relations& relations, int threads, bool words = false);

/// The numbers of the relations; a store knows them.
Relations relations_for(const Options& options, const std::string& file);

}  // namespace mlpac
