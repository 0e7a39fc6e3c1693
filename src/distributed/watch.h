// Signs of life. Every process leaves one in the store again and again; one whose signs end is lost, and all others
// end. Communication alone would tell them late, and not who it was.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "distributed/c10d.h"
#include "distributed/group.h"

#ifdef MLPAC_GLOO

namespace mlpac {

class Watch {
 public:
  /// `store` is this object's own connection: its calls must not wait for those of others.
  Watch(const Launch& launch, StorePointer store);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  /// Stays until the others are done if this process keeps the store, but not for long.
  ~Watch();

  /// This process ends because of an error, and all others have to.
  void fail();

  /// Called where communication has failed: what happened to whom; waits until that is known.
  std::string explain(const std::string& failure);

 private:
  void run();
  /// Who is lost, if anybody; empty: nobody.
  std::string look();
  std::string look_at(int rank);
  void announce(const std::string& verdict);

  Launch launch_;
  StorePointer store_;
  std::vector<std::pair<std::int64_t, std::chrono::steady_clock::time_point>> signs_;  ///< last of each rank, and when
  std::mutex mutex_;
  std::condition_variable changed_;
  bool alarm_ = false;  ///< communication has failed: somebody is missing
  bool ended_ = false;
  bool failed_ = false;
  bool heard_ = false;  ///< the verdict has been given to explain()
  std::string verdict_;
  std::thread thread_;
};

}  // namespace mlpac

#endif
