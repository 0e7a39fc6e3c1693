// Every option of the program, in the order of the help.
#include <array>
#include <limits>

#include "mlpac/options.h"

namespace mlpac {

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kMaxInteger = 9.0e15;
constexpr auto kWords = OptionKind::text;
constexpr auto kPath = OptionKind::path;
constexpr auto kInteger = OptionKind::integer;
constexpr auto kNumber = OptionKind::number;
constexpr auto kFlag = OptionKind::flag;

constexpr OptionEntry text(std::string_view name, std::string_view fallback, std::string_view choices,
                           std::string_view group, std::string_view help, unsigned commands = kTrain) {
  return {name, kWords, fallback, 0, 0, choices, commands, false, group, help};
}
constexpr OptionEntry path(std::string_view name, std::string_view group, std::string_view help,
                           unsigned commands = kTrain, bool runtime = false) {
  return {name, kPath, "", 0, 0, "", commands, runtime, group, help};
}
constexpr OptionEntry integer(std::string_view name, std::string_view fallback, double low, double high,
                              std::string_view group, std::string_view help, unsigned commands = kTrain) {
  return {name, kInteger, fallback, low, high, "", commands, false, group, help};
}
constexpr OptionEntry number(std::string_view name, std::string_view fallback, double low, double high,
                             std::string_view group, std::string_view help, unsigned commands = kTrain) {
  return {name, kNumber, fallback, low, high, "", commands, false, group, help};
}
constexpr OptionEntry flag(std::string_view name, std::string_view fallback, std::string_view group,
                           std::string_view help, unsigned commands = kTrain) {
  return {name, kFlag, fallback, 0, 1, "", commands, false, group, help};
}
constexpr OptionEntry at_run_time(OptionEntry entry) {
  entry.runtime = true;
  return entry;
}

constexpr OptionEntry common(OptionEntry entry) {
  entry.common = true;
  return entry;
}

constexpr OptionEntry repeated(OptionEntry entry) {
  entry.repeats = true;
  return entry;
}

constexpr std::string_view kData = "Data";
constexpr std::string_view kDocuments = "Documents";
constexpr std::string_view kText = "Text in the data";
constexpr std::string_view kImages = "Images with labels";
constexpr std::string_view kModel = "Method and network";
constexpr std::string_view kOptimisation = "Optimisation";
constexpr std::string_view kReward = "MLPAC: rewards and policy";
constexpr std::string_view kCritic = "MLPAC: critic and label enhancement";
constexpr std::string_view kBaseline = "Simple methods";
constexpr std::string_view kAsymmetric = "Asymmetric losses: asl, p-asl, csl";
constexpr std::string_view kUnlabelled = "PU risks: upu, nnpu, imbalanced-nnpu, ssr-pu";
constexpr std::string_view kPriors = "Class priors, EPR, ROLE and P3M";
constexpr std::string_view kSelection = "Selection";
constexpr std::string_view kSuggestions = "Suggestions";
constexpr std::string_view kReviewing = "Review";
constexpr std::string_view kExperiments = "Experiments";
constexpr std::string_view kRun = "Run";
constexpr std::string_view kSynthetic = "Synthetic data";
constexpr unsigned kAll = kTrain | kEvaluate | kPredict | kDemo | kGenerate | kHide | kPack;
constexpr unsigned kReads = kTrain | kEvaluate | kPredict | kHide | kInfo | kReview | kPack;
constexpr unsigned kLearning = kTrain | kDemo;

const std::array kOptions{
    text("task", "features", "", kData, "kind of data (mlpac list tasks)", kTrain | kReview | kPack),
    common(path("train", kData, "training file")),
    common(path("labels", kData, "names of the labels: Mulan XML, or one per line",
                kTrain | kHide | kInfo | kReview | kPack)),
    common(path("test", kData, "completely labelled test file")),
    common(path("data", kData, "data file; experiment: folder of the data",
                kEvaluate | kPredict | kHide | kSuggest | kReview | kExperiment)),
    text("format", "", "", kData, "format of the data files (mlpac list readers); recognised if not given", kReads),
    common(text("label-columns", "", "", kData, "columns of 1, 0 or -1, one per label: a,b,c or tag_*", kReads)),
    common(text("label-list", "", "", kData, "CSV: column that lists the names of a row's labels", kReads)),
    text("label-separators", ",;|", "", kData, "characters between the names in --label-list", kReads),
    path("targets", kData, "label matrix of --train or --data in a file of its own (.npy, .npz)",
         kTrain | kEvaluate | kHide | kInfo | kReview | kPack),
    path("test-targets", kData, "the same for --test"),
    common(text("id", "", "", kData, "CSV: column that identifies rows; not a feature", kReads)),
    text("ignore", "", "", kData, "CSV: columns to leave out: a,b,c or internal_*", kReads),
    common(number("ratio", "", 0, 1, kData,
                  "hide positives of a completely labelled file: keep this share as annotations", kLearning | kHide)),
    text("hide", "exact", "", kData, "how --ratio draws, or fixed:N, a number for every label (mlpac list hiding)",
         kLearning | kHide),
    integer("label-seed", "0", 0, kMaxInteger, kData, "which positives --ratio keeps", kLearning | kHide),
    path("decisions", kData,
         "journal of mlpac review: labels accepted there count as annotated, rejected ones as known negatives"),
    integer("versions", "1", 1, 10000, kData, "write this many files, with label seeds counting up", kHide),
    number("validation", "0.2", 0, 0.9, kData,
           "share of the training rows set aside, partially annotated, to select on"),
    integer("folds", "1", 0, 100, kData,
            "set rows aside in turn, so many times, then train what was chosen on all rows; 1: --validation alone, "
            "which are not trained on; 0: as many as few annotations need, then all rows"),
    text("split", "random", "random stratified", kData,
         "how those rows are drawn; stratified: every label in the same proportion, which matters for rare ones"),
    text("positive", "", "", kData, "binary-pu: the category that is looked for"),
    integer("label-entries", "1", 1, 2, kData,
            "binary-pu: entries of the label vector: one logit, or positive and negative as the paper writes it (two "
            "logits, and the local reward is a mean over two)"),
    flag("augment", "false", kData, "images: shift them by up to 4 pixels and mirror them while training"),
    text("normalise", "auto", "auto standardise max-abs none", kData,
         "scaling of the features, fitted on the training rows; auto: standardise, or max-abs if most values are 0"),
    at_run_time(integer("row-memory", "1024", 0, 1e7, kData,
                        "keep rows as dense numbers in memory up to so many MB; more are read and scaled whenever they "
                        "are used",
                        kTrain | kEvaluate | kPredict)),
    common(path("like", kData, "run or store whose labels, columns and vocabulary the packed data gets: for test data",
                kPack)),
    path("relations", kDocuments, "names and numbers of the relations (rel2id.json)", kTrain | kReview | kPack),
    path("dev", kDocuments, "documents to select on, annotated as partially as the training documents"),
    number("dev-ratio", "", 0, 1, kDocuments,
           "share of their triples that counts as annotated; as --ratio if not given"),
    path("tokeniser", kDocuments, "folder of the vocabulary: vocab.txt, or vocab.json and merges.txt",
         kTrain | kEvaluate | kPredict | kPack),
    path("encoder", kDocuments, "folder of a pre-trained BERT or RoBERTa: config.json and its weights"),
    text("encoder-preset", "small", "", kDocuments,
         "encoder that begins with random weights, without --encoder (mlpac list encoders)"),
    flag("share-encoder", "false", kDocuments,
         "mlpac: one encoder for policy and critic, taught by pre-training and the critic; policies learn their own "
         "layers behind it"),
    text("document-model", "dreeam", "dreeam atlop", kDocuments,
         "what stands for a document: the mean of the encoder's last three layers, or its last layer"),
    text("pair-head", "bilinear", "bilinear metric", kDocuments,
         "classifier of pairs: a grouped bilinear layer, or cosines with embeddings of the relations (p3m)"),
    number("evidence-weight", "0.1", 0, 1000, kDocuments,
           "weight of the loss that leads attention to the sentences of evidence; never part of a policy's objective"),
    integer("most-relations", "4", 0, 1e6, kDocuments, "a pair has at most so many relations; 0: any number"),
    path(
        "fusion", kDocuments,
        "also look at the sentences of evidence alone, and merge; these annotated documents decide from which score on",
        kPredict),
    text("explain", "", "", kDocuments, "title of a document to print with its predicted and annotated triples",
         kPredict),

    text("text-columns", "", "", kText, "CSV: columns of free text, separated by commas; recognised if not given",
         kTrain | kInfo | kPack),
    text("text-encoding", "vocabulary", "vocabulary hashed", kText, "tf-idf of a vocabulary, or of hashes",
         kTrain | kInfo | kPack),
    integer("text-features", "0", 0, 1e8, kText, "largest vocabulary, or number of hashes; 0: 50000 and 262144",
            kTrain | kInfo | kPack),
    integer("ngrams", "1", 1, 5, kText, "longest sequence of words that counts as a term", kTrain | kInfo | kPack),
    integer("min-rows", "2", 1, 1e9, kText, "a term of the vocabulary occurs in at least this many rows",
            kTrain | kInfo | kPack),

    path("images", kImages, "folder of the files that --train or --data lists; found beside the list if not given",
         kTrain | kEvaluate | kPredict | kReview | kPack),
    path("test-images", kImages, "the same for --test"),
    text("voc-set", "train", "", kImages, "Pascal VOC: list in ImageSets/Main that is trained on", kTrain | kPack),
    text("test-voc-set", "val", "", kImages, "the same for --test and --data",
         kTrain | kEvaluate | kPredict | kReview | kPack),
    text("difficult", "negative", "negative unknown positive", kImages,
         "Pascal VOC: what a class is of which only difficult objects are there",
         kTrain | kEvaluate | kPredict | kReview | kPack),
    flag("keep-unlabelled", "true", kImages, "keep images without a positive label; published numbers on COCO do not",
         kTrain | kEvaluate | kReview | kPack),
    text("on-error", "stop", "stop skip", kImages,
         "images and annotations that cannot be used: stop at the first, or leave them out and count them",
         kTrain | kEvaluate | kPredict | kReview | kPack),
    integer("image-size", "0", 0, 4096, kImages,
            "pixels a side to which images are resized; 0: the longest side of the first images, at most 448"),
    flag("upright", "true", kImages, "turn JPEG files as their EXIF orientation asks for"),
    text("pixels", "unit", "unit imagenet", kImages,
         "values from 0 to 1, or with mean and deviation of ImageNet, as torchvision's weights want them"),
    flag("flip", "false", kImages, "mirror half of the images while training"),
    number("cutout", "0", 0, 1, kImages, "while training, fill a square of this share of the image's side; 0: none"),
    flag("rand-augment", "false", kImages, "while training, apply up to two operations of RandAugment"),
    at_run_time(integer("image-memory", "2048", 0, 1e6, kImages,
                        "keep decoded images in memory up to so many MB; more are decoded again in every epoch")),
    text("stem", "auto", "auto small half standard", kImages,
         "resnet18, resnet50: first layers for small images, the same at every other pixel, or those of torchvision; "
         "auto: small up to 64 pixels"),
    number("channel-scale", "1", 0.125, 8, kImages,
           "resnet18, resnet50, tresnet-m: channels of all layers over those of the published network; a quarter makes "
           "images affordable on a CPU"),

    common(text("method", "mlpac", "", kModel, "how to learn (mlpac list methods)")),
    text("ablation", "none", "", kModel, "remove one part of MLPAC (mlpac list ablations)"),
    text("network", "mlp", "", kModel, "architecture (mlpac list networks)"),
    text("widths", "256", "", kModel, "hidden layers of the mlp, for example 256,128"),
    number("dropout", "0", 0, 0.95, kModel, "dropout after each hidden layer"),
    text("threshold-class", "off", "on off", kModel, "an extra output that the labels must exceed, instead of 0"),
    number("cosine-scale", "10", 0.001, 1e6, kModel, "cosine: log-odds are this times a difference of cosines"),
    path("init", kModel,
         "start from the weights of this run instead of pre-training, or from a file of weights (PyTorch, safetensors) "
         "with a new last layer"),
    integer("members", "1", 1, 64, kModel,
            "models that are trained on all rows in the end, each from first weights of its own; the mean of their "
            "log-odds is predicted"),
    text("pretrain", "pos-weight", "", kModel, "supervised method that pre-trains policy and critic, or none"),
    text("mix", "off", "off pretrained all", kModel,
         "mlpac: what may predict instead of the policy, or as a mean with it: the model it began with (if it finds "
         "more annotations on the rows set aside among as many predictions), or that and the critic (if it ranks them "
         "higher within their classes)"),
    flag("keep-pretrained", "false", kModel, "keep the pre-trained model where no policy has a better score"),
    integer("pretrain-candidates", "0", 0, 32, kModel,
            "weights compared in pre-training by pos-weight or neg-weight, each a quarter of the next; 0: 3 where "
            "the rows set aside hold 500 annotations, as many as of w where there are at most 200 rows, otherwise 1"),
    integer("pretrain-epochs", "30", 0, 1e6, kModel, "longest pre-training"),
    integer("pretrain-patience", "0", 0, 1e6, kModel,
            "stop pre-training after this many epochs without a better score; 0: never"),

    common(integer("epochs", "30", 1, 1e6, kOptimisation, "epochs of training (after pre-training)")),
    integer("patience", "0", 0, 1e6, kOptimisation, "stop after this many epochs without a better score; 0: never"),
    integer("batch", "0", 0, 1e7, kOptimisation, "rows per step; 0: about 40 steps an epoch, but 16 to 128 rows"),
    integer(
        "shuffle-block", "1", 1, 1e6, kOptimisation,
        "rows that lie one behind the other and are drawn together; more than 1 reads large stores faster, for data "
        "whose order means nothing"),
    integer("accumulate", "1", 1, 1e4, kOptimisation, "parts in which the rows of a step are computed, to save memory"),
    text("optimizer", "adamw", "adam adamw", kOptimisation, "Adam with L2 decay, or AdamW"),
    number("lr", "0.001", 0, 100, kOptimisation, "learning rate"),
    number("pretrain-lr", "0.001", 0, 100, kOptimisation, "learning rate of pre-training"),
    number("critic-lr", "0.001", 0, 100, kOptimisation, "learning rate of the critic"),
    number("weight-decay", "0", 0, 10, kOptimisation, "weight decay"),
    number("beta1", "0.9", 0, 0.99999, kOptimisation, "decay of the first moment"),
    number("beta2", "0.999", 0, 0.99999999, kOptimisation, "decay of the second moment"),
    number("eps", "1e-8", 0, 1, kOptimisation, "Adam's epsilon"),
    flag("eps-early", "false", kOptimisation, "add it before the bias correction, as Hugging Face's AdamW did"),
    number("encoder-lr-scale", "1", 0, 1000, kOptimisation,
           "documents: learning rate of the encoder over that of the new layers"),
    flag("decay-matrices-only", "true", kOptimisation, "no weight decay on biases and other vectors"),
    number("clip", "0", 0, kInf, kOptimisation, "largest gradient norm; 0: off"),
    text("schedule", "linear", "", kOptimisation, "learning-rate schedule (mlpac list schedules)"),
    number("warmup", "0", 0, 1, kOptimisation, "share of the steps that climb; one-cycle: 0 means 0.3"),
    number("ema", "0", 0, 0.999999, kOptimisation,
           "decay of an average of the weights that is used instead of them; 0: off"),
    text("precision", "float32", "float32 bf16", kOptimisation, "number format of the forward pass (bf16 on GPUs)"),

    text("estimator", "exact", "exact reinforce", kReward, "policy gradient: exact expectation, or T samples"),
    integer("samples", "100", 1, 1e6, kReward, "T, actions per row and step of reinforce"),
    common(text("w", "auto", "", kReward,
                "weight of the global reward: auto, auto:FROM:TO (the best value between them), a number, "
                "linear:FROM:TO[:SHARE "
                "of the epochs], or list:A,B,...[:cyclic] (one per epoch)")),
    integer("candidates", "12", 2, 64, kReward, "values of a weight that auto starts with"),
    integer("reach", "0", 0, 64, kReward,
            "of these, so many on each side of the leading one are trained beyond a sixth of the epochs, and one fewer "
            "beyond half of them; 0: 2, but 1 for w where folds are compared"),
    text("normalisation", "paper-mean", "", kReward, "normalisation of the local reward (mlpac list rewards)"),
    text("global", "recall", "", kReward, "global reward (mlpac list rewards)"),
    flag("local", "true", kReward, "use the local reward"),
    number("rho", "0.4", 0, 1, kReward, "action sampling: probability that an unknown class enters the local reward"),
    text("mask", "expected", "expected sampled", kReward,
         "exact estimator: average over the action sampling, or draw it"),
    flag("mask-logprob", "true", kReward, "classes left out by action sampling get no gradient"),
    number("negative-recall", "0.2", 0, 100, kReward, "weight of the FALSE part of recall-plus-negative"),
    number("greedy-weight", "0", 0, 1, kReward, "share of the thresholded action's loss (official image code: 0.1)"),
    number("entropy", "0", 0, 100, kReward,
           "weight of the entropy of the policy's decisions: it keeps the order of what is decided alike"),
    text("reduction", "mean", "mean sum", kReward, "of the policy loss over rows"),

    integer("critic-epochs", "5", 0, 1e6, kCritic, "epochs in which the critic is trained; then it is frozen"),
    integer("critic-patience", "0", 0, 1e6, kCritic,
            "freeze the critic earlier after this many epochs without a better score; 0: never"),
    number("critic-negative-rate", "1", 0, 1, kCritic, "share of the unknown entries kept in the critic's loss"),
    text("enhance", "epoch-policy", "epoch-policy batch-teacher off", kCritic,
         "who proposes labels for the critic: the policy after each epoch, the best policy so far in each batch, "
         "nobody"),
    number("gamma-policy", "0.95", 0, 1, kCritic, "probability the policy must exceed"),
    number("gamma-critic", "0.5", 0, 1, kCritic, "probability the critic must exceed"),
    flag("cumulative", "false", kCritic, "keep proposals of earlier epochs"),

    text("base-loss", "bce", "bce atl", kBaseline,
         "what negative, pos-weight, neg-weight, self-training, supervised and MLPAC's critic minimise: binary cross "
         "entropy, or adaptive thresholding"),
    text("weight", "rule", "rule auto", kBaseline,
         "pos-weight, neg-weight: what --positive-weight or --negatives say, or candidates chosen as w is"),
    text("positive-weight", "ratio", "", kBaseline,
         "pos-weight: ratio (unknown / positive entries of the batch), share (all / positive), rows (the ratio of rows "
         "without and with an annotation), or a number"),
    number("weight-cap", "0", 0, kInf, kBaseline, "pos-weight: largest weight; 0: none"),
    text("negatives", "multiple:10", "", kBaseline,
         "neg-weight: multiple:K (K unknown entries per positive), rate:P (each with probability P), or pairs:K (all "
         "entries of rows with an annotation and of K times as many other rows)"),
    text(
        "self-labels", "epoch", "epoch agreement", kBaseline,
        "self-training: positives are added after each epoch (--gamma), or in each batch where network and a critic in "
        "negative mode agree"),
    number("gamma", "0.95", 0, 1, kBaseline,
           "self-training: probability above which an unknown entry becomes positive"),
    number("smoothing", "0.1", 0, 0.5, kBaseline, "an-ls: share of the other label in every target"),
    number("unknown-weight", "0", 0, 1, kBaseline,
           "wan: weight of an unknown entry; 0: one over the number of other classes"),

    number("gamma-positive", "0", 0, 100, kAsymmetric, "exponent of the focusing on annotated positives"),
    number("gamma-negative", "4", 0, 100, kAsymmetric, "the same for negatives; p-asl, csl: for known ones"),
    number("gamma-unknown", "4", 0, 100, kAsymmetric, "p-asl, csl: the same for unknown entries"),
    number("probability-margin", "0", 0, 0.99, kAsymmetric, "a negative with a smaller probability costs nothing"),
    flag("focus-gradient", "true", kAsymmetric, "asl: the gradient passes through the focusing factors"),
    text("partial", "negative", "negative ignore ignore-normalised", kAsymmetric,
         "p-asl: unknown entries are negatives, do not count, or do not count and rows with few known ones count more"),
    text("csl-prior", "prior", "prior counting negative-model", kAsymmetric,
         "csl: share of positives of a class: --prior, the annotated share, or what a model trained before in negative "
         "mode predicts on average"),
    number("prior-threshold", "0.5", 0, 1, kAsymmetric,
           "csl: unknown entries of classes with a larger share are left out"),
    number("likelihood-top", "0", 0, 1e6, kAsymmetric,
           "csl: the likeliest unknown entries that are left out, per row of the batch; 0: a sixteenth of the classes"),

    text("surrogate", "logistic", "sigmoid logistic", kUnlabelled, "upu, nnpu, imbalanced-nnpu: loss of an entry"),
    text("unlabelled", "others", "others all", kUnlabelled,
         "upu, nnpu, imbalanced-nnpu: unlabelled are the entries that are not annotated, or all of them"),
    number("pu-beta", "0", 0, kInf, kUnlabelled, "how far the negative risk may fall before it is corrected"),
    number("pu-gamma", "1", 0, kInf, kUnlabelled, "strength of that correction"),
    number("target-prior", "0.5", 0.001, 0.999, kUnlabelled, "imbalanced-nnpu: prior to which classes are re-balanced"),
    text("composition", "joint", "", kUnlabelled,
         "rows of a step: joint, or P:U, P rows with an annotation beside U of all rows (batch: as many as --batch)"),
    text("ssr-risk", "s-pu", "pn pu s-pu", kUnlabelled,
         "ssr-pu: unlabelled entries are negative, a sample of all, or what annotation left"),
    number("margin", "0", 0, 1e6, kUnlabelled,
           "ssr-pu: margin of the squared loss; 0: 0.25 with a threshold class, 1 without"),

    text("prior", "", "", kPriors,
         "share of positives of every label: a number, a file, true (with --ratio), counting (what is annotated), "
         "multiple:E of that, or estimate[:NAME] (mlpac list priors)"),
    text("estimate-prior", "", "", kPriors,
         "estimate the share of positives of every label: all, or the name of an estimator (mlpac list priors)", kInfo),
    text("expected-positives", "prior", "", kPriors,
         "epr, role: expected number of positives of a row, or prior: the sum of the priors"),
    integer("linear-epochs", "0", 0, 1e6, kPriors,
            "role: epochs in which only the last layer and the estimated labels learn, before the rest does"),
    text("augmentation", "positives", "positives all off", kPriors,
         "p3m: rows that a second dropout mask adds to the batch: those with annotations, all, none"),
    text("mixup", "none-class", "none-class rows off", kPriors,
         "p3m: what annotated positives are mixed with: the embedding of the none class, other rows, nothing"),
    number("mixup-weight", "0.05", 0, 1e6, kPriors, "p3m: weight of the mixed positives"),
    number("mixup-alpha", "1", 0.001, 1000, kPriors, "p3m: the mixing share is drawn from Beta(alpha, alpha)"),

    text("selection", "estimated-f1", "", kSelection, "score that chooses epoch and w (mlpac list selections)"),
    text("threshold", "0.5", "", kSelection,
         "probability above which a label is predicted: a number; auto: chosen by the same score; per-class: the same, "
         "and labels that are better off with another one have their own"),
    integer("smooth", "3", 1, 1000, kSelection, "mean of this many epochs' scores is compared"),
    number("settle", "0.2", 0, 1, kSelection, "mlpac: share of the epochs before the first that may be selected"),

    integer("parts", "5", 2, 1000, kSuggestions,
            "training rows are scored part by part, each by a model trained without it: this many trainings", kSuggest),
    path("runs", kSuggestions, "folder of those trainings; finished ones are used again. OUT.runs if not given",
         kSuggest, true),
    text("rank", "calibrated", "calibrated score confident-learning", kSuggestions,
         "by the calibrated probability of being a missing positive, by what the networks say, or by how far that is "
         "above the mean of the label's annotations",
         kSuggest),
    integer("limit", "0", 0, 1e9, kSuggestions, "most suggestions; 0: as many as are estimated to be missing",
            kSuggest),
    integer("per-label", "0", 0, 1e9, kSuggestions, "most suggestions of a label; 0: no limit", kSuggest),
    integer("per-row", "0", 0, 1e9, kSuggestions, "most suggestions for a row; 0: no limit", kSuggest),
    number("min-probability", "0", 0, 1, kSuggestions, "least calibrated probability of a suggestion", kSuggest),
    number("min-precision", "0", 0, 1, kSuggestions,
           "end where the estimated precision of the suggestions so far falls below this", kSuggest),
    number("annotated-share", "0", 0, 1, kSuggestions,
           "share of the positives that is annotated, if it is known; 0: estimated", kSuggest),
    path("apply", kSuggestions, "also write a copy of the data with the suggested labels, in its own format", kSuggest,
         true),

    common(path("journal", kReviewing, "file that every decision is appended to; S.decisions.jsonl if not given",
                kReview, true)),
    common(path("export", kReviewing,
                "show no page, but write a copy of the data with the accepted labels, in its own format", kReview,
                true)),
    at_run_time(integer("port", "0", 0, 65535, kReviewing, "of the page; 0: any that is free", kReview)),
    common(at_run_time(text("scale", "here", "smoke here paper", kExperiments,
                            "synthetic data in seconds, the data at hand, or the paper's data and pre-trained weights",
                            kExperiment))),
    common(
        at_run_time(integer("jobs", "0", 0, 1024, kExperiments,
                            "runs at a time, as far as memory allows; 0: as many as cores, 1 on a GPU", kExperiment))),
    common(repeated(at_run_time(
        text("only", "", "", kExperiments,
             "make only these cells: AXIS=VALUE,VALUE, also group=NAME; several times: all must hold", kExperiment)))),
    at_run_time(number("seconds", "", 0, kInf, kExperiments,
                       "end after so long; unfinished runs are continued the next time", kExperiment)),
    path("cells", kExperiments, "file of the finished cells; runs/NAME/cells.jsonl if not given", kExperiment, true),
    repeated(path("merge", kExperiments, "first add the cells of another file; what is there already stays",
                  kExperiment, true)),
    at_run_time(flag("retry", "false", kExperiments, "make cells that failed again", kExperiment)),
    at_run_time(flag("report-only", "false", kExperiments, "make no runs", kExperiment)),
    at_run_time(flag("list", "false", kExperiments, "list the cells and whether they are measured", kExperiment)),
    at_run_time(flag("keep-runs", "false", kExperiments, "keep the run folders of finished cells (runs/NAME/work)",
                     kExperiment)),
    path("plans", kExperiments, "folder of the plans; experiments/ here or where the program was built if not given",
         kExperiment, true),

    integer("seed", "1", 0, kMaxInteger, kRun, "of everything but the hidden labels", kLearning),
    common(at_run_time(
        path("out", kRun,
             "run folder, or file of predictions; - is stdout; experiment: folder of the report; pack: the store",
             kAll | kReport | kExperiment))),
    common(at_run_time(path("config", kRun, "read options from this TOML file", kTrain))),
    common(at_run_time(flag("resume", "false", kRun, "continue the run in --out"))),
    at_run_time(flag("force", "false", kRun, "overwrite what is there", kAll | kReview | kReport)),
    at_run_time(flag("dump-config", "false", kRun, "print the resulting options and stop")),
    common(text("device", "auto", "", kRun, "cpu, cuda, cuda:N, or auto",
                kTrain | kEvaluate | kPredict | kDemo | kExperiment)),
    at_run_time(integer("threads", "0", 0, 1024, kRun, "CPU threads; 0: as many as pay off", kAll | kReview)),
    at_run_time(number("rendezvous-timeout", "300", 0.1, 1e6, kRun,
                       "several processes (torchrun, mpirun, srun): seconds until all have joined")),
    at_run_time(number("communication-timeout", "1800", 1, 1e6, kRun,
                       "several processes: seconds to wait for one that lives but does not answer")),
    at_run_time(number("checkpoint-seconds", "-1", -1, kInf, kRun,
                       "save the state this often; -1: as often as costs 2 % of the time")),
    at_run_time(number("log-seconds", "10", 0, kInf, kRun, "line of progress this often when stderr is no terminal",
                       kLearning | kExperiment)),
    at_run_time(flag("quiet", "false", kRun, "no progress", kAll | kReview | kExperiment)),
    at_run_time(flag("check", "false", kRun,
                     "experiment: ask whether the options of all cells are known, train nothing; pack: read all of a "
                     "store and compare its checksums",
                     kExperiment | kPack)),
    at_run_time(flag("json", "false", kRun, "print the result as JSON", kTrain | kEvaluate | kDemo)),
    at_run_time(
        flag("all", "false", kRun,
             "predict: every label with its probability, not only those above the threshold; experiment: all of them",
             kPredict | kExperiment)),
    path("sheet", kRun, "images: also write a page with the first pictures and their labels (HTML)", kPredict, true),
    at_run_time(integer("sheet-images", "200", 1, 1e5, kRun, "pictures of --sheet", kPredict)),

    integer("rows", "3000", 2, 1e9, kSynthetic, "training rows", kGenerate | kDemo),
    integer("test-rows", "2000", 1, 1e9, kSynthetic, "test rows", kGenerate | kDemo),
    integer("features", "80", 1, 1e6, kSynthetic, "features of a row", kGenerate | kDemo),
    integer("classes", "10", 1, 1e6, kSynthetic, "labels", kGenerate | kDemo),
    number("positives", "1.2", 0.001, 1e6, kSynthetic, "mean number of positive labels of a row", kGenerate | kDemo),
    number("correlation", "0.5", 0, 1, kSynthetic, "how much groups of labels share", kGenerate | kDemo),
    number("imbalance", "2", 1, 1e6, kSynthetic, "frequency of the most frequent label over the rarest",
           kGenerate | kDemo),
    number("noise", "0.3", 0, 100, kSynthetic, "noise of the labels' scores", kGenerate | kDemo),
    integer("data-seed", "0", 0, kMaxInteger, kSynthetic, "of the generated data", kGenerate | kDemo),
};

}  // namespace

std::span<const OptionEntry> option_table() { return kOptions; }

}  // namespace mlpac
