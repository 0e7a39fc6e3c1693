#include "weights/torch_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/file.h"
#include "core/safetensors.h"
#include "data/npz.h"
#include "data/text.h"
#include "data/zip.h"
#include "mlpac/error.h"
#include "weights/pickle.h"

namespace mlpac {
namespace {

using Kind = PickledValue::Kind;

constexpr std::string_view kPickle = "data.pkl";
/// Descriptions of the largest networks take a few megabytes; values take more memory than the bytes that make them.
constexpr std::uint64_t kLargestPickle = std::uint64_t{64} << 20U;
/// Where checkpoints keep their state dict, in the order in which they are looked for.
constexpr std::array<std::string_view, 3> kNested{"state_dict", "model", "model_state_dict"};

/// The value of a text key; null if there is none. As in Python, the last one of a name counts.
const PickledValue* find_entry(const PickledValue& dict, std::string_view key) {
  const PickledValue* found = nullptr;
  for (const auto& [name, value] : dict.entries) {
    if (name->kind == Kind::text && name->text == key) found = value;
  }
  return found;
}

bool holds_tensors(const PickledValue& dict) {
  return std::any_of(dict.entries.begin(), dict.entries.end(), [](const auto& entry) {
    return entry.first->kind == Kind::text && entry.second->kind == Kind::tensor;
  });
}

std::string shape_text(const std::vector<std::int64_t>& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

/// Elements of a shape; -1 if no memory could hold them.
std::int64_t elements_of(const std::vector<std::int64_t>& shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::int64_t elements = 1;
  for (const std::int64_t size : shape) {
    if (elements > (std::int64_t{1} << 48U) / size) return -1;
    elements *= size;
  }
  return elements;
}

/// Strides that leave no gap; those of a dimension of size 1 do not matter.
bool row_major(const PickledTensor& tensor) {
  std::int64_t expected = 1;
  for (std::size_t i = tensor.shape.size(); i-- > 0;) {
    if (tensor.shape[i] != 1 && tensor.strides[i] != expected) return false;
    expected *= tensor.shape[i];
  }
  return true;
}

/// The position behind the last element, in elements of the storage; -1 if it lies beyond `elements`.
std::int64_t end_of(const PickledTensor& tensor, std::int64_t elements) {
  if (tensor.offset > elements) return -1;
  std::int64_t last = tensor.offset;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    const std::int64_t steps = tensor.shape[i] - 1;
    if (steps > 0 && tensor.strides[i] > (elements - last) / steps) return -1;
    last += steps * tensor.strides[i];
  }
  return last < elements ? last + 1 : -1;
}

}  // namespace

class TorchReader {
 public:
  explicit TorchReader(TorchFile& file) : file_(file), archive_(file.content_, file.source_) {}

  void read() {
    const ZipMember& description = find_description();
    prefix_ = description.name.substr(0, description.name.size() - kPickle.size());
    refuse_other_kinds();
    if (description.size > kLargestPickle) {
      fail(fmt::format("{} has {} MB, expected at most {}; save the state dict alone", kPickle, description.size >> 20U,
                       kLargestPickle >> 20U));
    }
    const ZipContent content = member(description);
    const Pickle pickle(content.bytes, fmt::format("{}({})", file_.source_, description.name));
    const PickledValue& dict = state_dict(pickle.root());
    for (const auto& [name, value] : dict.entries) {
      if (name->kind == Kind::text && value->kind == Kind::tensor) {
        file_.tensors_[to_utf8(name->text)] = tensor(name->text, *value->tensor);
      }
    }
  }

 private:
  [[noreturn]] void fail(std::string_view what) const { throw Error(fmt::format("{}: {}", file_.source_, what)); }

  const ZipMember& find_description() const {
    const ZipMember* found = nullptr;
    for (const ZipMember& candidate : archive_.members()) {
      const std::string_view name = candidate.name;
      if (name != kPickle && !name.ends_with("/data.pkl")) continue;
      if (found != nullptr) fail(fmt::format("has two members called {}, expected one", kPickle));
      found = &candidate;
    }
    if (found == nullptr) {
      fail(fmt::format("has no member {}, expected what torch.save writes; is it another kind of archive?", kPickle));
    }
    return *found;
  }

  void refuse_other_kinds() const {
    if (archive_.find(prefix_ + "constants.pkl") != nullptr) {
      fail("is a TorchScript program, expected a state dict; save it by torch.save(model.state_dict(), FILE)");
    }
    const ZipMember* const order = archive_.find(prefix_ + "byteorder");
    if (order != nullptr && member(*order).bytes != "little") {
      fail("was written on a big-endian machine, expected little-endian numbers; save it again on another machine");
    }
  }

  ZipContent member(const ZipMember& which) const {
    const auto declared = static_cast<std::size_t>(which.size);
    return archive_.read(which, fmt::format("{}({})", file_.source_, which.name), std::min<std::size_t>(declared, 4096),
                         [&](std::string_view) { return declared; });
  }

  const PickledValue& state_dict(const PickledValue& root) const {
    constexpr int kDeepest = 4;
    const PickledValue* dict = &root;
    for (int depth = 0; depth < kDeepest && dict->kind == Kind::dict; ++depth) {
      const PickledValue* inner = nullptr;
      for (const std::string_view key : kNested) {
        const PickledValue* const candidate = find_entry(*dict, key);
        if (inner == nullptr && candidate != nullptr && candidate->kind == Kind::dict) inner = candidate;
      }
      if (inner == nullptr) break;
      dict = inner;
    }
    if (dict->kind != Kind::dict) {
      fail(fmt::format("holds {}, expected a state dict: names with their tensors", kind_name(dict->kind)));
    }
    if (!holds_tensors(*dict)) fail(fmt::format("holds no tensors, expected a state dict; it has {}", keys_of(*dict)));
    return *dict;
  }

