// .npy files: every element type, both byte orders, both storage orders, all format versions.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "array_bytes.h"
#include "data/array_matrix.h"
#include "data/arrays.h"
#include "data/npy.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"

namespace mlpac {
namespace {

FeatureMatrix read(const std::string& bytes) {
  ReadOptions options;
  options.labels_required = false;
  return parse_arrays(bytes, "a.npy", options).features;
}

/// The 2 x 3 matrix (0, 2, 3; 1, 0, 5) in its compressed form.
void expect_small(const FeatureMatrix& matrix) {
  EXPECT_EQ(matrix.columns, 3);
  EXPECT_EQ(matrix.offsets, (std::vector<std::int64_t>{0, 2, 4}));
  EXPECT_EQ(matrix.indices, (std::vector<std::int32_t>{1, 2, 0, 2}));
  EXPECT_EQ(matrix.values, (std::vector<float>{2, 3, 1, 5}));
}

template <typename T>
void expect_type(const std::string& code) {
  for (const bool big : {false, true}) {
    SCOPED_TRACE(code + (big ? " big" : " little"));
    const std::string descr = (big ? ">" : "<") + code;
    expect_small(read(npy(descr, "(2, 3)", raw_list<T>({0, 2, 3, 1, 0, 5}, big))));
    expect_small(read(npy(descr, "(2, 3)", raw_list<T>({0, 1, 2, 0, 3, 5}, big), true)));
  }
}

TEST(Npy, EveryNumericType) {
  expect_type<std::int8_t>("i1");
  expect_type<std::int16_t>("i2");
  expect_type<std::int32_t>("i4");
  expect_type<std::int64_t>("i8");
  expect_type<std::uint8_t>("u1");
  expect_type<std::uint16_t>("u2");
  expect_type<std::uint32_t>("u4");
  expect_type<std::uint64_t>("u8");
  expect_type<float>("f4");
  expect_type<double>("f8");
}

TEST(Npy, SignsAndBooleans) {
  EXPECT_EQ(read(npy("|i1", "(1, 2)", raw_list<std::int8_t>({-1, -128}))).values, (std::vector<float>{-1, -128}));
  EXPECT_EQ(read(npy("|u1", "(1, 2)", raw_list<std::uint8_t>({255, 128}))).values, (std::vector<float>{255, 128}));
  EXPECT_EQ(read(npy("<u8", "(1, 1)", raw(std::uint64_t{1} << 63U))).values, (std::vector<float>{0x1p63F}));
  const FeatureMatrix flags = read(npy("|b1", "(2, 2)", raw_list<std::uint8_t>({0, 1, 2, 0})));
  EXPECT_EQ(flags.indices, (std::vector<std::int32_t>{1, 0}));
  EXPECT_EQ(flags.values, (std::vector<float>{1, 1}));
}

TEST(Npy, HalfPrecision) {
  // 1, -2, largest finite, smallest normal, smallest subnormal, a third; bits from the definition of binary16.
  const std::initializer_list<std::uint16_t> bits{0x3C00, 0xC000, 0x7BFF, 0x0400, 0x8001, 0x3555};
  const std::vector<float> expected{1, -2, 65504, 0x1p-14F, -0x1p-24F, 0.333251953125F};
  EXPECT_EQ(read(npy("<f2", "(1, 6)", raw_list(bits))).values, expected);
  EXPECT_EQ(read(npy(">f2", "(1, 6)", raw_list(bits, true))).values, expected);
  EXPECT_TRUE(read(npy("<f2", "(1, 2)", raw_list<std::uint16_t>({0x0000, 0x8000}))).values.empty());
  EXPECT_TRUE(std::isnan(read(npy("<f2", "(1, 1)", raw(std::uint16_t{0x7E01}))).values.at(0)));
}

TEST(Npy, MissingTinyAndLargestValues) {
  const float largest = std::numeric_limits<float>::max();
  const double missing = std::numeric_limits<double>::quiet_NaN();
  const FeatureMatrix matrix =
      read(npy("<f8", "(1, 5)", raw_list<double>({missing, 1e-300, -0.0, static_cast<double>(largest), 1e-40})));
  EXPECT_EQ(matrix.indices, (std::vector<std::int32_t>{0, 3, 4}));
  EXPECT_TRUE(std::isnan(matrix.values[0]));
  EXPECT_EQ(matrix.values[1], largest);
  EXPECT_EQ(matrix.values[2], 1e-40F);
}

TEST(Npy, HeadersInEveryFormNumPyAccepts) {
  const std::string data = raw_list<float>({0, 2, 3, 1, 0, 5});
  for (const int version : {1, 2, 3}) {
    SCOPED_TRACE(version);
    expect_small(read(npy_text("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", data, version)));
  }
  for (const std::string_view header : {
           "{'shape':(2,3),'fortran_order':False,'descr':'<f4'}",
           "  { \"descr\" : \"<f4\" , 'shape' : ( 2 , 3 , ) , 'fortran_order' : False , } \t",
           "{'descr': '=f4', 'fortran_order': False, 'shape': (2L, 3L)}",
           "{'descr': 'f4', 'fortran_order': False, 'shape': (2,3)}",
           "{'descr': '|f4', 'fortran_order': False,\n'shape': (2, 3)}",
       }) {
    SCOPED_TRACE(header);
    expect_small(read(npy_text(std::string(header), data)));
  }
}

TEST(Npy, FortranOrderEqualsCOrder) {
  // More rows and columns than a block holds, with some zeros; element (r, c) is a function of both.
  constexpr std::int64_t kRows = 1000;
  constexpr std::int64_t kColumns = 700;
  const auto value = [](std::int64_t r, std::int64_t c) { return static_cast<float>((r * 31 + c * 17) % 101 % 5); };
  std::string c_order;
  std::string fortran;
  for (std::int64_t r = 0; r < kRows; ++r) {
    for (std::int64_t c = 0; c < kColumns; ++c) c_order += raw(value(r, c));
  }
  for (std::int64_t c = 0; c < kColumns; ++c) {
    for (std::int64_t r = 0; r < kRows; ++r) fortran += raw(value(r, c));
  }
  const FeatureMatrix a = read(npy("<f4", "(1000, 700)", c_order));
  const FeatureMatrix b = read(npy("<f4", "(1000, 700)", fortran, true));
  EXPECT_EQ(a.offsets, b.offsets);
  EXPECT_EQ(a.indices, b.indices);
  EXPECT_EQ(a.values, b.values);
  std::size_t k = 0;
  for (std::int64_t r = 0; r < kRows; ++r) {
    for (std::int64_t c = 0; c < kColumns; ++c) {
      if (value(r, c) == 0) continue;
      ASSERT_EQ(a.indices.at(k), c);
      ASSERT_EQ(a.values.at(k), value(r, c));
      ++k;
    }
    ASSERT_EQ(a.offsets.at(static_cast<std::size_t>(r) + 1), static_cast<std::int64_t>(k));
  }
  EXPECT_EQ(a.indices.size(), k);
}

TEST(Npy, Names) {
  const auto names = [](const std::string& bytes) { return name_list(parse_npy(bytes, "n")); };
  EXPECT_EQ(names(npy_names({"a", "longer", "x y"})), (std::vector<std::string>{"a", "longer", "x y"}));
  EXPECT_EQ(names(npy("|S1", "(1,)", "\xE4")), (std::vector<std::string>{"\xC3\xA4"}));  // Latin-1
  for (const bool big : {false, true}) {
    const std::string data = raw_list<std::uint32_t>({'a', 0xE4, 0x20AC, 0x1F600, 'b', 0, 0, 0}, big);
    EXPECT_EQ(names(npy(big ? ">U4" : "<U4", "(2,)", data)),
              (std::vector<std::string>{"a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", "b"}));
  }
  EXPECT_EQ(names(npy("<i8", "(2,)", raw_list<std::int64_t>({-7, 12}))), (std::vector<std::string>{"-7", "12"}));
  EXPECT_EQ(names(npy("<u8", "(1,)", raw(std::numeric_limits<std::uint64_t>::max()))),
            (std::vector<std::string>{"18446744073709551615"}));
}

TEST(Npy, IsRecognisedByItsFirstBytes) {
  EXPECT_TRUE(looks_like_npy(npy_floats("(1, 1)", {1})));
  EXPECT_FALSE(looks_like_npy("\x93NUMP"));
  EXPECT_FALSE(looks_like_npy(""));
}

/// A file and a word of the message.
struct Bad {
  std::string bytes;
  std::string_view word;
};

std::string with_header(std::string_view header) { return npy_text(std::string(header), raw_list<float>({1, 2})); }

TEST(Npy, MalformedFilesAreRefused) {
  const std::string good = npy_floats("(1, 2)", {1, 2});
  const float infinite = std::numeric_limits<float>::infinity();
  const std::vector<Bad> table{
      {"", "neither"},
      {"\x93NUM", "neither"},
      {"\x93NUMPY", "cut off"},
      {good.substr(0, 9), "cut off"},
      {good.substr(0, 60), "cut off"},
      {good.substr(0, good.size() - 1), "needs 8 bytes"},
      {good.substr(0, good.size() - 8), "0 are there"},
      {good + "x", "1 bytes follow"},
      {good + good, "np.savez"},
      {npy_text("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)}", raw_list<float>({1, 2}), 4), "version 4"},
      {std::string("\x93NUMPY\0\0", 8) + good.substr(8), "version 0"},
      {std::string("\x93NUMPY\x02\0\xFF\xFF\xFF\xFF", 12) + good.substr(12), "at most 65535"},
      {std::string("\x93NUMPY\x01\0\xFF\xFF", 10) + good.substr(10), "cut off"},
      {with_header(""), "'{'"},
      {with_header("{}"), "no 'descr'"},
      {with_header("{'descr': '<f4', 'fortran_order': False}"), "no 'shape'"},
      {with_header("{'descr': '<f4', 'shape': (1, 2)}"), "no 'fortran_order'"},
      {with_header("{'fortran_order': False, 'shape': (1, 2)}"), "no 'descr'"},
      {with_header("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), 'more': 1}"), "'more'"},
      {with_header("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)}"), "twice"},
      {with_header("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)"), "'}'"},
      {with_header("{'descr': '<f4' 'fortran_order': False, 'shape': (1, 2)}"), "'}'"},
      {with_header("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)} x"), "end of the header"},
      {with_header("{'descr' '<f4', 'fortran_order': False, 'shape': (1, 2)}"), "':'"},
      {with_header("{'descr': '<f4, }"), "closing quote"},
      {with_header("{'descr': '\\x3cf4', 'fortran_order': False, 'shape': (1, 2)}"), "backslashes"},
      {with_header("{'descr': 4, 'fortran_order': False, 'shape': (1, 2)}"), "a string"},
      {with_header("{descr: '<f4'}"), "a string"},
      {with_header("{'descr': '<f4', 'fortran_order': 0, 'shape': (1, 2)}"), "True or False"},
      {with_header("{'descr': '<f4', 'fortran_order': false, 'shape': (1, 2)}"), "True or False"},
      {with_header("{'descr': '<f4', 'fortran_order': False, 'shape': [1, 2]}"), "'('"},
      {with_header("{'descr': '<f4', 'fortran_order': False, 'shape': (2)}"), "no tuple"},
      {with_header("{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 2)}"), "not negative"},
      {with_header("{'descr': '<f4', 'fortran_order': False, 'shape': (1., 2)}"), "')'"},
      {with_header("{'descr': '<f4', 'fortran_order': False, 'shape': (1 2)}"), "')'"},
      {with_header("{'descr': '<f4', 'fortran_order': False, 'shape': (,)}"), "a size"},
      {with_header("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 99999999999999999999)}"), "too large"},
      {npy_floats("(9223372036854775807, 9223372036854775807)", {1}), "too large"},
      {npy_floats("(4611686018427387904, 2)", {1}), "too large"},
      {npy_floats("(4294967296, 4294967296)", {1}), "too large"},
      {npy_floats("(1000000000, 1000000)", {1}), "4000000000000000 bytes"},
      {npy("|O", "(1, 1)", "x"), "allow_pickle=False"},
      {npy("O", "(1, 1)", "x"), "astype"},
      {npy("<c8", "(1, 1)", "12345678"), "complex"},
      {npy("<M8[ns]", "(1, 1)", "12345678"), "dates"},
      {npy("<m8[s]", "(1, 1)", "12345678"), "dates"},
      {npy("|V4", "(1, 1)", "1234"), "structured"},
      {with_header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}"), "structured"},
      {with_header("{'descr': ('<f4', (2,)), 'fortran_order': False, 'shape': (1,)}"), "structured"},
      {npy("<f16", "(1, 1)", "0123456789abcdef"), "'<f16'"},
      {npy("<f3", "(1, 1)", "123"), "'<f3'"},
      {npy("", "(1, 1)", "1234"), "of type ''"},
      {npy("<", "(1, 1)", "1234"), "'<'"},
      {npy("<i", "(1, 1)", "1234"), "astype"},
      {npy("<U", "(1, 1)", "1234"), "'<U'"},
      {npy("<U0", "(1000000000000,)", ""), "some length"},
      {npy("|S99999999999", "(1, 1)", "1234"), "'|S99999999999'"},
      {npy("<U1", "(1, 1)", raw(std::uint32_t{'a'})), "strings"},
      {npy("|S1", "(1, 1)", "a"), "strings"},
      {npy_floats("()", {1}), "shape ()"},
      {npy_floats("(2,)", {1, 2}), "reshape(-1, 1)"},
      {npy_floats("(1, 1, 2)", {1, 2}), "(1, 1, 2)"},
      {npy_floats("(0, 2)", {}), "no rows"},
      {npy_floats("(1000000000000, 0)", {}), "no columns"},
      {npy("|b1", "(0, 9223372036854775807)", ""), "no rows"},
      {npy_floats("(2, 2)", {1, 2, infinite, 4}), "row 1, column 0 (counted from 0) is inf"},
      {npy("<f4", "(2, 2)", raw_list<float>({1, 2, infinite, 4}), true), "row 0, column 1 (counted from 0) is inf"},
      {npy_floats("(1, 2)", {1, -infinite}), "is -inf"},
      {npy("<f2", "(1, 1)", raw(std::uint16_t{0xFC00})), "is -inf"},
      {npy("<f8", "(1, 2)", raw_list<double>({1, 1e39})), "1e+39, too large for float32"},
      {npy("<f8", "(1, 2)", raw_list<double>({1, -1e300})), "-1e+300, too large"},
  };
  for (const Bad& bad : table) {
    SCOPED_TRACE(bad.word);
    try {
      read(bad.bytes);
      ADD_FAILURE() << "expected an error";
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.substr(0, 7), "a.npy: ") << message;
      EXPECT_NE(message.find(bad.word), std::string::npos) << message;
      EXPECT_NE(message.find("expected"), std::string::npos) << message;
      EXPECT_LT(message.size(), 500U) << message;
    }
  }
}

TEST(Npy, MalformedNamesAreRefused) {
  const std::vector<Bad> table{
      {npy("|S2", "(2,)", std::string("ab\0\0", 4)), "at 1 is empty"},
      {npy("|S3", "(1,)", std::string("a\0b", 3)), "zero byte"},
      {npy("<U1", "(1,)", raw(std::uint32_t{0xD800})), "no character"},
      {npy("<U1", "(1,)", raw(std::uint32_t{0x110000})), "no character"},
      {npy(">U1", "(1,)", raw(std::uint32_t{'a'})), "no character"},
      {npy("<U3", "(1,)", raw_list<std::uint32_t>({'a', 0, 'b'})), "zero character"},
      {npy("<f4", "(1,)", raw(1.0F)), "astype(str)"},
      {npy("|b1", "(1,)", "\x01"), "astype(str)"},
      {npy("|S1", "(1, 1)", "a"), "one dimension"},
      {npy("|S1", "()", "a"), "one dimension"},
  };
  for (const Bad& bad : table) {
    SCOPED_TRACE(bad.word);
    try {
      name_list(parse_npy(bad.bytes, "n"));
      ADD_FAILURE() << "expected an error";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, 3), "n: ");
      EXPECT_NE(std::string(error.what()).find(bad.word), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace mlpac
