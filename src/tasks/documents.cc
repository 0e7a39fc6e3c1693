#include "tasks/documents.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "core/log.h"
#include "core/random.h"
#include "mlpac/error.h"
#include "nn/encoder_presets.h"
#include "tasks/document_files.h"
#include "tasks/document_fusion.h"
#include "tasks/document_predictions.h"
#include "tasks/document_text.h"
#include "tasks/partial_labels.h"
#include "tasks/pretrained_encoder.h"

namespace mlpac {

namespace {

namespace fs = std::filesystem;

/// The encoder's shape: of a pre-trained one, or a preset; --dropout counts in both.
nlohmann::json encoder_config(const Options& options, const Tokeniser& tokeniser) {
  nlohmann::json config;
  if (options.has("encoder")) {
    config = read_config_json(options.text("encoder"));
    const auto words = config.value("vocab_size", std::int64_t{0});
    if (words < tokeniser.vocabulary_size()) {
      throw Error(fmt::format("{}: vocab_size is {}, but the vocabulary of --tokeniser has {} entries",
                              (fs::path(options.text("encoder")) / "config.json").string(), words,
                              tokeniser.vocabulary_size()));
    }
  } else {
    config = preset_config(options.text("encoder-preset"), tokeniser.vocabulary_size(), tokeniser.separators() == 2);
  }
  config["hidden_dropout_prob"] = options.number("dropout");
  config["attention_probs_dropout_prob"] = options.number("dropout");
  return config;
}

nlohmann::json architecture_of(const Options& options, const Tokeniser& tokeniser, std::int32_t relations) {
  const bool atlop = options.text("document-model") == "atlop";
  const bool metric = options.text("pair-head") == "metric";
  const auto encoder = encoder_config(options, tokeniser);
  const auto width = std::min<std::int64_t>(768, read_encoder_config(encoder, "the encoder's config").hidden);
  constexpr double kAtlopEps = 1e-5;
  constexpr double kDreeamEps = 1e-30;
  return {{"network", options.text("network")},
          {"encoder", encoder},
          {"outputs", metric ? relations - 1 : relations},
          {"width", width},
          {"block", std::gcd(width, std::min<std::int64_t>(64, std::max<std::int64_t>(1, width / 4)))},
          {"layers", atlop ? 1 : 3},
          {"context_eps", atlop ? kAtlopEps : kDreeamEps},
          {"window_ends", tokeniser.separators()},
          {"evidence_weight", options.number("evidence-weight")},
          {"head", options.text("pair-head")},
          {"scale", options.number("cosine-scale")}};
}

/// Relations that each document has: what documents are split by.
Labels relations_of(std::span<const Document> documents, std::int32_t relations) {
  Labels labels(relations);
  for (const auto& document : documents) {
    std::set<std::int32_t> present;
    for (const Triple& triple : document.triples) present.insert(triple.relation);
    std::vector<LabelEntry> row;
    for (const std::int32_t relation : present) row.push_back({relation, kAnnotated});
    labels.append(std::move(row));
  }
  return labels;
}

std::string fingerprint_of(const EncodedDocuments& encoded, const Labels& labels) {
  std::uint64_t hash = fnv1a64("documents");
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    for (const std::int32_t id : encoded.ids(i)) hash = mix64(hash ^ static_cast<std::uint64_t>(id));
    encoded.was_read(i);
  }
  for (std::int64_t row = 0; row < labels.rows(); ++row) {
    for (const auto& entry : labels.row(row)) hash = mix64(hash ^ static_cast<std::uint64_t>(entry.column + 7 * row));
  }
  return fmt::format("{:016x}", hash);
}

/// Training documents, and behind them those to select on.
struct TrainingDocuments {
  std::vector<Document> complete;   ///< with all triples of the files
  std::vector<Document> annotated;  ///< with those that training may see
  EncodedDocuments encoded;
  std::size_t trained = 0;  ///< the first so many are trained on
};

/// Hides triples as an option says; all stay if it is not given.
void keep_annotated(std::vector<Document>& documents, const Options& options, std::string_view ratio,
                    const std::string& source) {
  if (!options.has(ratio)) return;
  const auto all = count_triples(documents);
  hide_triples(documents, {options.number(ratio), static_cast<std::int32_t>(options.integer("label-seed")), 0});
  if (count_triples(documents) == 0) {
    throw Error(fmt::format("--{} {}: none of the {} triples of {} stays annotated; raise it", ratio,
                            options.text(ratio), all, source));
  }
}

/// Whether the triples that are learned from are in a file of their own.
bool has_targets(const Options& options) {
  if (!options.has("targets")) return false;
  std::error_code none;
  return !fs::equivalent(options.text("targets"), options.text("train"), none);
}

TrainingDocuments read_training(const Options& options, const Relations& relations, const Tokeniser& tokeniser) {
  const auto threads = static_cast<int>(options.integer("threads"));
  const auto& file = options.text("train");
  TrainingDocuments result;
  auto own = read_pieces(file, relations, tokeniser, threads);
  result.complete = std::move(own.documents);
  result.encoded = std::move(own.encoded);
  result.trained = result.complete.size();
  result.annotated = result.complete;
  if (has_targets(options)) replace_triples(result.annotated, options.text("targets"), relations);
  if (count_triples(result.annotated) == 0) throw Error(fmt::format("{}: no triple is annotated", file));
  keep_annotated(result.annotated, options, "ratio", file);
  if (!options.has("dev")) return result;
  auto more = read_pieces(options.text("dev"), relations, tokeniser, threads);
  auto& dev = more.documents;
  result.encoded.append(std::move(more.encoded));
  result.complete.insert(result.complete.end(), dev.begin(), dev.end());
  keep_annotated(dev, options, options.has("dev-ratio") ? "dev-ratio" : "ratio", options.text("dev"));
  result.annotated.insert(result.annotated.end(), dev.begin(), dev.end());
  return result;
}

/// What the official evaluation says of a network on documents.
Report official_report(std::shared_ptr<const DocumentRows> rows, std::shared_ptr<const std::vector<Document>> documents,
                       const Decision& decision, const Relations& relations, std::shared_ptr<const TrainFacts> facts) {
  return [=](Network& network, const SweepSpec& spec, const at::Tensor& shift) {
    const auto predictions = predict_documents(network, *rows, *documents, {decision, shift}, spec);
    return to_json(evaluate_triples(*documents, all_triples(predictions), relations, *facts), relations);
  };
}

std::vector<std::string> label_names(const Relations& relations) {
  std::vector<std::string> names;
  for (std::int32_t r = 1; r < relations.size(); ++r) names.push_back(relations.name(r));
  return names;
}

std::vector<std::string> pair_ids(std::span<const Document> documents, const PairLists& pairs) {
  std::vector<std::string> ids;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    for (const EntityPair& pair : pairs[i]) ids.push_back(pair_id(documents[i].title, pair));
  }
  return ids;
}

}  // namespace

