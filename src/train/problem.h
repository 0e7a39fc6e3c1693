// What a task hands to the training loop: data sets, labels, the split, and how logits are read.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>

#include "mlpac/annotation.h"
#include "mlpac/decision.h"
#include "mlpac/labels.h"
#include "nn/network.h"

namespace mlpac {

/// Inputs that are made one item at a time and take a while: images that are decoded or changed at random. Any thread
/// may make any item.
class ItemSource {
 public:
  virtual ~ItemSource() = default;
  /// Shape of one item's bytes.
  virtual std::vector<std::int64_t> item_shape() const = 0;
  /// The items will be made soon, in this order: reading what they need may begin.
  virtual void announce(std::span<const std::int64_t> /*items*/) const {}
  /// Whether threads of their own should make items while `device` computes.
  virtual bool worth_threads(at::Device /*device*/) const { return true; }
  /// Writes them. `key`: that of the item in this epoch, for random changes; none: as evaluation sees the item.
  virtual void make(std::int64_t item, std::optional<std::uint64_t> key, std::span<std::uint8_t> bytes) const = 0;
  /// Sets the batch's inputs (on the device) and label rows from the bytes of its items, [items x item_shape].
  virtual void collate(std::span<const std::int64_t> items, const at::Tensor& bytes, at::Device device,
                       Batch& batch) const = 0;
};

/// Items (rows, images, documents) that become batches. An item covers one or more label rows.
class Dataset {
 public:
  virtual ~Dataset() = default;
  virtual std::int64_t items() const = 0;
  /// The label rows that items cover: one each, if not said otherwise.
  virtual std::vector<std::int64_t> label_rows(std::span<const std::int64_t> items) const {
    return {items.begin(), items.end()};
  }
  /// Sets the batch's inputs (on the device) and label rows.
  virtual void collate(std::span<const std::int64_t> items, at::Device device, Batch& batch) const = 0;
  /// Changes the inputs of a batch that is trained on, by its draws.
  virtual void augment(Batch& /*batch*/) const {}
  /// What each item costs, for example its length: batches are made of items that cost about the same, so that little
  /// is padding. Empty: all cost the same.
  virtual std::span<const std::int64_t> costs() const { return {}; }
  /// What makes the inputs instead of collate, ahead of time and on threads of its own; null: collate is fast.
  virtual const ItemSource* source(bool /*training*/) const { return nullptr; }
  /// The most items that are worth having on the device at once where nothing is learned.
  virtual std::int64_t largest_sweep() const { return 1024; }
};

struct SweepSpec;

/// More about a network than its metrics on label rows, for the result; `shift` is subtracted from the log-odds before
/// deciding (undefined: nothing).
using Report = std::function<nlohmann::json(Network& network, const SweepSpec& spec, const at::Tensor& shift)>;

struct Problem {
  std::shared_ptr<const Dataset> train;
  std::shared_ptr<const Dataset> test;  ///< null: none
  Labels annotated;                     ///< what a method may see of the training rows
  std::optional<Labels> truth;          ///< complete labels of the training rows, if known
  std::optional<Labels> test_truth;
  std::vector<std::pair<std::string, Report>> reports;  ///< on test data, by name
  /// Training items: trained on, and set aside to select on. One split, or one per fold of cross-validation.
  std::vector<Split> folds;
  bool refit = false;            ///< what was chosen on the rows set aside is trained again on all rows
  std::vector<double> prior;     ///< share of positives of every class, as --prior says; empty: not asked for
  std::vector<std::string> ids;  ///< of the label rows; empty: they are numbered
  Decision decision;
  nlohmann::json architecture;                   ///< of the network
  std::map<std::string, at::Tensor> pretrained;  ///< weights of a part of the network; empty: none
  nlohmann::json description;                    ///< what applying the model to new files needs: names, normalisation
  std::vector<std::string> warnings;             ///< about the data, for the user
  nlohmann::json facts;     ///< about the data, for the result: numbers of images, what was left out
  std::string fingerprint;  ///< of the data, so that a run is not resumed on other data
};

/// Label states of the given rows as a float32 tensor [rows x classes] on the device.
at::Tensor dense_labels(const Labels& labels, std::span<const std::int64_t> rows, at::Device device);

/// What is annotated of each training item: of all the label rows it covers.
Labels item_labels(const Problem& problem);

/// All items of a split, trained on or set aside, in order.
std::vector<std::int64_t> items_of(const Split& split);

/// The problem without some of its training items: they are neither trained nor selected on.
Problem without_items(Problem problem, std::span<const std::int64_t> items);

/// Every item of a data set, in order.
std::vector<std::int64_t> all_items(const Dataset& data);

}  // namespace mlpac
