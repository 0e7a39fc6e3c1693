// Feature data: rows of numbers, a set of labels each.
#include "tasks/features.h"

#include <fmt/format.h>

#include <bit>

#include "core/random.h"
#include "data/normalise.h"
#include "mlpac/error.h"

namespace mlpac {

namespace {

/// Rows are kept dense while that is small, and made dense batch by batch otherwise.
class FeatureDataset : public Dataset {
 public:
  FeatureDataset(FeatureMatrix features, Normaliser normaliser)
      : features_(std::move(features)), normaliser_(std::move(normaliser)) {
    constexpr std::int64_t kDenseLimit = std::int64_t{1} << 28;  // 1 GiB of float32
    if (features_.rows() * std::max<std::int64_t>(1, features_.columns) > kDenseLimit) return;
    dense_ = at::empty({features_.rows(), features_.columns}, at::kFloat);
    for (std::int64_t row = 0; row < features_.rows(); ++row) {
      normaliser_.apply(features_, row, dense_.data_ptr<float>() + row * features_.columns);
    }
  }

  std::int64_t items() const override { return features_.rows(); }

  void collate(std::span<const std::int64_t> items, at::Device device, Batch& batch) const override {
    batch.rows.assign(items.begin(), items.end());
    const auto count = static_cast<std::int64_t>(items.size());
    if (dense_.defined()) {
      if (dense_.device() != device) dense_ = dense_.to(device);  // once: small data lives where it is used
      const auto index = torch::from_blob(batch.rows.data(), {count}, at::kLong).to(device);
      batch.inputs = {dense_.index_select(0, index)};
      return;
    }
    auto rows = at::empty({count, features_.columns}, at::kFloat);
    for (std::int64_t i = 0; i < count; ++i) {
      normaliser_.apply(features_, items[static_cast<std::size_t>(i)], rows.data_ptr<float>() + i * features_.columns);
    }
    batch.inputs = {rows.to(device)};
  }

 private:
  FeatureMatrix features_;
  Normaliser normaliser_;
  mutable at::Tensor dense_;
};

std::string fingerprint_of(const FeatureData& data) {
  std::uint64_t hash = fnv1a64("features");
  const auto add = [&](std::uint64_t value) { hash = mix64(hash ^ value); };
  for (std::size_t i = 0; i < data.features.values.size(); ++i) {
    add((static_cast<std::uint64_t>(data.features.indices[i]) << 32) |
        std::bit_cast<std::uint32_t>(data.features.values[i]));
  }
  for (const std::int64_t offset : data.features.offsets) add(static_cast<std::uint64_t>(offset));
  for (std::int64_t row = 0; row < data.labels.rows(); ++row) {
    for (const auto& entry : data.labels.row(row)) {
      add(static_cast<std::uint64_t>(row) << 32 | static_cast<std::uint32_t>(entry.column * 4 + entry.state));
    }
  }
  return fmt::format("{:016x}", hash);
}

ReadOptions read_options(const Options& options) {
  ReadOptions read;
  read.label_file = options.text("labels");
  read.format = options.text("format");
  return read;
}

}  // namespace

Problem feature_problem(const Options& options, const FeatureData& data, const FeatureData* test) {
  if (data.features.columns == 0) throw Error(fmt::format("{}: there are no features to learn from", data.source));
  if (data.labels.count(kAnnotated) == 0) throw Error(fmt::format("{}: no label is annotated", data.source));
  const auto normaliser = Normaliser::fit(data.features, options.text("normalise"));
  Problem problem;
  problem.train = std::make_shared<FeatureDataset>(data.features, normaliser);
  if (options.has("ratio")) {
    const auto seed = static_cast<std::uint64_t>(options.integer("label-seed"));
    problem.annotated = hide_exact(data.labels, options.number("ratio"), seed);
    problem.truth = data.labels;
    if (problem.annotated.count(kAnnotated) == 0) {
      throw Error(fmt::format("--ratio {}: none of the {} positives of {} stays annotated; raise it",
                              options.text("ratio"), data.labels.count(kAnnotated), data.source));
    }
  } else {
    problem.annotated = data.labels;
  }
  if (test != nullptr) {
    problem.test = std::make_shared<FeatureDataset>(align_columns(*test, data.feature_names), normaliser);
    problem.test_truth = test->labels;
  }
  problem.split = split_items(data.features.rows(), options.number("validation"),
                              static_cast<std::uint64_t>(options.integer("seed")));
  problem.architecture = {{"network", options.text("network")},
                          {"inputs", data.features.columns},
                          {"outputs", data.labels.classes()},
                          {"widths", options.integers("widths")},
                          {"dropout", options.number("dropout")}};
  problem.description = {
      {"labels", data.label_names}, {"features", data.feature_names}, {"normalisation", normaliser.to_json()}};
  problem.fingerprint = fingerprint_of(data);
  return problem;
}

Application apply_features(const nlohmann::json& description, const FeatureData& data) {
  const auto names = description.at("features").get<std::vector<std::string>>();
  Application application;
  application.data = std::make_shared<FeatureDataset>(align_columns(data, names),
                                                      Normaliser::from_json(description.at("normalisation")));
  application.labels = data.labels;
  return application;
}

Problem load_features(const Options& options) {
  if (!options.has("train")) throw UsageError("--train FILE is needed (try: mlpac demo)");
  const auto data = read_features(options.text("train"), read_options(options));
  if (!options.has("test")) return feature_problem(options, data, nullptr);
  auto read = read_options(options);
  read.label_names = data.label_names;
  const auto test = read_features(options.text("test"), read);
  return feature_problem(options, data, &test);
}

Application apply_feature_file(const nlohmann::json& description, const Options& options, bool labels_required) {
  if (!options.has("data")) throw UsageError("--data FILE is needed");
  ReadOptions read;
  read.format = options.text("format");
  read.label_names = description.at("labels").get<std::vector<std::string>>();
  read.labels_required = labels_required;
  return apply_features(description, read_features(options.text("data"), read));
}

}  // namespace mlpac
