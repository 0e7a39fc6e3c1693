// Pascal VOC: ImageSets/Main/SPLIT.txt names the images; classes come from lists beside it or from annotations.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/file.h"
#include "data/line_reader.h"
#include "data/text.h"
#include "images/list_builder.h"
#include "images/voc_annotation.h"
#include "mlpac/error.h"
#include "mlpac/image_list.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 20> kClasses{
    "aeroplane",   "bicycle", "bird",  "boat",      "bottle", "bus",         "car",   "cat",  "chair", "cow",
    "diningtable", "dog",     "horse", "motorbike", "person", "pottedplant", "sheep", "sofa", "train", "tvmonitor"};

/// What an image shows of a class, as the lists write it.
enum class Shown : std::int8_t { absent = -1, difficult = 0, present = 1 };

std::int8_t state_of(Shown shown, Difficult difficult) {
  if (shown == Shown::present) return kAnnotated;
  if (shown == Shown::absent || difficult == Difficult::negative) return kKnownNegative;
  return difficult == Difficult::positive ? kAnnotated : kUnknown;
}

class VocReader {
 public:
  VocReader(const fs::path& folder, const std::string& split, const VocOptions& voc, ListBuilder& builder)
      : folder_(folder), split_(split), voc_(voc), builder_(builder) {
    names_ = builder.options().label_names;
    if (names_.empty()) names_.assign(kClasses.begin(), kClasses.end());
    for (std::size_t i = 0; i < names_.size(); ++i) columns_.emplace(names_[i], i);
    builder.set_labels(names_);
  }

  void add_images() {
    read_images();
    std::error_code error;
    const bool lists = voc_.source == VocSource::lists ||
                       (voc_.source == VocSource::any && fs::exists(list(names_.front() + "_" + split_), error));
    if (lists) {
      for (std::size_t c = 0; c < names_.size(); ++c) read_class(c);
    }
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      if (!lists && !read_objects(i)) continue;
      std::vector<LabelEntry> entries;
      for (std::size_t c = 0; c < names_.size(); ++c) {
        entries.push_back({static_cast<std::int32_t>(c), state_of(shown_[i * names_.size() + c], voc_.difficult)});
      }
      builder_.add(ids_[i], folder_ / "JPEGImages" / (ids_[i] + ".jpg"), std::move(entries));
    }
  }

 private:
  fs::path list(const std::string& name) const { return folder_ / "ImageSets" / "Main" / (name + ".txt"); }

  void read_images() {
    LineReader lines(list(split_));
    while (lines.next()) {
      const std::string_view id = trim(lines.line());
      if (id.empty()) continue;
      if (id.find_first_of(" \t/") != std::string_view::npos || id.find('\0') != std::string_view::npos) {
        lines.fail(fmt::format("image {}, expected one name in each line; name a split, not a class", in_quotes(id)));
      }
      if (!rows_.emplace(id, ids_.size()).second) {
        builder_.report().image(fmt::format("{}:{}: image {} is named twice, expected once", lines.source(),
                                            lines.number(), in_quotes(id)));
        continue;
      }
      ids_.emplace_back(id);
    }
    shown_.assign(ids_.size() * names_.size(), Shown::absent);
  }

  /// One list of "IMAGE FLAG"; an image that is not in it does not show the class.
  void read_class(std::size_t column) {
    LineReader lines(list(names_[column] + "_" + split_));
    std::vector<bool> seen(ids_.size());
    while (lines.next()) {
      const std::string_view line = trim(lines.line());
      if (line.empty()) continue;
      const std::size_t blank = std::min(line.find_first_of(" \t"), line.size());
      const std::string_view flag = trim(line.substr(blank));
      const auto row = rows_.find(std::string(line.substr(0, blank)));
      if (flag != "1" && flag != "-1" && flag != "0") {
        lines.fail(fmt::format("{}, expected the name of an image and 1, 0 or -1", in_quotes(line)));
      }
      if (row == rows_.end() || seen[row->second]) {
        builder_.report().annotation(fmt::format(
            "{}:{}: image {} is {}", lines.source(), lines.number(), in_quotes(line.substr(0, blank)),
            row == rows_.end() ? "not in " + list(split_).string() : std::string("named twice, expected once")));
        continue;
      }
      seen[row->second] = true;
      if (flag != "-1") show(row->second, column, flag == "1" ? Shown::present : Shown::difficult);
    }
  }

  /// The classes of one image from its XML; false if it cannot be used.
  bool read_objects(std::size_t row) {
    const fs::path path = folder_ / "Annotations" / (ids_[row] + ".xml");
    std::vector<VocObject> objects;
    try {
      objects = parse_voc_annotation(read_file(path), path.string());
    } catch (const Error& error) {
      builder_.report().image(error.what());
      return false;
    }
    for (const VocObject& object : objects) {
      const auto column = columns_.find(object.name);
      if (column == columns_.end()) {
        builder_.report().annotation(fmt::format("{}: unknown class {}, expected one of the {} of Pascal VOC",
                                                 path.string(), in_quotes(object.name), names_.size()));
        continue;
      }
      show(row, column->second, object.difficult ? Shown::difficult : Shown::present);
    }
    return true;
  }

  void show(std::size_t row, std::size_t column, Shown shown) {
    Shown& now = shown_[row * names_.size() + column];
    now = std::max(now, shown);
  }

  const fs::path& folder_;
  const std::string& split_;
  const VocOptions& voc_;
  ListBuilder& builder_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> columns_;
  std::vector<std::string> ids_;
  std::unordered_map<std::string, std::size_t> rows_;
  std::vector<Shown> shown_;  ///< images x classes
};

}  // namespace

ImageList read_voc(const fs::path& folder, const std::string& split, const ImageListOptions& options,
                   const VocOptions& voc) {
  ListBuilder builder(options, (folder / "ImageSets" / "Main" / (split + ".txt")).string());
  VocReader(folder, split, voc, builder).add_images();
  return builder.finish();
}

}  // namespace mlpac
