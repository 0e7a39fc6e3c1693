// One HTML page that needs nothing else: opens from disk, without network, in light and dark, and prints. Tables are
// there without the script; charts are data that the embedded script draws.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/table.h"

namespace mlpac {

/// A line of a chart, or the bars of one colour.
struct Series {
  std::string name;
  std::vector<double> x;      ///< of a line; bars have the chart's categories instead
  std::vector<double> y;      ///< NaN: nothing there
  std::vector<double> error;  ///< standard deviation of y, or empty
  bool behind = false;        ///< a reference behind the others: grey and dashed
  int colour = -1;            ///< the same number is the same colour; -1: the next one
};

struct ChartMark {
  double x = 0;
  std::string text;
};

struct Chart {
  std::string title;
  std::string x;  ///< what the axes show
  std::string y;
  std::vector<Series> series;
  std::vector<std::string> categories;  ///< not empty: horizontal bars
  std::vector<ChartMark> marks;         ///< vertical lines
  bool logarithmic = false;             ///< x
};

nlohmann::json to_json(const Chart& chart);

class Page {
 public:
  Page(std::string title, std::string subtitle);

  void section(std::string_view title, std::string_view text = {});
  void paragraph(std::string_view text);
  /// Large figures in a row: name and value.
  void figures(std::span<const std::pair<std::string, std::string>> figures);
  void table(const TextTable& table);
  /// Side by side where there is room; charts without a value are left out.
  void charts(std::span<const Chart> charts);

  std::string html() const;

 private:
  std::string title_;
  std::string subtitle_;
  std::string body_;
  std::vector<std::string> sections_;
  std::size_t charts_ = 0;
};

}  // namespace mlpac
