// The commands of the program: one file and one line of the table each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/help.h"
#include "mlpac/options.h"

namespace mlpac::cli {

/// What a command gets: its options and the words without dashes.
struct Call {
  Options options;
  std::vector<std::string> words;
};

struct Command {
  std::string_view name;
  std::string_view words;  ///< positional arguments as the usage line shows them
  std::string_view summary;
  std::string_view example;  ///< shown at the end of the help, one per line; must work when pasted
  unsigned options;          ///< bits of OptionCommand
  int (*run)(Call& call);    ///< the exit code
};

/// The commands as help, documentation and completion see them.
std::vector<CommandHelp> command_helps();

int run_demo(Call& call);
int run_train(Call& call);
int run_evaluate(Call& call);
int run_predict(Call& call);
int run_suggest(Call& call);
int run_review(Call& call);
int run_generate(Call& call);
int run_hide(Call& call);
int run_pack(Call& call);
int run_report(Call& call);
int run_experiment(Call& call);
int run_list(Call& call);
int run_info(Call& call);
int run_docs(Call& call);

/// What `mlpac list` knows.
std::vector<std::string> listing_names();

/// Parses argv and runs the command; prints help and usage errors.
int dispatch(int argc, char** argv);
/// The call that these arguments of a command make; UsageError where they are none.
Call parse_call(std::string_view command, const std::vector<std::string>& arguments);

/// Sets options from a TOML file (a run's config.toml has this form).
void read_config(Options& options, const std::string& file, OptionSource source);
/// The same from the content of the file.
void read_config(Options& options, const std::string& file, const std::string& content, OptionSource source);

/// The options of a TOML file, and over them what is given here.
Options over_file(const Options& given, const std::string& file);
Options over_config(const Options& given, const std::string& file, const std::string& content);

/// The word at `index`, or UsageError that says what it is.
const std::string& word(const Call& call, std::size_t index, std::string_view what);

/// Prints text to stdout, or writes it to --out; Error if stdout is full or closed.
void print_result(std::string_view text);

}  // namespace mlpac::cli
