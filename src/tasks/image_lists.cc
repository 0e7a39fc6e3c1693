#include "tasks/image_lists.h"

#include <fmt/format.h>

#include <algorithm>

#include "mlpac/error.h"
#include "mlpac/image_table.h"

namespace mlpac {

namespace {

namespace fs = std::filesystem;

/// The options that speak of one list.
struct ListOptions {
  std::string_view path;
  std::string_view folder;
  std::string_view voc_set;
};

ListOptions options_of(ImageRole role) {
  switch (role) {
    case ImageRole::train:
      return {"train", "images", "voc-set"};
    case ImageRole::test:
      return {"test", "test-images", "test-voc-set"};
    case ImageRole::data:
      return {"data", "images", "test-voc-set"};
  }
  return {};
}

bool has_extension(const fs::path& path, std::string_view extension) {
  auto own = path.extension().string();
  std::transform(own.begin(), own.end(), own.begin(), [](unsigned char c) { return std::tolower(c); });
  return own == extension;
}

/// Where COCO's archives put the images of annotations/instances_NAME.json: in NAME, beside the folder of annotations.
fs::path coco_folder(const fs::path& annotations) {
  constexpr std::string_view kPrefix = "instances_";
  auto name = annotations.stem().string();
  if (name.starts_with(kPrefix)) name.erase(0, kPrefix.size());
  const auto beside = fs::absolute(annotations).parent_path();
  for (const auto& folder : {beside.parent_path() / name, beside / name, beside.parent_path() / "images" / name}) {
    if (fs::is_directory(folder)) return folder;
  }
  return beside;
}

Difficult parse_difficult(const std::string& name) {
  if (name == "unknown") return Difficult::unknown;
  return name == "positive" ? Difficult::positive : Difficult::negative;
}

bool is_voc(const fs::path& path) { return fs::is_directory(path / "ImageSets" / "Main"); }

SourcedImages read_folder(const fs::path& folder) {
  SourcedImages found;
  found.labelled = false;
  auto files = list_images(folder).files;
  for (const auto& file : files) found.list.ids.push_back(file.lexically_relative(folder).string());
  found.list.files = std::move(files);
  return found;
}

SourcedImages read_list(const fs::path& path, const Options& options, const ListOptions& names,
                        const ImageListOptions& how) {
  if (!fs::exists(path)) {
    throw Error(
        fmt::format("{}: there is no such file or folder; --{} wants annotations of COCO (.json), a folder of "
                    "Pascal VOC, or a list (.csv)",
                    path.string(), names.path));
  }
  const bool given = options.has(names.folder);
  const fs::path folder = given ? fs::path(options.text(names.folder)) : fs::path();
  if (given && !fs::is_directory(folder)) {
    throw Error(fmt::format("--{} {}: there is no such folder; name the one that holds the images of {}", names.folder,
                            folder.string(), path.string()));
  }
  if (is_voc(path)) {
    const VocOptions voc{.difficult = parse_difficult(options.text("difficult"))};
    return {read_voc(path, options.text(names.voc_set), how, voc), true, nullptr};
  }
  if (fs::is_directory(path)) {
    if (names.path == "data") return read_folder(path);
    throw Error(
        fmt::format("{}: is a folder without ImageSets/Main; --{} wants annotations of COCO (.json), a folder of "
                    "Pascal VOC, or a list (.csv) of files and their labels",
                    path.string(), names.path));
  }
  if (has_extension(path, ".json")) {
    return {read_coco(path, given ? folder : coco_folder(path), how), true, nullptr};
  }
  return {read_image_csv(path, given ? folder : fs::absolute(path).parent_path(), how), true, nullptr};
}

/// Which images a store holds was settled when it was made.
SourcedImages read_store(const fs::path& path, const Options& options, const std::vector<std::string>& label_names) {
  auto found = open_image_store(path, label_names);
  const auto unlabelled = [&](std::int64_t row) {
    const auto entries = found.list.labels.row(row);
    return std::none_of(entries.begin(), entries.end(), [](const auto& entry) { return entry.state == kAnnotated; });
  };
  if (options.flag("keep-unlabelled") || !found.labelled) return found;
  for (std::int64_t row = 0; row < found.list.labels.rows(); ++row) {
    if (unlabelled(row)) {
      throw UsageError(
          fmt::format("--keep-unlabelled false: {} was made with images without a positive label; make it "
                      "again with mlpac pack --keep-unlabelled false",
                      path.string()));
    }
  }
  return found;
}

SourcedImages find(const fs::path& path, const Options& options, ImageRole role,
                   const std::vector<std::string>& label_names, bool look_at_all) {
  if (is_store(path)) return read_store(path, options, label_names);
  ImageListOptions how;
  how.label_names = label_names;
  how.on_error = options.text("on-error") == "skip" ? OnError::skip : OnError::stop;
  how.keep_unlabelled = options.flag("keep-unlabelled");
  auto found = read_list(path, options, options_of(role), how);
  if (!found.labelled) {
    found.list.label_names = label_names;
    found.list.labels = Labels(static_cast<std::int32_t>(label_names.size()));
    for (std::size_t i = 0; i < found.list.size(); ++i) found.list.labels.append({});
  }
  if (look_at_all || how.on_error == OnError::skip) {
    check_images(found.list, how.on_error, static_cast<int>(options.integer("threads")));
  }
  found.source = source_of_files(found.list.files);
  return found;
}

}  // namespace

SourcedImages find_images(const Options& options, ImageRole role, const std::vector<std::string>& label_names) {
  // Before hours of training; what is decoded once, to be predicted, reports itself.
  const bool look_at_all = role != ImageRole::data;
  return find(options.text(options_of(role).path), options, role, label_names, look_at_all);
}

SourcedImages find_images_in(const std::filesystem::path& path, const Options& options, ImageRole role,
                             const std::vector<std::string>& label_names) {
  return find(path, options, role, label_names, true);
}

std::vector<std::string> skip_warnings(const Skipped& skipped, const std::string& source) {
  constexpr std::size_t kShown = 20;
  if (skipped.images == 0 && skipped.annotations == 0) return {};
  std::vector<std::string> lines(
      skipped.messages.begin(),
      skipped.messages.begin() + static_cast<std::ptrdiff_t>(std::min(kShown, skipped.messages.size())));
  const auto rest = skipped.images + skipped.annotations - static_cast<std::int64_t>(lines.size());
  lines.push_back(fmt::format("{}: {} images and {} annotations were left out{}", source, skipped.images,
                              skipped.annotations, rest > 0 ? fmt::format(", {} of them not named here", rest) : ""));
  return lines;
}

}  // namespace mlpac
