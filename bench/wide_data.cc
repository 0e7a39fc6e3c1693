#include "bench/wide_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "core/file.h"
#include "core/random.h"

namespace mlpac::bench {

void write_wide_libsvm(const WideSpec& spec, const std::filesystem::path& path) {
  constexpr std::uint64_t kOwn = 20;  // columns of a label
  AtomicFile file(path);
  std::string text = fmt::format("{} {} {}\n", spec.rows, spec.columns, spec.labels);
  const std::uint64_t stream = stream_key(spec.seed, "wide rows");
  const std::uint64_t world = stream_key(0, "wide labels");
  const auto below = [](std::uint64_t bits, std::uint64_t limit) { return static_cast<std::int32_t>(bits % limit); };
  std::vector<std::int32_t> labels;
  std::vector<std::int32_t> columns;
  for (std::int64_t row = 0; row < spec.rows; ++row) {
    const std::uint64_t key = row_key(stream, 0, static_cast<std::uint64_t>(row));
    std::uint64_t draw = 0;
    const auto next = [&] { return bits_at(key, draw++) >> 8U; };
    labels.clear();
    columns.clear();
    const auto take = [](std::vector<std::int32_t>& list, std::int32_t value) {
      if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
    };
    while (labels.size() < static_cast<std::size_t>(spec.positives)) {
      take(labels, below(next(), static_cast<std::uint64_t>(spec.labels)));
    }
    for (const std::int32_t label : labels) {
      for (int i = 0; i < 5; ++i) {
        const std::uint64_t own = bits_at(row_key(world, 0, static_cast<std::uint64_t>(label)), next() % kOwn);
        take(columns, below(own >> 8U, static_cast<std::uint64_t>(spec.columns)));
      }
    }
    while (columns.size() < static_cast<std::size_t>(spec.values)) {
      take(columns, below(next(), static_cast<std::uint64_t>(spec.columns)));
    }
    std::sort(labels.begin(), labels.end());
    std::sort(columns.begin(), columns.end());
    text += fmt::format("{}", labels[0]);
    for (std::size_t i = 1; i < labels.size(); ++i) fmt::format_to(std::back_inserter(text), ",{}", labels[i]);
    for (const std::int32_t column : columns) {
      fmt::format_to(std::back_inserter(text), " {}:{:.4f}", column, 0.05 + 0.95 * unit_float(next() << 8U));
    }
    text += '\n';
    if (text.size() > (std::size_t{1} << 20U)) {
      file.write(text);
      text.clear();
    }
  }
  file.write(text);
  file.commit();
}

}  // namespace mlpac::bench
