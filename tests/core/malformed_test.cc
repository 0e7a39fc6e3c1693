// Input that is not what it should be: every reader must say where and what, and never crash.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/arff.h"
#include "data/line_reader.h"
#include "data/mulan_xml.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "refusals.h"

namespace mlpac {
namespace {

using namespace std::string_literals;

ReadOptions label_y() {
  ReadOptions options;
  options.label_names = {"y"};
  return options;
}

// Lines 1 to 4; rows begin in line 5.
const std::string kHead = "@relation r\n@attribute a numeric\n@attribute b {p,q,r}\n@attribute y {0,1}\n";
const std::string kRows = kHead + "@data\n";

TEST(Malformed, ArffHeaders) {
  const std::string y = "@attribute y {0,1}\n";
  const std::vector<Bad> table{
      {"", 1, "@data"},
      {"\n\n", 2, "@data"},
      {"% only a comment", 1, "@data"},
      {"hello\n", 1, "expected @relation"},
      {"\x7F"s + "ELF\x02\x01\x01\0\0\0"s, 1, "zero byte"},
      {"PK\x03\x04\n\0\0"s, 1, "PK"},
      {"\x1F\x8B\x08\0\0\0\0\0"s, 1, "zero byte"},
      {"\xFF\xFE@\0r\0e\0l\0"s, 1, "zero byte"},
      {"@\n", 1, "expected @relation"},
      {"@relations r\n", 1, "@relations"},
      {"@relation r\n@relation r\n", 2, "second"},
      {"@relation 'r\n", 1, "not closed"},
      {"@relation \"r\\\"\n", 1, "not closed"},
      {"@relation r\n@data\n1\n", 2, "without any @attribute"},
      {"@relation r\n@attribute\n", 2, "without a name"},
      {"@relation r\n@attribute '' numeric\n", 2, "without a name"},
      {"@relation r\n@attribute {0,1}\n", 2, "without a name"},
      {"@relation r\n@attribute a\n", 2, "unknown type"},
      {"@relation r\n@attribute a number\n", 2, "'number'"},
      {"@relation r\n@attribute a numeric 5\n", 2, "follows the type"},
      {"@relation r\n@attribute a b numeric\n", 2, "unknown type"},
      {"@relation r\n@attribute a string\n", 2, "convert"},
      {"@relation r\n@attribute a date \"yyyy\"\n", 2, "convert"},
      {"@relation r\n@attribute a relational\n", 2, "convert"},
      {"@relation r\n@attribute 'a numeric\n", 2, "not closed"},
      {"@relation r\n@attribute 'a\\' numeric\n", 2, "not closed"},
      {"@relation r\n@attribute 'a\\", 2, "not closed"},
      {"@relation r\n@attribute a {}\n", 2, "value is missing"},
      {"@relation r\n@attribute a {?}\n", 2, "no values"},
      {"@relation r\n@attribute a {p,,q}\n", 2, "value is missing"},
      {"@relation r\n@attribute a {p,q\n", 2, "expected ',' or '}'"},
      {"@relation r\n@attribute a {p q}\n", 2, "quotes"},
      {"@relation r\n@attribute a {p,{q}}\n", 2, "value is missing"},
      {"@relation r\n@attribute a {p,p}\n", 2, "twice"},
      {"@relation r\n@attribute a {p,'q}\n", 2, "not closed"},
      {"@relation r\n@attribute a {p,q} r\n", 2, "follows the list"},
      {"@relation r\n@attribute a\0b numeric\n"s, 2, "zero byte"},
      {"@relation r\n@attribute a numeric\n@attribute a numeric\n", 3, "line 2"},
      {"@relation r\n@attribute a numeric\n@attribute 'a' {0,1}\n", 3, "already declared"},
      {"@relation r\n@attribute a numeric\n1,2\n", 3, "expected @relation"},
      {kHead, 4, "without @data"},
      {kHead + "@data 5\n", 5, "follows @data"},
      {"@relation r\n@attribute a numeric\n@data\n1\n", 3, "'y'"},
      {"@relation r\n" + y + "@data\n1\n", 3, "no attribute is a feature"},
      {"@relation r\n@attribute c {x}\n" + y + "@data\nx,1\n", 4, "no attribute is a feature"},
      {"@relation r\n@attribute a numeric\n@attribute y {0,1,2}\n@data\n1,1\n", 3, "'2'"},
      {"@relation r\n@attribute a numeric\n@attribute y {cat,dog}\n@data\n1,cat\n", 3, "'cat'"},
      {"@relation r\n@attribute a {p,q,r}\n@attribute 'a=p' numeric\n" + y + "@data\np,1,1\n", 5, "'a=p'"},
  };
  for (const Bad& bad : table) {
    expect_refused(bad, "x.arff", [](const std::string& text) { parse_arff(text, "x.arff", label_y()); });
  }
}

TEST(Malformed, ArffRows) {
  const std::vector<Bad> table{
      {kRows, 5, "no rows"},
      {kRows + "\n% nothing\n", 7, "no rows"},
      {kRows + "1,p\n", 6, "2 values, expected 3"},
      {kRows + "1\n", 6, "1 values, expected 3"},
      {kRows + "1,p,\n", 6, "2 values, expected 3"},
      {kRows + "1,p,1,1\n", 6, "follows"},
      {kRows + "1,p,1\n1,p,0\n1,p,1,1\n", 8, "follows"},
      {kRows + "1,,1\n", 6, "write ?"},
      {kRows + ",p,1\n", 6, "write ?"},
      {kRows + "x,p,1\n", 6, "'a'"},
      {kRows + "1x,p,1\n", 6, "'1x'"},
      {kRows + "0x10,p,1\n", 6, "expected a number"},
      {kRows + "1e,p,1\n", 6, "expected a number"},
      {kRows + "+-1,p,1\n", 6, "expected a number"},
      {kRows + "+,p,1\n", 6, "expected a number"},
      {kRows + "-,p,1\n", 6, "expected a number"},
      {kRows + "'',p,1\n", 6, "expected a number"},
      {kRows + "'?',p,1\n", 6, "expected a number"},
      {kRows + "1.2.3,p,1\n", 6, "expected a number"},
      {kRows + "nan,p,1\n", 6, "expected a number"},
      {kRows + "NaN,p,1\n", 6, "expected a number"},
      {kRows + "inf,p,1\n", 6, "expected a number"},
      {kRows + "-Infinity,p,1\n", 6, "expected a number"},
      {kRows + "1e39,p,1\n", 6, "smaller number"},
      {kRows + "-1e999,p,1\n", 6, "smaller number"},
      {kRows + "1,s,1\n", 6, "'s'"},
      {kRows + "1,P,1\n", 6, "'b'"},
      {kRows + "1,p,2\n", 6, "'y'"},
      {kRows + "1,'p,1\n", 6, "not closed"},
      {kRows + "1,'p'q,1\n", 6, "expected a comma"},
      {kRows + "1,p,1{5}\n", 6, "follows"},
      {kRows + "1,p,1,{x}\n", 6, "weight"},
      {kRows + "1,p,1,{5\n", 6, "weight"},
      {kRows + "1,p,{5}\n", 6, "2 values"},
      {kRows + "1,p,1,{5} 6\n", 6, "follows"},
      {kRows + "1,p}\n", 6, "expected a comma"},
      {kRows + "1,\0,1\n"s, 6, "'\\x00'"},
      {kRows + "1,p,1\n\x89PNG\x0D\x0A"s, 7, "'a'"},
      {kRows + "@data\n", 6, "'@data'"},
      {kRows + "{\n", 6, "no index"},
      {kRows + "{0 1\n", 6, "expected ',' or '}'"},
      {kRows + "{0 1,}\n", 6, "no index"},
      {kRows + "{0}\n", 6, "index value"},
      {kRows + "{0,1}\n", 6, "index value"},
      {kRows + "{3 1}\n", 6, "0 to 2"},
      {kRows + "{-1 1}\n", 6, "no index"},
      {kRows + "{99999999999999999999999 1}\n", 6, "out of range"},
      {kRows + "{0 1,0 2}\n", 6, "twice"},
      {kRows + "{1 q,0 2,1 q}\n", 6, "twice"},
      {kRows + "{0 1 1 p}\n", 6, "expected ',' or '}'"},
      {kRows + "{0 nan}\n", 6, "expected a number"},
      {kRows + "{1 z}\n", 6, "'z'"},
      {kRows + "{0 1} 5\n", 6, "follows"},
      {kRows + "{0 1}, {}\n", 6, "weight"},
      {kRows + "{0 '1}\n", 6, "not closed"},
      {kRows + "{0 1}}\n", 6, "follows"},
      {"@relation r\n@attribute a numeric\n@attribute y numeric\n@data\n1,0.5\n", 5, "label 'y'"},
      {"@relation r\n@attribute a numeric\n@attribute y numeric\n@data\n1,2\n", 5, "'2'"},
  };
  for (const Bad& bad : table) {
    expect_refused(bad, "x.arff", [](const std::string& text) { parse_arff(text, "x.arff", label_y()); });
  }
}

TEST(Malformed, LabelLists) {
  const std::vector<Bad> table{
      {"", 1, "no labels"},
      {" \n\n", 2, "no labels"},
      {"a\nb\na\n", 3, "twice"},
      {"a\nb\0c\n"s, 2, "zero byte"},
      {"<labels></labels>", 1, "no label"},
      {"<", 1, "no name"},
      {"<labels>\n<label name=\"a\">\n", 3, "not closed"},
      {"<labels>\n<label name=\"a\"/>\n", 3, "not closed"},
      {"<labels>\n</label>", 2, "expected that of 'labels'"},
      {"</labels>", 1, "opening tag"},
      {"<labels>\n<label/></labels>", 2, "without a name"},
      {"<labels>\n<label name=\"\"/></labels>", 2, "without a name"},
      {"<labels>\n<label name></labels>", 2, "no value"},
      {"<labels>\n<label name=a/></labels>", 2, "not quoted"},
      {"<labels>\n<label name=\"a/></labels>", 2, "not closed"},
      {"<labels>\n<label name=\"a>\n<label name=\"b\"/></labels>", 2, "not closed"},
      {"<labels>\n<label name='a\"/></labels>", 2, "not closed"},
      {"<labels>\n<label name=\"a\" /x></labels>", 2, "'/>'"},
      {"<labels>\n<label name=\"a\"", 2, "does not end"},
      {"<labels>\n<label =\"a\"/></labels>", 2, "no name"},
      {"<labels>\n<label name=\"&nbsp;\"/></labels>", 2, "&nbsp;"},
      {"<labels>\n<label name=\"a & b\"/></labels>", 2, "&amp;"},
      {"<labels>\n<label name=\"&#0;\"/></labels>", 2, "reference"},
      {"<labels>\n<label name=\"&#x110000;\"/></labels>", 2, "reference"},
      {"<labels>\n<label name=\"&#xD800;\"/></labels>", 2, "reference"},
      {"<labels>\n<label name=\"&#;\"/></labels>", 2, "reference"},
      {"<labels>\n<label name=\"&#1x;\"/></labels>", 2, "reference"},
      {"<labels>\n<label name=\"a\"/>\n<label name=\"a\"/></labels>", 3, "twice"},
      {"<labels>\n<label name=\"a\0\"/></labels>"s, 2, "zero byte"},
      {"<!-- never closed <labels>", 1, "'-->'"},
      {"<?xml version=\"1.0\"", 1, "'?>'"},
      {"<labels><label name=\"a\"/></labels\n", 2, "does not end"},
  };
  for (const Bad& bad : table) {
    expect_refused(bad, "l.xml", [](const std::string& text) { parse_label_names(text, "l.xml"); });
  }
}

TEST(Malformed, AnOverlongLineIsRefused) {
  std::string text = kRows;
  text.append(LineReader::kLongestLine + 1, '1');
  expect_refused({std::move(text), 6, "256 MB"}, "x.arff",
                 [](const std::string& long_text) { parse_arff(long_text, "x.arff", label_y()); });
}

TEST(Malformed, NothingSaysWhichAttributesAreLabels) {
  try {
    parse_arff(kRows + "1,p,1\n", "x.arff", {});
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("x.arff: nothing says"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace mlpac
