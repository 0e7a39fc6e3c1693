// Feature data: rows of numbers, a set of labels each.
#include "tasks/features.h"

#include <fmt/format.h>

#include <optional>

#include "data/annotation_pattern.h"
#include "data/normalise.h"
#include "mlpac/error.h"
#include "tasks/feature_rows.h"
#include "tasks/pack.h"
#include "tasks/partial_labels.h"

namespace mlpac {

namespace {

std::int64_t row_memory(const Options& options) { return options.integer("row-memory") << 20; }

/// The rows in the columns of a model.
FeatureView aligned(const FeatureTable& table, const std::vector<std::string>& names, std::int32_t columns) {
  return table.rows.with_columns(match_columns(table.about, table.rows.columns(), names, columns), columns);
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

Problem feature_problem(const Options& options, FeatureTable table, std::optional<FeatureTable> test) {
  auto& data = table.about;
  if (table.rows.columns() == 0) throw Error(fmt::format("{}: there are no features to learn from", data.source));
  table.summarise();
  const auto normaliser = Normaliser::fit(*table.statistics, options.text("normalise"));
  const bool sparse = worth_sparse(table.rows);
  const auto memory = row_memory(options);
  Problem problem;
  problem.fingerprint = table.fingerprint;
  hide_labels(problem, options, std::move(data.labels), {data.ids, data.label_names}, data.source);
  set_prior(problem, options, data.label_names, &table.rows);
  if (!problem.truth) {
    problem.warnings = annotation_warnings(problem.annotated, data.label_names, test ? &test->about.labels : nullptr);
  }
  const auto columns = table.rows.columns();
  if (find_network(options.text("network")).input != NetworkInput::features) {
    throw UsageError(fmt::format("--network {}: it reads images; for features choose another (mlpac list networks)",
                                 options.text("network")));
  }
  if (options.integer("label-entries") != 1) {
    throw UsageError("--label-entries 2 is for --task binary-pu; features have an entry for every label");
  }
  problem.decision.threshold_class = options.text("threshold-class") == "on";
  const auto outputs = problem.annotated.classes() + (problem.decision.threshold_class ? 1 : 0);
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
    problem.test_truth = test->about.labels;
    problem.test = feature_rows(aligned(*test, data.feature_names, columns), normaliser, sparse, memory);
  }
  problem.ids = std::move(data.ids);
  problem.train = feature_rows(std::move(table.rows), normaliser, sparse, memory);
  return problem;
}

Application apply_features(const nlohmann::json& description, FeatureTable table, std::int64_t memory) {
  const auto names = description.at("features").get<std::vector<std::string>>();
  const auto& architecture = description.at("architecture");
  Application application;
  application.labels = std::move(table.about.labels);
  application.ids = std::move(table.about.ids);
  const auto normaliser = Normaliser::from_json(description.at("normalisation"));
  application.data = feature_rows(aligned(table, names, architecture.at("inputs").get<std::int32_t>()), normaliser,
                                  architecture.value("sparse", false), memory);
  return application;
}

Problem load_features(const Options& options) {
  if (!options.has("train")) throw UsageError("--train FILE is needed (try: mlpac demo)");
  auto read = read_options(options);
  auto data = open_features(options.text("train"), read);
  std::optional<FeatureTable> test;
  if (options.has("test")) {
    read.label_names = data.about.label_names;
    read.schema = data.about.schema;
    read.target_file = options.text("test-targets");
    test = open_features(options.text("test"), read);
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
  return apply_features(description, open_features(options.text("data"), read), row_memory(options));
}

std::string pack_features(const PackRequest& request) {
  auto read = read_options(request.options);
  if (request.inputs.size() > 1 && !read.target_file.empty()) {
    throw UsageError("--targets: belongs to one input; pack several one by one, or put labels into their files");
  }
  if (const auto like = pattern_of(request.options); !like.is_null()) {
    read.label_names = like.at("labels").get<std::vector<std::string>>();
    read.schema = like.value("schema", nlohmann::json());
    read.labels_required = false;
  }
  std::optional<FeatureStoreWriter> writer;
  const auto inputs = static_cast<double>(request.inputs.size());
  for (std::size_t i = 0; i < request.inputs.size(); ++i) {
    const auto tell = [&](double share, std::string_view what) {
      request.progress((static_cast<double>(i) + share) / inputs, fmt::format("{} {}", what, request.inputs[i]));
    };
    tell(0, "reading");
    if (!read.label_names.empty()) read.label_file.clear();  // they are known by now
    const auto data = read_features(request.inputs[i], read);
    if (!writer) {
      writer.emplace(request.out, data, request.overwrite);
      // The first input decides what columns and labels mean; the others are read as it was.
      read.label_names = data.label_names;
      read.schema = data.schema;
    }
    constexpr double kReading = 0.5;
    writer->append(data, [&](double share) { tell(kReading + (1 - kReading) * share, "packing"); });
  }
  writer->commit();
  return fmt::format("{} rows, {}, {:.1f} MB", writer->rows(), writer->dense() ? "dense" : "sparse",
                     static_cast<double>(writer->bytes()) / 1e6);
}

}  // namespace mlpac
