// Tables of small images of one size: their pixels lie in the store as they are.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "images/image_store.h"
#include "mlpac/error.h"

namespace mlpac {

namespace {

constexpr std::string_view kKind = "pixels";

class PixelSource : public ImageSource {
 public:
  explicit PixelSource(PixelTable table) : table_(std::move(table)) {}

  std::size_t size() const override { return table_.size(); }
  Image read(std::size_t image, const DecodeOptions& /*options*/) const override {
    const auto pixels = part(image);
    Image result{table_.width, table_.height, {pixels.begin(), pixels.end()}};
    if (table_.file != nullptr) table_.file->was_read(pixels.size());
    return result;
  }
  std::filesystem::path file(std::size_t image) const override { return table_.names[image]; }
  std::uint64_t bytes(std::size_t /*image*/) const override { return table_.image_bytes(); }
  void will_need(std::span<const std::int64_t> images) const override {
    if (table_.file == nullptr) return;
    for (const auto image : images) {
      const auto pixels = part(static_cast<std::size_t>(image));
      table_.file->will_need({reinterpret_cast<const char*>(pixels.data()), pixels.size()});
    }
  }

 private:
  std::span<const std::uint8_t> part(std::size_t image) const {
    return table_.pixels.subspan(image * table_.image_bytes(), table_.image_bytes());
  }

  PixelTable table_;
};

}  // namespace

PixelTable pixel_table(ImageTable table) {
  const auto owner = std::make_shared<ImageTable>(std::move(table));
  PixelTable result;
  result.width = owner->width;
  result.height = owner->height;
  result.pixels = owner->pixels;
  result.classes = std::move(owner->classes);
  result.class_names = std::move(owner->class_names);
  result.names = std::move(owner->names);
  result.owner = owner;
  return result;
}

PixelStoreWriter::PixelStoreWriter(const std::filesystem::path& path, int width, int height,
                                   std::vector<std::string> class_names, bool overwrite)
    : width_(width),
      height_(height),
      writer_(path, std::string(kKind), {{"width", width}, {"height", height}}, overwrite),
      pixels_(writer_.begin<std::uint8_t>("pixels")),
      class_names_(std::move(class_names)) {
  writer_.set_shape(pixels_, {height, width, 3});
}

void PixelStoreWriter::append(const ImageTable& table) {
  if (table.width != width_ || table.height != height_) {
    throw Error(fmt::format("{}: is {} x {} pixels, expected {} x {} as the images before it",
                            table.names.empty() ? "an image" : table.names.front(), table.width, table.height, width_,
                            height_));
  }
  writer_.append<std::uint8_t>(pixels_, table.pixels);
  classes_.insert(classes_.end(), table.classes.begin(), table.classes.end());
  names_.insert(names_.end(), table.names.begin(), table.names.end());
}

void PixelStoreWriter::commit() {
  writer_.add<std::int32_t>("classes", classes_);
  writer_.add_strings("label_names", class_names_);
  writer_.add_strings("ids", names_);
  writer_.about()["rows"] = classes_.size();
  writer_.commit();
}

PixelTable open_pixel_store(const std::shared_ptr<const Store>& store) {
  store->require_kind(kKind);
  PixelTable table;
  const auto rows = static_cast<std::size_t>(store->whole("rows", 0, std::numeric_limits<std::int32_t>::max()));
  table.width = static_cast<int>(store->whole("width", 1, kLongestImageSide));
  table.height = static_cast<int>(store->whole("height", 1, kMostImagePixels / table.width));
  table.pixels = store->mapped<std::uint8_t>("pixels", rows * table.image_bytes());
  table.classes = store->load<std::int32_t>("classes");
  table.class_names = store->strings("label_names");
  table.names = store->strings("ids");
  const auto known = [&](std::int32_t c) { return c >= 0 && static_cast<std::size_t>(c) < table.class_names.size(); };
  if (table.classes.size() != rows || table.names.size() != rows ||
      !std::all_of(table.classes.begin(), table.classes.end(), known)) {
    store->fail("its classes and names do not fit its images");
  }
  table.file = store->file();
  table.owner = store;
  return table;
}

PixelTable open_pixel_store(const std::filesystem::path& path) {
  return open_pixel_store(std::make_shared<const Store>(path));
}

std::shared_ptr<const ImageSource> source_of_pixels(PixelTable table) {
  return std::make_shared<PixelSource>(std::move(table));
}

}  // namespace mlpac
