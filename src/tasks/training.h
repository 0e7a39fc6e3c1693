// Training a problem that is in memory, whatever task it comes from.
#pragma once

#include <chrono>

#include "distributed/group.h"
#include "mlpac/training.h"
#include "train/problem.h"
#include "train/run_folder.h"

namespace mlpac {

/// `options` are complete (apply_defaults). The run is written into `folder`, if there is one; an unfinished one there
/// is continued if the options say --resume. Of several processes only the first has a folder, and a result.
TrainingReport train_problem(const Options& options, Problem problem, RunFolder* folder,
                             std::chrono::steady_clock::time_point start, const Group& group = Group::solo());

/// Trains from files, together with the other processes of the group.
TrainingReport train(Options options, Group& group);

}  // namespace mlpac
