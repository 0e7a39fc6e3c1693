// Arrays as feature data: which array is what, dense and sparse, labels beside the features or in a file of their own.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "array_bytes.h"
#include "data/arrays.h"
#include "mlpac/error.h"
#include "mlpac/feature_data.h"
#include "mlpac/labels.h"
#include "temporary_data.h"

namespace mlpac {
namespace {

const float kMissing = std::numeric_limits<float>::quiet_NaN();

/// The features (0, 2, 3; 1, 0, 5) and the labels (1, 0; -1, 1).
std::string dense_x() { return npy_floats("(2, 3)", {0, 2, 3, 1, 0, 5}); }
std::string dense_y() { return npy("|i1", "(2, 2)", raw_list<std::int8_t>({1, 0, -1, 1})); }

std::vector<NamedArray> sparse_x(const std::string& prefix) {
  return {{prefix + "indices", npy("<i4", "(4,)", raw_list<std::int32_t>({1, 2, 0, 2}))},
          {prefix + "indptr", npy("<i4", "(3,)", raw_list<std::int32_t>({0, 2, 4}))},
          {prefix + "shape", npy_integers({2, 3})},
          {prefix + "data", npy("<f8", "(4,)", raw_list<double>({2, 3, 1, 5}))}};
}
std::vector<NamedArray> sparse_y(const std::string& prefix) {
  return {{prefix + "indices", npy_integers({0, 1, 0})},
          {prefix + "indptr", npy_integers({0, 1, 3})},
          {prefix + "shape", npy_integers({2, 2})},
          {prefix + "data", npy("|i1", "(3,)", raw_list<std::int8_t>({1, 1, -1}))}};
}

std::vector<NamedArray> joined(std::vector<NamedArray> a, const std::vector<NamedArray>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// The arrays with one of them replaced, or left out if there are no bytes.
std::vector<NamedArray> with(std::vector<NamedArray> arrays, const std::string& name, const std::string& bytes) {
  std::erase_if(arrays, [&](const NamedArray& array) { return array.name == name; });
  if (!bytes.empty()) arrays.push_back({name, bytes});
  return arrays;
}

void expect_features(const FeatureData& data) {
  EXPECT_EQ(data.source, "a.npz");
  EXPECT_EQ(data.features.columns, 3);
  EXPECT_EQ(data.features.offsets, (std::vector<std::int64_t>{0, 2, 4}));
  EXPECT_EQ(data.features.indices, (std::vector<std::int32_t>{1, 2, 0, 2}));
  EXPECT_EQ(data.features.values, (std::vector<float>{2, 3, 1, 5}));
}

Labels small_labels() {
  Labels labels(2);
  labels.append({{0, kAnnotated}});
  labels.append({{0, kKnownNegative}, {1, kAnnotated}});
  return labels;
}

void expect_all(const FeatureData& data) {
  expect_features(data);
  EXPECT_EQ(data.labels, small_labels());
  EXPECT_EQ(data.label_names, (std::vector<std::string>{"0", "1"}));
  EXPECT_TRUE(data.feature_names.empty());
  EXPECT_TRUE(data.ids.empty());
}

FeatureData read(const std::vector<NamedArray>& arrays, const ReadOptions& options = {}, bool compress = false) {
  return parse_arrays(npz(arrays, compress), "a.npz", options);
}

ReadOptions known(std::vector<std::string> names) {
  ReadOptions options;
  options.label_names = std::move(names);
  return options;
}

TEST(Arrays, DenseFeaturesAndLabels) {
  for (const bool compress : {false, true}) {
    expect_all(read({{"X", dense_x()}, {"Y", dense_y()}}, {}, compress));
    expect_all(read({{"y", dense_y()}, {"x", dense_x()}}, {}, compress));
    expect_all(read({{"features", dense_x()}, {"labels", dense_y()}}, {}, compress));
    expect_all(read({{"other", npy("|O", "(1,)", "x")}, {"data", dense_x()}, {"Y", dense_y()}}, {}, compress));
  }
}

TEST(Arrays, SparseFeaturesAndLabels) {
  const NamedArray csr{"format", npy("|S3", "()", "csr")};
  for (const bool compress : {false, true}) {
    expect_all(read(joined(sparse_x("X_"), sparse_y("Y_")), {}, compress));
    expect_all(read(joined(joined(sparse_x(""), {csr}), sparse_y("Y_")), {}, compress));
    expect_all(read(joined(sparse_x("X_"), {{"Y", dense_y()}}), {}, compress));
    expect_all(read(joined(sparse_y("Y_"), {{"X", dense_x()}}), {}, compress));
  }
  const std::string unicode = npy("<U3", "()", raw_list<std::uint32_t>({'c', 's', 'r'}));
  expect_all(read(joined(joined(sparse_x(""), {{"format", unicode}}), sparse_y("Y_"))));
}

TEST(Arrays, SparseRowsAreSortedAndZerosLeftOut) {
  auto arrays = joined(sparse_x("X_"), sparse_y("Y_"));
  arrays = with(arrays, "X_indptr", npy_integers({0, 3, 5}));
  arrays = with(arrays, "X_indices", npy_integers({2, 0, 1, 2, 0}));
  arrays = with(arrays, "X_data", npy("<i2", "(5,)", raw_list<std::int16_t>({3, 0, 2, 5, 1})));
  expect_all(read(arrays));
}

TEST(Arrays, SparseBooleansAndMissingValues) {
  auto arrays = joined(sparse_x("X_"), sparse_y("Y_"));
  arrays = with(arrays, "X_data", npy("|b1", "(4,)", raw_list<std::uint8_t>({1, 1, 1, 1})));
  EXPECT_EQ(read(arrays).features.values, (std::vector<float>{1, 1, 1, 1}));
  arrays = with(arrays, "X_data", npy_floats("(4,)", {1, kMissing, 1, 1}));
  arrays = with(arrays, "Y_data", npy_floats("(3,)", {1, 1, kMissing}));
  const FeatureData data = read(arrays);
  EXPECT_TRUE(std::isnan(data.features.values.at(1)));
  EXPECT_EQ(data.labels.count(kAnnotated), 2);
  EXPECT_EQ(data.labels.count(kKnownNegative), 0);
}

TEST(Arrays, Names) {
  const std::vector<NamedArray> arrays{{"X", dense_x()},
                                       {"Y", dense_y()},
                                       {"feature_names", npy_names({"a", "b", "c"})},
                                       {"label_names", npy_names({"cat", "dog"})},
                                       {"ids", npy_integers({7, 7})}};
  const FeatureData data = read(arrays);
  EXPECT_EQ(data.feature_names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(data.label_names, (std::vector<std::string>{"cat", "dog"}));
  EXPECT_EQ(data.ids, (std::vector<std::string>{"7", "7"}));
  EXPECT_EQ(data.labels, small_labels());
}

TEST(Arrays, KnownLabelsAreMatchedByNameIfTheFileNamesThem) {
  const std::vector<NamedArray> unnamed{{"X", dense_x()}, {"Y", dense_y()}};
  const FeatureData by_position = read(unnamed, known({"dog", "cat"}));
  EXPECT_EQ(by_position.label_names, (std::vector<std::string>{"dog", "cat"}));
  EXPECT_EQ(by_position.labels, small_labels());

  const auto named = with(unnamed, "label_names", npy_names({"cat", "dog"}));
  const FeatureData by_name = read(named, known({"dog", "cat"}));
  EXPECT_EQ(by_name.label_names, (std::vector<std::string>{"dog", "cat"}));
  Labels swapped(2);
  swapped.append({{1, kAnnotated}});
  swapped.append({{0, kAnnotated}, {1, kKnownNegative}});
  EXPECT_EQ(by_name.labels, swapped);
}

TEST(Arrays, WithoutLabelsOnlyForPrediction) {
  ReadOptions options = known({"a", "b"});
  options.labels_required = false;
  const FeatureData data = read({{"X", dense_x()}}, options);
  expect_features(data);
  EXPECT_EQ(data.labels.rows(), 2);
  EXPECT_EQ(data.labels.classes(), 0);
  EXPECT_TRUE(data.label_names.empty());
  EXPECT_EQ(read({{"X", dense_x()}, {"Y", dense_y()}}, options).labels, small_labels());
  EXPECT_THROW(read({{"X", dense_x()}}), Error);
  EXPECT_THROW(parse_arrays(dense_x(), "a.npy", {}), Error);
}

TEST(Arrays, OneDimensionOfStatesIsOneClass) {
  const FeatureData data = read({{"X", dense_x()}, {"y", npy_floats("(2,)", {1, kMissing})}});
  EXPECT_EQ(data.label_names, (std::vector<std::string>{"0"}));
  EXPECT_EQ(data.labels.at(0, 0), kAnnotated);
  EXPECT_EQ(data.labels.at(1, 0), kUnknown);
}

TEST(Arrays, LabelsInAFileOfTheirOwn) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.target_file = folder / "y";
  const std::string both = npz({{"X", dense_x()}, {"Y", npy_floats("(1, 1)", {5})}});  // its own labels are not read
  for (const std::string& target : {dense_y(), npz({{"Y", dense_y()}}), npz(sparse_y("Y_")),
                                    npz(joined(sparse_y(""), {{"format", npy("|S3", "()", "csr")}}), true)}) {
    write_text(options.target_file, target);
    expect_all(parse_arrays(both, "a.npz", options));
    EXPECT_EQ(parse_arrays(dense_x(), "a.npy", options).labels, small_labels());
  }
  // Names of the classes may be in either file; those beside the labels count.
  const NamedArray theirs{"label_names", npy_names({"p", "q"})};
  const std::string named = npz({{"X", dense_x()}, {"label_names", npy_names({"cat", "dog"})}});
  write_text(options.target_file, dense_y());
  EXPECT_EQ(parse_arrays(named, "a.npz", options).label_names, (std::vector<std::string>{"cat", "dog"}));
  write_text(options.target_file, npz({{"Y", dense_y()}, theirs}));
  EXPECT_EQ(parse_arrays(named, "a.npz", options).label_names, (std::vector<std::string>{"p", "q"}));
}

TEST(Arrays, LabelFileNamesTheClasses) {
  const TemporaryFolder folder;
  ReadOptions options;
  options.label_file = folder / "names.txt";
  write_text(options.label_file, "one\ntwo\n");
  const std::filesystem::path path = folder / "a.npz";
  write_text(path, npz({{"X", dense_x()}, {"Y", dense_y()}}));
  const FeatureData data = read_arrays(path, options);
  EXPECT_EQ(data.source, path.string());
  EXPECT_EQ(data.label_names, (std::vector<std::string>{"one", "two"}));
  write_text(options.label_file, "one\ntwo\nthree\n");
  EXPECT_THROW(read_arrays(path, options), Error);
}

TEST(Arrays, FilesThatCannotBeRead) {
  const TemporaryFolder folder;
  EXPECT_THROW(read_arrays(folder / "none.npy", {}), Error);
  EXPECT_THROW(read_arrays(folder / ".", {}), Error);
  ReadOptions options;
  options.target_file = folder / "none.npy";
  EXPECT_THROW(parse_arrays(dense_x(), "a.npy", options), Error);
  options.target_file = folder / "y";
  for (const std::string& target : {std::string("text"), npz({{"X", dense_x()}}), npy_floats("(3, 1)", {1, 0, 1}),
                                    npz({{"Y", npy_floats("(3, 1)", {1, 0, 1})}}), zip({})}) {
    write_text(options.target_file, target);
    try {
      parse_arrays(dense_x(), "a.npy", options);
      ADD_FAILURE() << "expected an error";
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find(options.target_file.string()), 0U) << error.what();
    }
  }
}

/// Arrays, where the message must begin, and a word of it.
struct Bad {
  std::vector<NamedArray> arrays;
  std::string_view place;
  std::string_view word;
};

void expect_refused(const std::vector<Bad>& table, const ReadOptions& options) {
  for (const Bad& bad : table) {
    SCOPED_TRACE(bad.word);
    for (const bool compress : {false, true}) {
      try {
        read(bad.arrays, options, compress);
        ADD_FAILURE() << "expected an error";
      } catch (const Error& error) {
        const std::string message = error.what();
        EXPECT_EQ(message.find(std::string(bad.place) + ": "), 0U) << message;
        EXPECT_NE(message.find(bad.word), std::string::npos) << message;
        EXPECT_NE(message.find("expected"), std::string::npos) << message;
        EXPECT_LT(message.size(), 500U) << message;
      }
    }
  }
}

TEST(Arrays, ArraysThatDoNotFitAreRefused) {
  const std::vector<NamedArray> good{{"X", dense_x()}, {"Y", dense_y()}};
  const std::vector<NamedArray> no_x{{"Y", dense_y()}};
  expect_refused(
      {
          {{}, "a.npz", "no arrays"},
          {{{"arr_0", dense_x()}}, "a.npz", "'arr_0'"},
          {no_x, "a.npz", "no array holds the features"},
          {{{"X", dense_x()}}, "a.npz", "no labels"},
          {joined(good, {{"x", dense_x()}}), "a.npz", "both 'X' and 'x'"},
          {joined(good, {{"y", dense_y()}}), "a.npz", "both 'Y' and 'y'"},
          {joined(good, sparse_x("X_")), "a.npz", "both 'X' and 'X_data'"},
          {joined(good, sparse_y("Y_")), "a.npz", "could be the labels"},
          {with(good, "X", "text"), "a.npz(X)", "no NumPy array"},
          {with(good, "X", npy("|O", "(2, 2)", "x")), "a.npz(X)", "pickle"},
          {with(good, "X", dense_x() + "x"), "a.npz(X)", "expected the end"},
          {with(good, "X", dense_x().substr(0, 130)), "a.npz(X)", "needs 24 bytes"},
          {with(good, "X", npy_floats("(2,)", {1, 2})), "a.npz(X)", "reshape"},
          {with(no_x, "data", npy_floats("(2,)", {1, 2})), "a.npz(data)", "reshape"},
          {with(good, "X", npy_floats("(1000000, 1000000)", {1})), "a.npz(X)", "4000000000000 bytes"},
          {with(good, "Y", npy_floats("(3, 1)", {1, 0, 1})), "a.npz(Y)", "3 rows, expected 2"},
          {with(good, "Y", npy_floats("(2, 2)", {1, 0, 2, 1})), "a.npz(Y)", "row 1, column 0 (counted from 0) is 2"},
          {with(good, "Y", npy_floats("(2, 2)", {1, 0.5, 0, 1})), "a.npz(Y)",
           "row 0, column 1 (counted from 0) is 0.5"},
          {with(good, "Y", npy_floats("(2, 1)", {1, -INFINITY})), "a.npz(Y)", "-1 (known negative)"},
          {with(good, "Y", npy("<i8", "(2,)", raw_list<std::int64_t>({0, 3}))), "a.npz(Y)", "np.eye"},
          {with(good, "Y", npy("|S3", "(2,)", "catdog")), "a.npz(Y)", "strings"},
          {with(good, "Y", npy_floats("()", {1})), "a.npz(Y)", "shape ()"},
          {with(good, "Y", npy_floats("(2, 0)", {})), "a.npz(Y)", "no columns"},
          {with(good, "Y", npy_floats("(2, 1, 1)", {1, 1})), "a.npz(Y)", "(2, 1, 1)"},
          {with(good, "label_names", npy_names({"a"})), "a.npz(label_names)", "1 names, expected 2"},
          {with(good, "label_names", npy_names({"a", "a"})), "a.npz(label_names)", "'a' is given twice"},
          {with(good, "label_names", npy("|O", "(2,)", "x")), "a.npz(label_names)", "astype(str)"},
          {with(good, "feature_names", npy_names({"a", "b"})), "a.npz(feature_names)", "2 names, expected 3"},
          {with(good, "feature_names", npy_names({"a", "b", "a"})), "a.npz(feature_names)", "twice"},
          {with(good, "feature_names", npy_names({"a", "", "b"})), "a.npz(feature_names)", "at 1 is empty"},
          {with(good, "feature_names", npy_floats("(3,)", {1, 2, 3})), "a.npz(feature_names)", "astype(str)"},
          {with(good, "ids", npy_names({"a", "b", "c"})), "a.npz(ids)", "3 names, expected 2, one per row"},
          {with(good, "ids", npy("|S1", "(1, 2)", "ab")), "a.npz(ids)", "one dimension"},
      },
      {});
}

TEST(Arrays, SparsePartsThatDoNotFitAreRefused) {
  const auto good = joined(sparse_x("X_"), sparse_y("Y_"));
  const auto scipy = joined(sparse_x(""), {{"Y", dense_y()}, {"format", npy("|S3", "()", "csr")}});
  const auto format = [&](std::string_view name) { return with(scipy, "format", npy("|S3", "()", name)); };
  const auto huge = npy_integers({2, std::int64_t{1} << 30U});
  expect_refused(
      {
          {format("csc"), "a.npz(format)", "X.tocsr()"},
          {format("coo"), "a.npz(format)", "'coo'"},
          {format("bsr"), "a.npz(format)", "'bsr'"},
          {with(scipy, "format", ""), "a.npz", "no array 'format'"},
          {with(scipy, "indptr", ""), "a.npz", "no array 'indptr'"},
          {with(good, "X_format", npy("|S3", "()", "csc")), "a.npz(X_format)", "'csc'"},
          {with(good, "X_data", ""), "a.npz", "no array 'X_data'"},
          {with(good, "X_indices", ""), "a.npz", "no array 'X_indices'"},
          {with(good, "X_indptr", ""), "a.npz", "no array 'X_indptr'"},
          {with(good, "X_shape", ""), "a.npz", "no array 'X_shape'"},
          {with(good, "X_shape", npy_integers({2})), "a.npz(X_shape)", "1 sizes"},
          {with(good, "X_shape", npy_integers({2, 3, 1})), "a.npz(X_shape)", "3 sizes"},
          {with(good, "X_shape", npy_integers({0, 3})), "a.npz(X_shape)", "0 rows"},
          {with(good, "X_shape", npy_integers({-1, 3})), "a.npz(X_shape)", "-1 rows"},
          {with(good, "X_shape", npy_integers({2, 0})), "a.npz(X_shape)", "0 columns"},
          {with(good, "X_shape", npy_integers({2, std::int64_t{1} << 31U})), "a.npz(X_shape)", "at most"},
          {with(good, "X_shape", npy_floats("(2,)", {2, 3})), "a.npz(X_shape)", "int64"},
          {with(good, "X_shape", npy("<i8", "(1, 2)", raw_list<std::int64_t>({2, 3}))), "a.npz(X_shape)",
           "one dimension"},
          {with(good, "X_shape", npy_integers({std::numeric_limits<std::int64_t>::max(), 3})), "a.npz(X_indptr)",
           "expected 9223372036854775808"},
          {with(good, "X_indptr", npy_integers({})), "a.npz(X_indptr)", "0 elements"},
          {with(good, "X_indptr", npy_integers({0, 4})), "a.npz(X_indptr)", "2 elements, expected 3"},
          {with(good, "X_indptr", npy_integers({0, 2, 4, 4})), "a.npz(X_indptr)", "4 elements"},
          {with(good, "X_indptr", npy_integers({1, 2, 4})), "a.npz(X_indptr)", "first element is 1"},
          {with(good, "X_indptr", npy_integers({0, 5, 4})), "a.npz(X_indptr)", "row 1"},
          {with(good, "X_indptr", npy_integers({0, -1, 4})), "a.npz(X_indptr)", "row 0"},
          {with(good, "X_indptr", npy_integers({0, 2, std::int64_t{1} << 40U})), "a.npz(X_indptr)", "2 billion"},
          {with(good, "X_indptr", npy_integers({0, 2, 5})), "a.npz(X_indices)", "expected (5,)"},
          {with(good, "X_indptr", npy_integers({0, 2, 3})), "a.npz(X_indices)", "expected (3,)"},
          {with(good, "X_indptr", npy("<u4", "(3,)", raw_list<std::uint32_t>({0, 2, 4}))), "a.npz(X_indptr)", "int32"},
          {with(good, "X_indices", npy_integers({1, 3, 0, 2})), "a.npz(X_indices)", "index 3 of row 0"},
          {with(good, "X_indices", npy_integers({1, 2, -1, 2})), "a.npz(X_indices)", "index -1 of row 1"},
          {with(good, "X_indices", npy_integers({1, 2, std::int64_t{1} << 32U, 2})), "a.npz(X_indices)", "0 to 2"},
          {with(good, "X_indices", npy_integers({1, 1, 0, 2})), "a.npz(X_indices)", "column 1 twice"},
          {with(good, "X_indices", npy_floats("(4,)", {1, 2, 0, 2})), "a.npz(X_indices)", "int32"},
          {with(good, "X_indices", npy("<i8", "(4, 1)", raw_list<std::int64_t>({1, 2, 0, 2}))), "a.npz(X_indices)",
           "(4, 1)"},
          {with(good, "X_data", npy_floats("(3,)", {1, 2, 3})), "a.npz(X_data)", "expected (4,)"},
          {with(good, "X_data", npy_floats("(4,)", {1, 2, INFINITY, 3})), "a.npz(X_data)",
           "row 1, column 0 (counted from 0) is inf"},
          {with(good, "X_data", npy("<f8", "(4,)", raw_list<double>({1, 2e40, 1, 3}))), "a.npz(X_data)",
           "row 0, column 2 (counted from 0) is 2e+40, too large"},
          {with(good, "X_data", npy_names({"a", "b", "c", "d"})), "a.npz(X_data)", "numbers"},
          {with(good, "Y_data", npy_floats("(3,)", {1, 3, 1})), "a.npz(Y_data)", "is 3, expected 1 (positive)"},
          {with(good, "Y_indices", npy_integers({0, 1, 1})), "a.npz(Y_indices)", "twice"},
          {with(good, "Y_indices", npy_integers({0, 1, 2})), "a.npz(Y_indices)", "0 to 1"},
          {with(good, "Y_shape", npy_integers({3, 2})), "a.npz(Y_indptr)", "expected 4"},
          {with(good, "Y_shape", huge), "a.npz(Y_data)", "1073741824 classes"},
      },
      {});
}

TEST(Arrays, LabelsThatAreNotTheKnownOnesAreRefused) {
  const std::vector<NamedArray> good{{"X", dense_x()}, {"Y", dense_y()}};
  const auto named = with(good, "label_names", npy_names({"cat", "dog"}));
  expect_refused({{good, "a.npz(Y)", "2 classes, expected 3"}, {named, "a.npz(Y)", "expected 3"}},
                 known({"cat", "dog", "cow"}));
  expect_refused({{named, "a.npz(Y)", "column 1 (counted from 0) is named 'dog'"}}, known({"cat", "cow"}));
}

TEST(Arrays, EveryPrefixOfAFileIsRefused) {
  for (const bool compress : {false, true}) {
    const std::string bytes = npz({{"X", dense_x()}, {"Y", dense_y()}}, compress);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      EXPECT_THROW(parse_arrays(std::string_view(bytes).substr(0, length), "a.npz", {}), Error) << length;
    }
  }
  const std::string bytes = dense_x();
  ReadOptions options;
  options.labels_required = false;
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(parse_arrays(std::string_view(bytes).substr(0, length), "a.npy", options), Error) << length;
  }
}

}  // namespace
}  // namespace mlpac
