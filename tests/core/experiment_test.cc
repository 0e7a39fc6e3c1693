// Plans, the file of cells, statistics and tables of experiments.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "experiment/cell_file.h"
#include "experiment/experiment_report.h"
#include "experiment/needs.h"
#include "experiment/place.h"
#include "experiment/python_text.h"
#include "experiment/runner.h"
#include "experiment/sections.h"
#include "experiment/statistics.h"
#include "mlpac/error.h"
#include "temporary_tree.h"

namespace mlpac {
namespace {

constexpr const char* kRecipe = R"(# comment
task = "binary-pu"
lr = 1e-5
weight-decay = 5e-8
ema = 0.995
batch = 500
big = 1_000_000
on = true
text = 'literal "x"'
umlaut = "ä \"quoted\" # no comment"
one = 1.0
huge = 1e16
)";
constexpr const char* kPlan = R"({"name": "digest", "title": "Digest",
 "axes": {"recipe": [], "method": ["method"], "ratio": ["ratio"], "seed": ["seed", "label-seed"]},
 "layers": {"recipe": {"plain": "a.toml"}, "method": {"mlpac": ["b.toml"]}}, "variants": {"w": ["--w", "10"]},
 "groups": [{"name": "g", "recipe": "plain", "method": ["mlpac", "nnpu"], "ratio": [0.1, 1.0, null], "seed": 0,
             "variant": ["none", "w"]}],
 "report": [{"kind": "compare", "title": "F1", "where": {}},
            {"kind": "differences", "title": "D", "where": {}, "method": "mlpac", "others": ["nnpu"]}]})";

std::filesystem::path write_plan(const TemporaryTree& data, const std::string& plan = kPlan) {
  data.write("plans/digest/a.toml", kRecipe);
  data.write("plans/digest/b.toml", "lr = 0.0003 # why\nw = \"auto\"\n");
  data.write("plans/digest/plan.json", plan);
  data.write("plans/smoke.toml", "epochs = 1\n");
  return data / "plans/digest/plan.json";
}

// Computed by Python 3.11 with the runner that made the first files of cells: they must stay valid.
TEST(Plan, DigestsOfOptionsAreThoseOfExistingCells) {
  const TemporaryTree data;
  const Plan plan(write_plan(data), Scale::here);
  const std::vector<std::pair<std::string, std::string>> expected{
      {"plain/mlpac/0.1/seed-0", "70750b1c509d"}, {"plain/mlpac/0.1/w/seed-0", "bbd7c35d25c4"},
      {"plain/mlpac/1.0/seed-0", "a495bc500b5a"}, {"plain/mlpac/1.0/w/seed-0", "b750e5b86c2b"},
      {"plain/mlpac/seed-0", "878d27a0f1ee"},     {"plain/mlpac/w/seed-0", "9e9c0abeb3a7"},
      {"plain/nnpu/0.1/seed-0", "9f0fd199a08a"},  {"plain/nnpu/0.1/w/seed-0", "91a8d2c1cfec"},
      {"plain/nnpu/1.0/seed-0", "f2f48e851e3e"},  {"plain/nnpu/1.0/w/seed-0", "67bfcdd2a29a"},
      {"plain/nnpu/seed-0", "af20373fa6d4"},      {"plain/nnpu/w/seed-0", "c2db69311467"}};
  ASSERT_EQ(plan.cells().size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(plan.cells()[i].name, expected[i].first);
    EXPECT_EQ(plan.cells()[i].options, expected[i].second) << expected[i].first;
  }
}

TEST(Plan, NumbersAsPythonWritesThem) {
  for (const auto& [json, text] : std::vector<std::pair<std::string, std::string>>{{"1e-5", "1e-05"},
                                                                                   {"0.0001", "0.0001"},
                                                                                   {"1.0", "1.0"},
                                                                                   {"1", "1"},
                                                                                   {"1e16", "1e+16"},
                                                                                   {"123456.5", "123456.5"},
                                                                                   {"0.1", "0.1"},
                                                                                   {"-2.5e-9", "-2.5e-09"},
                                                                                   {"1e15", "1000000000000000.0"}}) {
    EXPECT_EQ(python_str(Json::parse(json)), text);
  }
  EXPECT_EQ(python_json(Json::parse(R"({"a": [1, "ä\n", true, null]})")), "{\"a\": [1, \"\\u00e4\\n\", true, null]}");
}

