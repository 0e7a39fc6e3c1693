#include "core/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mlpac/error.h"

namespace mlpac {
namespace {

/// argv for exec: pointers into the strings.
std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  result.reserve(words.size() + 1);
  for (auto& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

int exit_code(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

/// In the child, after fork: only calls that are safe there.
[[noreturn]] void become(char* const* argv, int in, int out, int err, int failure) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);  // whoever is killed takes it along  NOLINT
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(err, STDERR_FILENO);
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execvp(argv[0], argv);
  const int reason = errno;
  [[maybe_unused]] const auto written = ::write(failure, &reason, sizeof reason);
  ::_exit(127);
}

int open_or_fail(const std::string& file, int flags) {
  const int fd = ::open(file.c_str(), flags | O_CLOEXEC, 0666);
  if (fd < 0) throw Error(fmt::format("{}: {}", file, std::strerror(errno)));
  return fd;
}

}  // namespace

Process::Process(const Spec& spec) {
  auto words = spec.command;
  if (!spec.environment.empty()) {  // `env` rather than a changed environment: other threads may read ours
    std::vector<std::string> prefix{"env"};
    for (const auto& [name, value] : spec.environment) prefix.push_back(fmt::format("{}={}", name, value));
    words.insert(words.begin(), prefix.begin(), prefix.end());
  }
  const auto argv = pointers(words);
  const int in = open_or_fail("/dev/null", O_RDONLY);
  const int out = open_or_fail(spec.out.string(), O_WRONLY | O_CREAT | O_TRUNC);
  const int err = open_or_fail(spec.err.string(), O_WRONLY | O_CREAT | O_TRUNC);
  std::array<int, 2> failure{-1, -1};
  if (::pipe2(failure.data(), O_CLOEXEC) != 0) throw Error(fmt::format("pipe: {}", std::strerror(errno)));
  id_ = ::fork();
  if (id_ == 0) become(argv.data(), in, out, err, failure[1]);
  const int fork_error = errno;
  for (const int fd : {in, out, err, failure[1]}) ::close(fd);
  int reason = id_ < 0 ? fork_error : 0;
  if (id_ > 0) {
    ::setpgid(id_, id_);  // both sides: whoever is first
    if (::read(failure[0], &reason, sizeof reason) != sizeof reason) reason = 0;
  }
  ::close(failure[0]);
  if (reason == 0) return;
  if (id_ > 0) ::waitpid(id_, nullptr, 0);
  id_ = -1;
  throw Error(fmt::format("{}: {}", spec.command.front(), std::strerror(reason)));
}

Process::~Process() {
  if (id_ < 0 || poll()) return;
  signal(SIGKILL);
  int status = 0;
  while (::waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
}

std::optional<int> Process::poll() {
  if (code_ || id_ < 0) return code_;
  int status = 0;
  if (::waitpid(id_, &status, WNOHANG) == id_) code_ = exit_code(status);
  return code_;
}

void Process::signal(int number) const {
  if (id_ > 0 && !code_) ::kill(-id_, number);
}

std::string output_of(const std::vector<std::string>& command) {
  auto words = command;
  const auto argv = pointers(words);
  std::array<int, 2> ends{-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  const pid_t id = ::fork();
  if (id == 0) become(argv.data(), null, ends[1], null, null);
  ::close(ends[1]);
  if (null >= 0) ::close(null);
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto count = ::read(ends[0], buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  int status = 0;
  if (id > 0) {
    while (::waitpid(id, &status, 0) < 0 && errno == EINTR) {
    }
  }
  if (id < 0 || exit_code(status) != 0) return {};
  const auto end = text.find_last_not_of(" \t\r\n");
  return end == std::string::npos ? "" : text.substr(0, end + 1);
}

std::string shell_text(const std::vector<std::string>& command) {
  std::string text;
  for (const auto& word : command) {
    constexpr std::string_view kSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    std::string quoted = word;
    if (word.empty() || word.find_first_not_of(kSafe) != std::string::npos) {
      for (auto at = quoted.find('\''); at != std::string::npos; at = quoted.find('\'', at + 4)) {
        quoted.replace(at, 1, "'\\''");
      }
      quoted = fmt::format("'{}'", quoted);
    }
    text += fmt::format("{}{}", text.empty() ? "" : " ", quoted);
  }
  return text;
}

std::vector<std::string> shell_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      } else {
        word += c == '\\' && quote == '"' && i + 1 < text.size() ? text[++i] : c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      inside = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (inside) words.push_back(word);
      word.clear();
      inside = false;
    } else {
      word += c == '\\' && i + 1 < text.size() ? text[++i] : c;
      inside = true;
    }
  }
  if (quote != '\0') throw Error(fmt::format("{}: a closing {} is missing", text, quote));
  if (inside) words.push_back(word);
  return words;
}

}  // namespace mlpac
