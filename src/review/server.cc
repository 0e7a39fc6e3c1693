#include "review/server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include "mlpac/error.h"
#include "review/overdue.h"
#include "review/requests.h"

namespace mlpac {
namespace {

constexpr const char* kHost = "127.0.0.1";
constexpr std::size_t kLargestBody = 16 << 10;  // of a decision: a hundred bytes
constexpr time_t kPatience = 2;                 // seconds for the next bytes of a client
constexpr std::chrono::seconds kLongest{20};    // for a request and its answer, however they come
// A client that says little at a time keeps a thread so long: there must be some left for the page.
constexpr std::size_t kThreads = 256;

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw Error("the system gives no random numbers for the token of the page");
  }
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

/// Takes as long for every wrong text, so that nobody can find the token letter by letter.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned differences = 0;
  for (std::size_t i = 0; i < a.size(); ++i) differences |= static_cast<unsigned char>(a[i] ^ b[i]);
  return differences == 0;
}

class ReviewServer {
 public:
  ReviewServer(ReviewSession& session, const ServerSpec& spec)
      : session_(session), spec_(spec), token_(random_token()) {
    server_.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    server_.set_keep_alive_max_count(1);  // nothing of a refused request is taken for another one
    server_.set_payload_max_length(kLargestBody);
    server_.set_keep_alive_timeout(kPatience);  // for the first byte
    server_.set_read_timeout(kPatience);
    server_.set_write_timeout(kPatience);
    server_.set_tcp_nodelay(true);
    // The library's own options would let two programs share a port.
    server_.set_socket_options([this](socket_t socket) {
      const int on = 1;
      ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
      socket_ = socket;
    });
    server_.set_default_headers({{"Cache-Control", "no-store"},
                                 {"Content-Security-Policy",
                                  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                                  "connect-src 'self'; base-uri 'none'; "
                                  "form-action 'none'; frame-ancestors 'none'"},
                                 {"Cross-Origin-Resource-Policy", "same-origin"},
                                 {"Referrer-Policy", "no-referrer"},
                                 {"X-Content-Type-Options", "nosniff"}});
    server_.set_pre_routing_handler([this](const httplib::Request& request, httplib::Response& response) {
      if (refuses(request, response)) return httplib::Server::HandlerResponse::Handled;
      if (request.method == "POST") return httplib::Server::HandlerResponse::Unhandled;  // its body comes first
      respond(request, response);
      return httplib::Server::HandlerResponse::Handled;
    });
    server_.Post(".*",
                 [this](const httplib::Request& request, httplib::Response& response) { respond(request, response); });
  }

  void run() {
    port_ = spec_.port != 0 ? spec_.port : server_.bind_to_any_port(kHost);
    if (port_ <= 0 || (spec_.port != 0 && !server_.bind_to_port(kHost, port_))) {
      throw Error(fmt::format("port {} of this machine cannot be used; choose another with --port, or leave it out",
                              spec_.port));
    }
    // The library lets five connections wait to be accepted; more of them at once would be tried again a second later.
    ::listen(socket_, SOMAXCONN);
    std::thread watcher([this] {
      Overdue overdue(port_, kLongest);
      for (int round = 0; !done_; ++round) {
        if (spec_.stop()) server_.stop();
        if (round % 10 == 0) overdue.end();
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      }
    });
    spec_.ready(fmt::format("http://{}:{}/{}/", kHost, port_, token_));
    const bool good = server_.listen_after_bind();
    done_ = true;
    watcher.join();
    if (!good && !spec_.stop()) throw Error("the page cannot be served any more");
  }

 private:
  static void say(httplib::Response& response, int status, const std::string& why) {
    response.status = status;
    response.set_content(fmt::format("{{\"error\":\"{}\"}}", why), "application/json");
  }

  bool refuses(const httplib::Request& request, httplib::Response& response) const {
    const auto host = request.get_header_value("Host");
    const auto own = [&](std::string_view name) { return host == fmt::format("{}:{}", name, port_); };
    if (request.get_header_value_count("Host") != 1 || !(own(kHost) || own("localhost"))) {
      say(response, 403, "this page is only for this machine");
      return true;
    }
    const std::string_view path = request.path;
    if (path.size() < token_.size() + 2 || !same(path.substr(1, token_.size()), token_) ||
        path[token_.size() + 1] != '/') {
      say(response, 403, "the address has another token; mlpac review prints it");
      return true;
    }
    if (path.find("..") != std::string_view::npos) {
      say(response, 404, "There is no such page.");
      return true;
    }
    if (request.method == "POST") {
      const auto origin = request.get_header_value("Origin");
      if (!origin.empty() && origin != "http://" + host) {
        say(response, 403, "decisions are only taken from the page itself");
        return true;
      }
    }
    return false;
  }

  void respond(const httplib::Request& request, httplib::Response& response) {
    ReviewRequest asked{request.method, request.path.substr(token_.size() + 2), {}, request.body};
    for (const auto& [name, value] : request.params) asked.query[name] = value;
    auto answered = answer(session_, asked);
    response.status = answered.status;
    response.set_content(std::move(answered.body), answered.type.c_str());
  }

  ReviewSession& session_;
  const ServerSpec& spec_;
  std::string token_;
  int port_ = 0;
  socket_t socket_ = INVALID_SOCKET;
  std::atomic<bool> done_ = false;
  httplib::Server server_;
};

}  // namespace

void serve_review(ReviewSession& session, const ServerSpec& spec) { ReviewServer(session, spec).run(); }

}  // namespace mlpac
