// COCO's JSON as a stream of events. Only the fields of the entries of three arrays are kept; outlines lie deeper.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "data/text.h"
#include "images/coco.h"
#include "images/list_builder.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

enum class Section { other, images, annotations, categories };

Section section_of(std::string_view key) {
  if (key == "images") return Section::images;
  if (key == "annotations") return Section::annotations;
  if (key == "categories") return Section::categories;
  return Section::other;
}

constexpr std::string_view kWanted = R"(an object with "images", "annotations" and "categories")";

/// Receives the parser's events, in the form nlohmann::json::sax_parse asks for.
class CocoEvents {
 public:
  CocoEvents(const std::string& source, Reporter& report) : source_(source), report_(report) {}

  CocoContent finish() {
    for (const auto& [section, name] :
         {std::pair{Section::images, "images"}, std::pair{Section::annotations, "annotations"},
          std::pair{Section::categories, "categories"}}) {
      if (!seen(section)) fail(fmt::format("has no \"{}\", expected {}; is it another kind of file?", name, kWanted));
    }
    return std::move(content_);
  }

  // NOLINTBEGIN(readability-identifier-naming): the names are nlohmann's
  bool null() { return scalar(); }
  bool boolean(bool /*value*/) { return scalar(); }
  bool number_integer(std::int64_t value) { return scalar(value); }
  bool number_unsigned(std::uint64_t value) {
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return scalar();
    return scalar(static_cast<std::int64_t>(value));
  }
  bool number_float(double /*value*/, const std::string& /*text*/) { return scalar(); }
  bool string(std::string& value) {
    if (depth_ == kFields && field_ == (section_ == Section::images ? "file_name" : "name")) text_ = std::move(value);
    return scalar();
  }
  bool binary(nlohmann::json::binary_t& /*value*/) { return scalar(); }

  bool start_object(std::size_t /*elements*/) {
    if (depth_ == kSections && section_ != Section::other) fail_section();
    if (depth_ == kEntries && section_ != Section::other) begin_entry();
    ++depth_;
    return true;
  }
  bool key(std::string& name) {
    if (depth_ == kSections) begin_section(name);
    if (depth_ == kFields) field_ = std::move(name);
    return true;
  }
  bool end_object() {
    --depth_;
    if (depth_ == kEntries && section_ != Section::other) end_entry();
    if (depth_ == kSections) section_ = Section::other;
    return true;
  }
  bool start_array(std::size_t /*elements*/) {
    if (depth_ == 0) fail_root();
    if (depth_ == kEntries && section_ != Section::other) fail_entry();
    ++depth_;
    return true;
  }
  bool end_array() {
    --depth_;
    if (depth_ == kSections) section_ = Section::other;
    return true;
  }
  [[noreturn]] bool parse_error(std::size_t position, const std::string& /*token*/,
                                const nlohmann::json::exception& why) {
    constexpr std::size_t kShown = 160;  // the message repeats what was read last, which may be anything
    std::string_view text = why.what();
    text.remove_prefix(std::min(text.find("] ") + 2, text.size()));
    fail(fmt::format("is no JSON after {} bytes ({}), expected {}; was the file cut off?", position,
                     to_utf8(text.substr(0, kShown)), kWanted));
  }
  // NOLINTEND(readability-identifier-naming)

 private:
  // What is open: the file's object, the array of a section, an entry of it.
  static constexpr int kSections = 1;
  static constexpr int kEntries = 2;
  static constexpr int kFields = 3;

  [[noreturn]] void fail(std::string_view what) const { throw Error(fmt::format("{}: {}", source_, what)); }
  [[noreturn]] void fail_root() const { fail(fmt::format("is no object, expected {}", kWanted)); }
  [[noreturn]] void fail_section() const { fail(fmt::format("\"{}\" is no array, expected one of objects", name_)); }
  [[noreturn]] void fail_entry() const { fail(fmt::format("{}[{}] is no object, expected one", name_, next_)); }

  bool seen(Section section) const { return (seen_ & 1U << static_cast<unsigned>(section)) != 0; }

  void begin_section(const std::string& name) {
    section_ = section_of(name);
    if (section_ == Section::other) return;
    name_ = name;
    next_ = 0;
    if (seen(section_)) fail(fmt::format("\"{}\" occurs twice, expected once", name));
    seen_ |= 1U << static_cast<unsigned>(section_);
  }

  void begin_entry() {
    id_.reset();
    image_.reset();
    category_.reset();
    text_.reset();
    field_.clear();
  }

  bool scalar(std::optional<std::int64_t> whole = {}) {
    if (depth_ == 0) fail_root();
    if (section_ == Section::other) return true;
    if (depth_ == kSections) fail_section();
    if (depth_ == kEntries) fail_entry();
    if (depth_ != kFields || !whole) return true;
    if (field_ == "id") id_ = whole;
    if (field_ == "image_id") image_ = whole;
    if (field_ == "category_id") category_ = whole;
    return true;
  }

  void end_entry() {
    const std::size_t at = next_++;
    const auto lacks = [&](bool there, std::string_view field, std::string_view what) {
      if (there) return false;
      std::string message = fmt::format("{}: {}[{}]: \"{}\" is missing or no {}, expected one; correct the entry",
                                        source_, name_, at, field, what);
      section_ == Section::images ? report_.image(std::move(message)) : report_.annotation(std::move(message));
      return true;
    };
    constexpr std::string_view kNumber = "whole number";
    switch (section_) {
      case Section::images:
        if (lacks(id_.has_value(), "id", kNumber) || lacks(text_.has_value(), "file_name", "text")) return;
        content_.images.push_back({*id_, std::move(*text_), at});
        return;
      case Section::categories:
        if (lacks(id_.has_value(), "id", kNumber) || lacks(text_.has_value(), "name", "text")) return;
        content_.categories.push_back({*id_, std::move(*text_), at});
        return;
      case Section::annotations:
        if (lacks(image_.has_value(), "image_id", kNumber)) return;
        if (lacks(category_.has_value(), "category_id", kNumber)) return;
        content_.annotations.push_back({*image_, *category_, id_.value_or(0), id_.has_value(), at});
        return;
      case Section::other:
        return;
    }
  }

  const std::string& source_;
  Reporter& report_;
  CocoContent content_;
  int depth_ = 0;
  unsigned seen_ = 0;  ///< one bit for each section
  Section section_ = Section::other;
  std::string name_;  ///< of the section
  std::size_t next_ = 0;
  std::string field_;
  std::optional<std::int64_t> id_;
  std::optional<std::int64_t> image_;
  std::optional<std::int64_t> category_;
  std::optional<std::string> text_;
};

}  // namespace

CocoContent parse_coco(std::string_view text, const std::string& source, Reporter& report) {
  CocoEvents events(source, report);
  nlohmann::json::sax_parse(text.begin(), text.end(), &events);
  return events.finish();
}

CocoContent parse_coco(const std::filesystem::path& path, Reporter& report) {
  const std::string source = path.string();
  std::error_code error;
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path, error)) {
    throw Error(fmt::format("{}: cannot be read, expected COCO annotations (JSON); check the path", source));
  }
  CocoEvents events(source, report);
  nlohmann::json::sax_parse(file, &events);
  return events.finish();
}

}  // namespace mlpac
