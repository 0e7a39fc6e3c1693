// Pascal VOC: lists and annotations give the same labels; what difficult objects become; what is refused.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "images/voc_annotation.h"
#include "mlpac/error.h"
#include "mlpac/image_list.h"
#include "refusals.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

constexpr std::int32_t kBird = 2;
constexpr std::int32_t kCar = 6;
constexpr std::int32_t kPerson = 14;

const std::string kAnnotation = R"(<?xml version="1.0"?>
<annotation verified="no">
  <folder>VOC2012</folder><!-- <object> -->
  <source><name>not an object</name></source>
  <object><name>person</name><difficult>0</difficult>
    <part><name>head</name><bndbox><xmin>1</xmin></bndbox></part></object>
  <object><name> car </name><pose/><difficult>1</difficult></object>
  <segmented>0</segmented>
</annotation>
)";

TEST(VocAnnotation, ObjectsWithoutTheirParts) {
  const auto objects = parse_voc_annotation(kAnnotation, "v");
  ASSERT_EQ(objects.size(), 2U);
  EXPECT_EQ(objects[0].name, "person");
  EXPECT_FALSE(objects[0].difficult);
  EXPECT_EQ(objects[1].name, "car");
  EXPECT_TRUE(objects[1].difficult);
  EXPECT_TRUE(parse_voc_annotation("<annotation/>", "v").empty());
  EXPECT_EQ(parse_voc_annotation("<annotation><object><name>a&amp;b</name></object></annotation>", "v")[0].name, "a&b");
  EXPECT_EQ(parse_voc_annotation("<annotation><object><name>caf&#233;</name></object></annotation>", "v")[0].name,
            "caf\xC3\xA9");
}

TEST(VocAnnotation, OtherTextsAreRefused) {
  const std::vector<Bad> texts{
      {"", 1, "there is no element"},
      {"hello", 1, "outside of elements"},
      {"<html></html>", 1, "the root is 'html'"},
      {"<!DOCTYPE x [<!ENTITY a \"b\">]>\n<annotation/>", 1, "declaration"},
      {"<annotation>\n<object>\n", 3, "'object' is not closed"},
      {"<annotation>\n</object></annotation>", 2, "expected that of 'annotation'"},
      {"<annotation/><annotation/>", 1, "second root"},
      {"<annotation>\n<object></object></annotation>", 2, "no <name>"},
      {"<annotation><object><name>a</name><name>b</name></object></annotation>", 1, "or two"},
      {"<annotation><object><name>a</name><difficult>yes</difficult></object></annotation>", 1, "expected 0 or 1"},
      {"<annotation><object><name>&x;</name></object></annotation>", 1, "unknown reference"},
      {"<annotation><object", 1, "'<' without '>'"},
      {"<annotation>< object></annotation>", 1, "name of an element"},
      {"<!-- <annotation/>", 1, "'<!--' without"},
  };
  for (const Bad& bad : texts) {
    expect_refused(bad, "v", [](const std::string& text) { parse_voc_annotation(text, "v"); });
  }
}

TEST(VocAnnotation, DamagedTextsAreParsedOrRefused) {
  constexpr std::array<std::string_view, 7> kPieces{"<object>", "</object>", "<name>", "/>", "<!--", "&lt;", "\n"};
  expect_parsed_or_refused(kAnnotation, 3000, 12, kPieces,
                           [](const std::string& text) { parse_voc_annotation(text, "fuzz"); });
}

class Voc : public testing::Test {
 protected:
  Voc() {
    namespace fs = std::filesystem;
    for (const char* const name : {"ImageSets/Main", "Annotations", "JPEGImages"})
      fs::create_directories(folder_ / name);
    for (const char* const name : {"JPEGImages/i1.jpg", "JPEGImages/i2.jpg"}) write_text(folder_ / name, "x");
    write_text(folder_ / "ImageSets/Main/train.txt", "i1\ni2\n");
    write_text(folder_ / "Annotations/i1.xml", kAnnotation);
    write_text(folder_ / "Annotations/i2.xml", "<annotation><object><name>bird</name></object></annotation>");
  }

  void write_lists() {
    for (const char* const name :
         {"aeroplane", "bicycle",     "bird",  "boat",        "bottle", "bus",      "car",
          "cat",       "chair",       "cow",   "diningtable", "dog",    "horse",    "motorbike",
          "person",    "pottedplant", "sheep", "sofa",        "train",  "tvmonitor"}) {
      const std::string_view shown = name;
      const std::string first = shown == "person" ? " 1" : shown == "car" ? " 0" : "-1";
      write_list(name, "i1 " + first + "\ni2 " + (shown == "bird" ? " 1" : "-1") + "\n");
    }
  }

