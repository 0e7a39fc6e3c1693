#include <fmt/format.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "mlpac/documents.h"

namespace mlpac {
namespace {

/// Takes `/number` from the end of a text.
std::optional<std::int32_t> last_number(std::string_view& text) {
  const std::size_t slash = text.rfind('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::string_view digits = text.substr(slash + 1);
  std::int32_t number = -1;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (result.ec != std::errc() || result.ptr != digits.data() + digits.size() || number < 0) return std::nullopt;
  text = text.substr(0, slash);
  return number;
}

}  // namespace

std::string pair_id(std::string_view title, const EntityPair& pair) {
  return fmt::format("{}/{}/{}", title, pair.head, pair.tail);
}

std::optional<PairName> parse_pair_id(std::string_view id) {
  const auto tail = last_number(id);
  if (!tail) return std::nullopt;
  const auto head = last_number(id);
  if (!head || *head == *tail) return std::nullopt;
  return PairName{id, {*head, *tail}};
}

}  // namespace mlpac
