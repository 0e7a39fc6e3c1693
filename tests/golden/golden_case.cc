#include "golden_case.h"

#include <fmt/format.h>

#include <cstdlib>

#include "core/file.h"
#include "nn/torch.h"
#include "train/state.h"

namespace mlpac::golden {

GoldenFolder::GoldenFolder(std::filesystem::path path)
    : path_(std::move(path)), index_(nlohmann::json::parse(read_file(path_ / "index.json"))) {}

at::Tensor GoldenFolder::tensor(const nlohmann::json& reference) const {
  return tensors(reference.at("file")).at(reference.at("tensor").get<std::string>());
}

const std::map<std::string, at::Tensor>& GoldenFolder::tensors(const std::string& file) const {
  if (!files_.contains(file)) files_[file] = load_state(path_ / file).tensors;
  return files_.at(file);
}

nlohmann::json GoldenFolder::json(const std::string& file) const {
  return nlohmann::json::parse(read_file(path_ / file));
}

std::filesystem::path golden_folder() {
  if (const char* folder = std::getenv("MLPAC_GOLDEN"); folder != nullptr && *folder != '\0') return folder;
  const std::filesystem::path source = MLPAC_SOURCE_DIR;
  const auto complete = source / ".." / "shared" / "golden";
  return std::filesystem::exists(complete / "index.json") ? complete : source / "tests" / "golden";
}

GoldenCase::GoldenCase(const GoldenFolder& folder, const nlohmann::json& entry, std::string perturb, at::Device device)
    : folder_(folder), entry_(entry), perturb_(std::move(perturb)), device_(device) {}

bool GoldenCase::has_input(const std::string& name) const {
  return entry_.contains("inputs") && entry_.at("inputs").contains(name);
}

bool GoldenCase::names(const std::string& output) const {
  return entry_.contains("outputs") && entry_.at("outputs").contains(output);
}

at::Tensor GoldenCase::input(const std::string& name) const {
  return folder_.tensor(entry_.at("inputs").at(name)).to(device_);
}

at::Tensor GoldenCase::input_float(const std::string& name) const { return input(name).to(at::kFloat); }

at::Tensor GoldenCase::output(const std::string& name) {
  checked_.insert(name);
  const auto& stored = entry_.at("outputs").at(name);
  const auto value = stored.is_object() ? folder_.tensor(stored) : at::full({}, stored.get<double>(), at::kDouble);
  return value.to(device_);
}

void GoldenCase::expect(const std::string& name, const at::Tensor& actual, std::optional<double> atol) {
  if (!names(name)) return;
  const auto reference = output(name).to(at::kCPU, at::kDouble);
  if (reference.sizes() != actual.sizes()) {
    failures_.push_back(fmt::format("{}: another shape than the reference", name));
    return;
  }
  const auto& tolerance = entry_.at("tolerance");
  const bool exact = tolerance.value("exact", false);
  at::Tensor allowed = at::zeros_like(reference);
  if (!exact) {
    const double absolute = atol ? *atol : tolerance.at("atol").get<double>();
    allowed = absolute + tolerance.at("rtol").get<double>() * reference.abs();
  }
  auto values = actual.detach().to(at::kCPU, at::kDouble).clone();
  if (perturb_ == name) {
    const auto step = exact ? at::ones_like(allowed) : 2.5 * allowed + 1e-12;
    values.view(-1)[0] += step.reshape(-1)[0];
  }
  // Not (difference > allowed): that would let NaN pass.
  const auto wrong = at::logical_not((values - reference).abs() <= allowed);
  const auto count = wrong.sum().item<std::int64_t>();
  if (count == 0) return;
  const auto first = wrong.view(-1).nonzero()[0][0].item<std::int64_t>();
  failures_.push_back(fmt::format("{}: {} of {} values differ, the first ({}) is {} instead of {}", name, count,
                                  reference.numel(), first, values.view(-1)[first].item<double>(),
                                  reference.reshape(-1)[first].item<double>()));
}

void GoldenCase::expect(const std::string& name, double actual) { expect(name, at::full({}, actual, at::kDouble)); }

void GoldenCase::require(bool fact, const std::string& message) {
  ++facts_;
  if (!fact) failures_.push_back(message);
}

void GoldenCase::exclude(const std::string& name, const std::string& reason) {
  if (!names(name)) return;
  checked_.insert(name);
  exclusions_.push_back(fmt::format("{}: {}", name, reason));
}

void GoldenCase::finish() {
  if (entry_.contains("outputs")) {
    for (const auto& [name, value] : entry_.at("outputs").items()) {
      if (!checked_.contains(name)) failures_.push_back(fmt::format("{}: an output that no handler knows", name));
    }
  }
  if (checked_.empty() && facts_ == 0) failures_.emplace_back("nothing was checked");
}

const std::vector<Handler>& handlers() {
  constexpr bool kDocuments = true;
  constexpr bool kNoDocuments = false;
  constexpr bool kHostOnly = false;
  static const std::vector<Handler> table{
      {"mlpac/docre", "docre_reward", docre_reward},
      {"mlpac/docre", "docre_policy", docre_policy},
      {"mlpac/docre", "docre_enhance", docre_enhance},
      {"mlpac/image", "img_bce", image_loss},
      {"mlpac/image", "img_rl", image_policy},
      {"losses/asl", "asl", asymmetric_loss},
      {"losses/pasl", "pasl", partial_asymmetric_loss},
      {"losses/pasl", "class_prior", running_class_prior},
      {"losses/spml", "spml", single_positive_loss},
      {"losses/spml", "role_estimator_init", label_estimator_init},
      {"losses/spml", "role_estimator_resume", label_estimator_resume},
      {"losses/pu", "nnpu", non_negative_pu},
      {"losses/pu", "imbalanced_nnpu", imbalanced_pu},
      {"losses/ssrpu", "ssrpu", shifted_ranking_pu},
      {"metrics/image", "img_metrics", image_metrics, kNoDocuments, kHostOnly},
      {"metrics/image", "img_cf1_of1", image_class_metrics, kNoDocuments, kHostOnly},
      {"metrics/image", "spml_ap", single_positive_ap, kNoDocuments, kHostOnly},
      {"optim", "adamw_linear", adamw_linear},
      {"optim", "adam_onecycle", adam_onecycle},
      {"optim", "policy_lr_restart", policy_lr_restart, kNoDocuments, kHostOnly},
      {"simulation", "simulate_rps", simulate_rps, kNoDocuments, kHostOnly},
      {"simulation", "simulate_fpc", simulate_fpc, kNoDocuments, kHostOnly},
      {"simulation", "docre_partial_dev", docre_partial_dev, kNoDocuments, kHostOnly},
      {"losses/p3m", "p3m", p3m},
      {"models/cnn13", "cnn13", cnn13},
      {"models/tresnet", "tresnet_m_init", tresnet_init, kNoDocuments, kHostOnly},
      {"models/tresnet", "tresnet_m_", tresnet},
      {"models/tresnet_small", "small", tresnet_small},
      {"docre/encoder", "encoder", encoder},
      {"losses/atl", "atl_ns", sampled_adaptive_threshold},
      {"losses/atl", "atl_", adaptive_threshold},
      {"docre/dreeam", "dreeam", dreeam, kDocuments},
      {"docre/baselines", "ssrpu_model", shifted_ranking_model, kDocuments},
      {"docre/baselines", "p3m_model", metric_model, kDocuments},
      {"docre/fusion", "fusion_pipeline", fusion_pipeline, kDocuments},
      {"metrics/docre", "fusion_merge", fusion_merge, kDocuments, kHostOnly},
  };
  return table;
}

const Handler* find_handler(const nlohmann::json& entry) {
  const std::string id = entry.at("id");
  const std::string group = entry.at("group");
  for (const auto& handler : handlers()) {
    if (group != handler.group || !id.starts_with(handler.prefix)) continue;
    return handler.on_documents && !documents_at_hand() ? nullptr : &handler;
  }
  return nullptr;
}

std::string skip_reason(const nlohmann::json& entry) {
  const std::string group = entry.at("group");
  if (group.starts_with("losses/")) return group + ": method not in this program yet";
  if (group.starts_with("models/")) return group + ": network not in this program yet";
  if (group == "docre/features" || group == "metrics/docre") return group + ": checked by core_tests";
  if (group.starts_with("docre/") && !documents_at_hand()) {
    return group + ": the archives redocred and tokenizers are not in ../data of the golden folder";
  }
  return group + ": no check for this family of cases";
}

}  // namespace mlpac::golden
