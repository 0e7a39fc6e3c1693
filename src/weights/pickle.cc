// The stack machine (Python's Lib/pickletools.py lists its operations). Memory grows only with the bytes of the
// program: no operation copies a value, and what is refused is refused before it is built.
#include "weights/pickle.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/text.h"
#include "mlpac/error.h"
#include "weights/pickle_globals.h"
#include "weights/pickle_stack.h"

namespace mlpac {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

using Kind = PickledValue::Kind;

/// Operations that build what cannot be built without running code, or that PyTorch does not write. Only for messages.
struct Refused {
  unsigned char code;
  std::string_view name;
};
constexpr std::array<Refused, 20> kRefused{{
    {'P', "PERSID"},       {'i', "INST"},
    {'o', "OBJ"},          {0x81, "NEWOBJ"},
    {0x92, "NEWOBJ_EX"},   {0x82, "EXT1"},
    {0x83, "EXT2"},        {0x84, "EXT4"},
    {0x8F, "EMPTY_SET"},   {0x90, "ADDITEMS"},
    {0x91, "FROZENSET"},   {0x96, "BYTEARRAY8"},
    {0x97, "NEXT_BUFFER"}, {0x98, "READONLY_BUFFER"},
    {'S', "STRING"},       {'V', "UNICODE"},
    {'F', "FLOAT"},        {'I', "INT"},
    {'L', "LONG"},         {0x8B, "LONG4"},
}};

}  // namespace

std::string_view kind_name(Kind kind) {
  constexpr std::array<std::string_view, 12> kNames{"None",   "a boolean",  "an integer", "a number",
                                                    "a text", "bytes",      "a tuple",    "a list",
                                                    "a dict", "a function", "a storage",  "a tensor"};
  return kNames[static_cast<std::size_t>(kind)];
}

class PickleMachine {
 public:
  PickleMachine(std::string_view bytes, const std::string& source, Pickle& pickle)
      : bytes_(bytes), source_(source), stack_(pickle.values_, [this](const std::string& what) { fail(what); }) {}

  PickledValue* run() {
    for (;;) {
      operation_ = at_;
      const auto code = number<std::uint8_t>();
      if (code == '.') break;
      if (!step(code)) refuse(code);
    }
    return stack_.result();
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw Error(fmt::format("{}: byte {}: {}; save the weights again by torch.save(model.state_dict(), FILE)", source_,
                            operation_, what));
  }

  [[noreturn]] void refuse(std::uint8_t code) const {
    const auto* const known =
        std::find_if(kRefused.begin(), kRefused.end(), [&](const Refused& refused) { return refused.code == code; });
    fail(fmt::format("the pickle operation {} is not one of those that state dicts need, and is not executed",
                     known != kRefused.end() ? std::string(known->name) : fmt::format("0x{:02X}", code)));
  }

  // ---- the program ----

  template <typename T>
  T number() {
    T value{};
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }

  std::string_view take(std::uint64_t size) {
    if (size > bytes_.size() - at_) fail("the pickle ends too early; was the file cut off?");
    const std::string_view piece = bytes_.substr(at_, static_cast<std::size_t>(size));
    at_ += piece.size();
    return piece;
  }

