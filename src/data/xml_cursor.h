// A place in XML text: what readers of small parts of XML share. They say which elements and attributes mean something.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mlpac {

inline constexpr std::string_view kXmlBlanks = " \t\r\n";

/// Text as the value of an attribute: the other way round from XmlCursor::decode.
std::string xml_escaped(std::string_view text);

class XmlCursor {
 public:
  XmlCursor(std::string_view text, const std::string& source) : text_(text), source_(source) {}

 protected:
  /// Error with the line of the place.
  [[noreturn]] void fail(std::string_view message) const;
  /// Skips from `begin` to `end` if `begin` comes next.
  bool skip(std::string_view begin, std::string_view end);
  /// Text with its references resolved: &amp; and the like, &#65; and &#x42;.
  std::string decode(std::string_view raw) const;

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0;
};

}  // namespace mlpac
