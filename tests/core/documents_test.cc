// Documents: reading, pieces and positions, pairs with their labels and evidence, hiding of triples.
#include "mlpac/documents.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "documents_example.h"
#include "mlpac/error.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

using Ids = std::vector<std::int32_t>;

TEST(Documents, Reading) {
  const auto documents = example_documents();
  ASSERT_EQ(documents.size(), 1U);
  const Document& d = documents.front();
  EXPECT_EQ(d.title, "Bonn");
  ASSERT_EQ(d.sentences.size(), 2U);
  EXPECT_EQ(d.sentences[1], (std::vector<std::string>{"Old", "Bonn", "rains", "."}));
  ASSERT_EQ(d.entities.size(), 3U);
  EXPECT_EQ(d.entities[2][0].name, "Old Bonn");
  EXPECT_EQ(d.entities[2][0].end, 2);
  EXPECT_EQ(d.entities[0][1].type, "");
  ASSERT_EQ(d.triples.size(), 4U);
  EXPECT_EQ(d.triples[0], (Triple{2, 1, 1, {0, 1}}));
  EXPECT_EQ(d.triples[3], (Triple{0, 1, 1, {}}));  // no evidence in the file
}

TEST(Documents, EveryThreadCountReadsTheSame) {
  std::string text = "[";
  for (int i = 0; i < 100; ++i) {
    text += (i > 0 ? "," : "") + std::string(R"({"title": "t)") + std::to_string(i) +
            R"(", "sents": [["a]}", "\"b", "c\\"]], "vertexSet": [], "labels": []})";
  }
  text += "]";
  for (const int threads : {1, 3}) {
    const auto documents = parse_documents(text, "x", example_relations(), threads);
    ASSERT_EQ(documents.size(), 100U);
    EXPECT_EQ(documents[57].title, "t57");
    EXPECT_EQ(documents[99].sentences[0][2], "c\\");
  }
  EXPECT_TRUE(parse_documents(" [ ] ", "x", example_relations()).empty());
}

TEST(Documents, StarsAroundMentions) {
  const auto tokeniser = example_tokeniser();
  WordCache words(*tokeniser);
  const EncodedDocument encoded = encode_document(example_documents().front(), words);
  // [CLS] * Bonn * is in * Ger ##many * . * Old * Bonn * rains . [SEP]: one star where two mentions end.
  EXPECT_EQ(encoded.ids, (Ids{1, 3, 4, 3, 5, 6, 3, 7, 8, 3, 9, 3, 10, 3, 4, 3, 11, 9, 2}));
  EXPECT_EQ(encoded.mentions[0], (std::vector<Span>{{0, 3}, {12, 15}}));
  EXPECT_EQ(encoded.mentions[1], (std::vector<Span>{{5, 9}}));
  EXPECT_EQ(encoded.mentions[2], (std::vector<Span>{{10, 15}}));
  EXPECT_EQ(encoded.sentences, (std::vector<Span>{{0, 10}, {10, 17}}));
  const auto all = encode_documents(example_documents(), *tokeniser, 2);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all.front().ids, encoded.ids);
}

TEST(Documents, LongOnesAreCutOnlyWhereTwoWindowsEnd) {
  Document document;
  document.sentences.emplace_back(600, "in");
  document.sentences.emplace_back(600, "is");
  document.entities.push_back({Mention{0, 0, 1, "a", "LOC"}});
  const auto tokeniser = example_tokeniser();
  WordCache words(*tokeniser);
  const EncodedDocument encoded = encode_document(document, words);
  EXPECT_EQ(encoded.ids.size(), kMostPieces + 2);
  EXPECT_EQ(encoded.ids.back(), tokeniser->end_id());
  EXPECT_EQ(encoded.sentences, (std::vector<Span>{{0, 602}, {602, 1022}}));
  document.sentences.resize(1);
  EXPECT_EQ(encode_document(document, words).ids.size(), 604U);
}

