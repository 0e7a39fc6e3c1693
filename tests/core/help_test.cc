#include "core/help.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/wrap.h"
#include "help_commands.h"

namespace mlpac {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (const auto line : split_words(text, '\n')) lines.emplace_back(line);
  return lines;
}

void expect_narrow(const std::string& text) {
  EXPECT_TRUE(text.ends_with('\n'));
  EXPECT_FALSE(text.ends_with("\n\n"));
  for (const auto& line : lines_of(text)) {
    EXPECT_LE(line.size(), 80U) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
}

/// Names of the options that a help explains, in its order.
std::vector<std::string> explained(const std::string& help) {
  std::vector<std::string> names;
  for (const auto& line : lines_of(help)) {
    if (line.starts_with("  --")) names.push_back(line.substr(4, line.find(' ', 4) - 4));
  }
  return names;
}

TEST(Wrap, BreaksAtBlanksAndNowhereElse) {
  EXPECT_EQ(wrap("aa bb cc", 5), (std::vector<std::string>{"aa bb", "cc"}));
  EXPECT_EQ(wrap("aa bb cc", 4), (std::vector<std::string>{"aa", "bb", "cc"}));
  EXPECT_EQ(wrap("  aa   bb ", 80), (std::vector<std::string>{"aa bb"}));
  EXPECT_EQ(wrap("a toolongaword b", 4), (std::vector<std::string>{"a", "toolongaword", "b"}));
  EXPECT_TRUE(wrap("", 10).empty());
}

TEST(Wrap, CommandsStayPastable) {
  EXPECT_EQ(wrap_command("mlpac demo", 80), (std::vector<std::string>{"mlpac demo"}));
  EXPECT_EQ(wrap_command("mlpac train --lr 1 --out x", 20),
            (std::vector<std::string>{"mlpac train --lr 1 \\", "    --out x"}));
  // An option is not parted from its value, nor quoted text from itself.
  EXPECT_EQ(wrap_command("mlpac train --train 'a --b c' --out x", 18),
            (std::vector<std::string>{"mlpac train \\", "    --train 'a --b c' \\", "    --out x"}));
  EXPECT_EQ(wrap_command(R"(p "a \" --b" --c d\ --e)", 12),
            (std::vector<std::string>{R"(p "a \" --b" \)", R"(    --c d\ --e)"}));
  // The last part needs no room for a backslash.
  EXPECT_EQ(wrap_command("abc --de", 8), (std::vector<std::string>{"abc --de"}));
  EXPECT_EQ(wrap_command("abc --de --f", 9), (std::vector<std::string>{"abc \\", "    --de \\", "    --f"}));
}

TEST(Help, IsNoWiderThanATerminal) {
  expect_narrow(overview(kTestCommands, "10.20.30"));
  for (const auto& command : kTestCommands) {
    SCOPED_TRACE(command.name);
    expect_narrow(command_help(command, false));
    expect_narrow(command_help(command, true));
  }
  CommandHelp everything = kTestTrain;
  everything.options = ~0U;
  expect_narrow(command_help(everything, true));
}

TEST(Help, AllShowsEveryOptionOnce) {
  for (const auto& command : kTestCommands) {
    SCOPED_TRACE(command.name);
    auto names = explained(command_help(command, true));
    const auto expected = names_of_options(command.options);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, std::vector<std::string>(expected.begin(), expected.end()));
    EXPECT_EQ(command_help(command, true).find("--help-all"), std::string::npos);
  }
}

TEST(Help, OfALongCommandFitsOnAScreenAndSaysWhereTheRestIs) {
  const auto help = command_help(kTestTrain, false);
  EXPECT_LE(std::count(help.begin(), help.end(), '\n'), 40) << help;
  std::vector<std::string> common;
  for (const auto& entry : option_table()) {
    if ((entry.commands & kTrain) != 0 && entry.common) common.emplace_back(entry.name);
  }
  EXPECT_EQ(explained(help), common);
  for (const char* name : {"train", "labels", "method", "epochs", "out", "resume"}) {
    EXPECT_NE(std::find(common.begin(), common.end(), name), common.end()) << name;
  }
  const auto total = std::to_string(names_of_options(kTrain).size());
  EXPECT_TRUE(help.ends_with("\n\nmlpac train --help-all shows all " + total + " options\n")) << help;
}

TEST(Help, OfAShortCommandShowsEverything) {
  std::size_t shown = 0;
  for (const auto& command : kTestCommands) {
    const auto all = command_help(command, true);
    const auto some = command_help(command, false);
    if (some == all) {
      ++shown;
      continue;
    }
    // What does not fit a screen has at least what nobody can do without.
    EXPECT_GT(std::count(all.begin(), all.end(), '\n'), 36) << command.name;
    const bool packs = command.options == kPack;
    const auto* const needed = command.options == kTrain ? "--train PATH" : packs ? "--out PATH" : "--data PATH";
    EXPECT_NE(some.find(needed), std::string::npos) << command.name;
    EXPECT_LE(std::count(some.begin(), some.end(), '\n'), 40) << command.name;
  }
  EXPECT_GE(shown, 6U);
}

TEST(Help, ShowsUsageDefaultsChoicesAndExamples) {
  const auto help = command_help(kTestTrain, true);
  EXPECT_TRUE(help.starts_with("Usage: mlpac train [OPTIONS]\n\ntrain a model into a run folder\n\nData:\n")) << help;
  EXPECT_NE(help.find("  --optimizer TEXT          Adam with L2 decay, or AdamW (adam, adamw) [adamw]\n"),
            std::string::npos);
  EXPECT_NE(help.find("  --cumulative              keep proposals of earlier epochs\n"), std::string::npos);
  // A name that is too long for its column gets a line of its own.
  EXPECT_NE(help.find("  --decay-matrices-only true|false\n" + std::string(28, ' ') + "no weight decay"),
            std::string::npos);
  EXPECT_TRUE(
      help.ends_with("\nExamples:\n"
                     "  mlpac train --train data.arff --labels data.xml --out runs/first\n"
                     "  mlpac train --train data/train.arff --labels data/labels.xml \\\n"
                     "      --test data/test.arff --ratio 0.1 --out runs/ten\n"))
      << help;
  EXPECT_TRUE(command_help(kTestCommands[2], false).starts_with("Usage: mlpac evaluate RUN [OPTIONS]\n"));
}

TEST(Help, OfACommandWithoutOptions) {
  EXPECT_EQ(command_help({"list", "WHAT", "names", "mlpac list methods", 0}, false),
            "Usage: mlpac list WHAT\n\nnames\n\nExample:\n  mlpac list methods\n");
}

TEST(Help, OverviewNamesEveryCommandOnce) {
  const auto text = overview(kTestCommands, "1.2.3");
  EXPECT_TRUE(text.starts_with("mlpac 1.2.3: multi-label"));
  for (const auto& command : kTestCommands) {
    EXPECT_EQ(count_of(text, "\n  " + std::string(command.name) + " "), 1U) << command.name;
  }
  EXPECT_NE(text.find("\n  evaluate RUN   test a trained model on a completely labelled file\n"), std::string::npos);
  EXPECT_TRUE(text.ends_with("Start with: mlpac demo\n"));
}

TEST(Help, AcceptedValuesAreRangesOrChoices) {
  OptionEntry entry{"x", OptionKind::number, "", 0, 0.5, "", kTrain, false, "Group", "help"};
  EXPECT_EQ(accepted_values(entry), "0 to 0.5");
  entry.low = -1;
  entry.high = HUGE_VAL;
  EXPECT_EQ(accepted_values(entry), "at least -1");
  entry.kind = OptionKind::integer;
  entry.high = 9e15;
  EXPECT_EQ(accepted_values(entry), "at least -1");
  entry.high = 1e6;
  EXPECT_EQ(accepted_values(entry), "-1 to 1000000");
  entry.kind = OptionKind::text;
  EXPECT_EQ(accepted_values(entry), "");
  entry.choices = "a b";
  EXPECT_EQ(accepted_values(entry), "a, b");
}

}  // namespace
}  // namespace mlpac
