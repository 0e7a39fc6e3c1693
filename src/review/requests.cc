#include "review/requests.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "mlpac/error.h"
#include "review/decisions.h"
#include "review/page_files.h"
#include "review/session.h"
#include "review/suggestion_line.h"

namespace mlpac {
namespace {

using nlohmann::json;

/// What the page has asked for makes no sense.
class BadRequest : public Error {
 public:
  using Error::Error;
};

ReviewResponse reply(const json& value, int status = 200) {
  return {status, "application/json", value.dump(-1, ' ', false, json::error_handler_t::replace)};
}

ReviewResponse refuse(int status, std::string_view why) { return reply({{"error", why}}, status); }

std::size_t number_of(std::string_view text) {
  std::int64_t number = -1;
  if (!parse_value(text, number) || number < 0) throw BadRequest("expected the number of a suggestion");
  return static_cast<std::size_t>(number);
}

Verdict verdict_of(std::string_view name) {
  if (name == "open") return Verdict::open;
  const auto verdict = parse_verdict(name);
  if (!verdict) throw BadRequest("expected open, accept, reject or skip");
  return *verdict;
}

/// The parameters of a request, in the query or in the body.
class Parameters {
 public:
  explicit Parameters(const ReviewRequest& request) : query_(request.query) {
    if (request.method != "POST") return;
    body_ = json::parse(request.body, nullptr, false);
    if (!body_.is_object()) throw BadRequest("expected a JSON object");
  }

  std::optional<std::string> text(const std::string& name) const {
    if (body_.is_object()) {
      const auto found = body_.find(name);
      if (found == body_.end() || found->is_null()) return std::nullopt;
      if (found->is_string()) return found->get<std::string>();
      if (found->is_number_integer()) return found->dump();
      throw BadRequest("expected texts and whole numbers");
    }
    const auto found = query_.find(name);
    return found == query_.end() || found->second.empty() ? std::nullopt : std::optional(found->second);
  }

  std::size_t at() const {
    const auto value = text("at");
    if (!value) throw BadRequest("expected at");
    return number_of(*value);
  }

  ReviewFilter filter() const {
    ReviewFilter filter;
    if (const auto label = text("label")) {
      const auto number = number_of(*label);
      if (number > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
        throw BadRequest("there is no such label");
      }
      filter.label = static_cast<std::int32_t>(number);
    }
    if (const auto verdict = text("show")) filter.verdict = verdict_of(*verdict);
    return filter;
  }

 private:
  const std::map<std::string, std::string>& query_;
  json body_;
};

/// The next suggestion and how far the review is.
ReviewResponse next(const ReviewSession& session, std::size_t from, const ReviewFilter& filter) {
  const auto at = session.next(from, filter);
  return reply({{"item", at ? session.item(*at) : json()}, {"progress", session.progress(filter)}});
}

ReviewResponse undo(ReviewSession& session, const ReviewFilter& filter) {
  const auto undone = session.undo();
  if (!undone) return refuse(409, "There is nothing to undo.");
  return reply({{"item", undone->at ? session.item(*undone->at) : json()},
                {"progress", session.progress(filter)},
                {"undone", {{"label", undone->decision.label}, {"id", undone->decision.id}}}});
}

struct PageFile {
  std::string_view path;
  std::string_view content;
  std::string_view type;
};
constexpr std::array<PageFile, 3> kPage{{{"", review_page::kIndexHtml, "text/html; charset=utf-8"},
                                         {"page.css", review_page::kPageCss, "text/css; charset=utf-8"},
                                         {"page.js", review_page::kPageJs, "text/javascript; charset=utf-8"}}};

ReviewResponse get(const ReviewSession& session, const ReviewRequest& request) {
  for (const auto& file : kPage) {
    if (request.path == file.path) return {200, std::string(file.type), std::string(file.content)};
  }
  const Parameters parameters(request);
  if (request.path == "state") return reply(session.state());
  if (request.path == "next") {
    const auto from = parameters.text("from");
    return next(session, from ? number_of(*from) : 0, parameters.filter());
  }
  if (request.path == "item") {
    return reply({{"item", session.item(parameters.at())}, {"progress", session.progress(parameters.filter())}});
  }
  if (request.path == "picture") {
    auto picture = session.picture(parameters.at());
    if (!picture) return refuse(404, "There is no picture.");
    return {200, std::move(picture->type), std::move(picture->bytes)};
  }
  return refuse(404, "There is no such page.");
}

ReviewResponse post(ReviewSession& session, const ReviewRequest& request) {
  const Parameters parameters(request);
  if (request.path == "decide") {
    const auto verdict = verdict_of(parameters.text("verdict").value_or(""));
    if (verdict == Verdict::open) throw BadRequest("expected accept, reject or skip");
    const auto filter = parameters.filter();
    const auto at = parameters.at();
    session.decide(at, verdict);
    return next(session, at + 1, filter);
  }
  if (request.path == "undo") return undo(session, parameters.filter());
  return refuse(404, "There is no such page.");
}

}  // namespace

ReviewResponse answer(ReviewSession& session, const ReviewRequest& request) {
  try {
    if (request.method == "GET") return get(session, request);
    if (request.method == "POST") return post(session, request);
    return refuse(405, "expected GET or POST");
  } catch (const BadRequest& error) {
    return refuse(400, error.what());
  } catch (const Error& error) {
    return refuse(422, error.what());
  } catch (const std::exception& error) {
    return refuse(500, error.what());
  }
}

}  // namespace mlpac
