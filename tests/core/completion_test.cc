// The script is sourced in bash and asked as readline would ask it.
#include "core/completion.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "core/wrap.h"
#include "help_commands.h"
#include "help_process.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

using Strings = std::vector<std::string>;

std::string quoted(const std::string& word) { return "'" + word + "'"; }

class Completion : public testing::Test {
 protected:
  Completion() {
    CompletionNames names;
    names.options["method"] = {"mlpac", "negative", "neg-weight"};
    names.options["mask"] = {"from", "caller"};  // a list of the caller goes before the table's choices
    names.words["list"] = {"methods", "tasks", "networks"};
    write_text(folder_ / "completion.bash", bash_completion(kTestCommands, names));
    std::filesystem::create_directories(folder_ / "place/runs one");
    std::filesystem::create_directories(folder_ / "place/runs two");
    write_text(folder_ / "place/rows *.arff", "");
    write_text(folder_ / "place/test.arff", "");
  }

  std::string bash(const std::string& commands) const {
    write_text(folder_ / "ask.bash", "set -u\nsource ../completion.bash\n" + commands);
    const auto place = (folder_ / "place").string();
    return run_process("cd " + quoted(place) + " && bash --norc --noprofile ../ask.bash 2>&1").output;
  }

  /// What is offered when the last of the words is being typed, sorted.
  Strings offers(const Strings& words) const {
    std::string line;
    for (const auto& word : words) line += quoted(word) + ' ';
    const auto output = bash("COMP_WORDS=(" + line + ")\nCOMP_CWORD=" + std::to_string(words.size() - 1) +
                             "\n_mlpac\nfor reply in ${COMPREPLY[@]+\"${COMPREPLY[@]}\"}; do echo \"$reply\"; done\n");
    Strings result;
    for (const auto reply : split_words(output, '\n')) result.emplace_back(reply);
    std::sort(result.begin(), result.end());
    return result;
  }

  TemporaryFolder folder_;
};

Strings with_help(unsigned commands) {
  Strings result{"--help", "--help-all"};
  for (const auto& name : names_of_options(commands)) result.push_back("--" + name);
  std::sort(result.begin(), result.end());
  return result;
}

TEST_F(Completion, IsRegisteredAndSilent) { EXPECT_EQ(bash("complete -p mlpac\n"), "complete -F _mlpac mlpac\n"); }

TEST_F(Completion, OffersCommands) {
  EXPECT_EQ(offers({"mlpac", ""}),
            (Strings{"--help", "--version", "demo", "evaluate", "experiment", "generate", "help", "hide", "info",
                     "list", "pack", "predict", "report", "review", "suggest", "train"}));
  EXPECT_EQ(offers({"mlpac", "tr"}), Strings{"train"});
  EXPECT_EQ(offers({"mlpac", "x"}), Strings{});
}

TEST_F(Completion, OffersTheOptionsOfACommand) {
  for (const auto& command : kTestCommands) {
    if (command.options == 0) continue;
    EXPECT_EQ(offers({"mlpac", std::string(command.name), "-"}), with_help(command.options)) << command.name;
  }
  EXPECT_EQ(offers({"mlpac", "list", "-"}), Strings{"--help"});
  EXPECT_EQ(offers({"mlpac", "train", "--rat"}), Strings{"--ratio"});
  EXPECT_EQ(offers({"mlpac", "predict", "--rat"}), Strings{});
  EXPECT_EQ(offers({"mlpac", "train", "--resume", "--rat"}), Strings{"--ratio"});  // a switch takes no value
  EXPECT_EQ(offers({"mlpac", "train", ""}), with_help(kTrain));                    // no words: options at once
  EXPECT_EQ(offers({"mlpac", "unknown", "-"}), Strings{});
}

TEST_F(Completion, OffersChoicesNamesAndTruthValues) {
  EXPECT_EQ(offers({"mlpac", "train", "--optimizer", ""}), (Strings{"adam", "adamw"}));
  EXPECT_EQ(offers({"mlpac", "train", "--method", ""}), (Strings{"mlpac", "neg-weight", "negative"}));
  EXPECT_EQ(offers({"mlpac", "train", "--method", "ml"}), Strings{"mlpac"});
  EXPECT_EQ(offers({"mlpac", "train", "--mask", ""}), (Strings{"caller", "from"}));
  EXPECT_EQ(offers({"mlpac", "train", "--local", ""}), (Strings{"false", "true"}));
  EXPECT_EQ(offers({"mlpac", "train", "--epochs", ""}), Strings{});
  EXPECT_EQ(offers({"mlpac", "train", "--epochs", "-"}), Strings{});
}

TEST_F(Completion, CompletesAfterAnEqualsSign) {
  EXPECT_EQ(offers({"mlpac", "train", "--optimizer", "="}), (Strings{"adam", "adamw"}));
  EXPECT_EQ(offers({"mlpac", "train", "--optimizer", "=", "adamw"}), Strings{"adamw"});
  EXPECT_EQ(offers({"mlpac", "train", "--optimizer", "=", "adam", "--rat"}), Strings{"--ratio"});
}

TEST_F(Completion, OffersFilesForPathsAndFoldersForRuns) {
  const Strings everything{"rows *.arff", "runs one", "runs two", "test.arff"};
  EXPECT_EQ(offers({"mlpac", "train", "--train", ""}), everything);
  EXPECT_EQ(offers({"mlpac", "train", "--train", "ro"}), Strings{"rows *.arff"});
  EXPECT_EQ(offers({"mlpac", "train", "--train", "=", "te"}), Strings{"test.arff"});
  EXPECT_EQ(offers({"mlpac", "evaluate", ""}), (Strings{"runs one", "runs two"}));
  EXPECT_EQ(offers({"mlpac", "predict", "--quiet", "r"}), (Strings{"runs one", "runs two"}));
  EXPECT_EQ(offers({"mlpac", "info", ""}), everything);
  EXPECT_EQ(offers({"mlpac", "evaluate", "runs one", "--data", "t"}), Strings{"test.arff"});
}

TEST_F(Completion, OffersTheWordsOfACommand) {
  EXPECT_EQ(offers({"mlpac", "list", ""}), (Strings{"methods", "networks", "tasks"}));
  EXPECT_EQ(offers({"mlpac", "list", "me"}), Strings{"methods"});
}

TEST_F(Completion, AnOptionOfAnotherCommandIsNoOptionHere) {
  // --method belongs to train: in evaluate the next word is a run.
  EXPECT_EQ(offers({"mlpac", "evaluate", "--method", ""}), (Strings{"runs one", "runs two"}));
}

TEST_F(Completion, NamesAreNotExpandedByTheShell) {
  CompletionNames names;
  names.words["list"] = {"$(echo>made)", "it's"};
  write_text(folder_ / "completion.bash", bash_completion(kTestCommands, names));
  EXPECT_EQ(offers({"mlpac", "list", ""}), (Strings{"$(echo>made)", "it's"}));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "place/made"));
}

}  // namespace
}  // namespace mlpac
