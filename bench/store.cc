// What bench/store needs beside the program: a synthetic store of any size, written in little memory, and a file whose
// pages the system forgets, so that reading it begins at the disk.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "core/random.h"
#include "data/feature_store.h"
#include "mlpac/error.h"

namespace {

using namespace mlpac;

/// Rows of uniform numbers; a label is on where the mean of its own columns is high.
FeatureData block(std::int64_t first, std::int64_t rows, std::int32_t columns, std::int32_t labels) {
  FeatureData data;
  data.source = "synthetic";
  data.features.columns = columns;
  data.labels = Labels(labels);
  for (std::int32_t c = 0; c < labels; ++c) data.label_names.push_back(fmt::format("label{}", c));
  const auto stream = stream_key(1, "bench.store");
  std::vector<float> sums(static_cast<std::size_t>(labels));
  for (std::int64_t row = first; row < first + rows; ++row) {
    const auto key = row_key(stream, 0, static_cast<std::uint64_t>(row));
    sums.assign(sums.size(), 0);
    for (std::int32_t c = 0; c < columns; ++c) {
      const float value = unit_float(bits_at(key, static_cast<std::uint64_t>(c))) + 0x1p-25F;  // never 0
      data.features.indices.push_back(c);
      data.features.values.push_back(value);
      sums[static_cast<std::size_t>(c % labels)] += value;
    }
    data.features.offsets.push_back(static_cast<std::int64_t>(data.features.indices.size()));
    std::vector<LabelEntry> entries;
    for (std::int32_t c = 0; c < labels; ++c) {
      const float mean = sums[static_cast<std::size_t>(c)] * static_cast<float>(labels) / static_cast<float>(columns);
      if (mean > 0.53F) entries.push_back({c, kAnnotated});
    }
    data.labels.append(std::move(entries));
  }
  return data;
}

int make(std::int64_t rows, std::int32_t columns, std::int32_t labels, const std::string& out) {
  constexpr std::int64_t kBlock = 8192;
  FeatureStoreWriter writer(out, block(0, 1, columns, labels), true);
  for (std::int64_t first = 0; first < rows; first += kBlock) {
    writer.append(block(first, std::min(kBlock, rows - first), columns, labels));
    if (first / kBlock % 64 == 0) fmt::print(stderr, "{} of {} rows\n", first, rows);
  }
  writer.commit();
  return 0;
}

int forget(const char* path) {
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw Error(fmt::format("{}: cannot be opened", path));
  ::fsync(fd);
  const int failed = ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
  ::close(fd);
  return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 5 && words[0] == "make") {
    return make(std::stoll(words[1]), std::stoi(words[2]), std::stoi(words[3]), words[4]);
  }
  if (words.size() == 2 && words[0] == "forget") return forget(argv[2]);
  fmt::print(stderr, "usage: store_bench make ROWS COLUMNS LABELS FILE | forget FILE\n");
  return 2;
}
