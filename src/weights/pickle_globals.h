// The names a pickle may refer to, and what calling them gives.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "weights/pickle.h"

namespace mlpac {

/// Throws Error with the place in the pickle.
using PickleFail = std::function<void(const std::string& what)>;

/// Position in the table; nothing if the name is not one of it.
std::optional<std::size_t> find_global(std::string_view module, std::string_view name);

/// What calling a name of the table with these arguments gives, written to `result`.
void call_global(const PickledValue& global, const PickledValue& arguments, PickledValue& result,
                 const PickleFail& fail);

/// The storage that a persistent id ("storage", kind, key, device, elements) describes.
void load_storage(const PickledValue& id, PickledValue& result, const PickleFail& fail);

}  // namespace mlpac
