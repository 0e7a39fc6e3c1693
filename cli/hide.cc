// Hides positives of a completely labelled file: the same file, with fewer annotations.
#include <fmt/format.h>

#include <filesystem>

#include "cli/command.h"
#include "core/file.h"
#include "core/log.h"
#include "mlpac/annotation.h"
#include "mlpac/error.h"
#include "tasks/features.h"

namespace mlpac::cli {

namespace {

namespace fs = std::filesystem;

/// data.csv of several versions becomes data-0.csv, data-1.csv, ...
fs::path version_path(const fs::path& out, std::int64_t version, std::int64_t versions) {
  if (versions == 1) return out;
  return out.parent_path() / fmt::format("{}-{}{}", out.stem().string(), version, out.extension().string());
}

}  // namespace

int run_hide(Call& call) {
  const auto& options = call.options;
  const auto ratio = options.has("ratio") ? std::optional(options.number("ratio")) : std::nullopt;
  const auto plan = parse_hide_plan(options.text("hide"), ratio);
  for (const char* needed : {"data", "out"}) {
    if (!options.has(needed)) throw UsageError(fmt::format("--{} is needed", needed));
  }
  if (!plan.hides()) throw UsageError("--ratio is needed");
  const fs::path in = options.text("data");
  const fs::path out = options.text("out");
  const auto read = read_options(options);
  const auto versions = options.integer("versions");
  for (std::int64_t version = 0; version < versions; ++version) {
    const auto path = version_path(out, version, versions);
    std::error_code ignored;
    if (fs::equivalent(in, path, ignored)) throw Error(fmt::format("{}: would be overwritten by --out", in.string()));
    if (fs::exists(path) && !options.flag("force")) {
      throw Error(fmt::format("{}: exists already; overwrite it with --force", path.string()));
    }
  }
  auto data = read_features(in, read);
  const Labels truth = std::move(data.labels);
  for (std::int64_t version = 0; version < versions; ++version) {
    const auto path = version_path(out, version, versions);
    const auto seed = static_cast<std::uint64_t>(options.integer("label-seed") + version);
    data.labels = hide(truth, plan, seed);
    write_relabelled(data, in, read, path, "out");
    print_result(fmt::format("{}  {} of {} positives annotated\n", path.string(), data.labels.count(kAnnotated),
                             truth.count(kAnnotated)));
  }
  return 0;
}

}  // namespace mlpac::cli
