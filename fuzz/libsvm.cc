// libsvm: recognised, then read with and without label names.
#include "data/libsvm.h"

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  return mlpac::parsed_or_refused(bytes, size, [](std::string_view text) {
    mlpac::looks_like_libsvm(text);
    mlpac::ReadOptions options;
    options.labels_required = false;
    if (!text.empty() && text.back() == 'n') options.label_names = {"a", "b", "c"};
    if (!text.empty() && text.back() == '7') options.label_names = {"1", "7"};
    mlpac::check(mlpac::parse_libsvm(text, "fuzz", options));
  });
}
