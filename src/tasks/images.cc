#include "tasks/images.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/log.h"
#include "core/random.h"
#include "core/signals.h"
#include "data/annotation_pattern.h"
#include "mlpac/error.h"
#include "tasks/image_items.h"
#include "tasks/image_lists.h"
#include "tasks/pack.h"
#include "tasks/partial_labels.h"

namespace mlpac {

namespace {

constexpr int kUsualSide = 448;  // of the published experiments

/// The side that --image-size asks for; 0: the longest side of the first images, at most what is usual.
int image_side(const Options& options, const ImageSource& images) {
  if (const auto given = options.integer("image-size"); given > 0) return static_cast<int>(given);
  constexpr std::size_t kLookedAt = 64;
  constexpr int kMultiple = 4;  // what every network takes
  int longest = 32;
  for (std::size_t i = 0; i < std::min(kLookedAt, images.size()) && longest < kUsualSide; ++i) {
    const auto image = images.read(i, {});
    longest = std::max({longest, image.width, image.height});
  }
  return std::min(kUsualSide, (longest + kMultiple - 1) / kMultiple * kMultiple);
}

PixelNormalisation parse_pixels(const std::string& name) {
  return name == "imagenet" ? kImageNetNormalisation : PixelNormalisation{};
}

ImageMemory memory_of(const Options& options) {
  return {options.integer("image-memory") << 20, static_cast<int>(options.integer("threads")),
          [] { return StopSignals::received() != 0; }};
}

/// Of names, sizes and labels: reading all bytes of a large set again would take minutes.
std::string fingerprint_of(const ImageSource& images, const Labels& labels, int side) {
  std::uint64_t hash = fnv1a64("images") ^ static_cast<std::uint64_t>(side);
  const auto add = [&](std::uint64_t value) { hash = mix64(hash ^ value); };
  for (std::size_t i = 0; i < images.size(); ++i) {
    add(fnv1a64(images.file(i).filename().string()));
    add(images.bytes(i));
    for (const auto& entry : labels.row(static_cast<std::int64_t>(i))) {
      add(static_cast<std::uint64_t>(i) << 32 | static_cast<std::uint32_t>(entry.column * 4 + entry.state));
    }
  }
  return fmt::format("{:016x}", hash);
}

nlohmann::json facts_of(const ImageList& list) {
  return {{"images", list.size()},
          {"skipped_images", list.skipped.images},
          {"skipped_annotations", list.skipped.annotations}};
}

void append(std::vector<std::string>& lines, const std::vector<std::string>& more) {
  lines.insert(lines.end(), more.begin(), more.end());
}

}  // namespace

Problem load_image_labels(const Options& options) {
  if (!options.has("train")) {
    throw UsageError(
        "--train is needed: annotations of COCO (.json), a folder of Pascal VOC, or a list (.csv) of files and labels");
  }
  if (find_network(options.text("network")).input != NetworkInput::images) {
    throw UsageError(fmt::format("--network {}: it reads features; for images choose another (mlpac list networks)",
                                 options.text("network")));
  }
  auto images = find_images(options, ImageRole::train, {});
  auto& list = images.list;
  ImageRecipe recipe;
  recipe.size = image_side(options, *images.source);
  recipe.upright = options.flag("upright");
  recipe.normalisation = parse_pixels(options.text("pixels"));
  const auto plain = recipe;
  recipe.shift = options.flag("augment");
  recipe.flip = options.flag("flip");
  recipe.cutout = options.number("cutout");
  recipe.rand_augment = options.flag("rand-augment");

  Problem problem;
  problem.fingerprint = fingerprint_of(*images.source, list.labels, recipe.size);
  problem.facts["train"] = facts_of(list);
  append(problem.warnings, skip_warnings(list.skipped, options.text("train")));
  const auto names = list.label_names;
  problem.ids = std::move(list.ids);
  hide_labels(problem, options, std::move(list.labels), {problem.ids, names}, options.text("train"));
  set_prior(problem, options, names, nullptr);
  problem.decision.threshold_class = options.text("threshold-class") == "on";
  const auto outputs = problem.annotated.classes() + (problem.decision.threshold_class ? 1 : 0);
  problem.architecture = image_architecture(options, recipe.size, outputs);
  problem.description = {
      {"labels", names}, {"size", recipe.size}, {"upright", recipe.upright}, {"pixels", options.text("pixels")}};
  create_network(problem.architecture);  // refuses a size before all images are decoded
  problem.train = image_items(images.source, recipe, memory_of(options));
  if (options.has("test")) {
    auto test = find_images(options, ImageRole::test, names);
    problem.facts["test"] = facts_of(test.list);
    append(problem.warnings, skip_warnings(test.list.skipped, options.text("test")));
    problem.test_truth = std::move(test.list.labels);
    problem.test = image_items(test.source, plain, memory_of(options));
  }
  if (!problem.truth) {
    append(problem.warnings,
           annotation_warnings(problem.annotated, names, problem.test_truth ? &*problem.test_truth : nullptr));
  }
  return problem;
}

Application apply_image_labels(const nlohmann::json& description, const Options& options, bool labels_required) {
  if (!options.has("data")) {
    throw UsageError(
        "--data is needed: a folder of images, annotations of COCO (.json), a folder of Pascal VOC, or a list (.csv)");
  }
  auto [list, labelled, source] =
      find_images(options, ImageRole::data, description.at("labels").get<std::vector<std::string>>());
  if (!labelled && labels_required) {
    throw Error(
        fmt::format("{}: is a folder of images without labels; to evaluate, name annotations of COCO, a folder "
                    "of Pascal VOC, or a list (.csv)",
                    options.text("data")));
  }
  for (const auto& line : skip_warnings(list.skipped, options.text("data"))) log_warning(line);
  ImageRecipe recipe;
  recipe.size = description.at("size").get<int>();
  recipe.upright = description.at("upright").get<bool>();
  recipe.normalisation = parse_pixels(description.at("pixels").get<std::string>());
  Application application;
  if (labelled) application.labels = std::move(list.labels);
  application.ids = std::move(list.ids);
  application.files = std::move(list.files);
  application.data = image_items(source, recipe, {});  // each is used once
  return application;
}

std::string pack_images(const PackRequest& request) {
  if (request.inputs.size() != 1) throw UsageError("images: one list or folder is packed at a time");
  const auto& input = request.inputs.front();
  const auto like = pattern_of(request.options);
  const auto labels = like.is_null() ? std::vector<std::string>() : like.at("labels").get<std::vector<std::string>>();
  request.progress(0, "looking at " + input);
  const auto found =
      find_images_in(input, request.options, like.is_null() ? ImageRole::train : ImageRole::data, labels);
  if (is_store(input)) throw Error(fmt::format("{}: is a store already", input));
  for (const auto& line : skip_warnings(found.list.skipped, input)) log_warning(line);
  const auto bytes = write_image_store(request.out, found.list, found.labelled, request.overwrite,
                                       [&](double share) { request.progress(share, "packing " + input); });
  return fmt::format("{} images, {:.1f} MB", found.list.size(), static_cast<double>(bytes) / 1e6);
}

}  // namespace mlpac
