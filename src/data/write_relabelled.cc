#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "core/file.h"
#include "data/libsvm.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"

namespace mlpac {

void write_relabelled(const FeatureData& data, const std::filesystem::path& in, const ReadOptions& read,
                      const std::filesystem::path& out, std::string_view option) {
  const auto& reader = reader_of(in, read);
  const auto extension = out.extension();
  if (reader.relabel != nullptr && in.extension() == extension) {
    write_file_atomically(out, reader.relabel(in, read, data));
  } else if (extension == ".arff") {
    write_arff(data, out);
  } else if (extension == ".svm" || extension == ".libsvm") {
    write_libsvm(data, out, true);
  } else {
    throw UsageError(fmt::format("--{} {}: expected {} or a name that ends in .arff, .svm or .libsvm", option,
                                 out.string(),
                                 reader.relabel == nullptr ? "another file" : "the extension of the data"));
  }
}

}  // namespace mlpac
