// Connections to a port of this machine that have lasted too long.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <utility>

namespace mlpac {

/// Ends connections that a client keeps open by sending a byte now and then: every one of them keeps a thread, and the
/// HTTP library only limits how long it waits for the next bytes. What it has open is read from the system, because the
/// library shows no sockets.
class Overdue {
 public:
  using Clock = std::chrono::steady_clock;

  Overdue(int port, std::chrono::seconds longest) : port_(port), longest_(longest) {}

  /// To be called every now and then: ends what has lasted longer than allowed.
  void end(Clock::time_point now = Clock::now());

 private:
  using Connection = std::pair<int, std::uint16_t>;  ///< descriptor and the client's port: numbers are used again

  int port_;
  std::chrono::seconds longest_;
  std::map<Connection, Clock::time_point> since_;
};

}  // namespace mlpac
