#include "methods/prior_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "mlpac/error.h"

namespace mlpac {

namespace {

/// Share of the rows in which a class is +1.
std::vector<double> shares(const Labels& labels, std::span<const std::int64_t> rows) {
  std::vector<double> result;
  for (const std::int64_t count : labels.select(rows).count_per_class(kAnnotated)) {
    result.push_back(static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(1, rows.size())));
  }
  return result;
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size()) return {};
  return value;
}

}  // namespace

std::vector<double> class_prior(const Options& options, const Labels& annotated, const Labels* truth,
                                std::span<const std::int64_t> rows) {
  const std::string_view text = options.text("prior");
  if (text == "true") {
    if (truth == nullptr) throw UsageError("--prior true: the complete labels are not known; it is for --ratio");
    return shares(*truth, rows);
  }
  auto prior = shares(annotated, rows);
  if (text == "counting") return prior;
  if (text.starts_with("multiple:")) {
    const auto factor = number(text.substr(std::string_view("multiple:").size()));
    if (factor && *factor >= 1) {
      // Beyond one half a multiple says little: most positives of such a class must have been annotated.
      for (double& share : prior) share = std::max(share, std::min(*factor * share, 0.5));
      return prior;
    }
  } else if (const auto share = number(text); share && *share > 0 && *share < 1) {
    return std::vector<double>(prior.size(), *share);
  }
  throw UsageError(fmt::format(
      "--prior: expected a number between 0 and 1, counting, multiple:E with E of at least 1, or true, got '{}'",
      text));
}

}  // namespace mlpac
