#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "data/text.h"
#include "mlpac/documents.h"
#include "mlpac/error.h"
#include "review/instances.h"

namespace mlpac {
namespace {

std::string name_of(const std::vector<Mention>& entity) {
  const auto longest = std::max_element(
      entity.begin(), entity.end(), [](const Mention& a, const Mention& b) { return a.name.size() < b.name.size(); });
  return longest == entity.end() ? std::string() : longest->name;
}

std::set<std::int32_t> sentences_of(const std::vector<Mention>& entity) {
  std::set<std::int32_t> sentences;
  for (const Mention& mention : entity) sentences.insert(mention.sentence);
  return sentences;
}

class DocumentInstances : public Instances {
 public:
  DocumentInstances(std::vector<Document> documents, Relations relations, std::map<std::string, std::string> meanings)
      : documents_(std::move(documents)), relations_(std::move(relations)), meanings_(std::move(meanings)) {
    for (std::size_t i = 0; i < documents_.size(); ++i) {
      numbers_.emplace(documents_[i].title, i);
      const auto entities = static_cast<std::int64_t>(documents_[i].entities.size());
      pairs_ += entities * std::max<std::int64_t>(0, entities - 1);
    }
  }

  std::int64_t size() const override { return pairs_; }

  nlohmann::json show(const InstanceName& name) const override {
    const auto [document, pair] = find(name);
    const auto& head = document.entities[static_cast<std::size_t>(pair.head)];
    const auto& tail = document.entities[static_cast<std::size_t>(pair.tail)];
    auto mentions = nlohmann::json::array();
    for (std::size_t entity = 0; entity < document.entities.size(); ++entity) {
      for (const Mention& mention : document.entities[entity]) {
        mentions.push_back({mention.sentence, mention.begin, mention.end, entity});
      }
    }
    // Listed evidence of the pair's other relations, and where both entities are named: what to read first.
    std::set<std::int32_t> evidence;
    for (const Triple& triple : document.triples) {
      if (triple.head == pair.head && triple.tail == pair.tail) {
        evidence.insert(triple.evidence.begin(), triple.evidence.end());
      }
    }
    std::vector<std::int32_t> both;
    const auto with_head = sentences_of(head);
    const auto with_tail = sentences_of(tail);
    std::set_intersection(with_head.begin(), with_head.end(), with_tail.begin(), with_tail.end(),
                          std::back_inserter(both));
    return {{"kind", "document"},
            {"title", document.title},
            {"sentences", document.sentences},
            {"mentions", std::move(mentions)},
            {"head", {{"entity", pair.head}, {"name", name_of(head)}, {"type", type_of(head)}}},
            {"tail", {{"entity", pair.tail}, {"name", name_of(tail)}, {"type", type_of(tail)}}},
            {"evidence", evidence},
            {"both", both}};
  }

  std::vector<std::string> annotated(const InstanceName& name) const override {
    const auto [document, pair] = find(name);
    std::set<std::string> names;
    for (const Triple& triple : document.triples) {
      if (triple.head == pair.head && triple.tail == pair.tail) names.insert(relations_.name(triple.relation));
    }
    return {names.begin(), names.end()};
  }

  std::string meaning(const std::string& label) const override {
    const auto found = meanings_.find(label);
    return found == meanings_.end() ? std::string() : found->second;
  }

 private:
  struct Found {
    const Document& document;
    EntityPair pair;
  };

  static std::string type_of(const std::vector<Mention>& entity) {
    return entity.empty() ? std::string() : entity.front().type;
  }

  Found find(const InstanceName& name) const {
    if (const auto parts = parse_pair_id(name.id)) {
      const auto document = numbers_.find(std::string(parts->title));
      if (document != numbers_.end()) {
        const Document& found = documents_[document->second];
        const auto entities = static_cast<std::int32_t>(found.entities.size());
        if (parts->pair.head < entities && parts->pair.tail < entities) return {found, parts->pair};
      }
    }
    throw Error(
        fmt::format("the data has no pair of entities {} (title/head/tail); were the suggestions made for "
                    "other data?",
                    in_quotes(name.id)));
  }

  std::vector<Document> documents_;
  Relations relations_;
  std::map<std::string, std::string> meanings_;
  std::unordered_map<std::string, std::size_t> numbers_;
  std::int64_t pairs_ = 0;
};

}  // namespace

std::unique_ptr<Instances> document_instances(std::vector<Document> documents, Relations relations,
                                              std::map<std::string, std::string> meanings) {
  return std::make_unique<DocumentInstances>(std::move(documents), std::move(relations), std::move(meanings));
}

}  // namespace mlpac
