#include "data/labelled_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/file.h"
#include "data/label_names.h"
#include "data/line_reader.h"
#include "data/matrix_builder.h"
#include "data/text.h"
#include "data/text_encoder.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"

namespace mlpac {
namespace {

constexpr std::string_view kLabel = "__label__";
constexpr std::string_view kBlanks = " \t\r\f\v";
constexpr std::string_view kFormat = "text";

std::string_view without_leading_blanks(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

/// Takes the next label from the front of a line: what follows __label__, even if that is nothing. False if the line
/// goes on with text.
bool take_label(std::string_view& line, std::string_view& name) {
  if (!line.starts_with(kLabel)) return false;
  const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
  name = line.substr(kLabel.size(), end - kLabel.size());
  line = without_leading_blanks(line.substr(end));
  return true;
}

/// The encoder of the model if there is one, otherwise one to be fitted.
TextEncoder encoder_for(const ReadOptions& options, const std::string& source) {
  if (options.schema.is_null()) return TextEncoder(options.text);
  const auto damaged = [&]() {
    return Error(
        fmt::format("{}: the stored description of the data is damaged, expected a format; restore the model or "
                    "train again",
                    source));
  };
  if (!options.schema.is_object()) throw damaged();
  const auto format = options.schema.find("format");
  if (format == options.schema.end() || !format->is_string()) throw damaged();
  if (*format != kFormat) {
    throw Error(
        fmt::format("{}: the file is labelled text, but the model was trained on data of the format {}, expected "
                    "a file of that format",
                    source, in_quotes(format->get_ref<const std::string&>())));
  }
  const auto encoder = options.schema.find("encoder");
  return {encoder == options.schema.end() ? nlohmann::json() : *encoder, source};
}

/// Reads the lines of one file.
class TextReader {
 public:
  TextReader(LineReader& lines, const ReadOptions& options)
      : lines_(lines),
        required_(options.labels_required),
        known_(wanted_labels(options)),
        labels_(known_, options.labels_required),
        encoder_(encoder_for(options, lines.source())) {}

  FeatureData read() {
    while (lines_.next()) {
      const std::string_view line = without_leading_blanks(lines_.line());
      if (!line.empty()) row(line);
    }
    check();
    try {
      encoder_.finish();
    } catch (const Error& error) {
      throw Error(fmt::format("{}: {}", lines_.source(), error.what()));
    }
    FeatureData data;
    data.source = lines_.source();
    fill_labels(data);
    data.features.columns = encoder_.columns();
    MatrixBuilder matrix(data.features);
    for (std::int64_t row = 0; row < encoder_.rows(); ++row) {
      encoder_.put(row, 0, matrix);
      matrix.end_row();  // columns of a text are all different
      if (matrix.full()) lines_.fail("the texts have more than 2 billion values, expected fewer; split the file");
    }
    data.schema = {{"format", kFormat}, {"encoder", encoder_.to_json()}};
    return data;
  }

 private:
  void row(std::string_view line) {
    if (line.find('\0') != std::string_view::npos) {
      lines_.fail("the line contains a zero byte, expected text; is the file binary or UTF-16?");
    }
    std::string_view name;
    while (take_label(line, name)) label(name);
    const std::string twice = labels_.end_row();
    if (!twice.empty()) {
      lines_.fail(
          fmt::format("label {} is given as positive and as negative, expected one of the two", in_quotes(twice)));
    }
    if (!line.empty()) any_text_ = true;
    try {
      encoder_.add(line);
    } catch (const Error& error) {
      lines_.fail(error.what());
    }
  }

  void label(std::string_view name) {
    if (name.empty() || name == "!") {
      lines_.fail(fmt::format("'{}{}' is a label without a name, expected {}NAME; names follow without a blank", kLabel,
                              name, kLabel));
    }
    any_label_ = true;
    if (!labels_.add(to_utf8(name))) {
      lines_.fail(
          fmt::format("label {} is not among the {} labels already known, expected one of them; is it misspelt, or "
                      "missing in the list of labels?",
                      in_quotes(name), known_.size()));
    }
  }

  void check() const {
    if (encoder_.rows() == 0) lines_.fail("the file has no rows, expected one text per line");
    if (!any_text_) lines_.fail("no line has a text, expected one after its labels");
    if (required_ && !any_label_) {
      lines_.fail(fmt::format("no line begins with a label, expected lines such as '{}NAME the text'", kLabel));
    }
  }

  void fill_labels(FeatureData& data) {
    if (any_label_) {
      labels_.finish(data);
      return;
    }
    data.labels = Labels(0);
    for (std::int64_t row = 0; row < encoder_.rows(); ++row) data.labels.append({});
  }

  LineReader& lines_;
  bool required_;
  std::vector<std::string> known_;
  LabelCollector labels_;
  TextEncoder encoder_;
  bool any_text_ = false;
  bool any_label_ = false;
};

FeatureData read_lines(LineReader& lines, const ReadOptions& options) {
  try {
    return TextReader(lines, options).read();
  } catch (const std::bad_alloc&) {
    lines.fail(
        "the memory of this machine is too small for the file, expected a smaller one; split it or use hashed "
        "columns");
  }
}

/// Refuses names that would be read as something else.
void check_names(const FeatureData& data, const std::string& source) {
  using namespace std::string_view_literals;
  for (const std::string& name : data.label_names) {
    if (name.empty() || name.front() == '!' || name.find_first_of(" \t\r\n\f\v\0"sv) != std::string::npos) {
      throw Error(
          fmt::format("{}: label {} cannot be written as labelled text, expected a name without blanks that does "
                      "not begin with '!'; rename it",
                      source, in_quotes(name)));
    }
  }
}

}  // namespace

FeatureData parse_labelled_text(std::string_view text, std::string source, const ReadOptions& options) {
  LineReader lines(text, std::move(source));
  return read_lines(lines, options);
}

FeatureData read_labelled_text(const std::filesystem::path& path, const ReadOptions& options) {
  LineReader lines(path);
  return read_lines(lines, options);
}

bool looks_like_labelled_text(std::string_view head) {
  LineReader lines(head, {});
  std::string_view name;
  while (lines.next()) {
    std::string_view line = without_leading_blanks(lines.line());
    if (take_label(line, name) && !name.empty()) return true;
  }
  return false;
}

std::string relabel_text(std::string_view text, std::string source, const FeatureData& data) {
  check_names(data, source);
  LineReader lines(text, std::move(source));
  std::string written;
  std::size_t copied = 0;  // bytes of the text that are dealt with
  std::int64_t row = 0;
  const auto check_rows = [&](bool fits) {
    if (fits) return;
    lines.fail(
        fmt::format("the file has other rows than the {} whose labels are to be written, expected the same; was it "
                    "changed since it was read?",
                    data.labels.rows()));
  };
  while (lines.next()) {
    std::string_view line = without_leading_blanks(lines.line());
    if (line.empty()) continue;
    check_rows(row < data.labels.rows());
    const auto begin = static_cast<std::size_t>(line.data() - text.data());
    const std::size_t end = begin + line.size();
    written.append(text, copied, begin - copied);
    copied = end;
    std::string_view name;
    while (take_label(line, name)) {
    }
    const std::span<const LabelEntry> labels = data.labels.row(row++);
    for (const LabelEntry& entry : labels) {
      if (&entry != labels.data()) written += ' ';
      written += kLabel;
      if (entry.state == kKnownNegative) written += '!';
      written += data.label_names[static_cast<std::size_t>(entry.column)];
    }
    if (!labels.empty() && !line.empty()) written += ' ';
    written += labels.empty() && line.empty() ? "-" : line;
  }
  check_rows(row == data.labels.rows());
  written.append(text, copied);
  return written;
}

std::string relabel_labelled_text(const std::filesystem::path& path, const ReadOptions& /*options*/,
                                  const FeatureData& data) {
  return relabel_text(read_file(path), path.string(), data);
}

}  // namespace mlpac
