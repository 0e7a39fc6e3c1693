#include "mlpac/relation_fusion.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace mlpac {
namespace {

constexpr double kMissing = 10;  // what a candidate loses that is not in both

std::set<std::int32_t> sentences_of(const std::vector<Mention>& mentions) {
  std::set<std::int32_t> result;
  for (const Mention& mention : mentions) result.insert(mention.sentence);
  return result;
}

/// Adds the first sentence that mentions an entity unless one of them does.
void cover(const std::vector<Mention>& entity, std::set<std::int32_t>& sentences) {
  const auto own = sentences_of(entity);
  const bool covered =
      std::any_of(own.begin(), own.end(), [&](std::int32_t sentence) { return sentences.contains(sentence); });
  if (!covered && !own.empty()) sentences.insert(*own.begin());
}

PseudoDocument part_of(const Document& document, const std::set<std::int32_t>& sentences) {
  PseudoDocument result;
  result.document.title = document.title;
  std::map<std::int32_t, std::int32_t> number;  // of a sentence in the part
  for (const std::int32_t sentence : sentences) {
    number[sentence] = static_cast<std::int32_t>(result.sentences.size());
    result.sentences.push_back(sentence);
    result.document.sentences.push_back(document.sentences.at(static_cast<std::size_t>(sentence)));
  }
  for (std::size_t e = 0; e < document.entities.size(); ++e) {
    std::vector<Mention> inside;
    for (Mention mention : document.entities[e]) {
      const auto at = number.find(mention.sentence);
      if (at == number.end()) continue;
      mention.sentence = at->second;
      inside.push_back(std::move(mention));
    }
    if (inside.empty()) continue;
    result.document.entities.push_back(std::move(inside));
    result.entities.push_back(static_cast<std::int32_t>(e));
  }
  return result;
}

std::map<TripleKey, double> best_scores(std::span<const std::pair<TripleKey, double>> candidates) {
  std::map<TripleKey, double> best;
  for (const auto& [key, score] : candidates) {
    if (std::get<3>(key) == 0) continue;
    const auto [at, fresh] = best.emplace(key, score);
    if (!fresh) at->second = std::max(at->second, score);
  }
  return best;
}

}  // namespace

std::vector<PseudoDocument> pseudo_documents(const Document& document, std::span<const ScoredTriple> candidates) {
  std::set<std::set<std::int32_t>> seen;
  std::vector<PseudoDocument> result;
  for (const ScoredTriple& candidate : candidates) {
    if (candidate.evidence.empty()) continue;
    std::set<std::int32_t> sentences(candidate.evidence.begin(), candidate.evidence.end());
    cover(document.entities.at(static_cast<std::size_t>(candidate.head)), sentences);
    cover(document.entities.at(static_cast<std::size_t>(candidate.tail)), sentences);
    if (seen.insert(sentences).second) result.push_back(part_of(document, sentences));
  }
  return result;
}

MergedCandidates merge_candidates(std::span<const std::pair<TripleKey, double>> documents,
                                  std::span<const std::pair<TripleKey, double>> pseudo) {
  const auto whole = best_scores(documents);
  const auto part = best_scores(pseudo);
  MergedCandidates result;
  for (const auto& [key, score] : whole) {
    const auto other = part.find(key);
    if (other == part.end()) {
      result.doubtful.emplace_back(key, score - kMissing);
    } else if (score > 0 && other->second > 0) {
      result.sure.push_back(key);
    } else {
      result.doubtful.emplace_back(key, score + other->second);
    }
  }
  for (const auto& [key, score] : part) {
    if (!whole.contains(key)) result.doubtful.emplace_back(key, score - kMissing);
  }
  std::stable_sort(result.doubtful.begin(), result.doubtful.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  return result;
}

double fusion_threshold(const MergedCandidates& candidates, std::span<const TripleKey> gold) {
  const std::set<TripleKey> known(gold.begin(), gold.end());
  std::int64_t correct = 0;
  for (const TripleKey& key : candidates.sure) correct += known.contains(key) ? 1 : 0;
  auto predicted = static_cast<std::int64_t>(candidates.sure.size());
  const auto f1 = [&] {
    return 2.0 * static_cast<double>(correct) /
           static_cast<double>(predicted + static_cast<std::int64_t>(known.size()));
  };
  double best = predicted > 0 ? f1() : 0;
  double threshold = std::numeric_limits<double>::infinity();
  for (const auto& [key, score] : candidates.doubtful) {
    correct += known.contains(key) ? 1 : 0;
    ++predicted;
    if (const double now = f1(); now > best) {
      best = now;
      threshold = score;
    }
  }
  return threshold;
}

std::vector<TripleKey> fused_triples(const MergedCandidates& candidates, double threshold) {
  auto result = candidates.sure;
  for (const auto& [key, score] : candidates.doubtful) {
    if (score >= threshold) result.push_back(key);
  }
  std::sort(result.begin(), result.end());
  return result;
}

}  // namespace mlpac
