// Weights and checkpoints come back bit for bit; a damaged file is an Error, never a crash or a wrong tensor.
#include "core/safetensors.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/file.h"
#include "core/random.h"
#include "mlpac/error.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

std::string with_length(std::uint64_t length, const std::string& rest) {
  std::string prefix(8, '\0');
  std::memcpy(prefix.data(), &length, 8);
  return prefix + rest;
}

std::string file_of(const std::string& header, const std::string& data) {
  return with_length(header.size(), header + data);
}

/// The header entry of one tensor, as text.
std::string entry(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"t":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
}

TEST(Safetensors, RoundTripOfEveryType) {
  const TemporaryFolder folder;
  std::string bytes(48, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(37 * i);
  const std::string_view all = bytes;
  std::map<std::string, RawTensor> tensors;
  for (const char* type : {"F64", "F32", "F16", "BF16", "I64", "I32", "I16", "I8", "U8", "BOOL"}) {
    const auto size = dtype_size(type);
    ASSERT_GT(size, 0U) << type;
    tensors[std::string("layer.") + type] = {type, {2, 3}, all.substr(0, 6 * size)};
  }
  tensors["scalar"] = {"F32", {}, all.substr(0, 4)};
  tensors["empty"] = {"I64", {0, 5}, {}};
  tensors["ünï \"code\"\\"] = {"U8", {1}, all.substr(0, 1)};
  const std::map<std::string, std::string> metadata{{"a", "1"}, {"b \"x\"", "line\nbreak"}};
  write_safetensors(folder / "file", tensors, metadata);

  const SafetensorsFile file(folder / "file");
  EXPECT_EQ(file.metadata(), metadata);
  ASSERT_EQ(file.tensors().size(), tensors.size());
  for (const auto& [name, tensor] : tensors) {
    SCOPED_TRACE(name);
    const auto& back = file.tensors().at(name);
    EXPECT_EQ(back.dtype, tensor.dtype);
    EXPECT_EQ(back.shape, tensor.shape);
    EXPECT_EQ(back.bytes, tensor.bytes);
  }
}

TEST(Safetensors, LayoutOthersCanRead) {
  const TemporaryFolder folder;
  const std::string data = "abcdefgh";
  write_safetensors(folder / "file", {{"b", {"F32", {1}, std::string_view(data).substr(0, 4)}},
                                      {"a", {"F32", {1}, std::string_view(data).substr(4)}}});
  const auto content = read_file(folder / "file");
  std::uint64_t length = 0;
  std::memcpy(&length, content.data(), 8);
  EXPECT_EQ((8 + length) % 64, 0U);  // the data may be mapped into memory as it is
  const auto header = nlohmann::json::parse(content.substr(8, length));
  EXPECT_EQ(header["a"]["data_offsets"], (std::vector<int>{0, 4}));  // in the order of the names, without gaps
  EXPECT_EQ(header["b"]["data_offsets"], (std::vector<int>{4, 8}));
  EXPECT_EQ(content.substr(8 + length), "efghabcd");
  EXPECT_FALSE(header.contains("__metadata__"));
}

TEST(Safetensors, EmptyFiles) {
  const TemporaryFolder folder;
  write_safetensors(folder / "file", {});
  EXPECT_TRUE(SafetensorsFile(folder / "file").tensors().empty());
  EXPECT_TRUE(SafetensorsFile(file_of("{}", ""), "memory").tensors().empty());
}

TEST(Safetensors, UnknownTypesHaveNoSize) {
  for (const char* type : {"", "f32", "F8", "F32 ", "COMPLEX"}) EXPECT_EQ(dtype_size(type), 0U) << type;
}

TEST(Safetensors, MalformedFilesAreRefusedByName) {
  const std::string data(8, 'x');
  const std::vector<std::pair<const char*, std::string>> bad{
      {"empty file", ""},
      {"seven bytes", "1234567"},
      {"length only", with_length(2, "")},
      {"header cut off", with_length(100, "{}")},
      {"length near 2^64", with_length(~std::uint64_t{0}, "{}")},
      {"length overflows with the prefix", with_length(~std::uint64_t{0} - 7, "{}")},
      {"no header", with_length(0, "")},
      {"header is no JSON", file_of("not json", "")},
      {"header is not closed", file_of("{\"t\":", "")},
      {"header is an array", file_of("[]", "")},
      {"header is a number", file_of("12", "")},
      {"header is no UTF-8", file_of("{\"\xff\":1}", "")},
      {"tensor is a number", file_of(R"({"t":1})", "")},
      {"tensor is an array", file_of(R"({"t":[]})", "")},
      {"tensor is null", file_of(R"({"t":null})", "")},
      {"no dtype", file_of(R"({"t":{"shape":[2],"data_offsets":[0,8]}})", data)},
      {"no shape", file_of(R"({"t":{"dtype":"F32","data_offsets":[0,8]}})", data)},
      {"no offsets", file_of(R"({"t":{"dtype":"F32","shape":[2]}})", data)},
      {"dtype is a number", file_of(entry("32", "[2]", "[0,8]"), data)},
      {"dtype is unknown", file_of(entry("\"F33\"", "[2]", "[0,8]"), data)},
      {"dtype is empty", file_of(entry("\"\"", "[2]", "[0,8]"), data)},
      {"shape is a number", file_of(entry("\"F32\"", "2", "[0,8]"), data)},
      {"shape has a negative", file_of(entry("\"F32\"", "[-2]", "[0,8]"), data)},
      {"shape has a fraction", file_of(entry("\"F32\"", "[2.0]", "[0,8]"), data)},
      {"shape has a text", file_of(entry("\"F32\"", "[\"2\"]", "[0,8]"), data)},
      {"shape has a list", file_of(entry("\"F32\"", "[[2]]", "[0,8]"), data)},
      {"shape overflows to 0", file_of(entry("\"F32\"", "[4294967296,4294967296]", "[0,0]"), data)},
      {"shape beyond int64", file_of(entry("\"U8\"", "[18446744073709551615]", "[0,8]"), data)},
      {"shape beyond uint64", file_of(entry("\"U8\"", "[99999999999999999999]", "[0,8]"), data)},
      {"shape of nothing times too much", file_of(entry("\"U8\"", "[0,18446744073709551615]", "[0,0]"), data)},
      {"shape needs more", file_of(entry("\"F32\"", "[3]", "[0,8]"), data)},
      {"shape needs less", file_of(entry("\"F32\"", "[1]", "[0,8]"), data)},
      {"offsets are a number", file_of(entry("\"F32\"", "[2]", "8"), data)},
      {"offsets are one", file_of(entry("\"F32\"", "[2]", "[8]"), data)},
      {"offsets are three", file_of(entry("\"F32\"", "[2]", "[0,4,8]"), data)},
      {"offsets are negative", file_of(entry("\"F32\"", "[2]", "[-8,0]"), data)},
      {"offsets are fractions", file_of(entry("\"F32\"", "[2]", "[0.0,8.0]"), data)},
      {"offsets go backwards", file_of(entry("\"F32\"", "[2]", "[8,0]"), data)},
      {"offsets beyond the end", file_of(entry("\"F32\"", "[2]", "[1,9]"), data)},
      {"offsets far beyond the end",
       file_of(entry("\"F32\"", "[2]", "[18446744073709551607,18446744073709551615]"), data)},
      {"data cut off", file_of(entry("\"F32\"", "[2]", "[0,8]"), "xxxxxxx")},
      {"metadata is a list", file_of(R"({"__metadata__":[]})", "")},
      {"metadata is text", file_of(R"({"__metadata__":"x"})", "")},
      {"metadata has a number", file_of(R"({"__metadata__":{"a":1}})", "")},
      {"metadata has an object", file_of(R"({"__metadata__":{"a":{}}})", "")},
      {"deeply nested", file_of(std::string(100'000, '['), "")},
  };
  ASSERT_GE(bad.size(), 25U);
  for (const auto& [what, content] : bad) {
    SCOPED_TRACE(what);
    try {
      const SafetensorsFile file(content, "broken.safetensors");
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(std::string_view(error.what()).substr(0, 20), "broken.safetensors: ");
    }
  }
}

TEST(Safetensors, AMissingFileIsAnError) {
  const TemporaryFolder folder;
  EXPECT_THROW(SafetensorsFile(folder / "none"), Error);
}

TEST(Safetensors, RandomDamageIsReadOrRefused) {
  const TemporaryFolder folder;
  const std::string data(64, 'd');
  const std::string_view all = data;
  write_safetensors(folder / "file",
                    {{"policy.weight", {"F32", {2, 4}, all.substr(0, 32)}},
                     {"policy.bias", {"F64", {2}, all.substr(0, 16)}},
                     {"step", {"I64", {}, all.substr(0, 8)}}},
                    {{"mlpac", R"({"epoch":3})"}});
  const auto good = read_file(folder / "file");
  std::uint64_t drawn = 0;
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(bits_at(5, drawn++) % limit); };
  constexpr std::string_view kPieces = "0123456789-[]{},:\"\\e. ";
  constexpr int kRounds = 20'000;
  int parsed = 0;
  for (int round = 0; round < kRounds; ++round) {
    auto text = good;
    for (std::size_t edits = 1 + below(3); edits > 0 && !text.empty(); --edits) {
      const auto at = below(text.size());
      switch (below(5)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text[at] = kPieces[below(kPieces.size())];
          break;
        case 2:
          text.insert(at, 1, kPieces[below(kPieces.size())]);
          break;
        case 3:
          text.erase(at, 1 + below(4));
          break;
        default:
          text.resize(at);
          break;
      }
    }
    try {
      const SafetensorsFile file(text, "fuzz");
      ++parsed;
      for (const auto& [name, tensor] : file.tensors()) {
        std::size_t bytes = dtype_size(tensor.dtype);
        for (const auto size : tensor.shape) bytes *= static_cast<std::size_t>(size);
        ASSERT_EQ(bytes, tensor.bytes.size());
        // Every byte must be readable: the address sanitizer looks at this loop.
        unsigned sum = 0;
        for (const char c : tensor.bytes) sum += static_cast<unsigned char>(c);
        ASSERT_LE(sum, 255U * bytes);
      }
    } catch (const Error& error) {
      ASSERT_EQ(std::string_view(error.what()).substr(0, 5), "fuzz:") << error.what();
    }
  }
  EXPECT_GT(parsed, kRounds / 50);
  EXPECT_LT(parsed, kRounds);
}

}  // namespace
}  // namespace mlpac
