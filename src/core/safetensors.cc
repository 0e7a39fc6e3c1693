#include "core/safetensors.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/file.h"
#include "mlpac/error.h"

namespace mlpac {

namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr std::array<std::pair<std::string_view, std::size_t>, 10> kTypes{{{"F64", 8},
                                                                           {"F32", 4},
                                                                           {"F16", 2},
                                                                           {"BF16", 2},
                                                                           {"I64", 8},
                                                                           {"I32", 4},
                                                                           {"I16", 2},
                                                                           {"I8", 1},
                                                                           {"U8", 1},
                                                                           {"BOOL", 1}}};

constexpr std::size_t kPrefix = sizeof(std::uint64_t);
constexpr std::size_t kAlignment = 64;

}  // namespace

std::size_t dtype_size(std::string_view dtype) {
  for (const auto& [name, size] : kTypes) {
    if (name == dtype) return size;
  }
  return 0;
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path)
    : content_(read_file(path)), source_(path.string()) {
  parse(content_);
}

SafetensorsFile::SafetensorsFile(std::string content, std::string source)
    : content_(std::move(content)), source_(std::move(source)) {
  parse(content_);
}

SafetensorsFile::SafetensorsFile(std::shared_ptr<const MappedFile> file)
    : file_(std::move(file)), source_(file_->source()) {
  parse(file_->bytes());
}

void SafetensorsFile::parse(std::string_view all) {
  const auto fail = [this](std::string_view what) {
    throw Error(fmt::format("{}: not a valid safetensors file: {}", source_, what));
  };
  std::uint64_t header_size = 0;
  if (all.size() < kPrefix) fail("it is shorter than 8 bytes");
  std::memcpy(&header_size, all.data(), kPrefix);
  if (header_size > all.size() - kPrefix) fail("the header is longer than the file (truncated?)");
  header_ = all.substr(0, kPrefix + header_size);
  const std::string_view data = all.substr(kPrefix + header_size);
  const auto header = nlohmann::json::parse(all.substr(kPrefix, header_size), nullptr, false);
  if (!header.is_object()) fail("the header is not a JSON object");
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      if (!entry.is_object()) fail("__metadata__ is not an object");
      for (const auto& [key, value] : entry.items()) {
        if (!value.is_string()) fail(fmt::format("metadata '{}' is not a string", key));
        metadata_[key] = value.get<std::string>();
      }
      continue;
    }
    const std::string& tensor_name = name;  // clang 14 cannot capture structured bindings
    const auto bad = [&](std::string_view what) { fail(fmt::format("tensor '{}': {}", tensor_name, what)); };
    if (!entry.is_object() || !entry.contains("dtype") || !entry.contains("shape") || !entry.contains("data_offsets")) {
      bad("dtype, shape or data_offsets is missing");
    }
    const auto& offsets = entry["data_offsets"];
    if (!entry["dtype"].is_string() || !entry["shape"].is_array() || !offsets.is_array() || offsets.size() != 2 ||
        !offsets[0].is_number_unsigned() || !offsets[1].is_number_unsigned()) {
      bad("dtype, shape or data_offsets has the wrong type");
    }
    RawTensor tensor;
    tensor.dtype = entry["dtype"].get<std::string>();
    std::uint64_t bytes = dtype_size(tensor.dtype);
    if (bytes == 0) bad(fmt::format("unknown type '{}'", tensor.dtype));
    for (const auto& dimension : entry["shape"]) {
      if (!dimension.is_number_unsigned()) bad("a dimension is not a whole number");
      const auto size = dimension.get<std::uint64_t>();
      if (size > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()) ||
          (size != 0 && bytes > std::numeric_limits<std::uint64_t>::max() / size)) {
        bad("the shape is too large");
      }
      tensor.shape.push_back(static_cast<std::int64_t>(size));
      bytes *= size;
    }
    const auto begin = offsets[0].get<std::uint64_t>();
    const auto end = offsets[1].get<std::uint64_t>();
    if (begin > end || end > data.size()) bad("its data lies beyond the end of the file (truncated?)");
    if (end - begin != bytes) bad(fmt::format("shape and type need {} bytes, {} are there", bytes, end - begin));
    tensor.bytes = data.substr(begin, bytes);
    tensors_.emplace(name, std::move(tensor));
  }
}

void write_safetensors(const std::filesystem::path& path, const std::map<std::string, RawTensor>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  nlohmann::ordered_json header;
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::vector<std::string_view> pieces(2);
  std::uint64_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    const std::uint64_t end = offset + tensor.bytes.size();
    header[name] = {{"dtype", tensor.dtype}, {"shape", tensor.shape}, {"data_offsets", {offset, end}}};
    pieces.push_back(tensor.bytes);
    offset = end;
  }
  std::string text = header.is_null() ? "{}" : header.dump();
  text.append(kAlignment - (text.size() + kPrefix) % kAlignment, ' ');
  const std::uint64_t size = text.size();
  std::string prefix(kPrefix, '\0');
  std::memcpy(prefix.data(), &size, kPrefix);
  pieces[0] = prefix;
  pieces[1] = text;
  write_file_atomically(path, pieces);
}

}  // namespace mlpac
