// Small batches of made-up documents for tests of networks that read them.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "core/random.h"
#include "nn/document_input.h"

namespace mlpac::documents {

inline nlohmann::json tiny_encoder(double dropout = 0, std::int64_t positions = 16) {
  return {{"model_type", "bert"},
          {"hidden_size", 8},
          {"num_hidden_layers", 2},
          {"num_attention_heads", 2},
          {"intermediate_size", 12},
          {"vocab_size", 20},
          {"max_position_embeddings", positions},
          {"type_vocab_size", 1},
          {"hidden_dropout_prob", dropout},
          {"attention_probs_dropout_prob", dropout}};
}

inline std::int64_t below(std::uint64_t key, std::uint64_t index, std::int64_t limit) {
  return static_cast<std::int64_t>(bits_at(key, index) % static_cast<std::uint64_t>(limit));
}

/// Documents that differ in length and content by their number, with one pair of two entities each.
inline Batch one_pair_each(const std::vector<std::int64_t>& rows) {
  const auto count = static_cast<std::int64_t>(rows.size());
  constexpr std::int64_t kLength = 14;
  DocumentInput input;
  input.ids = at::zeros({count, kLength}, at::kLong);
  input.mask = at::zeros({count, kLength}, at::kLong);
  input.lengths = at::zeros({count}, at::kLong);
  input.positions = at::full({count, 2, 2}, -1, at::kLong);
  input.sentences = at::zeros({count, 2, 2}, at::kLong);
  input.pairs = at::zeros({count, 3}, at::kLong);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto row = rows[static_cast<std::size_t>(i)];
    const auto key = stream_key(static_cast<std::uint64_t>(row), "document");
    const std::int64_t length = 10 + row % 4;
    input.lengths[i] = length;
    for (std::int64_t t = 0; t < length; ++t) {
      input.ids[i][t] = 1 + below(key, static_cast<std::uint64_t>(t), 19);
      input.mask[i][t] = 1;
    }
    input.positions[i][0][0] = 1;
    input.positions[i][0][1] = 5;
    input.positions[i][1][0] = 3;
    input.sentences[i][0][0] = 1;
    input.sentences[i][0][1] = 5;
    input.sentences[i][1][0] = 5;
    input.sentences[i][1][1] = length - 1;
    input.pairs[i][0] = i;
    input.pairs[i][2] = 1;
  }
  Batch batch;
  put_documents(input, batch);
  batch.rows = rows;
  return batch;
}

}  // namespace mlpac::documents
