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
Labels labels_of(const ImageTable& images, std::int32_t positive) {
  Labels labels(1);
  for (const auto category : images.classes) {
    labels.append(category == positive ? std::vector<LabelEntry>{{0, kAnnotated}} : std::vector<LabelEntry>());
  }
  return labels;
}

std::string fingerprint_of(const ImageTable& images) {
  std::uint64_t hash = fnv1a64("binary-pu");
  std::size_t at = 0;
  for (std::uint64_t word = 0; at + sizeof word <= images.pixels.size(); at += sizeof word) {
    std::memcpy(&word, images.pixels.data() + at, sizeof word);
    hash = mix64(hash ^ word);
  }
  for (; at < images.pixels.size(); ++at) hash = mix64(hash ^ images.pixels[at]);
  for (const auto category : images.classes) hash = mix64(hash ^ static_cast<std::uint64_t>(category));
  return fmt::format("{:016x}", hash);
}

struct Images {
  ImageTable train;
  std::optional<ImageTable> test;
};

/// Images that are not trained on, in the size of a model's; CIFAR's folder stands for its test images.
ImageTable read_more(const fs::path& folder, int size, const Options& options) {
  if (is_cifar(folder)) {
    auto test = read_cifar(folder).test;
    if (test.width != size) {
      throw Error(fmt::format("{}: CIFAR's images have {} pixels a side, but the model was trained on images of {}",
                              folder.string(), test.width, size));
    }
    return test;
  }
  auto load = load_options(options);
  load.width = load.height = size;
  return load_images(list_images(folder), load);
}

Images read_images(const Options& options) {
  const fs::path train = options.text("train");
  Images images;
  if (is_cifar(train)) {
    auto data = read_cifar(train);
    images = {std::move(data.train), std::move(data.test)};
  } else {
    images.train = load_images(list_class_folders(train), load_options(options));
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
  problem.architecture = {{"network", options.text("network")},
                          {"channels", 3},
                          {"size", images.train.width},
                          {"outputs", options.integer("label-entries")}};
  problem.description = {{"labels", names}, {"size", images.train.width}};
  problem.ids = images.train.names;
  problem.train = image_rows(images.train, {.size = images.train.width, .shift = options.flag("augment")});
  if (images.test) {
    problem.test_truth = labels_of(*images.test, positive);
    problem.test = image_rows(*images.test, {.size = images.train.width});
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
  application.data = image_rows(images, {.size = images.width});
  return application;
}

}  // namespace mlpac
