// What bench/document-reading measures: seconds from documents on the disk to the pieces an encoder reads.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "core/log.h"
#include "mlpac/documents.h"
#include "mlpac/error.h"

namespace {

using namespace mlpac;

/// Median of some rounds, each of which reads the vocabulary and all files anew; a line of JSON.
void measure(const std::vector<std::string>& files, const Relations& relations, const std::string& vocabulary,
             int threads) {
  constexpr int kRounds = 7;
  std::vector<double> seconds;
  std::size_t count = 0;
  std::size_t pieces = 0;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    count = 0;
    pieces = 0;
    const auto tokeniser = read_tokeniser(vocabulary);
    for (const auto& file : files) {
      const auto documents = read_documents(file, relations, threads);
      for (const auto& encoded : encode_documents(documents, *tokeniser, threads)) pieces += encoded.ids.size();
      count += documents.size();
    }
    seconds.push_back(seconds_since(start));
  }
  std::sort(seconds.begin(), seconds.end());
  fmt::print(
      "{{\"vocabulary\": \"{}\", \"threads\": {}, \"documents\": {}, \"pieces\": {}, \"median\": {:.4f}, "
      "\"slowest\": {:.4f}}}\n",
      vocabulary, threads, count, pieces, seconds[kRounds / 2], seconds.back());
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() < 3) {
    fmt::print(stderr, "usage: document_reading_bench rel2id.json VOCABULARY DOCUMENTS.json...\n");
    return 2;
  }
  try {
    const auto relations = read_relations(words[0]);
    for (const int threads : {1, 2}) measure({words.begin() + 2, words.end()}, relations, words[1], threads);
  } catch (const Error& error) {
    fmt::print(stderr, "document_reading_bench: {}\n", error.what());
    return 1;
  }
  return 0;
}
