#include "tasks/document_files.h"

#include <fmt/format.h>

#include "mlpac/error.h"
#include "tasks/documents.h"
#include "tasks/pack.h"

namespace mlpac {

std::string needed(const Options& options, std::string_view name, std::string_view what) {
  if (!options.has(name)) throw UsageError(fmt::format("--{} is needed: {}", name, what));
  return options.text(name);
}

StoredDocuments read_pieces(const std::string& file, const Relations& relations, const Tokeniser& tokeniser,
                            int threads, bool words) {
  if (is_store(file)) return open_document_store(std::make_shared<const Store>(file), relations, &tokeniser, words);
  StoredDocuments result;
  result.documents = read_documents(file, relations, threads);
  result.encoded = encode_documents(result.documents, tokeniser, threads);
  return result;
}

std::vector<Document> read_any(const std::string& file, const Relations& relations, int threads, bool words) {
  if (!is_store(file)) return read_documents(file, relations, threads);
  return open_document_store(std::make_shared<const Store>(file), relations, nullptr, words).documents;
}

Relations relations_for(const Options& options, const std::string& file) {
  if (!options.has("relations") && is_store(file)) return stored_relations(Store(file));
  return read_relations(needed(options, "relations", "rel2id.json, the numbers of the relations"));
}

std::string pack_documents(const PackRequest& request) {
  if (request.inputs.size() != 1) throw UsageError("documents: one file is packed at a time");
  const auto& options = request.options;
  const auto& file = request.inputs.front();
  const auto like = pattern_of(options);
  const auto relations =
      like.is_null() ? relations_for(options, {}) : Relations(like.at("relations").get<std::vector<std::string>>());
  const auto tokeniser = read_tokeniser(needed(options, "tokeniser", "the folder of the encoder's vocabulary"));
  request.progress(0, "reading " + file);
  const auto documents = read_documents(file, relations, static_cast<int>(options.integer("threads")));
  const auto bytes = write_document_store(request.out, documents, relations, *tokeniser, request.overwrite,
                                          [&](double share) { request.progress(share, "packing " + file); });
  return fmt::format("{} documents, {:.1f} MB", documents.size(), static_cast<double>(bytes) / 1e6);
}

}  // namespace mlpac
