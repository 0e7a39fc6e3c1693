// The page of one run, or of several beside each other.
#pragma once

#include <string>
#include <vector>

#include "report/run_data.h"

namespace mlpac {

std::string run_page(const std::vector<RunData>& runs);

}  // namespace mlpac
