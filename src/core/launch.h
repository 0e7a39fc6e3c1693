// Which of several processes this one is: what torchrun, mpirun (Open MPI, MPICH and their relatives) and srun tell the
// processes they start in environment variables.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace mlpac {

struct Launch {
  int rank = 0;
  int size = 1;
  int local_rank = 0;  ///< among the processes of this machine
  int local_size = 1;
  std::string address;  ///< where the processes meet: a machine and a port of rank 0, or of the launcher
  int port = 0;
  bool launcher_keeps_store = false;  ///< torchrun's agent answers there, not rank 0
  int attempt = 0;                    ///< how often the launcher has started the processes again
  bool exchange_alone = false;        ///< a single process takes the way of several, for tests and measurements
};

/// The value of an environment variable, if it is set.
using Variables = std::function<std::optional<std::string>(const char* name)>;

/// Alone if no launcher has left its variables; UsageError that names the variable if they make no sense.
Launch launch_from(const Variables& variable);
/// The same from the environment of this process.
Launch launch_of_process();

/// The first machine of Slurm's short form of a list, such as "gpu[03-05,9],login".
std::string first_host(std::string_view list);

}  // namespace mlpac
