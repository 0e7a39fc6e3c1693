#include "experiment/cell_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/file.h"
#include "core/log.h"
#include "experiment/python_text.h"
#include "mlpac/error.h"

namespace mlpac {

namespace fs = std::filesystem;

namespace {

/// A file that is open and locked as long as the object lives.
class Locked {
 public:
  Locked(const fs::path& path, int flags, int lock) : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {
    if (fd_ < 0) throw Error(fmt::format("{}: {}", path.string(), std::strerror(errno)));
    while (::flock(fd_, lock) != 0 && errno == EINTR) {
    }
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  ~Locked() { ::close(fd_); }
  int fd() const { return fd_; }

 private:
  int fd_;
};

/// What is wrong with a line.
struct Wrong {
  std::string what;
};

}  // namespace

CellFile::CellFile(fs::path path, const Plan& plan) : path_(std::move(path)), plan_(plan) { refresh(); }

CellFile::Identity CellFile::identity(const Json& record) const {
  return {plan_.cell_name(record), record.at("options").get<std::string>()};
}

Json CellFile::checked(std::string_view line) const {
  auto record = Json::parse(line, nullptr, false);
  if (record.is_discarded()) throw Wrong{"not JSON"};
  if (!record.is_object() || record.value("kind", Json()) != plan_.kind()) {
    throw Wrong{fmt::format("not a result of the plan {}", plan_.kind())};
  }
  std::string absent;
  const auto need = [&](std::string_view name) {
    if (!record.contains(name)) absent += fmt::format("{}{}", absent.empty() ? "" : ", ", name);
  };
  for (const auto& [axis, options] : plan_.axes().items()) need(axis);
  for (const auto* const name : {"variant", "options", "test", "seconds", "binary"}) need(name);
  if (!absent.empty()) throw Wrong{fmt::format("no {} in it", absent)};
  if (!record.at("variant").is_string() || !record.at("options").is_string() || !record.at("test").is_object() ||
      !record.at("seconds").is_object() || !record.value("selection", Json::object()).is_object()) {
    throw Wrong{"variant, options, test, seconds or selection is not what it should be"};
  }
  return record;
}

std::pair<CellFile::Records, std::size_t> CellFile::parse(const std::string& data, const fs::path& file) {
  Records records;
  std::size_t start = 0;
  for (int number = 1; start < data.size(); ++number) {
    const auto end = data.find('\n', start);
    const auto length = end == std::string::npos ? data.size() - start : end + 1 - start;
    const auto line = std::string_view(data).substr(start, length);
    try {
      if (line.find_first_not_of(" \t\r\n") != std::string_view::npos) {
        auto record = checked(line);
        auto known = identity(record);
        records.emplace(std::move(known), std::move(record));
      }
    } catch (const Wrong& wrong) {
      if (end != std::string::npos) {
        throw Error(fmt::format("{}:{}: {}; remove the line, or name another file", file.string(), number, wrong.what));
      }
      if (torn_.insert(file).second) {
        log_info(fmt::format("{}:{}: the last line is incomplete (killed while writing?) and does not count",
                             file.string(), number));
      }
      break;
    }
    start += length;
  }
  return {std::move(records), start};
}

std::pair<std::size_t, bool> CellFile::load(int descriptor) {
  struct stat found {};
  ::fstat(descriptor, &found);
  std::string data(static_cast<std::size_t>(found.st_size), '\0');
  std::size_t read = 0;
  while (read < data.size()) {
    const auto count = ::pread(descriptor, data.data() + read, data.size() - read, static_cast<off_t>(read));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    read += static_cast<std::size_t>(count);
  }
  data.resize(read);
  auto [records, whole] = parse(data, path_);
  records_ = std::move(records);
  seen_ = Stamp{found.st_ino, found.st_size, found.st_mtim.tv_sec * 1'000'000'000 + found.st_mtim.tv_nsec};
  return {whole, whole > 0 && data[whole - 1] != '\n'};
}

void CellFile::refresh() {
  struct stat found {};
  if (::stat(path_.c_str(), &found) != 0) return;
  const Stamp stamp{found.st_ino, found.st_size, found.st_mtim.tv_sec * 1'000'000'000 + found.st_mtim.tv_nsec};
  if (seen_ == stamp) return;
  const Locked file(path_, O_RDONLY, LOCK_SH);
  load(file.fd());
}

const Json* CellFile::get(const std::string& name, const std::string& options) {
  refresh();
  const auto found = records_.find({name, options});
  return found == records_.end() ? nullptr : &found->second;
}

bool CellFile::has_name(const std::string& name) const {
  const auto found = records_.lower_bound({name, ""});
  return found != records_.end() && found->first.first == name;
}

std::vector<const Json*> CellFile::records() const {
  std::vector<const Json*> result;
  result.reserve(records_.size());
  for (const auto& [known, record] : records_) result.push_back(&record);
  return result;
}

std::size_t CellFile::add(const std::vector<Json>& records) {
  if (path_.has_parent_path()) create_folder(path_.parent_path());
  const Locked file(path_, O_RDWR | O_CREAT | O_APPEND, LOCK_EX);
  const auto [whole, open_ended] = load(file.fd());
  std::string text;
  std::size_t count = 0;
  for (const auto& record : records) {
    if (records_.contains(identity(record))) continue;
    if (count == 0 && open_ended) text += '\n';
    text += record.dump() + '\n';
    ++count;
  }
  if (count == 0) return 0;
  append(file.fd(), whole, text);  // one write: nobody sees half of it
  load(file.fd());
  return count;
}

void CellFile::append(int descriptor, std::size_t end, const std::string& text) const {
  const auto size = static_cast<off_t>(end);
  if (::ftruncate(descriptor, size) != 0) throw Error(fmt::format("{}: {}", path_.string(), std::strerror(errno)));
  const auto written = ::write(descriptor, text.data(), text.size());
  const bool complete = written == static_cast<ssize_t>(text.size()) && ::fsync(descriptor) == 0;
  if (complete) return;
  const auto* const reason = written < 0 ? std::strerror(errno) : "the disk is full";
  [[maybe_unused]] const int ignored = ::ftruncate(descriptor, size);
  throw Error(fmt::format("{}: {}", path_.string(), reason));
}

void CellFile::merge(const fs::path& file) {
  const auto [others, whole] = parse(read_file(file), file);
  std::vector<Json> records;
  for (const auto& [known, other] : others) {
    const auto found = records_.find(known);
    if (found != records_.end() && found->second.at("binary") == other.at("binary") &&
        found->second.at("test") != other.at("test")) {
      log_info(fmt::format("conflict: {}: F1 {} here, which stays, {} in {}, by the same program", known.first,
                           python_str(found->second.at("test").value("f1", Json())),
                           python_str(other.at("test").value("f1", Json())), file.string()));
    }
    records.push_back(other);
  }
  const auto added = add(records);
  log_info(fmt::format("{}: {} cells added, {} were there already", file.string(), added, records.size() - added));
}

}  // namespace mlpac
