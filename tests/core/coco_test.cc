// COCO annotations: which images and labels a file gives, and what is reported or left out.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "images/coco.h"
#include "mlpac/error.h"
#include "mlpac/image_list.h"
#include "refusals.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

const std::string kImages = R"("images": [{"id": 7, "file_name": "b.jpg", "width": 4}, {"file_name": "a.jpg", "id": 3},
  {"id": 9, "file_name": "sub/c.jpg", "license": {"id": 1, "name": "free"}}])";
const std::string kCategories = R"("categories": [{"id": 18, "name": "dog", "supercategory": "animal"},
  {"supercategory": "person", "id": 1, "name": "person"}, {"id": 44, "name": "bottle"}])";
const std::string kAnnotations = R"("annotations": [
  {"segmentation": [[1.5, 2, 3, 4e1]], "area": 2.5, "iscrowd": 0, "image_id": 3, "bbox": [1, 2, 3, 4], "category_id": 18, "id": 5},
  {"image_id": 3, "category_id": 18, "id": 6}, {"image_id": 3, "category_id": 1, "id": 8},
  {"segmentation": {"counts": [1, 2], "size": [3, 4], "id": 77}, "iscrowd": 1, "image_id": 7, "category_id": 44}])";

std::string file(const std::vector<std::string>& parts) {
  std::string text = "{\"info\": {\"images\": [1, {\"id\": 2}], \"year\": 2014}";
  for (const std::string& part : parts) text += ", " + part;
  return text + "}";
}
const std::string kFile = file({kImages, kAnnotations, kCategories});

ImageList parse(const std::string& text, ImageListOptions options = {}) {
  options.check_files = false;
  return parse_coco_list(text, "c", "pictures", options);
}

using Entries = std::vector<LabelEntry>;
Entries row(const ImageList& list, std::int64_t i) {
  const auto entries = list.labels.row(i);
  return {entries.begin(), entries.end()};
}

TEST(Coco, ImagesCategoriesAndCrowds) {
  for (const std::string& text : {kFile, file({kCategories, kAnnotations, kImages})}) {
    const ImageList list = parse(text);
    EXPECT_EQ(list.label_names, (std::vector<std::string>{"person", "dog", "bottle"}));
    EXPECT_EQ(list.ids, (std::vector<std::string>{"7", "3", "9"}));
    EXPECT_EQ(list.files[2], std::filesystem::path("pictures/sub/c.jpg"));
    EXPECT_EQ(row(list, 0), (Entries{{2, kAnnotated}}));  // a crowd
    EXPECT_EQ(row(list, 1), (Entries{{0, kAnnotated}, {1, kAnnotated}}));
    EXPECT_EQ(row(list, 2), Entries{});
    EXPECT_EQ(list.skipped.images + list.skipped.annotations, 0);
  }
}

TEST(Coco, UnlabelledImagesCanBeLeftOut) {
  ImageListOptions options;
  options.keep_unlabelled = false;
  const ImageList list = parse(kFile, options);
  EXPECT_EQ(list.ids, (std::vector<std::string>{"7", "3"}));
  EXPECT_EQ(list.labels.rows(), 2);
}

TEST(Coco, LabelsOfAModelKeepItsOrder) {
  ImageListOptions options;
  options.label_names = {"cat", "bottle", "dog", "person"};
  const ImageList list = parse(kFile, options);
  EXPECT_EQ(list.label_names, options.label_names);
  EXPECT_EQ(row(list, 0), (Entries{{1, kAnnotated}}));
  options.label_names = {"person", "dog"};
  EXPECT_THROW(parse(kFile, options), Error);
  options.on_error = OnError::skip;
  EXPECT_EQ(parse(kFile, options).skipped.annotations, 1);
}

struct Fault {
  std::string text;
  std::string_view message;
  int images = 0;  ///< left out when asked to skip
  int annotations = 0;
};

