#include "mlpac/tokeniser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "core/file.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

/// Cased vocabularies are full of capitals; in uncased ones only the special tokens in brackets have them.
bool has_capitals(std::string_view vocabulary) {
  while (!vocabulary.empty()) {
    const std::size_t end = std::min(vocabulary.find('\n'), vocabulary.size());
    const std::string_view token = vocabulary.substr(0, end);
    vocabulary.remove_prefix(std::min(end + 1, vocabulary.size()));
    if (token.starts_with('[')) continue;
    if (std::any_of(token.begin(), token.end(), [](char c) { return c >= 'A' && c <= 'Z'; })) return true;
  }
  return false;
}

bool is_uncased(const std::filesystem::path& folder, std::string_view vocabulary) {
  const auto path = folder / "tokenizer_config.json";
  if (std::filesystem::exists(path)) {
    const auto config = nlohmann::json::parse(read_file(path), nullptr, false);
    if (!config.is_object()) throw Error(fmt::format("{}: no JSON object, expected a configuration", path.string()));
    const auto entry = config.find("do_lower_case");
    if (entry != config.end()) {
      if (entry->is_boolean()) return entry->get<bool>();
      throw Error(fmt::format("{}: do_lower_case is neither true nor false", path.string()));
    }
  }
  return !has_capitals(vocabulary);
}

}  // namespace

std::span<const std::int32_t> WordCache::encode(std::string_view word) {
  auto entry = words_.find(word);
  if (entry == words_.end()) {
    const std::size_t first = ids_.size();
    tokeniser_.encode(word, ids_);
    entry = words_.emplace(std::string(word), Range{first, ids_.size() - first}).first;
  }
  return std::span(ids_).subspan(entry->second.first, entry->second.count);
}

std::unique_ptr<Tokeniser> read_tokeniser(const std::filesystem::path& folder) {
  const auto lines = folder / "vocab.txt";
  if (std::filesystem::exists(lines)) {
    const std::string vocabulary = read_file(lines);
    return make_word_piece(vocabulary, is_uncased(folder, vocabulary), lines.string());
  }
  const auto json = folder / "vocab.json";
  const auto merges = folder / "merges.txt";
  if (!std::filesystem::exists(json) || !std::filesystem::exists(merges)) {
    throw Error(
        fmt::format("{}: no tokeniser there, expected the files vocab.txt (BERT) or vocab.json and merges.txt "
                    "(RoBERTa, GPT-2)",
                    folder.string()));
  }
  return make_byte_pair(read_file(json), read_file(merges), json.string(), merges.string());
}

}  // namespace mlpac
