#include <fmt/format.h>

#include <array>

#include "cli/command.h"
#include "cli/synthetic.h"
#include "core/log.h"
#include "core/signals.h"
#include "mlpac/training.h"

namespace mlpac::cli {

int run_demo(Call& call) {
  auto options = call.options;
  if (!options.has("ratio")) options.set("ratio", "0.1");
  const auto pair = synthetic_pair(options);
  const bool json = options.flag("json");
  log_info(
      fmt::format("synthetic data: {} training and {} test rows, {} features, {} labels; {:.0f} % of the positives are "
                  "annotated, everything else is unknown",
                  pair.train.labels.rows(), pair.test.labels.rows(), pair.train.features.columns,
                  pair.train.labels.classes(), 100 * options.number("ratio")));
  const std::string out = options.has("out") ? options.text("out") : "";
  constexpr std::array kMethods{"negative", "neg-weight", "pos-weight", "mlpac", "supervised"};
  const StopSignals signals;
  auto results = nlohmann::json::array();
  if (!json)
    print_result(fmt::format("{:<12} {:>6} {:>6} {:>6} {:>6} {:>8}\n", "method", "P", "R", "F1", "mAP", "seconds"));
  for (const auto* method : kMethods) {
    auto one = options;
    one.set("method", method);
    one.set("out", out.empty() ? "" : fmt::format("{}/{}", out, method));
    const auto report = train(one, pair.train, &pair.test);
    if (report.signal != 0) return 128 + report.signal;
    results.push_back(report.result);
    if (json) continue;
    const auto& test = report.result.at("test");
    print_result(fmt::format("{:<12} {:>6.2f} {:>6.2f} {:>6.2f} {:>6.2f} {:>8.1f}{}\n", method,
                             test.at("precision").get<double>(), test.at("recall").get<double>(),
                             test.at("f1").get<double>(), test.at("map").get<double>(),
                             report.result.at("seconds").at("train").get<double>(),
                             std::string_view(method) == "supervised" ? "  (upper bound: all labels)" : ""));
  }
  if (json) print_result(results.dump(2) + '\n');
  if (!out.empty()) log_info(fmt::format("runs: {}", out));
  log_info(
      "next: mlpac generate --out data, then mlpac train --train data/train.arff --labels data/labels.xml --test "
      "data/test.arff --ratio 0.1 --out runs/first");
  return 0;
}

}  // namespace mlpac::cli
