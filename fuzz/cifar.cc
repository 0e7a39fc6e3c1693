// Files of CIFAR: the first byte chooses records of ten or of a hundred classes, or a list of names.
#include "images/cifar.h"

#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  return mlpac::parsed_or_refused(bytes, size, [](std::string_view text) {
    if (text.empty()) return;
    const int choice = text.front() % 3;
    text.remove_prefix(1);
    if (choice == 0) {
      mlpac::require(mlpac::parse_class_names(text, "fuzz", 3).size() == 3);
      return;
    }
    mlpac::ImageTable table;
    table.class_names.resize(choice == 1 ? 10 : 100);
    mlpac::append_cifar(text, "fuzz", choice == 1 ? mlpac::CifarKind::ten : mlpac::CifarKind::hundred, table);
    mlpac::require(table.size() > 0 && table.names.size() == table.size());
    mlpac::require(table.pixels.size() == table.size() * table.image_bytes());
    for (const auto label : table.classes) {
      mlpac::require(label >= 0 && static_cast<std::size_t>(label) < table.class_names.size());
    }
  });
}
