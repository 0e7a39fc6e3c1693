#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mlpac {
namespace {

using Escapes = std::vector<std::pair<std::string_view, std::string_view>>;

/// Replaces what is listed, from left to right.
std::string replaced(std::string_view text, const Escapes& escapes) {
  std::string result;
  while (!text.empty()) {
    const auto found = std::find_if(escapes.begin(), escapes.end(),
                                    [&](const auto& escape) { return text.starts_with(escape.first); });
    if (found == escapes.end()) {
      result += text.front();
      text.remove_prefix(1);
    } else {
      result += found->second;
      text.remove_prefix(found->first.size());
    }
  }
  return result;
}

struct Mark {
  std::string_view sign;
  std::string_view open;
  std::string_view close;
};

/// Pairs of signs become what opens and closes; one that is never closed stays as it is.
std::string marked(std::string_view text, std::array<Mark, 2> marks, const Escapes& escapes) {
  std::string result;
  std::string plain;
  const auto flush = [&] {
    result += replaced(plain, escapes);
    plain.clear();
  };
  while (!text.empty()) {
    const auto* const mark =
        std::find_if(marks.begin(), marks.end(), [&](const Mark& m) { return text.starts_with(m.sign); });
    const auto end = mark == marks.end() ? std::string_view::npos : text.find(mark->sign, mark->sign.size());
    if (end == std::string_view::npos) {
      plain += text.front();
      text.remove_prefix(1);
      continue;
    }
    flush();
    const auto inside = text.substr(mark->sign.size(), end - mark->sign.size());
    result += fmt::format("{}{}{}", mark->open, replaced(inside, escapes), mark->close);
    text.remove_prefix(end + mark->sign.size());
  }
  flush();
  return result;
}

const Escapes& html_escapes() {
  static const Escapes escapes{{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}, {"'", "&#39;"}};
  return escapes;
}

/// The number a cell begins with, for sorting.
std::optional<double> leading_number(std::string_view cell) {
  if (cell.starts_with("+")) cell.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  if (error != std::errc()) return std::nullopt;
  // "2 of 3 cells" counts as a number; a name such as 3d-cnn does not.
  const bool whole = end == cell.data() + cell.size() || *end == ' ' || *end == '%';
  return whole ? std::optional(number) : std::nullopt;
}

std::string joined(const std::vector<std::string>& cells, std::string_view between) {
  return fmt::format("{}", fmt::join(cells, between));
}

}  // namespace

std::string escape_html(std::string_view text) { return replaced(text, html_escapes()); }

std::string inline_html(std::string_view text) {
  return marked(text, {{{"**", "<strong>", "</strong>"}, {"`", "<code>", "</code>"}}}, html_escapes());
}

std::string plain_text(std::string_view text) { return marked(text, {{{"**", "", ""}, {"`", "", ""}}}, {}); }

std::string to_markdown(const TextTable& table) {
  std::string text = fmt::format("| {} |\n|", joined(table.head, " | "));
  for (std::size_t i = 0; i < table.head.size(); ++i) text += "---|";
  text += '\n';
  for (const auto& row : table.rows) text += fmt::format("| {} |\n", joined(row, " | "));
  return text;
}

std::string to_csv(const TextTable& table) {
  const auto line = [](std::string_view first, const std::vector<std::string>& cells) {
    std::vector<std::string> all{std::string(first)};
    all.insert(all.end(), cells.begin(), cells.end());
    for (auto& cell : all) {
      cell = plain_text(cell);
      if (cell.find_first_of(",\"\n") != std::string::npos)
        cell = fmt::format("\"{}\"", replaced(cell, {{"\"", "\"\""}}));
    }
    return joined(all, ",") + '\n';
  };
  std::string text = line("table", table.head);
  for (const auto& row : table.rows) text += line(table.title, row);
  return text;
}

std::string to_latex(const TextTable& table) {
  static const Escapes escapes{{"\\", "\\textbackslash{}"},
                               {"&", "\\&"},
                               {"%", "\\%"},
                               {"$", "\\$"},
                               {"#", "\\#"},
                               {"_", "\\_"},
                               {"{", "\\{"},
                               {"}", "\\}"},
                               {"~", "\\textasciitilde{}"},
                               {"^", "\\textasciicircum{}"},
                               {"±", "$\\pm$"},
                               {"▲", "$\\blacktriangle$"},
                               {"▼", "$\\blacktriangledown$"},
                               {"≥", "$\\ge$"},
                               {"−", "$-$"},
                               {"–", "--"},
                               {"γ", "$\\gamma$"},
                               {"ρ", "$\\rho$"},
                               {"…", "\\dots{}"}};
  const auto line = [&](const std::vector<std::string>& cells) {
    std::vector<std::string> own;
    own.reserve(cells.size());
    for (const auto& cell : cells) {
      own.push_back(marked(cell, {{{"**", "\\textbf{", "}"}, {"`", "\\texttt{", "}"}}}, escapes));
    }
    return fmt::format("{} \\\\\n", joined(own, " & "));
  };
  std::string text = "\\begin{table}\n\\centering\n\\begin{tabular}{l";
  for (std::size_t i = 1; i < table.head.size(); ++i) text += 'r';
  text += fmt::format("}}\n\\toprule\n{}\\midrule\n", line(table.head));
  for (const auto& row : table.rows) text += line(row);
  return text + fmt::format("\\bottomrule\n\\end{{tabular}}\n\\caption{{{}}}\n\\end{{table}}\n",
                            replaced(table.title, escapes));
}

std::string to_html(const TextTable& table) {
  std::string text = fmt::format(
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
      "aria-label=\"{0}\"><table><caption>{0}</caption><thead><tr>",
      escape_html(table.title));
  for (const auto& cell : table.head) text += fmt::format("<th scope=\"col\">{}</th>", inline_html(cell));
  text += "</tr></thead><tbody>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) {
      const auto number = leading_number(plain_text(row[i]));
      const auto value = number ? fmt::format(" data-value=\"{}\"", *number) : std::string();
      text += i == 0 ? fmt::format("<th scope=\"row\"{}>{}</th>", value, inline_html(row[i]))
                     : fmt::format("<td{}>{}</td>", value, inline_html(row[i]));
    }
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

}  // namespace mlpac
