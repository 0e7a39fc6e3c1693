#include "data/npy_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include "data/number.h"
#include "data/text.h"
#include "mlpac/error.h"

namespace mlpac {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostDimensions = 64;  // of NumPy itself

constexpr std::array<std::pair<std::string_view, NpyKind>, 12> kNumbers{{{"b1", NpyKind::boolean},
                                                                         {"i1", NpyKind::integer},
                                                                         {"i2", NpyKind::integer},
                                                                         {"i4", NpyKind::integer},
                                                                         {"i8", NpyKind::integer},
                                                                         {"u1", NpyKind::natural},
                                                                         {"u2", NpyKind::natural},
                                                                         {"u4", NpyKind::natural},
                                                                         {"u8", NpyKind::natural},
                                                                         {"f2", NpyKind::real},
                                                                         {"f4", NpyKind::real},
                                                                         {"f8", NpyKind::real}}};

/// Parses the dictionary: the few Python literals that NumPy writes, and nothing else.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& source, NpyHeader& header)
      : rest_(text), source_(source), header_(header) {}

  void parse() {
    expect('{');
    while (!accept('}')) {
      entry();
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip_blanks();
    if (!rest_.empty()) fail_syntax("the end of the header");
    if (!type_ || !order_ || !shape_) {
      fail(fmt::format("the header has no {}, expected 'descr', 'fortran_order' and 'shape'", !type_ ? "'descr'"
                                                                                              : !order_
                                                                                                  ? "'fortran_order'"
                                                                                                  : "'shape'"));
    }
  }

 private:
  void entry() {
    const std::string_view key = string();
    expect(':');
    bool* const seen = key == "descr" ? &type_ : key == "fortran_order" ? &order_ : key == "shape" ? &shape_ : nullptr;
    if (seen == nullptr) {
      fail(fmt::format("the header has the key {}, expected 'descr', 'fortran_order' and 'shape'", in_quotes(key)));
    }
    if (std::exchange(*seen, true)) fail(fmt::format("the header has the key {} twice, expected once", in_quotes(key)));
    if (seen == &type_) {
      type();
    } else if (seen == &order_) {
      order();
    } else {
      shape();
    }
  }

  void type() {
    skip_blanks();
    if (!rest_.empty() && (rest_.front() == '[' || rest_.front() == '(')) fail_structured();
    const std::string_view whole = string();
    std::string_view code = whole;
    if (!code.empty() && std::string_view("<>|=").find(code.front()) != std::string_view::npos) {
      header_.big_endian = code.front() == '>';
      code.remove_prefix(1);
    }
    for (const auto& [name, kind] : kNumbers) {
      if (code != name) continue;
      header_.kind = kind;
      header_.item = static_cast<std::size_t>(code[1] - '0');
      return;
    }
    if (code.empty() || (code.front() != 'U' && code.front() != 'S')) fail_type(whole, code);
    std::int64_t length = 0;
    if (!parse_index(code.substr(1), length) || length > std::numeric_limits<std::int32_t>::max()) {
      fail_type(whole, code);
    }
    // Elements of no bytes could be any number of them.
    if (length == 0)
      fail(fmt::format("the elements are of type {}, expected strings of some length", in_quotes(whole)));
    header_.kind = code.front() == 'U' ? NpyKind::text : NpyKind::bytes;
    header_.item = static_cast<std::size_t>(length) * (code.front() == 'U' ? 4 : 1);
  }

  void order() {
    skip_blanks();
    header_.fortran = accept_word("True");
    if (!header_.fortran && !accept_word("False")) fail_syntax("True or False");
  }

  /// A tuple: (), (3,), (3, 4). NumPy under Python 2 wrote 3L.
  void shape() {
    expect('(');
    bool comma = false;
    while (!accept(')')) {
      header_.shape.push_back(dimension());
      if (header_.shape.size() > kMostDimensions) fail("the shape has more than 64 dimensions, expected 1 or 2");
      comma = accept(',');
      if (comma) continue;
      expect(')');
      if (header_.shape.size() == 1) fail("the shape is no tuple, expected one such as (3,) or (3, 4)");
      break;
    }
  }

  std::int64_t dimension() {
    skip_blanks();
    const std::size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    std::int64_t size = 0;
    if (digits == 0) fail_syntax("a size that is not negative");
    if (!parse_index(rest_.substr(0, digits), size)) fail_too_large();
    rest_.remove_prefix(digits);
    if (!rest_.empty() && rest_.front() == 'L') rest_.remove_prefix(1);
    return size;
  }

  std::string_view string() {
    skip_blanks();
    const char quote = rest_.empty() ? '\0' : rest_.front();
    if (quote != '\'' && quote != '"') fail_syntax("a string");
    const std::size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) fail_syntax("a closing quote");
    const std::string_view text = rest_.substr(1, end - 1);
    if (text.find('\\') != std::string_view::npos) fail_syntax("a string without backslashes");
    rest_.remove_prefix(end + 1);
    return text;
  }

