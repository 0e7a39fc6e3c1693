#include <fmt/format.h>

#include <functional>
#include <utility>

#include "cli/command.h"
#include "core/names.h"
#include "core/wrap.h"
#include "methods/method.h"
#include "mlpac/annotation.h"
#include "mlpac/class_prior.h"
#include "mlpac/feature_data.h"
#include "mlpac/losses.h"
#include "mlpac/rewards.h"
#include "mlpac/schedule.h"
#include "mlpac/selection.h"
#include "nn/encoder_presets.h"
#include "tasks/task.h"

namespace mlpac::cli {

namespace {

template <typename Table>
std::string lines(const Table& table) {
  std::string text;
  for (const auto& entry : table) text += fmt::format("  {:<22} {}\n", entry.name, entry.summary);
  return text;
}

/// The name, then what is said about it beside the name, in 80 columns.
std::string method_lines() {
  constexpr std::size_t kNameWidth = 19;
  std::string text;
  for (const auto& entry : methods()) {
    std::vector<std::string> about{std::string(entry.summary), fmt::format("assumes: {}", entry.assumption)};
    if (!entry.needs.empty()) about.push_back(fmt::format("needs: {}", entry.needs));
    about.push_back(fmt::format("source: {}", entry.source));
    std::string name = fmt::format("  {}", entry.name);
    for (const auto& sentence : about) {
      for (const auto& line : wrap(sentence, 80 - kNameWidth)) {
        text += fmt::format("{:<{}}{}\n", name, kNameWidth, line);
        name.clear();
      }
    }
  }
  return text;
}

struct Listing {
  std::string_view name;
  std::string (*text)();
};

constexpr std::array<Listing, 12> kListings{{
    {"methods", method_lines},
    {"tasks", [] { return lines(tasks()); }},
    {"networks", [] { return lines(networks()); }},
    {"encoders", [] { return lines(encoder_presets()); }},
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
