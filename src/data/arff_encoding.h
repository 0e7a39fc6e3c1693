// How the attributes of an ARFF file become numbers: which column of the features or of the labels each value sets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/arff_header.h"
#include "data/line_reader.h"

namespace mlpac {

/// What a value of one attribute does to the row.
struct ArffSlot {
  bool label = false;
  std::int32_t column = 0;          ///< column of the labels, or the first of the features
  std::int32_t width = 1;           ///< number of feature columns: 0 for a constant, more than 1 for one-hot
  std::vector<std::string> values;  ///< of a nominal attribute, sorted; empty for a number
  /// What each value sets. Feature: the column that becomes 1, or -1. Label: the state.
  std::vector<std::int32_t> codes;
  std::int32_t omitted = 0;  ///< code of a value that a sparse row leaves out; 0 for numbers

  /// Position among `values`, or values.size().
  std::size_t find(std::string_view text) const;
};

struct ArffEncoding {
  std::vector<ArffSlot> slots;  ///< one per attribute
  /// Attributes whose omission from a sparse row sets something: those whose first declared value is not a zero.
  std::vector<std::size_t> set_when_omitted;
  std::vector<std::string> feature_names;
  std::vector<std::string> label_names;
};

/// Label state of a text (1, 0, -1, YES, NO, true, false); false if it is none.
bool parse_label_state(std::string_view text, std::int32_t& state);

/// `label_names` gives the label attributes in the order of the label columns. If none of them is in the file and
/// `labels_required` is false, the result has no labels; otherwise all must be there.
ArffEncoding encode_arff(const std::vector<ArffAttribute>& attributes, const std::vector<std::string>& label_names,
                         bool labels_required, const LineReader& lines);

}  // namespace mlpac
