#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "core/names.h"
#include "data/arff.h"
#include "data/arrays.h"
#include "data/csv.h"
#include "data/feature_store.h"
#include "data/labelled_text.h"
#include "data/libsvm.h"
#include "data/text.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"

namespace mlpac {
namespace {

bool looks_like_arrays(std::string_view head) { return looks_like_npy(head) || looks_like_npz(head); }

constexpr std::array<ReaderEntry, 6> kReaders{{
    {"arff", "Weka and Mulan ARFF, dense or sparse; labels named by a Mulan XML file or --label-columns", ".arff",
     looks_like_arff, read_arff, nullptr},
    {"store", "what mlpac pack writes: rows of any other format, read where they lie", ".store", looks_like_store,
     read_feature_store, nullptr},
    {"numpy", "NumPy arrays: dense .npy, or .npz with X and Y, dense or SciPy's CSR; labels also from --targets",
     ".npy .npz", looks_like_arrays, read_arrays, nullptr},
    {"text", "a text per line behind its __label__names (fastText)", ".txt .ft", looks_like_labelled_text,
     read_labelled_text, relabel_labelled_text},
    {"libsvm", "label,label index:value ..., with or without the XMLRepo header", ".svm .libsvm .svmlight",
     looks_like_libsvm, read_libsvm, relabel_libsvm},
    {"csv", "CSV or TSV with a header: numbers, categories and free text; labels in columns or in one list",
     ".csv .tsv .tab", looks_like_csv, read_csv, relabel_csv},
}};

constexpr std::size_t kHeadBytes = std::size_t{64} << 10U;

/// The first bytes of a regular file.
std::string head_of(const std::filesystem::path& path) {
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "rb"));
  if (!file) {
    const std::string reason = std::generic_category().message(errno);
    throw Error(fmt::format("{}: cannot be opened ({}), expected a readable file; check the path and its permissions",
                            path.string(), reason));
  }
  std::string head(kHeadBytes, '\0');
  head.resize(std::fread(head.data(), 1, head.size(), file.get()));
  if (head.empty()) throw Error(fmt::format("{}:1: the file is empty, expected data", path.string()));
  return head;
}

bool has_extension(const ReaderEntry& reader, std::string_view extension) {
  std::string_view rest = reader.extensions;
  while (!rest.empty()) {
    const std::string_view candidate = rest.substr(0, rest.find(' '));
    if (equals_ignoring_case(extension, candidate)) return true;
    rest.remove_prefix(candidate.size() + (candidate.size() < rest.size() ? 1 : 0));
  }
  return false;
}

}  // namespace

std::span<const ReaderEntry> feature_readers() { return kReaders; }

const ReaderEntry& reader_of(const std::filesystem::path& path, const ReadOptions& options) {
  const auto named = [](std::string_view name) -> const ReaderEntry& {
    return kReaders.at(index_of(name, kReaders, "format"));
  };
  if (!options.format.empty()) return named(options.format);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    throw Error(fmt::format("{}: no such file, expected feature data; check the path", path.string()));
  }
  if (std::filesystem::is_directory(path, ignored)) {
    throw Error(fmt::format("{}: is a folder, expected a file", path.string()));
  }
  const bool regular = std::filesystem::is_regular_file(path, ignored);
  const std::string head = regular ? head_of(path) : std::string();
  const std::string learned =
      options.schema.is_object() ? options.schema.value("format", std::string()) : std::string();
  for (const ReaderEntry& reader : kReaders) {
    // What a model was trained on settles what its own kind of text is: a line of prose may look like anything.
    const bool text = reader.recognises == looks_like_libsvm || reader.recognises == looks_like_csv;
    if (regular && (learned.empty() || !text) && reader.recognises(head)) return reader;
  }
  if (!learned.empty()) return named(learned);
  const std::string extension = path.extension().string();
  std::string known;
  for (const ReaderEntry& reader : kReaders) {
    if (has_extension(reader, extension)) return reader;
    known += fmt::format("{}{}", known.empty() ? "" : ", ", reader.name);
  }
  throw Error(fmt::format("{}: {}, expected one of: {}; name it with --format", path.string(),
                          regular ? "the format is not recognised" : "the format of a pipe is not known", known));
}

FeatureData read_features(const std::filesystem::path& path, const ReadOptions& options) {
  return reader_of(path, options).read(path, options);
}

}  // namespace mlpac
