// Bytes as text: what data URIs hold.
#pragma once

#include <string>
#include <string_view>

namespace mlpac {

/// RFC 4648, with padding.
std::string base64(std::string_view bytes);

}  // namespace mlpac
