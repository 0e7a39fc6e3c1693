#include <fmt/format.h>

#include <array>
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
#include "data/text.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"

namespace mlpac {
namespace {

constexpr std::array<ReaderEntry, 1> kReaders{{
    {"arff", "Weka and Mulan ARFF, dense or sparse; labels named by a Mulan XML file", ".arff", looks_like_arff,
     read_arff, nullptr},
}};

constexpr std::size_t kHeadBytes = std::size_t{64} << 10U;

/// The first bytes; empty if the file cannot be read, which the reader then reports, or can be read only once (a pipe).
std::string head_of(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "rb"));
  if (!file) return {};
  std::string head(kHeadBytes, '\0');
  head.resize(std::fread(head.data(), 1, head.size(), file.get()));
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

FeatureData read_features(const std::filesystem::path& path, const ReadOptions& options) {
  if (!options.format.empty()) return kReaders.at(index_of(options.format, kReaders, "format")).read(path, options);
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    throw Error(fmt::format("{}: no such file, expected feature data; check the path", path.string()));
  }
  const std::string head = head_of(path);
  for (const ReaderEntry& reader : kReaders) {
    if (reader.recognises(head)) return reader.read(path, options);
  }
  const std::string extension = path.extension().string();
  std::string known;
  for (const ReaderEntry& reader : kReaders) {
    // A folder or an unreadable file has no head; its extension, or the only format, still leads to a clear message.
    if (has_extension(reader, extension) || head.empty()) return reader.read(path, options);
    known += fmt::format("{}{}", known.empty() ? "" : ", ", reader.name);
  }
  throw Error(fmt::format("{}: the format is not recognised, expected one of: {}; name it if the file is one of them",
                          path.string(), known));
}

}  // namespace mlpac
