// Labelled text: parsed or refused, and the same again after its labels are written back. An input that begins with a
// brace is the stored description of a text encoder.
#include <nlohmann/json.hpp>

#include "data/labelled_text.h"
#include "data/text_encoder.h"
#include "fuzz.h"

namespace {

void read_lines(std::string_view text) {
  mlpac::ReadOptions options;
  options.text.ngrams = 2;
  options.text.min_rows = 1;
  const mlpac::FeatureData data = mlpac::parse_labelled_text(text, "fuzz", options);
  mlpac::check(data);
  mlpac::require(mlpac::looks_like_labelled_text(text));
  options.label_names = data.label_names;
  options.schema = nlohmann::json::parse(data.schema.dump());
  const mlpac::FeatureData again = mlpac::parse_labelled_text(mlpac::relabel_text(text, "fuzz", data), "fuzz", options);
  mlpac::check(again);
  mlpac::require(again.labels == data.labels);
  mlpac::require(again.features.offsets == data.features.offsets && again.features.indices == data.features.indices &&
                 again.features.values == data.features.values);
}

void read_plain_lines(std::string_view text) {
  mlpac::ReadOptions options;
  options.labels_required = false;
  options.label_names = {"a", "b"};
  options.text = {.hashed = true, .columns = 16, .ngrams = 3, .min_rows = 1};
  mlpac::check(mlpac::parse_labelled_text(text, "fuzz", options));
}

void read_encoder(std::string_view text) {
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) return;
  mlpac::TextEncoder encoder(json, "fuzz");
  encoder.add("a b c");
  encoder.finish();
  mlpac::FeatureData data;
  data.features.columns = encoder.columns();
  mlpac::MatrixBuilder matrix(data.features);
  encoder.put(0, 0, matrix);
  mlpac::require(matrix.end_row() == -1);
  data.labels.append({});
  mlpac::check(data);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  if (size > 0 && bytes[0] == '{') return mlpac::parsed_or_refused(bytes, size, read_encoder);
  mlpac::parsed_or_refused(bytes, size, read_plain_lines);
  return mlpac::parsed_or_refused(bytes, size, read_lines);
}
