#include <fmt/format.h>

#include "cli/command.h"
#include "cli/synthetic.h"
#include "core/file.h"
#include "core/log.h"
#include "mlpac/error.h"

namespace mlpac::cli {

SyntheticPair synthetic_pair(const Options& options) {
  SyntheticSpec spec;
  spec.rows = options.integer("rows");
  spec.features = static_cast<std::int32_t>(options.integer("features"));
  spec.labels = static_cast<std::int32_t>(options.integer("classes"));
  spec.positives = options.number("positives");
  spec.correlation = options.number("correlation");
  spec.imbalance = options.number("imbalance");
  spec.noise = options.number("noise");
  spec.world = static_cast<std::uint64_t>(options.integer("data-seed"));
  spec.seed = 2 * spec.world;
  SyntheticPair pair;
  pair.train = synthesise(spec);
  spec.rows = options.integer("test-rows");
  spec.seed = 2 * spec.world + 1;
  pair.test = synthesise(spec);
  return pair;
}

int run_generate(Call& call) {
  const auto& options = call.options;
  if (!options.has("out"))
    throw UsageError("--out FOLDER is needed: train.arff, test.arff and labels.xml are written there");
  const std::filesystem::path folder = options.text("out");
  if (std::filesystem::exists(folder / "train.arff") && !options.flag("force")) {
    throw Error(fmt::format("{}: holds generated data already; overwrite it with --force", folder.string()));
  }
  create_folder(folder);
  const auto pair = synthetic_pair(options);
  write_arff(pair.test, folder / "test.arff");
  write_arff(pair.train, folder / "train.arff", folder / "labels.xml");
  print_result(fmt::format("{0}/train.arff  {1} rows\n{0}/test.arff   {2} rows\n{0}/labels.xml  {3} labels\n",
                           folder.string(), pair.train.labels.rows(), pair.test.labels.rows(),
                           pair.train.labels.classes()));
  log_info(
      fmt::format("next: mlpac train --train {0}/train.arff --labels {0}/labels.xml --test {0}/test.arff --ratio 0.1 "
                  "--out runs/first",
                  folder.string()));
  return 0;
}

}  // namespace mlpac::cli
