// Ids of odd strings against Hugging Face's tokenisers.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "golden_files.h"
#include "mlpac/tokeniser.h"

namespace mlpac {
namespace {

std::vector<std::int32_t> ids_of(const Tokeniser& tokeniser, const std::string& text) {
  std::vector<std::int32_t> ids;
  tokeniser.encode(text, ids);
  return ids;
}

TEST(Sha256, KnownValues) {
  EXPECT_EQ(sha256(std::string()), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256(std::string("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(TokeniserGolden, EdgeCases) {
  MLPAC_NEEDS("token_edge_cases.json", "tokenizers");
  const auto bert = read_tokeniser(unpacked("tokenizers") / "bert-base-cased");
  const auto roberta = read_tokeniser(unpacked("tokenizers") / "roberta");
  EXPECT_EQ(bert->vocabulary_size(), 28996);
  EXPECT_EQ(roberta->vocabulary_size(), 50265);
  const auto cases = golden_json("token_edge_cases.json");
  ASSERT_FALSE(cases.empty());
  for (const auto& entry : cases) {
    const std::string text = entry.at("text");
    EXPECT_EQ(ids_of(*bert, text), entry.at("bert").get<std::vector<std::int32_t>>()) << text;
    EXPECT_EQ(ids_of(*roberta, text), entry.at("roberta").get<std::vector<std::int32_t>>()) << text;
  }
}

// No stored ids: what the two must have in common with the ones above.
TEST(TokeniserGolden, UncasedAndGpt2) {
  MLPAC_NEEDS("token_edge_cases.json", "tokenizers");
  const auto uncased = read_tokeniser(unpacked("tokenizers") / "bert-base-uncased");
  EXPECT_EQ(uncased->vocabulary_size(), 30522);
  EXPECT_EQ(uncased->start_id(), 101);
  EXPECT_EQ(ids_of(*uncased, "Skövde NAÏVE"), ids_of(*uncased, "skovde naive"));
  EXPECT_EQ(ids_of(*uncased, "İstanbul"), ids_of(*uncased, "istanbul"));
  EXPECT_EQ(ids_of(*uncased, "hello, world!"), (std::vector<std::int32_t>{7592, 1010, 2088, 999}));
  const auto gpt2 = read_tokeniser(unpacked("tokenizers") / "gpt2");
  EXPECT_EQ(gpt2->start_id(), 50256);
  EXPECT_EQ(ids_of(*gpt2, "Hello, world!"), (std::vector<std::int32_t>{15496, 11, 995, 0}));
}

}  // namespace
}  // namespace mlpac
