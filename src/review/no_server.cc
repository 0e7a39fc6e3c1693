// Instead of server.cc, where cpp-httplib is not installed.
#include "mlpac/error.h"
#include "review/server.h"

namespace mlpac {

void serve_review(ReviewSession& /*session*/, const ServerSpec& /*spec*/) {
  throw Error(
      "this mlpac was built without cpp-httplib, which serves the page; install it (Debian: libcpp-httplib-dev) and "
      "build again. --export and train --decisions work without it.");
}

}  // namespace mlpac
