// Lists of label names: the XML file that Mulan puts beside an ARFF file, or plain text with one name per line.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mlpac {

/// Label names in the order of the document; a hierarchy of labels is flattened. Text that does not begin with '<' is
/// one name per line. Throws Error with `source:line` for malformed text, repeated names or none at all.
std::vector<std::string> parse_label_names(std::string_view text, const std::string& source);

std::vector<std::string> read_label_names(const std::filesystem::path& path);

/// The Mulan XML that names these labels.
std::string label_names_as_xml(std::span<const std::string> names);

}  // namespace mlpac
