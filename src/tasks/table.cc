#include <array>

#include "core/names.h"
#include "tasks/features.h"

namespace mlpac {

namespace {

constexpr std::array<TaskEntry, 1> kTasks{{
    {"features",
     "rows of numbers with a set of labels each (ARFF with Mulan XML labels)",
     {},
     load_features,
     apply_feature_file},
}};

}  // namespace

std::span<const TaskEntry> tasks() { return kTasks; }
const TaskEntry& find_task(std::string_view name) { return kTasks[index_of(name, kTasks, "task")]; }

}  // namespace mlpac
