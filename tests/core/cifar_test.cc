// CIFAR's binary files: records of labels and planes, names of classes, and what does not fit.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "images/cifar.h"
#include "mlpac/error.h"
#include "mlpac/image_table.h"
#include "refusals.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

/// A record whose planes are 10, 20 and 30 above the label, but for the pixel in row 1, column 2.
std::string record(int label, int coarse = -1) {
  std::string bytes;
  if (coarse >= 0) bytes += static_cast<char>(coarse);
  bytes += static_cast<char>(label);
  for (int c = 1; c <= 3; ++c) {
    std::string plane(1024, static_cast<char>(label + 10 * c));
    plane[32 + 2] = static_cast<char>(200 + c);
    bytes += plane;
  }
  return bytes;
}

ImageTable read(const std::string& bytes, CifarKind kind = CifarKind::ten) {
  ImageTable table;
  table.class_names.resize(kind == CifarKind::ten ? 10 : 100);
  append_cifar(bytes, "c", kind, table);
  return table;
}

TEST(Cifar, PlanesBecomePixels) {
  const ImageTable table = read(record(3) + record(9));
  ASSERT_EQ(table.size(), 2U);
  EXPECT_EQ(table.width, 32);
  EXPECT_EQ(table.height, 32);
  EXPECT_EQ(table.classes, (std::vector<std::int32_t>{3, 9}));
  EXPECT_EQ(table.names, (std::vector<std::string>{"c:0", "c:1"}));
  ASSERT_EQ(table.pixels.size(), 2U * 3072);
  for (std::size_t p = 0; p < 1024; ++p) {
    for (std::size_t c = 0; c < 3; ++c) {
      ASSERT_EQ(table.image(1)[3 * p + c], p == 34 ? 201 + c : 19 + 10 * c);
    }
  }
}

TEST(Cifar, HundredClassesHaveTwoLabels) {
  const ImageTable table = read(record(99, 19) + record(0, 4), CifarKind::hundred);
  EXPECT_EQ(table.classes, (std::vector<std::int32_t>{99, 0}));
  EXPECT_EQ(table.image(1)[0], 10);
}

TEST(Cifar, FolderOfBatches) {
  const TemporaryFolder folder;
  for (int i = 1; i <= 5; ++i) {
    write_text(folder / ("data_batch_" + std::to_string(i) + ".bin").c_str(), record(i) + record(0));
  }
  write_text(folder / "test_batch.bin", record(7));
  CifarData data = read_cifar(folder / ".");
  EXPECT_EQ(data.train.classes, (std::vector<std::int32_t>{1, 0, 2, 0, 3, 0, 4, 0, 5, 0}));
  EXPECT_EQ(data.train.names[3], "data_batch_2.bin:1");
  EXPECT_EQ(data.test.classes, (std::vector<std::int32_t>{7}));
  EXPECT_EQ(data.test.class_names[7], "horse");
  write_text(folder / "batches.meta.txt", "a\r\nb\nc\nd\ne\nf\ng\nh\ni\nj\n\n\n");
  EXPECT_EQ(read_cifar(folder / ".").train.class_names,
            (std::vector<std::string>{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}));
  std::filesystem::remove(folder / "data_batch_4.bin");
  EXPECT_THROW(read_cifar(folder / "."), Error);
}

TEST(Cifar, FolderOfAHundredClasses) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_cifar(folder / "."), Error);
  EXPECT_THROW(read_cifar(folder / "missing"), Error);
  write_text(folder / "train.bin", record(42, 1));
  write_text(folder / "test.bin", record(5, 2));
  EXPECT_THROW(read_cifar(folder / "."), Error);
  std::string names;
  for (int i = 0; i < 100; ++i) names += "class" + std::to_string(i) + "\n";
  write_text(folder / "fine_label_names.txt", names);
  const CifarData data = read_cifar(folder / ".");
  EXPECT_EQ(data.train.class_names[static_cast<std::size_t>(data.train.classes[0])], "class42");
  EXPECT_EQ(data.test.classes, (std::vector<std::int32_t>{5}));
}

TEST(Cifar, MalformedFilesAreRefused) {
  const std::string good = record(1) + record(2) + record(3);
  const std::vector<Bad> table{
      {"", 0, "has 0 bytes"},
      {good.substr(0, good.size() - 1), 0, "record 2 is incomplete"},
      {good.substr(0, 3072), 0, "record 0 is incomplete"},
      {good + "x", 0, "multiple of 3073 (record 3"},
      {record(1, 0), 0, "multiple of 3073"},
      {record(1) + record(10), 0, "record 1 (counted from 0) has the label 10, expected at most 9"},
      {record(-1), 0, "has the label 255"},
  };
  for (const Bad& bad : table) {
    expect_refused(bad, "c", [](const std::string& bytes) { read(bytes); });
  }
  expect_refused({record(100, 0), 0, "has the label 100"}, "c",
                 [](const std::string& b) { read(b, CifarKind::hundred); });
}

TEST(Cifar, MalformedNamesAreRefused) {
  const auto names = [](const std::string& text) { return parse_class_names(text, "n", 3); };
  EXPECT_EQ(names("\xEF\xBB\xBF a \nb\nc"), (std::vector<std::string>{"a", "b", "c"}));
  const std::vector<Bad> table{{"", 0, "has 0 names"},
                               {"a\nb\n", 0, "has 2 names of classes, expected 3"},
                               {"a\nb\nc\nd", 0, "has 4"},
                               {"a\n\nb\nc\n", 3, "follows a blank line"},
                               {"a\nb\na\n", 3, "occurs twice"}};
  for (const Bad& bad : table) expect_refused(bad, "n", names);
}

TEST(Cifar, DamageAtRandom) {
  constexpr auto kPieces = std::to_array<std::string_view>({"\x01", "\x0A", "\xFF", "12345678"});
  expect_parsed_or_refused(record(1) + record(2), 3000, 21, kPieces, [](const std::string& bytes) {
    ImageTable table;
    table.class_names.resize(10);
    append_cifar(bytes, "fuzz", CifarKind::ten, table);
    ASSERT_EQ(table.pixels.size(), table.size() * 3072);
    ASSERT_EQ(table.names.size(), table.size());
  });
}

}  // namespace
}  // namespace mlpac
