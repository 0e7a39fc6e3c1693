// The whole way from file to ids, positions, pairs and scores against the output of the authors' code.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/safetensors.h"
#include "golden_files.h"
#include "mlpac/documents.h"
#include "mlpac/labels.h"
#include "mlpac/relation_metrics.h"
#include "mlpac/tokeniser.h"

namespace mlpac {
namespace {

using nlohmann::json;
using Ids = std::vector<std::int32_t>;

const Relations& relations() {
  static const Relations kRelations = read_relations(unpacked("redocred") / "rel2id.json");
  return kRelations;
}

const std::vector<Document>& dev() {
  static const std::vector<Document> kDocuments =
      read_documents(unpacked("redocred") / "dev_revised.json", relations());
  return kDocuments;
}

const std::vector<EncodedDocument>& encoded(const std::string& folder) {
  static std::map<std::string, std::vector<EncodedDocument>> done;
  if (!done.contains(folder)) {
    done[folder] = encode_documents(dev(), *read_tokeniser(unpacked("tokenizers") / folder));
  }
  return done.at(folder);
}

json spans(const std::vector<Span>& list) {
  json result = json::array();
  for (const Span& span : list) result.push_back({span.begin, span.end});
  return result;
}

TEST(DocumentsGolden, CompleteFeatures) {
  MLPAC_NEEDS("docre_features.json", "redocred", "tokenizers");
  for (const json& entry : golden_json("docre_features.json")) {
    const auto index = entry.at("index").get<std::size_t>();
    const Document& document = dev().at(index);
    SCOPED_TRACE(document.title);
    EXPECT_EQ(document.title, entry.at("title").get<std::string>());
    for (const auto& [name, folder] : {std::pair{"bert", "bert-base-cased"}, std::pair{"roberta", "roberta"}}) {
      const EncodedDocument& ours = encoded(folder).at(index);
      EXPECT_EQ(ours.ids, entry.at(name).at("input_ids").get<Ids>());
      json mentions = json::array();
      for (const auto& entity : ours.mentions) mentions.push_back(spans(entity));
      EXPECT_EQ(mentions, entry.at(name).at("entity_pos"));
      EXPECT_EQ(spans(ours.sentences), entry.at(name).at("sent_pos"));
    }
    const auto pairs = entity_pairs(document);
    json hts = json::array();
    for (const EntityPair& pair : pairs) hts.push_back({pair.head, pair.tail});
    EXPECT_EQ(hts, entry.at("hts"));
  }
}

TEST(DocumentsGolden, HashesOfAllDocuments) {
  MLPAC_NEEDS("docre_hashes.json", "redocred", "tokenizers");
  const json hashes = golden_json("docre_hashes.json");
  ASSERT_EQ(hashes.at("rows").size(), dev().size());
  for (std::size_t i = 0; i < dev().size(); ++i) {
    const Document& document = dev()[i];
    const json& row = hashes.at("rows")[i];
    SCOPED_TRACE(document.title);
    std::size_t column = 0;
    for (const char* folder : {"bert-base-cased", "roberta"}) {
      const EncodedDocument& ours = encoded(folder)[i];
      EXPECT_EQ(ours.ids.size(), row[column].get<std::size_t>());
      EXPECT_EQ(sha256(ours.ids), row[column + 1]);
      Ids positions{static_cast<std::int32_t>(ours.mentions.size())};
      const auto put = [&](const std::vector<Span>& list) {
        positions.push_back(static_cast<std::int32_t>(list.size()));
        for (const Span& span : list) positions.insert(positions.end(), {span.begin, span.end});
      };
      for (const auto& entity : ours.mentions) put(entity);
      put(ours.sentences);
      EXPECT_EQ(sha256(positions), row[column + 2]);
      column += 3;
    }
    const auto pairs = entity_pairs(document);
    Labels labels(relations().size());
    append_pair_labels(document, pairs, labels);
    std::vector<Ids> evidence(pairs.size(), Ids(document.sentences.size(), 0));
    for (const EvidenceCount& e : evidence_counts(document, pairs)) {
      evidence[static_cast<std::size_t>(e.pair)][static_cast<std::size_t>(e.sentence)] = e.count;
    }
    Ids stream{static_cast<std::int32_t>(pairs.size())};
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const auto target = target_row(labels.row(static_cast<std::int64_t>(p)), labels.classes());
      Ids set;
      for (std::size_t c = 0; c < target.size(); ++c) {
        if (target[c] == 1) set.push_back(static_cast<std::int32_t>(c));
      }
      stream.insert(stream.end(), {pairs[p].head, pairs[p].tail, static_cast<std::int32_t>(set.size())});
      stream.insert(stream.end(), set.begin(), set.end());
      stream.insert(stream.end(), evidence[p].begin(), evidence[p].end());
    }
    EXPECT_EQ(sha256(stream), row[column]);
  }
}

using Key = std::tuple<std::size_t, std::int32_t, std::int32_t, std::int32_t>;

std::set<Key> keys(const std::vector<Document>& documents) {
  std::set<Key> result;
  for (std::size_t d = 0; d < documents.size(); ++d) {
    for (const Triple& t : documents[d].triples) result.insert({d, t.head, t.tail, t.relation});
  }
  return result;
}

double overlap(const std::set<Key>& part, const std::set<Key>& whole) {
  const auto common = std::count_if(part.begin(), part.end(), [&](const Key& key) { return whole.contains(key); });
  return static_cast<double>(common) / static_cast<double>(part.size());
}

// Which triples are kept is random; how many, and how independent the draws are, is not.
TEST(DocumentsGolden, PartialDev) {
  MLPAC_NEEDS("docre_partial_dev.json", "redocred");
  const json facts = golden_json("docre_partial_dev.json");
  EXPECT_EQ(count_triples(dev()), facts.at("total_triples").get<std::int64_t>());
  const auto hidden = [](int percent, int version) {
    auto documents = dev();
    hide_triples(documents, {percent / 100.0, version, 0});
    return documents;
  };
  for (const json& file : facts.at("files")) {
    const auto documents = hidden(file.at("ratio_percent").get<int>(), file.at("version").get<int>());
    EXPECT_EQ(static_cast<std::int64_t>(documents.size()), file.at("documents").get<std::int64_t>());
    EXPECT_EQ(count_triples(documents), file.at("floor_ratio_times_N").get<std::int64_t>());
    EXPECT_EQ(static_cast<std::int64_t>(keys(documents).size()), file.at("distinct_triples").get<std::int64_t>());
    const auto unlabelled =
        std::count_if(documents.begin(), documents.end(), [](const Document& d) { return d.triples.empty(); });
    EXPECT_NEAR(static_cast<double>(unlabelled), file.at("unlabelled_documents").get<double>(), 20);
    for (std::size_t d = 0; d < documents.size(); ++d) {
      for (const Triple& triple : documents[d].triples) {
        const auto& all = dev()[d].triples;
        ASSERT_NE(std::find(all.begin(), all.end(), triple), all.end());  // evidence included
      }
    }
  }
  EXPECT_NEAR(overlap(keys(hidden(10, 0)), keys(hidden(20, 0))), 0.2, 0.04);
  EXPECT_NEAR(overlap(keys(hidden(50, 0)), keys(hidden(60, 0))), 0.6, 0.03);
  EXPECT_NEAR(overlap(keys(hidden(50, 0)), keys(hidden(50, 1))), 0.5, 0.03);
  EXPECT_NEAR(overlap(keys(hidden(50, 1)), keys(hidden(50, 2))), 0.5, 0.03);
}

TEST(DocumentsGolden, OriginalLabelsOfTraining) {
  MLPAC_NEEDS("index.json", "redocred");
  auto documents = read_documents(unpacked("redocred") / "train_revised.json", relations());
  const auto before = count_triples(documents);
  replace_triples(documents, unpacked("redocred") / "train_docred_labels.json", relations());
  EXPECT_GT(count_triples(documents), before / 10);
  EXPECT_LT(count_triples(documents), before);
}

template <typename T>
std::vector<T> values(const SafetensorsFile& file, const std::string& name) {
  const RawTensor& tensor = file.tensors().at(name);
  std::vector<T> result(tensor.bytes.size() / sizeof(T));
  std::memcpy(result.data(), tensor.bytes.data(), result.size() * sizeof(T));
  return result;
}

void expect_score(const std::vector<double>& expected, const RelationScore& score) {
  EXPECT_NEAR(score.precision / 100, expected[0], 1e-6 * expected[0]);
  EXPECT_NEAR(score.recall / 100, expected[1], 1e-6 * expected[1]);
  EXPECT_NEAR(score.f1 / 100, expected[2], 1e-6 * expected[2]);
}

RelationScore score_of(const Counts& counts) { return {counts.precision(), counts.recall(), counts.f1()}; }

TEST(DocumentsGolden, OfficialEvaluation) {
  MLPAC_NEEDS("metrics_docre.safetensors", "redocred");
  const SafetensorsFile file(golden_folder() / "metrics_docre.safetensors");
  const TrainFacts facts(read_documents(unpacked("redocred") / "train_revised.json", relations()));
  EXPECT_EQ(facts.size(), 39000U);
  for (const auto& [id, documents] : {std::pair{"docre_eval_0", 500}, std::pair{"docre_eval_1", 40}}) {
    SCOPED_TRACE(id);
    const std::string name = id;
    const std::vector<Document> gold(dev().begin(), dev().begin() + documents);
    const auto numbers = values<std::int32_t>(file, name + ".predictions");
    std::vector<PredictedTriple> predictions;
    for (std::size_t i = 0; i < numbers.size(); i += 5) {
      PredictedTriple p{
          dev()[static_cast<std::size_t>(numbers[i])].title, numbers[i + 1], numbers[i + 2], numbers[i + 3], {}};
      for (std::int32_t s = 0; s < 31; ++s) {
        if ((static_cast<std::uint32_t>(numbers[i + 4]) >> static_cast<std::uint32_t>(s) & 1U) != 0) {
          p.evidence.push_back(s);
        }
      }
      predictions.push_back(p);
    }
    const auto m = evaluate_triples(gold, predictions, relations(), facts);
    expect_score(values<double>(file, name + ".rel_P_R_F1"), score_of(m.triples));
    expect_score(values<double>(file, name + ".evidence_P_R_F1"), m.evidence);
    expect_score(values<double>(file, name + ".ign_P_R_F1"), m.ign);
    const auto benchmark = values<double>(file, name + ".redocred_benchmark");
    const auto near = [&](std::size_t i, double percent) {
      EXPECT_NEAR(percent / 100, benchmark[i], 1e-6 * benchmark[i]) << i;
    };
    near(0, m.triples.f1());
    // Re-DocRED's script counts one gold sentence too many.
    const auto correct = static_cast<double>(m.correct_evidence);
    near(1, 200 * correct / static_cast<double>(m.predicted_evidence + m.gold_evidence + 1));
    near(2, m.ign.f1);
    near(3, evaluate_triples(gold, predictions, relations(), {}).ign.f1);  // no facts of distant supervision
    near(4, m.triples.precision());
    near(5, m.triples.recall());
    near(6, m.frequent.f1());
    near(7, m.long_tail.f1());
    near(8, m.intra.f1());
    near(9, m.inter.f1());
    near(10, m.frequent.precision());
    near(11, m.frequent.recall());
    near(12, m.long_tail.precision());
    near(13, m.long_tail.recall());
    Counts sum;
    for (const Counts& counts : m.per_relation) sum.add(counts);
    EXPECT_EQ(sum.true_positive, m.triples.true_positive);
    EXPECT_EQ(sum.false_negative, m.triples.false_negative);
    // The official format loses nothing.
    const auto again = parse_predictions(predictions_json(predictions, relations()), "result.json", relations());
    EXPECT_EQ(again, predictions);
  }
}

TEST(DocumentsGolden, LabelledPriors) {
  MLPAC_NEEDS("losses_ssrpu.safetensors", "redocred");
  const SafetensorsFile file(golden_folder() / "losses_ssrpu.safetensors");
  const auto expected = values<double>(file, "ssrpu_priors.priors_labelled");
  Labels labels(relations().size());
  for (const Document& document : dev()) append_pair_labels(document, entity_pairs(document), labels);
  const auto counts = labels.count_per_class(kAnnotated);
  for (std::size_t c = 0; c < expected.size(); ++c) {
    EXPECT_NEAR(static_cast<double>(counts[c + 1]) / static_cast<double>(labels.rows()), expected[c],
                1e-9 * expected[c]);
  }
}

}  // namespace
}  // namespace mlpac
