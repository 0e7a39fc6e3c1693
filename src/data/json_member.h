// Places in a JSON text, so that it can be changed there and stays as it was everywhere else.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mlpac {

/// Bytes [begin, end) of a text.
struct JsonPlace {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// The value of a member of the outermost object. The text is JSON that somebody has parsed before.
std::optional<JsonPlace> find_member(std::string_view object, std::string_view name);

/// An array with more elements at its end, laid out as the first ones are.
std::string extended_array(std::string_view array, std::span<const std::string> elements);

}  // namespace mlpac
