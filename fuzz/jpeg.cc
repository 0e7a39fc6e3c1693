// A JPEG image, whole and at reduced size: decoded or refused, never anything else.
#include "image.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  mlpac::decoded_or_refused(bytes, size, {});
  return mlpac::decoded_or_refused(bytes, size, {.at_least = 5});
}
