#include "experiment/needs.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "experiment/statistics.h"

namespace mlpac {

namespace {

using Records = std::vector<const Json*>;

Records alike(const Records& records, const Json& values, const std::vector<std::string>& axes) {
  Records found;
  std::copy_if(records.begin(), records.end(), std::back_inserter(found), [&](const Json* record) {
    return std::all_of(axes.begin(), axes.end(), [&](const std::string& axis) {
      return record->value(axis, Json()) == values.value(axis, Json());
    });
  });
  return found;
}

const std::vector<std::string> kClose{"recipe", "method", "variant"};
const std::vector<std::string> kLoose{"method"};

double largest_gpu_memory(const Records& records) {
  double largest = 0;
  for (const auto* const record : records) largest = std::max(largest, record->value("gpu_memory", 0.0));
  return largest;
}

}  // namespace

double expected_seconds(const Records& records, const Json& values) {
  for (const auto& found : {alike(records, values, kClose), alike(records, values, kLoose), records}) {
    std::vector<double> seconds;
    seconds.reserve(found.size());
    for (const auto* const record : found) seconds.push_back(record->at("seconds").value("total", 0.0));
    const auto summary = spread(seconds);
    if (summary && summary->mean > 0) return summary->mean;
  }
  return 1;
}

std::optional<double> expected_gpu_memory(const Records& records, const Json& values) {
  for (const auto& found : {alike(records, values, kClose), alike(records, values, kLoose)}) {
    if (const double largest = largest_gpu_memory(found); largest > 0) return largest;
  }
  constexpr double kUnknown = 4;  // methods that train several networks at once take so much more than others
  double smallest = 0;
  for (const auto* const record : records) {
    const double memory = record->value("gpu_memory", 0.0);
    if (memory > 0 && (smallest == 0 || memory < smallest)) smallest = memory;
  }
  return smallest > 0 ? std::optional(std::max(largest_gpu_memory(records), kUnknown * smallest)) : std::nullopt;
}

}  // namespace mlpac
