// COCO annotations: a list that fits together, or refused; faults of single entries are skipped to get further.
#include "images/coco.h"

#include "fuzz.h"
#include "mlpac/image_list.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  mlpac::ImageListOptions options;
  options.on_error = mlpac::OnError::skip;
  options.check_files = false;
  return mlpac::parsed_or_refused(bytes, size, [&](std::string_view text) {
    const mlpac::ImageList list = mlpac::parse_coco_list(text, "fuzz", "folder", options);
    mlpac::require(list.ids.size() == list.size());
    mlpac::require(list.labels.rows() == static_cast<std::int64_t>(list.size()));
    mlpac::require(list.labels.classes() == static_cast<std::int32_t>(list.label_names.size()));
  });
}
