// A .npy file of features: parsed or refused, never anything else.
#include "data/arrays.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  mlpac::ReadOptions options;
  options.labels_required = false;
  return mlpac::parsed_or_refused(
      bytes, size, [&](std::string_view text) { mlpac::check(mlpac::parse_arrays(text, "fuzz", options)); });
}
