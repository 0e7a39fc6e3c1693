#include "images/image_csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/file.h"
#include "data/csv_scanner.h"
#include "data/label_names.h"
#include "data/text.h"
#include "images/list_builder.h"
#include "mlpac/feature_data.h"
#include "mlpac/image_list.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

constexpr std::array<std::string_view, 5> kHeaders{"file", "filename", "file_name", "image", "path"};

bool is_header(const CsvScanner& scanner) {
  const std::string_view first = trim(scanner.fields().front().text);
  return std::any_of(kHeaders.begin(), kHeaders.end(),
                     [&](std::string_view name) { return equals_ignoring_case(first, name); });
}

/// Rows and their labels, before the labels have their order.
class CsvList {
 public:
  explicit CsvList(ListBuilder& builder) : builder_(builder), labels_(builder.options().label_names, true) {}

  void read(std::string_view text) {
    CsvScanner scanner(text, builder_.source(), ',');
    bool first = true;
    while (scanner.next()) {
      if (scanner.fields().size() > 2) {
        scanner.fail(fmt::format("the line has {} fields, expected a file and its labels; separate labels by blanks",
                                 scanner.fields().size()));
      }
      if (!first || !is_header(scanner)) read_row(scanner);
      first = false;
    }
  }

  void add_images(const std::filesystem::path& folder) {
    FeatureData data;
    labels_.finish(data);
    builder_.set_labels(data.label_names);
    for (std::size_t i = 0; i < files_.size(); ++i) {
      const auto row = data.labels.row(static_cast<std::int64_t>(i));
      builder_.add(files_[i], folder / files_[i], std::vector<LabelEntry>(row.begin(), row.end()));
    }
  }

 private:
  void read_row(const CsvScanner& scanner) {
    const std::string place = fmt::format("{}:{}", scanner.source(), scanner.line());
    std::string file = to_utf8(scanner.fields().front().value());
    if (trim(file).empty()) {
      builder_.report().image(fmt::format("{}: names no file, expected one before its labels", place));
      return;
    }
    if (!seen_.insert(file).second) {
      builder_.report().image(fmt::format("{}: file {} is named twice, expected once", place, in_quotes(file)));
      return;
    }
    if (scanner.fields().size() == 2) add_labels(scanner.fields()[1].value(), place);
    const std::string both = labels_.end_row();
    if (!both.empty()) {
      scanner.fail(fmt::format("label {} of file {} is given as positive and as negative, expected one of them",
                               in_quotes(both), in_quotes(file)));
    }
    files_.push_back(std::move(file));
  }

  void add_labels(std::string_view text, std::string_view place) {
    constexpr std::string_view kBlanks = " \t\r\n";
    for (;;) {
      text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
      if (text.empty()) return;
      const std::string_view name = text.substr(0, text.find_first_of(kBlanks));
      text.remove_prefix(name.size());
      if (!labels_.add(to_utf8(name))) {
        builder_.report().annotation(
            fmt::format("{}: label {} is not among those already known, expected one of them", place, in_quotes(name)));
      }
    }
  }

  ListBuilder& builder_;
  LabelCollector labels_;
  std::vector<std::string> files_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

ImageList parse_image_csv(std::string_view text, const std::string& source, const std::filesystem::path& folder,
                          const ImageListOptions& options) {
  ListBuilder builder(options, source);
  CsvList list(builder);
  list.read(text);
  list.add_images(folder);
  return builder.finish();
}

ImageList read_image_csv(const std::filesystem::path& list, const std::filesystem::path& folder,
                         const ImageListOptions& options) {
  return parse_image_csv(read_file(list), list.string(), folder, options);
}

}  // namespace mlpac
