#include "weights/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/safetensors.h"
#include "data/text.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

/// Whether a name is `beginning` itself or goes on with a dot after it. A beginning that ends in a dot, or is empty,
/// fits every name that starts with it.
bool begins_with(std::string_view name, std::string_view beginning) {
  if (!name.starts_with(beginning)) return false;
  return name.size() == beginning.size() || beginning.empty() || beginning.back() == '.' ||
         name[beginning.size()] == '.';
}

std::string renamed_one(std::string_view name, const NameRules& rules) {
  bool removed = true;
  while (removed) {
    removed = false;
    for (const std::string& prefix : rules.prefixes) {
      if (prefix.empty() || name.size() <= prefix.size() || !name.starts_with(prefix)) continue;
      name.remove_prefix(prefix.size());
      removed = true;
    }
  }
  for (const auto& [from, to] : rules.table) {
    if (begins_with(name, from)) return to + std::string(name.substr(from.size()));
  }
  return std::string(name);
}

bool is_replaced(std::string_view name, const std::vector<std::string>& replaced) {
  return std::any_of(replaced.begin(), replaced.end(),
                     [&](const std::string& beginning) { return begins_with(name, beginning); });
}

bool is_counter(std::string_view name) { return name.ends_with("num_batches_tracked"); }

std::string shape_text(const std::vector<std::int64_t>& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

void append_part(std::string& message, std::string_view title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  message += fmt::format("\n{} ({}):", title, lines.size());
  for (const std::string& line : lines) message += "\n  " + line;
}

}  // namespace

std::map<std::string, RawTensor> renamed(const std::map<std::string, RawTensor>& tensors, const NameRules& rules,
                                         const std::string& source) {
  std::map<std::string, RawTensor> result;
  for (const auto& entry : tensors) {
    const std::string name = renamed_one(entry.first, rules);
    if (!result.emplace(name, entry.second).second) {
      throw Error(fmt::format("{}: tensor {} becomes {}, which another one is called already; change the names", source,
                              in_quotes(entry.first), in_quotes(name)));
    }
  }
  return result;
}

Mismatch compare(const std::map<std::string, RawTensor>& found,
                 const std::map<std::string, std::vector<std::int64_t>>& wanted,
                 const std::vector<std::string>& replaced) {
  Mismatch result;
  for (const auto& [name, shape] : wanted) {
    if (is_replaced(name, replaced)) continue;
    const auto there = found.find(name);
    if (there == found.end()) {
      if (!is_counter(name)) result.missing.push_back(fmt::format("{} {}", name, shape_text(shape)));
    } else if (there->second.shape != shape) {
      result.shapes.push_back(
          fmt::format("{} is {}, expected {}", name, shape_text(there->second.shape), shape_text(shape)));
    }
  }
  for (const auto& [name, tensor] : found) {
    if (is_replaced(name, replaced) || is_counter(name) || wanted.contains(name)) continue;
    result.unexpected.push_back(fmt::format("{} {}", name, shape_text(tensor.shape)));
  }
  return result;
}

void require_match(const Mismatch& mismatch, const std::string& source) {
  if (mismatch.empty()) return;
  std::string message = fmt::format(
      "{}: the weights do not fit the network, expected the same names and shapes; is it another network?", source);
  append_part(message, "missing", mismatch.missing);
  append_part(message, "of another shape", mismatch.shapes);
  append_part(message, "not part of the network", mismatch.unexpected);
  throw Error(message);
}

}  // namespace mlpac
