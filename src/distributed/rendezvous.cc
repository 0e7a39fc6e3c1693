#include "distributed/rendezvous.h"

#ifdef MLPAC_GLOO

#include <fmt/format.h>

#include <thread>

#include "core/log.h"
#include "mlpac/error.h"

namespace mlpac {

namespace {

std::chrono::milliseconds milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(1000 * seconds));
}

/// LibTorch's message without where in its code it was raised.
std::string first_line(const std::exception& error) {
  const std::string text = error.what();
  return text.substr(0, text.find('\n'));
}

}  // namespace

std::string meeting_point(const Launch& launch) { return fmt::format("{}:{}", launch.address, launch.port); }

StorePointer connect_store(const Launch& launch, const Patience& patience, bool serve) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(launch.port);
  options.isServer = serve;
  options.numWorkers = static_cast<std::size_t>(launch.size);
  options.waitWorkers = false;  // join() says who is missing
  options.timeout = milliseconds(patience.rendezvous);
  StorePointer store;
  try {
    store = c10::make_intrusive<c10d::TCPStore>(launch.address, options);
  } catch (const std::exception& error) {
    const auto reason = first_line(error);
    if (serve && reason.find("client socket") != std::string::npos) {
      throw UsageError(fmt::format(
          "rank 0 does not reach itself at {}: MASTER_ADDR must be a name or an address of its machine. The reason: {}",
          meeting_point(launch), reason));
    }
    if (serve) {
      throw UsageError(
          fmt::format("rank 0 cannot listen on port {} ({}): another program may use it; choose another MASTER_PORT",
                      launch.port, reason));
    }
    throw Error(fmt::format(
        "nobody answers at {} after {:g} s, where the {} processes meet: {} must run there (MASTER_ADDR, MASTER_PORT); "
        "--rendezvous-timeout sets how long to wait. The reason: {}",
        meeting_point(launch), patience.rendezvous, launch.size,
        launch.launcher_keeps_store ? "the launcher" : "rank 0", reason));
  }
  // As torch.distributed does: a store that outlives its processes has keys of each attempt.
  const auto prefix = launch.launcher_keeps_store ? fmt::format("/worker/attempt_{}", launch.attempt) : "mlpac";
  return c10::make_intrusive<c10d::PrefixStore>(prefix, store);
}

void join(c10d::Store& store, const Launch& launch, const Patience& patience) {
  const auto start = std::chrono::steady_clock::now();
  const auto add = [&](const std::string& key, std::int64_t value) {
    try {
      return store.add(key, value);
    } catch (const std::exception& error) {
      throw Error(fmt::format("the connection to {}, where the processes meet, broke before all had joined: {}",
                              meeting_point(launch), first_line(error)));
    }
  };
  if (add(fmt::format("rank/{}", launch.rank), 1) > 1) {
    throw UsageError(fmt::format("two processes at {} have the rank {}; every one needs its own", meeting_point(launch),
                                 launch.rank));
  }
  for (auto joined = add("joined", 1); joined < launch.size; joined = add("joined", 0)) {
    if (seconds_since(start) > patience.rendezvous) {
      throw Error(
          fmt::format("only {} of {} processes joined at {} within {:g} s; start the others, or wait longer by "
                      "--rendezvous-timeout",
                      joined, launch.size, meeting_point(launch), patience.rendezvous));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace mlpac

#endif
