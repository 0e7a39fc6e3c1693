// Pages, tables, and the run folders they are made of.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/flat_toml.h"
#include "core/process.h"
#include "core/sha256.h"
#include "mlpac/error.h"
#include "report/page.h"
#include "report/run_charts.h"
#include "report/run_page.h"
#include "report/table.h"
#include "temporary_tree.h"

namespace mlpac {
namespace {

TEST(Sha256, KnownDigests) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(std::string(1000, 'a')), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3");
  Sha256 parts;  // the same in pieces, whatever their lengths
  for (int i = 0; i < 100; ++i) parts.add(std::string(10, 'a'));
  EXPECT_EQ(parts.digest(), sha256(std::string(1000, 'a')));
}

TEST(FlatToml, Values) {
  const auto read = parse_flat_toml("# why\n a-b = \"x # y\" # z\nn = 1_000\nf = 1e-5\n\nt=true\nl = 'a\\b'\n", "f");
  EXPECT_EQ(read.at("a-b"), "x # y");
  EXPECT_EQ(read.at("n"), 1000);
  EXPECT_TRUE(read.at("n").is_number_integer());
  EXPECT_DOUBLE_EQ(read.at("f").get<double>(), 1e-5);
  EXPECT_EQ(read.at("t"), true);
  EXPECT_EQ(read.at("l"), "a\\b");
  for (const auto* const wrong :
       {"a", "a =", "a = b", "= 1", "a = \"x", "a = 1 2", "a = \"x\" y", "[table]", "a=1\na=2"}) {
    EXPECT_THROW(parse_flat_toml(wrong, "f"), Error) << wrong;
  }
  try {
    parse_flat_toml("a = 1\nb = c\n", "f.toml");
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("f.toml:2:"), std::string::npos) << error.what();
  }
}

TEST(ShellWords, AreReadAndWritten) {
  const std::vector<std::string> words{"a", "b c", "it's", "", "$x"};
  EXPECT_EQ(shell_words(shell_text(words)), words);
  EXPECT_EQ(shell_words("  --a 'b c'  \"d\\\"e\"x\n"), (std::vector<std::string>{"--a", "b c", "d\"ex"}));
  EXPECT_THROW(shell_words("a 'b"), Error);
}

TEST(TextTable, Forms) {
  const TextTable table{"A & <b>", {"x", "50 %"}, {{"`n_1`", "**+0.5 ± 0.1** ▲"}, {"2, \"3\"", "10.5 (0.7)"}}};
  EXPECT_EQ(to_markdown(table), "| x | 50 % |\n|---|---|\n| `n_1` | **+0.5 ± 0.1** ▲ |\n| 2, \"3\" | 10.5 (0.7) |\n");
  EXPECT_EQ(to_csv(table), "table,x,50 %\nA & <b>,n_1,+0.5 ± 0.1 ▲\nA & <b>,\"2, \"\"3\"\"\",10.5 (0.7)\n");
  const auto latex = to_latex(table);
  EXPECT_NE(latex.find("\\texttt{n\\_1} & \\textbf{+0.5 $\\pm$ 0.1} $\\blacktriangle$ \\\\"), std::string::npos)
      << latex;
  EXPECT_NE(latex.find("\\caption{A \\& <b>}"), std::string::npos) << latex;
  const auto html = to_html(table);
  EXPECT_NE(html.find("<caption>A &amp; &lt;b&gt;</caption>"), std::string::npos) << html;
  EXPECT_NE(html.find("<td data-value=\"0.5\"><strong>+0.5 ± 0.1</strong> ▲</td>"), std::string::npos) << html;
  EXPECT_NE(html.find("<td data-value=\"10.5\">"), std::string::npos) << html;
  EXPECT_EQ(plain_text("a ** b `"), "a ** b `") << "what is never closed stays";
}

TEST(Page, NeedsNothingElseAndCannotBeBrokenOutOf) {
  Page page("<script>alert(1)</script>", "about");
  page.section("One");
  Chart chart{"c", "x", "y", {{"</script><b>", {1, 2}, {3, std::nan("")}, {}, false, -1}}, {}, {}, false};
  const Chart empty{"nothing", "x", "y", {{"s", {1}, {std::nan("")}, {}, false, -1}}, {}, {}, false};
  page.charts(std::vector<Chart>{chart, empty});
  const auto html = page.html();
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  EXPECT_EQ(html.find("</script><b>"), std::string::npos);
  EXPECT_EQ(html.find("nothing"), std::string::npos) << "a chart without a value is left out";
  for (const auto* const outside : {"http://", "https://", "<link rel=\"stylesheet", "src="}) {
    const auto found = html.find(outside);
    // The only address is the name of SVG's elements.
    EXPECT_TRUE(found == std::string::npos || html.compare(found, 26, "http://www.w3.org/2000/svg") == 0) << outside;
  }
  EXPECT_TRUE(to_json(chart).at("series")[0].at("y")[1].is_null());
}

