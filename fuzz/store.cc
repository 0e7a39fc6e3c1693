// A store of any kind: as it is, and with its checksums put right.
#include "data/store.h"

#include "../tests/core/store_bytes.h"
#include "data/feature_store.h"
#include "documents/document_store.h"
#include "fuzz.h"
#include "images/image_store.h"

namespace {

void open_as_all(std::string_view text) {
  const auto store = std::make_shared<const mlpac::Store>(std::string(text), "fuzz");
  const auto opened = [&](const auto& open) {
    try {
      open();
    } catch (const mlpac::Error&) {  // one kind at most is right
    }
  };
  opened([&] {
    auto table = mlpac::open_feature_store(store, {});
    auto data = std::move(table.about);
    data.features.columns = table.rows.columns();
    for (std::int64_t row = 0; row < table.rows.rows(); ++row) {
      table.rows.visit(row, [&](std::int32_t column, float) { mlpac::require(column < data.features.columns); });
    }
    mlpac::require(data.labels.rows() == table.rows.rows());
  });
  opened([&] {
    const auto images = mlpac::open_image_store(store, {});
    for (std::size_t i = 0; i < images.source->size(); ++i) {
      mlpac::require(images.source->bytes(i) <= text.size());
    }
  });
  opened([&] { mlpac::require(mlpac::open_pixel_store(store).pixels.size() <= text.size()); });
  opened([&] {
    const auto read = mlpac::open_document_store(store, mlpac::stored_relations(*store), nullptr, true);
    for (std::size_t i = 0; i < read.encoded.size(); ++i) mlpac::require(read.encoded.ids(i).size() >= 2);
  });
  store->check([](double) {});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  mlpac::parsed_or_refused(bytes, size, open_as_all);
  return mlpac::parsed_or_refused(
      bytes, size, [](std::string_view text) { open_as_all(mlpac::with_right_checksums(std::string(text))); });
}
