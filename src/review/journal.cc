#include "review/journal.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/file.h"
#include "data/text.h"
#include "mlpac/error.h"
#include "review/decisions.h"

namespace mlpac {
namespace {

using nlohmann::json;

constexpr std::string_view kKind = "mlpac review";
constexpr int kVersionOfFormat = 1;

std::string line_of(std::string_view what, const ReviewDecision& decision, const std::string& time) {
  const json line{{"decision", what},
                  {"row", decision.row},
                  {"id", decision.id},
                  {"label", decision.label},
                  {"probability", decision.probability},
                  {"time", time}};
  return line.dump() + '\n';
}

struct Content {
  JournalFacts facts;
  ReviewDecisions decisions;
};

class Parser {
 public:
  explicit Parser(std::string source) : source_(std::move(source)) {}

  Content parse(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      ++line_;
      parse_line(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (line_ == 0) {
      line_ = 1;
      fail("the file is empty, expected a journal of mlpac review");
    }
    return std::move(content_);
  }

 private:
  [[noreturn]] void fail(std::string_view what) const { throw Error(fmt::format("{}:{}: {}", source_, line_, what)); }

  void parse_line(std::string_view text) {
    const json line = json::parse(text, nullptr, false);
    if (!line.is_object()) {
      fail(fmt::format("{} is no JSON object, expected a line of a journal of mlpac review", in_quotes(text)));
    }
    try {
      if (line_ == 1) return parse_head(line);
      parse_decision(line);
    } catch (const json::exception&) {
      fail("expected decision, row, id, label, probability and time");
    }
  }

  void parse_head(const json& line) {
    if (line.value("journal", "") != kKind) fail("expected a journal of mlpac review; is it another kind of file?");
    if (line.at("version").get<int>() != kVersionOfFormat) fail("was written by another version of mlpac");
    content_.facts = {line.at("suggestions").get<std::string>(), line.at("data").get<std::string>(),
                      line.at("instances").get<std::int64_t>()};
  }

  void parse_decision(const json& line) {
    const auto what = line.at("decision").get<std::string>();
    if (what == "undo") {
      if (!content_.decisions.take_back()) fail("takes a decision back, but there is none before it");
      return;
    }
    const auto verdict = parse_verdict(what);
    if (!verdict) fail(fmt::format("the decision is {}, expected accept, reject, skip or undo", in_quotes(what)));
    content_.decisions.add({*verdict, line.at("row").get<std::int64_t>(), line.at("id").get<std::string>(),
                            line.at("label").get<std::string>(), line.at("probability").get<double>(),
                            line.at("time").get<std::string>()});
  }

  std::string source_;
  std::int64_t line_ = 0;
  Content content_;
};

/// Without half a line at the end.
std::string_view complete_lines(std::string_view text) { return text.substr(0, text.rfind('\n') + 1); }

std::string reason() { return std::generic_category().message(errno); }

}  // namespace

std::string utc_now() {
  return fmt::format("{:%FT%TZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
}

ReviewDecisions read_journal(const std::filesystem::path& path) {
  const std::string text = read_file(path);
  return Parser(path.string()).parse(complete_lines(text)).decisions;
}

Journal::Journal(std::filesystem::path path, const JournalFacts& facts)
    : path_(std::move(path)), fd_(::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  const auto fail = [&](const std::string& why) {
    if (fd_ >= 0) ::close(fd_);
    throw Error(fmt::format("{}: {}", path_.string(), why));
  };
  if (fd_ < 0) fail(fmt::format("cannot be opened for appending: {}", reason()));
  if (::flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    fail("another mlpac review has this journal open; use its page, or name another with --journal");
  }
  try {
    const std::string text = read_file(path_);
    const std::string_view complete = complete_lines(text);
    repaired_ = complete.size() != text.size();
    size_ = static_cast<std::int64_t>(complete.size());
    if (repaired_ && ::ftruncate(fd_, size_) != 0) {
      throw Error(fmt::format("{}: cannot be shortened: {}", path_.string(), reason()));
    }
    if (complete.empty()) {
      append(json{{"journal", kKind},
                  {"version", kVersionOfFormat},
                  {"suggestions", facts.suggestions},
                  {"data", facts.data},
                  {"instances", facts.instances}}
                 .dump() +
             '\n');
      return;
    }
    auto content = Parser(path_.string()).parse(complete);
    if (content.facts.instances != facts.instances) {
      throw Error(
          fmt::format("{}: holds decisions about {} with {} instances, but {} has {}; name another with --journal",
                      path_.string(), content.facts.data, content.facts.instances, facts.data, facts.instances));
    }
    decisions_ = std::move(content.decisions);
  } catch (...) {
    ::close(fd_);
    throw;
  }
}

Journal::~Journal() { ::close(fd_); }

void Journal::append(const std::string& line) {
  std::string_view rest = line;
  bool good = true;
  while (good && !rest.empty()) {
    const ssize_t written = ::write(fd_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    good = written > 0;
    if (good) rest.remove_prefix(static_cast<std::size_t>(written));
  }
  if (!good || ::fdatasync(fd_) != 0) {
    const auto why = reason();
    // What is half written must not be read later as if it counted; if even this fails, the next start removes it.
    [[maybe_unused]] const int ignored = ::ftruncate(fd_, size_);
    throw Error(
        fmt::format("{}: the decision cannot be written: {}; free space, then decide again", path_.string(), why));
  }
  size_ += static_cast<std::int64_t>(line.size());
}

void Journal::add(ReviewDecision decision) {
  append(line_of(verdict_name(decision.verdict), decision, decision.time));
  decisions_.add(std::move(decision));
}

std::optional<ReviewDecision> Journal::undo() {
  auto last = decisions_.take_back();
  if (!last) return std::nullopt;
  try {
    append(line_of("undo", *last, utc_now()));
  } catch (...) {
    decisions_.add(std::move(*last));
    throw;
  }
  return last;
}

}  // namespace mlpac
