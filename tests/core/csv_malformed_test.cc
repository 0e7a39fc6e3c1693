// Tables that are not what they should be: the message names the line and what is wrong.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/csv.h"
#include "data/csv_scanner.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "refusals.h"

namespace mlpac {
namespace {

using namespace std::string_literals;

void expect_refused(const Bad& bad, const ReadOptions& options) {
  // Messages about columns list some of their names.
  expect_refused(
      bad, "x.csv", [&](const std::string& text) { parse_csv(text, "x.csv", options); }, 600);
}

/// `rows` numbers in column a, with one cell replaced.
std::string numbers_but_one(int rows, int odd_row, const std::string& odd) {
  std::string text = "a,y\n";
  for (int i = 0; i < rows; ++i) text += (i == odd_row ? odd : std::to_string(i)) + ",1\n";
  return text;
}

std::string different_values(int rows) {
  std::string text = "a,b,y\n";
  for (int i = 0; i < rows; ++i) text += "x" + std::to_string(i) + ",1,1\n";
  return text;
}

TEST(CsvMalformed, RecordsAndHeaders) {
  ReadOptions options;
  options.label_columns = {"y"};
  const std::vector<Bad> table{
      {"", 1, "empty"},
      {"\xEF\xBB\xBF", 1, "empty"},
      {"\n\r\n\n", 1, "empty"},
      {"a,y", 1, "no rows"},
      {"a,y\n", 1, "no rows"},
      {"\n\na,y\r\n\r\n\n", 3, "no rows"},
      {"a,y\n1\n", 2, "1 field, expected 2"},
      {"a,y\n1,1\n1,1,1\n", 3, "3 fields, expected 2"},
      {"a,y\n1,1\n\n1,1,\n", 4, "3 fields, expected 2"},
      {"a,y\n" + std::string(100000, ',') + "\n", 2, "100001 fields, expected 2"},
      {"a;y\n1,1\n", 2, "semicolon"},
      {"a\ty\n1 1\n", 2, "tab"},
      {"a,y\n  \n", 2, "1 field, expected 2"},
      {"a,y\n\"1\n\n\",1\n2\n", 5, "1 field"},
      {"a,y\n\"1,1\n2,1\n", 2, "not closed"},
      {"a,y\n1,1\n\"2\n\",1\n3,\"1\n4,1\n5,1\n", 5, "not closed"},
      {"a,y\n1,\"", 2, "not closed"},
      {"a,y\n1,\"\"\"", 2, "not closed"},
      {"\"a,y\n1,1\n", 1, "not closed"},
      {"a,y\n\"1\"2,1\n", 2, "follows the closing quote"},
      {"a,y\n\"1\" 2,1\n", 2, "'2,1"},
      {"a,y\n1,\"0\n\n\"x\n", 2, "follows the closing quote"},
      {"a,y\n\"1\"\r,1\n", 2, "follows the closing quote"},
      {",y\n1,1\n", 1, "column 1 of 2 has no name"},
      {"a,y,\n1,1,\n", 1, "column 3 of 3 has no name"},
      {"a, ,y\n1,1,1\n", 1, "index=False"},
      {"a,b,a,y\n1,1,1,1\n", 1, "columns 1 and 3 are both called 'a'"},
      {"a,y, \"a\"\n1,1,1\n", 1, "'a'"},
      {"\n" + std::string(1001, 'n') + ",y\n1,1\n", 2, "longer than 1000 bytes"},
      {"a,y\n1,\0\n"s, 2, "zero byte"},
      {"\xFF\xFE"
       "a\0,\0y\0\n\0"s,
       1, "UTF-16"},
      {"\x7F"
       "ELF\n\n\0\0\0"s,
       3, "binary"},
      {"a,b\n1,1\n", 1, "no column is called so"},
      {"a,Y\n1,1\n", 1, "expected one of the 2 columns 'a', 'Y'"},
      {"1,2\n3,4\n", 1, "numbered"},
      {"y\n1\n", 1, "no column is a feature"},
  };
  for (const Bad& bad : table) expect_refused(bad, options);
}

TEST(CsvMalformed, Values) {
  ReadOptions options;
  options.label_columns = {"y"};
  const std::vector<Bad> table{
      {"a,y\n1,2\n", 2, "label column 'y' has the value '2'"},
      {"a,y\n1,1\n1,0.5\n", 3, "really a label"},
      {"a,y\n1,1\n1,maybe\n", 3, "'maybe'"},
      {"a,y\n1,-2\n", 2, "'-2'"},
      {"a,y\n1,inf\n", 2, "'inf'"},
      {"a,y\n1,11\n", 2, "'11'"},
      {numbers_but_one(1000, 500, "5o0"), 502, "column 'a' has the value '5o0'"},
      {numbers_but_one(1000, 0, " l "), 2, "'l'"},
      {numbers_but_one(20, 19, "x"), 21, "--text-columns"},
      {numbers_but_one(100, 7, "1.2.3"), 9, "decimal point"},
      {numbers_but_one(3, 1, "inf"), 3, "finite"},
      {numbers_but_one(3, 1, "-Infinity"), 3, "'-Infinity'"},
      {numbers_but_one(3, 1, "1e39"), 3, "'1e39'"},
      {numbers_but_one(3, 1, "\"1,5\""), 3, "decimal point"},
      {"a;y\n1,5;1\n2,5;0\n", 2, "'1,5'"},
      {different_values(1001), 1002, "more than 1000 different values"},
      {different_values(5000), 1002, "--ignore"},
      {"a,a=p,y\np,1,1\nq,2,0\n", 1, "'a=p'"},
  };
  for (const Bad& bad : table) expect_refused(bad, options);
}

TEST(CsvMalformed, Options) {
  const std::string text = "id,age,tags,y1,y2\n7,1,p,1,0\n8,2,q,0,1\n";
  struct Case {
    void (*change)(ReadOptions&);
    std::string_view word;
  };
  const std::vector<Case> table{
      {[](ReadOptions&) {}, "--labels FILE"},
      {[](ReadOptions&) {}, "'id', 'age', 'tags', 'y1', 'y2'"},
      {[](ReadOptions& o) { o.label_columns = {"z*"}; }, "'z*'"},
      {[](ReadOptions& o) {
         o.label_columns = {"y1", "y3"};
       },
       "'y3', but no column is called so"},
      {[](ReadOptions& o) { o.label_list = "tag"; }, "did you mean 'tags'?"},
      {[](ReadOptions& o) { o.label_list = "y*"; }, "fits 2 columns"},
      {[](ReadOptions& o) { o.label_list = "tags", o.label_columns = {"y1"}; }, "both given"},
      {[](ReadOptions& o) {
         o.label_names = {"y1", "y9"};
       },
       "'y9'"},
      {[](ReadOptions& o) {
         o.label_names = {"y1", "y9"}, o.labels_required = false;
       },
       "'y9'"},
      {[](ReadOptions& o) {
         o.label_names = {"y1", "y1"};
       },
       "twice"},
      {[](ReadOptions& o) { o.label_names = {"y1"}, o.label_columns = {"y*"}; }, "'y2'"},
      {[](ReadOptions& o) {
         o.label_columns = {"y1", "z"}, o.labels_required = false;
       },
       "'z'"},
      {[](ReadOptions& o) { o.label_columns = {"y*"}, o.id_column = "ID"; }, "--id names 'ID'"},
      {[](ReadOptions& o) { o.label_columns = {"y*"}, o.ignored_columns = {"foo*"}; }, "--ignore names 'foo*'"},
      {[](ReadOptions& o) { o.label_columns = {"y*"}, o.text_columns = {"tagz"}; }, "did you mean 'tags'?"},
      {[](ReadOptions& o) { o.label_columns = {"y1"}, o.ignored_columns = {"y1"}; }, "ignored and as a label"},
      {[](ReadOptions& o) { o.label_columns = {"y*"}, o.id_column = "age", o.text_columns = {"age"}; }, "'age'"},
      {[](ReadOptions& o) {
         o.label_columns = {"y*"}, o.ignored_columns = {"y1", "y2"};
       },
       "something else"},
      {[](ReadOptions& o) { o.label_columns = {"y*"}, o.ignored_columns = {"*"}; }, "something else"},
      {[](ReadOptions& o) { o.label_columns = {"*"}; }, "no column is a feature"},
      {[](ReadOptions& o) {
         o.label_columns = {"y*"}, o.ignored_columns = {"age", "id", "tags"};
       },
       "no column is a"},
      {[](ReadOptions& o) { o.label_list = "tags", o.label_names = {"q"}; }, "label 'p' is not one of the 1"},
      {[](ReadOptions& o) { o.label_columns = {"y*"}, o.text_columns = {"tags"}; }, "text column 'tags': "},
  };
  for (const Case& c : table) {
    ReadOptions options;
    c.change(options);
    try {
      parse_csv(text, "x.csv", options);
      ADD_FAILURE() << "expected an error with " << c.word;
    } catch (const Error& error) {
      const std::string_view message = error.what();
      EXPECT_NE(message.find(c.word), std::string_view::npos) << message << "\nexpected: " << c.word;
      EXPECT_EQ(message.substr(0, 6), "x.csv:") << message;
    }
  }
}

TEST(CsvMalformed, ListsOfLabels) {
  ReadOptions options;
  options.label_list = "t";
  const std::vector<Bad> table{
      {"a,t\n1,p;!p\n", 2, "'p'"},
      {"a,t\n1,p\n2,q|!p|!q\n", 3, "positive and as negative"},
      {"a,t\n1,\n2,;\n", 3, "no row lists a label"},
      {"a,t\n1,p;!!p\n", 2, "two !"},
  };
  for (const Bad& bad : table) expect_refused(bad, options);
}

TEST(CsvMalformed, AQuoteThatIsNeverClosedIsNamedEvenInAHugeFile) {
  ReadOptions options;
  options.label_columns = {"y"};
  std::string text = "a,y\n1,1\n\"2,1\n";
  text.append(CsvScanner::kLongestRecord + 1000, '\n');
  text += "\",1\n";  // closed, but too late
  expect_refused({text, 3, "within 256 MB"}, options);
  text = "a,y\n";
  text.append(CsvScanner::kLongestRecord + 1000, '1');
  expect_refused({std::move(text), 2, "longer than 256 MB"}, options);
}

}  // namespace
}  // namespace mlpac
