// The one option table. Parsing, help, config files, the stored configuration of a run and the documentation are all
// made from it. Order of precedence: table < task and method defaults < ablation < config file < command line.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mlpac {

enum class OptionKind { text, path, integer, number, flag };

/// Commands an option belongs to, as bits.
enum OptionCommand : unsigned {
  kTrain = 1,
  kEvaluate = 2,
  kPredict = 4,
  kDemo = 8,
  kGenerate = 16,
  kHide = 32,
  kInfo = 64,
  kSuggest = 128,
  kReview = 256,
  kReport = 512,
  kExperiment = 1024,
  kPack = 2048,
};

struct OptionEntry {
  std::string_view name;  ///< long name without dashes
  OptionKind kind;
  std::string_view fallback;  ///< default as text; empty: not set
  double low;                 ///< smallest and largest number allowed (numbers and integers)
  double high;
  std::string_view choices;  ///< names separated by spaces, or empty: anything
  unsigned commands;
  bool runtime;  ///< does not change the result: may differ when a run is resumed, and is not stored with it
  std::string_view group;
  std::string_view help;
  bool common = false;   ///< shown by --help; the others of a long list only by --help-all
  bool repeats = false;  ///< may be given several times: the values are lines of the text
};

std::span<const OptionEntry> option_table();

/// Option name and value as text; the form of task, method and ablation defaults.
using OptionDefault = std::pair<std::string_view, std::string_view>;

enum class OptionSource { table, method, ablation, config, command_line };

/// Values of all options, checked when they are set. Flags and numbers are stored in one spelling ("1e-3" as "0.001"),
/// so that equal values have equal texts. Getters throw std::logic_error for a name that is not in the table: that is a
/// mistake in the program, not in its use.
class Options {
 public:
  Options();

  /// Sets a value given by the user; UsageError for an unknown name, a wrong type or a value out of range.
  void set(std::string_view name, std::string_view value, OptionSource source = OptionSource::command_line);
  /// Sets values that nothing stronger has set.
  void set_defaults(std::span<const OptionDefault> defaults, OptionSource source);

  bool has(std::string_view name) const;  ///< set to something that is not empty
  OptionSource source(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  double number(std::string_view name) const;
  bool flag(std::string_view name) const;
  std::vector<std::int64_t> integers(std::string_view name) const;  ///< comma-separated
  std::vector<std::string> words(std::string_view name) const;      ///< comma-separated

  /// The values of the options of a command, grouped and commented, as TOML that `--config` reads back.
  std::string to_toml(unsigned command) const;

 private:
  struct Value {
    std::string text;
    OptionSource source = OptionSource::table;
  };
  const Value& value(std::string_view name) const;
  std::map<std::string, Value, std::less<>> values_;
};

}  // namespace mlpac
