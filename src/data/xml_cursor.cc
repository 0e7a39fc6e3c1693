#include "data/xml_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

#include "data/text.h"
#include "mlpac/error.h"

namespace mlpac {

namespace {

struct Entity {
  std::string_view name;
  char character;
};
constexpr std::array<Entity, 5> kEntities{{{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};

bool append_reference(std::string& value, std::string_view reference) {
  for (const Entity& entity : kEntities) {
    if (entity.name == reference) {
      value += entity.character;
      return true;
    }
  }
  if (reference.size() < 2 || reference[0] != '#') return false;
  const bool hexadecimal = reference[1] == 'x' || reference[1] == 'X';
  const std::string_view digits = reference.substr(hexadecimal ? 2 : 1);
  std::uint32_t code = 0;
  const char* const last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, code, hexadecimal ? 16 : 10);
  return error == std::errc() && end == last && append_utf8(value, code);
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string xml;
  for (const char c : text) {
    const auto* const entity =
        std::find_if(kEntities.begin(), kEntities.end(), [c](const Entity& e) { return e.character == c; });
    if (entity != kEntities.end()) {
      xml += fmt::format("&{};", entity->name);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      xml += fmt::format("&#{};", static_cast<int>(c));  // XML readers turn line ends and tabs into blanks
    } else {
      xml += c;
    }
  }
  return xml;
}

void XmlCursor::fail(std::string_view message) const {
  const std::string_view before = text_.substr(0, at_);
  throw Error(fmt::format("{}:{}: {}", source_, 1 + std::count(before.begin(), before.end(), '\n'), message));
}

bool XmlCursor::skip(std::string_view begin, std::string_view end) {
  if (text_.substr(at_, begin.size()) != begin) return false;
  const std::size_t last = text_.find(end, at_ + begin.size());
  if (last == std::string_view::npos) {
    fail(fmt::format("'{}' without '{}', expected the end of it; is the file cut off?", begin, end));
  }
  at_ = last + end.size();
  return true;
}

std::string XmlCursor::decode(std::string_view raw) const {
  std::string value;
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '&') {
      value += raw[i];
      continue;
    }
    const std::size_t last = raw.find(';', i);
    const std::string_view reference = raw.substr(i + 1, last == std::string_view::npos ? last : last - i - 1);
    if (last == std::string_view::npos || !append_reference(value, reference)) {
      fail(fmt::format("unknown reference {}, expected &amp; &lt; &gt; &quot; &apos; or &#number;; write & as &amp;",
                       in_quotes(raw.substr(i, 12))));
    }
    i = last;
  }
  return value;
}

}  // namespace mlpac
