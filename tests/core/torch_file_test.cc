// State dicts of PyTorch: what torch.save writes is read, nothing is executed, everything else is refused by name.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "array_bytes.h"
#include "core/safetensors.h"
#include "mlpac/error.h"
#include "refusals.h"
#include "weights/names.h"
#include "weights/pickle.h"
#include "weights/torch_file.h"

namespace mlpac {
namespace {

using namespace std::string_literals;

// ---- pickles, operation by operation, as Python writes them with protocol 2 ----

const std::string kProtocol = "\x80\x02"s;
const std::string kDict = "ccollections\nOrderedDict\n)R";

std::string text(const std::string& value) { return "X" + raw(static_cast<std::uint32_t>(value.size())) + value; }

std::string whole(std::int32_t value) { return "J" + raw(value); }

std::string tuple(const std::vector<std::int32_t>& values) {
  std::string code = "(";
  for (const std::int32_t value : values) code += whole(value);
  return code + "t";
}

struct TensorSpec {
  std::string kind = "Float";
  std::string key = "0";
  std::int32_t elements = 4;
  std::int32_t offset = 0;
  std::vector<std::int32_t> shape{2, 2};
  std::vector<std::int32_t> strides{2, 1};
};

std::string tensor(const TensorSpec& spec = {}) {
  return "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\n" + spec.kind + "Storage\n" +
         text(spec.key) + text("cpu") + whole(spec.elements) + "tQ" + whole(spec.offset) + tuple(spec.shape) +
         tuple(spec.strides) + "\x89" + kDict + "tR";
}

std::string dict(const std::vector<std::pair<std::string, std::string>>& entries) {
  std::string code = kDict + "(";
  for (const auto& entry : entries) code += text(entry.first) + entry.second;
  return code + "u";
}

const std::string kFloats = raw_list<float>({1, 2, 3, 4});

std::string archive(const std::string& program, const std::vector<ZipSpec>& storages = {{"m/data/0", kFloats}},
                    const std::string& folder = "m/") {
  std::vector<ZipSpec> members{{folder + "data.pkl", kProtocol + program + "."}};
  members.insert(members.end(), storages.begin(), storages.end());
  return zip(members);
}

std::vector<float> floats(const RawTensor& value) {
  std::vector<float> result(value.bytes.size() / sizeof(float));
  std::memcpy(result.data(), value.bytes.data(), value.bytes.size());
  return result;
}

std::string refusal(const std::string& bytes) {
  try {
    const TorchFile file(bytes, "w");
  } catch (const Error& error) {
    EXPECT_EQ(std::string_view(error.what()).substr(0, 1), "w");
    return error.what();
  }
  return "not refused";
}

#define EXPECT_REFUSED(bytes, word) EXPECT_NE(refusal(bytes).find(word), std::string::npos) << refusal(bytes)

TEST(TorchFile, StateDictsAndTheirTypes) {
  const std::vector<std::pair<std::string, std::string>> kinds{
      {"Double", "F64"}, {"Float", "F32"}, {"Half", "F16"}, {"BFloat16", "BF16"}, {"Long", "I64"},
      {"Int", "I32"},    {"Short", "I16"}, {"Char", "I8"},  {"Byte", "U8"},       {"Bool", "BOOL"}};
  for (const auto& kind : kinds) {
    TensorSpec spec;
    spec.kind = kind.first;
    const std::string bytes(4 * dtype_size(kind.second), 'x');
    const TorchFile file(archive(dict({{"a.weight", tensor(spec)}}), {{"m/data/0", bytes}}), "w");
    const RawTensor& found = file.tensors().at("a.weight");
    EXPECT_EQ(found.dtype, kind.second);
    EXPECT_EQ(found.shape, (std::vector<std::int64_t>{2, 2}));
    EXPECT_EQ(found.bytes, bytes);
  }
}

TEST(TorchFile, AttributesParametersAndSharedStorages) {
  TensorSpec part;
  part.offset = 2;
  part.shape = {2};
  part.strides = {1};
  // The versions of the modules are an attribute of the dict; a parameter wraps a tensor; a scalar has no dimensions.
  TensorSpec scalar;
  scalar.shape = {};
  scalar.strides = {};
  scalar.offset = 3;
  const std::string parameter = "ctorch._utils\n_rebuild_parameter\n(" + tensor(part) + "\x88" + kDict + "tR";
  const std::string program = dict({{"w", tensor()}, {"p", parameter}, {"s", tensor(scalar)}, {"epoch", whole(3)}}) +
                              "}" + text("_metadata") + dict({{"", "}" + text("version") + "K\x01s"}}) + "sb";
  const TorchFile file(archive(program), "w");
  EXPECT_EQ(file.tensors().size(), 3U);
  EXPECT_EQ(floats(file.tensors().at("w")), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(floats(file.tensors().at("p")), (std::vector<float>{3, 4}));
  EXPECT_EQ(floats(file.tensors().at("s")), std::vector<float>{4});
}

TEST(TorchFile, StridesAreResolved) {
  TensorSpec spec;
  spec.strides = {1, 2};
  EXPECT_EQ(floats(TorchFile(archive(dict({{"w", tensor(spec)}})), "w").tensors().at("w")),
            (std::vector<float>{1, 3, 2, 4}));
  spec.shape = {1, 2};  // the stride of a single row does not matter
  spec.strides = {77, 1};
  EXPECT_EQ(floats(TorchFile(archive(dict({{"w", tensor(spec)}})), "w").tensors().at("w")), (std::vector<float>{1, 2}));
  spec.shape = {2};
  spec.strides = {2};
  EXPECT_EQ(floats(TorchFile(archive(dict({{"w", tensor(spec)}})), "w").tensors().at("w")), (std::vector<float>{1, 3}));
  spec.shape = {0, 3};
  spec.strides = {3, 1};
  EXPECT_TRUE(TorchFile(archive(dict({{"w", tensor(spec)}})), "w").tensors().at("w").bytes.empty());
}

TEST(TorchFile, NestedDictsAndFolders) {
  const std::string weights = dict({{"w", tensor()}});
  for (const std::string& program : {
           dict({{"epoch", whole(3)}, {"state_dict", weights}}),
           dict({{"model", weights}, {"optimizer", "}"}}),
           "}" + text("model") + dict({{"state_dict", weights}}) + "s",
           "}" + text("lr") + "G" + std::string(8, '\x01') + "s" + "(" + text("state_dict") + weights + "u",
       }) {
    EXPECT_EQ(TorchFile(archive(program), "w").tensors().size(), 1U);
  }
  EXPECT_EQ(TorchFile(archive(weights, {{"a/b/data/0", kFloats}}, "a/b/"), "w").tensors().size(), 1U);
  EXPECT_EQ(TorchFile(archive(weights, {{"data/0", kFloats}}, ""), "w").tensors().size(), 1U);
  std::vector<ZipSpec> members{{"m/data.pkl", kProtocol + weights + ".", true}, {"m/data/0", kFloats, true}};
  EXPECT_EQ(floats(TorchFile(zip(members), "w").tensors().at("w")), (std::vector<float>{1, 2, 3, 4}));
  for (ZipSpec& member : members) member.large = true;
  EXPECT_EQ(TorchFile(zip(members, true), "w").tensors().size(), 1U);
}

TEST(TorchFile, CodeIsNeverRun) {
  EXPECT_REFUSED(archive("cos\nsystem\n(" + text("touch /tmp/x") + "tR"), "'os.system', which is not part");
  EXPECT_REFUSED(archive(text("builtins") + text("eval") + "\x93"), "'builtins.eval'");
  EXPECT_REFUSED(archive("ccollections\nOrderedDict\n)\x81"), "NEWOBJ");
  EXPECT_REFUSED(archive("(ios\nsystem\n"), "INST");
  EXPECT_REFUSED(archive("\x82\x01"), "EXT1");
  EXPECT_REFUSED(archive("\x01"), "0x01");
  EXPECT_REFUSED(archive("ctorch\nFloatStorage\n)R"), "torch.FloatStorage is called");
  EXPECT_REFUSED(archive(text("x") + ")R"), "a text is called");
  EXPECT_REFUSED(archive("K\x01K\x02"
                         "b"),
                 "BUILD sets attributes of an integer");
}

TEST(TorchFile, OtherFilesAreRefused) {
  EXPECT_REFUSED("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", "format before 1.6");
  EXPECT_REFUSED("<html>", "expected a zip archive");
  EXPECT_REFUSED("", "expected a zip archive");
  EXPECT_REFUSED(zip({{"a", "b"}}), "has no member data.pkl");
  EXPECT_REFUSED(zip({{"a/data.pkl", "."}, {"b/data.pkl", "."}}), "two members");
  EXPECT_REFUSED(archive(dict({{"w", tensor()}}), {{"m/constants.pkl", ""}}), "TorchScript");
  EXPECT_REFUSED(archive(dict({{"w", tensor()}}), {{"m/byteorder", "big"}}), "big-endian");
  EXPECT_REFUSED(archive("K\x01"), "holds an integer, expected a state dict");
  EXPECT_REFUSED(archive(tensor()), "holds a tensor");
  EXPECT_REFUSED(archive(dict({{"epoch", "K\x01"}})), "holds no tensors, expected a state dict; it has 'epoch'");
}

TEST(TorchFile, DamagedTensorsAreNamed) {
  const auto with = [](const TensorSpec& spec) { return archive(dict({{"w", tensor(spec)}})); };
  TensorSpec spec;
  spec.key = "1";
  EXPECT_REFUSED(with(spec), "tensor 'w': its storage 'm/data/1' is not in the archive");
  spec = {};
  spec.elements = 5;
  EXPECT_REFUSED(with(spec), "has 16 bytes, expected 5 elements of F32");
  spec = {};
  spec.offset = 1;
  EXPECT_REFUSED(with(spec), "tensor 'w' of shape [2, 2] lies outside");
  spec = {};
  spec.shape = {3, 2};
  EXPECT_REFUSED(with(spec), "lies outside");
  spec.shape = {2147483647, 2147483647};
  spec.strides = {0, 0};
  EXPECT_REFUSED(with(spec), "lies outside");
  spec.shape = {1000, 1000};
  EXPECT_REFUSED(with(spec), "repeats the 4 elements");
  spec.shape = {-1, 2};
  EXPECT_REFUSED(with(spec), "other arguments than PyTorch writes");
  TensorSpec turned;
  turned.strides = {1, 2};
  std::vector<std::pair<std::string, std::string>> many;
  for (int i = 0; i < 9; ++i) many.emplace_back(std::to_string(i), tensor(turned));
  EXPECT_REFUSED(archive(dict(many)), "more memory than the file");
}

TEST(Pickle, MalformedProgramsAreRefused) {
  const auto run = [](const std::string& program) { const Pickle pickle(program, "w"); };
  for (const char* const program : {"",
                                    "N",
                                    ")",
                                    "t.",
                                    "0.",
                                    "(.",
                                    "NN.",
                                    "a.",
                                    "]Na",
                                    "s.",
                                    "]NNs.",
                                    "}(Nu.",
                                    "h\x05.",
                                    "X\xFF\xFF\xFF\x7Fx",
                                    "cx",
                                    "cx\ny",
                                    "NQ.",
                                    ")Q.",
                                    "NR.",
                                    "Nb.",
                                    "q\x01.",
                                    "\x80\x09",
                                    "\x8A\x09"
                                    "123456789.",
                                    "J12",
                                    "2.",
                                    "1."}) {
    expect_refused({program, 0, "byte"}, "w", run);
  }
  EXPECT_EQ(Pickle("\x8A\x02\xFE\xFF."s, "w").root().integer, -2);
  EXPECT_EQ(Pickle("]q\x01h\x01"
                   "a."s,
                   "w")
                .root()
                .items.size(),
            1U);  // a list that contains itself
}

TEST(TorchFile, DamagedProgramsAreParsedOrRefused) {
  constexpr std::array<std::string_view, 8> kPieces{"(", "t", "R", "Q", "u", "N", "}", "K\x01"};
  // A long text, so that some damage leaves a program that runs.
  const std::string program =
      kProtocol + dict({{"note", text(std::string(400, 'x'))}, {"model", dict({{"w", tensor()}, {"v", tensor()}})}}) +
      ".";
  expect_parsed_or_refused(program, 5000, 14, kPieces,
                           [](const std::string& bytes) { const Pickle pickle(bytes, "fuzz"); });
}

TEST(WeightNames, PrefixesAndTables) {
  const std::map<std::string, RawTensor> tensors{{"module.module.fc.weight", {"F32", {2}, {}}},
                                                 {"module.body.conv1.0.weight", {"F32", {3}, {}}},
                                                 {"fc2.bias", {"F32", {4}, {}}}};
  NameRules rules;
  rules.table = {{"fc", "head.fc"}, {"body.conv1", "stem"}};
  const auto result = renamed(tensors, rules, "w");
  EXPECT_EQ(result.at("head.fc.weight").shape, std::vector<std::int64_t>{2});
  EXPECT_EQ(result.at("stem.0.weight").shape, std::vector<std::int64_t>{3});
  EXPECT_TRUE(result.contains("fc2.bias"));  // "fc" ends at a dot
  EXPECT_THROW(renamed({{"a", {"F32", {}, {}}}, {"module.a", {"F32", {}, {}}}}, {}, "w"), Error);
}

TEST(WeightNames, EveryMismatchIsListed) {
  const std::map<std::string, RawTensor> found{{"a", {"F32", {2, 3}, {}}},
                                               {"b", {"F32", {2}, {}}},
                                               {"extra", {"F32", {1}, {}}},
                                               {"bn.num_batches_tracked", {"I64", {}, {}}},
                                               {"head.fc.weight", {"F32", {11221, 8}, {}}}};
  const std::map<std::string, std::vector<std::int64_t>> wanted{
      {"a", {2, 3}}, {"b", {3}}, {"c", {4}}, {"other.num_batches_tracked", {}}, {"head.fc.weight", {80, 8}}};
  const Mismatch mismatch = compare(found, wanted, {"head"});
  EXPECT_EQ(mismatch.missing, std::vector<std::string>{"c [4]"});
  EXPECT_EQ(mismatch.shapes, std::vector<std::string>{"b is [2], expected [3]"});
  EXPECT_EQ(mismatch.unexpected, std::vector<std::string>{"extra [1]"});
  EXPECT_EQ(compare(found, wanted).shapes.size(), 2U);
  try {
    require_match(mismatch, "w");
    ADD_FAILURE() << "expected an error";
  } catch (const Error& error) {
    for (const char* const line : {"w: the weights", "c [4]", "b is [2]", "extra [1]"}) {
      EXPECT_NE(std::string_view(error.what()).find(line), std::string_view::npos) << error.what();
    }
  }
  EXPECT_NO_THROW(require_match({}, "w"));
}

}  // namespace
}  // namespace mlpac
