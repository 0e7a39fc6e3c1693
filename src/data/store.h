// A store: data that was read once and lies in one file as training needs it (mlpac pack). The layout is safetensors,
// so that other programs read it, too; the metadata says what it is, and the last tensor holds a CRC-32 of every other
// one and of the header. Any number of processes may map the same store and read any rows.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/safetensors.h"
#include "mlpac/labels.h"

namespace mlpac {

inline constexpr std::string_view kStoreFormat = "mlpac-store";
inline constexpr int kStoreVersion = 1;
/// The tensor of checksums: one for each other tensor in the order of their bytes, then that of the header.
inline constexpr std::string_view kStoreChecksums = "crc32";

template <typename T>
constexpr std::string_view dtype_of();
template <>
constexpr std::string_view dtype_of<float>() {
  return "F32";
}
template <>
constexpr std::string_view dtype_of<double>() {
  return "F64";
}
template <>
constexpr std::string_view dtype_of<std::int64_t>() {
  return "I64";
}
template <>
constexpr std::string_view dtype_of<std::int32_t>() {
  return "I32";
}
template <>
constexpr std::string_view dtype_of<std::int8_t>() {
  return "I8";
}
template <>
constexpr std::string_view dtype_of<std::uint8_t>() {
  return "U8";
}

/// Whether the first bytes of a file are those of a store.
bool looks_like_store(std::string_view head);
bool is_store(const std::filesystem::path& path);

std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before = 0);

class Store {
 public:
  /// Maps the file and checks what takes no time: version, header and its checksum, that nothing is missing at the end.
  /// Error that names the file otherwise.
  explicit Store(const std::filesystem::path& path);
  /// The same for bytes in memory.
  Store(std::string content, std::string source);

  const std::string& source() const { return file_.source(); }
  const std::string& kind() const { return kind_; }
  /// Error if it holds something else.
  void require_kind(std::string_view wanted) const;
  /// What is known about the data beside its arrays.
  const nlohmann::json& about() const { return about_; }
  /// The mapped file; null if the content is in memory.
  const std::shared_ptr<const MappedFile>& file() const { return file_.file(); }
  bool has(const std::string& name) const { return file_.tensors().contains(name); }

  /// An array where it lies. Its content is not checked: that would read all of it.
  template <typename T>
  std::span<const T> mapped(const std::string& name, std::size_t count) const {
    const auto bytes = array(name, dtype_of<T>(), count * sizeof(T), alignof(T));
    return {reinterpret_cast<const T*>(bytes.data()), count};
  }
  /// A copy of an array, whose checksum must be right.
  template <typename T>
  std::vector<T> load(const std::string& name) const {
    const auto bytes = checked(name, dtype_of<T>());
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
  }
  /// Where each of `count` variable parts begins, and where the last ends: at `end`.
  std::vector<std::int64_t> offsets(const std::string& name, std::int64_t count, std::int64_t end) const;
  /// A list of strings; empty if there is none of that name.
  std::vector<std::string> strings(const std::string& name) const;
  /// The label matrix of `rows` rows.
  Labels labels(std::int64_t rows, std::int32_t classes) const;

  /// A whole number of about(); Error unless it lies within the limits.
  std::int64_t whole(const char* key, std::int64_t low, std::int64_t high) const;

  /// Reads every byte; Error for the first array whose checksum is wrong. `progress` is told the share that is done.
  void check(const std::function<void(double)>& progress) const;

  [[noreturn]] void fail(std::string_view what) const;

 private:
  void open();
  std::string_view array(const std::string& name, std::string_view dtype, std::size_t bytes, std::size_t align) const;
  std::string_view checked(const std::string& name, std::string_view dtype) const;
  std::uint32_t checksum_of(const std::string& name) const;

  SafetensorsFile file_;
  std::string kind_;
  nlohmann::json about_;
  std::vector<std::string> order_;  ///< names of the tensors in the order of their bytes
  std::vector<std::uint32_t> checksums_;
};

/// The labels in the columns of `wanted`, by name; as they are if nothing is wanted. Error that names `source` for a
/// label that is not among them.
Labels with_label_names(Labels labels, const std::vector<std::string>& names, const std::vector<std::string>& wanted,
                        const std::string& source);

}  // namespace mlpac
