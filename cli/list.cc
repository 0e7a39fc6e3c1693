#include <fmt/format.h>

#include <functional>
#include <utility>

#include "cli/command.h"
#include "core/names.h"
#include "methods/method.h"
#include "mlpac/annotation.h"
#include "mlpac/class_prior.h"
#include "mlpac/feature_data.h"
#include "mlpac/losses.h"
#include "mlpac/rewards.h"
#include "mlpac/schedule.h"
#include "mlpac/selection.h"
#include "tasks/task.h"

namespace mlpac::cli {

namespace {

template <typename Table>
std::string lines(const Table& table) {
  std::string text;
  for (const auto& entry : table) text += fmt::format("  {:<22} {}\n", entry.name, entry.summary);
  return text;
}

std::string method_lines() {
  std::string text;
  for (const auto& entry : methods()) {
    text += fmt::format("  {:<14} {}\n  {:<14} assumes: {}; source: {}\n", entry.name, entry.summary, "",
                        entry.assumption, entry.source);
  }
  return text;
}

struct Listing {
  std::string_view name;
  std::string (*text)();
};

constexpr std::array<Listing, 11> kListings{{
    {"methods", method_lines},
    {"tasks", [] { return lines(tasks()); }},
    {"networks", [] { return lines(networks()); }},
    {"rewards",
     [] {
       return "normalisation of the local reward (--normalisation)\n" + lines(normalisations()) +
              "global reward (--global)\n" + lines(global_rewards());
     }},
    {"schedules", [] { return lines(schedules()); }},
    {"losses", [] { return lines(losses()); }},
    {"selections", [] { return lines(selection_rules()); }},
    {"ablations", [] { return lines(ablations()); }},
    {"hiding", [] { return lines(hide_modes()); }},
    {"readers", [] { return lines(feature_readers()); }},
    {"priors", [] { return lines(prior_estimators()); }},
}};

}  // namespace

std::vector<std::string> listing_names() {
  std::vector<std::string> names;
  for (const auto& listing : kListings) names.emplace_back(listing.name);
  return names;
}

int run_list(Call& call) {
  if (call.words.empty()) {
    std::string text = "mlpac list WHAT, one of:\n";
    for (const auto& name : listing_names()) text += fmt::format("  {}\n", name);
    print_result(text);
    return 0;
  }
  print_result(kListings[index_of(call.words[0], kListings, "list")].text());
  return 0;
}

}  // namespace mlpac::cli
