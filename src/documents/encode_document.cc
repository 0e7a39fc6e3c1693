#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "mlpac/documents.h"
#include "mlpac/error.h"
#include "mlpac/tokeniser.h"

namespace mlpac {
namespace {

constexpr std::size_t kBlock = 64;  // documents that share a cache of words, at least

/// Words at which a mention begins or ends, by sentence.
struct Boundaries {
  std::vector<std::vector<bool>> begins;
  std::vector<std::vector<bool>> ends;
};

Boundaries boundaries_of(const Document& document) {
  Boundaries found;
  for (const auto& sentence : document.sentences) {
    found.begins.emplace_back(sentence.size(), false);
    found.ends.emplace_back(sentence.size(), false);
  }
  for (const auto& entity : document.entities) {
    for (const Mention& mention : entity) {
      const auto sentence = static_cast<std::size_t>(mention.sentence);
      found.begins[sentence][static_cast<std::size_t>(mention.begin)] = true;
      found.ends[sentence][static_cast<std::size_t>(mention.end) - 1] = true;
    }
  }
  return found;
}

}  // namespace

EncodedDocument encode_document(const Document& document, WordCache& words) {
  const Tokeniser& tokeniser = words.tokeniser();
  const std::int32_t star = tokeniser.id_of("*");
  if (star < 0) throw Error("the vocabulary has no token '*', which marks mentions; use another tokeniser");
  const Boundaries boundaries = boundaries_of(document);
  EncodedDocument encoded;
  std::vector<std::int32_t>& ids = encoded.ids;
  ids.push_back(tokeniser.start_id());
  const auto position = [&] { return static_cast<std::int32_t>(ids.size()) - 1; };
  // Where each word begins, its opening star included; one more entry for the end of the sentence.
  std::vector<std::vector<std::int32_t>> starts;
  for (std::size_t s = 0; s < document.sentences.size(); ++s) {
    const std::int32_t begin = position();
    std::vector<std::int32_t>& word_starts = starts.emplace_back();
    for (std::size_t w = 0; w < document.sentences[s].size(); ++w) {
      word_starts.push_back(position());
      if (boundaries.begins[s][w]) ids.push_back(star);
      const auto pieces = words.encode(document.sentences[s][w]);
      ids.insert(ids.end(), pieces.begin(), pieces.end());
      if (boundaries.ends[s][w]) ids.push_back(star);
    }
    word_starts.push_back(position());
    encoded.sentences.push_back({begin, position()});
  }
  for (const auto& entity : document.entities) {
    std::vector<Span>& mentions = encoded.mentions.emplace_back();
    for (const Mention& mention : entity) {
      const auto& word_starts = starts[static_cast<std::size_t>(mention.sentence)];
      mentions.push_back(
          {word_starts[static_cast<std::size_t>(mention.begin)], word_starts[static_cast<std::size_t>(mention.end)]});
    }
  }
  if (ids.size() - 1 > kMostPieces) {
    ids.resize(kMostPieces + 1);
    for (Span& sentence : encoded.sentences) {
      sentence.begin = std::min(sentence.begin, static_cast<std::int32_t>(kMostPieces));
      sentence.end = std::min(sentence.end, static_cast<std::int32_t>(kMostPieces));
    }
  }
  ids.push_back(tokeniser.end_id());
  return encoded;
}

std::vector<EncodedDocument> encode_documents(std::span<const Document> documents, const Tokeniser& tokeniser,
                                              int threads) {
  std::vector<EncodedDocument> encoded(documents.size());
  // One block and so one cache per thread, unless there are few documents.
  const std::size_t block = std::max(kBlock, (documents.size() + thread_count(threads) - 1) / thread_count(threads));
  parallel_blocks(documents.size(), block, threads, [&](std::size_t begin, std::size_t end) {
    WordCache words(tokeniser);
    for (std::size_t i = begin; i < end; ++i) encoded[i] = encode_document(documents[i], words);
  });
  return encoded;
}

}  // namespace mlpac
