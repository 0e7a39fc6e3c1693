// Annotations of Pascal VOC.
#include "fuzz.h"
#include "images/voc_annotation.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  return mlpac::parsed_or_refused(bytes, size, [](std::string_view text) {
    for (const mlpac::VocObject& object : mlpac::parse_voc_annotation(text, "fuzz")) {
      mlpac::require(!object.name.empty());
    }
  });
}
