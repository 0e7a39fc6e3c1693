// The names of Gloo that c10d's ProcessGroupGloo.hpp mentions, for a LibTorch that carries Gloo but ships none of its
// headers, as PyTorch's wheels do. That header only holds pointers to these classes, and nothing here makes or looks
// into an object of them; LibTorch does. CMake puts copies of this file where the header expects Gloo's.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace gloo {

class Context {
 public:
  void setTimeout(std::chrono::milliseconds timeout);
};

namespace rendezvous {

class Store {
 public:
  virtual ~Store();
  virtual void set(const std::string& key, const std::vector<char>& data) = 0;
  virtual std::vector<char> get(const std::string& key) = 0;
  virtual void wait(const std::vector<std::string>& keys) = 0;
  virtual void wait(const std::vector<std::string>& keys, const std::chrono::milliseconds& timeout) = 0;
};

}  // namespace rendezvous

namespace transport {

class Device;

class UnboundBuffer {
 public:
  virtual ~UnboundBuffer();
};

}  // namespace transport

}  // namespace gloo
