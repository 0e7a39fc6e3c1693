// Stores: what goes in comes out, whatever the layout; and what is damaged is refused with a reason.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>

#include "core/file.h"
#include "data/feature_store.h"
#include "data/normalise.h"
#include "image_bytes.h"
#include "images/image_store.h"
#include "mlpac/error.h"
#include "store_bytes.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

/// Rows with names, ids, missing values and known negatives; of `columns` columns every `every`-th has a value.
FeatureData small_data(std::int64_t rows, std::int32_t columns, std::int32_t every) {
  FeatureData data;
  data.source = "small";
  data.features.columns = columns;
  data.labels = Labels(3);
  data.label_names = {"red", "green", "blue"};
  data.schema = {{"format", "csv"}, {"columns", {1, 2, 3}}};
  for (std::int32_t c = 0; c < columns; ++c) data.feature_names.push_back("c" + std::to_string(c));
  for (std::int64_t row = 0; row < rows; ++row) {
    for (auto c = static_cast<std::int32_t>(row % every); c < columns; c += every) {
      data.features.indices.push_back(c);
      data.features.values.push_back(row == 3 && c == 3 ? kMissing
                                                        : static_cast<float>(row + 1) / static_cast<float>(c + 3));
    }
    data.features.offsets.push_back(static_cast<std::int64_t>(data.features.indices.size()));
    std::vector<LabelEntry> labels;
    if (row % 2 == 0) labels.push_back({0, kAnnotated});
    if (row % 3 == 0) labels.push_back({2, row % 6 == 0 ? kKnownNegative : kAnnotated});
    data.labels.append(labels);
    data.ids.push_back("row " + std::to_string(row));
  }
  return data;
}

void write_store(const std::filesystem::path& path, const FeatureData& data) {
  FeatureStoreWriter writer(path, data, true);
  writer.append(data);
  writer.commit();
}

/// Whether opening the bytes as a store and reading all of it is refused; anything but an Error fails the test.
bool refused(const std::string& bytes, bool check = false) {
  try {
    const auto store = std::make_shared<const Store>(bytes, "damaged");
    const auto table = open_feature_store(store, {});
    (void)table.rows.matrix();
    if (check) store->check([](double) {});
    return false;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("damaged"), std::string::npos) << error.what();
    return true;
  }
}

class FeatureStore : public testing::TestWithParam<int> {
 protected:
  TemporaryFolder folder_;
};

TEST_P(FeatureStore, GivesBackWhatWasPacked) {
  const auto data = small_data(20, 12, GetParam());
  const auto path = folder_ / "a.store";
  write_store(path, data);
  EXPECT_TRUE(is_store(path));
  const auto read = read_features(path);
  expect_equal(read, data);
  EXPECT_EQ(read.ids, data.ids);
  EXPECT_EQ(read.schema, data.schema);

  const auto table = open_feature_store(path, {});
  EXPECT_TRUE(table.rows.mapped());
  FeatureTable memory(data);
  memory.summarise();
  EXPECT_EQ(table.fingerprint, memory.fingerprint);
  EXPECT_EQ(table.rows.stored(), memory.rows.stored());
  for (const auto* const kind : {"auto", "standardise", "max-abs"}) {
    EXPECT_EQ(Normaliser::fit(*table.statistics, kind).to_json(), Normaliser::fit(data.features, kind).to_json());
  }
  std::vector<float> stored(12);
  std::vector<float> original(12);
  const auto normaliser = Normaliser::fit(data.features, "standardise");
  for (const std::int64_t row : {19, 3, 0}) {
    normaliser.apply(table.rows, row, stored.data());
    normaliser.apply(memory.rows, row, original.data());
    EXPECT_EQ(std::memcmp(stored.data(), original.data(), stored.size() * sizeof(float)), 0) << row;
  }
}

TEST_P(FeatureStore, SeveralInputsAreOneAfterTheOther) {
  const auto whole = small_data(30, 12, GetParam());
  auto first = whole;
  auto second = whole;
  const auto cut = static_cast<std::size_t>(whole.features.offsets[18]);
  first.features.offsets.resize(19);
  first.features.indices.resize(cut);
  first.features.values.resize(cut);
  first.ids.resize(18);
  std::vector<std::int64_t> rows(30);
  std::iota(rows.begin(), rows.end(), 0);
  first.labels = whole.labels.select(std::span(rows).first(18));
  second.labels = whole.labels.select(std::span(rows).subspan(18));
  second.ids.erase(second.ids.begin(), second.ids.begin() + 18);
  second.features = FeatureView(whole.features).matrix(std::span(rows).subspan(18));
  const auto path = folder_ / "parts.store";
  FeatureStoreWriter writer(path, first, false);
  writer.append(first);
  writer.append(second);
  auto other = second;
  other.label_names[1] = "yellow";
  EXPECT_THROW(writer.append(other), Error);
  writer.commit();
  write_store(folder_ / "whole.store", whole);
  expect_equal(read_features(path), whole);
  const auto parts = open_feature_store(path, {});
  EXPECT_EQ(parts.fingerprint, open_feature_store(folder_ / "whole.store", {}).fingerprint);
}

