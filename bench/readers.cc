// Reading speed of every text format: `mlpac_bench read FOLDER` writes made-up files there and prints one JSON object
// per format; `mlpac_bench wide ROWS FILE` writes wide sparse data.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "bench/wide_data.h"
#include "core/file.h"
#include "core/random.h"
#include "mlpac/feature_data.h"

namespace mlpac::bench {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// A dense table of numbers with ten 0/1 labels.
FeatureData dense_table() {
  SyntheticSpec spec;
  spec.rows = 60'000;
  spec.features = 200;
  return synthesise(spec);
}

std::string as_csv(const FeatureData& data) {
  std::string text;
  for (const auto& name : data.feature_names) text += name + ',';
  for (std::size_t c = 0; c < data.label_names.size(); ++c) {
    text += data.label_names[c] + (c + 1 < data.label_names.size() ? "," : "\n");
  }
  std::vector<float> row(static_cast<std::size_t>(data.features.columns));
  for (std::size_t r = 0; r + 1 < data.features.offsets.size(); ++r) {
    std::fill(row.begin(), row.end(), 0.0F);
    for (auto i = data.features.offsets[r]; i < data.features.offsets[r + 1]; ++i) {
      row[static_cast<std::size_t>(data.features.indices[static_cast<std::size_t>(i)])] =
          data.features.values[static_cast<std::size_t>(i)];
    }
    for (const float value : row) fmt::format_to(std::back_inserter(text), "{:.5g},", value);
    for (std::int32_t c = 0; c < data.labels.classes(); ++c) {
      text += data.labels.at(static_cast<std::int64_t>(r), c) == kAnnotated ? '1' : '0';
      text += c + 1 < data.labels.classes() ? ',' : '\n';
    }
  }
  return text;
}

/// Words with the frequencies of natural text (Zipf), one to three labels a line.
std::string as_text(std::int64_t rows) {
  std::string text;
  const std::uint64_t stream = stream_key(3, "words");
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::uint64_t key = row_key(stream, 0, static_cast<std::uint64_t>(row));
    fmt::format_to(std::back_inserter(text), "__label__topic{}", bits_at(key, 0) % 50);
    for (std::uint64_t i = 1; i <= 80; ++i) {
      const double u = unit_float(bits_at(key, i));
      const auto rank = static_cast<std::uint64_t>(std::pow(60'000.0, u));
      fmt::format_to(std::back_inserter(text), " w{:x}", mix64(rank) % 0xFFFFFF);
    }
    text += '\n';
  }
  return text;
}

void measure(std::string_view format, const fs::path& file, const ReadOptions& options) {
  double best = 1e9;
  std::int64_t values = 0;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const auto start = Clock::now();
    const auto data = read_features(file, options);
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    values = static_cast<std::int64_t>(data.features.values.size());
  }
  const double megabytes = static_cast<double>(fs::file_size(file)) / 1e6;
  fmt::print(
      "{{\"format\":\"{}\",\"file\":\"{}\",\"mb\":{:.1f},\"values\":{},\"seconds\":{:.3f},\"mb_per_s\":{:.0f}}}\n",
      format, file.string(), megabytes, values, best, megabytes / best);
}

void read_all(const fs::path& folder) {
  fs::create_directories(folder);
  const FeatureData table = dense_table();
  ReadOptions labels;
  labels.label_names = table.label_names;
  write_arff(table, folder / "dense.arff");
  measure("ARFF, dense", folder / "dense.arff", labels);
  write_file_atomically(folder / "dense.csv", as_csv(table));
  measure("CSV, numbers", folder / "dense.csv", labels);
  write_wide_libsvm({.rows = 200'000}, folder / "wide.svm");
  measure("libsvm, 50 values of 100 000 a row", folder / "wide.svm", {});
  const FeatureData wide = read_features(folder / "wide.svm", {});
  ReadOptions wide_labels;
  wide_labels.label_names = wide.label_names;
  FeatureData named = wide;
  for (std::int32_t c = 0; c < wide.features.columns; ++c) named.feature_names.push_back(fmt::format("f{}", c));
  write_arff(named, folder / "sparse.arff");
  measure("ARFF, sparse", folder / "sparse.arff", wide_labels);
  write_file_atomically(folder / "text.txt", as_text(250'000));
  measure("text, tf-idf of a vocabulary", folder / "text.txt", {});
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() == 2 && arguments[0] == "read") {
    read_all(arguments[1]);
  } else if (arguments.size() == 3 && arguments[0] == "wide") {
    write_wide_libsvm({.rows = std::stoll(arguments[1])}, arguments[2]);
  } else {
    fmt::print(stderr, "usage: mlpac_bench read FOLDER | wide ROWS FILE\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace mlpac::bench

int main(int argc, char** argv) {
  try {
    return mlpac::bench::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "mlpac_bench: {}\n", error.what());
    return 1;
  }
}
