// Where numbers come from: the program that is measured, the tree it was built from, and the machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment/plan.h"

namespace mlpac {

/// The program that makes runs: this one, or the one that MLPAC names.
std::string measured_program();
/// Tells builds of it apart: the first digits of its SHA-256.
std::string fingerprint(const std::string& program);
/// Options added to every training, for a quick try: MLPAC_EXTRA='--epochs 2'.
std::vector<std::string> extra_options();
/// The commit of the tree a folder lies in; MLPAC_COMMIT names it where there is no history. Reports do not change what
/// is measured: they may be written between two runs of one commit.
std::string commit_of(const std::filesystem::path& folder);
/// The name of the first GPU; empty without one.
std::string gpu_name();
/// Cores and CPU, and the GPU where that trains.
Json machine_of(const std::string& device);
/// "NVIDIA H200 with 16 cores (Intel …)".
std::string machine_text(const Json& machine);
unsigned core_count();

/// MB that can be used now, of the host and of the GPU; a GPU that cannot be asked has none.
double free_memory_mb();
double free_gpu_memory_mb();

/// The folder of the plans: the one that is given, experiments/ here, or the one of the tree the program was built in.
std::filesystem::path plans_folder(const std::string& given);
/// NAME (a folder or a file in it), or the path of a plan.
std::filesystem::path find_plan(const std::string& name, const std::filesystem::path& plans);
/// All plans of a folder, in the order of their names.
std::vector<std::filesystem::path> all_plans(const std::filesystem::path& plans);

}  // namespace mlpac
