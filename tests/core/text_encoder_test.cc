// tf-idf against numbers worked out by hand and by scikit-learn, choice of the vocabulary, hashes, JSON.
#include "data/text_encoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/random.h"
#include "data/matrix_builder.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"

namespace mlpac {
namespace {

using nlohmann::json;
using Texts = std::vector<std::string>;

const Texts kTexts{"The cat sat on the mat.", "the dog sat", "A cat and a dog; a cat!", "nothing here"};

TextSpec spec(std::int64_t ngrams, std::int64_t min_rows, std::int64_t columns = 0, bool hashed = false) {
  TextSpec spec;
  spec.ngrams = ngrams;
  spec.min_rows = min_rows;
  spec.columns = columns;
  spec.hashed = hashed;
  return spec;
}

void add_all(TextEncoder& encoder, const Texts& texts) {
  for (const std::string& text : texts) encoder.add(text);
  encoder.finish();
}

TextEncoder fitted(const TextSpec& spec, const Texts& texts) {
  TextEncoder encoder(spec);
  add_all(encoder, texts);
  return encoder;
}

FeatureMatrix matrix_of(const TextEncoder& encoder, std::int32_t first = 0) {
  FeatureMatrix matrix;
  matrix.columns = first + encoder.columns();
  MatrixBuilder builder(matrix);
  for (std::int64_t row = 0; row < encoder.rows(); ++row) {
    encoder.put(row, first, builder);
    EXPECT_EQ(builder.end_row(), -1);
  }
  return matrix;
}

/// The values of a row by term.
std::map<std::string, float> row_of(const TextEncoder& encoder, std::int64_t row) {
  const FeatureMatrix matrix = matrix_of(encoder);
  const json terms = encoder.to_json().at("terms");
  std::map<std::string, float> values;
  for (auto i = matrix.offsets[static_cast<std::size_t>(row)]; i < matrix.offsets[static_cast<std::size_t>(row) + 1];
       ++i) {
    const auto k = static_cast<std::size_t>(i);
    values[terms[static_cast<std::size_t>(matrix.indices[k])].get<std::string>()] = matrix.values[k];
  }
  return values;
}

void expect_row(const TextEncoder& encoder, std::int64_t row, const std::map<std::string, double>& expected) {
  const std::map<std::string, float> values = row_of(encoder, row);
  ASSERT_EQ(values.size(), expected.size()) << "row " << row;
  for (const auto& [term, value] : expected) {
    ASSERT_TRUE(values.contains(term)) << term;
    EXPECT_NEAR(values.at(term), value, 2e-7) << term;
  }
}

TEST(TextEncoder, WeightsWorkedOutByHand) {
  // Terms in at least two of the four texts: cat, dog, sat, the, each in two, so all idf are equal and cancel in the
  // scaled rows. "the" occurs twice in the first text, "cat" twice in the third: their factor is f = 1 + ln 2.
  const TextEncoder encoder = fitted(spec(1, 2), kTexts);
  const double f = 1 + std::log(2.0);
  EXPECT_EQ(encoder.rows(), 4);
  EXPECT_EQ(encoder.columns(), 4);
  const json stored = encoder.to_json();
  EXPECT_EQ(stored.at("terms"), json({"cat", "dog", "sat", "the"}));
  for (const json& idf : stored.at("idf")) EXPECT_NEAR(idf.get<double>(), 1 + std::log(5.0 / 3), 1e-7);
  const double first = std::sqrt(2 + f * f);
  expect_row(encoder, 0, {{"cat", 1 / first}, {"sat", 1 / first}, {"the", f / first}});
  expect_row(encoder, 1, {{"dog", std::sqrt(1.0 / 3)}, {"sat", std::sqrt(1.0 / 3)}, {"the", std::sqrt(1.0 / 3)}});
  const double third = std::sqrt(1 + f * f);
  expect_row(encoder, 2, {{"cat", f / third}, {"dog", 1 / third}});
  expect_row(encoder, 3, {});
}

TEST(TextEncoder, EqualsScikitLearn) {
  // TfidfVectorizer(sublinear_tf=True, token_pattern=r"\w+", ngram_range=(1, 2)) of scikit-learn 1.2.1.
  const TextEncoder encoder = fitted(spec(2, 1), kTexts);
  EXPECT_EQ(encoder.columns(), 23);
  expect_row(encoder, 2,
             {{"a", 0.5478366798097283},
              {"a cat", 0.44199118381025343},
              {"a dog", 0.26104711326045577},
              {"and", 0.26104711326045577},
              {"and a", 0.26104711326045577},
              {"cat", 0.3484709260823415},
              {"cat and", 0.26104711326045577},
              {"dog", 0.20581254251452477},
              {"dog a", 0.26104711326045577}});
  expect_row(encoder, 0,
             {{"cat", 0.24900486867644592},
              {"cat sat", 0.31583110223322625},
              {"mat", 0.31583110223322625},
              {"on", 0.31583110223322625},
              {"on the", 0.31583110223322625},
              {"sat", 0.24900486867644592},
              {"sat on", 0.31583110223322625},
              {"the", 0.4216018913452238},
              {"the cat", 0.31583110223322625},
              {"the mat", 0.31583110223322625}});
}

TEST(TextEncoder, SequencesEndWithTheText) {
  EXPECT_EQ(fitted(spec(3, 1), {"a b c d", "e"}).to_json().at("terms"),
            json({"a", "a b", "a b c", "b", "b c", "b c d", "c", "c d", "d", "e"}));
  EXPECT_EQ(fitted(spec(5, 1), {"x x x x x x x"}).to_json().at("terms"),
            json({"x", "x x", "x x x", "x x x x", "x x x x x"}));
}

TEST(TextEncoder, KeepsTheTermsOfMostRows) {
  // Rows with the term: c 3, b 2, d 2, e 2, a 1 (five times in one text, which does not help it).
  const Texts texts{"c b d e", "c b d e", "c a a a a a"};
  EXPECT_EQ(fitted(spec(1, 1, 1), texts).to_json().at("terms"), json({"c"}));
  EXPECT_EQ(fitted(spec(1, 1, 2), texts).to_json().at("terms"), json({"b", "c"}));
  EXPECT_EQ(fitted(spec(1, 1, 3), texts).to_json().at("terms"), json({"b", "c", "d"}));
  EXPECT_EQ(fitted(spec(1, 1, 4), texts).to_json().at("terms"), json({"b", "c", "d", "e"}));
  EXPECT_EQ(fitted(spec(1, 1, 5), texts).to_json().at("terms"), json({"a", "b", "c", "d", "e"}));
  EXPECT_EQ(fitted(spec(1, 2, 5), texts).to_json().at("terms"), json({"b", "c", "d", "e"}));
  EXPECT_EQ(fitted(spec(1, 3, 5), texts).to_json().at("terms"), json({"c"}));
  EXPECT_EQ(fitted(spec(1, 0), texts).columns(), 5);
  EXPECT_EQ(fitted(spec(1, -7), texts).columns(), 5);
}

TEST(TextEncoder, ManyTermsKeepTheirCounts) {
  // More words than the first size of the table; word i occurs in row r if i is a multiple of r + 1, 1 + i % 3 times.
  constexpr int kWords = 5000;
  Texts texts(7);
  for (std::size_t row = 0; row < texts.size(); ++row) {
    for (int i = 0; i < kWords; i += static_cast<int>(row) + 1) {
      for (int k = 0; k <= i % 3; ++k) texts[row] += "w" + std::to_string(i) + " ";
    }
  }
  const TextEncoder encoder = fitted(spec(1, 1), texts);
  ASSERT_EQ(encoder.columns(), kWords);
  const FeatureMatrix matrix = matrix_of(encoder);
  const json terms = encoder.to_json().at("terms");
  for (std::size_t row = 0; row < texts.size(); ++row) {
    double squares = 0;
    const auto weight = [&](int i) {
      int rows = 0;
      for (int r = 1; r <= 7; ++r) rows += i % r == 0 ? 1 : 0;
      return (1 + std::log(1.0 + i % 3)) * (1 + std::log(8.0 / (1 + rows)));
    };
    const int step = static_cast<int>(row) + 1;
    for (int i = 0; i < kWords; i += step) squares += weight(i) * weight(i);
    ASSERT_EQ(matrix.offsets[row + 1] - matrix.offsets[row], (kWords + step - 1) / step);
    for (auto k = static_cast<std::size_t>(matrix.offsets[row]); k < static_cast<std::size_t>(matrix.offsets[row + 1]);
         ++k) {
      const int i = std::stoi(terms[static_cast<std::size_t>(matrix.indices[k])].get<std::string>().substr(1));
      ASSERT_EQ(i % step, 0);
      ASSERT_NEAR(matrix.values[k], weight(i) / std::sqrt(squares), 1e-7);
    }
  }
}

TEST(TextEncoder, ColumnsBeginWhereTheCallerSays) {
  const TextEncoder encoder = fitted(spec(1, 2), kTexts);
  const FeatureMatrix matrix = matrix_of(encoder);
  const FeatureMatrix shifted = matrix_of(encoder, 100);
  ASSERT_EQ(matrix.indices.size(), shifted.indices.size());
  for (std::size_t i = 0; i < matrix.indices.size(); ++i) EXPECT_EQ(shifted.indices[i], matrix.indices[i] + 100);
  EXPECT_EQ(matrix.values, shifted.values);
}

TEST(TextEncoder, HashedTermsAreCountedInTheirColumns) {
  const TextEncoder encoder = fitted(spec(1, 99, 1000, true), {"cat cat dog", "dog"});
  EXPECT_EQ(encoder.columns(), 1000);
  const auto column = [](std::string_view word) { return static_cast<std::int32_t>(mix64(fnv1a64(word)) % 1000); };
  ASSERT_NE(column("cat"), column("dog"));
  const FeatureMatrix matrix = matrix_of(encoder);
  const double cat = (1 + std::log(2.0)) * (1 + std::log(3.0 / 2));
  const double length = std::sqrt(cat * cat + 1);
  std::map<std::int32_t, float> first{{matrix.indices[0], matrix.values[0]}, {matrix.indices[1], matrix.values[1]}};
  EXPECT_NEAR(first.at(column("cat")), cat / length, 1e-7);
  EXPECT_NEAR(first.at(column("dog")), 1 / length, 1e-7);
  EXPECT_EQ(matrix.indices[2], column("dog"));
  EXPECT_EQ(matrix.values[2], 1.0F);
  const json stored = encoder.to_json();
  EXPECT_EQ(stored.at("kind"), "hashed");
  EXPECT_FALSE(stored.contains("terms"));
  EXPECT_NEAR(stored.at("idf").at(0).get<double>(), 1 + std::log(3.0), 1e-7);  // a column without a term
}

TEST(TextEncoder, HashedTermsThatCollideAddUp) {
  const FeatureMatrix matrix = matrix_of(fitted(spec(2, 1, 1, true), {"a b c", "", "d"}));
  EXPECT_EQ(matrix.offsets, (std::vector<std::int64_t>{0, 1, 1, 2}));
  EXPECT_EQ(matrix.values, (std::vector<float>{1, 1}));
}

TEST(TextEncoder, HashesDistinguishSequencesFromTheirParts) {
  // a, b, "a b" against b, a, "b a": the order matters.
  const FeatureMatrix matrix = matrix_of(fitted(spec(2, 1, 1 << 20, true), {"a b", "b a"}));
  ASSERT_EQ(matrix.indices.size(), 6U);
  EXPECT_NE(std::vector(matrix.indices.begin(), matrix.indices.begin() + 3),
            std::vector(matrix.indices.begin() + 3, matrix.indices.end()));
}

TEST(TextEncoder, DefaultNumbersOfColumns) {
  EXPECT_EQ(fitted(spec(1, 1, 0, true), {"a"}).columns(), 1 << 18);
  std::string text;
  for (int i = 0; i < 50'100; ++i) text += std::to_string(i) + " ";
  EXPECT_EQ(fitted(spec(1, 1), {text}).columns(), 50'000);
}

TEST(TextEncoder, StoredEncodersGiveTheSameValues) {
  for (const bool hashed : {false, true}) {
    for (const std::int64_t ngrams : {1, 2, 3}) {
      const TextEncoder encoder = fitted(spec(ngrams, 1, hashed ? 64 : 12, hashed), kTexts);
      const std::string text = encoder.to_json().dump();
      TextEncoder stored(json::parse(text), "model");
      EXPECT_EQ(stored.columns(), encoder.columns());
      EXPECT_EQ(stored.rows(), 0);
      add_all(stored, kTexts);
      const FeatureMatrix before = matrix_of(encoder);
      const FeatureMatrix after = matrix_of(stored);
      EXPECT_EQ(before.offsets, after.offsets);
      EXPECT_EQ(before.indices, after.indices);
      EXPECT_EQ(before.values, after.values);  // to the last bit
      EXPECT_EQ(stored.to_json(), encoder.to_json());
      EXPECT_EQ(fitted(spec(ngrams, 1, hashed ? 64 : 12, hashed), kTexts).to_json().dump(), text);
    }
  }
}

TEST(TextEncoder, NewTextsKnowOnlyTheVocabulary) {
  // "new york" is a term although "york" is none; an unknown word in between breaks it.
  const json stored{
      {"kind", "vocabulary"}, {"ngrams", 2}, {"columns", 2}, {"terms", {"hall", "new york"}}, {"idf", {1.5, 2.0}}};
  TextEncoder encoder(stored, "model");
  add_all(encoder, {"New York hall", "new old york", "york new", "", "new york new york"});
  const double length = std::sqrt(1.5 * 1.5 + 4);
  expect_row(encoder, 0, {{"hall", 1.5 / length}, {"new york", 2 / length}});
  expect_row(encoder, 1, {});
  expect_row(encoder, 2, {});
  expect_row(encoder, 3, {});
  expect_row(encoder, 4, {{"new york", 1}});
}

TEST(TextEncoder, TermsAreValidUtf8WhateverTheTextsAre) {
  Texts texts;
  for (std::uint64_t row = 0; row < 200; ++row) {
    std::string text;
    for (std::uint64_t i = 0; i < 300; ++i) text += static_cast<char>(bits_at(row, i) % 256);
    texts.push_back(text);
  }
  EXPECT_NO_THROW(fitted(spec(2, 1), texts).to_json().dump());  // dump refuses what is not UTF-8
}

TEST(TextEncoder, NothingToChooseFromIsAnError) {
  const auto message = [](const TextSpec& spec, const Texts& texts) {
    try {
      fitted(spec, texts);
      return std::string("no error");
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  EXPECT_NE(message(spec(1, 1), {}).find("none of the 0 texts"), std::string::npos);
  EXPECT_NE(message(spec(1, 1), {"", " ... "}).find("none of the 2 texts has a word"), std::string::npos);
  EXPECT_NE(message(spec(1, 1, 0, true), {"--"}).find("none of the 1 texts has a word"), std::string::npos);
  const std::string too_rare = message(spec(1, 3), {"a b", "a c"});
  EXPECT_NE(too_rare.find("no term occurs in at least 3 of the 2 texts"), std::string::npos) << too_rare;
  EXPECT_NE(too_rare.find("most frequent one in 2"), std::string::npos) << too_rare;
  EXPECT_NE(message(spec(1, std::numeric_limits<std::int64_t>::max()), {"a"}).find("no term"), std::string::npos);
}

TEST(TextEncoder, NumbersOutOfRangeAreRefused) {
  EXPECT_THROW(TextEncoder{spec(0, 1)}, UsageError);
  EXPECT_THROW(TextEncoder{spec(-1, 1)}, UsageError);
  EXPECT_THROW(TextEncoder{spec(6, 1)}, UsageError);
  EXPECT_THROW(TextEncoder{spec(1, 1, -1)}, UsageError);
  EXPECT_THROW(TextEncoder{spec(1, 1, (1 << 24) + 1, true)}, UsageError);
}

TEST(TextEncoder, DamagedDescriptionsAreRefused) {
  const json good{{"kind", "vocabulary"}, {"ngrams", 2}, {"columns", 2}, {"terms", {"a", "b c"}}, {"idf", {1.5, 2.0}}};
  ASSERT_NO_THROW(TextEncoder(good, "m.json"));
  const auto with = [&](const char* key, json value) {
    json changed = good;
    changed[key] = std::move(value);
    return changed;
  };
  const auto without = [&](const char* key) {
    json changed = good;
    changed.erase(key);
    return changed;
  };
  json hashed = without("terms");
  hashed["kind"] = "hashed";
  ASSERT_NO_THROW(TextEncoder(hashed, "m.json"));
  hashed["columns"] = 3;
  const std::vector<std::pair<json, std::string_view>> table{
      {nullptr, "no object"},
      {json::array({1}), "no object"},
      {"text", "no object"},
      {without("kind"), "'kind'"},
      {with("kind", "words"), "'kind'"},
      {with("kind", 1), "'kind'"},
      {without("ngrams"), "'ngrams'"},
      {with("ngrams", "1"), "'ngrams'"},
      {with("ngrams", 1.5), "'ngrams'"},
      {with("ngrams", 0), "'ngrams' is 0"},
      {with("ngrams", 6), "'ngrams' is 6"},
      {with("ngrams", 1), "'b c'"},
      {without("columns"), "'columns'"},
      {with("columns", -2), "'columns' is -2"},
      {with("columns", 0), "'columns' is 0"},
      {with("columns", 3), "'idf'"},
      {with("columns", std::numeric_limits<std::uint64_t>::max()), "'columns' is 18446744073709551615"},
      {with("columns", 1 << 25), "'columns'"},
      {with("columns", nullptr), "'columns'"},
      {without("terms"), "'terms'"},
      {with("terms", "a"), "'terms'"},
      {with("terms", {"a"}), "'terms'"},
      {with("terms", {"a", "b", "c"}), "'terms'"},
      {with("terms", {"a", 2}), "entry 1 of 'terms'"},
      {with("terms", {"a", "a"}), "'a' is out of order"},
      {with("terms", {"b", "a"}), "'a' is out of order"},
      {with("terms", {"", "a"}), "not made of"},
      {with("terms", {" a", "b"}), "not made of"},
      {with("terms", {"a ", "b"}), "not made of"},
      {with("terms", {"a  b", "b"}), "not made of"},
      {with("terms", {"a b c", "b"}), "not made of"},
      {without("idf"), "'idf'"},
      {with("idf", {{"a", 1}}), "'idf'"},
      {with("idf", {1.5}), "'idf'"},
      {with("idf", {1.5, "x"}), "entry 1 of 'idf'"},
      {with("idf", {1.5, nullptr}), "entry 1 of 'idf'"},
      {with("idf", {0.5, 1}), "entry 0 of 'idf'"},
      {with("idf", {1.5, std::numeric_limits<double>::quiet_NaN()}), "entry 1 of 'idf'"},
      {with("idf", {1.5, std::numeric_limits<double>::infinity()}), "entry 1 of 'idf'"},
      {with("idf", {1.5, 1e300}), "entry 1 of 'idf'"},
      {hashed, "'idf'"},
  };
  for (const auto& [damaged, word] : table) {
    SCOPED_TRACE(damaged.dump());
    try {
      const TextEncoder encoder(damaged, "m.json");
      ADD_FAILURE() << "expected an error";
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.substr(0, 8), "m.json: ") << message;
      EXPECT_NE(message.find(word), std::string::npos) << message;
    }
  }
}

}  // namespace
}  // namespace mlpac
