// Tokenisers: any bytes are text to them. An input whose first byte is 1 is a vocabulary of WordPiece, 2 one of byte
// pairs, 3 a list of merges; others are texts.
#include <memory>
#include <vector>

#include "fuzz.h"
#include "mlpac/tokeniser.h"
#include "text/gpt2_pattern.h"

namespace {

constexpr std::string_view kBytePairs =
    R"({"<s>":0,"<pad>":1,"</s>":2,"<unk>":3,"a":4,"b":5,"Ġ":6,"ab":7,"Ã":8,"<mask>":9})";

void encode(const mlpac::Tokeniser& tokeniser, std::string_view text) {
  std::vector<std::int32_t> ids;
  tokeniser.encode(text, ids);
  for (const std::int32_t id : ids) mlpac::require(id >= 0 && id < tokeniser.vocabulary_size());
  mlpac::WordCache words(tokeniser);
  for (int i = 0; i < 2; ++i) {
    const auto cached = words.encode(text);
    mlpac::require(std::vector<std::int32_t>(cached.begin(), cached.end()) == ids);
  }
}

void encode_text(std::string_view text) {
  static const auto kCased = mlpac::make_word_piece("[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##b\n*\né\n中\n", false, "v");
  static const auto kUncased = mlpac::make_word_piece("[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##b\n*\n##e\n", true, "v");
  static const auto kPairs = mlpac::make_byte_pair(kBytePairs, "a b\n", "v", "m");
  encode(*kCased, text);
  encode(*kUncased, text);
  encode(*kPairs, text);
  std::size_t size = 0;
  mlpac::split_gpt2(text, [&](std::string_view piece) {
    mlpac::require(!piece.empty());
    size += piece.size();
  });
  mlpac::require(size == text.size());
}

void read_any(std::string_view text) {
  if (text.empty()) return;
  const std::string_view rest = text.substr(1);
  switch (text.front()) {
    case 1:
      return encode(*mlpac::make_word_piece(rest, false, "fuzz"), "a ab [MASK] é");
    case 2:
      return encode(*mlpac::make_byte_pair(rest, "a b\n", "fuzz", "fuzz"), "a ab <mask> é");
    case 3:
      return encode(*mlpac::make_byte_pair(kBytePairs, rest, "fuzz", "fuzz"), "a ab <mask> é");
    default:
      return encode_text(text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  return mlpac::parsed_or_refused(bytes, size, read_any);
}
