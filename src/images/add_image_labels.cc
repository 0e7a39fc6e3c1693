#include "images/add_image_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "data/added_label.h"
#include "data/csv_field.h"
#include "data/csv_scanner.h"
#include "data/json_member.h"
#include "data/text.h"
#include "images/coco.h"
#include "images/list_builder.h"
#include "mlpac/error.h"
#include "mlpac/image_list.h"

namespace mlpac {
namespace {

[[noreturn]] void fail_missing(const std::string& source, std::string_view what, std::string_view name) {
  throw Error(fmt::format("{}: has no {} {}, to which a label is to be added; was the file changed?", source, what,
                          in_quotes(name)));
}

}  // namespace

std::string add_coco_labels(std::string_view text, const std::string& source, std::span<const AddedLabel> added) {
  Skipped skipped;  // what the reader left out stays in the file
  Reporter report(OnError::skip, skipped);
  const CocoContent content = parse_coco(text, source, report);
  std::unordered_map<std::string_view, std::int64_t> categories;
  for (const auto& category : content.categories) categories.emplace(category.name, category.id);
  std::unordered_set<std::string> images;
  for (const auto& image : content.images) images.insert(std::to_string(image.id));
  std::int64_t next = 1;
  for (const auto& annotation : content.annotations) next = std::max(next, annotation.id + 1);
  std::vector<std::string> elements;
  for (const AddedLabel& label : added) {
    const auto category = categories.find(label.label);
    if (category == categories.end()) fail_missing(source, "category", label.label);
    if (!images.contains(label.id)) fail_missing(source, "image", label.id);
    elements.push_back(fmt::format(R"({{"id": {}, "image_id": {}, "category_id": {}, "iscrowd": 0}})", next++, label.id,
                                   category->second));
  }
  const auto place = find_member(text, "annotations");
  if (!place) fail_missing(source, "member", "annotations");
  std::string result(text.substr(0, place->begin));
  result += extended_array(text.substr(place->begin, place->end - place->begin), elements);
  result += text.substr(place->end);
  return result;
}

std::string add_image_csv_labels(std::string_view text, const std::string& source, std::span<const AddedLabel> added) {
  std::unordered_map<std::string, std::string> wanted;
  for (const AddedLabel& label : added) {
    auto& names = wanted[label.id];
    if (!names.empty()) names += ' ';
    names += label.label;
  }
  CsvScanner scanner(text, source, ',');
  std::string result;
  const char* copied = text.data();
  while (scanner.next()) {
    const auto found = wanted.find(to_utf8(scanner.fields().front().value()));
    if (found == wanted.end()) continue;
    const bool listed = scanner.fields().size() > 1;
    const CsvField& field = scanner.fields().back();
    std::string names = listed ? std::string(trim(field.value())) : std::string();
    if (!names.empty()) names += ' ';
    names += found->second;
    // A line without a second field gets one.
    const char* const end = field.raw.data() + field.raw.size();
    result.append(copied, listed ? field.raw.data() : end);
    if (!listed) result += ',';
    result += csv_field(names);
    copied = end;
    wanted.erase(found);
  }
  if (!wanted.empty()) fail_missing(source, "image", wanted.begin()->first);
  result.append(copied, text.data() + text.size());
  return result;
}

}  // namespace mlpac
