// The one exception of the library. Messages say where (file:line or option), what was expected, and what to do.
#pragma once

#include <stdexcept>
#include <string>

namespace mlpac {

/// The job cannot be done; the command exits with 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The command was called wrongly (unknown option, value out of range); it exits with 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

}  // namespace mlpac
