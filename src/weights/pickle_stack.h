// The stack of the machine that a pickle is a program for: values, marks, and what is remembered by number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weights/pickle.h"
#include "weights/pickle_globals.h"

namespace mlpac {

class PickleStack {
 public:
  /// `values` owns what is made; `fail` throws.
  PickleStack(std::deque<PickledValue>& values, PickleFail fail) : values_(values), fail_(std::move(fail)) {}

  PickledValue& make(PickledValue::Kind kind);
  void push(PickledValue& value) { stack_.push_back(&value); }
  PickledValue* pop();
  PickledValue& top();
  void mark() { marks_.push_back(stack_.size()); }
  /// Everything above the last mark, and removes both.
  std::vector<PickledValue*> pop_to_mark();
  /// The last so many values, in the order they were pushed.
  std::vector<PickledValue*> pop_last(std::size_t count);

  /// Keys and values in turn become entries of the dict; items are added to the list.
  void add_entries(PickledValue& dict, const std::vector<PickledValue*>& values);
  void add_items(PickledValue& list, const std::vector<PickledValue*>& values);

  void remember(std::uint64_t number) { memo_[number] = &top(); }
  void recall(std::uint64_t number);
  std::uint64_t remembered() const { return memo_.size(); }

  /// The only value that is left.
  PickledValue* result();

 private:
  void require_value();

  std::deque<PickledValue>& values_;
  PickleFail fail_;
  std::vector<PickledValue*> stack_;
  std::vector<std::size_t> marks_;  ///< heights of the stack
  std::unordered_map<std::uint64_t, PickledValue*> memo_;
};

}  // namespace mlpac
