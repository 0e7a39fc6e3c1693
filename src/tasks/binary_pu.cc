#include "tasks/binary_pu.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "core/names.h"
#include "core/random.h"
#include "core/signals.h"
#include "mlpac/error.h"
#include "tasks/image_items.h"
#include "tasks/pack.h"
#include "tasks/partial_labels.h"

namespace mlpac {

namespace {

namespace fs = std::filesystem;

LoadOptions load_options(const Options& options) {
  LoadOptions load;
  load.threads = static_cast<int>(options.integer("threads"));
  load.stopped = [] { return StopSignals::received() != 0; };
  return load;
}

ImageMemory memory_of(const Options& options) {
  return {options.integer("image-memory") << 20, static_cast<int>(options.integer("threads")),
          [] { return StopSignals::received() != 0; }};
}

/// The size of the images of a run or store.
int side_of(const nlohmann::json& like) { return like.value("size", like.value("width", 0)); }

ClassFolders part_of(const ClassFolders& all, std::size_t first, std::size_t end) {
  const auto at = [](const auto& list, std::size_t i) { return list.begin() + static_cast<std::ptrdiff_t>(i); };
  return {all.class_names, {at(all.files, first), at(all.files, end)}, {at(all.classes, first), at(all.classes, end)}};
}

/// The position of the positive category; UsageError if there is none of that name.
std::int32_t positive_class(const Options& options, const std::vector<std::string>& names) {
  const auto& name = options.text("positive");
  if (name.empty())
    throw UsageError(fmt::format("--positive NAME is needed; the categories are {}", fmt::join(names, ", ")));
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) {
    throw UsageError(
        fmt::format("--positive: there is no category '{}'; the categories are {}", name, fmt::join(names, ", ")));
  }
  return static_cast<std::int32_t>(at - names.begin());
}

/// One class: whether an image is of the positive category.
Labels labels_of(const PixelTable& images, std::int32_t positive) {
  Labels labels(1);
  for (const auto category : images.classes) {
    labels.append(category == positive ? std::vector<LabelEntry>{{0, kAnnotated}} : std::vector<LabelEntry>());
  }
  return labels;
}

std::string fingerprint_of(const PixelTable& images) {
  std::uint64_t hash = fnv1a64("binary-pu");
  std::size_t at = 0;
  constexpr std::size_t kPiece = std::size_t{1} << 20U;
  for (std::uint64_t word = 0; at + sizeof word <= images.pixels.size(); at += sizeof word) {
    std::memcpy(&word, images.pixels.data() + at, sizeof word);
    hash = mix64(hash ^ word);
    if (images.file != nullptr && at % kPiece == 0) images.file->was_read(kPiece);
  }
  for (; at < images.pixels.size(); ++at) hash = mix64(hash ^ images.pixels[at]);
  for (const auto category : images.classes) hash = mix64(hash ^ static_cast<std::uint64_t>(category));
  return fmt::format("{:016x}", hash);
}

struct Images {
  PixelTable train;
  std::optional<PixelTable> test;
};

/// Images that are not trained on, in the size of a model's; CIFAR's folder stands for its test images.
PixelTable read_more(const fs::path& folder, int size, const Options& options) {
  if (is_store(folder)) {
    auto table = open_pixel_store(folder);
    if (table.width == size && table.height == size) return table;
    throw Error(
        fmt::format("{}: images of {} x {} pixels, but the model was trained on images of {}; make it again with "
                    "mlpac pack --like",
                    folder.string(), table.width, table.height, size));
  }
  if (is_cifar(folder)) {
    auto test = read_cifar(folder).test;
    if (test.width != size) {
      throw Error(fmt::format("{}: CIFAR's images have {} pixels a side, but the model was trained on images of {}",
                              folder.string(), test.width, size));
    }
    return pixel_table(std::move(test));
  }
  auto load = load_options(options);
  load.width = load.height = size;
  return pixel_table(load_images(list_images(folder), load));
}

Images read_images(const Options& options) {
  const fs::path train = options.text("train");
  Images images;
  if (is_store(train)) {
    images.train = open_pixel_store(train);
  } else if (is_cifar(train)) {
    auto data = read_cifar(train);
    images = {pixel_table(std::move(data.train)), pixel_table(std::move(data.test))};
  } else {
    images.train = pixel_table(load_images(list_class_folders(train), load_options(options)));
  }
  if (images.train.width != images.train.height) {
    throw Error(fmt::format("{}: images of {} x {} pixels, expected square ones", train.string(), images.train.width,
                            images.train.height));
  }
  if (options.has("test")) images.test = read_more(options.text("test"), images.train.width, options);
  if (images.test && images.test->class_names != images.train.class_names) {
    throw Error(fmt::format("{}: its categories ({}) are not those of the training images ({})", options.text("test"),
                            fmt::join(images.test->class_names, ", "), fmt::join(images.train.class_names, ", ")));
  }
  return images;
}

}  // namespace

