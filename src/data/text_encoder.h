// Free text as tf-idf columns: words (and sequences of words) of a vocabulary, or their hashes.
//
// Weight of a term in a text: (1 + ln count) * (1 + ln((1 + rows) / (1 + rows with the term))), then each text is scaled
// to length 1.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "data/matrix_builder.h"
#include "mlpac/feature_data.h"

namespace mlpac {

class TextEncoder {
 public:
  /// To be fitted on the texts that are added.
  explicit TextEncoder(const TextSpec& spec);
  /// As it was fitted; `source` names the model in messages. Throws Error if the description is damaged.
  TextEncoder(const nlohmann::json& fitted, std::string_view source);

  /// The text of the next row.
  void add(std::string_view text);
  /// After the last row: chooses the vocabulary and its weights, unless they were given.
  void finish();

  std::int32_t columns() const;
  std::int64_t rows() const;
  /// Puts the values of a row into the matrix, from column `first` on.
  void put(std::int64_t row, std::int32_t first, MatrixBuilder& matrix) const;

  nlohmann::json to_json() const;

 private:
  // (the implementation adds its members)
};

}  // namespace mlpac
