// What a batch of documents holds: the meaning of Batch::inputs between the data set and networks that read documents.
#pragma once

#include "nn/network.h"

namespace mlpac {

struct DocumentInput {
  at::Tensor ids;        ///< [windows x length]: tokens of a document's one or two windows; padding is 0
  at::Tensor mask;       ///< the same, 0 for padding
  at::Tensor lengths;    ///< [documents]: tokens, also of what lies in two windows; on the host
  at::Tensor positions;  ///< [documents x entities x mentions]: token that stands for a mention; -1: there is none
  at::Tensor pairs;      ///< [label rows x 3]: document, head and tail entity
  at::Tensor sentences;  ///< [documents x sentences x 2]: tokens from, to
  at::Tensor evidence;   ///< [label rows x sentences]: how many annotations name a sentence; undefined: not known

  std::int64_t documents() const { return lengths.size(0); }
  std::int64_t entities() const { return positions.size(1); }
};

inline void put_documents(const DocumentInput& input, Batch& batch) {
  batch.inputs = {input.ids, input.mask, input.lengths, input.positions, input.pairs, input.sentences, input.evidence};
}

inline DocumentInput documents_of(const Batch& batch) {
  const auto& in = batch.inputs;
  return {in.at(0), in.at(1), in.at(2), in.at(3), in.at(4), in.at(5), in.at(6)};
}

}  // namespace mlpac
