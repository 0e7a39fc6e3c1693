// Images with several labels: from COCO, VOC and CSV lists to a trained model, streamed or in memory, and what is wrong
// with them.
#include "tasks/images.h"

#include <gtest/gtest.h>

#include <csignal>

#include "image_sets.h"
#include "mlpac/error.h"
#include "tasks/image_items.h"
#include "tasks/model.h"
#include "training_bench.h"

namespace mlpac {

namespace {

namespace fs = std::filesystem;
using tiny::Settings;

class Images : public ::testing::Test {
 protected:
  Images() { tiny::write_coco(folder_.path()); }

  Options with(const Settings& more) const {
    Settings all{{"task", "images"},
                 {"network", "cnn13"},
                 {"train", (folder_.path() / "annotations/instances_train.json").string()},
                 {"test", (folder_.path() / "annotations/instances_test.json").string()},
                 {"image-size", "6"},
                 {"ratio", "0.6"},
                 {"threshold", "auto"},
                 {"validation", "0.2"},
                 {"batch", "16"},
                 {"ema", "0"},
                 {"schedule", "linear"},
                 {"optimizer", "adam"},
                 {"lr", "0.001"},
                 {"critic-lr", "0.001"},
                 {"pretrain-lr", "0.001"},
                 {"pretrain-epochs", "4"},
                 {"epochs", "3"},
                 {"candidates", "2"}};
    all.insert(all.end(), more.begin(), more.end());
    auto options = tiny::options(all);
    apply_defaults(options);
    return options;
  }

  void refused(const Settings& settings, const std::string& expected) const {
    try {
      load_image_labels(with(settings));
      ADD_FAILURE() << "accepted: " << expected;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
    }
  }

