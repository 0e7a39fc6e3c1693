// Documents that are not what they should be: refused with document and field, or read consistently.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "documents_example.h"
#include "mlpac/documents.h"
#include "mlpac/error.h"
#include "mlpac/relation_metrics.h"
#include "refusals.h"

namespace mlpac {
namespace {

/// The example with one piece of text replaced.
std::string with(std::string_view piece, std::string_view other) {
  std::string text = example_json();
  const auto at = text.find(piece);
  EXPECT_NE(at, std::string::npos) << piece;
  return text.replace(at, piece.size(), other);
}

TEST(DocumentsMalformed, FieldsAreNamed) {
  const std::vector<Bad> table{
      {"", 0, "array of documents"},
      {"{}", 0, "array of documents"},
      {"[{}", 0, "ends within element 0"},
      {"[1]", 0, "document 0"},
      {"[,]", 0, "document 0"},
      {"[] []", 0, "more text"},
      {with("\"sents\"", "\"words\""), 0, "('Bonn'): sents is missing"},
      {with("\"title\": \"Bonn\"", "\"title\": 3"), 0, "title is '3', expected a string"},
      {with("[\"Bonn\", \"is\"", "[7, \"is\""), 0, "sents[0][0] is '7'"},
      {with("[[\"Bonn\", \"is\", \"in\", \"Germany\", \".\"]", "[\"Bonn\""), 0, "sents[0] is"},
      {with("\"sent_id\": 1, \"pos\": [1, 2]", "\"sent_id\": 2, \"pos\": [1, 2]"), 0, "vertexSet[0][1].sent_id is '2'"},
      {with("\"pos\": [3, 4]", "\"pos\": [3, 9]"), 0, "vertexSet[1][0].pos[1] is '9'"},
      {with("\"pos\": [3, 4]", "\"pos\": [3, 3]"), 0, "vertexSet[1][0].pos[1]"},
      {with("\"pos\": [3, 4]", "\"pos\": [-1, 4]"), 0, "vertexSet[1][0].pos[0]"},
      {with("\"pos\": [3, 4]", "\"pos\": [3]"), 0, "has 1 values"},
      {with("\"pos\": [3, 4]", "\"pos\": [1e3, 4]"), 0, "pos[0]"},
      {with("\"h\": 2", "\"h\": 3"), 0, "labels[0].h is '3', expected an entity of the document from 0 to 2"},
      {with("\"h\": 2", "\"h\": 99999999999999999999"), 0, "labels[0].h"},
      {with("\"h\": 2", "\"h\": 1"), 0, "labels[0] has entity 1 as head and tail"},
      {with("\"t\": 1, \"r\": \"P17\"", "\"t\": 1"), 0, "labels[0].r is missing"},
      {with("\"P17\"", "\"P999\""), 0, "labels[0].r is 'P999'"},
      {with("\"P17\"", "\"Na\""), 0, "labels[0].r is 'Na'"},
      {with("[0, 1]}", "[0, 2]}"), 0, "labels[0].evidence[1] is '2'"},
      {with("\"title\"", "\"title"), 0, ""},
      {with("Germany", "\xFF"), 0, "no valid JSON"},
  };
  for (const Bad& bad : table) {
    expect_refused(bad, "x.json",
                   [](const std::string& text) { parse_documents(text, "x.json", example_relations(), 2); });
  }
}

TEST(DocumentsMalformed, TitlesDiffer) {
  const std::string one = R"({"title": "a", "sents": [], "vertexSet": []})";
  try {
    parse_documents("[" + one + "," + one + "]", "x.json", example_relations());
    ADD_FAILURE() << "expected an error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("document 1 has the title 'a' of document 0"), std::string::npos);
  }
}

TEST(DocumentsMalformed, Relations) {
  for (const char* bad : {"", "[]", "{}", R"({"Na": 0})", R"({"Na": 0, "P1": 2})", R"({"Na": 0, "P1": 0})"}) {
    EXPECT_THROW(parse_relations(bad, "rel2id.json"), Error) << bad;
  }
  EXPECT_EQ(parse_relations(R"({"P1": 1, "Na": 0})", "rel2id.json").find("P1"), 1);
}

TEST(DocumentsMalformed, RandomDamage) {
  constexpr auto kPieces = std::to_array<std::string_view>(
      {"\"", "{", "}", "[", "]", ",", ":", "\\", "0", "-1", "9", "null", "\"h\"", "\"pos\"", "true", "\n", "\xE4"});
  const auto tokeniser = example_tokeniser();
  expect_parsed_or_refused(example_json(), 3000, 11, kPieces, [&](const std::string& text) {
    const auto documents = parse_documents(text, "fuzz", example_relations(), 1);
    for (const Document& document : documents) {
      WordCache words(*tokeniser);
      const auto encoded = encode_document(document, words);
      ASSERT_EQ(encoded.sentences.size(), document.sentences.size());
      const auto n = document.entities.size();
      ASSERT_EQ(entity_pairs(document).size(), n * (n - (n > 0 ? 1 : 0)));
    }
  });
}

TEST(PredictionsMalformed, FieldsAreNamed) {
  const std::vector<Bad> table{
      {"{}", 0, "array of predicted triples"},
      {R"([{"h_idx": 0, "t_idx": 1, "r": "P17"}])", 0, "prediction 0: title is missing"},
      {R"([{"title": "a", "h_idx": -1, "t_idx": 1, "r": "P17"}])", 0, "h_idx is '-1'"},
      {R"([{"title": "a", "h_idx": 0, "t_idx": 1, "r": "Na"}])", 0, "r is 'Na'"},
      {R"([{"title": "a", "h_idx": 0, "t_idx": 1, "r": "P17", "evidence": 1}])", 0, "evidence is '1'"},
  };
  for (const Bad& bad : table) {
    expect_refused(bad, "r.json",
                   [](const std::string& text) { parse_predictions(text, "r.json", example_relations()); });
  }
}

}  // namespace
}  // namespace mlpac
