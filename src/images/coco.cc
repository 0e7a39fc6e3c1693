// From COCO's entries to a list of images. Nothing of the file is trusted: numbers may be used twice or lead nowhere.
#include "images/coco.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "data/text.h"
#include "images/list_builder.h"
#include "mlpac/image_list.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

constexpr std::int32_t kNotWanted = -1;  ///< the column of a category that the model does not have

/// Columns of the categories, and the names of the columns.
struct Columns {
  std::unordered_map<std::int64_t, std::int32_t> of_category;
  std::vector<std::string> names;
};

/// The categories in the order of their numbers, each number and each name once.
std::vector<CocoCategory> unique_categories(const CocoContent& content, ListBuilder& builder) {
  std::vector<CocoCategory> categories;
  std::unordered_set<std::int64_t> ids;
  std::unordered_set<std::string_view> names;
  for (const CocoCategory& category : content.categories) {
    const bool new_id = ids.insert(category.id).second;
    if (new_id && names.insert(category.name).second) {
      categories.push_back(category);
      continue;
    }
    builder.report().annotation(fmt::format("{}: categories[{}]: {} {} is used before, expected every category once",
                                            builder.source(), category.at, new_id ? "the name" : "the id",
                                            new_id ? in_quotes(category.name) : std::to_string(category.id)));
  }
  std::sort(categories.begin(), categories.end(),
            [](const CocoCategory& a, const CocoCategory& b) { return a.id < b.id; });
  return categories;
}

Columns find_columns(const CocoContent& content, ListBuilder& builder) {
  Columns columns;
  const std::vector<CocoCategory> categories = unique_categories(content, builder);
  columns.names = builder.options().label_names;
  if (columns.names.empty()) {
    for (const CocoCategory& category : categories) columns.names.push_back(category.name);
  }
  std::unordered_map<std::string_view, std::int32_t> column_of;
  for (std::size_t i = 0; i < columns.names.size(); ++i) {
    column_of.emplace(columns.names[i], static_cast<std::int32_t>(i));
  }
  for (const CocoCategory& category : categories) {
    const auto found = column_of.find(category.name);
    columns.of_category.emplace(category.id, found == column_of.end() ? kNotWanted : found->second);
  }
  return columns;
}

/// Which annotations have a number that an earlier one has. Sorting takes less memory than a set of a million numbers.
std::vector<bool> repeated_numbers(const std::vector<CocoAnnotation>& annotations) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < annotations.size(); ++i) {
    if (annotations[i].has_id) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return annotations[a].id != annotations[b].id ? annotations[a].id < annotations[b].id : a < b;
  });
  std::vector<bool> repeated(annotations.size());
  for (std::size_t i = 1; i < order.size(); ++i) {
    repeated[order[i]] = annotations[order[i]].id == annotations[order[i - 1]].id;
  }
  return repeated;
}

/// One label of one image, by their positions.
struct Found {
  std::size_t image = 0;
  std::int32_t column = 0;
  friend bool operator==(const Found&, const Found&) = default;
};

class CocoLabels {
 public:
  CocoLabels(const CocoContent& content, ListBuilder& builder) : content_(content), builder_(builder) {
    for (std::size_t i = 0; i < content.images.size(); ++i) {
      const CocoImage& image = content.images[i];
      const bool added = images_.emplace(image.id, i).second;
      if (added) kept_.push_back(i);
      if (!added) {
        builder.report().image(
            fmt::format("{}: images[{}]: the id {} of file {} is used before, expected every image once",
                        builder.source(), image.at, image.id, in_quotes(image.file_name)));
      }
    }
    columns_ = find_columns(content, builder);
    builder.set_labels(columns_.names);
    find_labels();
  }

  void add_images(const std::filesystem::path& folder) {
    auto next = found_.begin();
    for (const std::size_t i : kept_) {
      std::vector<LabelEntry> entries;
      for (; next != found_.end() && next->image == i; ++next) entries.push_back({next->column, kAnnotated});
      const CocoImage& image = content_.images[i];
      builder_.add(std::to_string(image.id), folder / image.file_name, std::move(entries));
    }
  }

 private:
  void find_labels() {
    const std::vector<bool> repeated = repeated_numbers(content_.annotations);
    for (std::size_t i = 0; i < content_.annotations.size(); ++i) {
      const CocoAnnotation& annotation = content_.annotations[i];
      const auto image = images_.find(annotation.image);
      const auto column = columns_.of_category.find(annotation.category);
      if (repeated[i]) {
        refuse(annotation, fmt::format("the id {} is used before, expected every annotation once", annotation.id));
      } else if (image == images_.end()) {
        refuse(annotation, fmt::format("image {} is not in \"images\", expected one that is", annotation.image));
      } else if (column == columns_.of_category.end()) {
        refuse(annotation, fmt::format("unknown category {} of image {}, expected one of \"categories\"",
                                       annotation.category, annotation.image));
      } else if (column->second == kNotWanted) {
        refuse(annotation,
               fmt::format("category {} of image {} is not among the {} labels already known; was the model "
                           "trained on other data?",
                           annotation.category, annotation.image, columns_.names.size()));
      } else {
        found_.push_back({image->second, column->second});
      }
    }
    std::sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) {
      return a.image != b.image ? a.image < b.image : a.column < b.column;
    });
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
  }

  void refuse(const CocoAnnotation& annotation, std::string_view why) {
    builder_.report().annotation(fmt::format("{}: annotations[{}]: {}", builder_.source(), annotation.at, why));
  }

  const CocoContent& content_;
  ListBuilder& builder_;
  std::unordered_map<std::int64_t, std::size_t> images_;
  std::vector<std::size_t> kept_;  ///< images whose number is their own
  Columns columns_;
  std::vector<Found> found_;
};

}  // namespace

ImageList parse_coco_list(std::string_view text, const std::string& source, const std::filesystem::path& folder,
                          const ImageListOptions& options) {
  ListBuilder builder(options, source);
  const CocoContent content = parse_coco(text, source, builder.report());
  CocoLabels(content, builder).add_images(folder);
  return builder.finish();
}

ImageList read_coco(const std::filesystem::path& annotations, const std::filesystem::path& folder,
                    const ImageListOptions& options) {
  ListBuilder builder(options, annotations.string());
  const CocoContent content = parse_coco(annotations, builder.report());
  CocoLabels(content, builder).add_images(folder);
  return builder.finish();
}

}  // namespace mlpac
