// The page of a review, on this machine only.
#pragma once

#include <functional>
#include <string>

#include "review/session.h"

namespace mlpac {

struct ServerSpec {
  int port = 0;  ///< 0: any that is free
  /// Called with the address, token included, when it can be opened.
  std::function<void(const std::string& address)> ready;
  /// Asked a few times a second; true ends the server.
  std::function<bool()> stop;
};

/// Serves until it is told to stop. Error if the port is taken, and in programs that were built without cpp-httplib.
///
/// Listens on 127.0.0.1 only. Every path begins with a random token, so neither other users of the machine nor other
/// pages of the browser can ask for anything; the Host header must name this machine, so that no foreign name can be
/// made to point here. Bodies are small, connections are closed after every answer, and slow clients time out.
void serve_review(ReviewSession& session, const ServerSpec& spec);

}  // namespace mlpac
