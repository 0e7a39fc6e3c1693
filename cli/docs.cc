// Pages made from the tables: docs/options.md, the man page, the bash completion.
#include <fmt/format.h>

#include <array>

#include "cli/command.h"
#include "core/completion.h"
#include "core/man_page.h"
#include "core/names.h"
#include "core/options_markdown.h"
#include "core/version.h"
#include "methods/method.h"
#include "mlpac/annotation.h"
#include "mlpac/class_prior.h"
#include "mlpac/feature_data.h"
#include "mlpac/rewards.h"
#include "mlpac/schedule.h"
#include "mlpac/selection.h"
#include "nn/encoder_presets.h"
#include "tasks/task.h"

namespace mlpac::cli {

namespace {

template <typename Table>
std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.name);
  return names;
}

void add(std::vector<ChangedDefault>& rows, std::string_view what, std::string_view name,
         std::span<const OptionDefault> defaults) {
  for (const auto& [option, value] : defaults)
    rows.push_back({fmt::format("{} {}", what, name), option, std::string(value)});
}

std::string options_page() {
  std::vector<ChangedDefault> rows;
  for (const auto& entry : tasks()) {
    add(rows, "task", entry.name, entry.defaults);
    for (const auto& own : entry.method_defaults) {
      add(rows, fmt::format("task {}, method", entry.name), own.method, own.defaults);
    }
  }
  for (const auto& entry : methods()) add(rows, "method", entry.name, entry.defaults);
  for (const auto& entry : ablations()) add(rows, "ablation", entry.name, entry.values);
  return options_markdown(command_helps(), rows);
}

std::string completion_script() {
  CompletionNames names;
  names.options = {{"task", names_of(tasks())},
                   {"method", names_of(methods())},
                   {"ablation", names_of(ablations())},
                   {"network", names_of(networks())},
                   {"encoder-preset", names_of(encoder_presets())},
                   {"pretrain", names_of(methods())},
                   {"schedule", names_of(schedules())},
                   {"selection", names_of(selection_rules())},
                   {"format", names_of(feature_readers())},
                   {"hide", names_of(hide_modes())},
                   {"normalisation", names_of(normalisations())},
                   {"global", names_of(global_rewards())},
                   {"estimate-prior", names_of(prior_estimators())},
                   {"device", {"auto", "cpu", "cuda"}}};
  names.words = {
      {"list", listing_names()}, {"docs", {"options", "man", "completion"}}, {"experiment", {"list", "run", "show"}}};
  return bash_completion(command_helps(), names);
}

struct Page {
  std::string_view name;
  std::string (*text)();
};

constexpr std::array<Page, 3> kPages{{
    {"options", options_page},
    {"man", [] { return man_page(command_helps(), kVersion, ""); }},
    {"completion", completion_script},
}};

}  // namespace

int run_docs(Call& call) {
  const auto& name = word(call, 0, "WHAT (options, man or completion)");
  print_result(kPages[index_of(name, kPages, "page")].text());
  return 0;
}

}  // namespace mlpac::cli
