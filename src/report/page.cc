#include "report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/version.h"
#include "report/page_files.h"

namespace mlpac {
namespace {

nlohmann::json numbers(std::span<const double> values) {
  auto result = nlohmann::json::array();
  for (const double value : values) result.push_back(std::isfinite(value) ? nlohmann::json(value) : nlohmann::json());
  return result;
}

bool shows_something(const Chart& chart) {
  return std::any_of(chart.series.begin(), chart.series.end(), [](const Series& series) {
    return std::any_of(series.y.begin(), series.y.end(), [](double y) { return std::isfinite(y); });
  });
}

/// Inside a script element nothing may look like its end.
std::string script_safe(std::string text) {
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    text.replace(at, 1, "\\u003c");
  }
  return text;
}

}  // namespace

nlohmann::json to_json(const Chart& chart) {
  nlohmann::json result{{"title", chart.title}, {"x", chart.x}, {"y", chart.y}, {"log", chart.logarithmic}};
  if (!chart.categories.empty()) result["categories"] = chart.categories;
  result["series"] = nlohmann::json::array();
  for (const auto& series : chart.series) {
    nlohmann::json own{{"name", series.name}, {"y", numbers(series.y)}, {"behind", series.behind}};
    if (!series.x.empty()) own["x"] = numbers(series.x);
    if (!series.error.empty()) own["error"] = numbers(series.error);
    if (series.colour >= 0) own["colour"] = series.colour;
    result["series"].push_back(std::move(own));
  }
  result["marks"] = nlohmann::json::array();
  for (const auto& mark : chart.marks) result["marks"].push_back({{"x", mark.x}, {"text", mark.text}});
  return result;
}

Page::Page(std::string title, std::string subtitle) : title_(std::move(title)), subtitle_(std::move(subtitle)) {}

void Page::section(std::string_view title, std::string_view text) {
  if (!sections_.empty()) body_ += "</section>\n";
  sections_.emplace_back(title);
  body_ += fmt::format("<section id=\"s{}\"><h2>{}</h2>\n", sections_.size(), escape_html(title));
  paragraph(text);
}

void Page::paragraph(std::string_view text) {
  if (!text.empty()) body_ += fmt::format("<p>{}</p>\n", inline_html(text));
}

void Page::figures(std::span<const std::pair<std::string, std::string>> figures) {
  body_ += "<dl class=\"figures\">";
  for (const auto& [name, value] : figures) {
    constexpr std::size_t kShort = 9;
    body_ += fmt::format("<div><dt>{}</dt><dd{}>{}</dd></div>", escape_html(name),
                         value.size() > kShort ? " class=\"long\"" : "", escape_html(value));
  }
  body_ += "</dl>\n";
}

void Page::table(const TextTable& table) { body_ += to_html(table); }

void Page::charts(std::span<const Chart> charts) {
  if (std::none_of(charts.begin(), charts.end(), shows_something)) return;
  body_ += "<div class=\"charts\">\n";
  for (const auto& chart : charts) {
    if (!shows_something(chart)) continue;
    body_ += fmt::format(
        "<figure class=\"chart\" id=\"c{}\"><figcaption>{}</figcaption>"
        "<script type=\"application/json\">{}</script><noscript>The chart needs JavaScript.</noscript></figure>\n",
        ++charts_, escape_html(chart.title),
        script_safe(to_json(chart).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
  }
  body_ += "</div>\n";
}

std::string Page::html() const {
  std::string links;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    links += fmt::format("<a href=\"#s{}\">{}</a>", i + 1, escape_html(sections_[i]));
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<meta name=\"color-scheme\" content=\"light dark\"><meta name=\"generator\" content=\"mlpac {}\">"
      "<link rel=\"icon\" href=\"data:,\"><title>{}</title>\n<style>\n{}</style></head>\n<body>\n<header><h1>{}</h1>"
      "<p>{}</p><nav "
      "aria-label=\"Sections\">{}</nav></header>\n<main>\n{}{}</main>\n<script>\n{}</script>\n</body></html>\n",
      kVersion, escape_html(title_), page::kStyleCss, escape_html(title_), inline_html(subtitle_), links, body_,
      sections_.empty() ? "" : "</section>\n", page::kChartsJs);
}

}  // namespace mlpac
