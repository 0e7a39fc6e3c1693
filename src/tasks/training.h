// Training a problem that is in memory, whatever task it comes from.
#pragma once

#include <chrono>

#include "mlpac/training.h"
#include "train/problem.h"
#include "train/run_folder.h"

namespace mlpac {

/// `options` are complete (apply_defaults). The run is written into `folder`, if there is one; an unfinished one there
/// is continued if the options say --resume.
TrainingReport train_problem(const Options& options, Problem problem, RunFolder* folder,
                             std::chrono::steady_clock::time_point start);

}  // namespace mlpac
