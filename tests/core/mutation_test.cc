// Valid files with random damage: every reader either parses them or throws Error. The seeds are fixed.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "data/arff.h"
#include "data/mulan_xml.h"
#include "mlpac/feature_data.h"
#include "refusals.h"

namespace mlpac {
namespace {

constexpr auto kPieces = std::to_array<std::string_view>(
    {"{",  "}",  ",",  "'",  "\"",           "\\",    "%",   "?",     "@",          "\n", "\r\n", " ",
     "\t", "0",  "1",  "-",  "9999999999",   "1e400", "nan", "@data", "@attribute", "<",  ">",    "&",
     ";",  "&#", "</", "/>", "\xEF\xBB\xBF", "\xFF"});

TEST(Mutation, ArffParsesOrIsRefused) {
  const std::string valid =
      "% a comment\n@relation 'r s'\n@attribute a numeric\n@attribute 'b c' {p,'q r',\"s\"}\n@attribute d {YES,NO}\n"
      "@attribute y {0,1}\n@data\n1.5,p,YES,1\n-2e-3,'q r',NO,?\n{0 1,2 NO,3 1}\n{}\n?,s,YES,0,{5}\n{3 1,0 7},{2}\n";
  ReadOptions options;
  options.label_names = {"y"};
  options.labels_required = false;
  expect_parsed_or_refused(valid, 30000, 1, kPieces, [&](const std::string& text) {
    const FeatureData data = parse_arff(text, "fuzz", options);
    // What was accepted must be consistent.
    ASSERT_EQ(data.features.rows(), data.labels.rows());
    ASSERT_EQ(data.feature_names.size(), static_cast<std::size_t>(data.features.columns));
    ASSERT_EQ(data.features.indices.size(), data.features.values.size());
    for (const std::int32_t column : data.features.indices) ASSERT_LT(column, data.features.columns);
  });
}

TEST(Mutation, LabelListsParseOrAreRefused) {
  const std::string valid =
      "<?xml version=\"1.0\"?>\n<!-- c -->\n<labels xmlns=\"http://m\">\n<label name=\"a\"><label name='b &amp; "
      "c'/></label>\n"
      "<label name=\"&#228;\"></label>\n</labels>\n";
  expect_parsed_or_refused(valid, 20000, 2, kPieces, [](const std::string& text) { parse_label_names(text, "fuzz"); });
}

}  // namespace
}  // namespace mlpac
