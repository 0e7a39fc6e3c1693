#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/file.h"
#include "data/text.h"
#include "documents/document_fields.h"
#include "documents/json_array.h"
#include "mlpac/documents.h"
#include "mlpac/relation_metrics.h"

namespace mlpac {

std::string predictions_json(std::span<const PredictedTriple> predictions, const Relations& relations) {
  std::string text = "[";
  for (const PredictedTriple& p : predictions) {
    // Ordered, so that the fields stand as in the official files.
    nlohmann::ordered_json entry;
    entry["title"] = p.title;
    entry["h_idx"] = p.head;
    entry["t_idx"] = p.tail;
    entry["r"] = relations.name(p.relation);
    entry["evidence"] = p.evidence;
    text += text.size() > 1 ? ",\n" : "\n";
    text += entry.dump();
  }
  return text + "\n]\n";
}

std::vector<PredictedTriple> parse_predictions(std::string_view text, const std::string& source,
                                               const Relations& relations) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const auto elements = json_array_elements(text, source, "predicted triples");
  std::vector<PredictedTriple> predictions;
  predictions.reserve(elements.size());
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const DocumentFields fields(source, e, "prediction", "title, h_idx, t_idx and r");
    const nlohmann::json value = fields.parse(elements[e]);
    PredictedTriple p;
    p.title = fields.text(fields.member(value, "title", ""), "title");
    p.head = fields.number(fields.member(value, "h_idx", ""), "h_idx", 0, kMost, "an entity");
    p.tail = fields.number(fields.member(value, "t_idx", ""), "t_idx", 0, kMost, "an entity");
    const std::string relation = fields.text(fields.member(value, "r", ""), "r");
    p.relation = relations.find(relation);
    if (p.relation < 1) {
      fields.fail("r", fmt::format("is {}, expected a relation of rel2id.json other than none", in_quotes(relation)));
    }
    const auto evidence = value.find("evidence");
    if (evidence != value.end()) {
      for (const auto& sentence : fields.array(*evidence, "evidence", "sentence numbers")) {
        const std::string field = fmt::format("evidence[{}]", p.evidence.size());
        p.evidence.push_back(fields.number(sentence, field, 0, kMost, "a sentence"));
      }
    }
    predictions.push_back(std::move(p));
  }
  return predictions;
}

std::vector<PredictedTriple> read_predictions(const std::filesystem::path& path, const Relations& relations) {
  return parse_predictions(read_file(path), path.string(), relations);
}

}  // namespace mlpac
