// Runs every case of an index that the program covers, and checks that the checker can fail.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <exception>
#include <set>

#include "golden_case.h"
#include "nn/torch.h"

namespace mlpac::golden {

namespace {

/// A case with its failures; whatever a handler throws is one of them.
GoldenCase run_case(const GoldenFolder& folder, const nlohmann::json& entry, const std::string& perturb = {},
                    at::Device device = at::kCPU) {
  GoldenCase test(folder, entry, perturb, device);
  try {
    find_handler(entry)->run(test);
  } catch (const std::exception& error) {
    test.require(false, std::string("stopped: ") + error.what());
  }
  test.finish();
  return test;
}

TEST(Golden, EveryCoveredCase) {
  const GoldenFolder folder(golden_folder());
  int ran = 0;
  std::vector<std::string> skipped;
  std::vector<std::string> excluded;
  for (const auto& entry : folder.cases()) {
    const std::string id = entry.at("id");
    if (find_handler(entry) == nullptr) {
      skipped.push_back(fmt::format("  skipped {} ({})", id, skip_reason(entry)));
      continue;
    }
    SCOPED_TRACE(id);
    const auto test = run_case(folder, entry);
    for (const auto& failure : test.failures()) ADD_FAILURE() << failure;
    for (const auto& reason : test.exclusions()) excluded.push_back(fmt::format("  left out {}.{}", id, reason));
    ++ran;
  }
  fmt::print("golden: {} ran, {} skipped (folder {})\n", ran, skipped.size(), folder.path().string());
  for (const auto& line : skipped) fmt::print("{}\n", line);
  for (const auto& line : excluded) fmt::print("{}\n", line);
  EXPECT_GT(ran, 0);
}

// The same numbers from a GPU, in float32: no TensorFloat-32, which rounds factors to ten bits.
TEST(Golden, EveryCaseOfTensorsOnAGpu) {
  if (!torch::cuda::is_available()) GTEST_SKIP() << "no CUDA device";
  at::globalContext().setAllowTF32CuBLAS(false);
  at::globalContext().setAllowTF32CuDNN(false);
  const GoldenFolder folder(golden_folder());
  int ran = 0;
  for (const auto& entry : folder.cases()) {
    const auto* const handler = find_handler(entry);
    if (handler == nullptr || !handler->on_gpu) continue;
    SCOPED_TRACE(entry.at("id").get<std::string>());
    const auto test = run_case(folder, entry, {}, at::kCUDA);
    for (const auto& failure : test.failures()) ADD_FAILURE() << failure;
    ++ran;
  }
  fmt::print("golden on the GPU: {} ran\n", ran);
  EXPECT_GT(ran, 0);
}

// Neither a family without a case nor a case without a check in the folder that comes with the program, and no family
// of the chosen folder that the program knows is left out there.
TEST(Golden, FamiliesAndChecksMatch) {
  const GoldenFolder own(std::filesystem::path(MLPAC_SOURCE_DIR) / "tests" / "golden");
  std::set<const Handler*> used;
  for (const auto& entry : own.cases()) {
    EXPECT_NE(find_handler(entry), nullptr) << entry.at("id");
    used.insert(find_handler(entry));
  }
  for (const auto& handler : handlers()) {
    EXPECT_TRUE(handler.on_documents || used.contains(&handler)) << handler.group << " " << handler.prefix;
  }

  const GoldenFolder folder(golden_folder());
  for (const auto& handler : handlers()) {
    int held = 0;
    int ran = 0;
    for (const auto& entry : folder.cases()) {
      if (entry.at("group") != handler.group || !entry.at("id").get<std::string>().starts_with(handler.prefix))
        continue;
      const auto* const found = find_handler(entry);  // of several prefixes that fit the first counts
      if (found != nullptr && found != &handler) continue;
      if (handler.on_documents && !documents_at_hand()) continue;
      ++held;
      ran += found == &handler ? 1 : 0;
    }
    EXPECT_EQ(ran, held) << handler.prefix;
  }
}

// Every single output of every case is moved out of its tolerance once; each time exactly this must be noticed.
TEST(Golden, PerturbedValuesFail) {
  const GoldenFolder folder(golden_folder());
  int moved = 0;
  for (const auto& entry : folder.cases()) {
    if (find_handler(entry) == nullptr || !entry.contains("outputs")) continue;
    const auto clean = run_case(folder, entry);
    for (const auto& [name, value] : entry.at("outputs").items()) {
      bool compared = !entry.at("id").get<std::string>().starts_with("simulate_fpc");  // checked by properties
      for (const auto& reason : clean.exclusions()) compared = compared && !reason.starts_with(name + ":");
      if (!compared) continue;
      const auto test = run_case(folder, entry, name);
      EXPECT_EQ(test.failures().size(), clean.failures().size() + 1) << entry.at("id") << ", " << name;
      ++moved;
    }
  }
  EXPECT_GT(moved, 0);
}

TEST(Golden, CheckerRefusesWhatItShould) {
  const GoldenFolder folder(golden_folder());
  const auto entry = nlohmann::json::parse(
      R"({"id": "x", "group": "y", "params": {}, "outputs": {"a": 2.0, "b": 0.0},
          "tolerance": {"rtol": 0.01, "atol": 0.001}})");
  const auto failures = [&](double a, double b) {
    GoldenCase test(folder, entry);
    test.expect("a", a);
    test.expect("b", b);
    test.finish();
    return test.failures().size();
  };
  EXPECT_EQ(failures(2.02, -0.001), 0U);
  EXPECT_EQ(failures(2.022, 0), 1U);
  EXPECT_EQ(failures(2, 0.0011), 1U);
  EXPECT_EQ(failures(std::nan(""), 0), 1U);
  EXPECT_EQ(failures(INFINITY, std::nan("")), 2U);

  GoldenCase partly(folder, entry);
  partly.expect("a", 2);
  partly.finish();
  EXPECT_EQ(partly.failures().size(), 1U) << "output b was forgotten";
  GoldenCase shape(folder, entry);
  shape.expect("a", at::full({2}, 2.0));
  EXPECT_EQ(shape.failures().size(), 1U);
  GoldenCase excluded(folder, entry);
  excluded.expect("a", 2);
  excluded.exclude("b", "because");
  excluded.finish();
  EXPECT_TRUE(excluded.failures().empty());
  EXPECT_EQ(excluded.exclusions().size(), 1U);

  auto exact = entry;
  exact["tolerance"] = {{"exact", true}};
  GoldenCase strict(folder, exact);
  strict.expect("a", 2);
  strict.expect("b", 1e-12);
  EXPECT_EQ(strict.failures().size(), 1U);
}

}  // namespace

}  // namespace mlpac::golden
