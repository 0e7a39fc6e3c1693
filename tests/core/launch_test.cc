// What launchers tell the processes they start.
#include "core/launch.h"

#include <gtest/gtest.h>

#include <map>

#include "mlpac/error.h"

namespace mlpac {
namespace {

using Values = std::map<std::string, std::string>;

Launch launch(const Values& values) {
  return launch_from([&](const char* name) -> std::optional<std::string> {
    const auto it = values.find(name);
    return it == values.end() ? std::nullopt : std::optional(it->second);
  });
}

std::string refusal(const Values& values) {
  try {
    launch(values);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

const Values kTorchrun{{"RANK", "3"},
                       {"WORLD_SIZE", "8"},
                       {"LOCAL_RANK", "1"},
                       {"LOCAL_WORLD_SIZE", "2"},
                       {"MASTER_ADDR", "node7"},
                       {"MASTER_PORT", "29500"}};

Values with(Values values, const std::string& name, const std::string& value) {
  values[name] = value;
  return values;
}

Values without(Values values, const std::string& name) {
  values.erase(name);
  return values;
}

TEST(Launch, NothingMeansAlone) {
  EXPECT_EQ(launch({}).size, 1);
  EXPECT_EQ(launch({{"RANK", "0"}, {"WORLD_SIZE", "1"}}).size, 1);
  // A batch script of Slurm that starts the program without srun.
  EXPECT_EQ(launch({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "4"}, {"SLURM_JOB_ID", "7"}}).size, 1);
}

TEST(Launch, Torchrun) {
  const auto found = launch(kTorchrun);
  EXPECT_EQ(found.rank, 3);
  EXPECT_EQ(found.size, 8);
  EXPECT_EQ(found.local_rank, 1);
  EXPECT_EQ(found.local_size, 2);
  EXPECT_EQ(found.address, "node7");
  EXPECT_EQ(found.port, 29500);
  EXPECT_FALSE(found.launcher_keeps_store);
  const auto agent =
      launch(with(with(kTorchrun, "TORCHELASTIC_USE_AGENT_STORE", "True"), "TORCHELASTIC_RESTART_COUNT", "2"));
  EXPECT_TRUE(agent.launcher_keeps_store);
  EXPECT_EQ(agent.attempt, 2);
}

TEST(Launch, OneProcessIsAloneUnlessItIsToExchange) {
  const Values values{{"RANK", "0"}, {"WORLD_SIZE", "1"}, {"MASTER_ADDR", "localhost"}, {"MASTER_PORT", "29500"}};
  EXPECT_FALSE(launch(values).exchange_alone);
  EXPECT_TRUE(launch(values).address.empty());
  const auto found = launch(with(values, "MLPAC_EXCHANGE_ALONE", "1"));
  EXPECT_TRUE(found.exchange_alone);
  EXPECT_EQ(found.address, "127.0.0.1");
  EXPECT_FALSE(launch(with(kTorchrun, "MLPAC_EXCHANGE_ALONE", "1")).exchange_alone);
}

TEST(Launch, OpenMpiOnOneMachineNeedsNoAddress) {
  const Values values{{"OMPI_COMM_WORLD_RANK", "1"},
                      {"OMPI_COMM_WORLD_SIZE", "2"},
                      {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                      {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                      {"PMIX_NAMESPACE", "1234"}};
  const auto found = launch(values);
  EXPECT_EQ(found.rank, 1);
  EXPECT_EQ(found.size, 2);
  EXPECT_EQ(found.address, "127.0.0.1");
  EXPECT_GE(found.port, 20'000);
  EXPECT_EQ(found.port, launch(with(values, "OMPI_COMM_WORLD_RANK", "0")).port);
  EXPECT_NE(found.port, launch(with(values, "PMIX_NAMESPACE", "1235")).port);
  const auto several = with(values, "OMPI_COMM_WORLD_LOCAL_SIZE", "1");
  EXPECT_NE(refusal(several).find("MASTER_ADDR is missing"), std::string::npos);
  EXPECT_EQ(launch(with(several, "MASTER_ADDR", "n1")).address, "n1");
}

TEST(Launch, Mpich) {
  const auto found = launch({{"PMI_RANK", "2"}, {"PMI_SIZE", "4"}, {"MPI_LOCALRANKID", "0"}, {"MASTER_PORT", "4000"}});
  EXPECT_EQ(found.rank, 2);
  EXPECT_EQ(found.size, 4);
  EXPECT_EQ(found.local_rank, 0);
  EXPECT_EQ(found.port, 4000);
}

TEST(Launch, SlurmMeetsOnTheFirstMachineOfTheStep) {
  const auto found = launch({{"SLURM_STEP_ID", "0"},
                             {"SLURM_PROCID", "5"},
                             {"SLURM_STEP_NUM_TASKS", "8"},
                             {"SLURM_LOCALID", "1"},
                             {"SLURM_STEP_NODELIST", "gpu[03-06]"},
                             {"SLURM_JOB_ID", "99"},
                             {"SLURM_NTASKS_PER_NODE", "2"}});
  EXPECT_EQ(found.rank, 5);
  EXPECT_EQ(found.size, 8);
  EXPECT_EQ(found.local_rank, 1);
  EXPECT_EQ(found.local_size, 2);
  EXPECT_EQ(found.address, "gpu03");
}

TEST(Launch, FirstHostOfShortForms) {
  EXPECT_EQ(first_host("node1"), "node1");
  EXPECT_EQ(first_host("node1,node2"), "node1");
  EXPECT_EQ(first_host("gpu[03-05,9],login"), "gpu03");
  EXPECT_EQ(first_host("rack[7,9]-eth,x"), "rack7-eth");
  EXPECT_EQ(first_host("broken["), "broken");
}

TEST(Launch, WhatMakesNoSenseIsNamed) {
  EXPECT_NE(refusal(with(kTorchrun, "RANK", "8")).find("RANK is 8, but WORLD_SIZE says that there are 8"),
            std::string::npos);
  EXPECT_NE(refusal(with(kTorchrun, "RANK", "-1")).find("RANK: expected a whole number"), std::string::npos);
  EXPECT_NE(refusal(with(kTorchrun, "WORLD_SIZE", "two")).find("'two'"), std::string::npos);
  EXPECT_NE(refusal(with(kTorchrun, "MASTER_PORT", "70000")).find("MASTER_PORT"), std::string::npos);
  EXPECT_NE(refusal(without(kTorchrun, "RANK")).find("RANK is missing, but WORLD_SIZE is set"), std::string::npos);
  EXPECT_NE(refusal(without(kTorchrun, "WORLD_SIZE")).find("WORLD_SIZE is missing"), std::string::npos);
  EXPECT_NE(refusal(without(kTorchrun, "MASTER_ADDR")).find("MASTER_ADDR is missing"), std::string::npos);
  EXPECT_NE(refusal(without(kTorchrun, "MASTER_PORT")).find("MASTER_PORT is missing"), std::string::npos);
}

}  // namespace
}  // namespace mlpac
