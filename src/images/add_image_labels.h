// Lists of images with more labels; everything else in the file stays as it was.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "data/added_label.h"

namespace mlpac {

/// Annotations of COCO: an annotation for each label, behind the others and without an outline, since nobody drew one.
/// The text is one that read_coco takes; Error for an image or a category it does not have.
std::string add_coco_labels(std::string_view text, const std::string& source, std::span<const AddedLabel> added);

/// A CSV list: the names behind those of the file.
std::string add_image_csv_labels(std::string_view text, const std::string& source, std::span<const AddedLabel> added);

}  // namespace mlpac