  static std::string keys_of(const PickledValue& dict) {
    constexpr std::size_t kShown = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(dict.entries.size(), kShown); ++i) {
      const PickledValue& key = *dict.entries[i].first;
      text += (i == 0 ? "" : ", ") + (key.kind == Kind::text ? in_quotes(key.text) : std::string(kind_name(key.kind)));
    }
    return text.empty() ? "nothing" : text;
  }

  RawTensor tensor(const std::string& name, const PickledTensor& described) {
    const std::string place = fmt::format("tensor {}", in_quotes(name));
    const std::size_t width = dtype_size(described.storage.dtype);
    const std::string_view storage = storage_bytes(described.storage, place);
    const auto available = static_cast<std::int64_t>(storage.size() / width);
    const std::int64_t elements = elements_of(described.shape);
    RawTensor result{described.storage.dtype, described.shape, {}};
    if (elements == 0) return result;
    const std::int64_t end = end_of(described, available);
    if (elements < 0 || end < 0) {
      fail(fmt::format("{} of shape {} lies outside of its storage of {} elements; was the file damaged?", place,
                       shape_text(described.shape), available));
    }
    if (row_major(described)) {
      result.bytes = storage.substr(static_cast<std::size_t>(described.offset) * width,
                                    static_cast<std::size_t>(elements) * width);
      return result;
    }
    if (elements > available) {
      fail(fmt::format("{} of shape {} repeats the {} elements of its storage; save it after .contiguous()", place,
                       shape_text(described.shape), available));
    }
    spend(static_cast<std::uint64_t>(elements) * width, place);
    result.bytes = put_in_order(described, storage, width, elements);
    return result;
  }

  /// Transposed views of one storage could be named without end; real files put few weights in order.
  void spend(std::uint64_t bytes, const std::string& place) {
    if (bytes > stored_ || spent_ > stored_ - bytes) {
      fail(fmt::format("{}: tensors with strides take more memory than the file has; save them after .contiguous()",
                       place));
    }
    spent_ += bytes;
  }

  std::string_view put_in_order(const PickledTensor& described, std::string_view storage, std::size_t width,
                                std::int64_t elements) {
    std::vector<char>& out = file_.made_.emplace_back(static_cast<std::size_t>(elements) * width);
    std::vector<std::int64_t> at(described.shape.size());
    std::int64_t from = described.offset;
    for (std::int64_t i = 0; i < elements; ++i) {
      std::memcpy(out.data() + static_cast<std::size_t>(i) * width,
                  storage.data() + static_cast<std::size_t>(from) * width, width);
      for (std::size_t d = at.size(); d-- > 0;) {
        from += described.strides[d];
        if (++at[d] < described.shape[d]) break;
        from -= described.strides[d] * at[d];
        at[d] = 0;
      }
    }
    return {out.data(), out.size()};
  }

  std::string_view storage_bytes(const PickledStorage& storage, const std::string& place) {
    const auto known = storages_.find(storage.key);
    const std::size_t width = dtype_size(storage.dtype);
    if (known == storages_.end()) {
      const ZipMember* const found = archive_.find(prefix_ + "data/" + storage.key);
      if (found == nullptr) {
        fail(fmt::format("{}: its storage {} is not in the archive; was the file damaged?", place,
                         in_quotes(prefix_ + "data/" + storage.key)));
      }
      ZipContent content = member(*found);
      std::string_view bytes = content.bytes;
      if (!content.storage.empty()) {
        const std::vector<char>& kept = file_.made_.emplace_back(std::move(content.storage));
        bytes = {kept.data(), bytes.size()};
      }
      stored_ += bytes.size();
      return storages_.emplace(storage.key, checked(storage, bytes, width, place)).first->second;
    }
    return checked(storage, known->second, width, place);
  }

  std::string_view checked(const PickledStorage& storage, std::string_view bytes, std::size_t width,
                           const std::string& place) const {
    if (bytes.size() % width == 0 && bytes.size() / width == static_cast<std::uint64_t>(storage.elements)) return bytes;
    fail(fmt::format("{}: its storage has {} bytes, expected {} elements of {}; was the file damaged?", place,
                     bytes.size(), storage.elements, storage.dtype));
  }

  TorchFile& file_;
  ZipArchive archive_;
  std::string prefix_;  ///< the folder within the archive
  std::map<std::string, std::string_view> storages_;
  std::uint64_t stored_ = 0;  ///< bytes of all storages
  std::uint64_t spent_ = 0;   ///< bytes that were put in order
};

TorchFile::TorchFile(const std::filesystem::path& path) : content_(read_file(path)), source_(path.string()) { read(); }

TorchFile::TorchFile(std::string content, std::string source)
    : content_(std::move(content)), source_(std::move(source)) {
  read();
}

void TorchFile::read() {
  const std::string_view head = content_;
  // The format before PyTorch 1.6 begins with the pickle of a magic number.
  if (head.starts_with("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19")) {
    throw Error(
        fmt::format("{}: is in PyTorch's format before 1.6, expected the zip format; convert it in Python: "
                    "torch.save(torch.load(OLD, map_location='cpu'), NEW)",
                    source_));
  }
  if (!looks_like_zip(head)) {
    throw Error(
        fmt::format("{}: begins with {}, expected a zip archive as torch.save writes it; is it a safetensors "
                    "file or a web page?",
                    source_, in_quotes(head.substr(0, 8))));
  }
  TorchReader(*this).read();
}

}  // namespace mlpac
