#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/file.h"
#include "core/parallel.h"
#include "data/text.h"
#include "documents/document_fields.h"
#include "documents/json_array.h"
#include "mlpac/documents.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

using nlohmann::json;

/// Few enough that the threads end together, many enough that they seldom ask for more.
constexpr std::size_t kBlock = 16;

std::vector<std::vector<std::string>> sentences_of(const json& value, const DocumentFields& fields) {
  std::vector<std::vector<std::string>> sentences;
  for (const json& words : fields.array(value, "sents", "sentences")) {
    const std::string field = fmt::format("sents[{}]", sentences.size());
    std::vector<std::string>& sentence = sentences.emplace_back();
    sentence.reserve(words.size());
    for (const json& word : fields.array(words, field, "words")) {
      if (!word.is_string()) fields.text(word, fmt::format("{}[{}]", field, sentence.size()));  // says why
      sentence.push_back(word.get<std::string>());
    }
  }
  return sentences;
}

Mention mention_of(const json& value, const std::string& field, const Document& document,
                   const DocumentFields& fields) {
  Mention mention;
  mention.sentence =
      fields.number(fields.member(value, "sent_id", field), field + ".sent_id", 0,
                    static_cast<std::int64_t>(document.sentences.size()) - 1, "a sentence of the document");
  const json& pos = fields.array(fields.member(value, "pos", field), field + ".pos", "two word numbers");
  if (pos.size() != 2) fields.fail(field + ".pos", fmt::format("has {} values, expected [first, end)", pos.size()));
  const auto words = static_cast<std::int64_t>(document.sentences[static_cast<std::size_t>(mention.sentence)].size());
  mention.begin = fields.number(pos[0], field + ".pos[0]", 0, words - 1, "a word of the sentence");
  mention.end = fields.number(pos[1], field + ".pos[1]", mention.begin + 1, words, "the end of the words");
  if (value.contains("name")) mention.name = fields.text(value["name"], field + ".name");
  if (value.contains("type")) mention.type = fields.text(value["type"], field + ".type");
  return mention;
}

Triple triple_of(const json& value, const std::string& field, const Document& document, const Relations& relations,
                 const DocumentFields& fields) {
  Triple triple;
  const auto last = static_cast<std::int64_t>(document.entities.size()) - 1;
  triple.head = fields.number(fields.member(value, "h", field), field + ".h", 0, last, "an entity of the document");
  triple.tail = fields.number(fields.member(value, "t", field), field + ".t", 0, last, "an entity of the document");
  if (triple.head == triple.tail) {
    fields.fail(field, fmt::format("has entity {} as head and tail, expected two entities", triple.head));
  }
  const std::string relation = fields.text(fields.member(value, "r", field), field + ".r");
  triple.relation = relations.find(relation);
  if (triple.relation < 1) {
    fields.fail(field + ".r", fmt::format("is {}, expected one of the {} relations of rel2id.json", in_quotes(relation),
                                          relations.size() - 1));
  }
  const auto evidence = value.find("evidence");
  if (evidence == value.end()) return triple;
  const auto sentences = static_cast<std::int64_t>(document.sentences.size());
  for (const json& sentence : fields.array(*evidence, field + ".evidence", "sentence numbers")) {
    triple.evidence.push_back(fields.number(sentence, fmt::format("{}.evidence[{}]", field, triple.evidence.size()), 0,
                                            sentences - 1, "a sentence of the document"));
  }
  return triple;
}

Document document_of(std::string_view text, const std::string& source, std::size_t number, const Relations& relations) {
  DocumentFields fields(source, number);
  const json value = fields.parse(text);
  Document document;
  document.title = fields.text(fields.member(value, "title", ""), "title");
  fields.set_title(document.title);
  document.sentences = sentences_of(fields.member(value, "sents", ""), fields);
  for (const json& mentions : fields.array(fields.member(value, "vertexSet", ""), "vertexSet", "entities")) {
    const std::string field = fmt::format("vertexSet[{}]", document.entities.size());
    if (fields.array(mentions, field, "mentions").empty()) fields.fail(field, "is empty, expected its mentions");
    std::vector<Mention>& entity = document.entities.emplace_back();
    for (const json& mention : mentions) {
      entity.push_back(mention_of(mention, fmt::format("{}[{}]", field, entity.size()), document, fields));
    }
  }
  // Test files of a competition have no labels.
  const auto labels = value.find("labels");
  if (labels == value.end()) return document;
  for (const json& label : fields.array(*labels, "labels", "triples")) {
    const std::string field = fmt::format("labels[{}]", document.triples.size());
    document.triples.push_back(triple_of(label, field, document, relations, fields));
  }
  return document;
}

}  // namespace

std::vector<Document> parse_documents(std::string_view text, const std::string& source, const Relations& relations,
                                      int threads) {
  const std::vector<std::string_view> elements = json_array_elements(text, source, "documents");
  std::vector<Document> documents(elements.size());
  parallel_blocks(elements.size(), kBlock, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) documents[i] = document_of(elements[i], source, i, relations);
  });
  // The evaluation knows documents by their titles.
  std::unordered_map<std::string_view, std::size_t> titles;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const auto [first, added] = titles.emplace(documents[i].title, i);
    if (!added) {
      throw Error(fmt::format("{}: document {} has the title {} of document {}, expected titles that differ", source, i,
                              in_quotes(documents[i].title), first->second));
    }
  }
  return documents;
}

std::vector<Document> read_documents(const std::filesystem::path& path, const Relations& relations, int threads) {
  return parse_documents(read_file(path), path.string(), relations, threads);
}

}  // namespace mlpac
