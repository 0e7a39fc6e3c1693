// The part of XML that annotation tools write for VOC: elements and text. Attributes carry nothing and are passed over;
// a document type could define what text means and is refused.
#include "images/voc_annotation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/text.h"
#include "data/xml_cursor.h"

namespace mlpac {
namespace {

constexpr std::string_view kCutOff = "was the file cut off?";

class AnnotationReader : private XmlCursor {
 public:
  AnnotationReader(std::string_view text, const std::string& source)
      : XmlCursor(without_byte_order_mark(text), source) {}

  std::vector<VocObject> objects() {
    for (;;) {
      const std::size_t open = std::min(text_.find('<', at_), text_.size());
      take_text(text_.substr(at_, open - at_));
      at_ = open;
      if (at_ == text_.size()) break;
      if (skip("<!--", "-->") || skip("<?", "?>")) continue;
      if (text_.substr(at_, 2) == "<!") fail("'<!' is a declaration, expected elements and text only");
      tag();
    }
    if (!open_.empty()) fail(fmt::format("element {} is not closed; {}", in_quotes(open_.back()), kCutOff));
    if (!rooted_) fail("there is no element, expected <annotation>");
    return std::move(objects_);
  }

 private:
  /// `<name ...>`, `<name ... />` or `</name>`.
  void tag() {
    const std::size_t last = text_.find('>', at_);
    if (last == std::string_view::npos) fail(fmt::format("'<' without '>', expected a tag; {}", kCutOff));
    std::string_view inside = text_.substr(at_ + 1, last - at_ - 1);
    const bool closing = inside.substr(0, 1) == "/";
    const bool empty = inside.ends_with('/') && !closing;
    if (closing) inside.remove_prefix(1);
    if (empty) inside.remove_suffix(1);
    const std::string_view name = inside.substr(0, inside.find_first_of(kXmlBlanks));
    if (name.empty() || name.find_first_of("<&\"'=/") != std::string_view::npos) {
      fail(fmt::format("a tag begins with {}, expected the name of an element; write < as &lt;",
                       in_quotes(inside.substr(0, 12))));
    }
    if (closing) {
      if (open_.empty() || open_.back() != name) {
        fail(fmt::format("a closing tag of {}, expected {}", in_quotes(name),
                         open_.empty() ? "an opening tag before it" : "that of " + in_quotes(open_.back())));
      }
      end_element();
    } else {
      begin_element(name);
      if (empty) end_element();
    }
    at_ = last + 1;
  }

  void begin_element(std::string_view name) {
    if (open_.empty() && rooted_) fail(fmt::format("a second root {}, expected one <annotation>", in_quotes(name)));
    if (open_.empty() && name != "annotation") {
      fail(fmt::format("the root is {}, expected <annotation> as Pascal VOC has it", in_quotes(name)));
    }
    rooted_ = true;
    open_.push_back(name);
    value_.clear();
    if (open_.size() == kObject && name == "object") {
      object_ = {};
      has_name_ = false;
    }
  }

  void end_element() {
    const std::string_view name = open_.back();
    if (open_.size() == kField && open_[kObject - 1] == "object") take_field(name);
    if (open_.size() == kObject && name == "object") {
      if (!has_name_) fail("an <object> has no <name>, expected its class");
      objects_.push_back(std::move(object_));
    }
    open_.pop_back();
    value_.clear();
  }

  void take_field(std::string_view field) {
    const std::string_view value = trim(value_);
    if (field == "name") {
      if (value.empty() || has_name_) fail("an <object> has no <name> or two, expected one");
      if (value.find('\0') != std::string_view::npos) fail("a <name> contains a zero byte, expected text");
      object_.name = to_utf8(value);
      has_name_ = true;
    } else if (field == "difficult") {
      if (value != "0" && value != "1") fail(fmt::format("<difficult> is {}, expected 0 or 1", in_quotes(value)));
      object_.difficult = value == "1";
    }
  }

  void take_text(std::string_view raw) {
    if (open_.empty()) {
      if (raw.find_first_not_of(kXmlBlanks) != std::string_view::npos) {
        fail(fmt::format("text {} outside of elements, expected <annotation>", in_quotes(trim(raw))));
      }
      return;
    }
    if (open_.size() != kField) return;
    value_ += decode(raw);
  }

  // How many elements are open within an object, and within a field of it.
  static constexpr std::size_t kObject = 2;
  static constexpr std::size_t kField = 3;

  bool rooted_ = false;
  std::vector<std::string_view> open_;  ///< elements that are not closed yet
  std::string value_;                   ///< text of the innermost one
  VocObject object_;
  bool has_name_ = false;
  std::vector<VocObject> objects_;
};

}  // namespace

std::vector<VocObject> parse_voc_annotation(std::string_view text, const std::string& source) {
  return AnnotationReader(text, source).objects();
}

}  // namespace mlpac
