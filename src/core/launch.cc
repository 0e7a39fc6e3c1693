#include "core/launch.h"

#include <fmt/format.h>

#include <charconv>
#include <cstdlib>

#include "core/random.h"
#include "mlpac/error.h"

namespace mlpac {

namespace {

/// Variables that hold whole numbers.
class Numbers {
 public:
  explicit Numbers(const Variables& variable) : variable_(variable) {}

  std::optional<int> find(const char* name, int least, int most = 1'000'000) const {
    const auto text = variable_(name);
    if (!text) return {};
    int value = 0;
    const char* const end = text->data() + text->size();
    const auto [stop, error] = std::from_chars(text->data(), end, value);
    if (error != std::errc{} || stop != end || value < least || value > most) {
      throw UsageError(fmt::format("environment variable {}: expected a whole number from {} to {}, got '{}'", name,
                                   least, most, *text));
    }
    return value;
  }

  int need(const char* name, int least, const char* because) const {
    const auto value = find(name, least);
    if (value) return *value;
    throw UsageError(fmt::format(
        "environment variable {} is missing, but {} is set; start all processes by one launcher, or unset {} to train "
        "in one process",
        name, because, because));
  }

 private:
  const Variables& variable_;
};

/// How a launcher names what it tells.
struct Dialect {
  const char* rank;
  const char* size;
  const char* local_rank;
  const char* local_size;
  const char* job;  ///< the same in all processes of a job, another one in other jobs
};

constexpr Dialect kTorchrun{"RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "TORCHELASTIC_RUN_ID"};
constexpr Dialect kOpenMpi{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
                           "OMPI_COMM_WORLD_LOCAL_SIZE", "PMIX_NAMESPACE"};
constexpr Dialect kMpich{"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", "PMI_JOBID"};
constexpr Dialect kSlurm{"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_NTASKS_PER_NODE",
                         "SLURM_JOB_ID"};

/// A port above the well-known ones that all processes of the job find, and other jobs of the machine rarely.
int port_of(const std::string& job) { return 20'000 + static_cast<int>(mix64(fnv1a64(job)) % 10'000); }

Launch read(const Dialect& dialect, const Numbers& numbers) {
  Launch launch;
  launch.size = numbers.need(dialect.size, 1, dialect.rank);
  launch.rank = numbers.need(dialect.rank, 0, dialect.size);
  if (launch.rank >= launch.size) {
    throw UsageError(
        fmt::format("environment variable {} is {}, but {} says that there are {} processes, so the last is {}",
                    dialect.rank, launch.rank, dialect.size, launch.size, launch.size - 1));
  }
  launch.local_size = numbers.find(dialect.local_size, 1).value_or(launch.size);
  launch.local_rank = numbers.find(dialect.local_rank, 0).value_or(launch.rank);
  return launch;
}

void find_meeting_point(Launch& launch, const Dialect& dialect, const Variables& variable, const Numbers& numbers) {
  const auto given = variable("MASTER_ADDR");
  const auto port = numbers.find("MASTER_PORT", 1, 65'535);
  const auto missing = [&](const char* name, const char* example) {
    return UsageError(fmt::format(
        "environment variable {} is missing: the {} processes do not know where to meet; set it to {} in all of them",
        name, launch.size, example));
  };
  if (given && !given->empty()) {
    launch.address = *given;
  } else if (const auto hosts = &dialect == &kSlurm ? variable("SLURM_STEP_NODELIST") : std::nullopt) {
    launch.address = first_host(*hosts);
  } else if (&dialect != &kTorchrun && launch.local_size == launch.size) {
    launch.address = "127.0.0.1";
  } else {
    throw missing("MASTER_ADDR", "the machine of rank 0");
  }
  if (launch.address == "localhost") launch.address = "127.0.0.1";  // a bare container may not know the name
  const auto job = &dialect == &kTorchrun ? std::nullopt : variable(dialect.job);
  if (!port && !job) throw missing("MASTER_PORT", "a free port of that machine, such as 29500");
  launch.port = port ? *port : port_of(*job);
}

}  // namespace

std::string first_host(std::string_view list) {
  const auto stop = list.find_first_of("[,");
  std::string host(list.substr(0, stop));
  if (stop == std::string_view::npos || list[stop] == ',') return host;
  const auto numbers = list.substr(stop + 1);
  host += numbers.substr(0, numbers.find_first_of(",-]"));
  const auto close = numbers.find(']');  // "rack[1-2]-eth" goes on behind it
  if (close == std::string_view::npos) return host;
  const auto rest = numbers.substr(close + 1);
  return host + std::string(rest.substr(0, rest.find(',')));
}

Launch launch_from(const Variables& variable) {
  const Numbers numbers(variable);
  const auto* dialect = &kTorchrun;
  if (variable(kTorchrun.rank) || variable(kTorchrun.size)) {
    dialect = &kTorchrun;
  } else if (variable(kOpenMpi.rank)) {
    dialect = &kOpenMpi;
  } else if (variable(kMpich.rank)) {
    dialect = &kMpich;
  } else if (variable("SLURM_STEP_ID") && variable(kSlurm.size)) {
    // A batch script has a rank, too, but no step: what it runs without srun runs alone.
    dialect = &kSlurm;
  } else {
    return {};
  }
  auto launch = read(*dialect, numbers);
  launch.exchange_alone = launch.size == 1 && numbers.find("MLPAC_EXCHANGE_ALONE", 0, 1).value_or(0) == 1;
  if (launch.size == 1 && !launch.exchange_alone) return {};
  find_meeting_point(launch, *dialect, variable, numbers);
  if (dialect == &kTorchrun) {
    launch.launcher_keeps_store = variable("TORCHELASTIC_USE_AGENT_STORE").value_or("") == "True";
    launch.attempt = numbers.find("TORCHELASTIC_RESTART_COUNT", 0).value_or(0);
  }
  return launch;
}

Launch launch_of_process() {
  return launch_from([](const char* name) -> std::optional<std::string> {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::nullopt : std::optional<std::string>(value);
  });
}

}  // namespace mlpac
