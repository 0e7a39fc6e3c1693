#include "text/gpt2_pattern.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/unicode.h"

namespace mlpac {
namespace {

enum class Group : std::uint8_t { letters, numbers, blanks, rest };

constexpr auto kContractions = std::to_array<std::string_view>({"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"});

Group group_of(char32_t code) {
  if (unicode::is_white_space(code)) return Group::blanks;
  switch (unicode::kind_of(code)) {
    case unicode::Kind::letter:
      return Group::letters;
    case unicode::Kind::number:
      return Group::numbers;
    default:
      return Group::rest;
  }
}

/// Characters of one group from `begin` on.
struct Run {
  std::size_t end = 0;
  std::size_t last = 0;  ///< where its last character begins
};

Run run_of(std::string_view text, std::size_t begin, Group group) {
  Run run{begin, begin};
  while (run.end < text.size()) {
    const auto [code, bytes] = unicode::character_at(text, run.end);
    if (group_of(code) != group) break;
    run.last = run.end;
    run.end += bytes;
  }
  return run;
}

}  // namespace

std::size_t first_gpt2_piece(std::string_view text) {
  for (const std::string_view contraction : kContractions) {
    if (text.starts_with(contraction)) return contraction.size();
  }
  const std::size_t blank = text.front() == ' ' && text.size() > 1 ? 1 : 0;
  const Group group = group_of(unicode::character_at(text, blank).code);
  if (group != Group::blanks) return run_of(text, blank, group).end;
  const Run blanks = run_of(text, 0, Group::blanks);
  // The last blank before something else is left to it, or is a piece of its own if it is the only one.
  return blanks.end == text.size() || blanks.last == 0 ? blanks.end : blanks.last;
}

}  // namespace mlpac