Problem load_document_task(const Options& options) {
  if (find_network(options.text("network")).input != NetworkInput::documents) {
    throw UsageError(
        fmt::format("--network {}: it does not read documents; leave it out, or choose another (mlpac "
                    "list networks)",
                    options.text("network")));
  }
  const auto relations = relations_for(options, needed(options, "train", "documents as DocRED writes them (JSON)"));
  const fs::path vocabulary = needed(options, "tokeniser", "the folder of the encoder's vocabulary");
  const auto tokeniser = read_tokeniser(vocabulary);
  const auto threads = static_cast<int>(options.integer("threads"));
  auto data = read_training(options, relations, *tokeniser);
  Problem problem;
  problem.decision.threshold_class = options.text("pair-head") != "metric";
  problem.decision.cap = options.integer("most-relations");
  problem.architecture = architecture_of(options, *tokeniser, relations.size());
  const auto network = create_network(problem.architecture);
  if (options.has("encoder")) problem.pretrained = read_encoder_weights(options.text("encoder"), *network);
  const auto config = read_encoder_config(problem.architecture.at("encoder"), "the encoder's config");
  const auto window = window_tokens(*tokeniser, longest_sequence(config));

  const auto pairs = pair_lists(data.complete);
  problem.annotated = pair_labels(data.annotated, pairs, relations);
  if (options.has("ratio") || has_targets(options)) problem.truth = pair_labels(data.complete, pairs, relations);
  problem.fingerprint = fingerprint_of(data.encoded, problem.annotated);
  const auto names = label_names(relations);
  problem.ids = pair_ids(data.complete, pairs);
  use_decisions(problem, options, {problem.ids, names});
  problem.train = std::make_shared<DocumentRows>(std::move(data.encoded), pairs, window, data.annotated);
  if (options.has("dev")) {
    Split split;
    for (std::size_t i = 0; i < data.complete.size(); ++i) {
      (i < data.trained ? split.train : split.validation).push_back(static_cast<std::int64_t>(i));
    }
    problem.folds = {split};
  } else {
    set_folds(problem, options, relations_of(data.annotated, relations.size()));
  }
  set_prior(problem, options, names, nullptr);

  // The official evaluation knows the complete training file whatever was hidden of it.
  const std::span<const Document> trained(data.complete.data(), data.trained);
  const auto facts = std::make_shared<const TrainFacts>(trained);
  for (const auto& file : options.words("test")) {
    auto read = read_pieces(file, relations, *tokeniser, threads);
    const auto documents = std::make_shared<const std::vector<Document>>(std::move(read.documents));
    const auto own = pair_lists(*documents);
    const auto rows = std::make_shared<const DocumentRows>(std::move(read.encoded), own, window);
    if (!problem.test) {
      problem.test = rows;
      problem.test_truth = pair_labels(*documents, own, relations);
    }
    problem.reports.emplace_back(fs::path(file).stem().string(),
                                 official_report(rows, documents, problem.decision, relations, facts));
  }
  std::vector<std::string> every{relations.name(0)};
  every.insert(every.end(), names.begin(), names.end());
  problem.description = {{"labels", names},
                         {"relations", every},
                         {"tokeniser", fs::absolute(vocabulary).string()},
                         {"train", fs::absolute(options.text("train")).string()}};
  if (options.has("ratio")) {
    problem.description["hiding"] = {{"ratio", options.number("ratio")}, {"version", options.integer("label-seed")}};
  }
  return problem;
}

