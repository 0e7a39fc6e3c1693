// The manual page mlpac(1).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/help.h"

namespace mlpac {

/// The page in roff with the man macros. `date` is printed as it is (the date of the release, so that the page can be
/// reproduced) and may be empty.
std::string man_page(std::span<const CommandHelp> commands, std::string_view version, std::string_view date);

/// Text of a manual page: characters that roff would act on or change stand for themselves.
std::string roff_text(std::string_view text);

}  // namespace mlpac
