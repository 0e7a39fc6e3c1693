#include "core/mapped_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "core/file.h"
#include "mlpac/error.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

TEST(MappedFile, CopiesAnyPart) {
  const TemporaryFolder folder;
  std::string content(100'003, ' ');
  for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<char>(i % 251);
  write_file_atomically(folder / "data", content);
  const MappedFile file(folder / "data");
  EXPECT_EQ(file.bytes(), content);
  for (const auto& [first, count] : {std::pair{0, 1}, {4095, 2}, {5, 100'003 - 5}, {7, 0}}) {
    const auto part = file.bytes().substr(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
    std::string out(part.size(), '?');
    file.will_need(part);
    file.copy(part, out.data());
    EXPECT_EQ(out, part) << first;
  }
}

TEST(MappedFile, AFileThatWasCutIsAnErrorToCopyFrom) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "data", std::string(10'000, 'x'));
  const MappedFile file(folder / "data");
  std::filesystem::resize_file(folder / "data", 100);
  std::string out(50, '?');
  file.copy(file.bytes().substr(0, 50), out.data());
  EXPECT_EQ(out, std::string(50, 'x'));
  try {
    file.copy(file.bytes().substr(90, 50), out.data());
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("data: cannot read the file: it was cut"), std::string::npos);
  }
}

}  // namespace
}  // namespace mlpac
