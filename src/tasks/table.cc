#include <array>

#include "core/names.h"
#include "tasks/binary_pu.h"
#include "tasks/features.h"

namespace mlpac {

namespace {

constexpr std::array<OptionDefault, 4> kBinaryPuDefaults{
    {{"network", "cnn13"}, {"batch", "500"}, {"validation", "0.1"}, {"folds", "1"}}};

constexpr std::array<TaskEntry, 2> kTasks{{
    {"features",
     "rows of numbers, categories or text with a set of labels each (mlpac list readers)",
     {},
     load_features,
     apply_feature_file},
    {"binary-pu",
     "one category of images (--positive) against all others: a folder per category, or CIFAR's binary files",
     kBinaryPuDefaults, load_binary_pu, apply_binary_pu},
}};

}  // namespace

std::span<const TaskEntry> tasks() { return kTasks; }
const TaskEntry& find_task(std::string_view name) { return kTasks[index_of(name, kTasks, "task")]; }

}  // namespace mlpac
