#include <fmt/format.h>

#include <filesystem>

#include "cli/command.h"
#include "core/file.h"
#include "core/log.h"
#include "mlpac/error.h"
#include "report/run_page.h"

namespace mlpac::cli {

int run_report(Call& call) {
  if (call.words.empty()) throw UsageError("RUN is missing: one run folder, or several to compare");
  if (!call.options.has("out")) throw UsageError("--out PAGE.html is needed, or - for stdout");
  const auto& out = call.options.text("out");
  if (out != "-" && std::filesystem::exists(out) && !call.options.flag("force")) {
    throw Error(fmt::format("{}: exists already; overwrite it with --force", out));
  }
  const auto page = run_page(read_runs(call.words));
  if (out == "-") {
    print_result(page);
  } else {
    write_file_atomically(out, page);
    print_result(fmt::format("{}\n", out));
  }
  return 0;
}

}  // namespace mlpac::cli
