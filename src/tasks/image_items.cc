#include "tasks/image_items.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/random.h"
#include "images/in_order.h"
#include "mlpac/error.h"
#include "nn/upload.h"

namespace mlpac {

nlohmann::json image_architecture(const Options& options, int side, std::int64_t outputs) {
  constexpr int kSmallSide = 64;  // up to here a network's first layers must not shrink the image
  const auto& given = options.text("stem");
  const std::string stem = given != "auto" ? given : side <= kSmallSide ? "small" : "standard";
  return {{"network", options.text("network")},       {"channels", 3},     {"size", side}, {"stem", stem},
          {"width", options.number("channel-scale")}, {"outputs", outputs}};
}

namespace {

/// Shifts images [rows x 3 x height x width] by up to 4 pixels and mirrors half of them.
at::Tensor shifted(const at::Tensor& x, const Draws& keyed) {
  constexpr std::int64_t kShift = 4;
  const auto draws = keyed.uniform("augment", 3);
  const auto whole = [&](std::int64_t column, std::int64_t values) {
    return (draws.select(1, column) * values).to(at::kLong).unsqueeze(1);
  };
  const auto rows = at::arange(x.size(2), draws.options().dtype(at::kLong)).unsqueeze(0) + whole(0, 2 * kShift + 1);
  const auto straight = at::arange(x.size(3), rows.options()).unsqueeze(0);
  const auto mirrored = whole(1, 2) == 1;
  const auto columns = at::where(mirrored, x.size(3) - 1 - straight, straight) + whole(2, 2 * kShift + 1);
  const auto padded = at::constant_pad_nd(x, {kShift, kShift, kShift, kShift}).permute({0, 2, 3, 1});
  const auto image = at::arange(x.size(0), rows.options()).view({-1, 1, 1});
  return padded.index({image, rows.unsqueeze(2), columns.unsqueeze(1)}).permute({0, 3, 1, 2});
}

class ImageItems : public Dataset, private ItemSource {
 public:
  ImageItems(at::Tensor pixels, const ImageRecipe& recipe)
      : recipe_(recipe), host_(std::move(pixels)), device_(host_), count_(host_.size(0)) {}
  ImageItems(std::shared_ptr<const ImageSource> source, const ImageRecipe& recipe)
      : recipe_(recipe), source_(std::move(source)), count_(static_cast<std::int64_t>(source_->size())) {}

  std::int64_t items() const override { return count_; }

  void collate(std::span<const std::int64_t> items, at::Device device, Batch& batch) const override {
    if (device_.device() != device) device_ = host_.to(device);  // once: small data lives where it is used
    batch.rows.assign(items.begin(), items.end());
    const auto index = torch::from_blob(batch.rows.data(), {static_cast<std::int64_t>(items.size())}, at::kLong);
    batch.inputs = {channels_first(device_.index_select(0, upload(index, device)))};
  }

  void collate(std::span<const std::int64_t> items, const at::Tensor& bytes, at::Device device,
               Batch& batch) const override {
    batch.rows.assign(items.begin(), items.end());
    batch.inputs = {channels_first(bytes.to(device, /*non_blocking=*/true))};
  }

  void augment(Batch& batch) const override {
    if (recipe_.shift && !batch.rows.empty()) batch.inputs = {shifted(batch.inputs.front(), batch.draws)};
  }

  const ItemSource* source(bool training) const override {
    const bool changed = training && (recipe_.flip || recipe_.cutout > 0 || recipe_.rand_augment);
    return changed || !host_.defined() ? this : nullptr;
  }

  std::int64_t largest_sweep() const override {
    constexpr std::int64_t kPixels = std::int64_t{128} * 448 * 448;  // what fits beside the networks of a large image
    return std::clamp<std::int64_t>(kPixels / std::max(1, recipe_.size * recipe_.size), 16, 1024);
  }

  std::vector<std::int64_t> item_shape() const override { return {recipe_.size, recipe_.size, 3}; }

  void announce(std::span<const std::int64_t> items) const override {
    if (source_) source_->will_need(items);
  }