TEST_P(FeatureStore, DamageIsRefused) {
  const auto path = folder_ / "a.store";
  write_store(path, small_data(20, 12, GetParam()));
  const auto bytes = read_file(path);
  ASSERT_FALSE(refused(bytes, true));
  const auto header = Store(path).about().dump().size() + 2500;  // what is not only blanks
  for (std::size_t size = 0; size < bytes.size(); size += size < 16 ? 1 : 61) {
    ASSERT_TRUE(refused(bytes.substr(0, size))) << "cut off at " << size;
  }
  EXPECT_TRUE(refused(bytes.substr(0, bytes.size() - 1)));
  for (std::size_t at = 0; at < bytes.size(); at += at < header ? 1 : 37) {
    auto flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    ASSERT_TRUE(refused(flipped, true)) << "flipped at " << at;
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, FeatureStore, testing::Values(1, 5),
                         [](const auto& layout) { return layout.param == 1 ? "dense" : "sparse"; });

TEST(Store, ChecksumsDoNotMakeNonsenseTrue) {
  const TemporaryFolder folder;
  const auto path = folder / "a.store";
  const auto data = small_data(20, 12, 5);
  write_store(path, data);
  const auto good = read_file(path);
  ASSERT_EQ(with_right_checksums(good), good);
  // Numbers that would be used as places in memory.
  const auto broken = [&](const std::string& name, std::size_t element, std::int64_t value, auto zero) {
    const SafetensorsFile file(good, "good");
    const auto at =
        static_cast<std::size_t>(file.tensors().at(name).bytes.data() - file.header().data()) + element * sizeof(zero);
    auto bytes = good;
    const auto number = static_cast<decltype(zero)>(value);
    std::memcpy(bytes.data() + at, &number, sizeof number);
    return refused(with_right_checksums(bytes));
  };
  for (const std::int64_t value : {std::int64_t{-1}, std::int64_t{1} << 40, std::int64_t{12}}) {
    EXPECT_TRUE(broken("columns", 5, value == (std::int64_t{1} << 40) ? 1 << 30 : value, std::int32_t{0})) << value;
    EXPECT_TRUE(broken("row_offsets", 1, value == 12 ? 1000 : value, std::int64_t{0})) << value;
    EXPECT_TRUE(broken("row_offsets", 0, value, std::int64_t{0})) << value;
    EXPECT_TRUE(broken("label_columns", 2, value == (std::int64_t{1} << 40) ? 3 : value, std::int32_t{0})) << value;
    EXPECT_TRUE(broken("label_offsets", 3, value == 12 ? 1000 : value, std::int64_t{0})) << value;
    EXPECT_TRUE(broken("ids_offsets", 3, value == 12 ? 1000 : value, std::int64_t{0})) << value;
  }
  EXPECT_TRUE(broken("label_states", 2, 5, std::int8_t{0}));
  // Numbers of the description.
  for (const auto& [from, to] :
       std::vector<std::pair<std::string, std::string>>{{R"(\"rows\":20)", R"(\"rows\":21)"},
                                                        {R"(\"rows\":20)", R"(\"rows\":-2)"},
                                                        {R"(\"columns\":12)", R"(\"columns\":11)"},
                                                        {R"("version":"1")", R"("version":"7")"},
                                                        {R"("kind":"features")", R"("kind":"pictures")"}}) {
    auto bytes = good;
    const auto at = bytes.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    bytes.replace(at, from.size(), to);
    EXPECT_TRUE(refused(with_right_checksums(bytes))) << to;
  }
}

TEST(Store, OnlyCheckReadsTheRows) {
  const TemporaryFolder folder;
  const auto path = folder / "a.store";
  write_store(path, small_data(20, 12, 1));
  auto bytes = read_file(path);
  const SafetensorsFile file(bytes, "a");
  const auto at = static_cast<std::size_t>(file.tensors().at("values").bytes.data() - file.header().data());
  bytes[at + 2] = static_cast<char>(bytes[at + 2] ^ 1);
  EXPECT_FALSE(refused(bytes));
  EXPECT_TRUE(refused(bytes, true));
}

TEST(Store, NothingIsOverwrittenOrHalfWritten) {
  const TemporaryFolder folder;
  const auto path = folder / "a.store";
  const auto data = small_data(20, 12, 1);
  write_store(path, data);
  EXPECT_THROW(FeatureStoreWriter(path, data, false), Error);
  const auto before = read_file(path);
  {
    FeatureStoreWriter writer(path, data, true);
    writer.append(data);  // and something goes wrong
  }
  EXPECT_EQ(read_file(path), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}), 1);
  EXPECT_THROW(FeatureStoreWriter(path.parent_path(), data, true), Error);
  EXPECT_THROW(Store(path.parent_path()), Error);
  EXPECT_THROW(Store(folder / "nowhere"), Error);
  write_text(folder / "empty", "");
  EXPECT_THROW(Store(folder / "empty"), Error);
  EXPECT_FALSE(is_store(folder / "empty"));
}

