#include "data/npz.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "data/npy.h"
#include "data/npy_header.h"
#include "data/text.h"
#include "data/zip.h"
#include "data/zip_format.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

constexpr std::string_view kSuffix = ".npy";

}  // namespace

NpyArray NpzFile::read(std::string_view name) const {
  const ZipMember* const member = archive_.find(member_name(name));
  if (member == nullptr) {
    throw Error(fmt::format("{}: there is no array {}, expected one beside {}", source(), in_quotes(name), names()));
  }
  const std::string place = fmt::format("{}({})", source(), name);
  ZipContent content = archive_.read(*member, place, kNpyHead,
                                     [&](std::string_view head) { return parse_npy_header(head, place).size(); });
  NpyArray array = parse_npy(content.bytes, place);
  array.storage = std::move(content.storage);
  return array;
}

std::string NpzFile::names() const {
  constexpr std::size_t kShown = 6;
  std::string text;
  std::size_t shown = 0;
  for (const ZipMember& member : archive_.members()) {
    if (!member.name.ends_with(kSuffix)) continue;
    if (shown == kShown) return text + ", ...";
    text += (shown++ == 0 ? "" : ", ") + in_quotes(std::string_view(member.name).substr(0, member.name.size() - 4));
  }
  return text.empty() ? "no arrays" : text;
}

bool looks_like_zip(std::string_view head) {
  const std::string_view mark = head.substr(0, kZipLocal.size());
  return mark == kZipLocal || mark == kZipEnd;  // the second: an archive without members
}

bool looks_like_npz(std::string_view head) {
  if (head.substr(0, kZipLocal.size()) != kZipLocal || head.size() < kZipLocalHeader) return false;
  return head.substr(kZipLocalHeader, zip_number<std::uint16_t>(head, 26)).ends_with(kSuffix);
}

}  // namespace mlpac
