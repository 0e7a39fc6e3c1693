// A small document that the tests of documents share; made up.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mlpac/documents.h"
#include "mlpac/tokeniser.h"

namespace mlpac {

inline Relations example_relations() { return Relations({"Na", "P17", "P131", "P36"}); }

/// Three entities in two sentences; "Bonn" is the last word of one mention and, in the second sentence, overlaps
/// another.
inline std::string example_json() {
  return R"([{"title": "Bonn", "sents": [["Bonn", "is", "in", "Germany", "."], ["Old", "Bonn", "rains", "."]],
    "vertexSet": [
      [{"name": "Bonn", "sent_id": 0, "pos": [0, 1], "type": "LOC"}, {"name": "Bonn", "sent_id": 1, "pos": [1, 2]}],
      [{"name": "Germany", "sent_id": 0, "pos": [3, 4], "type": "LOC"}],
      [{"name": "Old Bonn", "sent_id": 1, "pos": [0, 2], "type": "LOC"}]],
    "labels": [{"h": 2, "t": 1, "r": "P17", "evidence": [0, 1]}, {"h": 0, "t": 1, "r": "P131", "evidence": [0]},
               {"h": 2, "t": 1, "r": "P131", "evidence": [1]}, {"h": 0, "t": 1, "r": "P17"}]}])";
}

inline std::vector<Document> example_documents() {
  return parse_documents(example_json(), "example.json", example_relations(), 1);
}

/// Every word a token; Germany is two.
inline std::unique_ptr<Tokeniser> example_tokeniser() {
  return make_word_piece("[UNK]\n[CLS]\n[SEP]\n*\nBonn\nis\nin\nGer\n##many\n.\nOld\nrains\n", false, "v.txt");
}

}  // namespace mlpac
