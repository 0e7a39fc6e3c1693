// Images of one category against all others: from folders and CIFAR's files to a trained model.
#include "tasks/binary_pu.h"

#include <gtest/gtest.h>

#include <fstream>
#include <numeric>

#include "../core/image_bytes.h"
#include "core/random.h"
#include "mlpac/error.h"
#include "tasks/image_items.h"
#include "tasks/model.h"
#include "tiny_problem.h"

namespace mlpac {

namespace {

namespace fs = std::filesystem;
using tiny::Settings;

constexpr int kSide = 4;

/// Images whose colour tells the category: the channel of its number is bright, with noise.
Image coloured(int category, std::uint64_t number, int side = kSide) {
  Image image{side, side, {}};
  const auto key = stream_key(number, "image");
  for (int i = 0; i < side * side * 3; ++i) {
    const double noise = unit_double(bits_at(key, static_cast<std::uint64_t>(i)));
    image.rgb.push_back(static_cast<std::uint8_t>((i % 3 == category ? 140 : 40) + 80 * noise));
  }
  return image;
}

void write(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

/// train/ and test/ with the categories apple, berry, leaf.
void write_folders(const fs::path& folder, int train = 24, int test = 10) {
  const std::vector<std::string> names{"apple", "leaf", "berry"};  // by channel: red, green, blue
  for (int c = 0; c < 3; ++c) {
    for (int i = 0; i < train + test; ++i) {
      const auto* const split = i < train ? "train" : "test";
      write(folder / split / names[static_cast<std::size_t>(c)] / (std::to_string(i) + ".png"),
            png_bytes(coloured(c, static_cast<std::uint64_t>(1000 * c + i))));
    }
  }
}

/// CIFAR-10's binary files with two images of every category in each batch.
void write_cifar(const fs::path& folder) {
  for (const auto* const name :
       {"data_batch_1", "data_batch_2", "data_batch_3", "data_batch_4", "data_batch_5", "test_batch"}) {
    std::string bytes;
    for (int i = 0; i < 20; ++i) bytes += static_cast<char>(i % 10) + std::string(3072, static_cast<char>(i));
    write(folder / (std::string(name) + ".bin"), bytes);
  }
}

Options task_options(const Settings& more) {
  Settings all{{"task", "binary-pu"},    {"network", "cnn13"},     {"positive", "leaf"}, {"validation", "0.25"},
               {"batch", "16"},          {"epochs", "12"},         {"lr", "0.0003"},     {"critic-lr", "0.0003"},
               {"pretrain-lr", "0.001"}, {"pretrain-epochs", "4"}, {"candidates", "6"},  {"rho", "0.2"}};
  all.insert(all.end(), more.begin(), more.end());
  return tiny::options(all);
}

class BinaryPu : public ::testing::Test {
 protected:
  BinaryPu() { write_folders(folder_.path()); }
  Settings files() const {
    return {{"train", (folder_.path() / "train").string()}, {"test", (folder_.path() / "test").string()}};
  }
  Options with(const Settings& more) const {
    auto all = files();
    all.insert(all.end(), more.begin(), more.end());
    return task_options(all);
  }
  tiny::Folder folder_;
};

TEST_F(BinaryPu, FindsTheCategoryFromHalfOfItsImages) {
  for (const Settings& way : {Settings{{"w", "auto"}}, Settings{{"label-entries", "2"}, {"w", "20"}},
                              Settings{{"global", "batch-recall"}, {"w", "2"}}, Settings{{"method", "pos-weight"}}}) {
    auto settings = way;
    settings.insert(settings.end(), {{"ratio", "0.5"}, {"threshold", "auto"}});
    const auto report = train(with(settings));
    EXPECT_GT(report.result.at("test").at("f1").get<double>(), 70) << way.front().first;
  }
}

TEST_F(BinaryPu, ResidualNetworksAreWhatTheOptionsSay) {
  const auto size_of = [&](const Settings& more) {
    auto settings = more;
    settings.insert(settings.end(), {{"ratio", "0.5"}, {"network", "resnet18"}});
    const auto problem = load_binary_pu(with(settings));
    std::int64_t size = 0;
    for (const auto& parameter : create_network(problem.architecture)->parameters()) size += parameter.numel();
    return std::pair(size, problem.architecture.at("stem").get<std::string>());
  };
  const auto whole = size_of({});
  EXPECT_EQ(whole.second, "small");
  const auto narrow = size_of({{"channel-scale", "0.25"}, {"stem", "half"}});
  EXPECT_EQ(narrow.second, "half");
  EXPECT_LT(10 * narrow.first, whole.first);
}

TEST_F(BinaryPu, IsRepeatable) {
  const Settings settings{{"ratio", "0.5"}, {"w", "10"}, {"epochs", "2"}, {"augment", "true"}};
  EXPECT_EQ(train(with(settings)).result.at("test"), train(with(settings)).result.at("test"));
}

TEST_F(BinaryPu, ABatchOfOneSmallImageIsLearnedFrom) {
  const auto problem = load_binary_pu(with({{"ratio", "0.5"}}));
  const auto network = create_network(problem.architecture);
  network->initialise(0);
  Batch batch;
  problem.train->collate(std::vector<std::int64_t>{5}, at::kCPU, batch);
  network->forward(batch).sum().backward();
  for (const auto& item : network->named_parameters()) {
    EXPECT_TRUE(at::isfinite(item.value().grad()).all().item<bool>()) << item.key();
  }
  for (const auto& item : network->named_buffers()) {
    EXPECT_TRUE(at::isfinite(item.value().to(at::kFloat)).all().item<bool>()) << item.key();
  }
}

TEST_F(BinaryPu, ModelsAreAppliedToFolders) {
  const tiny::Folder out;
  train(with({{"ratio", "0.5"}, {"method", "pos-weight"}, {"out", out.path().string()}}));
  const auto content = load_content(out.path(), {});
  const auto apply = [&](const fs::path& folder, bool labels_required) {
    Options options;
    options.set("data", folder.string());
    return apply_binary_pu(content->description, options, labels_required);
  };
  const auto application = apply(folder_.path() / "test", true);
  EXPECT_GT(evaluate(*content, application).f1, 70);
  EXPECT_NE(application.ids.front().find("apple"), std::string::npos);
  // Other categories than those of the training: nothing to evaluate, but predictions.
  fs::remove_all(folder_.path() / "test/leaf");
  EXPECT_THROW(apply(folder_.path() / "test", true), Error);
  EXPECT_EQ(apply(folder_.path() / "test", false).data->items(), 20);
}

TEST_F(BinaryPu, LabelsAreOneColumn) {
  const auto problem = load_binary_pu(with({{"ratio", "0.5"}}));
  EXPECT_EQ(problem.annotated.classes(), 1);
  EXPECT_EQ(problem.annotated.rows(), 72);
  EXPECT_EQ(problem.annotated.count(kAnnotated), 12);
  EXPECT_EQ(problem.truth->count(kAnnotated), 24);
  EXPECT_EQ(problem.test_truth->count(kAnnotated), 10);
  EXPECT_EQ(problem.description.at("labels"), std::vector<std::string>{"leaf"});
  Batch batch;
  const std::vector<std::int64_t> items{0, 71};
  problem.train->collate(items, at::kCPU, batch);
  EXPECT_EQ(batch.inputs.front().sizes().vec(), (std::vector<std::int64_t>{2, 3, kSide, kSide}));
  EXPECT_TRUE(batch.inputs.front().is_contiguous(at::MemoryFormat::ChannelsLast));
  EXPECT_EQ(batch.inputs.front()[0][0][0][1].item<float>(), static_cast<float>(coloured(0, 0).rgb[3]) / 255);
  EXPECT_EQ(batch.rows, items);
}

TEST_F(BinaryPu, ReadsCifarsOwnFiles) {
  const tiny::Folder cifar;
  write_cifar(cifar.path());
  const auto problem =
      load_binary_pu(task_options({{"train", cifar.path().string()}, {"positive", "frog"}, {"ratio", "0.5"}}));
  EXPECT_EQ(problem.annotated.rows(), 100);
  EXPECT_EQ(problem.truth->count(kAnnotated), 10);
  ASSERT_TRUE(problem.test_truth);
  EXPECT_EQ(problem.test_truth->count(kAnnotated), 2);
}

TEST_F(BinaryPu, SaysWhatIsWrong) {
  const auto refused = [&](const Settings& settings, const std::string& expected) {
    try {
      load_binary_pu(with(settings));
      ADD_FAILURE() << "accepted: " << expected;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
    }
  };
  refused({{"positive", ""}}, "--positive NAME is needed; the categories are apple, berry, leaf");
  refused({{"positive", "tree"}}, "there is no category 'tree'");
  refused({{"network", "mlp"}}, "--network mlp: it reads features");
  refused({{"train", (folder_.path() / "nowhere").string()}}, "nowhere");
  refused({{"prior", "estimate"}}, "--prior estimate");
  fs::rename(folder_.path() / "test/apple", folder_.path() / "test/pear");
  refused({}, "its categories (berry, leaf, pear) are not those of the training images");
}

TEST(ImageRows, AugmentationShiftsAndMirrorsByKeyedDraws) {
  ImageTable table;
  table.width = table.height = 16;
  table.class_names = {"a"};
  for (std::uint64_t i = 0; i < 40; ++i) {
    const auto image = coloured(0, i, 16);
    table.pixels.insert(table.pixels.end(), image.rgb.begin(), image.rgb.end());
    table.classes.push_back(0);
  }
  const auto data = image_rows(pixel_table(table), {.size = 16, .shift = true}, {});
  const auto batch_of = [&](std::uint64_t epoch, bool augmented) {
    Batch batch;
    std::vector<std::int64_t> items(40);
    std::iota(items.begin(), items.end(), std::int64_t{0});
    data->collate(items, at::kCPU, batch);
    batch.draws = Draws(1, epoch, batch.rows, at::kCPU);
    if (augmented) data->augment(batch);
    return batch.inputs.front();
  };
  const auto plain = batch_of(0, false);
  const auto changed = batch_of(0, true);
  EXPECT_EQ(changed.sizes(), plain.sizes());
  EXPECT_TRUE(changed.equal(batch_of(0, true)));
  EXPECT_FALSE(changed.equal(batch_of(1, true)));
  // Each image is one of the 9 x 9 x 2 that shifts and mirrors of the padded original give.
  const auto padded = at::constant_pad_nd(plain, {4, 4, 4, 4});
  int mirrored = 0;
  for (std::int64_t i = 0; i < 40; ++i) {
    int found = 0;
    for (const bool mirror : {false, true}) {
      for (std::int64_t top = 0; top < 9; ++top) {
        for (std::int64_t left = 0; left < 9; ++left) {
          auto part = padded[i].slice(1, top, top + 16).slice(2, left, left + 16);
          if (mirror) part = part.flip({2});
          const bool same = part.equal(changed[i]);
          found += same;
          mirrored += same && mirror;
        }
      }
    }
    EXPECT_EQ(found, 1) << i;
  }
  EXPECT_GT(mirrored, 8);
  EXPECT_LT(mirrored, 32);
}

}  // namespace

}  // namespace mlpac
