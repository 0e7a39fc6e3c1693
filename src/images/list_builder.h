// What the readers of image lists share: a list that grows by one image at a time, and what happens to those that
// cannot be used.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "mlpac/image_list.h"
#include "mlpac/labels.h"

namespace mlpac {

/// Stops or counts, as was asked for.
class Reporter {
 public:
  Reporter(OnError on_error, Skipped& skipped) : on_error_(on_error), skipped_(skipped) {}

  void image(std::string message);
  void annotation(std::string message);

 private:
  void report(std::string message);

  OnError on_error_;
  Skipped& skipped_;
};

/// Collects images, in order.
class ListBuilder {
 public:
  /// `source` is the name of the list in messages.
  ListBuilder(const ImageListOptions& options, std::string source);
  ListBuilder(const ListBuilder&) = delete;
  ListBuilder& operator=(const ListBuilder&) = delete;

  const ImageListOptions& options() const { return options_; }
  const std::string& source() const { return source_; }
  Reporter& report() { return report_; }

  /// Must come before the first image.
  void set_labels(std::vector<std::string> names);
  /// Adds an image, unless its file is missing (reported) or it is one of those without labels that are left out.
  void add(std::string id, std::filesystem::path file, std::vector<LabelEntry> entries);
  /// The list; Error if it is empty.
  ImageList finish();

 private:
  const ImageListOptions& options_;
  std::string source_;
  ImageList list_;
  Reporter report_;
};

}  // namespace mlpac