TEST(Documents, PairsLabelsAndEvidence) {
  const Document document = example_documents().front();
  const auto pairs = entity_pairs(document);
  EXPECT_EQ(pairs, (std::vector<EntityPair>{{2, 1}, {0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}}));
  Labels labels(example_relations().size());
  append_pair_labels(document, pairs, labels);
  ASSERT_EQ(labels.rows(), 6);
  EXPECT_EQ(labels.count(kAnnotated), 4);
  EXPECT_EQ(labels.at(0, 1), kAnnotated);
  EXPECT_EQ(labels.at(1, 2), kAnnotated);
  EXPECT_EQ(labels.at(2, 0), kUnknown);
  EXPECT_EQ(target_row(labels.row(0), 4), (std::vector<std::uint8_t>{0, 1, 1, 0}));
  EXPECT_EQ(target_row(labels.row(2), 4), (std::vector<std::uint8_t>{1, 0, 0, 0}));
  EXPECT_EQ(evidence_counts(document, pairs), (std::vector<EvidenceCount>{{0, 0, 1}, {0, 1, 2}, {1, 0, 1}}));
}

TEST(Documents, TriplesFromAnotherFile) {
  auto documents = example_documents();
  replace_triples(documents, R"([{"title": "Bonn", "docred_labels": [[2, 1, "P17"], [1, 0, "P36"]]}])", "x.json",
                  example_relations());
  ASSERT_EQ(documents[0].triples.size(), 2U);
  EXPECT_EQ(documents[0].triples[0], (Triple{2, 1, 1, {0, 1}}));  // keeps its evidence
  EXPECT_EQ(documents[0].triples[1], (Triple{1, 0, 3, {}}));
  for (const char* bad : {"[]", R"([{"title": "x", "docred_labels": []}])", R"([{"title": "Bonn"}])",
                          R"([{"title": "Bonn", "docred_labels": [[0, 3, "P17"]]}])",
                          R"([{"title": "Bonn", "docred_labels": [[0, 1, "Na"]]}])",
                          R"([{"title": "Bonn", "docred_labels": [[0, 1]]}])"}) {
    EXPECT_THROW(replace_triples(documents, bad, "x.json", example_relations()), Error) << bad;
  }
}

std::vector<Document> many_documents() {
  std::vector<Document> documents(50);
  for (std::size_t d = 0; d < documents.size(); ++d) {
    documents[d].title = std::to_string(d);
    documents[d].entities.resize(8);
    for (std::int32_t i = 0; i < 7; ++i) documents[d].triples.push_back({i, i + 1, 1, {i}});
  }
  return documents;
}

TEST(HideTriples, ExactNumberOfEachRatio) {
  const auto complete = many_documents();
  EXPECT_EQ(count_triples(complete), 350);
  for (const double ratio : {0.0, 0.1, 0.3, 0.7, 1.0}) {
    auto documents = complete;
    hide_triples(documents, {ratio, 0, 1});
    EXPECT_EQ(count_triples(documents), static_cast<std::int64_t>(ratio * 350 + 1e-9));
    for (std::size_t d = 0; d < documents.size(); ++d) {
      for (const Triple& triple : documents[d].triples) {
        EXPECT_NE(std::find(complete[d].triples.begin(), complete[d].triples.end(), triple), complete[d].triples.end());
      }
    }
  }
  auto documents = complete;
  EXPECT_THROW(hide_triples(documents, {1.5, 0, 1}), UsageError);
  EXPECT_THROW(hide_triples(documents, {0.5, -1, 1}), UsageError);
}

TEST(HideTriples, DrawsDependOnSeedVersionRatioAndTitle) {
  const auto kept = [](double ratio, std::int32_t version, std::uint64_t seed) {
    auto documents = many_documents();
    hide_triples(documents, {ratio, version, seed});
    std::vector<std::vector<Triple>> triples;
    for (const Document& document : documents) triples.push_back(document.triples);
    return triples;
  };
  EXPECT_EQ(kept(0.5, 0, 1), kept(0.5, 0, 1));
  EXPECT_NE(kept(0.5, 0, 1), kept(0.5, 1, 1));
  EXPECT_NE(kept(0.5, 0, 1), kept(0.5, 0, 2));
  // Documents that come in another order keep the same triples.
  auto reversed = many_documents();
  std::reverse(reversed.begin(), reversed.end());
  hide_triples(reversed, {0.5, 0, 1});
  std::reverse(reversed.begin(), reversed.end());
  const auto straight = kept(0.5, 0, 1);
  for (std::size_t d = 0; d < reversed.size(); ++d) EXPECT_EQ(reversed[d].triples, straight[d]);
}

}  // namespace
}  // namespace mlpac
