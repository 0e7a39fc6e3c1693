// The part of Python's pickle format that state dicts of PyTorch use, as data: nothing is imported, called or executed.
//
// A pickle is a program for a small stack machine. Ours knows the operations that build numbers, texts, tuples, lists
// and dicts, and a fixed table of names (OrderedDict, the functions that rebuild tensors, the kinds of storage) whose
// effect is written down here. Any other operation or name is refused by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace mlpac {

/// The bytes behind one or more tensors: a member of the archive.
struct PickledStorage {
  std::string dtype;  ///< as in safetensors
  std::string key;
  std::int64_t elements = 0;
};

struct PickledTensor {
  PickledStorage storage;
  std::int64_t offset = 0;  ///< in elements
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;  ///< in elements
};

/// A name of the table, before it is called.
struct PickledGlobal {
  std::size_t entry = 0;
};

struct PickledValue;

/// Values refer to each other by plain pointers: a pickle may well contain itself. Pickle owns them all.
struct PickledValue {
  enum class Kind { none, boolean, integer, real, text, bytes, tuple, list, dict, global, storage, tensor };

  Kind kind = Kind::none;
  std::int64_t integer = 0;                                      ///< of a boolean or integer
  std::string text;                                              ///< of a text or bytes
  std::vector<PickledValue*> items;                              ///< of a tuple or list
  std::vector<std::pair<PickledValue*, PickledValue*>> entries;  ///< of a dict, in the order of the file
  PickledGlobal global;
  PickledStorage storage;
  std::unique_ptr<PickledTensor> tensor;
};

/// The word for messages.
std::string_view kind_name(PickledValue::Kind kind);

class Pickle {
 public:
  /// Runs the whole program; `source` is its name in messages. Throws Error.
  Pickle(std::string_view bytes, const std::string& source);

  const PickledValue& root() const { return *root_; }

 private:
  friend class PickleMachine;
  std::deque<PickledValue> values_;
  PickledValue* root_ = nullptr;
};

}  // namespace mlpac
