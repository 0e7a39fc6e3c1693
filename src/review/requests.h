// What the page asks for and what it gets, apart from how it travels.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "review/session.h"

namespace mlpac {

struct ReviewRequest {
  std::string method;  ///< GET or POST
  std::string path;    ///< behind the token, without the slash
  std::map<std::string, std::string> query;
  std::string body;  ///< JSON
};

struct ReviewResponse {
  int status = 200;
  std::string type;
  std::string body;
};

/// Answers a request; whatever is wrong with it or with the data becomes a status and a message.
ReviewResponse answer(ReviewSession& session, const ReviewRequest& request);

}  // namespace mlpac
