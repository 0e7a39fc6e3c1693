#include <array>

#include "core/names.h"
#include "methods/supervised.h"

namespace mlpac {

namespace {

constexpr std::array<OptionDefault, 4> kMlpacDefaults{
    {{"epochs", "15"}, {"lr", "0.0005"}, {"folds", "0"}, {"threshold", "auto"}}};
constexpr std::array<OptionDefault, 2> kExpectedDefaults{{{"prior", "estimate"}, {"threshold", "auto"}}};
constexpr std::array<OptionDefault, 4> kP3mDefaults{
    {{"prior", "estimate"}, {"network", "cosine"}, {"dropout", "0.2"}, {"threshold", "auto"}}};
constexpr std::array<OptionDefault, 1> kCompleteDefaults{{{"selection", "full-dev"}}};
// Losses whose outputs are no probabilities: where to cut is chosen with the epoch.
constexpr std::array<OptionDefault, 1> kAutomaticThreshold{{{"threshold", "auto"}}};
constexpr std::array<OptionDefault, 3> kAslDefaults{
    {{"gamma-positive", "1"}, {"probability-margin", "0.05"}, {"threshold", "auto"}}};
constexpr std::array<OptionDefault, 2> kPAslDefaults{{{"gamma-negative", "1"}, {"threshold", "auto"}}};
constexpr std::array<OptionDefault, 3> kCslDefaults{
    {{"prior", "estimate"}, {"gamma-negative", "1"}, {"threshold", "auto"}}};
// A risk of each label needs positives of most labels in a batch.
constexpr std::array<OptionDefault, 4> kPuDefaults{
    {{"prior", "estimate"}, {"batch", "128"}, {"epochs", "60"}, {"threshold", "auto"}}};
constexpr std::array<OptionDefault, 4> kImbalancedDefaults{
    {{"prior", "estimate"}, {"surrogate", "sigmoid"}, {"composition", "10:batch"}, {"threshold", "auto"}}};
constexpr std::array<OptionDefault, 6> kSsrDefaults{{{"prior", "estimate"},
                                                     {"threshold-class", "on"},
                                                     {"margin", "3"},
                                                     {"batch", "128"},
                                                     {"epochs", "60"},
                                                     {"threshold", "auto"}}};

const std::array kMethods{
    MethodEntry{"mlpac", "policy rewarded by recall of the annotations and by a critic; finds its own weight w",
                "ACL 2024", "annotated positives are a random sample of all positives", "", TrainingLabels::annotated,
                "", kMlpacDefaults, create_mlpac},
    MethodEntry{"negative",
                "unknown = negative",
                "folklore",
                "few positives are missing",
                "",
                TrainingLabels::annotated,
                "bce",
                {},
                create_supervised},
    MethodEntry{"pos-weight",
                "unknown = negative, positives weighted up",
                "ACL 2024 (baseline)",
                "missing positives are made up for by weight",
                "",
                TrainingLabels::annotated,
                "pos-weight",
                {},
                create_supervised},
    MethodEntry{"neg-weight",
                "unknown = negative, unknown entries sub-sampled",
                "ACL 2024 (baseline)",
                "most unknown entries are negative",
                "",
                TrainingLabels::annotated,
                "neg-weight",
                {},
                create_supervised},
    MethodEntry{"an-ls", "unknown = negative with smoothed labels", "Cole et al., CVPR 2021",
                "few positives are missing", "", TrainingLabels::annotated, "an-ls", kAutomaticThreshold,
                create_supervised},
    MethodEntry{"wan", "unknown = negative with a small weight", "Cole et al., CVPR 2021",
                "a row has about one annotation", "", TrainingLabels::annotated, "wan", kAutomaticThreshold,
                create_supervised},
    MethodEntry{"epr", "only annotations count, and how many positives a row has", "Cole et al., CVPR 2021",
                "rows have about the expected number of positives",
                "expected positives of a row (--expected-positives, or from --prior)", TrainingLabels::annotated, "epr",
                kExpectedDefaults, create_supervised},
    MethodEntry{"pairwise", "annotated labels ranked above the unknown ones of their row", "Cole et al., CVPR 2021",
                "most unknown entries are negative", "", TrainingLabels::annotated, "pairwise", kAutomaticThreshold,
                create_supervised},
    MethodEntry{"asl", "unknown = negative, easy negatives hardly count", "Ridnik et al., ICCV 2021",
                "few positives are missing", "", TrainingLabels::annotated, "asl", kAslDefaults, create_supervised},
    MethodEntry{"p-asl", "asl with own exponents for known negatives and unknown entries",
                "Ben-Baruch et al., CVPR 2022", "most unknown entries are negative",
                "known negatives for --partial ignore", TrainingLabels::annotated, "p-asl", kPAslDefaults,
                create_supervised},
    MethodEntry{"csl", "p-asl without the unknown entries that are probably positive", "Ben-Baruch et al., CVPR 2022",
                "the likeliest unknown entries are the missing positives", "prior of each class (--prior, --csl-prior)",
                TrainingLabels::annotated, "csl", kCslDefaults, create_csl_method},
    MethodEntry{"upu", "unbiased PU risk (positive and unlabelled entries)", "du Plessis et al., ICML 2015",
                "annotated positives are a random sample; the prior is right", "prior of each class (--prior)",
                TrainingLabels::annotated, "upu", kPuDefaults, create_supervised},
    MethodEntry{"nnpu", "PU risk that is corrected where it would become negative", "Kiryo et al., NIPS 2017",
                "annotated positives are a random sample; the prior is right", "prior of each class (--prior)",
                TrainingLabels::annotated, "nnpu", kPuDefaults, create_supervised},
    MethodEntry{"imbalanced-nnpu", "nnpu re-balanced for rare classes", "Su et al., IJCAI 2021",
                "annotated positives are a random sample; the prior is right", "prior of each class (--prior)",
                TrainingLabels::annotated, "imbalanced-nnpu", kImbalancedDefaults, create_supervised},
    MethodEntry{"ssr-pu", "PU risk with a squared loss, ranked against a threshold class", "Wang et al., EMNLP 2022",
                "annotated positives are a random sample of all positives", "prior of each class (--prior)",
                TrainingLabels::annotated, "ssr-pu", kSsrDefaults, create_supervised},
    MethodEntry{"role", "a matrix of estimated labels learns beside the network, from the annotations and from it",
                "Cole et al., CVPR 2021", "rows have about the expected number of positives",
                "expected positives of a row (--expected-positives, or from --prior)", TrainingLabels::annotated, "",
                kExpectedDefaults, create_role},
    MethodEntry{"p3m", "metric learning with a PU risk, two dropout masks and mixed positives",
                "Wang et al., AAAI 2024", "annotated positives are a random sample of all positives",
                "prior of each class (--prior)", TrainingLabels::annotated, "", kP3mDefaults, create_p3m},
    MethodEntry{"self-training",
                "negative mode that adds its own sure predictions as positives",
                "ACL 2024 (ablation)",
                "sure predictions are right",
                "",
                TrainingLabels::annotated,
                "bce",
                {},
                create_self_training},
    MethodEntry{"supervised", "upper bound: sees the labels that --ratio hides", "-", "labels are complete", "",
                TrainingLabels::complete, "bce", kCompleteDefaults, create_supervised},
};

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