TEST(Coco, FaultsAreReportedByNameOrSkipped) {
  const auto with_annotation = [](const std::string& entry) {
    return file(
        {kImages, "\"annotations\": [" + entry + ", {\"image_id\": 3, \"category_id\": 1, \"id\": 8}]", kCategories});
  };
  const auto with_image = [](const std::string& entry) {
    return file(
        {"\"images\": [{\"id\": 3, \"file_name\": \"a.jpg\"}, " + entry + "]", "\"annotations\": []", kCategories});
  };
  const std::vector<Fault> faults{
      {with_annotation(R"({"image_id": 3, "category_id": 99})"), "annotations[0]: unknown category 99 of image 3", 0,
       1},
      {with_annotation(R"({"image_id": 4, "category_id": 1})"), "annotations[0]: image 4 is not in", 0, 1},
      {with_annotation(R"({"image_id": 9, "category_id": 1, "id": 8})"), "annotations[1]: the id 8 is used before", 0,
       1},
      {with_annotation(R"({"image_id": "9", "category_id": 1})"), "annotations[0]: \"image_id\" is missing or no whole",
       0, 1},
      {with_annotation(R"({"image_id": 9, "category_id": 1.5})"), "annotations[0]: \"category_id\" is missing", 0, 1},
      {with_image(R"({"id": 3, "file_name": "b.jpg"})"), "images[1]: the id 3 of file 'b.jpg' is used before", 1, 0},
      {with_image(R"({"id": 4})"), "images[1]: \"file_name\" is missing", 1, 0},
      {with_image(R"({"id": 99999999999999999999, "file_name": "b"})"), "images[1]: \"id\" is missing", 1, 0},
      {with_image(R"({"id": 4, "file_name": "b\u0000.jpg"})"), "zero byte", 1, 0},
      {file({kImages, kAnnotations,
             R"("categories": [{"id": 18, "name": "dog"}, {"id": 1, "name": "x"}, {"id": 44, "name": "y"},
        {"id": 18, "name": "z"}])"}),
       "categories[3]: the id 18 is used before", 0, 1},
      {file({kImages, kAnnotations,
             R"("categories": [{"id": 18, "name": "dog"}, {"id": 1, "name": "x"}, {"id": 44, "name": "y"},
        {"id": 50, "name": "x"}])"}),
       "categories[3]: the name 'x' is used before", 0, 1},
  };
  for (const Fault& fault : faults) {
    SCOPED_TRACE(fault.message);
    try {
      parse(fault.text);
      ADD_FAILURE() << "expected an error";
    } catch (const Error& error) {
      EXPECT_NE(std::string_view(error.what()).find(fault.message), std::string_view::npos) << error.what();
      EXPECT_EQ(std::string_view(error.what()).substr(0, 3), "c: ");
    }
    ImageListOptions options;
    options.on_error = OnError::skip;
    const ImageList list = parse(fault.text, options);
    EXPECT_EQ(list.skipped.images, fault.images);
    EXPECT_EQ(list.skipped.annotations, fault.annotations);
    ASSERT_EQ(list.skipped.messages.size(), 1U);
    EXPECT_NE(list.skipped.messages[0].find(fault.message), std::string::npos);
    EXPECT_EQ(list.labels.rows(), static_cast<std::int64_t>(list.size()));
  }
}

TEST(Coco, OtherFilesAreRefused) {
  const std::vector<Bad> files{
      {"", 0, "is no JSON after"},
      {kFile.substr(0, kFile.size() / 2), 0, "was the file cut off?"},
      {"[]", 0, "is no object"},
      {"3", 0, "is no object"},
      {"{}", 0, "has no \"images\""},
      {file({kImages, kCategories}), 0, "has no \"annotations\""},
      {file({"\"images\": {}"}), 0, "\"images\" is no array"},
      {file({"\"images\": 3"}), 0, "\"images\" is no array"},
      {file({"\"images\": [[]]"}), 0, "images[0] is no object"},
      {file({"\"images\": [{\"id\": 1, \"file_name\": \"a\"}, 4]"}), 0, "images[1] is no object"},
      {file({kImages, kImages}), 0, "\"images\" occurs twice"},
      {file({"\"images\": []", kCategories, "\"annotations\": []"}), 0, "names no images"},
      {"{\"images\": \"\xFF\"}", 0, "is no JSON"},
      {std::string(100000, '['), 0, "is no object"},
      {"{\"a\": " + std::string(100000, '['), 0, "is no JSON"},
  };
  for (const Bad& bad : files) expect_refused(bad, "c", [](const std::string& text) { parse(text); });
}

TEST(Coco, MissingFilesAndFilesThatCannotBeRead) {
  const TemporaryFolder folder;
  write_text(folder / "a.jpg", "x");
  write_text(folder / "c.json", kFile);
  ImageListOptions options;
  EXPECT_THROW(read_coco(folder / "c.json", folder / ".", options), Error);
  options.on_error = OnError::skip;
  const ImageList list = read_coco(folder / "c.json", folder / ".", options);
  EXPECT_EQ(list.ids, std::vector<std::string>{"3"});
  EXPECT_EQ(row(list, 0), (Entries{{0, kAnnotated}, {1, kAnnotated}}));
  EXPECT_EQ(list.skipped.images, 2);
  EXPECT_NE(list.skipped.messages[0].find("b.jpg"), std::string::npos);
  EXPECT_THROW(read_coco(folder / "c.json", folder / "nowhere", options), Error);
  EXPECT_THROW(read_coco(folder / "none.json", folder / ".", options), Error);
  EXPECT_THROW(read_coco(folder / ".", folder / ".", options), Error);
}

TEST(Coco, ImagesThatCannotBeDecodedAreReported) {
  const TemporaryFolder folder;
  write_text(folder / "a.jpg", "x");
  write_text(folder / "c.json", kFile);
  ImageListOptions options;
  options.on_error = OnError::skip;
  ImageList list = read_coco(folder / "c.json", folder / ".", options);
  EXPECT_THROW(check_images(list, OnError::stop), Error);
  EXPECT_THROW(check_images(list, OnError::skip), Error);  // none is left
}

TEST(Coco, DamagedFilesAreParsedOrRefused) {
  constexpr std::array<std::string_view, 8> kPieces{"\"images\"", "{",        "}",    "[",
                                                    "\"id\": 3",  "image_id", "null", "-1e5"};
  ImageListOptions options;
  options.on_error = OnError::skip;
  options.check_files = false;
  expect_parsed_or_refused(kFile, 3000, 11, kPieces, [&](const std::string& text) {
    const ImageList list = parse_coco_list(text, "fuzz", "pictures", options);
    ASSERT_EQ(list.labels.rows(), static_cast<std::int64_t>(list.size()));
    ASSERT_EQ(list.labels.classes(), static_cast<std::int32_t>(list.label_names.size()));
  });
}

}  // namespace
}  // namespace mlpac
