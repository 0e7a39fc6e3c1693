#include "review/suggestion_line.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "review/suggestion_index.h"

namespace mlpac {
namespace {

/// Receives the parser's events: building a value for each of a million lines takes three times as long.
class LineEvents {
 public:
  explicit LineEvents(SuggestionLine& line) : line_(line) {}
  bool complete() const { return seen_ == 15U && depth_ == 0; }

  // NOLINTBEGIN(readability-identifier-naming): the names are nlohmann's
  bool null() const { return depth_ > 0; }
  bool boolean(bool /*value*/) const { return depth_ > 0; }
  bool number_integer(std::int64_t value) { return number(static_cast<double>(value), value); }
  bool number_unsigned(std::uint64_t value) {
    return number(static_cast<double>(value), static_cast<std::int64_t>(value));
  }
  bool number_float(double value, const std::string& /*text*/) { return number(value, -1); }
  bool string(std::string& value) {
    if (depth_ == 1 && key_ == "id") {
      line_.id = std::move(value);
      seen_ |= 2U;
    } else if (depth_ == 1 && key_ == "label") {
      line_.label = std::move(value);
      seen_ |= 4U;
    }
    return depth_ > 0;
  }
  static bool binary(nlohmann::json::binary_t& /*value*/) { return false; }
  bool start_object(std::size_t /*elements*/) {
    ++depth_;
    return true;
  }
  bool key(std::string& name) {
    if (depth_ == 1) key_ = std::move(name);
    return true;
  }
  bool end_object() {
    --depth_;
    return true;
  }
  bool start_array(std::size_t /*elements*/) {
    ++depth_;
    return depth_ > 1;
  }
  bool end_array() {
    --depth_;
    return true;
  }
  static bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                          const nlohmann::json::exception& /*why*/) {
    return false;
  }
  // NOLINTEND(readability-identifier-naming)

 private:
  bool number(double value, std::int64_t whole) {
    if (depth_ != 1) return depth_ > 0;
    if (key_ == "row") {
      line_.row = whole;
      seen_ |= 1U;
    } else if (key_ == "probability") {
      line_.probability = value;
      seen_ |= 8U;
    } else if (key_ == "policy") {
      line_.policy = value;
    } else if (key_ == "critic") {
      line_.critic = value;
    }
    return true;
  }

  SuggestionLine& line_;
  int depth_ = 0;
  unsigned seen_ = 0;  ///< row, id, label, probability
  std::string key_;
};

template <typename Value>
bool parse_whole(std::string_view text, Value& value) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

}  // namespace

bool parse_json_suggestion(std::string_view text, SuggestionLine& line) {
  line = {};
  LineEvents events(line);
  return nlohmann::json::sax_parse(text.begin(), text.end(), &events) && events.complete() && line.row >= 0;
}

bool parse_value(std::string_view text, double& value) { return parse_whole(text, value); }
bool parse_value(std::string_view text, std::int64_t& value) { return parse_whole(text, value); }

}  // namespace mlpac
