#include "core/names.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "mlpac/choice.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

const std::vector<std::string> kNames{"mlpac", "negative", "pos-weight", "neg-weight", "self-training", "supervised"};

TEST(NearestName, FindsTyposOfEveryKind) {
  EXPECT_EQ(nearest_name("negatve", kNames), "negative");    // a letter left out
  EXPECT_EQ(nearest_name("neggative", kNames), "negative");  // one too many
  EXPECT_EQ(nearest_name("mlpax", kNames), "mlpac");         // a wrong one
  EXPECT_EQ(nearest_name("self_training", kNames), "self-training");
  EXPECT_EQ(nearest_name("supervized", kNames), "supervised");
  EXPECT_EQ(nearest_name("Mlpac", kNames), "mlpac");
}

TEST(NearestName, TheClosestOfSeveralWins) {
  EXPECT_EQ(nearest_name("po-weight", kNames), "pos-weight");
  EXPECT_EQ(nearest_name("neg-weigh", kNames), "neg-weight");
  EXPECT_EQ(nearest_name("a", {"ab", "a"}), "a");
}

TEST(NearestName, IsSilentWhenNothingIsClose) {
  EXPECT_EQ(nearest_name("transformer", kNames), "");
  EXPECT_EQ(nearest_name("", {"negative"}), "");
  EXPECT_EQ(nearest_name("negative", {}), "");
}

TEST(NearestName, ToleranceGrowsWithTheLength) {
  EXPECT_EQ(nearest_name("abc", {"xyz"}), "");  // three letters, three errors: not a typo
  EXPECT_EQ(nearest_name("checkpoint-sec", {"checkpoint-seconds"}), "checkpoint-seconds");
}

TEST(UnknownName, MessageHasTheNameTheHintAndTheChoices) {
  try {
    throw_unknown_name("method", "negatve", kNames);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string_view(error.what()),
              "unknown method 'negatve'; did you mean 'negative'? (one of: mlpac, negative, pos-weight, neg-weight, "
              "self-training, supervised)");
  }
}

TEST(UnknownName, WithoutAHintTheChoicesRemain) {
  try {
    throw_unknown_name("method", "qqqqqqqq", {"a", "b"});
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_EQ(std::string_view(error.what()), "unknown method 'qqqqqqqq' (one of: a, b)");
  }
}

TEST(IndexOf, FindsEntriesAndRefusesOthers) {
  constexpr std::array<NamedChoice, 3> kTable{{{"one", "1"}, {"two", "2"}, {"three", "3"}}};
  for (std::size_t i = 0; i < kTable.size(); ++i) EXPECT_EQ(index_of(kTable[i].name, kTable, "number"), i);
  EXPECT_THROW(index_of("four", kTable, "number"), UsageError);
  EXPECT_THROW(index_of("", kTable, "number"), UsageError);
  EXPECT_THROW(index_of("ONE", kTable, "number"), UsageError);  // names are exact: configurations must compare equal
}

}  // namespace
}  // namespace mlpac
