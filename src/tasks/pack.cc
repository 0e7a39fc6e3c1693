#include "tasks/pack.h"

#include <fmt/format.h>

#include "core/file.h"
#include "data/store.h"
#include "mlpac/error.h"

namespace mlpac {

nlohmann::json pattern_of(const Options& options) {
  if (!options.has("like")) return nullptr;
  const std::filesystem::path path = options.text("like");
  if (!std::filesystem::is_directory(path)) {
    const Store store(path);
    auto pattern = store.about();
    pattern["labels"] = store.strings("label_names");
    return pattern;
  }
  const auto file = path / "model.json";
  if (!std::filesystem::exists(file)) {
    throw Error(fmt::format("{}: there is no model here; --like wants a store, or the folder of a finished run",
                            path.string()));
  }
  auto description = nlohmann::json::parse(read_file(file), nullptr, false);
  if (!description.is_object() || !description.contains("labels")) {
    throw Error(fmt::format("{}: not a model description", file.string()));
  }
  return description;
}

}  // namespace mlpac