  tiny::Folder folder_;
};

TEST_F(Images, LearnsFromPartOfTheLabels) {
  for (const Settings& way :
       {Settings{{"method", "mlpac"}, {"pretrain-epochs", "8"}}, Settings{{"method", "pos-weight"}, {"epochs", "8"}}}) {
    const auto report = train(with(way));
    EXPECT_GT(report.result.at("test").at("f1").get<double>(), 80) << way.front().second;
    EXPECT_EQ(report.result.at("data").at("train").at("images"), tiny::kTrainImages);
  }
}

TEST_F(Images, ReadsCocoVocAndLists) {
  const auto coco = load_image_labels(with({{"ratio", "1"}, {"hide", "exact"}, {"image-size", "0"}}));
  EXPECT_EQ(coco.description.at("labels"), (std::vector<std::string>{"red", "green", "blue"}));
  EXPECT_EQ(coco.annotated.rows(), tiny::kTrainImages);
  EXPECT_EQ(coco.architecture.at("size"), 32);
  EXPECT_EQ(coco.architecture.at("stem"), "small");
  EXPECT_EQ(coco.architecture.at("width"), 1);
  ASSERT_TRUE(coco.test_truth);
  EXPECT_EQ(coco.test_truth->rows(), tiny::kTestImages);

  const auto list = tiny::write_csv(folder_.path());
  const auto csv = load_image_labels(with({{"train", list.string()},
                                           {"test", list.string()},
                                           {"image-size", "8"},
                                           {"stem", "half"},
                                           {"channel-scale", "0.25"}}));
  EXPECT_EQ(csv.description.at("labels"), (std::vector<std::string>{"blue", "green", "red"}));
  EXPECT_EQ(csv.truth->count(kAnnotated), coco.truth->count(kAnnotated));
  EXPECT_EQ(csv.architecture.at("size"), 8);
  EXPECT_EQ(csv.architecture.at("stem"), "half");
  EXPECT_EQ(csv.architecture.at("width"), 0.25);

  const tiny::Folder voc;
  tiny::write_voc(voc.path());
  const auto problem = load_image_labels(with({{"train", voc.path().string()}, {"test", voc.path().string()}}));
  EXPECT_EQ(problem.annotated.classes(), 20);
  EXPECT_EQ(problem.annotated.rows(), 6);
  EXPECT_EQ(problem.test_truth->rows(), 3);
  EXPECT_GT(problem.test_truth->count(kKnownNegative), 0);
}

TEST_F(Images, HidesIndependentlyOrANumberOfEveryClass) {
  const auto rps = load_image_labels(with({{"ratio", "0.5"}}));
  EXPECT_EQ(rps.annotated, hide_each(*rps.truth, 0.5, 0));
  const auto fpc = load_image_labels(with({{"ratio", ""}, {"hide", "fixed:5"}}));
  for (const auto count : fpc.annotated.count_per_class(kAnnotated)) EXPECT_EQ(count, 5);
}

Batch training_batch(const Dataset& data, std::uint64_t epoch, std::int64_t threads) {
  BatchList list;
  list.end = 1;
  list.items = [&](std::int64_t) { return all_items(data); };
  list.training = EpochKey{1, epoch};
  BatchStream stream(data, list, at::kCPU, threads);
  Batch batch;
  stream.next(batch);
  batch.draws = Draws(1, epoch, batch.rows, at::kCPU);
  data.augment(batch);
  return batch;
}

TEST_F(Images, StreamedAndKeptImagesAreTheSame) {
  const Settings changed{{"flip", "true"},    {"cutout", "0.4"},      {"rand-augment", "true"},
                         {"augment", "true"}, {"pixels", "imagenet"}, {"image-size", "16"}};
  auto streamed_settings = changed;
  streamed_settings.emplace_back("image-memory", "0");
  const auto kept = load_image_labels(with(changed));
  const auto streamed = load_image_labels(with(streamed_settings));
  EXPECT_EQ(kept.train->source(false), nullptr);
  ASSERT_NE(streamed.train->source(false), nullptr);
  const auto first = training_batch(*kept.train, 0, 1);
  EXPECT_TRUE(first.inputs.front().is_contiguous(at::MemoryFormat::ChannelsLast));
  EXPECT_EQ(first.inputs.front().sizes().vec(), (std::vector<std::int64_t>{tiny::kTrainImages, 3, 16, 16}));
  for (const std::int64_t threads : {1, 3}) {
    const auto again = training_batch(*streamed.train, 0, threads);
    EXPECT_EQ(again.rows, first.rows);
    EXPECT_TRUE(at::equal(again.inputs.front(), first.inputs.front()));
  }
  EXPECT_FALSE(at::equal(training_batch(*kept.train, 1, 2).inputs.front(), first.inputs.front()));
  // Evaluation sees images as they are, however they are stored.
  SweepSpec spec;
  const auto network = create_network(kept.architecture);
  network->initialise(1);
  const std::array<Network*, 1> networks{network.get()};
  std::vector<at::Tensor> outputs;
  for (const auto* problem : {&kept, &streamed}) {
    sweep(*problem->train, all_items(*problem->train), nullptr, networks, spec,
          [&](const Batch&, std::span<const at::Tensor> logits) { outputs.push_back(logits[0]); });
  }
  ASSERT_EQ(outputs.size(), 2U);
  EXPECT_TRUE(at::equal(outputs[0], outputs[1]));
}

TEST_F(Images, AnInterruptionIsInvisible) {
  const auto options = with({{"image-memory", "0"},
                             {"flip", "true"},
                             {"cutout", "0.5"},
                             {"rand-augment", "true"},
                             {"accumulate", "2"},
                             {"method", "pos-weight"},
                             {"epochs", "3"},
                             {"ema", "0.5"}});
  const tiny::Folder straight;
  tiny::Bench whole(options, load_image_labels(options));
  const auto expected = whole.run(&straight.path(), false);
  for (const auto& cut : {tiny::Cut{0, 0, 1}, tiny::Cut{0, 2, 2}}) {
    const tiny::Folder folder;
    tiny::Bench bench(options, load_image_labels(options));
    {
      const StopSignals signals;
      bench.method->stop = cut;
      ASSERT_EQ(bench.run(&folder.path(), false).signal, SIGTERM);
    }
    bench.restart();
    const auto outcome = bench.run(&folder.path(), true);
    EXPECT_TRUE(tiny::equal(outcome.weights, expected.weights));
    EXPECT_EQ(tiny::read_metrics(folder.path()), tiny::read_metrics(straight.path()));
  }
}

TEST_F(Images, AnAverageOfWeightsHasStatisticsThatFitIt) {
  const auto statistics = [&](const char* ema) {
    const auto options = with({{"method", "negative"}, {"epochs", "3"}, {"selection", "last"}, {"ema", ema}});
    const tiny::Folder folder;
    tiny::Bench bench(options, load_image_labels(options));
    std::vector<at::Tensor> found;
    for (const auto& [name, tensor] : bench.run(&folder.path(), false).weights) {
      if (name.find("running_") != std::string::npos) found.push_back(tensor.flatten());
    }
    return at::cat(found);
  };
  const auto last = statistics("0");  // what is averaged does not feed back into training
  const auto distance = [&](const char* ema) { return (statistics(ema) - last).norm().item<double>(); };
  EXPECT_GT(distance("0.9"), 0);
  EXPECT_LT(distance("0.001"), 0.01 * distance("0.9"));
}

TEST_F(Images, ModelsAreAppliedToListsAndFolders) {
  const tiny::Folder out;
  auto options = with({{"method", "pos-weight"}, {"epochs", "8"}});
  options.set("out", out.path().string());
  train(options);
  const auto content = load_content(out.path(), {});
  const auto apply = [&](const fs::path& data, bool labels_required) {
    Options given;
    given.set("data", data.string());
    return apply_image_labels(content->description, given, labels_required);
  };
  const auto listed = apply(folder_.path() / "annotations/instances_test.json", true);
  EXPECT_GT(evaluate(*content, listed).f1, 80);
  EXPECT_EQ(listed.files.size(), listed.ids.size());
  const auto plain = apply(folder_.path() / "test", false);
  EXPECT_FALSE(plain.labels);
  EXPECT_EQ(plain.data->items(), tiny::kTestImages);
  EXPECT_EQ(plain.ids.front(), "0.png");
  EXPECT_THROW(apply(folder_.path() / "test", true), Error);
}

TEST_F(Images, SaysWhatIsWrong) {
  refused({{"network", "mlp"}}, "--network mlp: it reads features");
  refused({{"train", (folder_.path() / "nowhere.json").string()}}, "nowhere.json");
  refused({{"train", (folder_.path() / "train").string()}}, "is a folder without ImageSets/Main");
  refused({{"images", (folder_.path() / "pictures").string()}}, "--images");
  refused({{"network", "tresnet-m"}, {"image-size", "18"}}, "expected a multiple of 4");
  refused({{"hide", "fixed:5"}}, "leave --ratio out");
  refused({{"prior", "estimate"}}, "--prior estimate");
}

TEST_F(Images, WhatCannotBeUsedIsNamedOrLeftOut) {
  const auto cut = folder_.path() / "train/3.png";
  fs::resize_file(cut, fs::file_size(cut) / 2);
  refused({}, "3.png");
  const auto problem = load_image_labels(with({{"on-error", "skip"}}));
  EXPECT_EQ(problem.annotated.rows(), tiny::kTrainImages - 1);
  EXPECT_EQ(problem.facts.at("train").at("skipped_images"), 1);
  ASSERT_EQ(problem.warnings.size(), 2U);
  EXPECT_NE(problem.warnings[0].find("3.png"), std::string::npos);
  EXPECT_NE(problem.warnings[1].find("1 images and 0 annotations were left out"), std::string::npos);
  fs::remove(cut);
  refused({}, "3.png");
  EXPECT_EQ(load_image_labels(with({{"on-error", "skip"}})).annotated.rows(), tiny::kTrainImages - 1);
  // A category that training does not know.
  tiny::write_coco(folder_.path(), "purple");
  refused({}, "category 9");
  const auto known = load_image_labels(with({{"on-error", "skip"}}));
  EXPECT_GT(known.facts.at("test").at("skipped_annotations").get<int>(), 0);
}

}  // namespace

}  // namespace mlpac
