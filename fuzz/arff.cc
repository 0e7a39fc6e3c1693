// ARFF with one label attribute, as in the tests of malformed input: parsed or refused, never anything else.
#include "data/arff.h"
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  mlpac::ReadOptions options;
  options.label_names = {"y"};
  options.labels_required = false;
  return mlpac::parsed_or_refused(
      bytes, size, [&](std::string_view text) { mlpac::check(mlpac::parse_arff(text, "fuzz", options)); });
}
