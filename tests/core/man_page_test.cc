#include "core/man_page.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "core/wrap.h"
#include "help_commands.h"
#include "help_process.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

TEST(RoffText, LeavesNothingForRoffToActOn) {
  EXPECT_EQ(roff_text("plain text, 10 %"), "plain text, 10 %");
  EXPECT_EQ(roff_text("--out a-b"), R"(\-\-out a\-b)");
  EXPECT_EQ(roff_text(R"(C:\new)"), R"(C:\enew)");
  EXPECT_EQ(roff_text(".br"), R"(\&.br)");
  EXPECT_EQ(roff_text("a.b\n.c d"), "a.b\n\\&.c d");
  EXPECT_EQ(roff_text("'x"), R"(\(aqx)");
  EXPECT_EQ(roff_text("say \"a b\""), R"(say \(dqa b\(dq)");
  EXPECT_EQ(roff_text("`^~"), R"(\(ga\(ha\(ti)");
}

TEST(ManPage, HasTheSectionsOfAManualInOrder) {
  const auto page = man_page(kTestCommands, "1.2.3", "2024-05-06");
  EXPECT_NE(page.find("\n.TH MLPAC 1 \"2024-05-06\" \"mlpac 1.2.3\" \"User Commands\"\n"), std::string::npos);
  EXPECT_NE(page.find("\n.SH \"NAME\"\nmlpac \\- multi\\-label"), std::string::npos);
  std::vector<std::string> sections;
  for (const auto line : split_words(page, '\n')) {
    if (line.starts_with(".SH ")) sections.emplace_back(line.substr(5, line.size() - 6));
  }
  EXPECT_EQ(sections, (std::vector<std::string>{"NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS",
                                                "CONFIGURATION FILE", "FILES", "EXIT STATUS", "EXAMPLES", "SEE ALSO"}));
  for (const char* file : {"config.toml", "metrics.jsonl", "model.safetensors", "model.json", "result.json",
                           "checkpoint.safetensors", "critic.safetensors", "tb/"}) {
    EXPECT_EQ(count_of(page, "\n.B \"" + std::string(file) + "\"\n"), 1U) << file;
  }
  EXPECT_EQ(page, man_page(kTestCommands, "1.2.3", "2024-05-06"));
}

TEST(ManPage, ExplainsEveryCommandAndOptionOnce) {
  const auto page = man_page(kTestCommands, "1", "");
  for (const auto& entry : option_table()) {
    EXPECT_EQ(count_of(page, ".BI \"" + roff_text("--" + std::string(entry.name)) + "\" "), 1U) << entry.name;
  }
  for (const auto& command : kTestCommands) {
    EXPECT_EQ(count_of(page, "\n.B \"" + roff_text(usage(command)) + "\"\n"), 1U) << command.name;
  }
  EXPECT_NE(page.find("\n.BI \"\\-\\-dropout\" \" X\"\ndropout after each hidden layer (0 to 0.95) [0]\n.br\n"
                      "Commands: train.\n"),
            std::string::npos);
  EXPECT_NE(page.find("\n.BI \"\\-\\-cumulative\" \"\"\nkeep proposals of earlier epochs\n.br\n"), std::string::npos);
}

TEST(ManPage, HasOnlyKnownRequestsAndEscapedText) {
  const std::set<std::string, std::less<>> known{".SH", ".SS", ".TP", ".PP", ".B",  ".BI", ".TH",
                                                 ".br", ".nh", ".ad", ".RS", ".RE", ".EX", ".EE"};
  const CommandHelp odd{"odd", ".FILE", "'quoted' and \\ and .dot", ".hidden -x 'y'\n'a' \"b\"", kEvaluate};
  const std::vector<CommandHelp> commands{kTestTrain, odd};
  const auto page = man_page(commands, "1", "2024-05-06");
  for (const auto line : split_words(page, '\n')) {
    EXPECT_FALSE(line.starts_with('\'')) << line;
    EXPECT_LE(line.size(), 120U) << line;
    if (line.starts_with(".\\\"") || line.starts_with(".TH")) continue;
    if (line.starts_with('.')) {
      EXPECT_TRUE(known.contains(line.substr(0, line.find(' ')))) << line;
    }
    for (auto at = line.find('-'); at != std::string_view::npos; at = line.find('-', at + 1)) {
      EXPECT_TRUE(at > 0 && line[at - 1] == '\\') << line;
    }
  }
}

TEST(ManPage, IsReadByGroffWithoutWarnings) {
  if (run_process("command -v groff").output.empty()) GTEST_SKIP() << "groff is not installed";
  const TemporaryFolder folder;
  const auto file = folder / "mlpac.1";
  for (const char* date : {"2024-05-06", ""}) {
    write_text(file, man_page(kTestCommands, "1.2.3", date));
    const auto warnings = run_process("groff -man -Tutf8 -ww -P-cbou " + file.string() + " 2>&1 >/dev/null");
    EXPECT_EQ(warnings.output, "");
    EXPECT_EQ(warnings.status, 0);
  }
  const auto text = run_process("groff -man -Tutf8 -P-cbou " + file.string() + " 2>&1").output;
  EXPECT_NE(text.find("mlpac train --train data/train.arff --labels data/labels.xml \\\n"), std::string::npos) << text;
  EXPECT_NE(text.find("--decay-matrices-only true|false\n"), std::string::npos);
  EXPECT_NE(text.find("Adam's epsilon (0 to 1) [1e-8]"), std::string::npos);
}

}  // namespace
}  // namespace mlpac
