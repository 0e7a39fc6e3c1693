#include "review/overdue.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <filesystem>
#include <optional>
#include <system_error>

#include "core/number_in.h"

namespace mlpac {
namespace {

using Name = int (*)(int, sockaddr*, socklen_t*);

/// Port of one end of an IPv4 connection; nothing for whatever else a descriptor may be.
std::optional<std::uint16_t> port_of(int descriptor, Name name) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (name(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0 || address.ss_family != AF_INET) return {};
  return ntohs(reinterpret_cast<const sockaddr_in*>(&address)->sin_port);
}

}  // namespace

void Overdue::end(Clock::time_point now) {
  std::map<Connection, Clock::time_point> open;
  std::error_code unreadable;  // a system without /proc: nothing is ended
  for (std::filesystem::directory_iterator entry("/proc/self/fd", unreadable), last; !unreadable && entry != last;
       entry.increment(unreadable)) {
    const auto number = number_in(entry->path().filename().string());
    if (!number) continue;
    const int descriptor = static_cast<int>(*number);
    const auto client = port_of(descriptor, ::getpeername);  // the port that listens has no other end
    if (!client || port_of(descriptor, ::getsockname) != port_) continue;
    const Connection connection{descriptor, *client};
    const auto known = since_.find(connection);
    const auto since = known == since_.end() ? now : known->second;
    open.emplace(connection, since);
    if (now - since > longest_) ::shutdown(descriptor, SHUT_RDWR);  // its thread sees the end and closes it
  }
  since_ = std::move(open);
}

}  // namespace mlpac
