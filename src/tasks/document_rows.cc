#include "tasks/document_rows.h"

#include <algorithm>
#include <numeric>

#include "nn/document_input.h"
#include "nn/upload.h"

namespace mlpac {

namespace {

constexpr std::int64_t kAlignment = 32;  // lengths that tensor cores like, and few enough of them to record

std::int64_t rounded(std::int64_t length) { return (length + kAlignment - 1) / kAlignment * kAlignment; }

at::Tensor whole_numbers(at::IntArrayRef sizes, std::int64_t value) { return at::full(sizes, value, at::kLong); }

}  // namespace

PairLists pair_lists(std::span<const Document> documents) {
  PairLists lists;
  for (const auto& document : documents) lists.push_back(entity_pairs(document));
  return lists;
}

Labels pair_labels(std::span<const Document> documents, const PairLists& pairs, const Relations& relations) {
  Labels with_none(relations.size());
  for (std::size_t i = 0; i < documents.size(); ++i) append_pair_labels(documents[i], pairs[i], with_none);
  Labels labels(relations.size() - 1);
  for (std::int64_t row = 0; row < with_none.rows(); ++row) {
    std::vector<LabelEntry> entries(with_none.row(row).begin(), with_none.row(row).end());
    for (auto& entry : entries) --entry.column;  // "none" is the threshold, not a label
    labels.append(std::move(entries));
  }
  return labels;
}

WindowTokens window_tokens(const Tokeniser& tokeniser, std::int64_t longest) {
  return {longest, tokeniser.start_id(), tokeniser.end_id(), tokeniser.separators()};
}

DocumentRows::DocumentRows(EncodedDocuments encoded, PairLists pairs, const WindowTokens& window,
                           std::span<const Document> annotated)
    : encoded_(std::move(encoded)), pairs_(std::move(pairs)), window_(window), first_row_{0} {
  for (std::size_t i = 0; i < encoded_.size(); ++i) {
    lengths_.push_back(static_cast<std::int64_t>(encoded_.ids(i).size()));
    first_row_.push_back(first_row_.back() + static_cast<std::int64_t>(pairs_[i].size()));
    if (!annotated.empty()) evidence_.push_back(evidence_counts(annotated[i], pairs_[i]));
  }
}

std::vector<std::int64_t> DocumentRows::label_rows(std::span<const std::int64_t> items) const {
  std::vector<std::int64_t> rows;
  for (const std::int64_t item : items) {
    const auto first = rows.size();
    rows.resize(first + pairs(item).size());
    std::iota(rows.begin() + static_cast<std::ptrdiff_t>(first), rows.end(), first_row(item));
  }
  return rows;
}

void DocumentRows::collate(std::span<const std::int64_t> items, at::Device device, Batch& batch) const {
  batch.rows = label_rows(items);
  const auto documents = static_cast<std::int64_t>(items.size());
  std::vector<std::vector<std::int32_t>> windows;
  std::size_t entities = 1;
  std::size_t mentions = 1;
  std::size_t sentences = 1;
  for (const std::int64_t item : items) {
    const auto& document = encoded(item);
    for (auto& window : windows_of(ids(item), window_)) windows.push_back(std::move(window));
    encoded_.was_read(static_cast<std::size_t>(item));
    entities = std::max(entities, document.mentions.size());
    sentences = std::max(sentences, document.sentences.size());
    for (const auto& entity : document.mentions) mentions = std::max(mentions, entity.size());
  }
  std::size_t longest = 1;
  for (const auto& window : windows) longest = std::max(longest, window.size());
  const auto width = std::min(rounded(static_cast<std::int64_t>(longest)), window_.longest);

  DocumentInput input;
  input.ids = whole_numbers({static_cast<std::int64_t>(windows.size()), width}, 0);
  input.mask = at::zeros_like(input.ids);
  auto* out_ids = input.ids.data_ptr<std::int64_t>();
  auto* mask = input.mask.data_ptr<std::int64_t>();
  for (const auto& window : windows) {
    std::copy(window.begin(), window.end(), out_ids);
    std::fill_n(mask, window.size(), 1);
    out_ids += width;
    mask += width;
  }
  input.lengths = whole_numbers({documents}, 0);
  input.positions =
      whole_numbers({documents, static_cast<std::int64_t>(entities), static_cast<std::int64_t>(mentions)}, -1);
  input.sentences = whole_numbers({documents, static_cast<std::int64_t>(sentences), 2}, 0);
  input.pairs = whole_numbers({static_cast<std::int64_t>(batch.rows.size()), 3}, 0);
  auto* positions = input.positions.data_ptr<std::int64_t>();
  auto* spans = input.sentences.data_ptr<std::int64_t>();
  auto* pair = input.pairs.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < documents; ++i) {
    const auto item = items[static_cast<std::size_t>(i)];
    const auto& document = encoded(item);
    const auto length = lengths_[static_cast<std::size_t>(item)];
    input.lengths.data_ptr<std::int64_t>()[i] = length;
    for (std::size_t e = 0; e < document.mentions.size(); ++e) {
      auto* out = positions + (static_cast<std::size_t>(i) * entities + e) * mentions;
      for (const Span& mention : document.mentions[e]) {
        if (mention.begin + 1 < length) *out++ = mention.begin + 1;  // after the start token; others were cut off
      }
    }
    for (std::size_t s = 0; s < document.sentences.size(); ++s) {
      auto* const out = spans + (static_cast<std::size_t>(i) * sentences + s) * 2;
      out[0] = std::min<std::int64_t>(document.sentences[s].begin + 1, length);
      out[1] = std::min<std::int64_t>(document.sentences[s].end + 1, length);
    }
    for (const EntityPair& own : pairs(item)) {
      *pair++ = i;
      *pair++ = own.head;
      *pair++ = own.tail;
    }
  }
  if (!evidence_.empty()) {
    input.evidence = at::zeros({input.pairs.size(0), static_cast<std::int64_t>(sentences)}, at::kFloat);
    auto* row = input.evidence.data_ptr<float>();
    for (const std::int64_t item : items) {
      for (const EvidenceCount& count : evidence_[static_cast<std::size_t>(item)]) {
        row[static_cast<std::size_t>(count.pair) * sentences + static_cast<std::size_t>(count.sentence)] =
            static_cast<float>(count.count);
      }
      row += pairs(item).size() * sentences;
    }
    input.evidence = upload(input.evidence, device);
  }
  for (auto* tensor : {&input.ids, &input.mask, &input.positions, &input.sentences, &input.pairs}) {
    *tensor = upload(*tensor, device);
  }
  put_documents(input, batch);
}

}  // namespace mlpac