TEST(Store, LabelsAndColumnsFollowTheirNames) {
  const TemporaryFolder folder;
  const auto path = folder / "a.store";
  const auto data = small_data(20, 12, 1);
  write_store(path, data);
  ReadOptions options;
  options.label_names = {"blue", "white", "red", "green"};
  const auto table = open_feature_store(path, options);
  EXPECT_EQ(table.about.label_names, options.label_names);
  EXPECT_EQ(table.about.labels.at(0, 2), kAnnotated);
  EXPECT_EQ(table.about.labels.at(0, 0), kKnownNegative);
  options.label_names = {"blue", "red"};
  EXPECT_THROW(open_feature_store(path, options), Error);
  options.label_names.clear();
  options.schema = {{"format", "csv"}, {"columns", {3, 2, 1}}};
  EXPECT_THROW(open_feature_store(path, options), Error);

  // Columns in another order, and one that is not wanted: as data in memory gives them.
  const std::vector<std::string> names{"c7", "c0", "c3"};
  const auto targets = match_columns(table.about, 12, names, 3);
  const auto moved = table.rows.with_columns(targets, 3).matrix();
  const auto expected = align_columns(data, names, 3);
  EXPECT_EQ(moved.indices, expected.indices);
  EXPECT_EQ(moved.offsets, expected.offsets);
}

TEST(Store, ImagesKeepTheirBytes) {
  const TemporaryFolder folder;
  ImageList list;
  list.label_names = {"day", "night"};
  list.labels = Labels(2);
  list.skipped.annotations = 4;
  for (int i = 0; i < 5; ++i) {
    const auto name = "i" + std::to_string(i) + ".jpg";
    const auto image = smooth_image(10 + i, 8);
    write_text(folder / name.c_str(), jpeg_bytes(10 + i, 8, image.rgb));
    list.files.push_back(folder / name.c_str());
    list.ids.push_back("id" + std::to_string(i));
    list.labels.append({{i % 2, i == 4 ? kKnownNegative : kAnnotated}});
  }
  const auto path = folder / "i.store";
  write_image_store(path, list, true, false, [](double) {});
  const auto images = open_image_store(path, {});
  EXPECT_EQ(images.list.ids, list.ids);
  EXPECT_EQ(images.list.labels, list.labels);
  EXPECT_EQ(images.list.label_names, list.label_names);
  EXPECT_EQ(images.list.skipped.annotations, 4);
  const auto files = source_of_files(list.files);
  ASSERT_EQ(images.source->size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(images.source->read(i, {}), files->read(i, {}));
    EXPECT_EQ(images.source->bytes(i), files->bytes(i));
    EXPECT_EQ(images.source->file(i).filename(), files->file(i).filename());
  }
  EXPECT_THROW(open_feature_store(path, {}), Error);
  EXPECT_THROW(open_pixel_store(path), Error);
  auto bytes = read_file(path);
  for (std::size_t at = 0; at < bytes.size(); at += 41) {
    auto flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x20);
    try {
      const auto store = std::make_shared<const Store>(flipped, "damaged");
      open_image_store(store, {});
      store->check([](double) {});
      ADD_FAILURE() << "accepted with a flip at " << at;
    } catch (const Error&) {
    }
  }
}

TEST(Store, PixelsKeepTheirClasses) {
  const TemporaryFolder folder;
  ImageTable table{4, 4, {}, {0, 2, 1}, {"a", "b", "c"}, {"x", "y", "z"}};
  for (int i = 0; i < 3 * 48; ++i) table.pixels.push_back(static_cast<std::uint8_t>(i * 7));
  const auto path = folder / "p.store";
  PixelStoreWriter writer(path, 4, 4, table.class_names, false);
  writer.append(table);
  EXPECT_THROW(writer.append(ImageTable{5, 4, std::vector<std::uint8_t>(60), {0}, {"a", "b", "c"}, {"w"}}), Error);
  writer.commit();
  const auto stored = open_pixel_store(path);
  EXPECT_EQ(stored.classes, table.classes);
  EXPECT_EQ(stored.class_names, table.class_names);
  EXPECT_EQ(stored.names, table.names);
  EXPECT_TRUE(std::equal(stored.pixels.begin(), stored.pixels.end(), table.pixels.begin(), table.pixels.end()));
  const auto second = source_of_pixels(stored)->read(1, {});
  EXPECT_EQ(second.rgb, std::vector<std::uint8_t>(table.pixels.begin() + 48, table.pixels.begin() + 96));
  EXPECT_THROW(open_image_store(path, {}), Error);
}

}  // namespace
}  // namespace mlpac
