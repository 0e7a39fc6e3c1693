#include <array>

#include "core/names.h"
#include "methods/supervised.h"

namespace mlpac {

namespace {

constexpr std::array<OptionDefault, 4> kMlpacDefaults{
    {{"epochs", "15"}, {"lr", "0.0005"}, {"folds", "0"}, {"threshold", "auto"}}};
constexpr std::array<OptionDefault, 1> kRoleDefaults{{{"prior", "estimate"}}};
constexpr std::array<OptionDefault, 3> kP3mDefaults{{{"prior", "estimate"}, {"network", "cosine"}, {"dropout", "0.2"}}};
constexpr std::array<OptionDefault, 1> kCompleteDefaults{{{"selection", "full-dev"}}};

const std::array<MethodEntry, 8> kMethods{{
    {"mlpac", "policy rewarded by recall of the annotations and by a critic; finds its own weight w", "ACL 2024",
     "annotated positives are a random sample of all positives", TrainingLabels::annotated, "", kMlpacDefaults,
     create_mlpac},
    {"negative",
     "unknown = negative",
     "folklore",
     "few positives are missing",
     TrainingLabels::annotated,
     "bce",
     {},
     create_supervised},
    {"pos-weight",
     "unknown = negative, positives weighted up",
     "ACL 2024 (baseline)",
     "missing positives are made up for by weight",
     TrainingLabels::annotated,
     "pos-weight",
     {},
     create_supervised},
    {"neg-weight",
     "unknown = negative, unknown entries sub-sampled",
     "ACL 2024 (baseline)",
     "most unknown entries are negative",
     TrainingLabels::annotated,
     "neg-weight",
     {},
     create_supervised},
    {"self-training",
     "negative mode that adds its own sure predictions as positives",
     "ACL 2024 (ablation)",
     "sure predictions are right",
     TrainingLabels::annotated,
     "bce",
     {},
     create_self_training},
    {"role", "a matrix of estimated labels learns beside the network, from the annotations and from it",
     "CVPR 2021 (ROLE)", "the mean number of positives of a row is about known", TrainingLabels::annotated, "",
     kRoleDefaults, create_role},
    {"p3m", "metric learning with a PU risk, two dropout masks and mixed positives", "AAAI 2024 (P3M)",
     "class priors are about known", TrainingLabels::annotated, "", kP3mDefaults, create_p3m},
    {"supervised", "upper bound: sees the labels that --ratio hides", "-", "labels are complete",
     TrainingLabels::complete, "bce", kCompleteDefaults, create_supervised},
}};

constexpr std::array<OptionDefault, 1> kNoLocal{{{"local", "false"}}};
constexpr std::array<OptionDefault, 1> kNoGlobal{{{"global", "none"}}};
constexpr std::array<OptionDefault, 1> kPrecision{{{"global", "precision"}}};
constexpr std::array<OptionDefault, 1> kF1{{{"global", "f1"}}};
constexpr std::array<OptionDefault, 1> kNoIteration{{{"critic-epochs", "0"}}};
constexpr std::array<OptionDefault, 1> kNoEnhancement{{{"enhance", "off"}}};
constexpr std::array<OptionDefault, 1> kNoSampling{{{"rho", "1"}}};

constexpr std::array<AblationEntry, 8> kAblations{{
    {"none", "the complete method", {}},
    {"no-local", "without the local reward", kNoLocal},
    {"no-global", "without the global reward", kNoGlobal},
    {"precision", "precision instead of recall as global reward", kPrecision},
    {"f1", "F1 instead of recall as global reward", kF1},
    {"no-iterative", "without iterative training: the critic stays as it was pre-trained", kNoIteration},
    {"no-enhancement", "without label enhancement", kNoEnhancement},
    {"no-action-sampling", "every unknown class enters the local reward", kNoSampling},
}};

}  // namespace

std::span<const MethodEntry> methods() { return kMethods; }
const MethodEntry& find_method(std::string_view name) { return kMethods[index_of(name, kMethods, "method")]; }
std::span<const AblationEntry> ablations() { return kAblations; }
const AblationEntry& find_ablation(std::string_view name) { return kAblations[index_of(name, kAblations, "ablation")]; }

}  // namespace mlpac
