#include "images/image_store.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "mlpac/error.h"

namespace mlpac {

namespace {

constexpr std::string_view kKind = "images";

std::string_view part(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class StoredImages : public ImageSource {
 public:
  StoredImages(std::shared_ptr<const Store> store, std::span<const std::uint8_t> bytes,
               std::vector<std::int64_t> offsets, std::vector<std::string> files)
      : store_(std::move(store)), bytes_(bytes), offsets_(std::move(offsets)), files_(std::move(files)) {}

  std::size_t size() const override { return files_.size(); }
  Image read(std::size_t image, const DecodeOptions& options) const override {
    const auto encoded = encoded_bytes(image);
    auto decoded = decode_image(encoded, fmt::format("{}({})", store_->source(), files_[image]), options);
    if (store_->file() != nullptr) store_->file()->was_read(encoded.size());
    return decoded;
  }
  std::filesystem::path file(std::size_t image) const override { return files_[image]; }
  std::uint64_t bytes(std::size_t image) const override { return encoded_bytes(image).size(); }
  void will_need(std::span<const std::int64_t> images) const override {
    if (store_->file() == nullptr) return;
    for (const auto image : images) {
      store_->file()->will_need(part(encoded_bytes(static_cast<std::size_t>(image))));
    }
  }

 private:
  std::span<const std::uint8_t> encoded_bytes(std::size_t image) const {
    const auto first = static_cast<std::size_t>(offsets_[image]);
    return bytes_.subspan(first, static_cast<std::size_t>(offsets_[image + 1]) - first);
  }

  std::shared_ptr<const Store> store_;
  std::span<const std::uint8_t> bytes_;
  std::vector<std::int64_t> offsets_;
  std::vector<std::string> files_;
};

}  // namespace

std::uint64_t write_image_store(const std::filesystem::path& path, const ImageList& list, bool labelled, bool overwrite,
                                const std::function<void(double)>& progress) {
  StoreWriter writer(path, std::string(kKind), {{"labelled", labelled}}, overwrite);
  const auto images = writer.begin<std::uint8_t>("images");
  std::vector<std::int64_t> offsets{0};
  std::vector<std::string> files;
  for (std::size_t i = 0; i < list.size(); ++i) {
    progress(static_cast<double>(i) / static_cast<double>(list.size()));
    const auto bytes = read_file(list.files[i]);
    writer.append<std::uint8_t>(images, {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    offsets.push_back(offsets.back() + static_cast<std::int64_t>(bytes.size()));
    files.push_back(std::filesystem::absolute(list.files[i]).string());
  }
  writer.add<std::int64_t>("image_offsets", offsets);
  writer.add_labels(list.labels);
  writer.add_strings("label_names", list.label_names);
  writer.add_strings("ids", list.ids);
  writer.add_strings("files", files);
  auto& about = writer.about();
  about["rows"] = list.size();
  about["bytes"] = offsets.back();
  about["skipped_images"] = list.skipped.images;
  about["skipped_annotations"] = list.skipped.annotations;
  writer.commit();
  return writer.bytes();
}

SourcedImages open_image_store(const std::shared_ptr<const Store>& store, const std::vector<std::string>& label_names) {
  store->require_kind(kKind);
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max() / 64;
  const auto rows = store->whole("rows", 0, kMost);
  const auto size = store->whole("bytes", 0, kMost);
  SourcedImages result;
  result.labelled = store->about().value("labelled", nlohmann::json()) == true;
  auto& list = result.list;
  list.skipped.images = store->whole("skipped_images", 0, kMost);
  list.skipped.annotations = store->whole("skipped_annotations", 0, kMost);
  list.ids = store->strings("ids");
  auto files = store->strings("files");
  if (list.ids.size() != static_cast<std::size_t>(rows) || files.size() != static_cast<std::size_t>(rows)) {
    store->fail("its names do not fit its images");
  }
  list.files.assign(files.begin(), files.end());
  list.label_names = store->strings("label_names");
  list.labels = store->labels(rows, static_cast<std::int32_t>(list.label_names.size()));
  if (!label_names.empty()) {
    list.labels = with_label_names(std::move(list.labels), list.label_names, label_names, store->source());
    list.label_names = label_names;
  }
  const auto bytes = store->mapped<std::uint8_t>("images", static_cast<std::size_t>(size));
  result.source =
      std::make_shared<StoredImages>(store, bytes, store->offsets("image_offsets", rows, size), std::move(files));
  return result;
}

SourcedImages open_image_store(const std::filesystem::path& path, const std::vector<std::string>& label_names) {
  return open_image_store(std::make_shared<const Store>(path), label_names);
}

}  // namespace mlpac
