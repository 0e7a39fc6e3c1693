// CRC-32C (Castagnoli), the checksum of TFRecord files and iSCSI (RFC 3720, appendix B.4).
#pragma once

#include <cstdint>
#include <string_view>

namespace mlpac {

std::uint32_t crc32c(std::string_view bytes);

}  // namespace mlpac
