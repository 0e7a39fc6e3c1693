// Lines of a text file, read in large chunks: one copy of the bytes in memory, no allocation per line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace mlpac {

class LineReader {
 public:
  /// A longer line is an error: it is binary data, or a file no machine this program runs on would hold in memory.
  static constexpr std::size_t kLongestLine = std::size_t{256} << 20U;

  /// Reads a text that is in memory and stays there; `source` is its name in messages.
  LineReader(std::string_view text, std::string source);
  /// Reads a file. Throws Error if it cannot be opened.
  explicit LineReader(const std::filesystem::path& path);

  /// Moves to the next line; false at the end. A byte order mark and the line end (LF or CR LF) are left out.
  bool next();
  /// The current line, valid until next() is called.
  std::string_view line() const { return line_; }
  /// Its number, from 1; 0 before the first.
  std::int64_t number() const { return number_; }
  const std::string& source() const { return source_; }

  /// Throws Error with `source:line: message`; an empty file is said to fail in line 1.
  [[noreturn]] void fail(std::string_view message) const { fail_at(number_ > 0 ? number_ : 1, message); }
  [[noreturn]] void fail_at(std::int64_t number, std::string_view message) const;

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  /// Moves the unread rest to the front of the buffer and reads more behind it.
  void refill();

  std::string source_;
  std::unique_ptr<std::FILE, Closer> file_;  ///< null when all bytes are in memory
  std::vector<char> buffer_;
  std::string_view rest_;  ///< bytes not yet delivered
  std::string_view line_;
  std::int64_t number_ = 0;
};

}  // namespace mlpac
