// A fitted text encoder as JSON, stored with the model.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "data/term_table.h"
#include "data/text.h"
#include "data/text_encoder.h"
#include "data/tokens.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

constexpr double kLargestIdf = 100;  ///< 1 + ln(2^63) is 45

[[noreturn]] void fail_damaged(std::string_view source, std::string_view what) {
  throw Error(
      fmt::format("{}: the stored text encoder is damaged: {}; restore the model or train again", source, what));
}

std::int64_t whole_number(const nlohmann::json& fitted, const char* key, std::int64_t most, std::string_view source) {
  const auto found = fitted.find(key);
  if (found == fitted.end() || !found->is_number_integer()) {
    fail_damaged(source, fmt::format("'{}' is no whole number", key));
  }
  // A number beyond 2^63 turns negative here, which is out of range as well.
  const auto value = found->get<std::int64_t>();
  if (value < 1 || value > most) {
    fail_damaged(source, fmt::format("'{}' is {}, expected 1 to {}", key, found->dump(), most));
  }
  return value;
}

const nlohmann::json& list(const nlohmann::json& fitted, const char* key, std::int32_t size, std::string_view source) {
  const auto found = fitted.find(key);
  if (found == fitted.end() || !found->is_array() || found->size() != static_cast<std::size_t>(size)) {
    fail_damaged(source, fmt::format("'{}' is no list of {} entries", key, size));
  }
  return *found;
}

}  // namespace

TextEncoder::TextEncoder(const nlohmann::json& fitted, std::string_view source) : fitted_(true) {
  if (!fitted.is_object()) fail_damaged(source, "it is no object");
  const auto kind = fitted.find("kind");
  if (kind == fitted.end() || (*kind != "vocabulary" && *kind != "hashed")) {
    fail_damaged(source, "'kind' is neither 'vocabulary' nor 'hashed'");
  }
  hashed_ = *kind == "hashed";
  ngrams_ = static_cast<std::size_t>(whole_number(fitted, "ngrams", kMostWords, source));
  columns_ = static_cast<std::int32_t>(whole_number(fitted, "columns", kMostColumns, source));
  for (const nlohmann::json& value : list(fitted, "idf", columns_, source)) {
    const double idf = value.is_number() ? value.get<double>() : 0;
    if (!(idf >= 1 && idf <= kLargestIdf)) {
      fail_damaged(source, fmt::format("entry {} of 'idf' is no number from 1 to {}", idf_.size(), kLargestIdf));
    }
    idf_.push_back(idf);
  }
  if (!hashed_) read_vocabulary(list(fitted, "terms", columns_, source), source);
  uses_.resize(static_cast<std::size_t>(columns_));
}

void TextEncoder::read_vocabulary(const nlohmann::json& terms, std::string_view source) {
  for (const nlohmann::json& value : terms) {
    if (!value.is_string()) fail_damaged(source, fmt::format("entry {} of 'terms' is no text", vocabulary_.size()));
    const auto& term = value.get_ref<const std::string&>();
    if (!vocabulary_.empty() && term <= vocabulary_.back()) {
      fail_damaged(source, fmt::format("the term {} is out of order", in_quotes(term)));
    }
    std::uint32_t number = TermTable::kNone;
    std::size_t words = 0;
    for (std::size_t at = 0; at <= term.size(); ++words) {
      const std::size_t end = std::min(term.find(' ', at), term.size());
      if (end == at || end - at > Tokens::kLongestToken || words == ngrams_) {
        fail_damaged(source, fmt::format("the term {} is not made of 1 to {} words of at most {} bytes",
                                         in_quotes(term), ngrams_, Tokens::kLongestToken));
      }
      const std::string_view text = std::string_view(term).substr(at, end - at);
      const std::uint32_t word = terms_.add(text, TermTable::hash_of(text));
      number = words == 0 ? word : terms_.add(number, word);
      at = end + 1;
    }
    column_of_term_.resize(terms_.size(), -1);
    column_of_term_[number] = static_cast<std::int32_t>(vocabulary_.size());
    vocabulary_.push_back(term);
  }
}

nlohmann::json TextEncoder::to_json() const {
  nlohmann::json json{
      {"kind", hashed_ ? "hashed" : "vocabulary"}, {"ngrams", ngrams_}, {"columns", columns_}, {"idf", idf_}};
  if (!hashed_) json["terms"] = vocabulary_;
  return json;
}

}  // namespace mlpac
