// Lists of label names: Mulan XML and plain text.
#include "data/mulan_xml.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  return mlpac::parsed_or_refused(bytes, size, [](std::string_view text) { mlpac::parse_label_names(text, "fuzz"); });
}
