// Labels that are probably missing: of new data by a finished run, or of the training data itself, out of fold.
#include <fmt/format.h>

#include <filesystem>

#include "cli/command.h"
#include "core/file.h"
#include "core/log.h"
#include "core/signals.h"
#include "core/version.h"
#include "mlpac/error.h"
#include "mlpac/training.h"
#include "tasks/repair.h"
#include "tasks/suggest.h"

namespace mlpac::cli {

namespace {

namespace fs = std::filesystem;

/// Files that this would overwrite without being told to, and what could not be applied after hours of training.
void refuse_existing(const Options& options) {
  for (const char* name : {"out", "apply"}) {
    if (!options.has(name) || options.text(name) == "-" || options.flag("force")) continue;
    if (fs::exists(options.text(name))) {
      throw Error(fmt::format("{}: exists already; overwrite it with --force", options.text(name)));
    }
  }
  if (options.has("apply") && options.has("ratio")) {
    throw UsageError("--apply: the labels that --ratio hides are in the file already; leave one of them out");
  }
  std::error_code ignored;
  for (const char* name : {"train", "data"}) {
    if (options.has(name) && options.has("apply") &&
        fs::equivalent(options.text(name), options.text("apply"), ignored)) {
      throw UsageError(
          fmt::format("--apply {}: the data itself is never changed; name another file", options.text("apply")));
    }
  }
}

void write_suggestions(const Suggested& suggested, const Scoring& scoring, const std::string& out) {
  const bool csv = out.ends_with(".csv");
  constexpr std::size_t kAtOnce = 10'000;
  const auto pieces = [&](const auto& write) {
    write(suggestion_header(csv));
    const std::span<const Suggestion> all(suggested.ranked);
    for (std::size_t i = 0; i < all.size(); i += kAtOnce) {
      write(suggestion_text(all.subspan(i, std::min(kAtOnce, all.size() - i)), i + 1, scoring, csv));
    }
  };
  if (out == "-") return pieces([](const std::string& text) { print_result(text); });
  AtomicFile file(out);
  pieces([&](const std::string& text) { file.write(text); });
  file.commit();
  if (suggested.calibrated) {
    write_file_atomically(out + ".reliability.svg",
                          reliability_svg(suggested.reliability, "Reliability of the probabilities in " + out));
  }
}

/// The data with the suggested labels as annotations, and beside it where each of them comes from.
void apply_suggestions(const Suggested& suggested, const Scoring& scoring, const Options& options,
                       const std::string& task, const std::string& model) {
  const fs::path in = options.has("data") ? options.text("data") : options.text("train");
  std::vector<AddedLabel> added;
  for (const auto& suggestion : suggested.ranked) {
    const auto row = static_cast<std::size_t>(suggestion.row);
    added.push_back({suggestion.row, scoring.ids.empty() ? std::to_string(row) : scoring.ids[row],
                     scoring.label_names[static_cast<std::size_t>(suggestion.label)]});
  }
  std::string provenance =
      nlohmann::json{{"data", in.string()},
                     {"model", model},
                     {"added", suggested.ranked.size()},
                     {"estimated_precision", estimated_precision(suggested.ranked, suggested.ranked.size())}}
          .dump() +
      '\n';
  provenance += suggestion_text(suggested.ranked, 1, scoring, false);
  RepairSpec spec{options, task, in, options.text("apply"), "apply"};
  if (options.has("data")) {  // the model knows how its data is read
    spec.label_names = scoring.label_names;
    spec.schema = scoring.parts.front().policy->description.value("schema", nlohmann::json());
  }
  write_repaired(spec, added, provenance);
}

/// The command that shows the list, with what it must know about the data.
std::string review_command(const Options& options, const std::string& out) {
  auto command =
      fmt::format("mlpac review {} --data {}", out, options.has("data") ? options.text("data") : options.text("train"));
  for (const char* name : {"labels", "label-columns", "label-list", "id", "images", "relations"}) {
    if (options.has(name)) command += fmt::format(" --{} {}", name, options.text(name));
  }
  return command;
}

nlohmann::json summary_of(const Suggested& suggested, const Scoring& scoring) {
  const std::span<const Suggestion> ranked(suggested.ranked);
  nlohmann::json result{{"suggestions", ranked.size()},
                        {"estimated_missing", suggested.missing},
                        {"annotated_share", suggested.annotated},
                        {"precision", nlohmann::json::array()},
                        {"reliability", to_json(suggested.reliability)},
                        {"version", kVersion}};
  std::vector<std::size_t> counts{100, 1000, ranked.size()};
  if (scoring.truth) {
    result["missing"] = scoring.truth->count(kAnnotated) - scoring.annotated.count(kAnnotated);
    counts.push_back(result["missing"].get<std::size_t>());
  }
  for (const auto count : counts) {
    if (count == 0 || count > ranked.size()) continue;
    nlohmann::json line{{"first", count}};
    if (suggested.calibrated) line["estimated"] = 100 * estimated_precision(ranked, count);
    if (scoring.truth) {
      std::int64_t right = 0;
      for (const auto& s : ranked.first(count)) right += scoring.truth->at(s.row, s.label) == kAnnotated ? 1 : 0;
      line["true"] = 100.0 * static_cast<double>(right) / static_cast<double>(count);
    }
    result["precision"].push_back(std::move(line));
  }
  return result;
}

std::string text_of(const nlohmann::json& summary) {
  auto text = fmt::format("{} suggestions; about {:.0f} labels are missing, {:.0f} % of all positives\n",
                          summary.at("suggestions").get<std::size_t>(), summary.at("estimated_missing").get<double>(),
                          100 * (1 - summary.at("annotated_share").get<double>()));
  for (const auto& line : summary.at("precision")) {
    text += fmt::format("first {:<8}", line.at("first").get<std::size_t>());
    for (const char* const which : {"estimated", "true"}) {
      if (line.contains(which)) text += fmt::format("  {} precision {:.1f} %", which, line.at(which).get<double>());
    }
    text += '\n';
  }
  return text;
}

}  // namespace

int run_suggest(Call& call) {
  auto& options = call.options;
  if (options.has("config")) options = over_file(options, options.text("config"));
  const bool by_run = !call.words.empty();
  if (by_run == options.has("train")) {
    throw UsageError(
        "expected RUN --data FILE, for rows that the run has not seen, or --train FILE, which trains models for every "
        "part of the file on the rest of it");
  }
  if (!options.has("out"))
    throw UsageError("--out FILE is needed: a name that ends in .csv or .jsonl, or - for stdout");
  const auto out = options.text("out");
  refuse_existing(options);
  const StopSignals signals;
  Scoring scoring;
  std::string model = by_run ? call.words.front() : options.text("runs");
  if (by_run) {
    scoring = scoring_of_run(model, options);
  } else {
    apply_defaults(options);
    if (model.empty()) model = (out == "-" ? "suggestions" : out) + ".runs";
    int signal = 0;
    scoring = scoring_out_of_fold(options, model, signal);
    if (signal != 0) {
      log_info(fmt::format("stopped; what is finished is in {}. The same command continues.", model));
      return 128 + signal;
    }
  }
  const auto suggested = suggest(scoring, options);
  const auto summary = summary_of(suggested, scoring);
  write_suggestions(suggested, scoring, out);
  if (options.has("apply")) {
    const auto task = scoring.parts.front().policy->description.at("task").get<std::string>();
    apply_suggestions(suggested, scoring, options, task, model);
    log_info(fmt::format("{}: the data with these labels; where they come from: {}.added.jsonl", options.text("apply"),
                         options.text("apply")));
  }
  if (out != "-") print_result(options.flag("json") ? summary.dump(2) + '\n' : text_of(summary));
  log_info(fmt::format("{}; models: {}", out == "-" ? "written to stdout" : out, model));
  if (out != "-") {
    log_info("look at them one by one: " + review_command(options, out));
  }
  return 0;
}

}  // namespace mlpac::cli
