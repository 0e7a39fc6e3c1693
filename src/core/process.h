// Programs that run beside this one.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mlpac {

/// A program in a process group of its own: Ctrl-C in the terminal reaches only us, and a signal that we send reaches
/// whatever it started. Output goes to files. It is killed if it still runs when the object goes.
class Process {
 public:
  struct Spec {
    std::vector<std::string> command;
    std::filesystem::path out;
    std::filesystem::path err;
    std::vector<std::pair<std::string, std::string>> environment;  ///< in addition to ours
  };

  /// Error if it cannot be started.
  explicit Process(const Spec& spec);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  pid_t id() const { return id_; }
  /// The exit code, 128 + signal if one ended it; nothing while it runs.
  std::optional<int> poll();
  void signal(int number) const;

 private:
  pid_t id_ = -1;
  std::optional<int> code_;
};

/// What a command prints; empty if it fails or is not there.
std::string output_of(const std::vector<std::string>& command);

/// A command as a shell reads it.
std::string shell_text(const std::vector<std::string>& command);

/// Words as a shell splits them, quotes and backslashes included; Error if a quote is not closed.
std::vector<std::string> shell_words(std::string_view text);

}  // namespace mlpac
