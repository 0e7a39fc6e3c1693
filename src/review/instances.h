// What is shown of an instance while its labels are reviewed, for every kind of data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mlpac/documents.h"
#include "mlpac/feature_data.h"
#include "mlpac/image_list.h"

namespace mlpac {

/// An instance as a suggestion names it.
struct InstanceName {
  std::int64_t row = 0;
  std::string_view id;
};

/// A file that a browser shows.
struct Picture {
  std::string type;  ///< image/jpeg or image/png
  std::string bytes;
};

class Instances {
 public:
  virtual ~Instances() = default;
  /// Label rows of the data.
  virtual std::int64_t size() const = 0;
  /// For the page: an object with its "kind", and what the page draws for it. Error if the data has no such instance.
  virtual nlohmann::json show(const InstanceName& name) const = 0;
  /// Names of its annotated labels.
  virtual std::vector<std::string> annotated(const InstanceName& name) const = 0;
  virtual std::optional<Picture> picture(const InstanceName& /*name*/) const { return std::nullopt; }
  /// What a label means, where its name does not say it; empty: it does.
  virtual std::string meaning(const std::string& /*label*/) const { return {}; }
};

/// Rows of a feature file: the cells of a table, otherwise the largest values.
std::unique_ptr<Instances> feature_instances(const std::filesystem::path& path, const ReadOptions& read);
std::unique_ptr<Instances> image_instances(ImageList list);
/// Pairs of entities; their ids are those of pair_id. `meanings` of relations by name, as far as they are known.
std::unique_ptr<Instances> document_instances(std::vector<Document> documents, Relations relations,
                                              std::map<std::string, std::string> meanings = {});

}  // namespace mlpac
