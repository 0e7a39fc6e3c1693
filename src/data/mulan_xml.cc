// Only the part of XML that label files use: elements, attributes, character references, comments and declarations.
#include "data/mulan_xml.h"

#include <fmt/format.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/file.h"
#include "data/line_reader.h"
#include "data/text.h"
#include "data/xml_cursor.h"

namespace mlpac {
namespace {

class XmlReader : private XmlCursor {
 public:
  using XmlCursor::XmlCursor;

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
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(kXmlBlanks, at_), text_.size()); }

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

  void add(const std::optional<std::string>& label) {
    if (!label || label->empty()) fail("a <label> without a name, expected <label name=\"...\">");
    if (label->find('\0') != std::string::npos) fail("a label name contains a zero byte, expected text");
    std::string converted = to_utf8(*label);
    if (!seen_.insert(converted).second)
      fail(fmt::format("label {} is named twice, expected once", in_quotes(converted)));
    names_.push_back(std::move(converted));
  }

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
  const std::size_t first = text.find_first_not_of(kXmlBlanks);
  if (first == std::string_view::npos || text[first] != '<') return names_by_line(text, source);
  return XmlReader(text, source).names();
}

std::vector<std::string> read_label_names(const std::filesystem::path& path) {
  return parse_label_names(read_file(path), path.string());
}

std::string label_names_as_xml(std::span<const std::string> names) {
  std::string xml =
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<labels xmlns=\"http://mulan.sourceforge.net/labels\">\n";
  for (const std::string& name : names) xml += fmt::format("<label name=\"{}\"></label>\n", xml_escaped(name));
  return xml + "</labels>\n";
}

}  // namespace mlpac
