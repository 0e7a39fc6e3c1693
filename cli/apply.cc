// evaluate and predict: a finished run meets a file.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/sheet.h"
#include "core/file.h"
#include "core/log.h"
#include "data/csv_field.h"
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
  sweep.loaders = call.options.integer("threads");
  if (call.options.integer("threads") > 0) at::set_num_threads(static_cast<int>(call.options.integer("threads")));
  auto content = load_content(word(call, 0, "RUN, the folder of a finished run,"), sweep);
  const auto& task = find_task(content->description.at("task").get<std::string>());
  auto application = task.apply(content->description, call.options, labels_required);
  return {std::move(content), std::move(application)};
}

/// Writes the labels of one row after the other: JSON lines, or CSV with one line per label.
class PredictionWriter {
 public:
  PredictionWriter(const std::vector<std::string>& labels, const std::vector<std::string>& ids, bool csv, bool all)
      : ids_(ids), csv_(csv), all_(all) {
    for (const auto& label : labels) labels_.push_back(quoted(label));
  }

  std::string header() const { return csv_ ? "id,label,probability\n" : ""; }

  /// The next rows.
  std::string text(const Predictions& part) {
    std::string text;
    for (std::int64_t row = 0; row < part.rows; ++row, ++row_) {
      const auto id = ids_.empty() ? std::to_string(row_) : quoted(ids_[static_cast<std::size_t>(row_)]);
      if (!csv_) text += fmt::format("{{\"id\":{},\"labels\":{{", id);
      bool first = true;
      for (std::int64_t c = 0; c < part.classes; ++c) {
        const auto at = static_cast<std::size_t>(row * part.classes + c);
        if (!all_ && part.decisions[at] == 0) continue;
        const auto& label = labels_[static_cast<std::size_t>(c)];
        if (csv_) {
          text += fmt::format("{},{},{:.6g}\n", id, label, part.probabilities[at]);
        } else {
          text += fmt::format("{}{}:{:.6g}", first ? "" : ",", label, part.probabilities[at]);
        }
        first = false;
      }
      if (!csv_) text += "}}\n";
    }
    return text;
  }

 private:
  std::string quoted(const std::string& text) const { return csv_ ? csv_field(text) : nlohmann::json(text).dump(); }

  std::vector<std::string> labels_;  ///< as they are written
  const std::vector<std::string>& ids_;
  bool csv_;
  bool all_;
  std::int64_t row_ = 0;
};

}  // namespace

int run_evaluate(Call& call) {
  const auto applied = apply(call, true);
  const auto metrics = evaluate(*applied.content, applied.application);
  auto result = to_json(metrics);
  const auto& [content, application] = applied;
  if (application.report) {
    result["report"] = application.report(*content->network, content->sweep, threshold_shift(*content));
  }
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
  if (application.report) print_result(result.at("report").dump(2) + '\n');
  return 0;
}

int run_predict(Call& call) {
  const auto& options = call.options;
  const auto out = options.has("out") ? options.text("out") : std::string("-");
  if (out != "-" && std::filesystem::exists(out) && !options.flag("force")) {
    throw Error(fmt::format("{}: exists already; overwrite it with --force", out));
  }
  const auto applied = apply(call, false);
  if (applied.application.text) {
    const auto& content = *applied.content;
    const auto text = applied.application.text(*content.network, content.sweep, threshold_shift(content));
    if (out == "-") {
      print_result(text);
    } else {
      write_file_atomically(out, text);
      log_info(fmt::format("{} documents written to {}", applied.application.data->items(), out));
    }
    return 0;
  }
  PredictionWriter writer(applied.content->labels, applied.application.ids, out.ends_with(".csv"), options.flag("all"));
  SheetCollector sheet(options, call.words.front(), applied.content->labels, applied.application);
  if (out == "-") {
    predict(*applied.content, *applied.application.data, [&](const Predictions& part) {
      print_result(writer.text(part));
      sheet.add(part);
    });
    sheet.write();
    return 0;
  }
  AtomicFile file(out);
  file.write(writer.header());
  predict(*applied.content, *applied.application.data, [&](const Predictions& part) {
    file.write(writer.text(part));
    sheet.add(part);
  });
  sheet.write();
  file.commit();
  log_info(fmt::format("{} rows written to {}", applied.application.data->items(), out));
  return 0;
}

}  // namespace mlpac::cli
