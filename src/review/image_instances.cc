#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/file.h"
#include "data/text.h"
#include "mlpac/error.h"
#include "mlpac/image_list.h"
#include "mlpac/labels.h"
#include "review/instances.h"

namespace mlpac {
namespace {

/// Images are found by their ids: which rows there are depends on what was left out when the list was read.
class ImageInstances : public Instances {
 public:
  explicit ImageInstances(ImageList list) : list_(std::move(list)) {
    for (std::size_t i = 0; i < list_.ids.size(); ++i) numbers_.emplace(list_.ids[i], i);
  }

  std::int64_t size() const override { return static_cast<std::int64_t>(list_.size()); }

  nlohmann::json show(const InstanceName& name) const override {
    return {{"kind", "image"}, {"file", to_utf8(list_.files[number(name)].filename().string())}};
  }

  std::vector<std::string> annotated(const InstanceName& name) const override {
    std::vector<std::string> names;
    for (const LabelEntry& entry : list_.labels.row(static_cast<std::int64_t>(number(name)))) {
      if (entry.state == kAnnotated) names.push_back(list_.label_names[static_cast<std::size_t>(entry.column)]);
    }
    return names;
  }

  std::optional<Picture> picture(const InstanceName& name) const override {
    std::string bytes = read_file(list_.files[number(name)]);
    // Only what the readers take: nothing else of this machine can be asked for by the name of an image.
    if (bytes.starts_with("\xff\xd8")) return Picture{"image/jpeg", std::move(bytes)};
    if (bytes.starts_with("\x89PNG")) return Picture{"image/png", std::move(bytes)};
    return std::nullopt;
  }

 private:
  std::size_t number(const InstanceName& name) const {
    const auto found = numbers_.find(std::string(name.id));
    if (found == numbers_.end()) {
      throw Error(
          fmt::format("the data has no image {}; were the suggestions made for other data?", in_quotes(name.id)));
    }
    return found->second;
  }

  ImageList list_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

}  // namespace

std::unique_ptr<Instances> image_instances(ImageList list) { return std::make_unique<ImageInstances>(std::move(list)); }

}  // namespace mlpac
