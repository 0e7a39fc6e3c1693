"""What a plan asks for, with the figures that were measured."""
from comparisons import count_text, reached, surely_below
from program import Failed
from tables import share, table


def place(entry, axes=("recipe", "positive", "ratio")):
    """Where a cell lies, as text."""
    return " ".join(share(entry.values[axis]) if axis == "ratio" else str(entry.values[axis])
                    for axis in axes if entry.values.get(axis) is not None)


def verdict(holds, complete, total):
    if complete < total:
        return f"{'so far' if holds else 'not reached'}, {complete} of {total} complete"
    return "reached" if holds else "not reached"


def complete(entries):
    return sum(not entry.missing() for entry in entries)


def above_paper(check, results, paper):
    """Every cell, and their mean, at least the paper's value less (or plus) something."""
    entries = results.select(check["where"])
    metric = check.get("metric", "f1")
    gaps = {}
    for entry in entries:
        theirs = paper.value(entry.values, metric)
        if entry.records and theirs is not None:
            gaps[place(entry, ["ratio"])] = entry.mean(metric) - theirs
    if not gaps:
        return ["missing", "missing"]
    if "mean" in check:
        mean = sum(gaps.values()) / len(gaps)
        return [f"{mean:+.1f} on average", verdict(mean >= check["mean"], complete(entries), len(entries))]
    holding = [gap for gap in gaps.values() if gap >= check["each"]]
    worst = min(gaps, key=gaps.get)
    return [f"{len(holding)} of {len(entries)}; lowest {gaps[worst]:+.1f} at {worst}",
            verdict(len(holding) == len(gaps), complete(entries), len(entries))]


def opponents(check, results):
    """Every cell of the method with the planned entries of the others there."""
    for entry in results.select(check["where"] | {"method": check["method"]}):
        found = {other: results.find(entry.values | {"method": other}) for other in check["others"]}
        yield entry, {other: opponent for other, opponent in found.items() if opponent}


def at_least(check, results, _):
    """The mean of a method at least that of every other, on a share of the cells."""
    cells, metric = [], check.get("metric", "f1")
    for entry, others in opponents(check, results):
        whole = not entry.missing() and not any(other.missing() for other in others.values())
        cells.append((place(entry), [entry.mean(metric) - other.mean(metric) for other in others.values()] if whole else None))
    count, whole, below = reached(cells)
    if not whole:
        return ["missing", "missing"]
    return [count_text(count, whole, len(cells), "below:", below),
            verdict(count >= check["share"] * whole, whole, len(cells))]


def nowhere_below(check, results, _):
    """No other method is better by more than the interval of the difference."""
    cells = [(place(entry), {name: entry.difference(other) for name, other in others.items()})
             for entry, others in opponents(check, results)]
    whole = sum(all(differences.values()) for _, differences in cells)
    if not whole:
        return ["missing", "missing"]
    found = list(surely_below(cells))
    return [count_text(len(found), whole, len(cells), "these:", found), verdict(not found, whole, len(cells))]


def above(check, results, _):
    """Every cell above a number."""
    entries = results.select(check["where"])
    metric = check.get("metric", "f1")
    means = {place(entry, ["positive", "ratio"]): entry.mean(metric) for entry in entries if entry.records}
    if not means:
        return ["missing", "missing"]
    worst = min(means, key=means.get)
    count = sum(mean > check["above"] for mean in means.values())
    return [f"{count} of {len(entries)}; lowest {means[worst]:.1f}: {worst}",
            verdict(means[worst] > check["above"], complete(entries), len(entries))]


CHECKS = {"above-paper": above_paper, "at-least": at_least, "nowhere-below": nowhere_below, "above": above}


def asked(section, results, paper):
    rows = []
    for check in section["checks"]:
        if check.get("check") not in CHECKS:
            raise Failed(f"{results.plan.path}: report: unknown check '{check.get('check')}'; expected "
                         f"{', '.join(CHECKS)}")
        rows.append([check["what"], *CHECKS[check["check"]](check, results, paper)])
    return table(["what", "measured", ""], rows)
