// Sets of images with any number of labels each: MS-COCO, Pascal VOC, and lists in CSV files.
//
// Readers list files and labels and decode nothing; check_images finds the files that cannot be decoded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "mlpac/labels.h"

namespace mlpac {

/// What to do with an image or an annotation that cannot be used.
enum class OnError {
  stop,  ///< throw Error for the first
  skip,  ///< leave it out and count it
};

/// What was left out.
struct Skipped {
  static constexpr std::size_t kMessages = 1000;

  std::int64_t images = 0;
  std::int64_t annotations = 0;       ///< labels that were left out while their image was kept
  std::vector<std::string> messages;  ///< one for each, up to kMessages; they name the image or the annotation
};

struct ImageList {
  std::vector<std::filesystem::path> files;
  std::vector<std::string> ids;  ///< of each image: COCO's number, VOC's name, the file as a CSV list names it
  std::vector<std::string> label_names;
  Labels labels;  ///< one row for each image
  Skipped skipped;

  std::size_t size() const { return files.size(); }
};

struct ImageListOptions {
  /// The labels of a trained model, in its order; empty: those of the file. A label that is not among them is reported.
  std::vector<std::string> label_names = {};
  OnError on_error = OnError::stop;
  /// Whether images without a positive label stay. The published numbers on COCO leave them out, for training and test.
  bool keep_unlabelled = true;
  /// Whether every file must exist. Not needed where only labels are looked at.
  bool check_files = true;
};

/// Reads annotations as COCO distributes them (`instances_*.json`: "images", "annotations", "categories", in any
/// order); files lie in `folder`. An image has a label if at least one annotation of that category is there, crowds
/// included; entries without an annotation are unknown. Labels are in the order of the category numbers, images in that
/// of the file. The file is parsed as a stream: outlines of objects, nearly all of it, are never held in memory.
ImageList read_coco(const std::filesystem::path& annotations, const std::filesystem::path& folder,
                    const ImageListOptions& options = {});

/// What a class becomes of which an image shows only difficult objects.
enum class Difficult {
  negative,  ///< as in published work on partial labels
  unknown,   ///< neither, as in the VOC challenge
  positive,
};

/// Where labels of VOC are read from.
enum class VocSource {
  any,    ///< from lists if the first is there, otherwise from annotations
  lists,  ///< ImageSets/Main/CLASS_SPLIT.txt
  xml,    ///< Annotations/IMAGE.xml
};

struct VocOptions {
  Difficult difficult = Difficult::negative;
  VocSource source = VocSource::any;
};

/// Reads Pascal VOC from a folder such as VOCdevkit/VOC2012: the images of ImageSets/Main/SPLIT.txt with the 20 classes
/// in alphabetical order. All classes of an image are annotated, so those it does not show are known negatives.
ImageList read_voc(const std::filesystem::path& folder, const std::string& split, const ImageListOptions& options = {},
                   const VocOptions& voc = {});

/// Reads a CSV list: a file, relative to `folder`, and its labels separated by blanks; `!label` is a known negative.
/// A first line `file,labels` is a header. Labels are sorted, as numbers if all are.
ImageList read_image_csv(const std::filesystem::path& list, const std::filesystem::path& folder,
                         const ImageListOptions& options = {});

/// Decodes every image on `threads` threads (0: one for each core), at an eighth of its size, and reports those that
/// cannot be decoded: stops at the first of the list, or leaves them out of it.
void check_images(ImageList& list, OnError on_error, int threads = 0);

}  // namespace mlpac
