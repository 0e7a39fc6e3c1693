// Documents with more triples; everything else in the file stays as it was.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "data/added_label.h"

namespace mlpac {

/// Labels are relations of pairs, whose ids are those of pair_id. New triples stand behind the others of their document
/// and have no evidence. Error for a pair that the documents do not have.
std::string add_triples(std::string_view text, const std::string& source, std::span<const AddedLabel> added);

}  // namespace mlpac
