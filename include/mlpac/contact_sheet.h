// A contact sheet: one HTML file with small pictures, the labels a model predicts for them and the ones they have.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace mlpac {

struct SheetLabel {
  std::string name;
  double probability = 0;
  bool predicted = false;
  bool annotated = false;
};

struct SheetPicture {
  std::string id;
  std::filesystem::path file;
  std::vector<SheetLabel> labels;  ///< those that are predicted or annotated, or the likeliest if there are none
};

struct SheetFacts {
  std::string title;
  std::string source;      ///< of the pictures
  bool annotated = false;  ///< whether anything is known of their labels
  std::size_t total = 0;   ///< pictures of which these are the first
};

/// The whole page, which needs no other file. Pictures are decoded on `threads` threads (0: one for each core); Error
/// for one that cannot be.
std::string contact_sheet(std::span<const SheetPicture> pictures, const SheetFacts& facts, int threads = 0);

}  // namespace mlpac
