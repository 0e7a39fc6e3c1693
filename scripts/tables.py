"""Statistics of runs, and how tables show them."""
import collections
import math
import statistics
import textwrap

# 97.5 % quantiles of Student's t distribution with 1, 2, ... degrees of freedom.
T_QUANTILES = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
               2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042)


def spread(values):
    """Mean and standard deviation (None for one value); None without values."""
    if not values:
        return None
    return {"mean": statistics.fmean(values), "sd": statistics.stdev(values) if len(values) > 1 else None}


def interval(differences):
    """Mean and half the width of its 95 % t-interval (None for one value); None without values."""
    summary = spread(differences)
    if not summary:
        return None
    if summary["sd"] is None:
        return {"mean": summary["mean"], "half": None, "count": 1, "excludes_zero": False}
    count = len(differences)
    half = T_QUANTILES[min(count - 1, len(T_QUANTILES)) - 1] * summary["sd"] / math.sqrt(count)
    return {"mean": summary["mean"], "half": half, "count": count, "excludes_zero": abs(summary["mean"]) > half}


def share(ratio):
    """The annotated share of the positives."""
    return "all labels" if ratio is None else f"{ratio * 100:.0f} %"


def show(summary, digits=1):
    """mean (standard deviation) of a table."""
    if not summary:
        return "–"
    sd = "–" if summary["sd"] is None else f"{summary['sd']:.{digits}f}"
    return f"{summary['mean']:.{digits}f} ({sd})"


def show_difference(difference):
    if not difference:
        return "–"
    text = f"{difference['mean']:+.1f}"
    if difference["half"] is not None:
        text += f" ± {difference['half']:.1f}"
    return f"**{text}** {'▲' if difference['mean'] > 0 else '▼'}" if difference["excludes_zero"] else text


def show_w(values):
    """The chosen weights; methods that choose none have none."""
    if all(value is None for value in values):
        return "–"
    return ", ".join("–" if value is None else f"{value:.3g}" for value in values)


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def paragraph(text):
    return [*textwrap.wrap(" ".join(text.split()), 120, break_long_words=False, break_on_hyphens=False), ""]


def counted(values):
    """The different values with their numbers, as text; without number if there is only one."""
    counts = sorted(collections.Counter(values).items())
    return counts[0][0] if len(counts) == 1 else ", ".join(f"{value} ({count})" for value, count in counts)
