// Files in folders that tests write.
#pragma once

#include <filesystem>
#include <string>

#include "temporary_data.h"

namespace mlpac {

/// A folder that is removed at the end of the test, with files in folders of their own.
class TemporaryTree {
 public:
  std::filesystem::path path() const { return folder_ / "."; }
  std::filesystem::path operator/(const std::string& name) const { return folder_ / name.c_str(); }
  void write(const std::string& name, const std::string& text) const {
    const auto file = *this / name;
    std::filesystem::create_directories(file.parent_path());
    write_text(file, text);
  }

 private:
  TemporaryFolder folder_;
};

}  // namespace mlpac
