// Feature data: rows of numbers, a set of labels each.
#include "tasks/features.h"

#include <fmt/format.h>

#include <bit>
#include <optional>

#include "core/random.h"
#include "data/annotation_pattern.h"
#include "data/normalise.h"
#include "mlpac/error.h"
#include "tasks/feature_rows.h"
#include "tasks/partial_labels.h"

namespace mlpac {

namespace {

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

}  // namespace

ReadOptions read_options(const Options& options) {
  ReadOptions read;
  read.label_file = options.text("labels");
  read.format = options.text("format");
  read.target_file = options.text("targets");
  read.label_columns = options.words("label-columns");
  read.label_list = options.text("label-list");
  read.label_separators = options.text("label-separators");
  read.id_column = options.text("id");
  read.ignored_columns = options.words("ignore");
  read.text_columns = options.words("text-columns");
  read.text.hashed = options.text("text-encoding") == "hashed";
  read.text.columns = options.integer("text-features");
  read.text.ngrams = options.integer("ngrams");
  read.text.min_rows = options.integer("min-rows");
  return read;
}

Problem feature_problem(const Options& options, FeatureData data, std::optional<FeatureData> test) {
  if (data.features.columns == 0) throw Error(fmt::format("{}: there are no features to learn from", data.source));
  const auto normaliser = Normaliser::fit(data.features, options.text("normalise"));
  const bool sparse = worth_sparse(data.features);
  Problem problem;
  problem.fingerprint = fingerprint_of(data);
  hide_labels(problem, options, data.labels, {data.ids, data.label_names}, data.source);
  set_prior(problem, options, data.label_names, &data.features);
  if (!problem.truth) {
    problem.warnings = annotation_warnings(problem.annotated, data.label_names, test ? &test->labels : nullptr);
  }
  const auto columns = data.features.columns;
  if (find_network(options.text("network")).input != NetworkInput::features) {
    throw UsageError(fmt::format("--network {}: it reads images; for features choose another (mlpac list networks)",
                                 options.text("network")));
  }
  if (options.integer("label-entries") != 1) {
    throw UsageError("--label-entries 2 is for --task binary-pu; features have an entry for every label");
  }
  problem.decision.threshold_class = options.text("threshold-class") == "on";
  const auto outputs = data.labels.classes() + (problem.decision.threshold_class ? 1 : 0);
  problem.architecture = {{"network", options.text("network")},
                          {"inputs", columns},
                          {"outputs", outputs},
                          {"widths", options.integers("widths")},
                          {"dropout", options.number("dropout")},
                          {"sparse", sparse}};
  if (options.text("network") == "cosine") {
    if (problem.decision.threshold_class) {
      throw UsageError("--threshold-class on: the cosine network has a none class already; leave it off");
    }
    problem.architecture["scale"] = options.number("cosine-scale");
  }
  problem.description = {{"labels", data.label_names},
                         {"features", data.feature_names},
                         {"normalisation", normaliser.to_json()},
                         {"schema", data.schema}};
  if (test) {
    problem.test_truth = test->labels;
    problem.test = feature_rows(align_columns(std::move(*test), data.feature_names, columns), normaliser, sparse);
  }
  problem.ids = std::move(data.ids);
  problem.train = feature_rows(std::move(data.features), normaliser, sparse);
  return problem;
}

Application apply_features(const nlohmann::json& description, FeatureData data) {
  const auto names = description.at("features").get<std::vector<std::string>>();
  const auto& architecture = description.at("architecture");
  Application application;
  application.labels = std::move(data.labels);
  application.ids = std::move(data.ids);
  const auto normaliser = Normaliser::from_json(description.at("normalisation"));
  application.data = feature_rows(align_columns(std::move(data), names, architecture.at("inputs").get<std::int32_t>()),
                                  normaliser, architecture.value("sparse", false));
  return application;
}

Problem load_features(const Options& options) {
  if (!options.has("train")) throw UsageError("--train FILE is needed (try: mlpac demo)");
  auto read = read_options(options);
  auto data = read_features(options.text("train"), read);
  std::optional<FeatureData> test;
  if (options.has("test")) {
    read.label_names = data.label_names;
    read.schema = data.schema;
    read.target_file = options.text("test-targets");
    test = read_features(options.text("test"), read);
  }
  return feature_problem(options, std::move(data), std::move(test));
}

Application apply_feature_file(const nlohmann::json& description, const Options& options, bool labels_required) {
  if (!options.has("data")) throw UsageError("--data FILE is needed");
  auto read = read_options(options);
  read.label_file.clear();  // the model knows them
  read.schema = description.at("schema");
  read.label_names = description.at("labels").get<std::vector<std::string>>();
  read.labels_required = labels_required;
  return apply_features(description, read_features(options.text("data"), read));
}

}  // namespace mlpac