Problem load_binary_pu(const Options& options) {
  if (!options.has("train")) {
    throw UsageError("--train FOLDER is needed: one folder per category, or the binary files of CIFAR");
  }
  if (find_network(options.text("network")).input != NetworkInput::images) {
    throw UsageError(fmt::format("--network {}: it reads features; for images choose another (mlpac list networks)",
                                 options.text("network")));
  }
  const auto images = read_images(options);
  const auto positive = positive_class(options, images.train.class_names);
  Problem problem;
  problem.fingerprint = fingerprint_of(images.train);
  const std::vector<std::string> names{options.text("positive")};
  hide_labels(problem, options, labels_of(images.train, positive), {images.train.names, names}, options.text("train"));
  set_prior(problem, options, names, nullptr);
  problem.decision.threshold_class = options.integer("label-entries") == 2;
  problem.architecture = image_architecture(options, images.train.width, options.integer("label-entries"));
  problem.description = {{"labels", names}, {"size", images.train.width}};
  problem.ids = images.train.names;
  const auto memory = memory_of(options);
  problem.train = image_rows(images.train, {.size = images.train.width, .shift = options.flag("augment")}, memory);
  if (images.test) {
    problem.test_truth = labels_of(*images.test, positive);
    problem.test = image_rows(*images.test, {.size = images.train.width}, memory);
  }
  return problem;
}

Application apply_binary_pu(const nlohmann::json& description, const Options& options, bool labels_required) {
  if (!options.has("data"))
    throw UsageError("--data FOLDER is needed: images, one folder per category, or CIFAR's binary files");
  const fs::path folder = options.text("data");
  const auto images = read_more(folder, description.at("size").get<int>(), options);
  const auto positive = description.at("labels").at(0).get<std::string>();
  const auto& names = images.class_names;
  const auto at = std::find(names.begin(), names.end(), positive);
  if (at == names.end() && labels_required) {
    throw Error(
        fmt::format("{}: there is no category '{}' among {}", folder.string(), positive, fmt::join(names, ", ")));
  }
  Application application;
  if (at != names.end()) application.labels = labels_of(images, static_cast<std::int32_t>(at - names.begin()));
  application.ids = images.names;
  application.data = image_rows(images, {.size = images.width}, memory_of(options));
  return application;
}

std::string pack_binary_pu(const PackRequest& request) {
  if (request.inputs.size() != 1) throw UsageError("binary-pu: one folder is packed at a time");
  const fs::path folder = request.inputs.front();
  const auto like = pattern_of(request.options);
  std::optional<PixelStoreWriter> writer;
  const auto add = [&](const ImageTable& table, double share) {
    if (!writer) writer.emplace(request.out, table.width, table.height, table.class_names, request.overwrite);
    writer->append(table);
    request.progress(share, "packing " + folder.string());
  };
  if (is_cifar(folder)) {
    auto data = read_cifar(folder);
    add(like.is_null() ? data.train : data.test, 1);
  } else {
    const auto all = like.is_null() ? list_class_folders(folder) : list_images(folder);
    auto load = load_options(request.options);
    if (!like.is_null()) load.width = load.height = side_of(like);
    constexpr std::size_t kAtOnce = 1024;  // decoded by all threads, then written
    for (std::size_t first = 0; first < all.files.size(); first += kAtOnce) {
      const auto end = std::min(first + kAtOnce, all.files.size());
      add(load_images(part_of(all, first, end), load),
          static_cast<double>(end) / static_cast<double>(all.files.size()));
    }
  }
  if (!writer) throw Error(fmt::format("{}: there are no images", folder.string()));
  writer->commit();
  return fmt::format("{} images, {:.1f} MB", writer->size(), static_cast<double>(writer->bytes()) / 1e6);
}

}  // namespace mlpac
