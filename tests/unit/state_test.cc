// Checkpoints: everything comes back bit for bit, and a damaged file is an Error, never a crash or a wrong tensor.
#include "train/state.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "core/file.h"
#include "enumeration.h"
#include "mlpac/error.h"
#include "nn/torch.h"

namespace mlpac {

namespace {

/// A file of this process that goes away with the test.
class StateTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(::testing::TempDir()) / (std::to_string(::getpid()) + info->name());
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::filesystem::path path_;
};

State make_state() {
  State state;
  const auto values = enumeration::draws({3, 5}, "state", -100, 100);
  for (const auto type : {at::kDouble, at::kFloat, at::kHalf, at::kBFloat16, at::kLong, at::kInt, at::kChar}) {
    state.tensors[std::string("policy.") + c10::toString(type)] = values.to(type);
  }
  state.tensors["critic.byte"] = values.abs().to(at::kByte);
  state.tensors["critic.bool"] = values > 0;
  state.tensors["critic.scalar"] = at::full({}, 2.5);
  state.tensors["critic.empty"] = at::empty({0, 7});
  state.values = {{"epoch", 3}, {"best", 0.1}, {"name", "über \"x\"\n"}, {"list", {1, 2, 3}}};
  return state;
}

TEST_F(StateTest, RoundTrip) {
  const auto state = make_state();
  save_state(path_, state);
  const auto back = load_state(path_);
  EXPECT_EQ(back.values, state.values);
  ASSERT_EQ(back.tensors.size(), state.tensors.size());
  for (const auto& [name, tensor] : state.tensors) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(back.tensors.contains(name));
    const auto& other = back.tensors.at(name);
    EXPECT_EQ(other.scalar_type(), tensor.scalar_type());
    EXPECT_EQ(other.sizes(), tensor.sizes());
    EXPECT_TRUE(at::equal(other, tensor));
  }
}

TEST_F(StateTest, StoresWhatAViewShows) {
  State state;
  const auto base = enumeration::draws({4, 6}, "view");
  state.tensors["transposed"] = base.t();
  state.tensors["column"] = base.select(1, 2).detach().requires_grad_();
  save_state(path_, state);
  const auto back = load_state(path_);
  EXPECT_TRUE(at::equal(back.tensors.at("transposed"), base.t()));
  EXPECT_TRUE(at::equal(back.tensors.at("column"), base.select(1, 2)));
}

TEST_F(StateTest, EmptyStateAndOverwriting) {
  save_state(path_, make_state());
  save_state(path_, {});
  const auto back = load_state(path_);
  EXPECT_TRUE(back.tensors.empty());
  EXPECT_TRUE(back.values.is_object() && back.values.empty());
}

TEST_F(StateTest, TensorsUnderAPrefix) {
  const auto part = make_state().tensors_under("critic.");
  EXPECT_EQ(part.size(), 4U);
  EXPECT_TRUE(part.contains("scalar"));
  EXPECT_TRUE(make_state().tensors_under("nobody.").empty());
}

TEST_F(StateTest, RefusesTypesItCannotStore) {
  State state;
  state.tensors["complex"] = at::zeros({2}, at::kComplexFloat);
  EXPECT_THROW(save_state(path_, state), Error);
}

TEST_F(StateTest, DamagedFiles) {
  save_state(path_, make_state());
  const auto good = read_file(path_);
  const auto expect_error = [&](const std::string& content, const std::string& what) {
    write_file_atomically(path_, content);
    EXPECT_THROW(load_state(path_), Error) << what;
  };
  EXPECT_THROW(load_state(path_ / "nowhere"), Error);
  expect_error("", "empty");
  expect_error(good.substr(0, 5), "no complete length");
  expect_error(good.substr(0, 60), "no complete header");
  expect_error(good.substr(0, good.size() - 1), "last byte missing");
  auto huge = good;
  huge.replace(0, 8, std::string(8, '\x7f'));
  expect_error(huge, "header longer than the file");
  auto broken = good;
  broken[9] = '}';
  expect_error(broken, "header is no JSON");
  auto type = good;
  type.replace(type.find("\"F32\""), 5, "\"F3x\"");
  expect_error(type, "unknown type");
  auto values = good;
  values.replace(values.find("epoch") - 2, 2, "]]");
  expect_error(values, "values are no JSON");
}

}  // namespace

}  // namespace mlpac
