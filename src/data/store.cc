#include "data/store.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <tuple>
#include <unordered_map>

#include "data/text.h"
#include "mlpac/error.h"

namespace mlpac {

namespace {

std::string format_key() { return fmt::format(R"({{"__metadata__":{{"format":"{}")", kStoreFormat); }

}  // namespace

bool looks_like_store(std::string_view head) {
  return head.size() > sizeof(std::uint64_t) && head.substr(sizeof(std::uint64_t)).starts_with(format_key());
}

bool is_store(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string head(sizeof(std::uint64_t) + format_key().size(), '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return file && looks_like_store(head);
}

std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before) {
  return static_cast<std::uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

Store::Store(const std::filesystem::path& path) : file_(std::make_shared<const MappedFile>(path)) { open(); }

Store::Store(std::string content, std::string source) : file_(std::move(content), std::move(source)) { open(); }

void Store::fail(std::string_view what) const {
  throw Error(fmt::format("{}: the store is damaged: {}; copy it again, or make it again with mlpac pack",
                          file_.source(), what));
}

void Store::require_kind(std::string_view wanted) const {
  if (kind_ == wanted) return;
  throw Error(fmt::format("{}: is a store of {}, expected {}; choose the task of the data (--task)", source(),
                          in_quotes(kind_), wanted));
}

void Store::open() {
  const auto& metadata = file_.metadata();
  const auto value = [&](const char* key) {
    const auto found = metadata.find(key);
    return found == metadata.end() ? std::string() : found->second;
  };
  if (value("format") != kStoreFormat) {
    throw Error(fmt::format("{}: is no store, expected what mlpac pack writes", file_.source()));
  }
  if (value("version") != std::to_string(kStoreVersion)) {
    throw Error(fmt::format("{}: is a store of version {}, expected {}; make it again with this program's mlpac pack",
                            file_.source(), in_quotes(value("version")), kStoreVersion));
  }
  // An empty array comes before the one that begins where it does; how several of them are ordered changes no checksum.
  std::vector<std::tuple<const char*, std::size_t, std::string>> places;
  for (const auto& [name, tensor] : file_.tensors()) {
    places.emplace_back(tensor.bytes.data(), tensor.bytes.size(), name);
  }
  std::sort(places.begin(), places.end());
  const char* end = file_.header().data() + file_.header().size();
  for (const auto& [begin, size, name] : places) {
    if (begin != end) fail("its arrays do not follow each other");
    end += size;
    if (name != kStoreChecksums) order_.push_back(name);
  }
  const auto sums = file_.tensors().find(std::string(kStoreChecksums));
  if (sums == file_.tensors().end()) fail("it has no checksums");
  const auto& bytes = sums->second.bytes;
  if (std::get<2>(places.back()) != kStoreChecksums || bytes.size() != (order_.size() + 1) * sizeof(std::uint32_t)) {
    fail("its checksums are not at the end");
  }
  if (file_.file() != nullptr && end != file_.file()->bytes().data() + file_.file()->bytes().size()) {
    fail("the file is longer than its arrays");
  }
  checksums_.resize(order_.size() + 1);
  std::memcpy(checksums_.data(), bytes.data(), bytes.size());
  if (crc32_of(file_.header()) != checksums_.back()) fail("the checksum of the header is wrong");
  kind_ = value("kind");
  about_ = nlohmann::json::parse(value("about"), nullptr, false);
  if (!about_.is_object()) fail("its description is no JSON object");
}

std::string_view Store::array(const std::string& name, std::string_view dtype, std::size_t bytes,
                              std::size_t align) const {
  const auto found = file_.tensors().find(name);
  if (found == file_.tensors().end()) fail(fmt::format("'{}' is missing", name));
  const auto& tensor = found->second;
  if (tensor.dtype != dtype) fail(fmt::format("'{}' has the type {}, expected {}", name, tensor.dtype, dtype));
  if (tensor.bytes.size() != bytes) {
    fail(fmt::format("'{}' has {} bytes, expected {}", name, tensor.bytes.size(), bytes));
  }
  if (reinterpret_cast<std::uintptr_t>(tensor.bytes.data()) % align != 0) fail(fmt::format("'{}' is misplaced", name));
  return tensor.bytes;
}

std::uint32_t Store::checksum_of(const std::string& name) const {
  return checksums_[static_cast<std::size_t>(std::find(order_.begin(), order_.end(), name) - order_.begin())];
}

std::string_view Store::checked(const std::string& name, std::string_view dtype) const {
  const auto found = file_.tensors().find(name);
  const auto bytes = array(name, dtype, found == file_.tensors().end() ? 0 : found->second.bytes.size(), 1);
  if (crc32_of(bytes) != checksum_of(name)) fail(fmt::format("the checksum of '{}' is wrong", name));
  return bytes;
}

std::vector<std::int64_t> Store::offsets(const std::string& name, std::int64_t count, std::int64_t end) const {
  auto values = load<std::int64_t>(name);
  if (values.size() != static_cast<std::size_t>(count) + 1 || values.front() != 0 || values.back() != end ||
      !std::is_sorted(values.begin(), values.end())) {
    fail(fmt::format("'{}' are no {} increasing positions from 0 to {}", name, count + 1, end));
  }
  return values;
}

std::vector<std::string> Store::strings(const std::string& name) const {
  std::vector<std::string> result;
  if (!has(name)) return result;
  const auto bytes = checked(name, dtype_of<std::uint8_t>());
  const auto positions = name + "_offsets";
  const auto found = file_.tensors().find(positions);
  const auto count = found == file_.tensors().end() ? 0 : found->second.bytes.size() / sizeof(std::int64_t);
  if (count == 0) fail(fmt::format("'{}' is missing", positions));
  const auto ends = offsets(positions, static_cast<std::int64_t>(count) - 1, static_cast<std::int64_t>(bytes.size()));
  result.reserve(count - 1);
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    result.emplace_back(
        bytes.substr(static_cast<std::size_t>(ends[i]), static_cast<std::size_t>(ends[i + 1] - ends[i])));
  }
  return result;
}

Labels Store::labels(std::int64_t rows, std::int32_t classes) const {
  const auto columns = load<std::int32_t>("label_columns");
  const auto states = load<std::int8_t>("label_states");
  const auto ends = offsets("label_offsets", rows, static_cast<std::int64_t>(columns.size()));
  if (states.size() != columns.size()) fail("'label_states' and 'label_columns' differ in length");
  Labels labels(classes);
  std::vector<LabelEntry> row;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    row.clear();
    for (auto k = static_cast<std::size_t>(ends[i]); k < static_cast<std::size_t>(ends[i + 1]); ++k) {
      row.push_back({columns[k], states[k]});
    }
    try {
      labels.append(row);
    } catch (const Error& error) {
      fail(error.what());
    }
  }
  return labels;
}

