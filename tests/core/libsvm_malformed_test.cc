// libsvm files that are not what they should be: refused with the line and the reason, never anything else.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/libsvm.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "refusals.h"

namespace mlpac {
namespace {

using namespace std::string_literals;

void expect_refused(const Bad& bad, const std::vector<std::string>& names = {}) {
  ReadOptions options;
  options.label_names = names;
  expect_refused(bad, "x.svm", [&](const std::string& text) { parse_libsvm(text, "x.svm", options); });
}

TEST(LibsvmMalformed, Rows) {
  const std::vector<Bad> table{
      {"", 1, "no rows"},
      {"\n \n", 2, "no rows"},
      {"# nothing\n", 1, "no rows"},
      {"1,2,3\n4,5,6\n", 2, "no row has a feature"},
      {"1 2:1\n1 2\n", 2, "expected index:value"},
      {"1 2 3:4\n", 1, "separated by commas"},
      {"1 2:1 x\n", 1, "'x'"},
      {"1, 2 3:4\n", 1, "missing"},
      {"1,,2 3:4\n", 1, "missing"},
      {",1 3:4\n", 1, "missing"},
      {"1,2, 3:4\n", 1, "missing"},
      {", 3:4\n", 1, "missing"},
      {"! 3:4\n", 1, "missing"},
      {"1 :4\n", 1, "no index"},
      {":\n", 1, "no index"},
      {"1 a:4\n", 1, "'a'"},
      {"cat:1 3:4\n", 1, "'cat'"},
      {"1 -3:4\n", 1, "whole number"},
      {"1 +3:4\n", 1, "whole number"},
      {"1 3.0:4\n", 1, "whole number"},
      {"1 3:\n", 1, "''"},
      {"1 3: 4\n", 1, "index 3"},
      {"1 3 :4\n", 1, "'3'"},
      {"1 3:x\n", 1, "'x'"},
      {"1 3:?\n", 1, "write nan"},
      {"1 3:inf\n", 1, "'inf'"},
      {"1 3:-Infinity\n", 1, "expected a number"},
      {"1 3:nano\n", 1, "expected a number"},
      {"1 3:1e39\n", 1, "smaller number"},
      {"1 3:-1e999\n", 1, "smaller number"},
      {"1 3:1,5\n", 1, "'1,5'"},
      {"1 3:1e\n", 1, "'1e'"},
      {"1 3:0x10\n", 1, "'0x10'"},
      {"1 3:1.2.3\n", 1, "'1.2.3'"},
      {"1 3:4:5\n", 1, "'4:5'"},
      {"1 3:4;5:6\n", 1, "'4;5:6'"},
      {"1 3:+-1\n", 1, "'+-1'"},
      {"1 3:1\0\n"s, 1, "'1\\x00'"},
      {"1 1:1\n2 3:1 3:2\n", 2, "index 3 is given twice"},
      {"1 5:1 3:1 4:1 3:2\n", 1, "index 3 is given twice"},
      {"1 3:0 3:0\n", 1, "index 3 is given twice"},
      {"1 3:1 2:1 3:0\n", 1, "index 3 is given twice"},
      {"1 100000000:1\n", 1, "too large"},
      {"1 2147483648:1\n", 1, "too large"},
      {"1 99999999999999999999999:1\n", 1, "too large"},
      {"1 qid:x 3:4\n", 1, "'qid'"},
      {"1 qid: 3:4\n", 1, "'qid'"},
      {"1 2:1\n\x89PNG\x0D\x0A\x1A\x0A"s, 3, "binary"},
      {"\x7F"s + "ELF\x02\x01\x01\0\0\0"s, 1, "binary"},
      {"1 2:1\n\0\0\0\0"s, 2, "binary"},
      {"\xFF\xFE"
       "1\0 \0"s,
       1, "binary"},
  };
  for (const Bad& bad : table) expect_refused(bad);
}

TEST(LibsvmMalformed, Labels) {
  const std::vector<Bad> table{
      {" 1:1\n2:1\n", 2, "no row has a label"},
      {"-1 1:1\n", 1, "'-1'"},
      {"1 1:1\n!-1 1:1\n", 2, "'!-1'"},
      {"0.5 1:1\n", 1, "'0.5'"},
      {"1e400 1:1\n", 1, "'1e400'"},
      {"99999999999999999999 1:1\n", 1, "'99999999999999999999'"},
      {"!!1 1:1\n", 1, "'!!1'"},
      {"1,!1 1:1\n", 1, "positive and as negative"},
      {"1 1:1\nsea,2,!sea 1:1\n", 2, "'sea'"},
      {"1.0,!1 1:1\n", 1, "label '1'"},
  };
  for (const Bad& bad : table) expect_refused(bad);
  const std::vector<Bad> named{
      {"2 1:1\n", 1, "0 to 1"},
      {"-1 1:1\n", 1, "'-1'"},
      {"0 1:1\nbirds 1:1\n", 2, "'birds'"},
      {"0,!sea 1:1\n1,!sea 1:1\n", 2, "'sea' is given as positive and as negative"},
      {"!! 1:1\n", 1, "'!!'"},
      {"1 2 3\n0 1:1\n", 1, "3 labels, expected 2"},
      {"1 2 1\n0 1:1\n", 1, "1 labels, expected 2"},
  };
  for (const Bad& bad : named) expect_refused(bad, {"beach", "sea"});
  const std::vector<Bad> numbered{
      {"7 1:1\n2 1:1\n", 2, "'2' is not one of the 2 known labels"},
      {"sea 1:1\n", 1, "'sea'"},
      {"7,!7 1:1\n", 1, "'7' is given as positive"},
      {"1 2 9\n9 1:1\n", 2, "9 labels"},
  };
  for (const Bad& bad : numbered) expect_refused(bad, {"7", "9"});
}

TEST(LibsvmMalformed, Headers) {
  const std::vector<Bad> table{
      {"2 3 4\n", 1, "after 0 rows, expected 2"},
      {"2 3 4\n1 1:1\n", 2, "after 1 rows, expected 2"},
      {"1 3 4\n1 1:1\n\n2 1:1\n", 4, "after 1 rows"},
      {"0 3 4\n", 1, "no rows"},
      {"0 3 4\n1 1:1\n", 2, "after 0 rows"},
      {"1 0 4\n1\n", 1, "0 features"},
      {"1 3 0\n 1:1\n", 2, "no row has a label"},
      {"1 3 0\n0 1:1\n", 2, "0 labels"},
      {"1 3 4\n4 1:1\n", 2, "4 labels, counted from 0"},
      {"1 3 4\n!4 1:1\n", 2, "'!4'"},
      {"1 3 4\n-1 1:1\n", 2, "'-1'"},
      {"1 3 4\nsea 1:1\n", 2, "'sea'"},
      {"1 3 4\n0.5 1:1\n", 2, "'0.5'"},
      {"1 3 4\n1,!1 1:1\n", 2, "label '1'"},
      {"1 3 4\n1 3:1\n", 2, "expected 0 to 2"},
      {"1 3 4\n1 0:1 0:1\n", 2, "twice"},
      {"1 3 4 5\n1 1:1\n", 1, "'3'"},
      {"1 3\n1 1:1\n", 1, "'3'"},
      {"1 3 -4\n1 1:1\n", 1, "'3'"},
      {"1 3 4.0\n1 1:1\n", 1, "'3'"},
      {"1 100000001 4\n1 1:1\n", 1, "100000001 features"},
      {"1 3 5000001\n1 1:1\n", 1, "5000001 labels"},
      {"1 99999999999999999999999 4\n1 1:1\n", 1, "expected at most"},
      {"99999999999999999999999 3 4\n1 1:1\n", 2, "is it complete?"},
      {"1 3 4\n1 3 4\n1 1:1\n", 2, "'3'"},
  };
  for (const Bad& bad : table) expect_refused(bad);
}

TEST(LibsvmMalformed, TwoNamesThatAreTheSameNumber) {
  ReadOptions options;
  options.label_names = {"7", "07"};
  EXPECT_THROW(parse_libsvm("7 1:1\n", "x.svm", options), Error);
}

TEST(LibsvmMalformed, DamagedFilesAreParsedOrRefused) {
  constexpr auto kPieces = std::to_array<std::string_view>(
      {":", ",",     " ",   "\t",  "#",     "!",       "\n",  "\r\n",         "0",    "1", "9999999999", "-", ".",
       "e", "1e400", "nan", "inf", "qid:1", "2 9 9\n", "3:1", "\xEF\xBB\xBF", "\xFF", "?"});
  const std::string plain = "# c\n0,2 1:0.5 3:-2e1 # c\n\n 1:4\n1.0 qid:3 0:nan 8:1\n!2,7 2:1\n3 7:1\n";
  const std::string header = "4 9 8\n0,2 1:0.5 3:-2e1\n 1:4\n\n1,!7 0:nan 8:1\n";
  for (const std::string& valid : {plain, header}) {
    for (const bool named : {false, true}) {
      ReadOptions options;
      options.labels_required = !named;
      if (named) options.label_names = {"a", "b", "c", "d", "e", "f", "g", "h"};
      expect_parsed_or_refused(valid, 8000, 1, kPieces, [&](const std::string& text) {
        const FeatureData data = parse_libsvm(text, "fuzz", options);
        ASSERT_EQ(data.features.rows(), data.labels.rows());
        ASSERT_EQ(data.label_names.size(), static_cast<std::size_t>(data.labels.classes()));
        ASSERT_EQ(data.features.indices.size(), data.features.values.size());
        ASSERT_EQ(data.features.offsets.back(), static_cast<std::int64_t>(data.features.values.size()));
        for (const std::int32_t column : data.features.indices) ASSERT_LT(column, data.features.columns);
      });
    }
  }
}

}  // namespace
}  // namespace mlpac
