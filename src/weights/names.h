// From the names of a weight file to those of a network: renaming, and what does not fit, all of it at once.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/safetensors.h"

namespace mlpac {

struct NameRules {
  /// Removed from the beginning of names, as often as they stand there: what wrappers around a network add.
  std::vector<std::string> prefixes{"module.", "_orig_mod."};
  /// Beginnings of names, up to a dot or the end, and what replaces them; the first that fits counts.
  std::vector<std::pair<std::string, std::string>> table = {};
};

/// The same tensors under other names. Throws Error if two get the same; `source` is for messages.
std::map<std::string, RawTensor> renamed(const std::map<std::string, RawTensor>& tensors, const NameRules& rules,
                                         const std::string& source);

/// How the tensors of a file differ from those a network wants, one line each, sorted by name.
struct Mismatch {
  std::vector<std::string> missing;     ///< wanted, but not in the file
  std::vector<std::string> unexpected;  ///< in the file, but not wanted
  std::vector<std::string> shapes;      ///< in both, of different shapes

  bool empty() const { return missing.empty() && unexpected.empty() && shapes.empty(); }
};

/// `replaced`: beginnings of names, up to a dot or the end, that are not compared: heads that are trained anew.
/// Counters of batches (num_batches_tracked) may be missing on both sides: no weight depends on them, and old files
/// have none.
Mismatch compare(const std::map<std::string, RawTensor>& found,
                 const std::map<std::string, std::vector<std::int64_t>>& wanted,
                 const std::vector<std::string>& replaced = {});

/// Throws Error with every mismatch; does nothing if there is none.
void require_match(const Mismatch& mismatch, const std::string& source);

}  // namespace mlpac
