// The records of CIFAR's binary files: labels, then 32 x 32 bytes of red, of green and of blue.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "mlpac/image_table.h"

namespace mlpac {

/// CIFAR-10 has one byte of labels; CIFAR-100 has two, the coarse class and the fine one.
enum class CifarKind { ten, hundred };

/// Appends all images of one file; the table has its class names already. `source` is the file's name in messages.
void append_cifar(std::string_view bytes, const std::string& source, CifarKind kind, ImageTable& table);

/// One name per line; blank lines are allowed at the end only.
std::vector<std::string> parse_class_names(std::string_view text, const std::string& source, std::size_t expected);

}  // namespace mlpac