  std::string_view take_line() {
    const std::size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) fail("the pickle ends too early; was the file cut off?");
    const std::string_view line = bytes_.substr(at_, end - at_);
    at_ = end + 1;
    return line;
  }

  // ---- the stack; each says that its operation is one of ours ----

  bool push(PickledValue& value) {
    stack_.push(value);
    return true;
  }
  bool push(Kind kind) { return push(stack_.make(kind)); }
  bool push_integer(std::int64_t value, Kind kind = Kind::integer) {
    PickledValue& result = stack_.make(kind);
    result.integer = value;
    return push(result);
  }
  bool push_text(std::uint64_t size, Kind kind = Kind::text) {
    PickledValue& result = stack_.make(kind);
    result.text = take(size);
    return push(result);
  }
  bool push_items(std::vector<PickledValue*> items, Kind kind = Kind::tuple) {
    PickledValue& result = stack_.make(kind);
    result.items = std::move(items);
    return push(result);
  }
  bool push_dict(const std::vector<PickledValue*>& values) {
    PickledValue& result = stack_.make(Kind::dict);
    stack_.add_entries(result, values);
    return push(result);
  }
  bool set_items(const std::vector<PickledValue*>& values) {
    stack_.add_entries(stack_.top(), values);
    return true;
  }
  bool append(const std::vector<PickledValue*>& values) {
    stack_.add_items(stack_.top(), values);
    return true;
  }
  bool mark() {
    stack_.mark();
    return true;
  }
  bool drop() {
    stack_.pop();
    return true;
  }
  bool drop_to_mark() {
    stack_.pop_to_mark();
    return true;
  }
  bool remember(std::uint64_t number) {
    stack_.remember(number);
    return true;
  }
  bool recall(std::uint64_t number) {
    stack_.recall(number);
    return true;
  }

  // ---- names and calls ----

  bool push_global(std::string_view module, std::string_view name) {
    const auto entry = find_global(module, name);
    if (!entry) {
      fail(fmt::format("the pickle refers to {}, which is not part of a state dict, and nothing of it is executed",
                       in_quotes(fmt::format("{}.{}", module, name))));
    }
    PickledValue& result = stack_.make(Kind::global);
    result.global.entry = *entry;
    return push(result);
  }

  bool stack_global() {
    const PickledValue* const name = stack_.pop();
    const PickledValue* const module = stack_.pop();
    if (name->kind != Kind::text || module->kind != Kind::text) fail("a name is no text");
    return push_global(module->text, name->text);
  }

  bool reduce() {
    const PickledValue* const arguments = stack_.pop();
    const PickledValue* const function = stack_.pop();
    if (function->kind != Kind::global || arguments->kind != Kind::tuple) {
      fail(fmt::format("{} is called, expected one of the functions that rebuild tensors", kind_name(function->kind)));
    }
    PickledValue& result = stack_.make(Kind::none);
    call_global(*function, *arguments, result, [this](const std::string& what) { fail(what); });
    return push(result);
  }

  bool load_persistent() {
    const PickledValue* const id = stack_.pop();
    PickledValue& result = stack_.make(Kind::none);
    load_storage(*id, result, [this](const std::string& what) { fail(what); });
    return push(result);
  }

  /// Attributes of an OrderedDict (versions of its modules) or of a parameter: nothing a weight depends on.
  bool build() {
    stack_.pop();
    const Kind kind = stack_.top().kind;
    if (kind == Kind::dict || kind == Kind::tensor) return true;
    fail(fmt::format("BUILD sets attributes of {}, expected a dict or a parameter", kind_name(kind)));
  }

  bool long_integer(std::size_t size) {
    if (size > sizeof(std::int64_t)) fail(fmt::format("an integer of {} bytes, expected at most 8", size));
    const std::string_view digits = take(size);
    const bool negative = !digits.empty() && (static_cast<unsigned char>(digits.back()) & 0x80U) != 0;
    std::int64_t value = negative ? -1 : 0;
    std::memcpy(&value, digits.data(), digits.size());
    return push_integer(value);
  }

  bool line_global() {
    const std::string_view module = take_line();
    return push_global(module, take_line());
  }

  bool protocol() {
    constexpr int kNewest = 5;
    const int version = number<std::uint8_t>();
    if (version > kNewest) fail(fmt::format("pickle protocol {}, expected at most {}", version, kNewest));
    return true;
  }

  /// False if the operation is not one of ours.
  bool step(std::uint8_t code) {  // NOLINT(readability-function-size): one line for each operation
    // clang-format off
    switch (code) {
      case 0x80: return protocol();
      case 0x95: return take(sizeof(std::uint64_t)).size() == sizeof(std::uint64_t);  // FRAME: how much to read at once
      case '(': return mark();
      case '0': return drop();
      case '1': return drop_to_mark();
      case '2': return push(stack_.top());
      case 'N': return push(Kind::none);
      case 0x88: return push_integer(1, Kind::boolean);
      case 0x89: return push_integer(0, Kind::boolean);
      case 'J': return push_integer(number<std::int32_t>());
      case 'K': return push_integer(number<std::uint8_t>());
      case 'M': return push_integer(number<std::uint16_t>());
      case 0x8A: return long_integer(number<std::uint8_t>());
      case 'G': return take(sizeof(double)).size() == sizeof(double) && push(Kind::real);
      case 'X': return push_text(number<std::uint32_t>());
      case 0x8C: return push_text(number<std::uint8_t>());
      case 0x8D: return push_text(number<std::uint64_t>());
      case 'T': return push_text(number<std::uint32_t>());
      case 'U': return push_text(number<std::uint8_t>());
      case 'B': return push_text(number<std::uint32_t>(), Kind::bytes);
      case 'C': return push_text(number<std::uint8_t>(), Kind::bytes);
      case 0x8E: return push_text(number<std::uint64_t>(), Kind::bytes);
      case ')': return push(Kind::tuple);
      case 't': return push_items(stack_.pop_to_mark());
      case 0x85: return push_items(stack_.pop_last(1));
      case 0x86: return push_items(stack_.pop_last(2));
      case 0x87: return push_items(stack_.pop_last(3));
      case ']': return push(Kind::list);
      case 'l': return push_items(stack_.pop_to_mark(), Kind::list);
      case 'a': return append(stack_.pop_last(1));
      case 'e': return append(stack_.pop_to_mark());
      case '}': return push(Kind::dict);
      case 'd': return push_dict(stack_.pop_to_mark());
      case 's': return set_items(stack_.pop_last(2));
      case 'u': return set_items(stack_.pop_to_mark());
      case 'q': return remember(number<std::uint8_t>());
      case 'r': return remember(number<std::uint32_t>());
      case 0x94: return remember(stack_.remembered());
      case 'h': return recall(number<std::uint8_t>());
      case 'j': return recall(number<std::uint32_t>());
      case 'c': return line_global();
      case 0x93: return stack_global();
      case 'R': return reduce();
      case 'Q': return load_persistent();
      case 'b': return build();
      default: return false;
    }
    // clang-format on
  }

  std::string_view bytes_;
  const std::string& source_;
  std::size_t at_ = 0;
  std::size_t operation_ = 0;  ///< where the current one begins
  PickleStack stack_;
};

Pickle::Pickle(std::string_view bytes, const std::string& source) { root_ = PickleMachine(bytes, source, *this).run(); }

}  // namespace mlpac