TEST(Plan, SmokeShrinksAndAViewShares) {
  const TemporaryTree data;
  const auto path = write_plan(data);
  const Plan smoke(path, Scale::smoke);
  EXPECT_EQ(smoke.cells().size(), 4) << "all methods and variants, one ratio";
  EXPECT_EQ(smoke.merged(smoke.cells()[0].layers).at("epochs"), 1);
  EXPECT_NE(smoke.cells()[0].options, Plan(path, Scale::here).cells()[0].options);
  data.write("plans/paper/view.json", R"({"extends": "../digest/plan.json", "name": "view", "title": "View",
   "groups": ["g", {"name": "more", "recipe": "plain", "method": "mlpac", "ratio": 0.3, "seed": 0, "scales": "paper"}]})");
  const Plan view(data / "plans/paper/view.json", Scale::here);
  EXPECT_EQ(view.kind(), "digest");
  EXPECT_EQ(view.name(), "view");
  EXPECT_EQ(view.cells().size(), 12) << "the other group is made at another scale";
  EXPECT_EQ(view.cells()[0].options, "70750b1c509d") << "the same cell";
  EXPECT_EQ(Plan(data / "plans/paper/view.json", Scale::paper).cells().size(), 13);
  data.write("plans/paper/none.json",
             R"({"extends": "../digest/plan.json", "name": "n", "title": "N", "groups": ["x"]})");
  EXPECT_THROW(Plan(data / "plans/paper/none.json", Scale::here), Error);
}

TEST(Plan, Refusals) {
  const TemporaryTree data;
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"\"groups\"", "\"group\""},
                                                        {"\"seed\": [\"seed\", \"label-seed\"]", "\"sed\": []"},
                                                        {"\"recipe\": []", "\"test\": []"},
                                                        {"\"variant\": [\"none\", \"w\"]", "\"variant\": \"v\""},
                                                        {"\"seed\": 0", "\"sed\": 0"},
                                                        {"\"ratio\": [0.1, 1.0, null],", ""},
                                                        {"\"title\": \"Digest\"", "\"title\": 3"},
                                                        {"{\"name\"", "[{\"name\""},
                                                        {"a.toml", "none.toml"}}) {
    std::string plan = kPlan;
    plan.replace(plan.find(from), from.size(), to);
    EXPECT_THROW(Plan(write_plan(data, plan), Scale::here), Error) << to;
  }
}

TEST(Statistics, IntervalsOfPairs) {
  EXPECT_FALSE(spread({}));
  EXPECT_FALSE(spread(std::vector<double>{3})->deviation);
  EXPECT_NEAR(*spread(std::vector<double>{1, 2, 3})->deviation, 1, 1e-12);
  const auto wide = interval(std::vector<double>{1, 2, 3});
  EXPECT_NEAR(wide->mean, 2, 1e-12);
  EXPECT_NEAR(*wide->half, 4.303 / std::sqrt(3), 1e-9);  // R: t.test(c(1, 2, 3)) is -0.484 to 4.484
  EXPECT_FALSE(wide->excludes_zero());
  EXPECT_TRUE(interval(std::vector<double>{1, 1.1, 0.9})->excludes_zero());
  EXPECT_FALSE(interval(std::vector<double>{5})->excludes_zero()) << "one pair tells nothing";
  EXPECT_EQ(difference_text(interval(std::vector<double>{-1, -1.1, -0.9})), "**-1.0 ± 0.2** ▼");
  EXPECT_EQ(difference_text(wide), "+2.0 ± 2.5");
}

