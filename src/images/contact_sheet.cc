#include "mlpac/contact_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base64.h"
#include "images/encode_jpeg.h"
#include "images/in_order.h"
#include "images/sheet_style.h"
#include "mlpac/image.h"

namespace mlpac {
namespace {

constexpr int kThumbnail = 240;  // longest side: sharp on screens with two pixels for each
constexpr int kQuality = 78;

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

struct Thumbnail {
  int width = 0;
  int height = 0;
  std::string uri;
};

Thumbnail thumbnail(const std::filesystem::path& file) {
  Image image = read_image(file, {.at_least = kThumbnail, .upright = true});
  const int longest = std::max(image.width, image.height);
  if (longest > kThumbnail) {
    const auto side = [&](int length) { return std::max(1, (length * kThumbnail + longest / 2) / longest); };
    image = resize(image, side(image.width), side(image.height));
  }
  return {image.width, image.height, "data:image/jpeg;base64," + base64(encode_jpeg(image, kQuality))};
}

bool differs(const SheetPicture& picture) {
  return std::any_of(picture.labels.begin(), picture.labels.end(),
                     [](const SheetLabel& label) { return label.predicted != label.annotated; });
}

/// What a label is: found, predicted though nobody annotated it, missed, or only the likeliest.
std::string_view kind_of(const SheetLabel& label, bool annotated) {
  if (label.predicted) return !annotated || label.annotated ? "hit" : "new";
  return label.annotated ? "missed" : "unsure";
}

std::string chip(const SheetLabel& label, bool annotated) {
  const int percent = static_cast<int>(std::lround(100 * std::clamp(label.probability, 0.0, 1.0)));
  return fmt::format(R"(<li class="{}" style="--p:{}%"><span>{}</span><b>{}</b></li>)", kind_of(label, annotated),
                     percent, escaped(label.name), percent);
}

std::string figure(const SheetPicture& picture, const Thumbnail& image, const SheetFacts& facts) {
  std::string text = fmt::format(
      R"(<figure class="{}"><div class="frame"><img src="{}" width="{}" height="{}" alt="{}" loading="lazy"></div><figcaption><p title="{}">{}</p><ul>)",
      facts.annotated && differs(picture) ? "differs" : "same", image.uri, image.width, image.height,
      escaped(picture.id), escaped(picture.id), escaped(picture.id));
  const bool none = std::none_of(picture.labels.begin(), picture.labels.end(),
                                 [](const SheetLabel& label) { return label.predicted; });
  if (none) text += R"(<li class="none">none predicted</li>)";
  for (const SheetLabel& label : picture.labels) text += chip(label, facts.annotated);
  return text + "</ul></figcaption></figure>\n";
}

std::string head(std::span<const SheetPicture> pictures, const SheetFacts& facts) {
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<meta name=\"color-scheme\" content=\"light dark\"><title>{0}</title><style>{1}</style></head>\n<body>"
      "<header><h1>{0}</h1><p>{2} of {3} pictures of {4}</p><ul class=\"legend\">",
      escaped(facts.title), kSheetStyle, pictures.size(), facts.total, escaped(facts.source));
  if (facts.annotated) {
    text += R"(<li class="hit" style="--p:100%"><span>predicted and annotated</span></li>)"
            R"(<li class="new" style="--p:100%"><span>predicted only</span></li>)"
            R"(<li class="missed" style="--p:0%"><span>annotated only</span></li></ul>)"
            R"(<label><input type="checkbox" id="differences"> only pictures where they differ</label>)";
  } else {
    text += R"(<li class="hit" style="--p:100%"><span>predicted</span></li>)"
            R"(<li class="unsure" style="--p:0%"><span>likeliest, below the threshold</span></li></ul>)";
  }
  return text + "<p class=\"note\">Numbers are probabilities in percent.</p></header>\n<main>\n";
}

}  // namespace

std::string contact_sheet(std::span<const SheetPicture> pictures, const SheetFacts& facts, int threads) {
  std::vector<std::string> figures(pictures.size());
  const auto make = [&](std::size_t i) { figures[i] = figure(pictures[i], thumbnail(pictures[i].file), facts); };
  run_in_order(pictures.size(), threads, make, [] { return false; });
  std::string page = head(pictures, facts);
  for (const std::string& text : figures) page += text;
  return page + "</main></body></html>\n";
}

}  // namespace mlpac
