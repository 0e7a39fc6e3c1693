#include "tasks/repair.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "core/file.h"
#include "data/text.h"
#include "documents/add_triples.h"
#include "images/add_image_labels.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "tasks/features.h"

namespace mlpac {

namespace {

namespace fs = std::filesystem;

/// Reads the data with all its labels and those that are added: a list may not have named them yet.
FeatureData read_all(const fs::path& in, ReadOptions& read, std::span<const AddedLabel> added) {
  auto data = read_features(in, read);
  auto names = data.label_names;
  for (const auto& label : added) {
    if (std::find(names.begin(), names.end(), label.label) == names.end()) names.push_back(label.label);
  }
  read.label_names = names;
  return names == data.label_names ? std::move(data) : read_features(in, read);
}

void repair_features(const RepairSpec& spec, std::span<const AddedLabel> added) {
  auto read = read_options(spec.options);
  read.label_names = spec.label_names;
  read.schema = spec.schema;
  auto data = read_all(spec.in, read, added);
  std::unordered_map<std::string_view, std::int32_t> columns;
  for (const auto& name : data.label_names) columns.emplace(name, static_cast<std::int32_t>(columns.size()));
  std::vector<std::vector<LabelEntry>> rows;
  for (std::int64_t row = 0; row < data.labels.rows(); ++row) {
    const auto known = data.labels.row(row);
    rows.emplace_back(known.begin(), known.end());
  }
  for (const auto& label : added) {
    const auto row = static_cast<std::size_t>(label.row);
    if (row >= rows.size() || (!data.ids.empty() && data.ids[row] != label.id)) {
      throw Error(fmt::format("{}: has no row {} called {}, to which a label is to be added; is it other data?",
                              spec.in.string(), label.row, in_quotes(label.id)));
    }
    const auto column = columns.at(label.label);
    std::erase_if(rows[row], [&](const LabelEntry& entry) { return entry.column == column; });
    rows[row].push_back({column, kAnnotated});
  }
  Labels labels(data.labels.classes());
  for (auto& row : rows) labels.append(std::move(row));
  data.labels = std::move(labels);
  write_relabelled(data, spec.in, read, spec.out, spec.option);
}

}  // namespace

void write_repaired(const RepairSpec& spec, std::span<const AddedLabel> added, std::string_view provenance) {
  const auto cannot = [&](std::string_view what) {
    throw UsageError(fmt::format("--{}: {} cannot be rewritten; use the list of suggestions", spec.option, what));
  };
  std::error_code ignored;
  if (fs::equivalent(spec.in, spec.out, ignored)) {
    throw UsageError(
        fmt::format("--{} {}: the data itself is never changed; name another file", spec.option, spec.out.string()));
  }
  const auto source = spec.in.string();
  if (spec.task == "features") {
    if (spec.options.has("targets")) cannot("labels in a file of their own (--targets)");
    repair_features(spec, added);
  } else if (spec.task == "documents") {
    if (spec.options.has("targets")) cannot("triples in a file of their own (--targets)");
    write_file_atomically(spec.out, add_triples(read_file(spec.in), source, added));
  } else if (spec.task == "images" && fs::is_directory(spec.in)) {
    cannot("a folder of images");
  } else if (spec.task == "images") {
    const bool coco = equals_ignoring_case(spec.in.extension().string(), ".json");
    write_file_atomically(spec.out, coco ? add_coco_labels(read_file(spec.in), source, added)
                                         : add_image_csv_labels(read_file(spec.in), source, added));
  } else {
    cannot(fmt::format("data of the task {}", spec.task));
  }
  write_file_atomically(spec.out.string() + ".added.jsonl", provenance);
}

}  // namespace mlpac
