// Writes data once as training needs it: a store that is read where it lies, however large it is.
#include <fmt/format.h>

#include <filesystem>

#include "cli/command.h"
#include "core/log.h"
#include "core/signals.h"
#include "data/store.h"
#include "mlpac/error.h"
#include "tasks/task.h"

namespace mlpac::cli {

namespace {

namespace fs = std::filesystem;

/// Thrown where the work is interrupted: what was begun removes itself.
struct Stopped {};

std::function<void(double, std::string_view)> shown_by(Progress& progress) {
  return [&progress](double share, std::string_view what) {
    if (StopSignals::received() != 0) throw Stopped();
    progress.update(share, what);
  };
}

int check(const fs::path& path) {
  const Store store(path);
  {
    Progress progress("check", 1, 0, 10);
    const auto show = shown_by(progress);
    store.check([&](double share) { show(share, path.string()); });
  }
  print_result(fmt::format("{}: {}, {:.1f} MB, all checksums are right\n", path.string(), store.kind(),
                           static_cast<double>(fs::file_size(path)) / 1e6));
  return 0;
}

int pack(const Call& call) {
  const auto& options = call.options;
  if (!options.has("out")) throw UsageError("--out STORE is needed");
  const fs::path out = options.text("out");
  for (const auto& input : call.words) {
    std::error_code ignored;
    if (fs::equivalent(input, out, ignored)) throw Error(fmt::format("{}: would be overwritten by --out", input));
  }
  std::string summary;
  {
    Progress progress("pack", 1, 0, 10);
    const PackRequest request{options, call.words, out, options.flag("force"), shown_by(progress)};
    summary = find_task(options.text("task")).pack(request);
  }
  print_result(fmt::format("{}: {}\n", out.string(), summary));
  return 0;
}

}  // namespace

int run_pack(Call& call) {
  word(call, 0, call.options.flag("check") ? "STORE, the file to check," : "INPUT, a data file or folder,");
  const StopSignals signals;
  try {
    return call.options.flag("check") ? check(call.words.front()) : pack(call);
  } catch (const Stopped&) {
    log_info("stopped; nothing was written");
    return 128 + StopSignals::received();
  }
}

}  // namespace mlpac::cli
