#include "weights/pickle_globals.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weights/pickle.h"

namespace mlpac {
namespace {

using Kind = PickledValue::Kind;

enum class Effect { ordered_dict, size, tensor, parameter, storage };

struct Global {
  std::string_view module;
  std::string_view name;
  Effect effect;
  std::string_view dtype = {};  ///< of a storage
};

constexpr std::array<Global, 16> kGlobals{{
    {"collections", "OrderedDict", Effect::ordered_dict},
    {"torch", "Size", Effect::size},
    {"torch._utils", "_rebuild_tensor", Effect::tensor},
    {"torch._utils", "_rebuild_tensor_v2", Effect::tensor},
    {"torch._utils", "_rebuild_parameter", Effect::parameter},
    {"torch._utils", "_rebuild_parameter_with_state", Effect::parameter},
    {"torch", "DoubleStorage", Effect::storage, "F64"},
    {"torch", "FloatStorage", Effect::storage, "F32"},
    {"torch", "HalfStorage", Effect::storage, "F16"},
    {"torch", "BFloat16Storage", Effect::storage, "BF16"},
    {"torch", "LongStorage", Effect::storage, "I64"},
    {"torch", "IntStorage", Effect::storage, "I32"},
    {"torch", "ShortStorage", Effect::storage, "I16"},
    {"torch", "CharStorage", Effect::storage, "I8"},
    {"torch", "ByteStorage", Effect::storage, "U8"},
    {"torch", "BoolStorage", Effect::storage, "BOOL"},
}};

constexpr std::size_t kMostDimensions = 64;

bool sizes_of(const PickledValue& value, std::vector<std::int64_t>& sizes) {
  if (value.kind != Kind::tuple || value.items.size() > kMostDimensions) return false;
  for (const PickledValue* const item : value.items) {
    if (item->kind != Kind::integer || item->integer < 0) return false;
    sizes.push_back(item->integer);
  }
  return true;
}

/// (storage, offset, shape, strides, ...): what follows concerns training only.
void rebuild_tensor(const std::vector<PickledValue*>& arguments, PickledValue& result, const PickleFail& fail) {
  auto tensor = std::make_unique<PickledTensor>();
  const bool fits = arguments.size() >= 4 && arguments[0]->kind == Kind::storage &&
                    arguments[1]->kind == Kind::integer && arguments[1]->integer >= 0 &&
                    sizes_of(*arguments[2], tensor->shape) && sizes_of(*arguments[3], tensor->strides) &&
                    tensor->shape.size() == tensor->strides.size();
  if (!fits) {
    fail("a tensor is rebuilt from other arguments than PyTorch writes, expected storage, offset, shape and strides");
  }
  tensor->storage = arguments[0]->storage;
  tensor->offset = arguments[1]->integer;
  result.kind = Kind::tensor;
  result.tensor = std::move(tensor);
}

}  // namespace

std::optional<std::size_t> find_global(std::string_view module, std::string_view name) {
  for (std::size_t i = 0; i < kGlobals.size(); ++i) {
    if (kGlobals[i].module == module && kGlobals[i].name == name) return i;
  }
  return std::nullopt;
}

void call_global(const PickledValue& global, const PickledValue& arguments, PickledValue& result,
                 const PickleFail& fail) {
  const Global& entry = kGlobals[global.global.entry];
  const std::vector<PickledValue*>& items = arguments.items;
  switch (entry.effect) {
    case Effect::ordered_dict:
      result.kind = Kind::dict;
      if (!items.empty()) fail("an OrderedDict of something, expected an empty one that is filled later");
      return;
    case Effect::size:
      if (items.size() != 1 || items[0]->kind != Kind::tuple || items[0]->items.size() > kMostDimensions) {
        fail("a torch.Size of something, expected a tuple");
      }
      result.kind = Kind::tuple;
      result.items = items[0]->items;
      return;
    case Effect::tensor:
      rebuild_tensor(items, result, fail);
      return;
    case Effect::parameter:
      if (items.empty() || items[0]->kind != Kind::tensor) fail("a parameter of something, expected a tensor");
      result.kind = Kind::tensor;
      result.tensor = std::make_unique<PickledTensor>(*items[0]->tensor);
      return;
    case Effect::storage:
      fail(fmt::format("{}.{} is called, expected it in the id of a storage only", entry.module, entry.name));
      return;
  }
}

void load_storage(const PickledValue& id, PickledValue& result, const PickleFail& fail) {
  const std::vector<PickledValue*>& items = id.items;
  const bool fits = id.kind == Kind::tuple && items.size() >= 5 && items[0]->kind == Kind::text &&
                    items[0]->text == "storage" && items[1]->kind == Kind::global && items[2]->kind == Kind::text &&
                    items[4]->kind == Kind::integer && items[4]->integer >= 0 &&
                    kGlobals[items[1]->global.entry].effect == Effect::storage;
  if (!fits) {
    fail("an id that PyTorch does not write, expected \"storage\", its kind, its name, a device and its size");
  }
  result.kind = Kind::storage;
  result.storage = {std::string(kGlobals[items[1]->global.entry].dtype), items[2]->text, items[4]->integer};
}

}  // namespace mlpac
