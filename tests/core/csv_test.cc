// Splitting CSV into records and fields, finding the delimiter, recognising the format, replacing labels.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/file.h"
#include "data/csv.h"
#include "data/csv_scanner.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

using Strings = std::vector<std::string>;

ReadOptions label_columns(Strings patterns) {
  ReadOptions options;
  options.label_columns = std::move(patterns);
  return options;
}

ReadOptions label_list(std::string column) {
  ReadOptions options;
  options.label_list = std::move(column);
  return options;
}

std::vector<Strings> records(std::string_view text, char delimiter = ',') {
  CsvScanner scanner(text, "x.csv", delimiter);
  std::vector<Strings> result;
  while (scanner.next()) {
    Strings& record = result.emplace_back();
    for (const CsvField& field : scanner.fields()) record.emplace_back(field.text);
    scanner.begin_rows(false);
  }
  return result;
}

TEST(CsvScanner, FindsRecordsAndFields) {
  using Records = std::vector<Strings>;
  EXPECT_EQ(records(""), Records{});
  EXPECT_EQ(records("a,b\n1,2\n"), (Records{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(records("a,b\r\n1,2"), (Records{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(records("a,b\n1,2\r"), (Records{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(records("\xEF\xBB\xBF"
                    "a,b\n1,2\n"),
            (Records{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(records("\n\r\na,b\n\n\n1,2\n\r\n\r"), (Records{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(records("a,b\n,\n"), (Records{{"a", "b"}, {"", ""}}));
  EXPECT_EQ(records("a,b\n1,"), (Records{{"a", "b"}, {"1", ""}}));
  EXPECT_EQ(records("a,b\n\"1,2\",\"3\n4\"\n"), (Records{{"a", "b"}, {"1,2", "3\n4"}}));
  EXPECT_EQ(records("a,b\n\"\",\"x\"\r\n"), (Records{{"a", "b"}, {"", "x"}}));
  EXPECT_EQ(records("a,b\n \"1,2\" , \"3\" \r\n"), (Records{{"a", "b"}, {"1,2", "3"}}));
  EXPECT_EQ(records("a,b\n5\" pipe,x\"y\"\n"), (Records{{"a", "b"}, {"5\" pipe", "x\"y\""}}));
  EXPECT_EQ(records("a,b\nlonger than eight bytes,and \xC3\xA4\xC3\xB6 too\n", ','),
            (Records{{"a", "b"}, {"longer than eight bytes", "and \xC3\xA4\xC3\xB6 too"}}));
  EXPECT_EQ(records("a\tb c\n1,5\t2\n", '\t'), (Records{{"a", "b c"}, {"1,5", "2"}}));
}

TEST(CsvScanner, NumbersLinesAlsoInsideQuotes) {
  CsvScanner scanner("\na,b\n\"1\n\n2\",x\n\n3,4\n", "x.csv", ',');
  std::vector<std::int64_t> lines;
  while (scanner.next()) lines.push_back(scanner.line());
  EXPECT_EQ(lines, (std::vector<std::int64_t>{2, 3, 7}));
}

TEST(CsvScanner, KeepsWhatStandsInTheFile) {
  CsvScanner scanner("a, \"b \"\"c\"\"\" ,d\r\n", "x.csv", ',');
  ASSERT_TRUE(scanner.next());
  EXPECT_EQ(scanner.fields()[1].raw, " \"b \"\"c\"\"\" ");
  EXPECT_EQ(scanner.fields()[1].text, "b \"\"c\"\"");
  EXPECT_TRUE(scanner.fields()[1].doubled);
  EXPECT_EQ(scanner.fields()[2].raw, "d");
  EXPECT_FALSE(scanner.fields()[2].doubled);
}

TEST(CsvScanner, AgreesWithALoopOverSingleBytes) {
  // Every position of a delimiter within and across the eight bytes that are looked at together.
  for (std::size_t length = 0; length < 30; ++length) {
    for (const char odd : {'a', '\xAC', '\x80', '-', '\x0B'}) {  // bytes near , and line feed in some of their bits
      const std::string first(length, odd);
      const std::string text = first + ",x\n";
      EXPECT_EQ(records(text), (std::vector<Strings>{{first, "x"}})) << length << odd;
    }
  }
}

TEST(Csv, FindsTheDelimiter) {
  const auto names = [](std::string_view text, const std::string& source = "x.csv") {
    return parse_csv(text, source, label_columns({"y"})).feature_names;
  };
  EXPECT_EQ(names("a,b,y\n1,2,1\n"), (Strings{"a", "b"}));
  EXPECT_EQ(names("a;b;y\n1;2;1\n"), (Strings{"a", "b"}));
  EXPECT_EQ(names("a|b|y\n1|2|1\n"), (Strings{"a", "b"}));
  EXPECT_EQ(names("a\tb\ty\n1\t2\t1\n"), (Strings{"a", "b"}));
  EXPECT_EQ(names("a;\"b,c,d,e\";y\n1;2;1\n"), (Strings{"a", "b,c,d,e"}));
  EXPECT_EQ(names("\n\na;b, or c;y\n1;2;1\n"), (Strings{"a", "b, or c"}));
  EXPECT_EQ(names("a,b,c\ty\n1\t0\n", "x.TSV"), (Strings{"a,b,c"}));
}

TEST(Csv, IsRecognised) {
  EXPECT_TRUE(looks_like_csv("a,b\n1,2\n"));
  EXPECT_TRUE(looks_like_csv("a,b\n1,2"));
  EXPECT_TRUE(looks_like_csv("\xEF\xBB\xBF\r\na;b;c\r\n1,5;2;3\r\n"));
  EXPECT_TRUE(looks_like_csv("a,b,c\n1,2,3\n4,5"));             // the last line is cut
  EXPECT_TRUE(looks_like_csv("a,b,c\n1,2,3\n4,\"5, and"));      // in a quoted field
  EXPECT_TRUE(looks_like_csv("a,b,c\n\n1,\"2\n,,,,\n\",3\n"));  // a line break in a quoted field
  EXPECT_TRUE(looks_like_csv("time\tvalue\n2020-01-01 12:30\t5\n"));
  EXPECT_TRUE(looks_like_csv("1.5,0\n2,1\n"));
  EXPECT_FALSE(looks_like_csv(""));
  EXPECT_FALSE(looks_like_csv("\n\n"));
  EXPECT_FALSE(looks_like_csv("a,b\n"));  // one line may be anything
  EXPECT_FALSE(looks_like_csv("a,b\n1,2,3\n"));
  EXPECT_FALSE(looks_like_csv("a,b\n1,2,3"));
  EXPECT_FALSE(looks_like_csv("a,b,c\n1,2"));
  EXPECT_FALSE(looks_like_csv("one word\nper line\n"));
  EXPECT_FALSE(looks_like_csv(std::string_view("a,b\n1,\0\n", 8)));
  EXPECT_FALSE(looks_like_csv("@relation r,s\n@attribute a,b\n"));
  EXPECT_FALSE(looks_like_csv("% c, d\n@attribute a,b\n@data,\n"));
  EXPECT_FALSE(looks_like_csv("__label__a one, two\n__label__b three, four\n"));
  EXPECT_FALSE(looks_like_csv("1,2 3:0.5 7:1\n3,4 1:2\n"));
  EXPECT_FALSE(looks_like_csv("1\t3:0.5\n2\t1:2\n"));
  EXPECT_FALSE(looks_like_csv("{\"a\":1,\"b\":2}\n{\"a\":1,\"b\":2}\n"));
  EXPECT_FALSE(looks_like_csv("<a b=\"c,d\">\n<e f=\"g,h\">\n"));
}

TEST(Csv, RelabellingReplacesOnlyWhatChanged) {
  const std::string text = "\xEF\xBB\xBFid,y1,a, y2 \r\n\r\nr1,1.0,\" 5\",\"yes\"\r\n\"r,2\",0,,\n\nr3,?,7,-1";
  const ReadOptions options = label_columns({"y*"});
  FeatureData data = parse_csv(text, "x.csv", options);
  ASSERT_EQ(data.label_names, (Strings{"y1", "y2"}));
  EXPECT_EQ(relabel_csv_text(text, "x.csv", options, data), text);

  Labels labels(2);
  labels.append({{0, kKnownNegative}, {1, kAnnotated}});
  labels.append({{1, kAnnotated}});
  labels.append({});
  data.labels = labels;
  const std::string expected = "\xEF\xBB\xBFid,y1,a, y2 \r\n\r\nr1,-1,\" 5\",\"yes\"\r\n\"r,2\",0,,1\n\nr3,?,7,0";
  EXPECT_EQ(relabel_csv_text(text, "x.csv", options, data), expected);
  EXPECT_EQ(parse_csv(expected, "x.csv", options).labels, labels);
}

TEST(Csv, RelabellingFollowsTheOrderOfTheLabels) {
  ReadOptions options;
  options.label_names = {"q", "p"};  // not the order of the file
  const std::string text = "p,a,q\n0,5,0\n";
  FeatureData data = parse_csv(text, "x.csv", options);
  Labels labels(2);
  labels.append({{0, kAnnotated}, {1, kKnownNegative}});
  data.labels = labels;
  EXPECT_EQ(relabel_csv_text(text, "x.csv", options, data), "p,a,q\n-1,5,1\n");
}

TEST(Csv, RelabellingListsWritesNames) {
  const std::string text = "a,tags\n1,red | blue\n2,\n3,\"!red|red,ish\"\n4, blue\n";
  ReadOptions options = label_list("tags");
  options.label_separators = "|";
  FeatureData data = parse_csv(text, "x.csv", options);
  ASSERT_EQ(data.label_names, (Strings{"blue", "red", "red,ish"}));
  EXPECT_EQ(relabel_csv_text(text, "x.csv", options, data), text);
  Labels labels(3);
  labels.append({{0, kAnnotated}, {2, kAnnotated}});
  labels.append({{1, kAnnotated}});
  labels.append({});
  labels.append({{0, kAnnotated}});
  data.labels = labels;
  const std::string expected = "a,tags\n1,\"blue|red,ish\"\n2,red\n3,\n4, blue\n";
  EXPECT_EQ(relabel_csv_text(text, "x.csv", options, data), expected);
}

TEST(Csv, RelabellingChoosesASeparatorThatNeedsNoQuotes) {
  const std::string text = "a,tags\n1,p\n2,q\n";
  FeatureData data = parse_csv(text, "x.csv", label_list("tags"));
  Labels labels(2);
  labels.append({{0, kAnnotated}, {1, kKnownNegative}});
  labels.append({{1, kAnnotated}});
  data.labels = labels;
  EXPECT_EQ(relabel_csv_text(text, "x.csv", label_list("tags"), data), "a,tags\n1,p;!q\n2,q\n");
}

TEST(Csv, RelabellingRefusesOtherData) {
  const std::string text = "a,y\n1,1\n2,0\n";
  const ReadOptions options = label_columns({"y"});
  FeatureData data = parse_csv(text, "x.csv", options);
  EXPECT_THROW(relabel_csv_text("a,y\n1,1\n", "x.csv", options, data), Error);
  EXPECT_THROW(relabel_csv_text("a,y\n1,1\n1,1\n1,1\n", "x.csv", options, data), Error);
  EXPECT_THROW(relabel_csv_text("a,y,z\n1,1,1\n1,1,1\n", "x.csv", label_columns({"z"}), data), Error);
  ReadOptions none;
  none.labels_required = false;
  EXPECT_THROW(relabel_csv_text(text, "x.csv", none, data), Error);
}

TEST(Csv, ReadsAndRelabelsFiles) {
  const TemporaryFolder folder;
  const auto path = folder / "t.tsv";
  write_text(path, "a,b\ty\n1\t1\n2\t0\n");
  const FeatureData data = read_csv(path, label_columns({"y"}));
  EXPECT_EQ(data.source, path.string());
  EXPECT_EQ(data.feature_names, (Strings{"a,b"}));
  EXPECT_EQ(relabel_csv(path, label_columns({"y"}), data), read_file(path));
  EXPECT_THROW(read_csv(folder / "missing.csv", label_columns({"y"})), Error);
}

TEST(Csv, ReadsAPipe) {
  const TemporaryFolder folder;
  const auto path = folder / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::string text = "a,y\n";
  for (int i = 0; i < 100000; ++i) text += std::to_string(i) + ",1\n";
  std::thread writer([&] { write_text(path, text); });
  const FeatureData data = read_csv(path, label_columns({"y"}));
  writer.join();
  EXPECT_EQ(data.features.rows(), 100000);
  EXPECT_EQ(data.features.values.back(), 99999);
  EXPECT_THROW(relabel_csv(path, label_columns({"y"}), data), Error);  // it can be read only once
}

}  // namespace
}  // namespace mlpac
