// Stores whose bytes were changed, with the checksums they should have: hardly any change would otherwise get past
// them.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/safetensors.h"
#include "data/store.h"

namespace mlpac {

/// As it is, if it has no place for them.
inline std::string with_right_checksums(std::string bytes) {
  const SafetensorsFile file(bytes, "fuzz");
  const char* const start = file.header().data();
  std::map<std::pair<std::ptrdiff_t, std::string>, std::string_view> places;
  std::string_view room;
  for (const auto& [name, tensor] : file.tensors()) {
    if (name == kStoreChecksums) {
      room = tensor.bytes;
    } else {
      places[{tensor.bytes.data() - start, name}] = tensor.bytes;
    }
  }
  std::vector<std::uint32_t> sums;
  for (const auto& [place, part] : places) sums.push_back(crc32_of(part));
  sums.push_back(crc32_of(file.header()));
  if (room.size() != sums.size() * sizeof(std::uint32_t)) return bytes;
  std::memcpy(bytes.data() + (room.data() - start), sums.data(), room.size());
  return bytes;
}

}  // namespace mlpac
