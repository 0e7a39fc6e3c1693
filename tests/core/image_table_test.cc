// Tables of images: the same for every number of threads, the first error in order, and real pictures where they are.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "image_bytes.h"
#include "images/in_order.h"
#include "mlpac/error.h"
#include "mlpac/image_table.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

namespace fs = std::filesystem;

const auto kNever = [] { return false; };

/// Forty images of two classes, each of one colour of its own.
ClassFolders forty(const TemporaryFolder& folder) {
  ClassFolders list;
  list.class_names = {"even", "odd"};
  for (int i = 0; i < 40; ++i) {
    list.files.push_back(folder / (std::to_string(i) + ".png").c_str());
    list.classes.push_back(i % 2);
    write_text(list.files.back(), png_bytes(Image{6, 4, std::vector<std::uint8_t>(72, static_cast<std::uint8_t>(i))}));
  }
  return list;
}

std::string refusal(const ClassFolders& list, const LoadOptions& options) {
  try {
    load_images(list, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "not refused";
}

TEST(ImageTable, IsTheSameForEveryNumberOfThreads) {
  const TemporaryFolder folder;
  const ClassFolders list = forty(folder);
  for (const int threads : {0, 1, 2, 7, 100}) {
    const ImageTable table = load_images(list, {.threads = threads});
    ASSERT_EQ(table.size(), 40U);
    EXPECT_EQ(table.width, 6);
    EXPECT_EQ(table.height, 4);
    EXPECT_EQ(table.classes, list.classes);
    EXPECT_EQ(table.class_names, list.class_names);
    EXPECT_EQ(table.names[39], list.files[39].string());
    for (std::size_t i = 0; i < 40; ++i) {
      for (const std::uint8_t byte : table.image(i)) ASSERT_EQ(byte, i);
    }
  }
}

TEST(ImageTable, ResizesToOneSizeOrRefuses) {
  const TemporaryFolder folder;
  ClassFolders list = forty(folder);
  write_text(list.files[9], png_bytes(Image{5, 4, std::vector<std::uint8_t>(60, 9)}));
  write_text(list.files[11], jpeg_bytes(Image{64, 80, std::vector<std::uint8_t>(15360, 11)}));
  EXPECT_NE(refusal(list, {.threads = 3}).find("9.png: is 5 x 4 pixels, expected 6 x 4"), std::string::npos);
  const ImageTable table = load_images(list, {.width = 3, .height = 7});
  EXPECT_EQ(table.pixels.size(), 40U * 3 * 7 * 3);
  EXPECT_EQ(table.image(9)[0], 9);
  EXPECT_NEAR(table.image(11)[0], 11, 1);
  EXPECT_NE(refusal(list, {.width = 3}).find("expected two positive sides"), std::string::npos);
  EXPECT_NE(refusal(list, {.width = -3, .height = 2}).find("expected two positive sides"), std::string::npos);
}

TEST(ImageTable, TheFirstErrorInOrderWins) {
  const TemporaryFolder folder;
  const ClassFolders list = forty(folder);
  for (const std::size_t bad : {35U, 22U, 17U}) write_text(list.files[bad], "no image");
  for (int round = 0; round < 50; ++round) {
    const std::string message = refusal(list, {.threads = 1 + round % 5});
    ASSERT_EQ(message.find(list.files[17].string()), 0U) << message;
  }
  fs::remove(list.files[3]);
  EXPECT_EQ(refusal(list, {.threads = 2}).find(list.files[3].string()), 0U);
}

TEST(ImageTable, CanBeStopped) {
  const TemporaryFolder folder;
  const ClassFolders list = forty(folder);
  int asked = 0;
  EXPECT_EQ(refusal(list, {.threads = 1, .stopped = [&] { return ++asked > 5; }}),
            "loading was stopped after 5 of 40 images");
  EXPECT_EQ(load_images(ClassFolders{}).size(), 0U);
}

TEST(InOrder, EveryJobIsDoneOnce) {
  std::vector<std::atomic<int>> counts(1000);
  EXPECT_EQ(run_in_order(
                1000, 8, [&](std::size_t i) { ++counts[i]; }, kNever),
            1000U);
  for (const auto& count : counts) EXPECT_EQ(count, 1);
  EXPECT_EQ(run_in_order(
                0, 8, [](std::size_t) { FAIL(); }, kNever),
            0U);
}

TEST(InOrder, StoppingLeavesOutTheRest) {
  const auto job = [](std::size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); };
  int asked = 0;
  EXPECT_LT(run_in_order(1'000'000, 3, job, [&] { return ++asked > 3; }), 1'000'000U);
}

TEST(InOrder, ASlowEarlierFailureWins) {
  const auto job = [](std::size_t i) {
    if (i == 4) std::this_thread::sleep_for(std::chrono::milliseconds(30));
    if (i >= 4) throw std::runtime_error(std::to_string(i));
  };
  for (int round = 0; round < 5; ++round) {
    try {
      run_in_order(100, 4, job, kNever);
      ADD_FAILURE() << "expected an error";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "4");
    }
  }
}

/// Where real data may lie beside the project.
fs::path real_data(const char* name) {
  const char* const set = std::getenv("MLPAC_DATA");  // NOLINT(concurrency-mt-unsafe)
  return (set != nullptr ? fs::path(set) : fs::path(MLPAC_SOURCE_DIR) / "../shared/data") / name;
}

TEST(ImageTable, RealPictures) {
  const fs::path archive = real_data("cifar10-jpeg.tar.xz");
  if (!fs::exists(archive)) GTEST_SKIP() << archive << " is not there (set MLPAC_DATA to its folder)";
  const TemporaryFolder folder;
  const std::string unpack = "tar xJf '" + archive.string() + "' -C '" + (folder / ".").string() +
                             "' --wildcards 'test/*/00[0-4]?.jpg' 2>/dev/null";
  if (std::system(unpack.c_str()) != 0) GTEST_SKIP() << "tar and xz cannot unpack " << archive;
  const ClassFolders list = list_class_folders(folder / "test");
  EXPECT_EQ(list.class_names, (std::vector<std::string>{"airplane", "automobile", "bird", "cat", "deer", "dog", "frog",
                                                        "horse", "ship", "truck"}));
  const ImageTable table = load_images(list);
  ASSERT_EQ(table.size(), 500U);
  EXPECT_EQ(table.width, 32);
  EXPECT_EQ(table.height, 32);
  // Sums of bytes as Pillow 9.4 with libjpeg-turbo decodes them.
  const auto sum = [&](std::size_t i) { return std::accumulate(table.image(i).begin(), table.image(i).end(), 0); };
  EXPECT_EQ(sum(0), 475641);
  EXPECT_EQ(sum(499), 391418);
}

}  // namespace
}  // namespace mlpac
