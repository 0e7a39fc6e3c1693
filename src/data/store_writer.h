// Writes a store of any size in little memory: arrays grow piece by piece, and the file appears, complete, in the end.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/file.h"
#include "data/store.h"

namespace mlpac {

class StoreWriter {
 public:
  /// `about`: all that is large in the description; numbers may be added in the end. Error if the file cannot be made,
  /// and unless `overwrite` if it is there already.
  StoreWriter(const std::filesystem::path& path, std::string kind, nlohmann::json about, bool overwrite);
  ~StoreWriter();

  /// Begins an array that grows; its number. The first is written where it stays; others are kept beside the file until
  /// the end, so the largest should be the first.
  template <typename T>
  std::size_t begin(std::string name) {
    return begin(std::move(name), dtype_of<T>());
  }
  template <typename T>
  void append(std::size_t array, std::span<const T> values) {
    append(array, std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
  }
  /// A whole array.
  template <typename T>
  void add(std::string name, std::span<const T> values) {
    append(begin<T>(std::move(name)), values);
  }
  /// Shape of an array beyond its first dimension.
  void set_shape(std::size_t array, std::vector<std::int64_t> inner);
  void add_strings(const std::string& name, std::span<const std::string> strings);
  void add_labels(const Labels& labels);

  nlohmann::json& about() { return about_; }
  /// Bytes that were given so far.
  std::uint64_t bytes() const;
  /// Puts everything together, flushes it to disk and gives it its name.
  void commit();

 private:
  class Array;
  std::size_t begin(std::string name, std::string_view dtype);
  void append(std::size_t array, std::string_view bytes);
  std::string header(std::uint64_t room) const;

  std::filesystem::path path_;
  std::string kind_;
  nlohmann::json about_;
  std::uint64_t room_;  ///< bytes kept for the header
  AtomicFile file_;
  std::vector<std::unique_ptr<Array>> arrays_;
};

}  // namespace mlpac
