#include "weights/pickle_stack.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weights/pickle.h"

namespace mlpac {

using Kind = PickledValue::Kind;

PickledValue& PickleStack::make(Kind kind) {
  values_.emplace_back();
  values_.back().kind = kind;
  return values_.back();
}

void PickleStack::require_value() {
  if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) fail_("a value is missing on the stack");
}

PickledValue* PickleStack::pop() {
  require_value();
  PickledValue* const value = stack_.back();
  stack_.pop_back();
  return value;
}

PickledValue& PickleStack::top() {
  require_value();
  return *stack_.back();
}

std::vector<PickledValue*> PickleStack::pop_to_mark() {
  if (marks_.empty()) fail_("a mark is missing on the stack");
  const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
  std::vector<PickledValue*> values(first, stack_.end());
  stack_.erase(first, stack_.end());
  marks_.pop_back();
  return values;
}

std::vector<PickledValue*> PickleStack::pop_last(std::size_t count) {
  std::vector<PickledValue*> items(count);
  for (std::size_t i = count; i-- > 0;) items[i] = pop();
  return items;
}

void PickleStack::add_entries(PickledValue& dict, const std::vector<PickledValue*>& values) {
  if (dict.kind != Kind::dict) fail_(fmt::format("entries are added to {}, expected a dict", kind_name(dict.kind)));
  if (values.size() % 2 != 0) fail_("a key has no value");
  for (std::size_t i = 0; i < values.size(); i += 2) dict.entries.emplace_back(values[i], values[i + 1]);
}

void PickleStack::add_items(PickledValue& list, const std::vector<PickledValue*>& values) {
  if (list.kind != Kind::list) fail_(fmt::format("items are added to {}, expected a list", kind_name(list.kind)));
  list.items.insert(list.items.end(), values.begin(), values.end());
}

void PickleStack::recall(std::uint64_t number) {
  const auto found = memo_.find(number);
  if (found == memo_.end()) fail_(fmt::format("value {} is recalled but was never remembered", number));
  push(*found->second);
}

PickledValue* PickleStack::result() {
  if (stack_.size() != 1 || !marks_.empty()) fail_("STOP leaves another number of values than one, expected one");
  return stack_.front();
}

}  // namespace mlpac
