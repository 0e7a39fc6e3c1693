#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "core/random.h"
#include "data/fraction.h"
#include "mlpac/documents.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

/// One triple in the draw. The order of the keys is a random permutation; the place settles ties.
struct Ticket {
  std::uint64_t key;
  std::size_t document;
  std::size_t triple;
  bool operator<(const Ticket& other) const {
    return std::tie(key, document, triple) < std::tie(other.key, other.document, other.triple);
  }
};

}  // namespace

std::int64_t count_triples(std::span<const Document> documents) {
  std::int64_t count = 0;
  for (const Document& document : documents) count += static_cast<std::int64_t>(document.triples.size());
  return count;
}

void hide_triples(std::vector<Document>& documents, const TripleHiding& hiding) {
  check_fraction(hiding.ratio, "the ratio of triples to keep");
  if (hiding.version < 0) {
    throw UsageError(fmt::format("version {} of the hidden triples, expected 0, 1, 2 or more", hiding.version));
  }
  // The ratio is part of the key: each ratio is a draw of its own, not a part of the draw of a larger one.
  const std::uint64_t stream =
      stream_key(hiding.seed, "hide triples") ^ mix64(std::bit_cast<std::uint64_t>(hiding.ratio));
  std::vector<Ticket> tickets;
  for (std::size_t d = 0; d < documents.size(); ++d) {
    const std::uint64_t key = row_key(stream, static_cast<std::uint64_t>(hiding.version), fnv1a64(documents[d].title));
    for (std::size_t t = 0; t < documents[d].triples.size(); ++t) tickets.push_back({bits_at(key, t), d, t});
  }
  const auto kept = tickets.begin() + part_of(static_cast<std::int64_t>(tickets.size()), hiding.ratio);
  std::nth_element(tickets.begin(), kept, tickets.end());
  std::vector<std::vector<bool>> keep;
  keep.reserve(documents.size());
  for (const Document& document : documents) keep.emplace_back(document.triples.size(), false);
  for (auto ticket = tickets.begin(); ticket != kept; ++ticket) keep[ticket->document][ticket->triple] = true;
  for (std::size_t d = 0; d < documents.size(); ++d) {
    std::vector<Triple> left;
    for (std::size_t t = 0; t < keep[d].size(); ++t) {
      if (keep[d][t]) left.push_back(std::move(documents[d].triples[t]));
    }
    documents[d].triples = std::move(left);
  }
}

}  // namespace mlpac
