#include "documents/add_triples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "data/added_label.h"
#include "data/json_member.h"
#include "data/text.h"
#include "documents/document_fields.h"
#include "documents/json_array.h"
#include "mlpac/documents.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

[[noreturn]] void fail_missing(const std::string& source, std::string_view id) {
  throw Error(
      fmt::format("{}: has no pair of entities {} (title/head/tail), to which a relation is to be added; was the "
                  "file changed?",
                  source, in_quotes(id)));
}

/// The text of a document with more elements in "labels".
std::string extended(std::string_view element, const std::vector<std::string>& triples) {
  if (const auto place = find_member(element, "labels")) {
    return std::string(element.substr(0, place->begin)) +
           extended_array(element.substr(place->begin, place->end - place->begin), triples) +
           std::string(element.substr(place->end));
  }
  const std::size_t close = element.rfind('}');
  return fmt::format("{}, \"labels\": {}{}", element.substr(0, close), extended_array("[]", triples),
                     element.substr(close));
}

}  // namespace

std::string add_triples(std::string_view text, const std::string& source, std::span<const AddedLabel> added) {
  std::unordered_map<std::string, std::vector<const AddedLabel*>> wanted;
  for (const AddedLabel& label : added) {
    const auto name = parse_pair_id(label.id);
    if (!name) fail_missing(source, label.id);
    wanted[std::string(name->title)].push_back(&label);
  }
  std::string result;
  const char* copied = text.data();
  const auto elements = json_array_elements(text, source, "documents");
  for (std::size_t i = 0; i < elements.size() && !wanted.empty(); ++i) {
    const DocumentFields fields(source, i);
    const auto document = fields.parse(elements[i]);
    const auto labels = wanted.find(fields.text(fields.member(document, "title", ""), "title"));
    if (labels == wanted.end()) continue;
    const auto entities = fields.member(document, "vertexSet", "").size();
    std::vector<std::string> triples;
    for (const AddedLabel* label : labels->second) {
      const auto pair = parse_pair_id(label->id)->pair;
      if (static_cast<std::size_t>(std::max(pair.head, pair.tail)) >= entities) fail_missing(source, label->id);
      triples.push_back(fmt::format(R"({{"h": {}, "t": {}, "r": {}, "evidence": []}})", pair.head, pair.tail,
                                    nlohmann::json(label->label).dump()));
    }
    result.append(copied, elements[i].data());
    result += extended(elements[i], triples);
    copied = elements[i].data() + elements[i].size();
    wanted.erase(labels);
  }
  if (!wanted.empty()) fail_missing(source, wanted.begin()->second.front()->id);
  result.append(copied, text.data() + text.size());
  return result;
}

}  // namespace mlpac
