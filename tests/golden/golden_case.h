// Reference cases: numbers that the authors' own programs produced, and the comparison with ours.
//
// A folder holds index.json (every case with inputs, outputs, parameters and its own tolerance) and safetensors files.
// A handler computes what the case names and hands each result to GoldenCase::expect; an output that no handler dealt
// with is a failure, so that a case cannot pass by being half read.
#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace mlpac::golden {

/// An index and the tensors it refers to; files are read once.
class GoldenFolder {
 public:
  explicit GoldenFolder(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  const nlohmann::json& cases() const { return index_.at("cases"); }
  /// The tensor of a reference {file, tensor, dtype, shape}.
  at::Tensor tensor(const nlohmann::json& reference) const;
  const std::map<std::string, at::Tensor>& tensors(const std::string& file) const;
  nlohmann::json json(const std::string& file) const;

 private:
  std::filesystem::path path_;
  nlohmann::json index_;
  mutable std::map<std::string, std::map<std::string, at::Tensor>> files_;
};

/// MLPAC_GOLDEN, else the complete set beside the checkout, else the part that comes with the program.
std::filesystem::path golden_folder();

/// One case while it is checked.
class GoldenCase {
 public:
  /// `perturb` names an output whose computed value is moved just out of its tolerance: it must then fail.
  GoldenCase(const GoldenFolder& folder, const nlohmann::json& entry, std::string perturb = {},
             at::Device device = at::kCPU);

  std::string id() const { return entry_.at("id"); }
  const nlohmann::json& entry() const { return entry_; }
  const nlohmann::json& params() const { return entry_.at("params"); }
  const GoldenFolder& folder() const { return folder_; }
  /// Where the case is computed; inputs and stored outputs are handed out there.
  at::Device device() const { return device_; }

  bool has_input(const std::string& name) const;
  /// An input in the type it is stored in, or as float32.
  at::Tensor input(const std::string& name) const;
  at::Tensor input_float(const std::string& name) const;
  /// The stored output, for checks of properties instead of values; counts as dealt with.
  at::Tensor output(const std::string& name);

  /// Compares with the case's tolerance; does nothing if the case does not name this output. `atol`: absolute tolerance
  /// that the note of the case gives for this output.
  void expect(const std::string& name, const at::Tensor& actual, std::optional<double> atol = {});
  void expect(const std::string& name, double actual);
  /// A fact that is not a stored output.
  void require(bool fact, const std::string& message);
  /// An output that the program deliberately does not compute; printed by the runner.
  void exclude(const std::string& name, const std::string& reason);

  /// Adds a failure for each output nobody looked at, and if nothing at all was checked.
  void finish();
  const std::vector<std::string>& failures() const { return failures_; }
  const std::vector<std::string>& exclusions() const { return exclusions_; }

 private:
  bool names(const std::string& output) const;

  const GoldenFolder& folder_;
  nlohmann::json entry_;
  std::string perturb_;
  at::Device device_;
  std::set<std::string> checked_;
  int facts_ = 0;
  std::vector<std::string> failures_;
  std::vector<std::string> exclusions_;
};

/// Which function checks a family of cases: all of a group whose id starts with the prefix.
struct Handler {
  const char* group;
  const char* prefix;
  void (*run)(GoldenCase& test);
  /// Its cases are about real documents: they need the archives beside the complete set and do not come with the
  /// program.
  bool on_documents = false;
  /// Its cases are computed by tensors, which may live on a GPU.
  bool on_gpu = true;
};
const std::vector<Handler>& handlers();
/// nullptr if the program does not cover the case.
const Handler* find_handler(const nlohmann::json& entry);
/// Why a case without a handler is left out.
std::string skip_reason(const nlohmann::json& entry);

// ---- the families, one function each (cases_*.cc) ----
void docre_reward(GoldenCase& test);
void cnn13(GoldenCase& test);
void tresnet(GoldenCase& test);
void tresnet_init(GoldenCase& test);
void tresnet_small(GoldenCase& test);
void encoder(GoldenCase& test);
void dreeam(GoldenCase& test);
void shifted_ranking_model(GoldenCase& test);
void metric_model(GoldenCase& test);
void fusion_merge(GoldenCase& test);
void fusion_pipeline(GoldenCase& test);
/// Whether the documents and vocabularies that cases are about are there.
bool documents_at_hand();
void adaptive_threshold(GoldenCase& test);
void sampled_adaptive_threshold(GoldenCase& test);
void docre_policy(GoldenCase& test);
void docre_enhance(GoldenCase& test);
void image_loss(GoldenCase& test);
void image_policy(GoldenCase& test);
void asymmetric_loss(GoldenCase& test);
void partial_asymmetric_loss(GoldenCase& test);
void running_class_prior(GoldenCase& test);
void single_positive_loss(GoldenCase& test);
void label_estimator_init(GoldenCase& test);
void label_estimator_resume(GoldenCase& test);
void non_negative_pu(GoldenCase& test);
void imbalanced_pu(GoldenCase& test);
void shifted_ranking_pu(GoldenCase& test);
void image_metrics(GoldenCase& test);
void image_class_metrics(GoldenCase& test);
void single_positive_ap(GoldenCase& test);
void adamw_linear(GoldenCase& test);
void adam_onecycle(GoldenCase& test);
void policy_lr_restart(GoldenCase& test);
void simulate_rps(GoldenCase& test);
void simulate_fpc(GoldenCase& test);
void docre_partial_dev(GoldenCase& test);
void p3m(GoldenCase& test);

}  // namespace mlpac::golden
