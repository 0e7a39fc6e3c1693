#include "data/arff_encoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "data/arff_header.h"
#include "data/line_reader.h"
#include "data/text.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

constexpr std::int32_t kNoColumn = -1;

void encode_label(const ArffAttribute& attribute, const LineReader& lines, ArffSlot& slot) {
  slot.values = attribute.values;
  std::sort(slot.values.begin(), slot.values.end());
  for (const std::string& value : slot.values) {
    std::int32_t state = 0;
    if (!parse_label_state(value, state)) {
      lines.fail_at(attribute.line,
                    fmt::format("label attribute {} has the value {}, expected 0 and 1 (or -1, 0 and 1, "
                                "or NO and YES); is it really a label?",
                                in_quotes(attribute.name), in_quotes(value)));
    }
    slot.codes.push_back(state);
  }
}

void encode_feature(const ArffAttribute& attribute, ArffSlot& slot, std::vector<std::string>& names) {
  slot.column = static_cast<std::int32_t>(names.size());
  if (!attribute.nominal) {
    names.push_back(attribute.name);
    return;
  }
  // Sorted, so that two files that declare the values in another order give the same columns.
  slot.values = attribute.values;
  std::sort(slot.values.begin(), slot.values.end());
  const auto one_hot_name = [&](const std::string& value) { return attribute.name + "=" + to_utf8(value); };
  if (slot.values.size() == 1) {
    slot.width = 0;
    slot.codes = {kNoColumn};
  } else if (slot.values.size() == 2) {
    const bool number = slot.values[0] == "0" && slot.values[1] == "1";
    names.push_back(number ? attribute.name : one_hot_name(slot.values[1]));
    slot.codes = {kNoColumn, slot.column};
  } else {
    slot.width = static_cast<std::int32_t>(slot.values.size());
    for (const std::string& value : slot.values) {
      slot.codes.push_back(static_cast<std::int32_t>(names.size()));
      names.push_back(one_hot_name(value));
    }
  }
}

/// Position of every label attribute among the label columns.
std::unordered_map<std::string, std::int32_t> label_columns(const std::vector<ArffAttribute>& attributes,
                                                            const std::vector<std::string>& names, bool required,
                                                            const LineReader& lines) {
  std::unordered_map<std::string, std::int32_t> columns;
  std::unordered_set<std::string_view> declared;
  for (const ArffAttribute& attribute : attributes) declared.insert(attribute.name);
  const auto is_declared = [&](const std::string& name) { return declared.contains(name); };
  if (!required && std::none_of(names.begin(), names.end(), is_declared)) return columns;
  for (const std::string& name : names) {
    if (!is_declared(name)) {
      lines.fail(
          fmt::format("label {} is not an attribute of this file, expected all {} labels; does the list of labels "
                      "belong to another file?",
                      in_quotes(name), names.size()));
    }
    if (!columns.emplace(name, static_cast<std::int32_t>(columns.size())).second) {
      lines.fail(fmt::format("label {} is named twice, expected different labels", in_quotes(name)));
    }
  }
  return columns;
}

/// Expanding a nominal attribute can collide with another name: `a` of {b,c,d} and a number called `a=b`.
void check_feature_names(const std::vector<std::string>& names, const LineReader& lines) {
  if (names.empty())
    lines.fail("no attribute is a feature, expected at least one that is not a label and not constant");
  if (names.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    lines.fail("the nominal attributes have more than 2 billion values, expected fewer");
  }
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    if (!seen.insert(name).second) {
      lines.fail(fmt::format("two attributes give a feature called {}, expected different names; rename one",
                             in_quotes(name)));
    }
  }
}

}  // namespace

std::size_t ArffSlot::find(std::string_view text) const {
  // Nearly all nominal attributes have two values; for them two comparisons beat a search.
  if (values.size() <= 4) {
    std::size_t at = 0;
    while (at < values.size() && values[at] != text) ++at;
    return at;
  }
  const auto found = std::lower_bound(values.begin(), values.end(), text);
  return found != values.end() && *found == text ? static_cast<std::size_t>(found - values.begin()) : values.size();
}

bool parse_label_state(std::string_view text, std::int32_t& state) {
  if (text == "1" || equals_ignoring_case(text, "yes") || equals_ignoring_case(text, "true")) {
    state = int{kAnnotated};
  } else if (text == "0" || equals_ignoring_case(text, "no") || equals_ignoring_case(text, "false")) {
    state = int{kUnknown};
  } else if (text == "-1") {
    state = -1;  // kKnownNegative
  } else {
    return false;
  }
  return true;
}

ArffEncoding encode_arff(const std::vector<ArffAttribute>& attributes, const std::vector<std::string>& label_names,
                         bool labels_required, const LineReader& lines) {
  ArffEncoding encoding;
  const auto columns = label_columns(attributes, label_names, labels_required, lines);
  if (!columns.empty()) encoding.label_names = label_names;
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const ArffAttribute& attribute = attributes[i];
    ArffSlot slot;
    const auto label = columns.find(attribute.name);
    slot.label = label != columns.end();
    if (slot.label) {
      slot.column = label->second;
      encode_label(attribute, lines, slot);
    } else {
      encode_feature(attribute, slot, encoding.feature_names);
    }
    if (attribute.nominal) {
      slot.omitted = slot.codes[slot.find(attribute.values.front())];
      const bool sets = slot.label ? slot.omitted != kUnknown : slot.omitted != kNoColumn;
      if (sets) encoding.set_when_omitted.push_back(i);
    }
    encoding.slots.push_back(std::move(slot));
  }
  check_feature_names(encoding.feature_names, lines);
  return encoding;
}

}  // namespace mlpac
