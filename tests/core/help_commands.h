// A list of commands like the program's own, for the tests of texts that are made from it.
#pragma once

#include <array>
#include <set>
#include <string>
#include <string_view>

#include "core/help.h"

namespace mlpac {

inline constexpr std::array<CommandHelp, 13> kTestCommands{{
    {"demo", "", "learn from embedded data of which 10 % of the positives are annotated, and compare methods",
     "mlpac demo", kDemo},
    {"train", "", "train a model into a run folder",
     "mlpac train --train data.arff --labels data.xml --out runs/first\n"
     "mlpac train --train data/train.arff --labels data/labels.xml --test data/test.arff --ratio 0.1 --out runs/ten",
     kTrain},
    {"evaluate", "RUN", "test a trained model on a completely labelled file",
     "mlpac evaluate runs/first --data test.arff", kEvaluate},
    {"predict", "RUN", "labels with probabilities for new rows, as JSON lines or CSV",
     "mlpac predict runs/first --data new.arff --out predictions.jsonl", kPredict},
    {"generate", "", "write synthetic data with known complete labels: train.arff, test.arff, labels.xml",
     "mlpac generate --out data", kGenerate},
    {"list", "WHAT", "methods, tasks, networks, rewards, schedules, losses, selections, ablations or readers",
     "mlpac list methods", 0},
    {"info", "RUN|FILE", "explain a run folder or a data file in a screenful", "mlpac info runs/first", kInfo},
    {"hide", "", "hide positives of a completely labelled file",
     "mlpac hide --data data.csv --label-list tags --ratio 0.1 --out partial.csv", kHide},
    {"pack", "INPUT...", "write data as a store", "mlpac pack data.csv --label-list tags --out data.store", kPack},
    {"suggest", "RUN", "labels that are probably missing", "mlpac suggest --train data.csv --out missing.csv",
     kSuggest},
    {"review", "S", "accept or reject suggestions", "mlpac review missing.csv --data data.csv", kReview},
    {"report", "RUN...", "a page about runs", "mlpac report runs/first --out page.html", kReport},
    {"experiment", "list|run|show NAME", "make the runs of an experiment", "mlpac experiment list", kExperiment},
}};

inline constexpr const CommandHelp& kTestTrain = kTestCommands[1];

/// Names of the options of a command, as the table has them.
inline std::set<std::string> names_of_options(unsigned commands) {
  std::set<std::string> names;
  for (const auto& entry : option_table()) {
    if ((entry.commands & commands) != 0) names.emplace(entry.name);
  }
  return names;
}

inline std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

}  // namespace mlpac
