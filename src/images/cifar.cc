#include "images/cifar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/file.h"
#include "data/line_reader.h"
#include "data/text.h"
#include "mlpac/error.h"
#include "mlpac/image_table.h"

namespace mlpac {
namespace {

namespace fs = std::filesystem;

constexpr int kSide = 32;
constexpr std::size_t kPlane = std::size_t{kSide} * kSide;
constexpr std::array<const char*, 10> kTenNames{"airplane", "automobile", "bird",  "cat",  "deer",
                                                "dog",      "frog",       "horse", "ship", "truck"};
constexpr std::array<const char*, 5> kTenBatches{"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin",
                                                 "data_batch_4.bin", "data_batch_5.bin"};

bool is_there(const fs::path& path) {
  std::error_code ignored;  // what cannot be examined is reported when it is read
  return fs::exists(path, ignored);
}

std::vector<std::string> ten_names(const fs::path& folder) {
  const fs::path path = folder / "batches.meta.txt";
  if (!is_there(path)) return {kTenNames.begin(), kTenNames.end()};
  return parse_class_names(read_file(path), path.string(), kTenNames.size());
}

std::vector<std::string> hundred_names(const fs::path& folder) {
  const fs::path path = folder / "fine_label_names.txt";
  return parse_class_names(read_file(path), path.string(), 100);
}

void append_file(const fs::path& path, CifarKind kind, ImageTable& table) {
  append_cifar(read_file(path), path.string(), kind, table);
}

}  // namespace

std::vector<std::string> parse_class_names(std::string_view text, const std::string& source, std::size_t expected) {
  LineReader lines(text, source);
  std::vector<std::string> names;
  while (lines.next()) {
    const std::string name = to_utf8(trim(lines.line()));
    if (name.empty()) {
      while (lines.next()) {
        if (!trim(lines.line()).empty()) lines.fail("follows a blank line, expected one name per line");
      }
      break;
    }
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      lines.fail(fmt::format("the name {} occurs twice, expected each once", in_quotes(name)));
    }
    names.push_back(name);
  }
  if (names.size() != expected) {
    throw Error(fmt::format("{}: has {} names of classes, expected {}, one per line", source, names.size(), expected));
  }
  return names;
}

void append_cifar(std::string_view bytes, const std::string& source, CifarKind kind, ImageTable& table) {
  const std::size_t labels = kind == CifarKind::ten ? 1 : 2;
  const std::size_t record = labels + 3 * kPlane;
  if (bytes.empty() || bytes.size() % record != 0) {
    throw Error(
        fmt::format("{}: has {} bytes, expected a positive multiple of {} (record {} is incomplete); was it cut "
                    "off, or is it the Python version?",
                    source, bytes.size(), record, bytes.size() / record));
  }
  const std::size_t count = bytes.size() / record;
  table.width = kSide;
  table.height = kSide;
  table.pixels.reserve(table.pixels.size() + count * 3 * kPlane);
  const std::string file = fs::path(source).filename().string();
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view image = bytes.substr(i * record, record);
    const auto label = static_cast<std::uint8_t>(image[labels - 1]);
    if (label >= table.class_names.size()) {
      throw Error(
          fmt::format("{}: record {} (counted from 0) has the label {}, expected at most {}; is this file of "
                      "CIFAR-{}?",
                      source, i, label, table.class_names.size() - 1, kind == CifarKind::ten ? 10 : 100));
    }
    table.classes.push_back(label);
    table.names.push_back(fmt::format("{}:{}", file, i));
    const std::string_view planes = image.substr(labels);
    for (std::size_t p = 0; p < kPlane; ++p) {
      for (std::size_t c = 0; c < 3; ++c) table.pixels.push_back(static_cast<std::uint8_t>(planes[c * kPlane + p]));
    }
  }
}

namespace {

bool is_cifar_ten(const fs::path& folder) {
  return is_there(folder / kTenBatches[0]) || is_there(folder / "test_batch.bin");
}

}  // namespace

bool is_cifar(const fs::path& folder) { return is_cifar_ten(folder) || is_there(folder / "train.bin"); }

CifarData read_cifar(const fs::path& folder) {
  CifarData data;
  const bool ten = is_cifar_ten(folder);
  if (!is_cifar(folder)) {
    throw Error(
        fmt::format("{}: has no data_batch_1.bin and no train.bin, expected the folder with the binary version of "
                    "CIFAR-10 (cifar-10-batches-bin) or CIFAR-100 (cifar-100-binary)",
                    folder.string()));
  }
  data.train.class_names = ten ? ten_names(folder) : hundred_names(folder);
  data.test.class_names = data.train.class_names;
  if (ten) {
    for (const char* const batch : kTenBatches) append_file(folder / batch, CifarKind::ten, data.train);
    append_file(folder / "test_batch.bin", CifarKind::ten, data.test);
  } else {
    append_file(folder / "train.bin", CifarKind::hundred, data.train);
    append_file(folder / "test.bin", CifarKind::hundred, data.test);
  }
  return data;
}

}  // namespace mlpac