std::int64_t Store::whole(const char* key, std::int64_t low, std::int64_t high) const {
  const auto found = about_.find(key);
  if (found == about_.end() || !found->is_number_integer()) fail(fmt::format("it does not say its {}", key));
  // An unsigned number beyond the signed ones becomes negative, and is refused as such.
  const auto number = found->get<std::int64_t>();
  if (number < low || number > high) fail(fmt::format("its {} are {}, expected {} to {}", key, number, low, high));
  return number;
}

void Store::check(const std::function<void(double)>& progress) const {
  constexpr std::size_t kPiece = std::size_t{16} << 20U;
  double total = 1;
  for (const auto& name : order_) total += static_cast<double>(file_.tensors().at(name).bytes.size());
  double done = 0;
  for (const auto& name : order_) {
    auto rest = file_.tensors().at(name).bytes;
    std::uint32_t sum = 0;
    while (!rest.empty()) {
      const auto piece = rest.substr(0, kPiece);
      rest.remove_prefix(piece.size());
      if (file() != nullptr) file()->will_need(rest.substr(0, kPiece));
      sum = crc32_of(piece, sum);
      if (file() != nullptr) file()->was_read(piece.size());
      done += static_cast<double>(piece.size());
      progress(done / total);
    }
    if (sum != checksum_of(name)) fail(fmt::format("the checksum of '{}' is wrong", name));
  }
}

Labels with_label_names(Labels labels, const std::vector<std::string>& names, const std::vector<std::string>& wanted,
                        const std::string& source) {
  if (wanted.empty() || wanted == names) return labels;
  std::unordered_map<std::string_view, std::int32_t> numbers;
  for (std::size_t i = 0; i < wanted.size(); ++i) numbers.emplace(wanted[i], static_cast<std::int32_t>(i));
  std::vector<std::int32_t> target;
  for (const auto& name : names) {
    const auto found = numbers.find(name);
    if (found == numbers.end()) {
      throw Error(
          fmt::format("{}: the label {} is not among the {} labels already known, expected the same labels; was "
                      "the model trained on other data?",
                      source, in_quotes(name), wanted.size()));
    }
    target.push_back(found->second);
  }
  Labels result(static_cast<std::int32_t>(wanted.size()));
  for (std::int64_t row = 0; row < labels.rows(); ++row) {
    std::vector<LabelEntry> entries(labels.row(row).begin(), labels.row(row).end());
    for (auto& entry : entries) entry.column = target[static_cast<std::size_t>(entry.column)];
    result.append(std::move(entries));
  }
  return result;
}

}  // namespace mlpac
