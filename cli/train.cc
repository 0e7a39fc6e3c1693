#include <fmt/format.h>

#include <filesystem>

#include "cli/command.h"
#include "core/file.h"
#include "core/launch.h"
#include "core/log.h"
#include "core/signals.h"
#include "distributed/group.h"
#include "mlpac/error.h"
#include "tasks/training.h"

namespace mlpac::cli {

namespace {

std::string summary(const nlohmann::json& result, const std::string& out) {
  std::string text;
  const auto& selection = result.at("selection");
  text += fmt::format("selected   {} epoch {} by {} (score {:.4g})", selection.at("phase").get<std::string>(),
                      selection.at("epoch").get<int>(), selection.at("rule").get<std::string>(),
                      selection.at("score").get<double>());
  if (!selection.at("w").is_null()) text += fmt::format(", w = {:.4g}", selection.at("w").get<double>());
  text += '\n';
  for (const std::string_view key : {"test", "critic"}) {
    const auto& metrics = result.at(std::string(key));
    if (metrics.is_null()) continue;
    text += fmt::format("{:<10} P {:.2f}  R {:.2f}  F1 {:.2f}  macro-F1 {:.2f}  mAP {:.2f}\n", key,
                        metrics.at("precision").get<double>(), metrics.at("recall").get<double>(),
                        metrics.at("f1").get<double>(), metrics.at("macro_f1").get<double>(),
                        metrics.at("map").get<double>());
  }
  return text + fmt::format("run        {}\n", out);
}

/// A run is continued with the options it was started with; only the device may change.
void refuse_differences(const Options& given, const Options& stored) {
  for (const auto& entry : option_table()) {
    if (given.source(entry.name) == OptionSource::table || entry.runtime) continue;
    if (given.text(entry.name) == stored.text(entry.name)) continue;
    if (entry.name == "device") {
      log_warning("the run continues on another device: its result will not be the same to the last bit");
      continue;
    }
    throw UsageError(fmt::format(
        "--{} is '{}' here, but the run was started with '{}'; leave it out to continue, or start over with "
        "--force",
        entry.name, given.text(entry.name), stored.text(entry.name)));
  }
}

/// Takes over the options of the run that --resume continues.
void continue_stored(Options& options, const Group& group) {
  if (!options.flag("resume") || !options.has("out")) return;
  const auto stored = std::filesystem::path(options.text("out")) / "config.toml";
  const bool exists = group.first() && std::filesystem::exists(stored);
  const auto content = group.from_first(exists ? read_file(stored) : std::string());
  if (content.empty()) return;
  refuse_differences(options, over_config({}, stored.string(), content));
  options = over_config(options, stored.string(), content);
}

}  // namespace

int run_train(Call& call) {
  auto& options = call.options;
  if (options.has("config")) options = over_file(options, options.text("config"));
  if (options.flag("dump-config")) {
    continue_stored(options, Group::solo());
    apply_defaults(options);
    print_result(options.to_toml(kTrain));
    return 0;
  }
  if (!options.has("out")) throw UsageError("--out FOLDER is needed: the run is written there");
  const auto out = options.text("out");
  const StopSignals signals;
  const auto launch = launch_of_process();
  if (launch.size > 1) set_log_label(fmt::format("rank {}: ", launch.rank));
  if (launch.rank > 0) set_quiet(true);
  Group group(launch, {options.number("rendezvous-timeout"), options.number("communication-timeout")});
  continue_stored(options, group);
  const auto report = train(options, group);
  if (!group.first()) return report.signal == 0 ? 0 : 128 + report.signal;
  if (report.signal != 0) {
    log_info(fmt::format("stopped; the state is saved. Continue with:\n  mlpac train --resume --out {}", out));
    return 128 + report.signal;
  }
  print_result(options.flag("json") ? report.result.dump(2) + '\n' : summary(report.result, out));
  log_info(fmt::format("next: mlpac predict {} --data FILE --out predictions.jsonl", out));
  return 0;
}

}  // namespace mlpac::cli
