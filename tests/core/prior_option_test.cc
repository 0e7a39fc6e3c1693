// --prior in all its forms, and messages for those it does not have.
#include "priors/prior_option.h"

#include <gtest/gtest.h>

#include "mlpac/error.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

Labels labels_of(const std::vector<std::vector<std::int32_t>>& rows) {
  Labels labels(3);
  for (const auto& row : rows) {
    std::vector<LabelEntry> entries;
    for (const std::int32_t column : row) entries.push_back({column, kAnnotated});
    labels.append(entries);
  }
  return labels;
}

class PriorOption : public ::testing::Test {
 protected:
  std::vector<double> resolve(const std::string& text, bool experiment = false) const {
    Options options;
    if (!text.empty()) options.set("prior", text);
    return resolve_prior(options,
                         {annotated_, experiment ? &truth_ : nullptr, experiment ? &view_ : nullptr, names_, rows_});
  }
  std::string refusal(const std::string& text) const {
    try {
      resolve(text);
    } catch (const Error& error) {
      return error.what();
    }
    return "accepted";
  }

  Labels annotated_ = labels_of({{0}, {0, 1}, {}, {2}, {}});
  Labels truth_ = labels_of({{0}, {0, 1}, {0}, {1, 2}, {2}});
  FeatureMatrix features_{1, {0, 1, 2, 3, 4, 5}, {0, 0, 0, 0, 0}, {1, 2, 3, 4, 5}};
  FeatureView view_{features_};
  std::vector<std::string> names_{"red", "green, dark", "blue"};
  std::vector<std::int64_t> rows_{0, 1, 2, 3};  // the last row is not trained on
};

TEST_F(PriorOption, Forms) {
  using V = std::vector<double>;
  EXPECT_EQ(resolve(""), V());
  EXPECT_EQ(resolve("counting"), (V{0.5, 0.25, 0.25}));
  EXPECT_EQ(resolve("multiple:1.5"), (V{0.75, 0.375, 0.375}));
  EXPECT_EQ(resolve("multiple:3"), (V{1, 0.75, 0.75}));
  EXPECT_EQ(resolve("0.3"), (V{0.5, 0.3, 0.3})) << "never less than the annotated share";
  EXPECT_EQ(resolve("true", true), (V{0.75, 0.5, 0.25}));
  EXPECT_EQ(resolve("estimate", true), resolve("estimate:best-bin", true));
  EXPECT_EQ(resolve("estimate:tice", true).size(), 3U);
}

TEST_F(PriorOption, DefaultThatTheDataCannotMeet) {
  Options options;
  options.set("prior", "estimate", OptionSource::method);
  const PriorSources no_features{annotated_, nullptr, nullptr, names_, rows_};
  EXPECT_THROW(resolve_prior(options, no_features), UsageError);
  options.set("expected-positives", "1.5");
  EXPECT_TRUE(resolve_prior(options, no_features).empty()) << "the method was told what it needs";
  options.set("prior", "estimate");
  EXPECT_THROW(resolve_prior(options, no_features), UsageError) << "asked for on the command line";
}

TEST_F(PriorOption, Files) {
  const TemporaryFolder folder;
  const auto by_order = folder / "order.txt";
  write_text(by_order, "0.6\n\n 0.5\n1\n");
  EXPECT_EQ(resolve(by_order.string()), (std::vector<double>{0.6, 0.5, 1}));
  const auto by_name = folder / "names.csv";
  write_text(by_name, "blue,0.3\r\n\"green, dark\", 0.4\r\nred,.9\r\n");
  EXPECT_EQ(resolve(by_name.string()), (std::vector<double>{0.9, 0.4, 0.3}));
  const std::vector<std::pair<std::string, std::string>> bad{
      {"0.6\n0.5\n", ":2: 2 of 3 priors are here; that of 'blue' is missing"},
      {"0.6\n0.5\n1\n1\n", ":4: more lines than the 3 labels"},
      {"0.6\n1.5\n1\n", ":2: expected a share from 0 to 1, got '1.5'"},
      {"0.6\nnan\n1\n", ":2: expected a share"},
      {"red,0.6\n0.5\n", ":2: some lines have a name and some do not"},
      {"red,0.6\nblu,0.5\n", ":2: 'blu' is none of the 3 labels; did you mean 'blue'?"},
      {"red,0.6\nred,0.5\n", ":2: 'red' has a prior already"},
      {"red,\n", ":1: expected a share from 0 to 1, got ''"},
      {"", ":1: 0 of 3 priors are here; that of 'red' is missing"},
  };
  for (const auto& [text, message] : bad) {
    const auto path = folder / "bad.csv";
    write_text(path, text);
    const auto answer = refusal(path.string());
    EXPECT_NE(answer.find(path.string() + message), std::string::npos) << answer;
  }
}

TEST_F(PriorOption, WrongValuesAreUsageErrors) {
  for (const char* value : {"1.5", "-0.1", "nan", "multiple:", "multiple:0.5", "multiple:x", "estimates",
                            "estimate:", "estimate:nothing", "no/such/file", "true", "estimate"}) {
    EXPECT_THROW(resolve(value), UsageError) << value;
    EXPECT_NE(refusal(value).find(std::string(value).starts_with("estimate:") ? "prior estimator" : "--prior"),
              std::string::npos)
        << refusal(value);
  }
}

}  // namespace
}  // namespace mlpac
