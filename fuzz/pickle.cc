// The pickle of a state dict: values that refer only to each other, or refused.
#include "weights/pickle.h"

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  return mlpac::parsed_or_refused(bytes, size, [](std::string_view program) {
    const mlpac::Pickle pickle(program, "fuzz");
    for (const auto& entry : pickle.root().entries) {
      if (entry.second->kind != mlpac::PickledValue::Kind::tensor) continue;
      mlpac::require(entry.second->tensor->shape.size() == entry.second->tensor->strides.size());
    }
  });
}
