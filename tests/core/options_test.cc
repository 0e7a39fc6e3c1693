// The option table is what help, config files and stored configurations are made from, so a slip in it shows
// everywhere.
#include "mlpac/options.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <iomanip>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "mlpac/error.h"

namespace mlpac {
namespace {

std::string message_of(std::string_view name, std::string_view value) {
  Options options;
  try {
    options.set(name, value);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

std::vector<std::string> words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

/// Lines of the form `name = value`, without comments.
std::vector<std::pair<std::string, std::string>> assignments(const std::string& toml) {
  std::vector<std::pair<std::string, std::string>> result;
  std::istringstream stream(toml);
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line[0] == '#') continue;
    const auto at = line.find(" = ");
    EXPECT_NE(at, std::string::npos) << line;
    if (at != std::string::npos) result.emplace_back(line.substr(0, at), line.substr(at + 3));
  }
  return result;
}

TEST(OptionTable, NamesAreUniqueAndSpeakable) {
  std::set<std::string_view> seen;
  for (const auto& entry : option_table()) {
    SCOPED_TRACE(entry.name);
    EXPECT_TRUE(seen.insert(entry.name).second) << "named twice";
    EXPECT_FALSE(entry.name.empty());
    EXPECT_EQ(entry.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"), std::string_view::npos);
    EXPECT_NE(entry.name.front(), '-');
  }
}

TEST(OptionTable, EveryEntryIsDocumentedAndBelongsSomewhere) {
  for (const auto& entry : option_table()) {
    SCOPED_TRACE(entry.name);
    EXPECT_GT(entry.help.size(), 5U);
    EXPECT_FALSE(entry.help.ends_with('.'));  // the help prints defaults and ranges behind the text
    EXPECT_FALSE(entry.group.empty());
    EXPECT_NE(entry.commands, 0U);
    EXPECT_LT(entry.commands, 2U * kPack);
  }
}

TEST(OptionTable, GroupsAreContiguous) {
  // A group that comes back would be printed as two headings.
  std::set<std::string_view> finished;
  std::string_view current;
  for (const auto& entry : option_table()) {
    if (entry.group == current) continue;
    EXPECT_TRUE(finished.insert(entry.group).second) << entry.group << " is continued at " << entry.name;
    current = entry.group;
  }
}

TEST(OptionTable, DefaultsAreValidValues) {
  for (const auto& entry : option_table()) {
    SCOPED_TRACE(entry.name);
    Options options;
    if (!entry.fallback.empty()) {
      EXPECT_NO_THROW(options.set(entry.name, entry.fallback));
    }
    EXPECT_EQ(Options().text(entry.name), entry.fallback);
    EXPECT_EQ(Options().has(entry.name), !entry.fallback.empty());
    EXPECT_EQ(Options().source(entry.name), OptionSource::table);
    if (entry.kind == OptionKind::flag) {
      EXPECT_TRUE(entry.fallback == "true" || entry.fallback == "false");
    }
    if (entry.kind == OptionKind::number || entry.kind == OptionKind::integer) {
      EXPECT_LT(entry.low, entry.high);
    }
  }
}

TEST(OptionTable, RangesAndTypesAreEnforced) {
  for (const auto& entry : option_table()) {
    SCOPED_TRACE(entry.name);
    Options options;
    const auto refuse = [&](const std::string& value) {
      EXPECT_THROW(options.set(entry.name, value), UsageError) << value;
      EXPECT_EQ(options.text(entry.name), entry.fallback) << "a refused value must change nothing";
    };
    if (entry.kind == OptionKind::flag) {
      for (const char* value : {"maybe", "2", "TRUE "}) refuse(value);
    } else if (entry.kind == OptionKind::number || entry.kind == OptionKind::integer) {
      for (const char* value : {"x", "1x", " 1", "1 ", "nan", "inf", "-inf", "0x10", "1,5", "--1"}) refuse(value);
      refuse(std::to_string(static_cast<long long>(entry.low) - 1));
      if (std::isfinite(entry.high)) refuse("1e300");
      if (entry.kind == OptionKind::integer) {
        refuse("1.5");
        refuse("99999999999999999999");
      }
    } else if (!entry.choices.empty()) {
      refuse("nothing-like-that");
      for (const auto& choice : words(entry.choices)) EXPECT_NO_THROW(options.set(entry.name, choice));
    }
    if (!entry.fallback.empty() && entry.choices.empty()) refuse("");
  }
}

TEST(Options, GettersReturnWhatWasSet) {
  Options options;
  options.set("lr", "0.25");
  options.set("epochs", "7");
  options.set("out", "/tmp/a b");
  options.set("widths", "16,8,4");
  EXPECT_EQ(options.number("lr"), 0.25);
  EXPECT_EQ(options.integer("epochs"), 7);
  EXPECT_EQ(options.text("out"), "/tmp/a b");
  EXPECT_EQ(options.integers("widths"), (std::vector<std::int64_t>{16, 8, 4}));
  EXPECT_EQ(options.source("lr"), OptionSource::command_line);
  for (const char* yes : {"true", "on", "yes", "1"}) {
    options.set("cumulative", yes);
    EXPECT_TRUE(options.flag("cumulative"));
    EXPECT_EQ(options.text("cumulative"), "true");  // one spelling, so that stored configurations compare equal
  }
  for (const char* no : {"false", "off", "no", "0"}) {
    options.set("cumulative", no);
    EXPECT_FALSE(options.flag("cumulative"));
  }
}

TEST(Options, ANumberHasOneSpelling) {
  // Otherwise a run could not be resumed with --lr 1e-3 after it was started with --lr 0.001.
  const auto stored = [](std::string_view name, std::string_view value) {
    Options options;
    options.set(name, value);
    return options.text(name);
  };
  for (const char* value : {"0.1", "0.10", "1e-1", "1E-01", ".1", "+0.1", "00.1", "0.1000000000000000055"}) {
    EXPECT_EQ(stored("lr", value), "0.1") << value;
  }
  for (const char* value : {"0.001", "1e-3", "10e-4", "1.0e-03"}) EXPECT_EQ(stored("lr", value), "0.001") << value;
  for (const char* value : {"1", "1.0", "1.", "+1", "1e0", "1e+0", "001"}) EXPECT_EQ(stored("lr", value), "1") << value;
  for (const char* value : {"0", "-0", "0.0", "-0.0", "0e5"}) EXPECT_EQ(stored("lr", value), "0") << value;
  for (const char* value : {"1e-8", "1e-08", "0.00000001"}) EXPECT_EQ(stored("eps", value), "1e-8") << value;
  for (const char* value : {"1e20", "1e+20", "100000000000000000000"})
    EXPECT_EQ(stored("clip", value), "1e20") << value;
  for (const char* value : {"7", "007", "+7"}) EXPECT_EQ(stored("epochs", value), "7") << value;
  for (const char* value : {"0", "-0", "00", "+0"}) EXPECT_EQ(stored("seed", value), "0") << value;
  EXPECT_EQ(stored("checkpoint-seconds", "-1.0"), "-1");
  EXPECT_EQ(stored("seed", "9000000000000000"), "9000000000000000");
  for (const char* value : {"+", "+-1", "++1", "-", "e3", "1e", "+inf", "1e+", ""}) {
    EXPECT_THROW(stored("lr", value), UsageError) << value;
  }
  EXPECT_EQ(stored("w", "0.10"), "0.10");  // text stays as it was typed
}

TEST(Options, NumbersSurviveBeingStored) {
  Options options;
  Options again;
  const std::array<double, 10> values{0.1 + 0.2, 1.0 / 3.0, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308,
                                      1e16,      1e15,      1e-5,   123456789.12345678,      0.1};
  for (const double value : values) {
    std::ostringstream text;
    text << std::setprecision(17) << value;
    options.set("clip", text.str());
    EXPECT_EQ(options.number("clip"), value) << text.str();
    again.set("clip", options.text("clip"));
    EXPECT_EQ(again.text("clip"), options.text("clip"));
    EXPECT_EQ(again.number("clip"), value);
  }
}

TEST(OptionTable, DefaultsAreSpelledAsTheyAreStored) {
  // A default and the same value given by the user must be equal.
  for (const auto& entry : option_table()) {
    Options options;
    if (entry.fallback.empty()) continue;
    options.set(entry.name, entry.fallback);
    EXPECT_EQ(options.text(entry.name), entry.fallback) << entry.name;
  }
}

TEST(Options, AnOptionWithoutDefaultCanBeEmptied) {
  Options options;
  EXPECT_FALSE(options.has("ratio"));
  EXPECT_THROW(options.number("ratio"), UsageError);
  options.set("ratio", "0.5");
  EXPECT_TRUE(options.has("ratio"));
  options.set("ratio", "");
  EXPECT_FALSE(options.has("ratio"));
}

TEST(Options, ListsOfNumbersAreChecked) {
  Options options;
  options.set("widths", "16,x");
  EXPECT_THROW(options.integers("widths"), UsageError);
  options.set("widths", "16,,8");
  EXPECT_EQ(options.integers("widths"), (std::vector<std::int64_t>{16, 8}));
}

TEST(Options, MessagesNameTheOptionTheRangeAndTheNearestName) {
  EXPECT_EQ(message_of("dropout", "2"), "--dropout: expected a number from 0 to 0.95, got '2'");
  EXPECT_EQ(message_of("epochs", "1.5"), "--epochs: expected a whole number from 1 to 1000000, got '1.5'");
  EXPECT_NE(message_of("epoch", "3").find("did you mean 'epochs'?"), std::string::npos);
  EXPECT_NE(message_of("estimator", "exct").find("did you mean 'exact'?"), std::string::npos);
  EXPECT_NE(message_of("zzzzzzzzzz", "3").find("--help"), std::string::npos);
}

TEST(Options, AskingForAnOptionThatDoesNotExistIsAMistakeOfTheProgram) {
  const Options options;
  EXPECT_THROW(options.text("nope"), std::logic_error);
  EXPECT_THROW(options.has("nope"), std::logic_error);
}

TEST(Options, StrongerSourcesWin) {
  static constexpr std::array kSources{OptionSource::method, OptionSource::ablation, OptionSource::config,
                                       OptionSource::command_line};
  const auto text_of = [](OptionSource source) { return std::to_string(static_cast<int>(source) + 10); };
  // Whatever the order in which defaults arrive, the strongest one stays.
  for (const auto first : kSources) {
    for (const auto second : kSources) {
      Options options;
      options.set("rows", text_of(first), first);
      const auto text = text_of(second);
      const std::array<OptionDefault, 1> defaults{{{"rows", text}}};
      options.set_defaults(defaults, second);
      const auto expected = second > first ? second : first;
      EXPECT_EQ(options.text("rows"), text_of(expected));
      EXPECT_EQ(options.source("rows"), expected);
    }
  }
  Options options;
  const std::array<OptionDefault, 1> unknown{{{"nope", "1"}}};
  EXPECT_THROW(options.set_defaults(unknown, OptionSource::method), std::logic_error);
}

TEST(Options, SettingTheDefaultExplicitlyStillCountsAsSet) {
  // Otherwise an ablation could overrule a user who asked for the default.
  Options options;
  options.set("rho", "0.4", OptionSource::config);
  const std::array<OptionDefault, 1> ablation{{{"rho", "1"}}};
  options.set_defaults(ablation, OptionSource::ablation);
  EXPECT_EQ(options.number("rho"), 0.4);
}

TEST(Options, TomlHoldsExactlyWhatIsSetAndBelongsToTheResult) {
  Options options;
  options.set("out", "/tmp/run");
  options.set("quiet", "true");
  options.set("train", "a.arff");
  options.set("ratio", "0.1");
  for (const unsigned command : {unsigned{kTrain}, unsigned{kDemo}, unsigned{kGenerate}, unsigned{kEvaluate}}) {
    std::set<std::string> expected;
    for (const auto& entry : option_table()) {
      if ((entry.commands & command) != 0 && !entry.runtime && options.has(entry.name)) expected.emplace(entry.name);
    }
    std::set<std::string> found;
    for (const auto& [name, value] : assignments(options.to_toml(command))) {
      EXPECT_TRUE(found.insert(name).second) << name;
      EXPECT_EQ(value.starts_with('"') ? value.substr(1, value.size() - 2) : value, options.text(name));
    }
    EXPECT_EQ(found, expected);
  }
  const auto toml = options.to_toml(kTrain);
  EXPECT_EQ(toml.find("/tmp/run"), std::string::npos);
  EXPECT_NE(toml.find("train = \"a.arff\""), std::string::npos);
  EXPECT_NE(toml.find("ratio = 0.1\n"), std::string::npos);
  EXPECT_NE(toml.find("local = true\n"), std::string::npos);
}

TEST(Options, TomlEscapesText) {
  Options options;
  options.set("train", R"(a "b" \c.arff)");
  EXPECT_NE(options.to_toml(kTrain).find(R"(train = "a \"b\" \\c.arff")"), std::string::npos);
}

}  // namespace
}  // namespace mlpac
