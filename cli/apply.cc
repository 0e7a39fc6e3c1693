// evaluate and predict: a finished run meets a file.
#include <fmt/format.h>

#include "cli/command.h"
#include "core/file.h"
#include "core/log.h"
#include "mlpac/error.h"
#include "tasks/model.h"

namespace mlpac::cli {

namespace {

struct Applied {
  std::shared_ptr<Model::Content> content;
  Application application;
};

Applied apply(const Call& call, bool labels_required) {
  SweepSpec sweep;
  sweep.device = parse_device(call.options.text("device"));
  if (call.options.integer("threads") > 0) at::set_num_threads(static_cast<int>(call.options.integer("threads")));
  auto content = load_content(word(call, 0, "RUN, the folder of a finished run,"), sweep);
  const auto& task = find_task(content->description.at("task").get<std::string>());
  auto application = task.apply(content->description, call.options, labels_required);
  return {std::move(content), std::move(application)};
}

/// A CSV field, quoted where RFC 4180 asks for it.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

/// id,label,probability: one line per label.
std::string to_csv(const Predictions& predictions, const std::vector<std::string>& labels, bool all) {
  std::string text = "id,label,probability\n";
  for (std::int64_t row = 0; row < predictions.rows; ++row) {
    for (std::int64_t c = 0; c < predictions.classes; ++c) {
      const auto at = static_cast<std::size_t>(row * predictions.classes + c);
      if (!all && predictions.decisions[at] == 0) continue;
      text += fmt::format("{},{},{:.6g}\n", row, csv_field(labels[static_cast<std::size_t>(c)]),
                          predictions.probabilities[at]);
    }
  }
  return text;
}

std::string to_json_lines(const Predictions& predictions, const std::vector<std::string>& labels, bool all) {
  std::vector<std::string> quoted;
  for (const auto& label : labels) quoted.push_back(nlohmann::json(label).dump());
  std::string text;
  for (std::int64_t row = 0; row < predictions.rows; ++row) {
    text += fmt::format("{{\"id\":{},\"labels\":{{", row);
    bool first = true;
    for (std::int64_t c = 0; c < predictions.classes; ++c) {
      const auto at = static_cast<std::size_t>(row * predictions.classes + c);
      if (!all && predictions.decisions[at] == 0) continue;
      text += fmt::format("{}{}:{:.6g}", first ? "" : ",", quoted[static_cast<std::size_t>(c)],
                          predictions.probabilities[at]);
      first = false;
    }
    text += "}}\n";
  }
  return text;
}

}  // namespace

int run_evaluate(Call& call) {
  const auto applied = apply(call, true);
  const auto metrics = evaluate(*applied.content, applied.application);
  auto result = to_json(metrics);
  if (call.options.flag("json")) {
    for (std::size_t c = 0; c < applied.content->labels.size(); ++c) {
      const auto& counts = metrics.class_counts[c];
      result["classes"][applied.content->labels[c]] = {{"precision", counts.precision()},
                                                       {"recall", counts.recall()},
                                                       {"f1", counts.f1()},
                                                       {"ap", metrics.class_ap[c]},
                                                       {"positives", counts.true_positive + counts.false_negative}};
    }
    print_result(result.dump(2) + '\n');
    return 0;
  }
  print_result(fmt::format("P {:.2f}  R {:.2f}  F1 {:.2f}  macro-F1 {:.2f}  mAP {:.2f}  ({} rows, {} labels)\n",
                           metrics.precision, metrics.recall, metrics.f1, metrics.macro_f1, metrics.map,
                           applied.application.labels->rows(), applied.content->labels.size()));
  return 0;
}

int run_predict(Call& call) {
  const auto& options = call.options;
  const auto out = options.has("out") ? options.text("out") : std::string("-");
  if (out != "-" && std::filesystem::exists(out) && !options.flag("force")) {
    throw Error(fmt::format("{}: exists already; overwrite it with --force", out));
  }
  const auto applied = apply(call, false);
  const auto predictions = predict(*applied.content, *applied.application.data);
  const auto format = out.ends_with(".csv") ? to_csv : to_json_lines;
  const auto text = format(predictions, applied.content->labels, options.flag("all"));
  if (out == "-") {
    print_result(text);
    return 0;
  }
  write_file_atomically(out, text);
  log_info(fmt::format("{} rows written to {}", predictions.rows, out));
  return 0;
}

}  // namespace mlpac::cli
