#include "data/store_writer.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "mlpac/error.h"

namespace mlpac {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kPage = 4096;          // where the first array begins, so that rows lie well in pages
constexpr std::uint64_t kForArrays = 8 << 10;  // their names, shapes and places

const fs::path& free_path(const fs::path& path, bool overwrite) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    throw Error(fmt::format("{}: is a folder, expected the name of a file to write", path.string()));
  }
  if (!overwrite && fs::exists(path, ignored)) {
    throw Error(fmt::format("{}: exists already; overwrite it with --force", path.string()));
  }
  return path;
}

/// A file without a name, beside the one that is written.
int nameless_file(const fs::path& beside) {
  const auto folder = beside.has_parent_path() ? beside.parent_path() : fs::path(".");
  const int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0) return fd;
  auto name = beside.string() + ".XXXXXX";  // file systems that cannot do this
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

}  // namespace

/// An array that grows: in memory while it is small, then in a file of its own.
class StoreWriter::Array {
 public:
  Array(std::string array_name, std::string_view array_dtype, const fs::path& path, AtomicFile* direct)
      : name(std::move(array_name)), dtype(array_dtype), path_(path), direct_(direct) {}
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() {
    if (fd_ >= 0) ::close(fd_);
  }

  void append(std::string_view bytes) {
    crc = crc32_of(bytes, crc);
    size += bytes.size();
    buffer_ += bytes;
    if (buffer_.size() >= kBuffer) flush();
  }

  /// Writes what is not in the file yet.
  void finish(AtomicFile& file) {
    if (direct_ != nullptr || fd_ < 0) {
      file.write(buffer_);
      buffer_ = {};
      return;
    }
    flush();
    std::string piece(kBuffer, '\0');
    for (off_t at = 0; static_cast<std::uint64_t>(at) < size;) {
      const ssize_t got = ::pread(fd_, piece.data(), piece.size(), at);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) fail("read back");
      file.write(std::string_view(piece).substr(0, static_cast<std::size_t>(got)));
      at += got;
    }
  }

  std::string name;
  std::string dtype;
  std::vector<std::int64_t> inner;
  std::uint64_t size = 0;
  std::uint32_t crc = 0;

 private:
  static constexpr std::size_t kBuffer = std::size_t{4} << 20U;

  [[noreturn]] void fail(std::string_view what) const {
    throw Error(fmt::format("{}: cannot {} a temporary file beside it: {}; free space or choose another folder.",
                            path_.string(), what, std::strerror(errno)));  // NOLINT(concurrency-mt-unsafe)
  }

  void flush() {
    if (direct_ != nullptr) {
      direct_->write(buffer_);
    } else {
      if (fd_ < 0) fd_ = nameless_file(path_);
      if (fd_ < 0) fail("create");
      for (std::string_view rest = buffer_; !rest.empty();) {
        const ssize_t written = ::write(fd_, rest.data(), rest.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) fail("write");
        rest.remove_prefix(static_cast<std::size_t>(written));
      }
    }
    buffer_.clear();
  }

  const fs::path& path_;
  AtomicFile* direct_;
  int fd_ = -1;
  std::string buffer_;
};

StoreWriter::StoreWriter(const fs::path& path, std::string kind, nlohmann::json about, bool overwrite)
    : path_(path),
      kind_(std::move(kind)),
      about_(std::move(about)),
      // The description is a string in the header: its quotes are escaped.
      room_((nlohmann::json(about_.dump()).dump().size() + kForArrays + kPage - 1) / kPage * kPage),
      file_(free_path(path, overwrite)) {
  file_.write(std::string(room_, ' '));
}

StoreWriter::~StoreWriter() = default;

std::size_t StoreWriter::begin(std::string name, std::string_view dtype) {
  arrays_.push_back(std::make_unique<Array>(std::move(name), dtype, path_, arrays_.empty() ? &file_ : nullptr));
  return arrays_.size() - 1;
}

void StoreWriter::append(std::size_t array, std::string_view bytes) { arrays_[array]->append(bytes); }

void StoreWriter::set_shape(std::size_t array, std::vector<std::int64_t> inner) {
  arrays_[array]->inner = std::move(inner);
}

void StoreWriter::add_strings(const std::string& name, std::span<const std::string> strings) {
  if (strings.empty()) return;
  const auto bytes = begin<std::uint8_t>(name);
  std::vector<std::int64_t> offsets{0};
  for (const auto& text : strings) {
    append(bytes, text);
    offsets.push_back(offsets.back() + static_cast<std::int64_t>(text.size()));
  }
  add<std::int64_t>(name + "_offsets", offsets);
}

void StoreWriter::add_labels(const Labels& labels) {
  const auto columns = begin<std::int32_t>("label_columns");
  const auto states = begin<std::int8_t>("label_states");
  const auto offsets = begin<std::int64_t>("label_offsets");
  std::int64_t end = 0;
  append<std::int64_t>(offsets, {&end, 1});
  for (std::int64_t row = 0; row < labels.rows(); ++row) {
    for (const auto& entry : labels.row(row)) {
      append<std::int32_t>(columns, {&entry.column, 1});
      append<std::int8_t>(states, {&entry.state, 1});
      ++end;
    }
    append<std::int64_t>(offsets, {&end, 1});
  }
}

std::uint64_t StoreWriter::bytes() const {
  std::uint64_t total = 0;
  for (const auto& array : arrays_) total += array->size;
  return total;
}

std::string StoreWriter::header(std::uint64_t room) const {
  nlohmann::ordered_json header;
  auto& metadata = header["__metadata__"];
  metadata["format"] = kStoreFormat;  // first: this is what the file is known by
  metadata["version"] = std::to_string(kStoreVersion);
  metadata["kind"] = kind_;
  metadata["about"] = about_.dump();
  std::uint64_t offset = 0;
  const auto place = [&](const std::string& name, const std::string& dtype, std::uint64_t size,
                         const std::vector<std::int64_t>& inner) {
    auto count = static_cast<std::int64_t>(size / dtype_size(dtype));
    std::vector<std::int64_t> shape{0};
    for (const auto dimension : inner) {
      count /= dimension;
      shape.push_back(dimension);
    }
    shape[0] = count;
    header[name] = {{"dtype", dtype}, {"shape", shape}, {"data_offsets", {offset, offset + size}}};
    offset += size;
  };
  for (const auto& array : arrays_) place(array->name, array->dtype, array->size, array->inner);
  place(std::string(kStoreChecksums), std::string(dtype_of<std::int32_t>()),
        (arrays_.size() + 1) * sizeof(std::uint32_t), {});
  auto text = header.dump();
  if (text.size() + sizeof room > room) throw std::logic_error("the description of a store grew");
  text.append(room - sizeof room - text.size(), ' ');
  const std::uint64_t size = text.size();
  return std::string(reinterpret_cast<const char*>(&size), sizeof size) + text;
}

void StoreWriter::commit() {
  std::vector<std::uint32_t> sums;
  for (const auto& array : arrays_) {
    array->finish(file_);
    sums.push_back(array->crc);
  }
  const auto text = header(room_);
  sums.push_back(crc32_of(text));
  file_.write({reinterpret_cast<const char*>(sums.data()), sums.size() * sizeof(std::uint32_t)});
  file_.rewrite(0, text);
  file_.commit();
}

}  // namespace mlpac
