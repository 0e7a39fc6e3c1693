#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "images/in_order.h"
#include "images/list_builder.h"
#include "mlpac/error.h"
#include "mlpac/image.h"
#include "mlpac/image_list.h"

namespace mlpac {

void check_images(ImageList& list, OnError on_error, int threads) {
  // Every compressed byte is looked at, and for an eighth of the pixels most of the work is saved.
  const DecodeOptions smallest{.at_least = 1};
  std::vector<std::string> failures(list.size());
  const auto check = [&](std::size_t i) {
    try {
      read_image(list.files[i], smallest);
    } catch (const Error& error) {
      if (on_error == OnError::stop) throw;
      failures[i] = error.what();
    }
  };
  run_in_order(list.size(), threads, check, [] { return false; });
  if (std::all_of(failures.begin(), failures.end(), [](const std::string& text) { return text.empty(); })) return;

  ImageList usable;
  usable.label_names = std::move(list.label_names);
  usable.skipped = std::move(list.skipped);
  Reporter report(OnError::skip, usable.skipped);
  std::vector<std::int64_t> rows;
  for (std::size_t i = 0; i < failures.size(); ++i) {
    if (!failures[i].empty()) {
      report.image(std::move(failures[i]));
      continue;
    }
    rows.push_back(static_cast<std::int64_t>(i));
    usable.files.push_back(std::move(list.files[i]));
    usable.ids.push_back(std::move(list.ids[i]));
  }
  usable.labels = list.labels.select(rows);
  list = std::move(usable);
  if (list.files.empty()) {
    throw Error(list.skipped.messages.back() + "; none of the images can be used, expected at least one");
  }
}

}  // namespace mlpac
