// Tiny sets of images with labels in the layouts of COCO, Pascal VOC and CSV lists. What an image shows is what its
// labels say: it is tinted with each colour that is named.
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../core/image_bytes.h"
#include "core/random.h"

namespace mlpac::tiny {

inline constexpr int kTrainImages = 64;
inline constexpr int kTestImages = 24;
inline constexpr int kPictureSide = 12;

/// Any of red, green and blue; every eighth image has none.
inline std::vector<int> colours_of(int number) {
  std::vector<int> colours;
  for (int c = 0; c < 3; ++c) {
    if ((number >> c & 1) != 0) colours.push_back(c);
  }
  return colours;
}

/// Noise, brighter in each colour that is there.
inline Image tinted(int number, std::uint64_t seed) {
  Image image{kPictureSide, kPictureSide, {}};
  const auto key = stream_key(seed, "tinted");
  for (int y = 0; y < kPictureSide; ++y) {
    for (int x = 0; x < kPictureSide; ++x) {
      for (int c = 0; c < 3; ++c) {
        const auto noise = 60 * unit_double(bits_at(key, static_cast<std::uint64_t>((y * kPictureSide + x) * 3 + c)));
        const bool bright = (number >> c & 1) != 0;
        image.rgb.push_back(static_cast<std::uint8_t>(60 + noise + (bright ? 110 : 0)));
      }
    }
  }
  return image;
}

inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

/// annotations/instances_train.json and _test.json, train/ and test/; the test names its last category differently if
/// `odd` is given.
inline void write_coco(const std::filesystem::path& folder, const std::string& odd = "") {
  for (const std::string split : {"train", "test"}) {
    nlohmann::json file{{"images", nlohmann::json::array()}, {"annotations", nlohmann::json::array()}};
    file["categories"] = {{{"id", 3}, {"name", "red"}}, {{"id", 5}, {"name", "green"}}, {{"id", 9}, {"name", "blue"}}};
    if (split == "test" && !odd.empty()) file["categories"][2]["name"] = odd;
    const int ids[] = {3, 5, 9};
    const int images = split == "train" ? kTrainImages : kTestImages;
    for (int i = 0; i < images; ++i) {
      const auto name = std::to_string(i) + ".png";
      write_bytes(folder / split / name,
                  png_bytes(tinted(i, static_cast<std::uint64_t>(split == "train" ? i : 1000 + i))));
      file["images"].push_back({{"id", i}, {"file_name", name}});
      for (const int c : colours_of(i)) {
        file["annotations"].push_back({{"id", 10 * i + c}, {"image_id", i}, {"category_id", ids[c]}});
      }
    }
    write_bytes(folder / "annotations" / ("instances_" + split + ".json"), file.dump());
  }
}

/// The training images of write_coco as a list.
inline std::filesystem::path write_csv(const std::filesystem::path& folder) {
  const std::vector<std::string> names{"red", "green", "blue"};
  std::string text = "file,labels\n";
  for (int i = 0; i < kTrainImages; ++i) {
    text += "train/" + std::to_string(i) + ".png,";
    for (const int c : colours_of(i)) text += (text.back() == ',' ? "" : " ") + names[static_cast<std::size_t>(c)];
    text += "\n";
  }
  const auto path = folder / "list.csv";
  write_bytes(path, text);
  return path;
}

/// Six images to train on and three to test; the first class is in every second one.
inline void write_voc(const std::filesystem::path& folder) {
  std::string train;
  std::string test;
  for (int i = 0; i < 9; ++i) {
    const auto name = "00" + std::to_string(i);
    (i < 6 ? train : test) += name + "\n";
    write_bytes(folder / "JPEGImages" / (name + ".jpg"), jpeg_bytes(tinted(i, static_cast<std::uint64_t>(i))));
    write_bytes(folder / "Annotations" / (name + ".xml"),
                "<annotation><filename>" + name + ".jpg</filename><object><name>" + (i % 2 == 0 ? "aeroplane" : "dog") +
                    "</name><difficult>0</difficult></object></annotation>");
  }
  write_bytes(folder / "ImageSets/Main/train.txt", train);
  write_bytes(folder / "ImageSets/Main/val.txt", test);
}

}  // namespace mlpac::tiny
