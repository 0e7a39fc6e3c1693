#include "documents/document_store.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "data/store_writer.h"
#include "mlpac/error.h"

namespace mlpac {

namespace {

constexpr std::string_view kKind = "documents";

/// All of a document but its words.
nlohmann::json facts_of(const Document& document, const EncodedDocument& encoded) {
  nlohmann::json entities = nlohmann::json::array();
  for (std::size_t e = 0; e < document.entities.size(); ++e) {
    nlohmann::json mentions = nlohmann::json::array();
    for (std::size_t m = 0; m < document.entities[e].size(); ++m) {
      const Mention& mention = document.entities[e][m];
      const Span& pieces = encoded.mentions[e][m];
      mentions.push_back(
          {mention.sentence, mention.begin, mention.end, mention.name, mention.type, pieces.begin, pieces.end});
    }
    entities.push_back(std::move(mentions));
  }
  nlohmann::json triples = nlohmann::json::array();
  for (const Triple& triple : document.triples) {
    triples.push_back({triple.head, triple.tail, triple.relation, triple.evidence});
  }
  nlohmann::json sentences = nlohmann::json::array();
  for (const Span& sentence : encoded.sentences) sentences.push_back({sentence.begin, sentence.end});
  return {{"title", document.title},
          {"entities", std::move(entities)},
          {"triples", std::move(triples)},
          {"sentences", std::move(sentences)}};
}

/// Reads such an object; whatever it says is checked before it is used as a place.
class FactReader {
 public:
  FactReader(const Store& store, std::int32_t relations) : store_(store), relations_(relations) {}

  void read(const nlohmann::json& facts, Document& document, EncodedDocument& encoded) const {
    document.title = facts.at("title").get<std::string>();
    for (const auto& sentence : facts.at("sentences"))
      encoded.sentences.push_back(span(sentence.at(0), sentence.at(1)));
    document.sentences.resize(encoded.sentences.size());
    const auto sentences = static_cast<std::int64_t>(encoded.sentences.size());
    for (const auto& entity : facts.at("entities")) {
      auto& mentions = document.entities.emplace_back();
      auto& places = encoded.mentions.emplace_back();
      for (const auto& mention : entity) {
        const auto begin = number(mention.at(1), kMost);
        mentions.push_back({number(mention.at(0), sentences), begin, number(mention.at(2), kMost),
                            mention.at(3).get<std::string>(), mention.at(4).get<std::string>()});
        places.push_back(span(mention.at(5), mention.at(6)));
      }
    }
    const auto entities = static_cast<std::int64_t>(document.entities.size());
    for (const auto& triple : facts.at("triples")) {
      Triple own{number(triple.at(0), entities), number(triple.at(1), entities), number(triple.at(2), relations_), {}};
      for (const auto& sentence : triple.at(3)) own.evidence.push_back(number(sentence, sentences));
      document.triples.push_back(std::move(own));
    }
  }

 private:
  static constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max() / 2;

  std::int32_t number(const nlohmann::json& value, std::int64_t below) const {
    const auto number = value.get<std::int64_t>();
    if (!value.is_number_integer() || number < 0 || number >= below) store_.fail("a number is out of range");
    return static_cast<std::int32_t>(number);
  }
  Span span(const nlohmann::json& begin, const nlohmann::json& end) const {
    return {number(begin, kMost), number(end, kMost)};
  }

