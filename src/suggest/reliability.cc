#include "suggest/reliability.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mlpac/prior.h"
#include "mlpac/suggestions.h"

namespace mlpac {
namespace {

constexpr std::size_t kBins = 10;

struct Sums {
  double probability = 0;
  double annotated = 0;
  double positive = 0;
  double entries = 0;
};

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '&') {
      result += "&amp;";
    } else {
      result += c;
    }
  }
  return result;
}

// Of the drawing.
constexpr double kLeft = 64;
constexpr double kTop = 72;
constexpr double kSide = 360;
double x_of(double value) { return kLeft + kSide * std::clamp(value, 0.0, 1.1); }
double y_of(double value) { return kTop + kSide * (1 - std::clamp(value, 0.0, 1.1)); }

std::string axes() {
  std::string text;
  for (int tick = 0; tick <= 10; tick += 2) {
    const double value = tick / 10.0;
    text += fmt::format(
        R"(<path class="grid" d="M{0:.0f} {1:.0f}V{2:.0f}M{3:.0f} {4:.0f}H{5:.0f}"/><text x="{0:.0f}" y="{6:.0f}" text-anchor="middle">{7}</text><text x="{8:.0f}" y="{9:.0f}" text-anchor="end">{7}</text>)",
        x_of(value), kTop, kTop + kSide, kLeft, y_of(value), kLeft + kSide, kTop + kSide + 18,
        fmt::format("{:.1f}", value), kLeft - 8, y_of(value) + 4);
    text += '\n';
  }
  return text + fmt::format(R"(<path class="ideal" d="M{} {}L{} {}"/>)", x_of(0), y_of(0), x_of(1), y_of(1)) + '\n';
}

}  // namespace

std::vector<ReliabilityBin> reliability(std::span<const ScoreCurve> classes, const Calibration& calibration,
                                        std::span<const ScoreCurve> positives) {
  std::array<Sums, kBins> sums{};
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (std::size_t bin = 0; bin < classes[c].entries.size(); ++bin) {
      if (classes[c].entries[bin] == 0) continue;
      const double probability = calibration.positive(c, ScoreCurve::centre_of(bin));
      auto& sum = sums.at(std::min(kBins - 1, static_cast<std::size_t>(probability * kBins)));
      const auto entries = static_cast<double>(classes[c].entries[bin]);
      sum.entries += entries;
      sum.probability += entries * probability;
      sum.annotated += static_cast<double>(classes[c].annotated[bin]);
      if (!positives.empty()) sum.positive += static_cast<double>(positives[c].annotated[bin]);
    }
  }
  const double share = std::max(1e-6, calibration.annotated());
  std::vector<ReliabilityBin> bins;
  for (const Sums& sum : sums) {
    if (sum.entries == 0) continue;
    const double annotated = sum.annotated / sum.entries;
    ReliabilityBin bin;
    bin.entries = std::llround(sum.entries);
    bin.probability = sum.probability / sum.entries;
    bin.observed = annotated / share;
    bin.error = std::sqrt(annotated * (1 - annotated) / sum.entries) / share;
    if (!positives.empty()) bin.truth = sum.positive / sum.entries;
    bins.push_back(bin);
  }
  return bins;
}

nlohmann::json to_json(std::span<const ReliabilityBin> bins) {
  auto result = nlohmann::json::array();
  for (const ReliabilityBin& bin : bins) {
    nlohmann::json line{
        {"probability", bin.probability}, {"observed", bin.observed}, {"error", bin.error}, {"entries", bin.entries}};
    if (bin.truth) line["true"] = *bin.truth;
    result.push_back(std::move(line));
  }
  return result;
}

std::string reliability_svg(std::span<const ReliabilityBin> bins, const std::string& title) {
  const bool truth =
      std::any_of(bins.begin(), bins.end(), [](const ReliabilityBin& bin) { return bin.truth.has_value(); });
  std::string text =
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 500 530" width="500" height="530" font-family="sans-serif" font-size="12">
<style>rect{fill:#fff}text{fill:#333}.grid{stroke:#ddd;fill:none}.ideal{stroke:#888;stroke-dasharray:5 4;fill:none}.bar{stroke:#1a5fd0;fill:none}.seen{fill:#1a5fd0}.true{fill:none;stroke:#b3261e;stroke-width:2}</style>
<rect width="500" height="530"/>
)";
  text +=
      fmt::format("<title>{0}</title><text x=\"{1}\" y=\"24\" font-size=\"14\">{0}</text>\n", escaped(title), kLeft);
  text += axes();
  for (const ReliabilityBin& bin : bins) {
    const double size = 3 + std::log10(static_cast<double>(std::max<std::int64_t>(1, bin.entries)));
    text += fmt::format(
        R"(<path class="bar" d="M{0:.1f} {1:.1f}V{2:.1f}"/><circle class="seen" cx="{0:.1f}" cy="{3:.1f}" r="{4:.1f}"><title>{5} entries</title></circle>)",
        x_of(bin.probability), y_of(bin.observed - 2 * bin.error), y_of(bin.observed + 2 * bin.error),
        y_of(bin.observed), size, bin.entries);
    if (bin.truth) {
      text += fmt::format(R"(<circle class="true" cx="{:.1f}" cy="{:.1f}" r="{:.1f}"/>)", x_of(bin.probability),
                          y_of(*bin.truth), size);
    }
    text += '\n';
  }
  text +=
      fmt::format(R"(<text x="{:.0f}" y="{:.0f}" text-anchor="middle">calibrated probability of being positive</text>)",
                  kLeft + kSide / 2, kTop + kSide + 40);
  text += fmt::format(
      R"svg(<text transform="translate(18 {:.0f}) rotate(-90)" text-anchor="middle">annotated share / estimated annotated share of positives</text>)svg",
      kTop + kSide / 2);
  text += fmt::format(
      R"(<circle class="seen" cx="{0:.0f}" cy="506" r="5"/><text x="{1:.0f}" y="510">observed, two standard errors</text>)",
      kLeft + 6, kLeft + 18);
  if (truth) {
    text += fmt::format(
        R"(<circle class="true" cx="{:.0f}" cy="506" r="5"/><text x="{:.0f}" y="510">truly positive</text>)",
        kLeft + 226, kLeft + 238);
  }
  return text + "\n</svg>\n";
}

}  // namespace mlpac
