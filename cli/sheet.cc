#include "cli/sheet.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/file.h"
#include "core/log.h"
#include "mlpac/error.h"

namespace mlpac::cli {

SheetCollector::SheetCollector(const Options& options, std::string run, const std::vector<std::string>& labels,
                               const Application& application)
    : options_(options), run_(std::move(run)), labels_(labels), application_(application) {
  if (!options.has("sheet")) return;
  if (application.files.empty()) {
    throw UsageError("--sheet: this model reads no pictures; leave it out (it is for --task images)");
  }
  if (const auto& path = options.text("sheet"); std::filesystem::exists(path) && !options.flag("force")) {
    throw Error(fmt::format("{}: exists already; overwrite it with --force", path));
  }
  most_ = std::min(application.files.size(), static_cast<std::size_t>(options.integer("sheet-images")));
}

void SheetCollector::add(const Predictions& part) {
  for (std::int64_t row = 0; row < part.rows && pictures_.size() < most_; ++row) {
    pictures_.push_back(picture(part, row));
  }
}

SheetPicture SheetCollector::picture(const Predictions& part, std::int64_t row) const {
  constexpr std::size_t kLikeliest = 2;
  const auto number = pictures_.size();
  SheetPicture result{application_.ids[number], application_.files[number], {}};
  std::vector<SheetLabel> all;
  for (std::int64_t c = 0; c < part.classes; ++c) {
    const auto at = static_cast<std::size_t>(row * part.classes + c);
    const auto& known = application_.labels;
    const bool annotated =
        known && known->at(static_cast<std::int64_t>(number), static_cast<std::int32_t>(c)) == kAnnotated;
    all.push_back({labels_[static_cast<std::size_t>(c)], part.probabilities[at], part.decisions[at] != 0, annotated});
  }
  std::stable_sort(all.begin(), all.end(), [](const SheetLabel& a, const SheetLabel& b) {
    return a.predicted != b.predicted ? a.predicted : a.probability > b.probability;
  });
  std::copy_if(all.begin(), all.end(), std::back_inserter(result.labels),
               [](const SheetLabel& label) { return label.predicted || label.annotated; });
  if (result.labels.empty()) {
    all.resize(std::min(kLikeliest, all.size()));
    result.labels = std::move(all);
  }
  return result;
}

void SheetCollector::write() const {
  if (!options_.has("sheet")) return;
  const SheetFacts facts{fmt::format("Labels predicted by {}", run_), options_.text("data"),
                         application_.labels.has_value(), application_.files.size()};
  write_file_atomically(options_.text("sheet"),
                        contact_sheet(pictures_, facts, static_cast<int>(options_.integer("threads"))));
  log_info(fmt::format("{} pictures shown in {}", pictures_.size(), options_.text("sheet")));
}

}  // namespace mlpac::cli
