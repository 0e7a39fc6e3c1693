#include <array>

#include "core/names.h"
#include "tasks/binary_pu.h"
#include "tasks/documents.h"
#include "tasks/features.h"
#include "tasks/images.h"

namespace mlpac {

namespace {

constexpr std::array<OptionDefault, 12> kBinaryPuDefaults{{{"network", "cnn13"},
                                                           {"batch", "500"},
                                                           {"validation", "0.1"},
                                                           {"folds", "1"},
                                                           {"epochs", "20"},
                                                           {"pretrain-epochs", "5"},
                                                           {"pretrain-candidates", "1"},
                                                           {"critic-epochs", "10"},
                                                           {"critic-lr", "0.0003"},
                                                           {"rho", "0.2"},
                                                           {"gamma-policy", "0.8"},
                                                           {"candidates", "8"}}};
// At a thousandth the policy of a convolutional network may die within an epoch.
constexpr std::array<OptionDefault, 1> kImagePolicy{{{"lr", "0.0003"}}};
// Kiryo's and Su's settings for CIFAR-10; at larger rates the risks are fitted by never saying TRUE.
constexpr std::array<OptionDefault, 4> kKiryo{
    {{"lr", "0.00001"}, {"weight-decay", "0.005"}, {"optimizer", "adam"}, {"epochs", "100"}}};
constexpr std::array<OptionDefault, 3> kSu{{{"weight-decay", "5e-8"}, {"optimizer", "adam"}, {"epochs", "200"}}};
constexpr std::array<MethodDefaults, 4> kBinaryPuMethods{
    {{"mlpac", kImagePolicy}, {"upu", kKiryo}, {"nnpu", kKiryo}, {"imbalanced-nnpu", kSu}}};

// Estimated F1 needs a bound of the prior, which surest predictions give: those of a network that has learned little
// from few documents are mostly wrong, and the bound is then ten times too large; the Lee-Liu score, precision times
// recall, takes three times the recall for a third of the precision. Hence the middle. The threshold class says where
// to cut.
constexpr std::array<OptionDefault, 20> kDocumentDefaults{{{"network", "dreeam"},
                                                           {"base-loss", "atl"},
                                                           {"batch", "8"},
                                                           {"folds", "1"},
                                                           {"validation", "0.15"},
                                                           {"dropout", "0.1"},
                                                           {"positive-weight", "rows"},
                                                           {"negatives", "pairs:10"},
                                                           {"lr", "0.0003"},
                                                           {"pretrain-lr", "0.0003"},
                                                           {"critic-lr", "0.0001"},
                                                           {"warmup", "0.06"},
                                                           {"clip", "1"},
                                                           {"eps", "0.000001"},
                                                           {"eps-early", "true"},
                                                           {"selection", "middle-f1"},
                                                           {"epochs", "25"},
                                                           {"pretrain-epochs", "12"},
                                                           {"pretrain-candidates", "2"},
                                                           {"candidates", "7"}}};
// Few pairs have an annotation, so that the unit of w, made for rows that have some, is too small: below a half little
// is predicted with 10 % of the triples (with all of them an eighth is best).
constexpr std::array<OptionDefault, 5> kDocumentPolicy{
    {{"lr", "0.0002"}, {"epochs", "10"}, {"w", "auto:0.0625:4"}, {"reach", "1"}, {"threshold", "0.5"}}};
constexpr std::array<OptionDefault, 1> kDocumentBound{{{"selection", "full-dev"}}};
// As its authors train it: ranked against the none class, which also cuts, with their margin, three times as many
// positives as annotated.
constexpr std::array<OptionDefault, 6> kDocumentSsr{{{"document-model", "atlop"},
                                                     {"evidence-weight", "0"},
                                                     {"most-relations", "0"},
                                                     {"margin", "0.25"},
                                                     {"threshold", "0.5"},
                                                     {"prior", "multiple:3"}}};
constexpr std::array<OptionDefault, 6> kDocumentP3m{{{"document-model", "atlop"},
                                                     {"pair-head", "metric"},
                                                     {"evidence-weight", "0"},
                                                     {"most-relations", "0"},
                                                     {"dropout", "0.2"},
                                                     {"prior", "multiple:3"}}};
constexpr std::array<MethodDefaults, 4> kDocumentMethods{
    {{"mlpac", kDocumentPolicy}, {"supervised", kDocumentBound}, {"ssr-pu", kDocumentSsr}, {"p3m", kDocumentP3m}}};

// Adam with OneCycle as the published code for COCO has it, at a rate at which policies do not die; weights are
// averaged over a few hundred steps.
constexpr std::array<OptionDefault, 18> kImageDefaults{{{"network", "resnet18"},
                                                        {"batch", "64"},
                                                        {"validation", "0.1"},
                                                        {"folds", "1"},
                                                        {"hide", "independent"},
                                                        {"optimizer", "adam"},
                                                        {"lr", "0.0003"},
                                                        {"pretrain-lr", "0.001"},
                                                        {"critic-lr", "0.0003"},
                                                        {"weight-decay", "0.0001"},
                                                        {"schedule", "one-cycle"},
                                                        {"warmup", "0.2"},
                                                        {"ema", "0.997"},
                                                        {"epochs", "20"},
                                                        {"pretrain-epochs", "20"},
                                                        {"pretrain-candidates", "1"},
                                                        {"candidates", "8"},
                                                        {"flip", "true"}}};
// What one policy makes of few rows hangs on the weights it begins with. Those weights order some data better than it
// does.
constexpr std::array<OptionDefault, 2> kFeaturePolicy{{{"members", "3"}, {"mix", "pretrained"}}};
constexpr std::array<MethodDefaults, 1> kFeatureMethods{{{"mlpac", kFeaturePolicy}}};

constexpr std::array<TaskEntry, 4> kTasks{{
    {"features",
     "rows of numbers, categories or text with a set of labels each (mlpac list readers)",
     {},
     kFeatureMethods,
     load_features,
     apply_feature_file,
     pack_features},
    {"binary-pu",
     "one category of images (--positive) against all others: a folder per category, or CIFAR's binary files",
     kBinaryPuDefaults, kBinaryPuMethods, load_binary_pu, apply_binary_pu, pack_binary_pu},
    {"documents",
     "relations between the entities of documents, in the JSON of DocRED; several --test files are separated by commas",
     kDocumentDefaults, kDocumentMethods, load_document_task, apply_documents, pack_documents},
    {"images",
     "images with a set of labels each: annotations of COCO, a folder of Pascal VOC, or a list in a CSV file",
     kImageDefaults,
     {},
     load_image_labels,
     apply_image_labels,
     pack_images},
}};

}  // namespace

std::span<const TaskEntry> tasks() { return kTasks; }
const TaskEntry& find_task(std::string_view name) { return kTasks[index_of(name, kTasks, "task")]; }

}  // namespace mlpac
