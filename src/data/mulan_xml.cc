// Only the part of XML that label files use: elements, attributes, character references, comments and declarations.
#include "data/mulan_xml.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/file.h"
#include "data/line_reader.h"
#include "data/text.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

struct Entity {
  std::string_view name;
  char character;
};
constexpr std::array<Entity, 5> kEntities{{{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};

constexpr std::string_view kBlanks = " \t\r\n";

class XmlReader {
 public:
  XmlReader(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  std::vector<std::string> names() {
    for (;;) {
      const std::size_t open = text_.find('<', at_);  // text between elements has no meaning in a label file
      if (open == std::string_view::npos) break;
      at_ = open;
      if (skip("<!--", "-->") || skip("<?", "?>") || skip("<![CDATA[", "]]>") || skip("<!", ">")) continue;
      if (text_.substr(at_, 2) == "</") {
        close_element();
      } else {
        open_element();
      }
    }
    at_ = text_.size();
    if (!open_.empty()) {
      fail(fmt::format("element {} is not closed, expected its closing tag; is the file cut off?",
                       in_quotes(open_.back())));
    }
    if (names_.empty()) fail("no label is named, expected <labels><label name=\"...\"/></labels>");
    return std::move(names_);
  }

 private:
  [[noreturn]] void fail(std::string_view message) const {
    const std::string_view before = text_.substr(0, at_);
    throw Error(fmt::format("{}:{}: {}", source_, 1 + std::count(before.begin(), before.end(), '\n'), message));
  }

  /// Skips from `begin` to `end` if `begin` comes next.
  bool skip(std::string_view begin, std::string_view end) {
    if (text_.substr(at_, begin.size()) != begin) return false;
    const std::size_t last = text_.find(end, at_ + begin.size());
    if (last == std::string_view::npos) fail(fmt::format("'{}' without '{}', expected the end of it", begin, end));
    at_ = last + end.size();
    return true;
  }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(kBlanks, at_), text_.size()); }

  bool accept(char c) {
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string_view name(std::string_view what) {
    const std::size_t last = std::min(text_.find_first_of(" \t\r\n=/><\"'&", at_), text_.size());
    const std::string_view result = text_.substr(at_, last - at_);
    if (result.empty())
      fail(fmt::format("{} has no name, expected one before {}", what, in_quotes(text_.substr(at_, 10))));
    at_ = last;
    return result;
  }

  void close_element() {
    at_ += 2;
    const std::string_view element = name("a closing tag");
    skip_blanks();
    if (open_.empty() || open_.back() != element) {
      fail(fmt::format("a closing tag of {}, expected {}", in_quotes(element),
                       open_.empty() ? "an opening tag before it" : "that of " + in_quotes(open_.back())));
    }
    if (!accept('>')) fail(fmt::format("the closing tag of {} does not end, expected '>'", in_quotes(element)));
    open_.pop_back();
  }

  void open_element() {
    ++at_;
    const std::string_view element = name("an element");
    const std::string_view local = element.substr(element.rfind(':') + 1);  // npos + 1 is 0: no prefix
    std::optional<std::string> label;
    for (;;) {
      skip_blanks();
      if (accept('>')) {
        open_.push_back(element);
        break;
      }
      if (accept('/')) {
        if (!accept('>')) fail(fmt::format("'/' in the tag of {}, expected '/>'", in_quotes(element)));
        break;
      }
      if (at_ >= text_.size()) fail(fmt::format("the tag of {} does not end, expected '>'", in_quotes(element)));
      const std::string_view attribute = name("an attribute");
      std::string value = attribute_value(attribute);
      if (attribute == "name") label = std::move(value);
    }
    if (local == "label") add(label);
  }

  std::string attribute_value(std::string_view attribute) {
    skip_blanks();
    if (!accept('='))
      fail(fmt::format("attribute {} has no value, expected = and text in quotes", in_quotes(attribute)));
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '"' && quote != '\'')
      fail(fmt::format("the value of {} is not quoted, expected quotes", in_quotes(attribute)));
    const std::size_t last = text_.find(quote, at_ + 1);
    if (last == std::string_view::npos || text_.substr(at_, last - at_).find('<') != std::string_view::npos) {
      fail(fmt::format("the quote of {} is not closed, expected another {}", in_quotes(attribute), quote));
    }
    std::string value = decode(text_.substr(at_ + 1, last - at_ - 1));
    at_ = last + 1;
    return value;
  }

  std::string decode(std::string_view raw) const {
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

  static bool append_reference(std::string& value, std::string_view reference) {
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

  void add(const std::optional<std::string>& label) {
    if (!label || label->empty()) fail("a <label> without a name, expected <label name=\"...\">");
    if (label->find('\0') != std::string::npos) fail("a label name contains a zero byte, expected text");
    std::string converted = to_utf8(*label);
    if (!seen_.insert(converted).second)
      fail(fmt::format("label {} is named twice, expected once", in_quotes(converted)));
    names_.push_back(std::move(converted));
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t at_ = 0;
  std::vector<std::string_view> open_;  ///< elements that are not closed yet
  std::vector<std::string> names_;
  std::unordered_set<std::string> seen_;
};

std::vector<std::string> names_by_line(std::string_view text, const std::string& source) {
  LineReader lines(text, source);
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  while (lines.next()) {
    const std::string_view name = trim(lines.line());
    if (name.empty()) continue;
    if (name.find('\0') != std::string_view::npos) {
      lines.fail("the line contains a zero byte, expected the name of a label; is this a binary file?");
    }
    names.push_back(to_utf8(name));
    if (!seen.insert(names.back()).second)
      lines.fail(fmt::format("label {} is named twice, expected once", in_quotes(name)));
  }
  if (names.empty()) lines.fail("the file names no labels, expected one per line or Mulan XML");
  return names;
}

}  // namespace

std::vector<std::string> parse_label_names(std::string_view text, const std::string& source) {
  text = without_byte_order_mark(text);
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos || text[first] != '<') return names_by_line(text, source);
  return XmlReader(text, source).names();
}

std::vector<std::string> read_label_names(const std::filesystem::path& path) {
  return parse_label_names(read_file(path), path.string());
}

std::string label_names_as_xml(std::span<const std::string> names) {
  std::string xml =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<labels xmlns=\"http://mulan.sourceforge.net/labels\">\n";
  for (const std::string& name : names) {
    xml += "<label name=\"";
    for (const char c : name) {
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
    xml += "\"></label>\n";
  }
  return xml + "</labels>\n";
}

}  // namespace mlpac