namespace {

/// What training would have seen of documents.
std::vector<Document> as_annotated(std::vector<Document> documents, const nlohmann::json& description) {
  if (const auto hiding = description.find("hiding"); hiding != description.end()) {
    hide_triples(documents, {hiding->at("ratio").get<double>(), hiding->at("version").get<std::int32_t>(), 0});
  }
  return documents;
}

void require_title(std::span<const Document> documents, const std::string& title, const std::string& file) {
  const bool known = std::any_of(documents.begin(), documents.end(),
                                 [&](const Document& document) { return document.title == title; });
  if (!known) throw Error(fmt::format("--explain: no document of {} has the title '{}'", file, title));
}

}  // namespace

Application apply_documents(const nlohmann::json& description, const Options& options, bool /*labels_required*/) {
  const auto file = needed(options, "data", "documents as DocRED writes them (JSON)");
  const Relations relations(description.at("relations").get<std::vector<std::string>>());
  const auto vocabulary =
      options.has("tokeniser") ? options.text("tokeniser") : description.at("tokeniser").get<std::string>();
  const std::shared_ptr<const Tokeniser> tokeniser = read_tokeniser(vocabulary);
  const auto threads = static_cast<int>(options.integer("threads"));
  const auto title = options.text("explain");
  auto read = read_pieces(file, relations, *tokeniser, threads, !title.empty() || options.has("fusion"));
  const auto documents = std::make_shared<const std::vector<Document>>(std::move(read.documents));
  const auto config = read_encoder_config(description.at("architecture").at("encoder"), "the encoder's config");
  const auto window = window_tokens(*tokeniser, longest_sequence(config));
  const auto pairs = pair_lists(*documents);
  const auto rows = std::make_shared<const DocumentRows>(std::move(read.encoded), pairs, window);
  Decision decision;
  decision.threshold_class = description.at("decision").at("threshold_class").get<bool>();
  decision.cap = description.at("decision").at("cap").get<std::int64_t>();
  const fs::path trained = description.at("train").get<std::string>();
  const auto facts = std::make_shared<const TrainFacts>(
      fs::exists(trained) ? TrainFacts(read_any(trained, relations, threads)) : TrainFacts());

  Application application;
  application.data = rows;
  application.labels = pair_labels(*documents, pairs, relations);
  application.ids = pair_ids(*documents, pairs);
  application.report = official_report(rows, documents, decision, relations, facts);
  if (!title.empty()) require_title(*documents, title, file);
  std::vector<Document> tuning;
  if (options.has("fusion")) {
    if (!decision.threshold_class) throw UsageError("--fusion: the model has no threshold class (--pair-head metric)");
    tuning = as_annotated(read_any(options.text("fusion"), relations, threads, true), description);
  }
  application.text = [=](Network& network, const SweepSpec& spec, const at::Tensor& shift) {
    std::vector<PredictedTriple> triples;
    if (tuning.empty()) {
      triples = all_triples(predict_documents(network, *rows, *documents, {decision, shift}, spec));
    } else {
      const FusionContext context{*tokeniser, window, {decision, shift}, spec};
      const double threshold = choose_threshold(fuse(network, tuning, context), tuning);
      log_info(std::isinf(threshold)
                   ? "fusion: only what is sure is accepted"
                   : fmt::format("fusion: what is not sure is accepted from a score of {:.4g} on", threshold));
      triples = fused_predictions(fuse(network, *documents, context), threshold, *documents);
    }
    if (title.empty()) return predictions_json(triples, relations) + '\n';
    std::erase_if(triples, [&](const PredictedTriple& triple) { return triple.title != title; });
    const auto annotated = as_annotated(*documents, description);
    auto meanings = read_meanings(file);
    if (meanings.empty()) meanings = read_meanings(trained);
    std::string text;
    for (std::size_t i = 0; i < documents->size(); ++i) {
      if ((*documents)[i].title == title)
        text += explain_document((*documents)[i], annotated[i], triples, relations, meanings);
    }
    return text;
  };
  return application;
}

}  // namespace mlpac