  void make(std::int64_t item, std::optional<std::uint64_t> key, std::span<std::uint8_t> bytes) const override {
    auto image = stored(static_cast<std::size_t>(item), bytes.size());
    if (key) {
      if (recipe_.flip && (bits_at(*key, 0) & 1U) != 0) image = flip_horizontally(image);
      if (recipe_.cutout > 0) cutout(image, recipe_.cutout, bits_at(*key, 1));
      if (recipe_.rand_augment) image = rand_augment(image, bits_at(*key, 2));
    }
    std::copy(image.rgb.begin(), image.rgb.end(), bytes.begin());
  }

 private:
  Image stored(std::size_t item, std::size_t size) const {
    if (!host_.defined()) return load_image(*source_, item, recipe_);
    const auto* const first = host_.data_ptr<std::uint8_t>() + item * size;
    return {recipe_.size, recipe_.size, {first, first + size}};
  }

  /// Bytes [rows x height x width x 3] as normalised floats [rows x 3 x height x width] whose channels lie together.
  at::Tensor channels_first(const at::Tensor& bytes) const {
    auto x = bytes.to(at::kFloat).div_(255);
    if (!plain_) {
      if (mean_.device() != x.device()) {
        mean_ = mean_.to(x.device());
        deviation_ = deviation_.to(x.device());
      }
      x = x.sub_(mean_).div_(deviation_);
    }
    return x.permute({0, 3, 1, 2});
  }

  ImageRecipe recipe_;
  std::shared_ptr<const ImageSource> source_;  ///< null: all images are in memory
  at::Tensor host_;                            ///< bytes [images x height x width x 3]; undefined: they are read
  mutable at::Tensor device_;                  ///< the same where it is used
  std::int64_t count_;
  bool plain_ = recipe_.normalisation.mean == PixelNormalisation{}.mean &&
                recipe_.normalisation.deviation == PixelNormalisation{}.deviation;
  mutable at::Tensor mean_ = torch::tensor(at::ArrayRef<float>(recipe_.normalisation.mean));
  mutable at::Tensor deviation_ = torch::tensor(at::ArrayRef<float>(recipe_.normalisation.deviation));
};

}  // namespace

Image load_image(const ImageSource& source, std::size_t image, const ImageRecipe& recipe) {
  auto loaded = source.read(image, {.at_least = recipe.size, .upright = recipe.upright});
  if (loaded.width == recipe.size && loaded.height == recipe.size) return loaded;
  return resize(loaded, recipe.size, recipe.size);
}

std::shared_ptr<const Dataset> image_items(std::shared_ptr<const ImageSource> source, const ImageRecipe& recipe,
                                           const ImageMemory& memory) {
  const auto images = source->size();
  const auto count = static_cast<std::int64_t>(images);
  const std::int64_t image_bytes = std::int64_t{3} * recipe.size * recipe.size;
  if (count > memory.bytes / image_bytes) return std::make_shared<ImageItems>(std::move(source), recipe);
  const auto pixels = at::empty({count, recipe.size, recipe.size, 3}, at::kByte);
  auto* const out = pixels.data_ptr<std::uint8_t>();
  const auto load = [&](std::size_t i) {
    const auto image = load_image(*source, i, recipe);
    std::copy(image.rgb.begin(), image.rgb.end(), out + static_cast<std::ptrdiff_t>(i) * image_bytes);
  };
  const auto loaded = run_in_order(images, memory.threads, load, memory.stopped);
  if (loaded < images) throw Error(fmt::format("loading was stopped after {} of {} images", loaded, count));
  return std::make_shared<ImageItems>(pixels, recipe);
}

std::shared_ptr<const Dataset> image_rows(const PixelTable& images, const ImageRecipe& recipe,
                                          const ImageMemory& memory) {
  if (images.file != nullptr) return image_items(source_of_pixels(images), recipe, memory);
  const auto pixels = at::empty({static_cast<std::int64_t>(images.size()), images.height, images.width, 3}, at::kByte);
  std::copy(images.pixels.begin(), images.pixels.end(), pixels.data_ptr<std::uint8_t>());
  return std::make_shared<ImageItems>(pixels, recipe);
}

}  // namespace mlpac
