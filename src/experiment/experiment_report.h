// The report of an experiment: Markdown, CSV, LaTeX, JSON and a page, all from the same sections.
#pragma once

#include <filesystem>
#include <string>

#include "experiment/failures.h"
#include "experiment/results.h"

namespace mlpac {

struct ExperimentReport {
  std::string markdown;
  std::string csv;
  std::string latex;
  std::string html;
  std::string json;
};

/// `commit` is that of the tree now, `command` what makes the experiment.
ExperimentReport experiment_report(const Results& results, const FailureFile& failures, const std::string& commit,
                                   const std::string& command);

/// NAME.md, .csv, .tex, .html and .json in a folder.
void write_report(const ExperimentReport& report, const std::filesystem::path& folder, const std::string& name);

}  // namespace mlpac
