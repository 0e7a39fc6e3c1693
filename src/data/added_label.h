// A label that a copy of some data has and the data itself has not.
#pragma once

#include <cstdint>
#include <string>

namespace mlpac {

struct AddedLabel {
  std::int64_t row = 0;
  std::string id;
  std::string label;
};

}  // namespace mlpac