Json record(const Plan& plan, const PlanCell& cell, double f1) {
  Json made{{"kind", plan.kind()}, {"options", cell.options}};
  made.update(cell.values);
  made["test"] = {{"precision", 50.0}, {"recall", 60.0}, {"f1", f1}, {"map", 40.0}};
  made["selection"] = {{"rule", "estimated-f1"}, {"w", 20.0}};
  made["seconds"] = {{"total", 2.0}};
  made["binary"] = "b";
  return made;
}

TEST(CellFile, OnlyGrowsAndRepairsATornLine) {
  const TemporaryTree data;
  const Plan plan(write_plan(data), Scale::here);
  const auto file = data / "cells.jsonl";
  {
    CellFile store(file, plan);
    EXPECT_EQ(store.get(plan.cells()[0].name, plan.cells()[0].options), nullptr);
    EXPECT_EQ(store.add({record(plan, plan.cells()[0], 1), record(plan, plan.cells()[1], 2)}), 2);
    EXPECT_EQ(store.add({record(plan, plan.cells()[0], 3)}), 0) << "the first one stays";
    EXPECT_EQ(store.get(plan.cells()[0].name, plan.cells()[0].options)->at("test").at("f1"), 1.0);
  }
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 20);
  CellFile torn(file, plan);
  EXPECT_EQ(torn.records().size(), 1);
  EXPECT_EQ(torn.add({record(plan, plan.cells()[2], 4)}), 1);
  EXPECT_EQ(CellFile(file, plan).records().size(), 2);
  EXPECT_EQ(CellFile(file, plan).get(plan.cells()[2].name, "other"), nullptr) << "other options are another cell";
  CellFile other(file, plan);
  torn.add({record(plan, plan.cells()[3], 5)});
  EXPECT_NE(other.get(plan.cells()[3].name, plan.cells()[3].options), nullptr) << "what others write is seen";
  std::ofstream(file, std::ios::app) << "{\"kind\":\"digest\"}\n";
  EXPECT_THROW(CellFile(file, plan), Error);
}

TEST(ExperimentReport, TellsWhatWasMeasured) {
  const TemporaryTree data;
  const Plan plan(write_plan(data), Scale::here);
  CellFile store(data / "cells.jsonl", plan);
  const FailureFile failures(store.path());
  const auto nothing = experiment_report(Results(plan, store), failures, "c0", "command");
  EXPECT_NE(nothing.markdown.find("0 of 12 cells are measured"), std::string::npos);
  store.add({record(plan, plan.cells()[0], 51.25), record(plan, plan.cells()[6], 40)});
  const auto report = experiment_report(Results(plan, store), failures, "c0", "command");
  EXPECT_NE(report.markdown.find("| 10 % | **51.2 (–)** | 40.0 (–) |"), std::string::npos) << report.markdown;
  EXPECT_NE(report.markdown.find("| 10 % | +11.2 |"), std::string::npos) << "one seed is not called better";
  EXPECT_NE(report.csv.find("F1,10 %,51.2 (–),40.0 (–)"), std::string::npos) << report.csv;
  EXPECT_NE(report.latex.find("10 \\% & \\textbf{51.2 (--)}"), std::string::npos) << report.latex;
  EXPECT_NE(report.html.find("\"y\":[51.25]"), std::string::npos);
  EXPECT_EQ(Json::parse(report.json)[0].at("f1").at("mean"), 51.25);
}

