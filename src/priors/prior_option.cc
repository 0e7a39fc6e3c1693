#include "priors/prior_option.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "core/names.h"
#include "core/number_in.h"
#include "data/line_reader.h"
#include "mlpac/error.h"
#include "priors/priors.h"

namespace mlpac {

namespace {

constexpr std::string_view kEstimate = "estimate";
constexpr std::string_view kMultiple = "multiple:";

bool is_share(double value) { return value >= 0 && value <= 1; }  // false for NaN

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t";
  const auto first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string_view unquoted(std::string_view text) {
  const bool quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

/// The class a line `name,number` is about.
std::size_t class_of(std::string_view name, std::span<const std::string> names, const LineReader& reader) {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at != names.end()) return static_cast<std::size_t>(at - names.begin());
  const auto nearest = nearest_name(name, {names.begin(), names.end()});
  reader.fail(fmt::format("'{}' is none of the {} labels{}", name, names.size(),
                          nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
}

/// One number per line in the order of the labels, or lines `name,number` in any order.
std::vector<double> read_priors(const std::string& path, std::span<const std::string> names) {
  LineReader reader{std::filesystem::path(path)};
  std::vector<double> priors(names.size(), -1);
  std::size_t count = 0;
  std::optional<bool> named;
  while (reader.next()) {
    const auto line = trimmed(reader.line());
    if (line.empty()) continue;
    const auto comma = line.rfind(',');
    const bool has_name = comma != std::string_view::npos;
    if (named && *named != has_name) reader.fail("some lines have a name and some do not");
    named = has_name;
    const auto text = trimmed(has_name ? line.substr(comma + 1) : line);
    const auto value = number_in(text);
    if (!value || !is_share(*value)) reader.fail(fmt::format("expected a share from 0 to 1, got '{}'", text));
    if (count == names.size()) reader.fail(fmt::format("more lines than the {} labels", names.size()));
    const auto c = has_name ? class_of(unquoted(trimmed(line.substr(0, comma))), names, reader) : count;
    if (priors[c] >= 0) reader.fail(fmt::format("'{}' has a prior already", names[c]));
    priors[c] = *value;
    ++count;
  }
  if (count < names.size()) {
    const auto missing = static_cast<std::size_t>(std::find(priors.begin(), priors.end(), -1) - priors.begin());
    reader.fail(fmt::format("{} of {} priors are here; that of '{}' is missing", count, names.size(), names[missing]));
  }
  return priors;
}

std::vector<double> estimated(const std::string& name, const PriorSources& sources) {
  if (sources.features == nullptr) {
    throw UsageError("--prior estimate: this kind of data has no features to estimate from; use multiple:E or a file");
  }
  return estimate_priors(*sources.features, sources.annotated, sources.rows, name, sources.seed).prior;
}

std::vector<double> given(const Options& options, const PriorSources& sources) {
  const auto& text = options.text("prior");
  const auto classes = static_cast<std::size_t>(sources.annotated.classes());
  if (text == "true") {
    if (sources.truth == nullptr) {
      throw UsageError("--prior true: complete labels are only known in experiments, with --ratio; try estimate");
    }
    return positive_shares(*sources.truth, sources.rows);
  }
  if (text == "counting") return positive_shares(sources.annotated, sources.rows);
  if (text.starts_with(kMultiple)) {
    const auto multiple = number_in(std::string_view(text).substr(kMultiple.size()));
    if (!multiple || !(*multiple >= 1 && *multiple <= 1e12)) {
      throw UsageError(fmt::format("--prior: expected a number of at least 1 after multiple:, got '{}'", text));
    }
    auto priors = positive_shares(sources.annotated, sources.rows);
    for (double& prior : priors) prior *= *multiple;
    return priors;
  }
  if (const auto estimator = estimator_of(options)) return estimated(*estimator, sources);
  if (const auto number = number_in(text)) {
    if (!is_share(*number)) throw UsageError(fmt::format("--prior: expected a share from 0 to 1, got {}", text));
    std::vector<double> priors(classes, *number);
    return priors;
  }
  if (!std::filesystem::is_regular_file(text)) {
    throw UsageError(
        fmt::format("--prior: '{}' is neither a share from 0 to 1, nor true, counting, multiple:E, estimate or "
                    "estimate:NAME, nor a "
                    "file",
                    text));
  }
  return read_priors(text, sources.label_names);
}

/// Methods estimate by default; on data without features that is an error only where nothing else tells them.
bool not_asked_for(const Options& options, const PriorSources& sources) {
  const bool told = options.text("expected-positives") != "prior" || options.text("csl-prior") != "prior";
  return told && sources.features == nullptr && options.source("prior") < OptionSource::config && estimator_of(options);
}

}  // namespace

std::optional<std::string> estimator_of(const Options& options) {
  const std::string_view text = options.text("prior");
  if (text == kEstimate) return std::string(prior_estimators().front().name);
  if (!text.starts_with(kEstimate) || text[kEstimate.size()] != ':') return {};
  return std::string(find_prior_estimator(text.substr(kEstimate.size() + 1)).name);
}

std::vector<double> positive_shares(const Labels& labels, std::span<const std::int64_t> rows) {
  std::vector<double> shares(static_cast<std::size_t>(labels.classes()), 0);
  for (const std::int64_t row : rows) {
    for (const auto& entry : labels.row(row)) {
      if (entry.state == kAnnotated) ++shares[static_cast<std::size_t>(entry.column)];
    }
  }
  for (double& share : shares) share /= static_cast<double>(std::max<std::size_t>(1, rows.size()));
  return shares;
}

std::vector<double> resolve_prior(const Options& options, const PriorSources& sources) {
  if (!options.has("prior") || not_asked_for(options, sources)) return {};
  auto priors = given(options, sources);
  const auto annotated = positive_shares(sources.annotated, sources.rows);
  for (std::size_t c = 0; c < priors.size(); ++c) priors[c] = std::clamp(priors[c], annotated[c], 1.0);
  return priors;
}

}  // namespace mlpac
