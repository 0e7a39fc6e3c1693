// predict --sheet: the first pictures with what was predicted for them.
#pragma once

#include <string>
#include <vector>

#include "mlpac/contact_sheet.h"
#include "mlpac/options.h"
#include "mlpac/training.h"
#include "tasks/task.h"

namespace mlpac::cli {

class SheetCollector {
 public:
  /// Does nothing without --sheet. UsageError if the rows are no pictures, Error if the file exists.
  SheetCollector(const Options& options, std::string run, const std::vector<std::string>& labels,
                 const Application& application);

  /// The next rows.
  void add(const Predictions& part);
  void write() const;

 private:
  SheetPicture picture(const Predictions& part, std::int64_t row) const;

  const Options& options_;
  std::string run_;
  const std::vector<std::string>& labels_;
  const Application& application_;
  std::size_t most_ = 0;
  std::vector<SheetPicture> pictures_;
};

}  // namespace mlpac::cli
