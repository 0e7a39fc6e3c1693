// Tables: parsed or refused. What is parsed is read again with its own schema to the same matrix, and its own labels
// replace nothing in it.
#include "data/csv.h"

#include "fuzz.h"

namespace {

void read(std::string_view text, const mlpac::ReadOptions& options) {
  mlpac::parsed_or_refused(
      reinterpret_cast<const unsigned char*>(text.data()), text.size(), [&](std::string_view table) {
        const mlpac::FeatureData data = mlpac::parse_csv(table, "fuzz", options);
        mlpac::check(data);
        mlpac::ReadOptions again = options;
        again.schema = nlohmann::json::parse(data.schema.dump());
        const mlpac::FeatureData same = mlpac::parse_csv(table, "fuzz", again);
        mlpac::check(same);
        mlpac::require(same.features.columns == data.features.columns);
        mlpac::require(same.features.offsets == data.features.offsets);
        mlpac::require(same.features.indices == data.features.indices);
        mlpac::require(same.labels == data.labels && same.label_names == data.label_names && same.ids == data.ids);
        if (!data.label_names.empty()) {
          mlpac::require(mlpac::relabel_csv_text(table, "fuzz", options, data) == table);
        }
      });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  mlpac::looks_like_csv(text);
  mlpac::ReadOptions columns;
  columns.label_columns = {"y*"};
  columns.labels_required = false;
  read(text, columns);
  mlpac::ReadOptions list;
  list.label_list = "t";
  list.id_column = "i";
  list.text_columns = {"x*"};
  list.text.min_rows = 1;
  read(text, list);
  return 0;
}
