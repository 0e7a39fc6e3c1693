// NumPy arrays: the bytes of a .npy file, and its elements as the numbers and names the readers need.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/npy_header.h"

namespace mlpac {

/// An array whose elements are all there. Can be moved but not copied: `bytes` may point into `storage`.
struct NpyArray {
  NpyArray() = default;
  NpyArray(const NpyArray&) = delete;
  NpyArray& operator=(const NpyArray&) = delete;
  NpyArray(NpyArray&&) = default;
  NpyArray& operator=(NpyArray&&) = default;
  ~NpyArray() = default;

  std::string source;  ///< for messages
  NpyHeader header;
  std::string_view bytes;     ///< of the elements, header.elements * header.item of them
  std::vector<char> storage;  ///< what was decompressed; empty if `bytes` points into the file

  bool numeric() const { return header.kind != NpyKind::bytes && header.kind != NpyKind::text; }
  /// Throws Error with `source: what`.
  [[noreturn]] void fail(std::string_view what) const;
};

/// Reads an array that fills `bytes` exactly; they must outlive it.
NpyArray parse_npy(std::string_view bytes, std::string source);

/// Elements from `first` on, in the order of the file, as float32: what is too large becomes infinite. The array must
/// be numeric().
void to_floats(const NpyArray& array, std::int64_t first, std::span<float> values);

/// One element of a numeric array, for messages.
double number_at(const NpyArray& array, std::int64_t element);

/// Throws Error unless the elements are int32 or int64.
void require_integers(const NpyArray& array);

/// Elements from `first` on of an array of integers.
void to_integers(const NpyArray& array, std::int64_t first, std::span<std::int64_t> values);

/// All elements of an array of one dimension; throws Error if it is another, or not of int32 or int64.
std::vector<std::int64_t> integer_list(const NpyArray& array);

/// All elements of an array of strings or integers of one dimension, as UTF-8. Throws Error for an empty string.
std::vector<std::string> name_list(const NpyArray& array);

/// The shape as Python writes it.
std::string shape_text(const NpyArray& array);

}  // namespace mlpac