// The other methods as published (decisions at 0.5) beside a method whose threshold is chosen.
TEST(ExperimentReport, ComparesAMetricWithAnotherOfTheOthers) {
  const TemporaryTree data;
  std::string text = kPlan;
  text.replace(text.find("\"report\": ["), std::string::npos, R"("report": [
    {"kind": "asked", "title": "A", "checks": [
      {"what": "cut", "check": "at-least", "where": {}, "method": "mlpac", "others": ["nnpu"], "share": 1},
      {"what": "uncut", "check": "at-least", "where": {}, "method": "mlpac", "others": ["nnpu"], "share": 1,
       "others-metric": "uncut.f1"}]},
    {"kind": "differences", "title": "D", "where": {}, "method": "mlpac", "others": ["nnpu"],
     "others-metric": "uncut.f1"}]})");
  const Plan plan(write_plan(data, text), Scale::here);
  CellFile store(data / "cells.jsonl", plan);
  const FailureFile failures(store.path());
  auto other = record(plan, plan.cells()[6], 60);
  other["uncut"] = {{"precision", 50}, {"recall", 45}, {"f1", 47.25}};
  store.add({record(plan, plan.cells()[0], 51.25), other});
  const auto report = experiment_report(Results(plan, store), failures, "c0", "command");
  EXPECT_NE(report.markdown.find("| cut | 0 of 3 cells; 2 cells are not complete; below: plain 10 % |"),
            std::string::npos)
      << report.markdown;
  EXPECT_NE(report.markdown.find("| uncut | 1 of 3 cells; 2 cells are not complete |"), std::string::npos)
      << report.markdown;
  EXPECT_NE(report.markdown.find("| 10 % | +4.0 |"), std::string::npos) << report.markdown;
}

TEST(ExperimentReport, Refusals) {
  const TemporaryTree data;
  for (const auto* const section : {R"({"kind": "compare"})", R"({"kind": "chart", "title": "T", "where": {}})",
                                    R"([1])", R"({"kind": "details", "title": 3, "where": {}})",
                                    R"({"kind": "asked", "title": "T", "checks": [{"check": "x", "what": "w"}]})",
                                    R"({"kind": "contrast", "title": "T", "where": {}, "rows": 3})"}) {
    std::string text = kPlan;
    text.replace(text.find("\"report\": ["), std::string::npos, std::string("\"report\": [") + section + "]}");
    const Plan plan(write_plan(data, text), Scale::here);
    CellFile store(data / "cells.jsonl", plan);
    const FailureFile failures(store.path());
    try {
      experiment_report(Results(plan, store), failures, "c0", "command");
      ADD_FAILURE() << section;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("plan.json"), std::string::npos) << error.what();
    }
  }
}

TEST(EpochColumns, AreShort) {
  const auto columns =
      epoch_columns("{\"epoch\":1,\"loss\":0.123456,\"phase\":\"a\",\"candidates\":[1]}\n{\"epoch\":2}\n{\"epo");
  EXPECT_EQ(columns.dump(), R"({"epoch":[1,2],"loss":[0.1235,null],"phase":["a",null]})");
}

TEST(Needs, OfARunAreThoseOfRunsMostLikeIt) {
  const auto made = [](const std::string& recipe, const std::string& method, double seconds, double memory) {
    Json record{{"recipe", recipe}, {"method", method}, {"variant", "none"}, {"seconds", {{"total", seconds}}}};
    if (memory > 0) record["gpu_memory"] = memory;
    return record;
  };
  const Json old = made("small", "mlpac", 70, 0);  // before memory was noted
  const Json plain = made("small", "negative", 30, 3000);
  const Json large = made("large", "negative", 90, 8000);
  const auto asked = [&](const std::string& recipe, const std::string& method) { return made(recipe, method, 1, 0); };
  EXPECT_EQ(expected_seconds({}, asked("small", "mlpac")), 1);
  EXPECT_EQ(expected_seconds({&old, &plain, &large}, asked("small", "mlpac")), 70);
  EXPECT_EQ(expected_seconds({&old, &plain, &large}, asked("other", "negative")), 60);
  EXPECT_EQ(expected_seconds({&plain, &large}, asked("small", "p3m")), 60);
  EXPECT_EQ(expected_gpu_memory({&old}, asked("small", "mlpac")), std::nullopt);
  EXPECT_EQ(expected_gpu_memory({&old, &plain, &large}, asked("small", "negative")), 3000);
  EXPECT_EQ(expected_gpu_memory({&old, &plain, &large}, asked("other", "negative")), 8000);
  EXPECT_EQ(expected_gpu_memory({&old, &plain, &large}, asked("small", "mlpac")), 4 * 3000);
  EXPECT_EQ(expected_gpu_memory({&large}, asked("small", "mlpac")), 4 * 8000);
}

}  // namespace
}  // namespace mlpac
