#include "data/line_reader.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "data/text.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

constexpr std::size_t kChunk = std::size_t{4} << 20U;

std::FILE* open_to_read(const std::filesystem::path& path) {
  std::error_code ignored;  // a path that cannot be examined is reported by fopen
  if (std::filesystem::is_directory(path, ignored)) {
    throw Error(fmt::format("{}: is a folder, expected a file", path.string()));
  }
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) {
    const std::string reason = std::generic_category().message(errno);
    throw Error(fmt::format("{}: cannot be opened ({}), expected a readable file; check the path and its permissions",
                            path.string(), reason));
  }
  std::setvbuf(file, nullptr, _IONBF, 0);  // chunks are read straight into our buffer
  return file;
}

}  // namespace

LineReader::LineReader(std::string_view text, std::string source)
    : source_(std::move(source)), rest_(without_byte_order_mark(text)) {}

LineReader::LineReader(const std::filesystem::path& path) : source_(path.string()), file_(open_to_read(path)) {
  buffer_.resize(kChunk);
  refill();
  rest_ = without_byte_order_mark(rest_);
}

void LineReader::fail_at(std::int64_t number, std::string_view message) const {
  throw Error(fmt::format("{}:{}: {}", source_, number, message));
}

void LineReader::refill() {
  const std::size_t kept = rest_.size();
  if (kept > 0 && rest_.data() != buffer_.data()) std::memmove(buffer_.data(), rest_.data(), kept);
  if (kept + kChunk / 2 > buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::size_t got = std::fread(buffer_.data() + kept, 1, buffer_.size() - kept, file_.get());
  if (got == 0) {
    if (std::ferror(file_.get()) != 0) {
      throw Error(fmt::format("{}: reading stopped after line {} ({})", source_, number_,
                              std::generic_category().message(errno)));
    }
    file_.reset();
  }
  rest_ = std::string_view(buffer_.data(), kept + got);
}

bool LineReader::next() {
  std::size_t end = rest_.find('\n');
  while (end == std::string_view::npos && file_ && rest_.size() <= kLongestLine) {
    const std::size_t scanned = rest_.size();
    refill();
    end = rest_.find('\n', scanned);
  }
  if (end == std::string_view::npos && rest_.empty()) return false;
  ++number_;
  line_ = rest_.substr(0, end);
  if (line_.size() > kLongestLine) fail("the line is longer than 256 MB, expected text; is this a binary file?");
  rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
  if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
  return true;
}

}  // namespace mlpac
