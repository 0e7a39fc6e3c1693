// A table and its forms: Markdown, CSV, LaTeX and HTML. Cells are text in which **…** is bold and `…` a name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mlpac {

struct TextTable {
  std::string title;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;  ///< as long as the head
};

std::string to_markdown(const TextTable& table);
/// With the title as a first column, so that several tables fit one file; without bold.
std::string to_csv(const TextTable& table);
/// A tabular in a table environment, with booktabs' rules.
std::string to_latex(const TextTable& table);
/// The page's script makes it sortable.
std::string to_html(const TextTable& table);

/// Text for HTML, without markup.
std::string escape_html(std::string_view text);
/// The same with **…** and `…` as elements.
std::string inline_html(std::string_view text);
/// Without ** and `.
std::string plain_text(std::string_view text);

}  // namespace mlpac