  void write_list(const std::string& name, const std::string& text) {
    write_text(folder_ / ("ImageSets/Main/" + name + "_train.txt").c_str(), text);
  }

  ImageList read(Difficult difficult, VocSource source, OnError on_error = OnError::stop) {
    ImageListOptions options;
    options.on_error = on_error;
    return read_voc(folder_ / ".", "train", options, {difficult, source});
  }

  std::string refusal(VocSource source) {
    try {
      read(Difficult::negative, source);
    } catch (const Error& error) {
      return error.what();
    }
    return "not refused";
  }

  TemporaryFolder folder_;
};

TEST_F(Voc, ListsAndAnnotationsAgree) {
  write_lists();
  for (const Difficult difficult : {Difficult::negative, Difficult::unknown, Difficult::positive}) {
    const ImageList lists = read(difficult, VocSource::lists);
    EXPECT_EQ(lists.labels, read(difficult, VocSource::xml).labels);
    EXPECT_EQ(lists.labels, read(difficult, VocSource::any).labels);
    EXPECT_EQ(lists.ids, (std::vector<std::string>{"i1", "i2"}));
    EXPECT_EQ(lists.label_names.size(), 20U);
    EXPECT_EQ(lists.labels.at(0, kPerson), kAnnotated);
    EXPECT_EQ(lists.labels.at(0, kBird), kKnownNegative);
    EXPECT_EQ(lists.labels.at(1, kBird), kAnnotated);
  }
  EXPECT_EQ(read(Difficult::negative, VocSource::any).labels.at(0, kCar), kKnownNegative);
  EXPECT_EQ(read(Difficult::unknown, VocSource::any).labels.at(0, kCar), kUnknown);
  EXPECT_EQ(read(Difficult::positive, VocSource::any).labels.at(0, kCar), kAnnotated);
}

TEST_F(Voc, AnnotationsAreReadWhereListsAreMissing) {
  EXPECT_EQ(read(Difficult::negative, VocSource::any).labels.at(1, kBird), kAnnotated);
  EXPECT_NE(refusal(VocSource::lists).find("aeroplane_train.txt"), std::string::npos);
}

TEST_F(Voc, FaultsAreReportedByNameOrSkipped) {
  write_lists();
  write_list("dog", "i1 1\nghost 1\n");
  EXPECT_NE(refusal(VocSource::lists).find("dog_train.txt:2: image 'ghost' is not in"), std::string::npos);
  EXPECT_EQ(read(Difficult::negative, VocSource::lists, OnError::skip).skipped.annotations, 1);
  write_list("dog", "i1 1\ni1 -1\n");
  EXPECT_NE(refusal(VocSource::lists).find("dog_train.txt:2: image 'i1' is named twice"), std::string::npos);
  write_list("dog", "i1 2\n");
  EXPECT_NE(refusal(VocSource::lists).find("expected the name of an image and 1, 0 or -1"), std::string::npos);

  write_text(folder_ / "ImageSets/Main/train.txt", "i1\ni3\ni2\ni2\n");
  EXPECT_NE(refusal(VocSource::xml).find("train.txt:4: image 'i2' is named twice"), std::string::npos);
  write_text(folder_ / "ImageSets/Main/train.txt", "i1\ni3\ni2\n");
  EXPECT_NE(refusal(VocSource::xml).find("i3.xml"), std::string::npos);
  write_text(folder_ / "Annotations/i3.xml", "<annotation/>");
  EXPECT_NE(refusal(VocSource::xml).find("i3.jpg"), std::string::npos);
  write_text(folder_ / "Annotations/i2.xml", "<annotation><object><name>yeti</name></object></annotation>");
  const ImageList list = read(Difficult::negative, VocSource::xml, OnError::skip);
  EXPECT_EQ(list.ids, (std::vector<std::string>{"i1", "i2"}));
  EXPECT_EQ(list.skipped.images, 1);
  EXPECT_EQ(list.skipped.annotations, 1);
  EXPECT_NE(list.skipped.messages.at(0).find("i3.jpg"), std::string::npos);
  EXPECT_NE(list.skipped.messages.at(1).find("i2.xml: unknown class 'yeti'"), std::string::npos);
}

}  // namespace
}  // namespace mlpac
