#include "nn/cosine.h"

#include <cmath>

#include "core/random.h"
#include "mlpac/error.h"
#include "nn/dense.h"

namespace mlpac {

namespace {

at::Tensor unit(const at::Tensor& vectors) { return vectors / vectors.norm(2, {1}, true).clamp_min(1e-12); }

std::int64_t embedding_width(const nlohmann::json& architecture) {
  const auto widths = architecture.at("widths").get<std::vector<std::int64_t>>();
  if (widths.empty()) throw UsageError("--widths: the cosine network needs at least one hidden layer");
  return widths.back();
}

std::shared_ptr<Network> make_body(nlohmann::json architecture) {
  architecture["outputs"] = embedding_width(architecture);
  return create_mlp(architecture);
}

}  // namespace

at::Tensor cosines(const at::Tensor& rows, const at::Tensor& classes) { return at::mm(unit(rows), unit(classes).t()); }

at::Tensor cosine_log_odds(const at::Tensor& cosines, double scale) {
  return scale * (cosines.slice(1, 1) - cosines.slice(1, 0, 1));
}

Cosine::Cosine(const nlohmann::json& architecture)
    : body_(register_module("body", make_body(architecture))),
      classes_(register_module("classes", torch::nn::Embedding(architecture.at("outputs").get<std::int64_t>() + 1,
                                                               embedding_width(architecture)))),
      scale_(architecture.value("scale", 10.0)) {}

at::Tensor Cosine::forward(const Batch& batch) {
  body_->stream = stream;
  return cosine_log_odds(cosines(body_->forward(batch), classes_->weight), scale_);
}

at::Tensor Cosine::none_log_odds() const {
  return cosine_log_odds(cosines(classes_->weight.slice(0, 0, 1), classes_->weight), scale_);
}

void Cosine::initialise(std::uint64_t seed) {
  body_->initialise(seed);
  // The length does not matter for cosines, but for how fast a step turns the vectors: as the rows of a linear layer.
  fill_uniform(classes_->weight, stream_key(seed, "init.classes.weight"),
               1 / std::sqrt(static_cast<double>(classes_->weight.size(1))));
}

std::shared_ptr<Network> create_cosine(const nlohmann::json& architecture) {
  return std::make_shared<Cosine>(architecture);
}

}  // namespace mlpac
