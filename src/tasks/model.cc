#include "tasks/model.h"

#include <fmt/format.h>

#include <cstring>

#include "core/file.h"
#include "mlpac/error.h"
#include "tasks/features.h"
#include "train/state.h"

namespace mlpac {

namespace {

constexpr int kFormat = 2;

}  // namespace

at::Device parse_device(const std::string& name, int local_rank) {
  const bool cuda = torch::cuda::is_available();
  if (name == "auto") return cuda ? parse_device("cuda", local_rank) : at::Device(at::kCPU);
  if (name == "cpu") return at::kCPU;
  if (name == "cuda" || name.starts_with("cuda:")) {
    if (!cuda)
      throw UsageError(fmt::format("--device {}: this program or machine has no CUDA device; use --device cpu", name));
    auto index = static_cast<std::int64_t>(local_rank) % static_cast<std::int64_t>(torch::cuda::device_count());
    if (name.size() > 5 && (std::sscanf(name.c_str() + 5, "%ld", &index) != 1 ||
                            index >= static_cast<std::int64_t>(torch::cuda::device_count()))) {
      throw UsageError(fmt::format("--device {}: there are {} CUDA devices", name, torch::cuda::device_count()));
    }
    make_convolutions_repeatable();
    return {at::kCUDA, static_cast<at::DeviceIndex>(index)};
  }
  throw UsageError(fmt::format("--device: expected cpu, cuda, cuda:N or auto, got '{}'", name));
}

std::shared_ptr<Model::Content> make_content(nlohmann::json description,
                                             const std::map<std::string, at::Tensor>& weights, const SweepSpec& sweep,
                                             std::string_view source) {
  auto content = std::make_shared<Model::Content>();
  content->network = create_network(description.at("architecture"));
  load_tensors(*content->network, weights, source);
  content->network->to(sweep.device);
  content->network->eval();
  content->decision.threshold_class = description.at("decision").at("threshold_class").get<bool>();
  content->decision.cap = description.at("decision").at("cap").get<std::int64_t>();
  content->labels = description.at("labels").get<std::vector<std::string>>();
  content->sweep = sweep;
  description["format"] = kFormat;
  if (!description.contains("thresholds")) description["thresholds"] = std::vector<double>(content->labels.size(), 0.5);
  content->description = std::move(description);
  return content;
}

std::shared_ptr<Model::Content> load_content(const std::filesystem::path& run, const SweepSpec& sweep) {
  const auto file = run / "model.json";
  if (!std::filesystem::exists(file)) {
    throw Error(
        fmt::format("{}: there is no model here; name the folder of a finished run (mlpac train --out)", run.string()));
  }
  auto description = nlohmann::json::parse(read_file(file), nullptr, false);
  if (!description.is_object() || description.value("format", 0) != kFormat) {
    throw Error(fmt::format("{}: not a model description of this version (format {})", file.string(), kFormat));
  }
  const auto weights = run / "model.safetensors";
  try {
    return make_content(std::move(description), load_state(weights).tensors, sweep, weights.string());
  } catch (const nlohmann::json::exception& error) {
    throw Error(fmt::format("{}: damaged: {}", file.string(), error.what()));
  }
}

at::Tensor threshold_shift(const Model::Content& content) {
  const auto thresholds = content.description.at("thresholds").get<std::vector<double>>();
  return torch::tensor(thresholds, at::kDouble).logit().to(at::kFloat).to(content.sweep.device);
}

void predict(const Model::Content& content, const Dataset& data, const std::function<void(const Predictions&)>& visit) {
  const auto shift = threshold_shift(content);
  const std::array<Network*, 1> networks{content.network.get()};
  sweep(data, all_items(data), nullptr, networks, content.sweep, [&](const Batch&, std::span<const at::Tensor> logits) {
    const auto p = at::sigmoid(content.decision.log_odds(logits[0])).to(at::kCPU).contiguous();
    const auto d = content.decision.decide(logits[0], shift).to(at::kCPU, at::kByte).contiguous();
    Predictions part;
    part.rows = p.size(0);
    part.classes = static_cast<std::int64_t>(content.labels.size());
    part.probabilities.assign(p.data_ptr<float>(), p.data_ptr<float>() + p.numel());
    part.decisions.assign(d.data_ptr<std::uint8_t>(), d.data_ptr<std::uint8_t>() + d.numel());
    visit(part);
  });
  content.network->eval();
}

Predictions predict(const Model::Content& content, const Dataset& data) {
  Predictions result;
  result.classes = static_cast<std::int64_t>(content.labels.size());
  predict(content, data, [&](const Predictions& part) {
    result.probabilities.insert(result.probabilities.end(), part.probabilities.begin(), part.probabilities.end());
    result.decisions.insert(result.decisions.end(), part.decisions.begin(), part.decisions.end());
    result.rows += part.rows;
  });
  return result;
}

Metrics evaluate(const Model::Content& content, const Application& application) {
  const auto predictions = predict(content, *application.data);
  std::vector<std::int8_t> targets(predictions.decisions.size(), 0);
  for (std::int64_t row = 0; row < application.labels->rows(); ++row) {
    for (const auto& entry : application.labels->row(row)) {
      targets[static_cast<std::size_t>(row * predictions.classes + entry.column)] = entry.state;
    }
  }
  return evaluate({predictions.probabilities, predictions.rows, predictions.classes},
                  {predictions.decisions, predictions.rows, predictions.classes},
                  {targets, predictions.rows, predictions.classes});
}

Model::Model(const std::filesystem::path& run, const std::string& device) {
  SweepSpec sweep;
  sweep.device = parse_device(device);
  content_ = load_content(run, sweep);
}

const std::vector<std::string>& Model::label_names() const { return content_->labels; }
const nlohmann::json& Model::description() const { return content_->description; }

Predictions Model::predict(const FeatureData& data) const {
  return mlpac::predict(*content_, *apply_features(content_->description, FeatureTable(data)).data);
}

Metrics Model::evaluate(const FeatureData& data) const {
  return mlpac::evaluate(*content_, apply_features(content_->description, FeatureTable(data)));
}

void Model::save(const std::filesystem::path& folder) const {
  State weights;
  weights.tensors = named_tensors(*content_->network);
  save_state(folder / "model.safetensors", weights);
  write_file_atomically(folder / "model.json", content_->description.dump(1) + '\n');
}

nlohmann::json to_json(const Metrics& metrics) {
  return {{"precision", metrics.precision},
          {"recall", metrics.recall},
          {"f1", metrics.f1},
          {"macro_f1", metrics.macro_f1},
          {"map", metrics.map}};
}

}  // namespace mlpac
