// Hiding labels as the official codes do.
#include <fmt/format.h>

#include <vector>

#include "golden_case.h"
#include "mlpac/annotation.h"
#include "mlpac/labels.h"
#include "nn/torch.h"

namespace mlpac::golden {

namespace {

/// Their 1 positive, 0 negative, -1 un-annotated as our +1, -1, 0.
Labels from_theirs(const at::Tensor& matrix) {
  const auto states = matrix.to(at::kInt).contiguous();
  const auto* state = states.data_ptr<int>();
  Labels labels(static_cast<std::int32_t>(states.size(1)));
  for (std::int64_t r = 0; r < states.size(0); ++r) {
    std::vector<LabelEntry> row;
    for (std::int32_t c = 0; c < labels.classes(); ++c) {
      const int value = state[r * labels.classes() + c];
      if (value >= 0) row.push_back({c, value == 1 ? kAnnotated : kKnownNegative});
    }
    labels.append(std::move(row));
  }
  return labels;
}

at::Tensor to_theirs(const Labels& labels) {
  auto matrix = at::full({labels.rows(), labels.classes()}, -1, at::kChar);
  auto* value = matrix.data_ptr<std::int8_t>();
  for (std::int64_t r = 0; r < labels.rows(); ++r) {
    for (const auto& entry : labels.row(r)) value[r * labels.classes() + entry.column] = entry.state == kAnnotated;
  }
  return matrix;
}

void require_kept(GoldenCase& test, const Labels& labels, const std::string& whose) {
  const auto expected = [&](const char* name) { return test.params().at(name).get<std::vector<std::int64_t>>(); };
  test.require(labels.count_per_class(kAnnotated) == expected("kept_pos_per_class"), whose + " positives per class");
  test.require(labels.count_per_class(kKnownNegative) == expected("kept_neg_per_class"),
               whose + " negatives per class");
}

}  // namespace

void simulate_rps(GoldenCase& test) {
  const auto draws = test.input("draw").to(at::kDouble).contiguous();
  const auto hidden =
      hide_independent(from_theirs(test.input("labels")),
                       {draws.data_ptr<double>(), static_cast<std::size_t>(draws.numel())}, test.params().at("param"));
  test.expect("labels_out", to_theirs(hidden));
  require_kept(test, hidden, "our");
}

// Which entries survive is random; how many of each class, and that they keep their value, is not.
void simulate_fpc(GoldenCase& test) {
  const auto truth = from_theirs(test.input("labels"));
  for (const std::uint64_t seed : {1, 2, 3}) {
    const auto hidden = hide_per_class(truth, test.params().at("param").get<std::int64_t>(), seed);
    require_kept(test, hidden, "our");
    for (std::int64_t r = 0; r < hidden.rows(); ++r) {
      for (const auto& entry : hidden.row(r)) {
        if (truth.at(r, entry.column) != entry.state) test.require(false, "a surviving entry changed its state");
      }
    }
  }
  require_kept(test, from_theirs(test.output("labels_out")), "their");
}

void docre_partial_dev(GoldenCase& test) {
  const auto facts = test.folder().json(test.entry().at("json"));
  const auto total = facts.at("total_triples").get<std::int64_t>();
  test.require(total == test.params().at("N").get<std::int64_t>(), "two numbers of triples");
  Labels truth(96);
  for (std::int64_t left = total; left > 0;) {
    std::vector<LabelEntry> row;
    for (std::int32_t c = 0; c < 40 && left > 0; ++c, --left) row.push_back({c, kAnnotated});
    truth.append(std::move(row));
  }
  for (const auto& file : facts.at("files")) {
    const auto percent = file.at("ratio_percent").get<int>();
    const auto hidden = hide_exact(truth, percent / 100.0, file.at("version").get<std::uint64_t>());
    const auto kept = hidden.count(kAnnotated);
    test.require(
        kept == file.at("floor_ratio_times_N").get<std::int64_t>() && kept == file.at("triples").get<std::int64_t>(),
        fmt::format("{} triples kept at {} %", kept, percent));
  }
}

}  // namespace mlpac::golden
