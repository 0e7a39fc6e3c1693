#include "train/run_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <utility>

#include "core/file.h"
#include "mlpac/error.h"

namespace mlpac {

namespace fs = std::filesystem;

RunFolder::RunFolder(fs::path path) : path_(std::move(path)), created_(!fs::exists(path_)) {
  create_folder(path_);
  lock_ = ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0) throw Error(fmt::format("{}: cannot open the run folder", path_.string()));
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
    ::close(lock_);
    throw Error(
        fmt::format("{}: another mlpac works in this run folder; wait for it or choose another --out", path_.string()));
  }
}

RunFolder::~RunFolder() {
  if (created_) ::rmdir(path_.c_str());  // does nothing unless it is empty
  ::close(lock_);
}

void RunFolder::clear() const {
  std::error_code ignored;
  for (const auto& file : {result(), checkpoint(), metrics(), config(), path_ / "model.json",
                           path_ / "model.safetensors", path_ / "critic.safetensors", events()}) {
    fs::remove(file, ignored);
  }
  for (const auto& entry : fs::directory_iterator(path_, ignored)) {  // left by a process that was killed while writing
    if (entry.path().extension() == ".part") fs::remove(entry.path(), ignored);
  }
}

std::uintmax_t RunFolder::metrics_size() const {
  std::error_code none;
  const auto size = fs::file_size(metrics(), none);
  return none ? 0 : size;
}

void RunFolder::truncate_metrics(std::uintmax_t size) const {
  if (metrics_size() <= size) return;
  std::error_code error;
  fs::resize_file(metrics(), size, error);
  if (error) throw Error(fmt::format("{}: cannot truncate: {}", metrics().string(), error.message()));
}

}  // namespace mlpac
