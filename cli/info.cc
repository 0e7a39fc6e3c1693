#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "cli/command.h"
#include "core/file.h"
#include "data/annotation_pattern.h"
#include "mlpac/class_prior.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "priors/priors.h"
#include "tasks/features.h"

namespace mlpac::cli {

namespace {

namespace fs = std::filesystem;

/// "mlp, 153 inputs, 6 labels, a committee of 3"; networks of documents have no number of inputs.
std::string network_text(const nlohmann::json& model) {
  const auto& architecture = model.at("architecture");
  auto text = architecture.at("network").get<std::string>();
  if (architecture.contains("inputs")) text += fmt::format(", {} inputs", architecture.at("inputs").dump());
  if (architecture.contains("size")) text += fmt::format(", images of {} pixels", architecture.at("size").dump());
  text += fmt::format(", {} labels", model.at("labels").size());
  if (architecture.contains("members")) text += fmt::format(", a committee of {}", architecture.at("members").dump());
  return text;
}

/// What a finished run found.
std::string result_text(const nlohmann::json& result) {
  const auto& selection = result.at("selection");
  auto text = fmt::format("state      finished in {:.1f} s\nmethod     {} (task {}, seed {}",
                          result.at("seconds").at("train").get<double>(), result.at("method").get<std::string>(),
                          result.at("task").get<std::string>(), result.at("seed").dump());
  if (const auto& ratio = result.at("ratio"); !ratio.is_null()) {
    text += fmt::format("; {:.4g} % of the positives kept, label seed {}", 100 * ratio.get<double>(),
                        result.at("label_seed").dump());
  }
  text += fmt::format(")\nselected   epoch {} by {} (score {:.4g})", selection.at("epoch").dump(),
                      selection.at("rule").get<std::string>(), selection.at("score").get<double>());
  if (const auto& w = selection.at("w"); !w.is_null()) text += fmt::format(", w {:.4g}", w.get<double>());
  text += '\n';
  if (const auto& test = result.at("test"); !test.is_null()) {
    text += fmt::format("test       P {:.2f}  R {:.2f}  F1 {:.2f}  mAP {:.2f}\n", test.at("precision").get<double>(),
                        test.at("recall").get<double>(), test.at("f1").get<double>(), test.at("map").get<double>());
  }
  return text;
}

std::string run_info_text(const fs::path& run) {
  const auto config = run / "config.toml";
  const auto result_file = run / "result.json";
  if (!fs::exists(config) && !fs::exists(run / "model.json")) {
    throw Error(fmt::format("{}: not a run folder (no config.toml and no model.json in it)", run.string()));
  }
  std::string text = fmt::format("run        {}\n", run.string());
  if (fs::exists(result_file)) {
    text += result_text(nlohmann::json::parse(read_file(result_file)));
  } else {
    const auto metrics = run / "metrics.jsonl";
    const auto lines = fs::exists(metrics) ? read_file(metrics) : std::string();
    text += fmt::format("state      unfinished after {} epochs; continue: mlpac train --resume --out {}\n",
                        std::count(lines.begin(), lines.end(), '\n'), run.string());
  }
  if (fs::exists(run / "model.json")) {
    const auto model = nlohmann::json::parse(read_file(run / "model.json"));
    text += fmt::format("network    {}\n", network_text(model));
    text += "labels    ";
    const auto& labels = model.at("labels");
    constexpr std::size_t kShown = 8;
    for (std::size_t i = 0; i < std::min(kShown, labels.size()); ++i) text += ' ' + labels[i].get<std::string>();
    if (labels.size() > kShown) text += fmt::format(" ... ({} in all)", labels.size());
    text += '\n';
  }
  text += "files     ";
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(run)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  for (const auto& name : names) text += ' ' + name;
  return text + '\n';
}

/// "12 numbers, 2 categories, 1 text" for tables.
std::string kinds_text(const nlohmann::json& schema) {
  std::map<std::string, int> kinds;
  if (schema.is_object() && schema.contains("columns")) {
    for (const auto& column : schema.at("columns")) ++kinds[column.value("kind", std::string("column"))];
  }
  std::string text;
  for (const auto& [kind, count] : kinds) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
  return text.empty() ? "" : fmt::format("columns    {}\n", text);
}

/// Annotated and estimated shares of every label.
std::string prior_text(const Options& options, const FeatureTable& table) {
  const auto& data = table.about;
  std::vector<std::string_view> names;
  for (const auto& entry : prior_estimators()) {
    if (options.text("estimate-prior") == "all") names.push_back(entry.name);
  }
  if (names.empty()) names.push_back(find_prior_estimator(options.text("estimate-prior")).name);
  std::vector<std::int64_t> rows(static_cast<std::size_t>(data.labels.rows()));
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  std::vector<ClassPriors> priors;
  std::string text = "share of positives, in % of the rows\n  annotated";
  for (const auto& name : names) {
    priors.push_back(
        estimate_priors(table.rows, data.labels, rows, name, static_cast<std::uint64_t>(options.integer("seed"))));
    text += fmt::format("  {:>10}", name);
  }
  text += "  label\n";
  for (std::size_t c = 0; c < data.label_names.size(); ++c) {
    text += fmt::format("  {:9.3f}", 100 * priors.front().annotated[c]);
    for (const auto& own : priors) text += fmt::format("  {:10.3f}", 100 * own.prior[c]);
    text += fmt::format("  {}\n", data.label_names[c]);
  }
  return text;
}

std::string file_info_text(const Call& call, const fs::path& file) {
  auto read = read_options(call.options);
  read.labels_required = false;
  const auto& reader = reader_of(file, read);
  const auto table = open_features(file, read);
  const auto& data = table.about;
  const auto rows = table.rows.rows();
  const double cells = static_cast<double>(rows) * std::max(1, table.rows.columns());
  std::string text =
      fmt::format("file       {} ({})\nrows       {}\n{}", file.string(), reader.name, rows, kinds_text(data.schema));
  text += fmt::format("features   {} ({:.1f} % of the values are not 0)\n", table.rows.columns(),
                      100 * static_cast<double>(table.rows.stored()) / cells);
  if (data.label_names.empty()) {
    return text + "labels     none named; say what they are with --labels FILE, --label-columns or --label-list\n";
  }
  const auto positives = data.labels.count(kAnnotated);
  auto counts = data.labels.count_per_class(kAnnotated);
  text += fmt::format("labels     {} ({} annotated positives, {:.2f} per row; {} known negatives)\n",
                      data.label_names.size(), positives,
                      static_cast<double>(positives) / static_cast<double>(std::max<std::int64_t>(1, rows)),
                      data.labels.count(kKnownNegative));
  std::vector<std::size_t> order(counts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
  constexpr std::size_t kShown = 12;
  for (std::size_t i = 0; i < std::min(kShown, order.size()); ++i) {
    text += fmt::format("  {:>8}  {}\n", counts[order[i]], data.label_names[order[i]]);
  }
  if (order.size() > kShown) {
    text += fmt::format("  ... and {} more, down to {} ({})\n", order.size() - kShown, data.label_names[order.back()],
                        counts[order.back()]);
  }
  for (const auto& warning : annotation_warnings(data.labels, data.label_names, nullptr)) {
    text += fmt::format("warning    {}\n", warning);
  }
  if (call.options.has("estimate-prior")) text += prior_text(call.options, table);
  return text;
}

/// Stores of images and documents.
std::string store_info_text(const Store& store) {
  const auto labels = store.strings("label_names");
  return fmt::format("file       {} (store of {})\nrows       {}\nsize       {:.1f} MB\nlabels     {}\n",
                     store.source(), store.kind(), store.about().value("rows", nlohmann::json()).dump(),
                     static_cast<double>(fs::file_size(store.source())) / 1e6, labels.size());
}

}  // namespace

int run_info(Call& call) {
  const auto& what = word(call, 0, "RUN or FILE");
  if (fs::is_directory(what)) {
    print_result(run_info_text(what));
  } else if (is_store(what) && Store(what).kind() != kFeatureStore) {
    print_result(store_info_text(Store(what)));
  } else {
    print_result(file_info_text(call, what));
  }
  return 0;
}

}  // namespace mlpac::cli
