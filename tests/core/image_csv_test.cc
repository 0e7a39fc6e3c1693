// Lists of images in CSV files.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "image_bytes.h"
#include "images/image_csv.h"
#include "mlpac/error.h"
#include "mlpac/image_list.h"
#include "refusals.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

ImageList parse(const std::string& text, ImageListOptions options = {}) {
  options.check_files = false;
  return parse_image_csv(text, "l", "pictures", options);
}

TEST(ImageCsv, FilesAndLabels) {
  const ImageList list = parse("File,labels\nb.jpg,dog cat\n\"a, \"\"1\"\".jpg\",\"!dog  cow\"\nc.jpg,\nd.jpg\n");
  EXPECT_EQ(list.label_names, (std::vector<std::string>{"cat", "cow", "dog"}));
  EXPECT_EQ(list.ids, (std::vector<std::string>{"b.jpg", "a, \"1\".jpg", "c.jpg", "d.jpg"}));
  EXPECT_EQ(list.files[0], std::filesystem::path("pictures/b.jpg"));
  EXPECT_EQ(list.labels.at(0, 0), kAnnotated);
  EXPECT_EQ(list.labels.at(0, 2), kAnnotated);
  EXPECT_EQ(list.labels.at(1, 2), kKnownNegative);
  EXPECT_TRUE(list.labels.row(3).empty());
}

TEST(ImageCsv, ALineWithoutLabelsTakesNoneFromTheOneBefore) {
  const ImageList list = parse("a.jpg,dog\nb.jpg\nc.jpg,cat\n");
  EXPECT_EQ(list.labels.count(kAnnotated), 2);
  EXPECT_TRUE(list.labels.row(1).empty());
}

TEST(ImageCsv, LabelsOfAModel) {
  ImageListOptions options;
  options.label_names = {"dog", "cat"};
  EXPECT_EQ(parse("b.jpg,cat\n", options).labels.at(0, 1), kAnnotated);
  EXPECT_THROW(parse("b.jpg,cow\n", options), Error);
  options.on_error = OnError::skip;
  const ImageList list = parse("b.jpg,cow cat\n", options);
  EXPECT_EQ(list.skipped.annotations, 1);
  EXPECT_EQ(list.labels.at(0, 1), kAnnotated);
}

TEST(ImageCsv, FaultsAreRefusedOrSkipped) {
  const std::vector<Bad> lists{{"", 0, "names no images"},
                               {"file,labels\n", 0, "names no images"},
                               {"a.jpg,x,y\n", 1, "3 fields"},
                               {"a.jpg,x\n,y\n", 2, "names no file"},
                               {"a.jpg,x\na.jpg,y\n", 2, "'a.jpg' is named twice"},
                               {"a.jpg,x !x\n", 1, "as positive and as negative"}};
  for (const Bad& bad : lists) expect_refused(bad, "l", [](const std::string& text) { parse(text); });
  ImageListOptions options;
  options.on_error = OnError::skip;
  const ImageList list = parse("a.jpg,x\na.jpg,y\n,y\n", options);
  EXPECT_EQ(list.size(), 1U);
  EXPECT_EQ(list.skipped.images, 2);
}

TEST(ImageCsv, DamagedListsAreParsedOrRefused) {
  constexpr std::array<std::string_view, 6> kPieces{"\"", ",", "\n", " ", "!", "\r\n"};
  ImageListOptions options;
  options.on_error = OnError::skip;
  options.check_files = false;
  expect_parsed_or_refused("file,labels\nb.jpg,dog cat\n\"a,1.jpg\",!dog cow\nc.jpg,\n", 3000, 13, kPieces,
                           [&](const std::string& text) { parse_image_csv(text, "fuzz", "p", options); });
}

TEST(ImageCsv, TruncatedImagesAreNamedOrSkipped) {
  const TemporaryFolder folder;
  const std::string jpeg = jpeg_bytes(smooth_image(40, 30));
  write_text(folder / "a.jpg", jpeg);
  write_text(folder / "b.jpg", jpeg.substr(0, jpeg.size() / 2));
  write_text(folder / "c.jpg", jpeg);
  write_text(folder / "list.csv", "a.jpg,x\nb.jpg,y\nc.jpg,x z\n");
  ImageList list = read_image_csv(folder / "list.csv", folder / ".");
  try {
    check_images(list, OnError::stop);
    ADD_FAILURE() << "expected an error";
  } catch (const Error& error) {
    EXPECT_NE(std::string_view(error.what()).find("b.jpg"), std::string_view::npos) << error.what();
  }
  EXPECT_EQ(list.size(), 3U);
  check_images(list, OnError::skip, 2);
  EXPECT_EQ(list.ids, (std::vector<std::string>{"a.jpg", "c.jpg"}));
  EXPECT_EQ(list.labels.rows(), 2);
  EXPECT_EQ(list.labels.at(1, 2), kAnnotated);
  EXPECT_EQ(list.skipped.images, 1);
  EXPECT_NE(list.skipped.messages.at(0).find("b.jpg"), std::string::npos);
}

}  // namespace
}  // namespace mlpac
