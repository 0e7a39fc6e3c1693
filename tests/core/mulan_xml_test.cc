#include "data/mulan_xml.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mlpac/error.h"

namespace mlpac {
namespace {

using Names = std::vector<std::string>;

Names parse(const std::string& text) { return parse_label_names(text, "labels.xml"); }

TEST(MulanXml, ReadsLabelsInDocumentOrder) {
  EXPECT_EQ(parse("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<labels xmlns=\"http://mulan.sourceforge.net/labels\">\n"
                  "<label name=\"z\"></label>\n<label name='a'/>\n<label  name = \"m\" ></label >\n</labels>"),
            (Names{"z", "a", "m"}));
}

TEST(MulanXml, FlattensHierarchies) {
  EXPECT_EQ(parse("<labels><label name=\"a\"><label name=\"b\"><label name=\"c\"/></label></label>"
                  "<label name=\"d\"/></labels>"),
            (Names{"a", "b", "c", "d"}));
}

TEST(MulanXml, DecodesReferences) {
  EXPECT_EQ(parse("<labels><label name=\"&amp;&lt;&gt;&quot;&apos;&#65;&#x42;&#228;&#x1F600;\"/></labels>"),
            (Names{"&<>\"'AB\xC3\xA4\xF0\x9F\x98\x80"}));
}

TEST(MulanXml, SkipsCommentsAndDeclarations) {
  EXPECT_EQ(
      parse("\xEF\xBB\xBF \n<!DOCTYPE labels>\n<!-- <label name=\"x\"/> -->\n<labels>text<label id='1' name=\"a\"/>"
            "<![CDATA[<label name=\"y\"/>]]></labels>"),
      Names{"a"});
}

TEST(MulanXml, TakesLatin1) { EXPECT_EQ(parse("<labels><label name=\"caf\xE9\"/></labels>"), Names{"caf\xC3\xA9"}); }

TEST(MulanXml, PlainTextHasOneNamePerLine) {
  EXPECT_EQ(parse("first\r\n  second one \n\nthird & <more>"), (Names{"first", "second one", "third & <more>"}));
}

TEST(MulanXml, WritesWhatItReads) {
  const Names names{"plain", "a&b", "<tag>", "\"quoted\" 'both'", "tab\tline\n", "caf\xC3\xA9", " blank ends "};
  EXPECT_EQ(parse(label_names_as_xml(names)), names);
}

TEST(MulanXml, MissingFileIsNamed) {
  try {
    read_label_names("/nonexistent/labels.xml");
    FAIL() << "expected an error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("/nonexistent/labels.xml"), std::string::npos);
  }
}

}  // namespace
}  // namespace mlpac
