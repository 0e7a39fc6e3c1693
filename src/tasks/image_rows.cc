#include "tasks/image_rows.h"

#include "nn/torch.h"

namespace mlpac {

namespace {

class ImageRows : public Dataset {
 public:
  ImageRows(const ImageTable& images, bool augment) : augment_(augment) {
    const auto count = static_cast<std::int64_t>(images.size());
    pixels_ = at::empty({count, images.height, images.width, 3}, at::kByte);
    std::copy(images.pixels.begin(), images.pixels.end(), pixels_.data_ptr<std::uint8_t>());
  }

  std::int64_t items() const override { return pixels_.size(0); }

  void collate(std::span<const std::int64_t> items, at::Device device, Batch& batch) const override {
    if (pixels_.device() != device) pixels_ = pixels_.to(device);  // once: small data lives where it is used
    batch.rows.assign(items.begin(), items.end());
    const auto count = static_cast<std::int64_t>(items.size());
    const auto index = torch::from_blob(batch.rows.data(), {count}, at::kLong).to(device);
    batch.inputs = {channels_first(pixels_.index_select(0, index))};
  }

  void augment(Batch& batch) const override {
    if (!augment_ || batch.rows.empty()) return;
    constexpr std::int64_t kShift = 4;
    const auto& x = batch.inputs.front();
    const auto draws = batch.draws.uniform("augment", 3);
    const auto whole = [&](std::int64_t column, std::int64_t values) {
      return (draws.select(1, column) * values).to(at::kLong).unsqueeze(1);
    };
    const auto rows = at::arange(x.size(2), draws.options().dtype(at::kLong)).unsqueeze(0) + whole(0, 2 * kShift + 1);
    const auto straight = at::arange(x.size(3), rows.options()).unsqueeze(0);
    const auto mirrored = whole(1, 2) == 1;
    const auto columns = at::where(mirrored, x.size(3) - 1 - straight, straight) + whole(2, 2 * kShift + 1);
    const auto padded = at::constant_pad_nd(x, {kShift, kShift, kShift, kShift}).permute({0, 2, 3, 1});
    const auto image = at::arange(x.size(0), rows.options()).view({-1, 1, 1});
    batch.inputs = {padded.index({image, rows.unsqueeze(2), columns.unsqueeze(1)}).permute({0, 3, 1, 2})};
  }

 private:
  /// Bytes [rows x height x width x 3] as floats [rows x 3 x height x width] whose channels lie together.
  static at::Tensor channels_first(const at::Tensor& bytes) {
    return bytes.to(at::kFloat).div_(255).permute({0, 3, 1, 2});
  }

  mutable at::Tensor pixels_;
  bool augment_;
};

}  // namespace

std::shared_ptr<const Dataset> image_rows(const ImageTable& images, bool augment) {
  return std::make_shared<ImageRows>(images, augment);
}

}  // namespace mlpac
