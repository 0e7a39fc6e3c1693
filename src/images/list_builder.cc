#include "images/list_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "data/text.h"
#include "mlpac/error.h"
#include "mlpac/image_list.h"
#include "mlpac/labels.h"

namespace mlpac {

void Reporter::report(std::string message) {
  if (on_error_ == OnError::stop) throw Error(message);
  if (skipped_.messages.size() < Skipped::kMessages) skipped_.messages.push_back(std::move(message));
}

void Reporter::image(std::string message) {
  report(std::move(message));
  ++skipped_.images;
}

void Reporter::annotation(std::string message) {
  report(std::move(message));
  ++skipped_.annotations;
}

ListBuilder::ListBuilder(const ImageListOptions& options, std::string source)
    : options_(options), source_(std::move(source)), report_(options.on_error, list_.skipped) {}

void ListBuilder::set_labels(std::vector<std::string> names) {
  list_.labels = Labels(static_cast<std::int32_t>(names.size()));
  list_.label_names = std::move(names);
}

void ListBuilder::add(std::string id, std::filesystem::path file, std::vector<LabelEntry> entries) {
  const bool labelled =
      std::any_of(entries.begin(), entries.end(), [](const LabelEntry& entry) { return entry.state == kAnnotated; });
  if (!labelled && !options_.keep_unlabelled) return;
  std::error_code error;
  if (file.native().find('\0') != std::string::npos) {
    report_.image(fmt::format("{}: the file of image {} contains a zero byte, expected a name; correct it", source_,
                              in_quotes(id)));
    return;
  }
  if (options_.check_files && !std::filesystem::is_regular_file(file, error)) {
    report_.image(fmt::format("{}: the file of image {} is missing, expected {}; was the folder of images named?",
                              source_, in_quotes(id), file.string()));
    return;
  }
  list_.files.push_back(std::move(file));
  list_.ids.push_back(std::move(id));
  list_.labels.append(std::move(entries));
}

ImageList ListBuilder::finish() {
  if (list_.files.empty()) {
    throw Error(list_.skipped.images == 0
                    ? fmt::format("{}: names no images, expected at least one", source_)
                    : fmt::format("{}: none of the {} images can be used, expected at least one; the first: {}",
                                  source_, list_.skipped.images, list_.skipped.messages.front()));
  }
  return std::move(list_);
}

}  // namespace mlpac
