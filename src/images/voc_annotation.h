// Annotations/IMAGE.xml of Pascal VOC: the objects of one image.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mlpac {

struct VocObject {
  std::string name;
  bool difficult = false;
};

/// The <object> elements directly within the root; what they contain besides <name> and <difficult> (parts, boxes,
/// actions) is passed over. Throws Error with `source:line:`.
std::vector<VocObject> parse_voc_annotation(std::string_view text, const std::string& source);

}  // namespace mlpac