  void skip_blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n\f"), rest_.size())); }
  bool accept(char c) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool accept_word(std::string_view word) {
    if (rest_.substr(0, word.size()) != word) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  void expect(char c) {
    if (!accept(c)) fail_syntax(fmt::format("'{}'", c));
  }

  [[noreturn]] void fail(std::string_view what) const { throw Error(fmt::format("{}: {}", source_, what)); }
  [[noreturn]] void fail_too_large() const { fail("the shape is too large, expected one that fits the file"); }
  [[noreturn]] void fail_syntax(std::string_view expected) const {
    fail(fmt::format("the header goes on with {}, expected {}; was the file written by numpy.save?", in_quotes(rest_),
                     expected));
  }
  [[noreturn]] void fail_structured() const {
    fail(
        "the elements are structured, expected one number each; use "
        "numpy.lib.recfunctions.structured_to_unstructured(X).astype(np.float32)");
  }
  [[noreturn]] void fail_type(std::string_view whole, std::string_view code) const {
    switch (code.empty() ? '\0' : code.front()) {
      case 'O':
        fail(
            "the elements are Python objects (a pickle), which are never loaded, expected numbers or strings; use "
            "X.astype(np.float32) for numbers, names.astype(str) for names, and save with allow_pickle=False");
      case 'c':
        fail("the elements are complex numbers, expected real ones; use X.real.astype(np.float32)");
      case 'M':
      case 'm':
        fail("the elements are dates or times, expected numbers; use X.astype(np.int64), in units that suit the data");
      case 'V':
        fail_structured();
      default:
        fail(
            fmt::format("the elements are of type {}, expected bool, int8 to int64, uint8 to uint64, float16, float32 "
                        "or float64; use X.astype(np.float32)",
                        in_quotes(whole)));
    }
  }

  std::string_view rest_;
  const std::string& source_;
  NpyHeader& header_;
  bool type_ = false;
  bool order_ = false;
  bool shape_ = false;
};

std::size_t byte_at(std::string_view bytes, std::size_t at) { return static_cast<unsigned char>(bytes[at]); }

}  // namespace

bool looks_like_npy(std::string_view head) { return head.substr(0, kMagic.size()) == kMagic; }

NpyHeader parse_npy_header(std::string_view head, const std::string& source) {
  const auto fail = [&](std::string_view what) { throw Error(fmt::format("{}: {}", source, what)); };
  if (!looks_like_npy(head)) fail("is no NumPy array, expected one that numpy.save wrote");
  const std::size_t version = head.size() > kMagic.size() ? byte_at(head, kMagic.size()) : 1;
  if (version < 1 || version > 3) {
    fail(fmt::format("the array is of format version {}, expected 1, 2 or 3; save it with numpy.save", version));
  }
  const std::size_t width = version == 1 ? 2 : 4;  // of the length of the header
  const std::size_t begin = kMagic.size() + 2 + width;
  if (head.size() < begin) fail("ends within the header, expected a whole array; was the file cut off?");
  std::size_t length = 0;
  for (std::size_t i = 0; i < width; ++i) length |= byte_at(head, begin - width + i) << (8 * i);
  if (length > kNpyHead - 12) fail(fmt::format("the header has {} bytes, expected at most 65535", length));
  if (head.size() - begin < length) fail("ends within the header, expected a whole array; was the file cut off?");

  NpyHeader header;
  HeaderParser(head.substr(begin, length), source, header).parse();
  header.data = begin + length;
  // Any product with a 0 is 0, however large the rest.
  for (const std::int64_t size : header.shape) {
    if (size == 0) header.elements = 0;
  }
  const std::int64_t most =
      std::numeric_limits<std::int64_t>::max() / static_cast<std::int64_t>(2 * header.item);  // room for the header
  for (const std::int64_t size : header.shape) {
    if (header.elements > 0 && size > most / header.elements) {
      fail("the shape is too large, expected one that fits the file");
    }
    header.elements *= size;
  }
  return header;
}

}  // namespace mlpac
