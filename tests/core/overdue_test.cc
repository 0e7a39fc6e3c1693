#include "review/overdue.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>

namespace mlpac {
namespace {

using std::chrono::seconds;

sockaddr* generic(sockaddr_in& address) { return reinterpret_cast<sockaddr*>(&address); }

/// A port of this machine, and connections to it.
class Port {
 public:
  Port() : listening_(::socket(AF_INET, SOCK_STREAM, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address_;
    EXPECT_EQ(::bind(listening_, generic(address_), size), 0);
    EXPECT_EQ(::listen(listening_, 5), 0);
    EXPECT_EQ(::getsockname(listening_, generic(address_), &size), 0);
  }
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;
  ~Port() { ::close(listening_); }

  [[nodiscard]] int number() const { return ntohs(address_.sin_port); }

  struct Connection {
    int client = -1;
    int server = -1;
    /// Nothing has come yet, and nobody has ended it.
    [[nodiscard]] bool open() const {
      char byte = 0;
      return ::recv(client, &byte, 1, MSG_DONTWAIT) == -1;
    }
    void close() const {
      ::close(client);
      ::close(server);
    }
  };

  Connection connect() {
    Connection connection;
    connection.client = ::socket(AF_INET, SOCK_STREAM, 0);
    EXPECT_EQ(::connect(connection.client, generic(address_), sizeof address_), 0);
    connection.server = ::accept(listening_, nullptr, nullptr);
    return connection;
  }

 private:
  int listening_;
  sockaddr_in address_{};
};

TEST(Overdue, EndsWhatLastsTooLongAndNothingElse) {
  Port port;
  Port other;
  Overdue overdue(port.number(), seconds(20));
  const auto begin = Overdue::Clock::now();
  const auto old = port.connect();
  const auto elsewhere = other.connect();
  overdue.end(begin);
  const auto young = port.connect();
  overdue.end(begin + seconds(15));
  EXPECT_TRUE(old.open());
  overdue.end(begin + seconds(21));
  EXPECT_FALSE(old.open());
  EXPECT_TRUE(young.open());
  EXPECT_TRUE(elsewhere.open());
  old.close();

  // The next connection may have the same descriptor, and begins anew.
  const auto next = port.connect();
  overdue.end(begin + seconds(22));
  EXPECT_TRUE(next.open());
  overdue.end(begin + seconds(36));
  EXPECT_TRUE(next.open());
  EXPECT_FALSE(young.open());
  EXPECT_TRUE(elsewhere.open());
  for (const auto& connection : {elsewhere, young, next}) connection.close();
}

}  // namespace
}  // namespace mlpac
