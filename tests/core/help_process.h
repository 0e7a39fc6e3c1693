// Runs a shell command and returns what it prints.
#pragma once

#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace mlpac {

struct ProcessResult {
  std::string output;
  int status = 0;  ///< as of wait
};

inline ProcessResult run_process(const std::string& command) {
  FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run: " + command);
  ProcessResult result;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    result.output.append(buffer.data(), n);
  }
  result.status = ::pclose(pipe);
  return result;
}

}  // namespace mlpac