  const Store& store_;
  std::int32_t relations_;
};

void require_same(const Store& store, const Relations& relations, const Tokeniser* tokeniser) {
  const auto own = stored_relations(store);
  bool same = own.size() == relations.size();
  for (std::int32_t r = 0; same && r < own.size(); ++r) same = own.name(r) == relations.name(r);
  if (!same) {
    throw Error(fmt::format("{}: was packed with other relations; make it again with mlpac pack --relations and those",
                            store.source()));
  }
  if (tokeniser == nullptr) return;
  const auto& about = store.about();
  if (about.value("vocabulary", nlohmann::json()) != tokeniser->vocabulary_size() ||
      about.value("start", nlohmann::json()) != tokeniser->start_id() ||
      about.value("end", nlohmann::json()) != tokeniser->end_id()) {
    throw Error(
        fmt::format("{}: was packed with another vocabulary; make it again with mlpac pack --tokeniser and this "
                    "one",
                    store.source()));
  }
}

}  // namespace

std::uint64_t write_document_store(const std::filesystem::path& path, std::span<const Document> documents,
                                   const Relations& relations, const Tokeniser& tokeniser, bool overwrite,
                                   const std::function<void(double)>& progress) {
  std::vector<std::string> names;
  names.reserve(static_cast<std::size_t>(relations.size()));
  for (std::int32_t r = 0; r < relations.size(); ++r) names.push_back(relations.name(r));
  StoreWriter writer(path, std::string(kKind),
                     {{"relations", names},
                      {"vocabulary", tokeniser.vocabulary_size()},
                      {"start", tokeniser.start_id()},
                      {"end", tokeniser.end_id()}},
                     overwrite);
  const auto pieces = writer.begin<std::int32_t>("tokens");
  std::vector<std::int64_t> offsets{0};
  std::vector<std::string> facts;
  std::vector<std::string> words;
  WordCache cache(tokeniser);
  for (const auto& document : documents) {
    progress(static_cast<double>(facts.size()) / static_cast<double>(documents.size()));
    const auto encoded = encode_document(document, cache);
    writer.append<std::int32_t>(pieces, encoded.ids);
    offsets.push_back(offsets.back() + static_cast<std::int64_t>(encoded.ids.size()));
    facts.push_back(facts_of(document, encoded).dump());
    words.push_back(nlohmann::json(document.sentences).dump());
  }
  writer.add<std::int64_t>("token_offsets", offsets);
  writer.add_strings("documents", facts);
  writer.add_strings("words", words);
  writer.add_strings("label_names", std::span(names).subspan(1));
  writer.about()["rows"] = documents.size();
  writer.about()["tokens"] = offsets.back();
  writer.commit();
  return writer.bytes();
}

Relations stored_relations(const Store& store) {
  store.require_kind(kKind);
  const auto names = store.about().value("relations", nlohmann::json());
  try {
    return Relations(names.get<std::vector<std::string>>());
  } catch (const nlohmann::json::exception&) {
    store.fail("its relations are no list of names");
  }
}

StoredDocuments open_document_store(const std::shared_ptr<const Store>& store, const Relations& relations,
                                    const Tokeniser* tokeniser, bool words) {
  require_same(*store, relations, tokeniser);
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max() / 64;
  const auto rows = store->whole("rows", 0, kMost);
  const auto tokens = store->whole("tokens", 0, kMost);
  const auto offsets = store->offsets("token_offsets", rows, tokens);
  const auto ids = store->mapped<std::int32_t>("tokens", static_cast<std::size_t>(tokens));
  const auto facts = store->strings("documents");
  const auto texts = words ? store->strings("words") : std::vector<std::string>(facts.size());
  if (facts.size() != static_cast<std::size_t>(rows) || texts.size() != facts.size()) {
    store->fail("its documents are not all there");
  }
  const FactReader reader(*store, relations.size());
  StoredDocuments result;
  std::vector<EncodedDocument> encoded(facts.size());
  std::vector<std::span<const std::int32_t>> pieces;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    auto& document = result.documents.emplace_back();
    try {
      reader.read(nlohmann::json::parse(facts[i]), document, encoded[i]);
      if (words) document.sentences = nlohmann::json::parse(texts[i]).get<std::vector<std::vector<std::string>>>();
    } catch (const nlohmann::json::exception& error) {
      store->fail(fmt::format("document {}: {}", i, error.what()));
    }
    const auto first = static_cast<std::size_t>(offsets[i]);
    pieces.push_back(ids.subspan(first, static_cast<std::size_t>(offsets[i + 1]) - first));
    if (pieces.back().size() < 2) store->fail(fmt::format("document {} has no pieces", i));
  }
  result.encoded = EncodedDocuments(std::move(encoded), pieces, store->file(), store);
  return result;
}

}  // namespace mlpac
