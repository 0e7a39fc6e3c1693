#include <fmt/format.h>

#include <algorithm>
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
#include "data/text.h"
#include "documents/document_fields.h"
#include "documents/json_array.h"
#include "mlpac/documents.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

using nlohmann::json;

Triple listed_triple(const json& value, const std::string& field, const Document& document, const Relations& relations,
                     const DocumentFields& fields) {
  fields.array(value, field, "head, tail and relation");
  if (value.size() != 3) {
    fields.fail(field, fmt::format("has {} values, expected [head, tail, relation]", value.size()));
  }
  Triple triple;
  const auto last = static_cast<std::int64_t>(document.entities.size()) - 1;
  triple.head = fields.number(value[0], field + "[0]", 0, last, "an entity of the document");
  triple.tail = fields.number(value[1], field + "[1]", 0, last, "an entity of the document");
  if (triple.head == triple.tail) fields.fail(field, "has the same head and tail, expected two entities");
  const std::string relation = fields.text(value[2], field + "[2]");
  triple.relation = relations.find(relation);
  if (triple.relation < 1) {
    fields.fail(field + "[2]",
                fmt::format("is {}, expected a relation of rel2id.json other than none", in_quotes(relation)));
  }
  const auto known = std::find_if(document.triples.begin(), document.triples.end(), [&](const Triple& t) {
    return t.head == triple.head && t.tail == triple.tail && t.relation == triple.relation;
  });
  if (known != document.triples.end()) triple.evidence = known->evidence;
  return triple;
}

}  // namespace

void replace_triples(std::vector<Document>& documents, std::string_view text, const std::string& source,
                     const Relations& relations) {
  std::unordered_map<std::string_view, std::size_t> numbers;
  for (std::size_t i = 0; i < documents.size(); ++i) numbers.emplace(documents[i].title, i);
  std::vector<bool> listed(documents.size(), false);
  std::vector<std::vector<Triple>> triples(documents.size());
  const auto elements = json_array_elements(text, source, "titles with their triples");
  for (std::size_t e = 0; e < elements.size(); ++e) {
    DocumentFields fields(source, e, "document", "title and docred_labels");
    const json value = fields.parse(elements[e]);
    const std::string title = fields.text(fields.member(value, "title", ""), "title");
    fields.set_title(title);
    const auto number = numbers.find(title);
    if (number == numbers.end()) fields.fail("title", "belongs to no document; were the labels made for other data?");
    const std::size_t i = number->second;
    if (listed[i]) fields.fail("title", "is listed twice, expected each document once");
    listed[i] = true;
    for (const json& triple : fields.array(fields.member(value, "docred_labels", ""), "docred_labels", "triples")) {
      const std::string field = fmt::format("docred_labels[{}]", triples[i].size());
      triples[i].push_back(listed_triple(triple, field, documents[i], relations, fields));
    }
  }
  const auto missing = std::find(listed.begin(), listed.end(), false);
  if (missing != listed.end()) {
    throw Error(fmt::format("{}: no entry for document {}, expected one for every document", source,
                            in_quotes(documents[static_cast<std::size_t>(missing - listed.begin())].title)));
  }
  for (std::size_t i = 0; i < documents.size(); ++i) documents[i].triples = std::move(triples[i]);
}

void replace_triples(std::vector<Document>& documents, const std::filesystem::path& path, const Relations& relations) {
  replace_triples(documents, read_file(path), path.string(), relations);
}

}  // namespace mlpac
