#include "tasks/document_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tuple>

namespace mlpac {

namespace {

using Key = std::tuple<std::int32_t, std::int32_t, std::int32_t>;  // head, tail, relation

struct About {
  bool predicted = false;
  bool annotated = false;
  bool truly = false;
  std::vector<std::int32_t> predicted_evidence;
  std::vector<std::int32_t> evidence;
};

std::string name_of(const Document& document, std::int32_t entity) {
  const auto& mentions = document.entities.at(static_cast<std::size_t>(entity));
  return mentions.empty() ? fmt::format("entity {}", entity) : mentions.front().name;
}

std::string relation_text(const std::string& name, const std::map<std::string, std::string>& meanings) {
  const auto meaning = meanings.find(name);
  return meaning == meanings.end() ? name : fmt::format("{} ({})", name, meaning->second);
}

std::string sentences_of(const std::vector<std::int32_t>& list) {
  return list.empty() ? "-" : fmt::format("{}", fmt::join(list, ","));
}

}  // namespace

std::string explain_document(const Document& document, const Document& annotated,
                             std::span<const PredictedTriple> predicted, const Relations& relations,
                             const std::map<std::string, std::string>& meanings) {
  std::string text = document.title + "\n\n";
  for (std::size_t i = 0; i < document.sentences.size(); ++i) {
    text += fmt::format("[{}] {}\n", i, fmt::join(document.sentences[i], " "));
  }
  std::map<Key, About> triples;
  for (const auto& triple : predicted) {
    auto& about = triples[{triple.head, triple.tail, triple.relation}];
    about.predicted = true;
    about.predicted_evidence = triple.evidence;
  }
  for (const Triple& triple : document.triples) {
    auto& about = triples[{triple.head, triple.tail, triple.relation}];
    about.truly = true;
    about.evidence = triple.evidence;
  }
  for (const Triple& triple : annotated.triples) triples[{triple.head, triple.tail, triple.relation}].annotated = true;
  text += "\npredicted annotated true  evidence (predicted / listed)  triple\n";
  std::size_t right = 0;
  std::size_t given = 0;
  for (const auto& [key, about] : triples) {
    const auto& [head, tail, relation] = key;
    text += fmt::format(
        "{:<9} {:<9} {:<5} {:<30} {} -- {} -> {}\n", about.predicted ? "yes" : "-", about.annotated ? "yes" : "-",
        about.truly ? "yes" : "-", sentences_of(about.predicted_evidence) + " / " + sentences_of(about.evidence),
        name_of(document, head), relation_text(relations.name(relation), meanings), name_of(document, tail));
    right += about.predicted && about.truly ? 1 : 0;
    given += about.annotated ? 1 : 0;
  }
  text += fmt::format("\n{} predicted, {} of them true; {} true, {} of them annotated\n", predicted.size(), right,
                      document.triples.size(), given);
  return text;
}

}  // namespace mlpac
