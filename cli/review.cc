// Suggestions are looked at one by one, on a page in the browser; what was accepted becomes part of a copy of the data.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "core/log.h"
#include "core/signals.h"
#include "mlpac/documents.h"
#include "mlpac/error.h"
#include "review/server.h"
#include "tasks/features.h"
#include "tasks/image_lists.h"
#include "tasks/repair.h"

namespace mlpac::cli {

namespace {

namespace fs = std::filesystem;

/// The kind of the data: as --task says, or as the file looks.
std::string task_of(const Options& options) {
  if (options.source("task") != OptionSource::table) return options.text("task");
  const fs::path data = options.text("data");
  if (options.has("relations")) return "documents";
  if (options.has("images") || fs::is_directory(data)) return "images";
  if (data.extension() != ".json") return "features";
  std::ifstream file(data);
  char first = 0;
  file >> first;
  return first == '[' ? "documents" : "images";
}

std::unique_ptr<const Instances> instances_of(const Options& options, const std::string& task) {
  if (task == "features") return feature_instances(options.text("data"), read_options(options));
  if (task == "images") return image_instances(find_images(options, ImageRole::data, {}).list);
  if (task == "documents") {
    if (!options.has("relations")) throw UsageError("--relations is needed: rel2id.json, the numbers of the relations");
    auto relations = read_relations(options.text("relations"));
    auto documents = read_documents(options.text("data"), relations, static_cast<int>(options.integer("threads")));
    return document_instances(std::move(documents), std::move(relations), read_meanings(options.text("relations")));
  }
  throw UsageError(fmt::format("--task {}: only features, images and documents can be reviewed", task));
}

int export_accepted(const Options& options, const std::string& task, const std::string& suggestions,
                    const fs::path& journal) {
  const fs::path out = options.text("export");
  if (!fs::exists(journal)) {
    throw Error(fmt::format("{}: there is no such journal: nothing was decided yet; review first, without --export",
                            journal.string()));
  }
  if (fs::exists(out) && !options.flag("force")) {
    throw Error(fmt::format("{}: exists already; overwrite it with --force", out.string()));
  }
  std::vector<AddedLabel> added;
  std::string lines;
  std::size_t rejected = 0;
  for (const auto& decision : read_journal(journal).standing()) {
    if (decision.verdict == Verdict::reject) ++rejected;
    if (decision.verdict != Verdict::accept) continue;
    added.push_back({decision.row, decision.id, decision.label});
    lines += nlohmann::json{{"row", decision.row},
                            {"id", decision.id},
                            {"label", decision.label},
                            {"probability", decision.probability},
                            {"accepted", decision.time}}
                 .dump() +
             '\n';
  }
  const nlohmann::json head{{"data", options.text("data")},
                            {"suggestions", suggestions},
                            {"journal", journal.string()},
                            {"added", added.size()}};
  write_repaired({options, task, options.text("data"), out, "export"}, added, head.dump() + '\n' + lines);
  print_result(
      fmt::format("{}  {} labels added; {} rejected suggestions are not\n", out.string(), added.size(), rejected));
  log_info(
      fmt::format("{}.added.jsonl: where they come from. Rejected ones count as negatives in: mlpac train "
                  "--decisions {}",
                  out.string(), journal.string()));
  return 0;
}

}  // namespace

int run_review(Call& call) {
  const auto& options = call.options;
  const auto& suggestions = word(call, 0, "S, the file that mlpac suggest --out wrote,");
  if (!options.has("data")) throw UsageError("--data FILE is needed: the data that the suggestions were made for");
  const fs::path journal_path = options.has("journal") ? options.text("journal") : suggestions + ".decisions.jsonl";
  const auto task = task_of(options);
  if (options.has("export")) return export_accepted(options, task, suggestions, journal_path);
  SuggestionIndex index(suggestions);
  auto instances = instances_of(options, task);
  Journal journal(journal_path, {suggestions, options.text("data"), instances->size()});
  if (journal.repaired()) {
    log_warning(fmt::format("{}: its last line was incomplete and is removed: that decision was never confirmed",
                            journal_path.string()));
  }
  const StopSignals signals;
  ReviewSession session(std::move(index), std::move(instances), journal);
  ServerSpec spec;
  spec.port = static_cast<int>(options.integer("port"));
  spec.stop = [] { return StopSignals::received() != 0; };
  spec.ready = [&](const std::string& address) {
    print_result(address + '\n');
    log_info(fmt::format("open this address in a browser on this machine; Ctrl-C ends it. Decisions: {}",
                         journal_path.string()));
  };
  serve_review(session, spec);
  const auto progress = session.progress({}).at("all");
  log_info(
      fmt::format("{} accepted, {} rejected, {} skipped, {} open; the same command continues, and --export FILE "
                  "writes the data with the accepted labels",
                  progress.at("accepted").dump(), progress.at("rejected").dump(), progress.at("skipped").dump(),
                  progress.at("open").dump()));
  return 0;
}

}  // namespace mlpac::cli
