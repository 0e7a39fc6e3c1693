#!/usr/bin/env python3
"""Writes src/text/unicode_tables.cc: the few properties of Unicode that the tokenisers need, from Python's unicodedata.

    scripts/unicode_tables.py >src/text/unicode_tables.cc
"""
import sys
import unicodedata

LAST = 0x10FFFF
KINDS = ["other", "letter", "number", "punctuation", "mark", "space", "control"]


def kind(code):
    category = unicodedata.category(chr(code))
    if category[0] == "C":
        return "control"  # unassigned and private ones too, as the Python tokenisers have it
    if category == "Zs":
        return "space"
    if category == "Mn":
        return "mark"
    return {"L": "letter", "N": "number", "P": "punctuation"}.get(category[0], "other")


def kind_ranges():
    """(first code point, kind); a range ends where the next begins."""
    ranges = []
    for code in range(LAST + 1):
        k = KINDS.index(kind(code))
        if not ranges or ranges[-1][1] != k:
            ranges.append((code, k))
    return ranges


def lower_runs():
    """(first, last, step, difference): every step-th code point of a run has its lower-case letter at that distance."""
    runs = []
    for code in range(0x80, LAST + 1):
        if 0xD800 <= code <= 0xDFFF:
            continue
        low = chr(code).lower()
        if len(low) > 1:
            assert code == 0x130  # I with dot above, the only one; handled in the program
            continue
        if ord(low) == code:
            continue
        difference = ord(low) - code
        if runs:
            first, last, step, d = runs[-1]
            gap = code - last
            if d == difference and gap <= 2 and step in (0, gap):
                runs[-1] = (first, code, gap, d)
                continue
        runs.append((code, code, 0, difference))
    return [(first, last, max(step, 1), d) for first, last, step, d in runs]


def bases():
    """(code point, what remains of its canonical decomposition without marks); several rows for several characters."""
    rows = []
    for code in range(0x80, LAST + 1):
        if 0xD800 <= code <= 0xDFFF or 0xAC00 <= code <= 0xD7A3 or kind(code) == "mark":
            continue  # Hangul syllables are computed; marks go anyway
        rest = [c for c in unicodedata.normalize("NFD", chr(code)) if kind(ord(c)) != "mark"]
        if rest != [chr(code)]:
            assert rest
            rows += [(code, ord(c)) for c in rest]
    return rows


def table(type_, name, items):
    items = list(items)
    print(f"constexpr std::array<{type_}, {len(items)}> {name}{{{{")
    line = "   "
    for item in items:
        if len(line) + len(item) + 2 > 120:
            print(line)
            line = "   "
        line += " " + item + ","
    print(line)
    print("}};\n")


def main():
    ranges, runs, base = kind_ranges(), lower_runs(), bases()
    print(f"// Written by scripts/unicode_tables.py from Unicode {unicodedata.unidata_version}; do not edit.")
    print('#include "text/unicode_tables.h"\n\n#include <array>\n#include <cstdint>\n#include <span>\n')
    print("namespace mlpac::unicode {\nnamespace {\n\n// clang-format off")
    print("// First code point of a range * 8 + kind.")
    table("std::uint32_t", "kKinds", (hex(c * 8 + k) for c, k in ranges))
    print("// First, last, step and difference of upper-case letters.")
    table("LowerRun", "kLower", (f"{{{f:#x}, {l:#x}, {s}, {d}}}" for f, l, s, d in runs))
    print("// Code point * 2^32 + a character of its decomposition that is no mark.")
    table("std::uint64_t", "kBases", (hex((c << 32) + b) for c, b in base))
    print("// clang-format on\n}  // namespace\n")
    print("std::span<const std::uint32_t> kind_ranges() { return kKinds; }")
    print("std::span<const LowerRun> lower_runs() { return kLower; }")
    print("std::span<const std::uint64_t> bases() { return kBases; }\n")
    print("}  // namespace mlpac::unicode")
    print(len(ranges), len(runs), len(base), file=sys.stderr)


main()
