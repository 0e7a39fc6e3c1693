#include "nn/document_windows.h"

#include <algorithm>

namespace mlpac {

namespace {

constexpr double kSmall = 1e-10;  // as the official code divides

/// Tokens [from, from + count) of a window at [to, to + count) of a document that is `width` long; 0 elsewhere.
at::Tensor place_hidden(const at::Tensor& window, std::int64_t from, std::int64_t count, std::int64_t to,
                        std::int64_t width) {
  return at::constant_pad_nd(window.slice(0, from, from + count), {0, 0, to, width - to - count});
}

at::Tensor place_attention(const at::Tensor& window, std::int64_t from, std::int64_t count, std::int64_t to,
                           std::int64_t width) {
  const auto part = window.slice(1, from, from + count).slice(2, from, from + count);
  return at::constant_pad_nd(part, {to, width - to - count, to, width - to - count});
}

}  // namespace

std::vector<std::vector<std::int32_t>> windows_of(std::span<const std::int32_t> ids, const WindowTokens& tokens) {
  const auto longest = static_cast<std::size_t>(tokens.longest);
  if (ids.size() <= longest) return {{ids.begin(), ids.end()}};
  const auto ends = static_cast<std::size_t>(tokens.ends);
  std::vector<std::int32_t> first(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(longest - ends));
  first.insert(first.end(), ends, tokens.end);
  std::vector<std::int32_t> second{tokens.start};
  second.insert(second.end(), ids.end() - static_cast<std::ptrdiff_t>(longest - 1), ids.end());
  return {std::move(first), std::move(second)};
}

Encoded merge_windows(const Encoded& windows, const WindowPlan& plan) {
  const auto& [hidden, attention] = windows;
  const bool one_each = std::all_of(plan.lengths.begin(), plan.lengths.end(),
                                    [&](std::int64_t length) { return length <= plan.longest; });
  if (one_each && hidden.size(1) == plan.width) return windows;
  std::vector<at::Tensor> states;
  std::vector<at::Tensor> maps;
  std::int64_t next = 0;
  for (const std::int64_t length : plan.lengths) {
    const auto width = plan.width;
    if (length <= plan.longest) {
      const auto count = std::min(width, hidden.size(1));
      states.push_back(place_hidden(hidden[next], 0, count, 0, width));
      maps.push_back(place_attention(attention[next], 0, count, 0, width));
      ++next;
      continue;
    }
    const auto head = plan.longest - plan.ends;  // the first window without the end tokens that were added
    const auto tail = plan.longest - 1;          // the second one without its start token
    const auto counts = at::constant_pad_nd(at::ones({head}, hidden.options()), {0, width - head}) +
                        at::constant_pad_nd(at::ones({tail}, hidden.options()), {length - tail, width - length});
    const auto sum =
        place_hidden(hidden[next], 0, head, 0, width) + place_hidden(hidden[next + 1], 1, tail, length - tail, width);
    states.push_back(sum / (counts.unsqueeze(1) + kSmall));
    const auto both = place_attention(attention[next], 0, head, 0, width) +
                      place_attention(attention[next + 1], 1, tail, length - tail, width);
    maps.push_back(both / (both.sum(-1, true) + kSmall));
    next += 2;
  }
  return {at::stack(states), at::stack(maps)};
}

}  // namespace mlpac