/// A run folder with two epochs of policies of two weights.
std::filesystem::path write_run(const TemporaryTree& data, const std::string& name, double f1) {
  data.write(name + "/config.toml",
             "method = \"mlpac\"\nlr = " + std::to_string(f1 / 1000) + "\ntask = \"features\"\nepochs = 2\n");
  data.write(
      name + "/metrics.jsonl",
      "{\"phase\":\"pretrain\",\"epoch\":1,\"loss\":2.5,\"score\":10,\"seconds\":1}\n"
      "{\"phase\":\"mlpac\",\"epoch\":1,\"policy_loss\":-1,\"score\":20,\"true_f1\":44.5,\"local_reward\":0.25,"
      "\"enhanced\":7,\"enhanced_precision\":81,\"candidates\":[{\"w\":2,\"score\":20},{\"w\":1,\"score\":15}]}\n"
      "{\"phase\":\"mlpac\",\"epo");
  const nlohmann::json result{
      {"test", {{"precision", 50.0}, {"recall", 40.0}, {"f1", f1}, {"macro_f1", 1.0}, {"map", 2.0}}},
      {"selection", {{"phase", "mlpac"}, {"epoch", 1}, {"rule", "estimated-f1"}, {"score", 20.0}, {"w", 2.0}}},
      {"classes",
       {{{"label", "cat"}, {"positives", 3}, {"precision", 1.0}, {"recall", 2.0}, {"f1", 3.0}, {"ap", 4.0}},
        {{"label", "dog"}, {"positives", 9}, {"precision", 1.0}, {"recall", 2.0}, {"f1", 30.0}, {"ap", 4.0}}}},
      {"critic", nullptr},
      {"ratio", 0.1},
      {"seconds", {{"total", 12.0}}},
      {"peak_memory_mb", 99.0}};
  data.write(name + "/result.json", result.dump());
  return data / name;
}

TEST(RunPage, OneRun) {
  const TemporaryTree data;
  const auto run = read_run(write_run(data, "first", 47.25));
  ASSERT_EQ(run.epochs.size(), 2) << "a line that is being written does not count";
  const auto weights = weight_charts({run});
  ASSERT_EQ(weights.size(), 1);
  ASSERT_EQ(weights[0].series.size(), 1);
  EXPECT_EQ(weights[0].series[0].x, (std::vector<double>{1, 2}));
  EXPECT_EQ(weights[0].series[0].y, (std::vector<double>{15, 20}));
  ASSERT_EQ(weights[0].marks.size(), 1);
  EXPECT_EQ(weights[0].marks[0].x, 2);
  const auto losses = epoch_chart({run}, "t", "y", {{"loss", "loss"}});
  ASSERT_EQ(losses.series.size(), 1);
  EXPECT_EQ(losses.series[0].y[0], 2.5);
  EXPECT_TRUE(std::isnan(losses.series[0].y[1]));
  ASSERT_EQ(losses.marks.size(), 1) << "where the second phase begins";
  EXPECT_EQ(class_charts({run})[0].categories, (std::vector<std::string>{"dog", "cat"})) << "the most frequent first";
  EXPECT_EQ(class_charts({run})[1].series.at(0).y, (std::vector<double>{9, 3}));
  const auto page = run_page({run});
  for (const auto* const text : {"47.2", "estimated-f1", "Enhanced labels", "The choice of w", "data-value=\"9\""}) {
    EXPECT_NE(page.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(page.find("Options that differ"), std::string::npos);
}

TEST(RunPage, SeveralRuns) {
  const TemporaryTree data;
  const std::vector<std::string> folders{write_run(data, "a/run", 40).string(), write_run(data, "b/run", 50).string()};
  const auto runs = read_runs(folders);
  EXPECT_EQ(runs[0].name, "a/run");
  EXPECT_EQ(runs[1].name, "b/run");
  EXPECT_EQ(telling_options(runs), (std::vector<std::string>{"lr"}));
  const auto page = run_page(runs);
  EXPECT_NE(page.find("Options that differ"), std::string::npos);
  EXPECT_NE(page.find("<code>lr</code>"), std::string::npos);
}

TEST(RunPage, Refusals) {
  const TemporaryTree data;
  EXPECT_THROW(read_run(data.path()), Error);
  data.write("r/config.toml", "method = \"mlpac\"\n");
  EXPECT_NE(run_page({read_run(data / "r")}).find("unfinished after 0 epochs"), std::string::npos);
  data.write("r/result.json", "[1]");
  EXPECT_THROW(read_run(data / "r"), Error);
  data.write("r/result.json", "{\"selection\": {}}");
  EXPECT_NE(run_page({read_run(data / "r")}).find("–"), std::string::npos);
  data.write("r/metrics.jsonl", "nothing\n{\"epoch\":1}\n");
  EXPECT_THROW(read_run(data / "r"), Error);
}

}  // namespace
}  // namespace mlpac
