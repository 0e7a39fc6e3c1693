// Copies with more labels: exactly those are added, and nothing else is touched.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/json_member.h"
#include "documents/add_triples.h"
#include "documents_example.h"
#include "images/add_image_labels.h"
#include "images/coco.h"
#include "images/image_csv.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

const std::string kCoco = R"({"info": {"annotations": [1]}, "annotations": [
  {"id": 5, "image_id": 3, "category_id": 18, "segmentation": [[1.5, 2]]},
  {"id": 11, "image_id": 7, "category_id": 1}
], "images": [{"id": 7, "file_name": "b.jpg"}, {"id": 3, "file_name": "a]}.jpg"}],
 "categories": [{"id": 18, "name": "dog"}, {"id": 1, "name": "person"}]})";

ImageListOptions without_files() {
  ImageListOptions options;
  options.check_files = false;
  return options;
}

TEST(AddedLabels, MembersAreFound) {
  const std::string text = R"( {"a\"b": "}", "x": {"labels": 1}, "labels" : [1, "]"] , "z": 2})";
  const auto place = find_member(text, "labels");
  ASSERT_TRUE(place.has_value());
  EXPECT_EQ(text.substr(place->begin, place->end - place->begin), R"([1, "]"])");
  EXPECT_EQ(text.substr(find_member(text, "z")->begin, 1), "2");
  EXPECT_FALSE(find_member(text, "b").has_value());
  EXPECT_FALSE(find_member("[1]", "b").has_value());
  EXPECT_FALSE(find_member("", "b").has_value());
  const std::vector<std::string> more{"8", "9"};
  EXPECT_EQ(extended_array("[]", more), "[8, 9]");
  EXPECT_EQ(extended_array("[1]", more), "[1, 8, 9]");
  EXPECT_EQ(extended_array("[\n  1\n]", more), "[\n  1,\n  8,\n  9\n]");
  EXPECT_EQ(extended_array("[1]", {}), "[1]");
}

TEST(AddedLabels, Coco) {
  const std::vector<AddedLabel> added{{0, "7", "dog"}, {1, "3", "person"}};
  const auto text = add_coco_labels(kCoco, "c.json", added);
  const auto before = nlohmann::json::parse(kCoco);
  const auto after = nlohmann::json::parse(text);
  EXPECT_EQ(after["annotations"].size(), 4);
  EXPECT_EQ(after["annotations"][2]["id"], 12);
  auto rest = after;
  rest["annotations"].erase(3);
  rest["annotations"].erase(2);
  EXPECT_EQ(rest, before);
  const auto list = parse_coco_list(text, "c.json", "", without_files());
  EXPECT_EQ(list.labels.count(kAnnotated), 4);
  EXPECT_EQ(add_coco_labels(kCoco, "c.json", {}), kCoco);
  EXPECT_THROW(add_coco_labels(kCoco, "c.json", std::vector<AddedLabel>{{0, "7", "cat"}}), Error);
  EXPECT_THROW(add_coco_labels(kCoco, "c.json", std::vector<AddedLabel>{{0, "8", "dog"}}), Error);
}

TEST(AddedLabels, ImageCsv) {
  const std::string text = "file,labels\r\na.jpg,dog !cat\r\n\"b,1.jpg\",\r\nc.jpg\nd.jpg,\"dog\"\n";
  const std::vector<AddedLabel> added{
      {1, "b,1.jpg", "dog"}, {0, "a.jpg", "person"}, {2, "c.jpg", "dog"}, {0, "a.jpg", "bird"}, {3, "d.jpg", "bird"}};
  const auto result = add_image_csv_labels(text, "l.csv", added);
  EXPECT_EQ(result, "file,labels\r\na.jpg,dog !cat person bird\r\n\"b,1.jpg\",dog\r\nc.jpg,dog\nd.jpg,dog bird\n");
  EXPECT_EQ(add_image_csv_labels(text, "l.csv", {}), text);
  EXPECT_EQ(parse_image_csv(result, "l.csv", "", without_files()).labels.count(kAnnotated), 7);
  EXPECT_THROW(add_image_csv_labels(text, "l.csv", std::vector<AddedLabel>{{0, "x.jpg", "dog"}}), Error);
}

TEST(AddedLabels, Triples) {
  const std::vector<AddedLabel> added{{0, "Bonn/1/0", "P36"}, {1, "Bonn/0/2", "P17"}};
  const auto text = add_triples(example_json(), "d.json", added);
  auto after = nlohmann::json::parse(text);
  EXPECT_EQ(after[0]["labels"].size(), 6);
  EXPECT_EQ(after[0]["labels"][4], nlohmann::json::parse(R"({"h": 1, "t": 0, "r": "P36", "evidence": []})"));
  after[0]["labels"].erase(5);
  after[0]["labels"].erase(4);
  EXPECT_EQ(after, nlohmann::json::parse(example_json()));
  EXPECT_EQ(add_triples(example_json(), "d.json", {}), example_json());
  // A file without labels gets them.
  const std::string bare = R"([{"title": "T", "sents": [["a"]], "vertexSet": [[], []]}, {"title": "U"} ])";
  const auto labelled = nlohmann::json::parse(add_triples(bare, "d.json", std::vector<AddedLabel>{{0, "T/0/1", "P1"}}));
  EXPECT_EQ(labelled[0]["labels"].size(), 1);
  EXPECT_EQ(labelled[1], nlohmann::json::parse(R"({"title": "U"})"));
  for (const char* bad : {"Bonn/0/3", "Rome/0/1", "Bonn"}) {
    EXPECT_THROW(add_triples(example_json(), "d.json", std::vector<AddedLabel>{{0, bad, "P17"}}), Error) << bad;
  }
}

}  // namespace
}  // namespace mlpac
