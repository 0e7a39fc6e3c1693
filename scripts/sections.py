"""Tables of a plan's report. The plan names the kind of a table and which cells it shows (`where`)."""
from checks import asked
from comparisons import seconds
from plan import listed
from program import Failed
from tables import paragraph, share, show, show_difference, show_w, table

SHOWN = {"precision": "P", "recall": "R", "f1": "F1", "map": "mAP"}


def shown(axis, value):
    return share(value) if axis == "ratio" else "–" if value is None else str(value)


def measured(entry, metric, absent="missing"):
    """Mean (standard deviation); empty where nothing is planned."""
    return "" if entry is None else show(entry.summary(metric)) if entry.records else absent


def printed(value):
    return "" if value is None else f"{value:.1f}"


def distinct(entries, axis):
    return list(dict.fromkeys(entry.values[axis] for entry in entries))


def best_of(entries, metric, bounds):
    """The methods that are best but for upper bounds; two that differ by less than the table tells both are."""
    means = {method: round(entry.mean(metric), 1) for method, entry in entries.items()
             if entry and entry.records and method not in bounds}
    best = max(means.values(), default=None)
    return {method for method, mean in means.items() if mean == best}


def compare(section, results, paper):
    """A row per ratio, a column per method, the paper's value behind it."""
    axis, metric = section.get("rows", "ratio"), section.get("metric", "f1")
    entries = results.select(section["where"])
    methods = distinct(entries, "method")
    known = [method for method in methods
             if any(paper.value(entry.values, metric) is not None for entry in entries
                    if entry.values["method"] == method)]
    rows = []
    for value in distinct(entries, axis):
        found = {method: next((entry for entry in entries if entry.values[axis] == value
                               and entry.values["method"] == method), None) for method in methods}
        best = best_of(found, metric, results.plan.bounds)
        row = [shown(axis, value)]
        for method, entry in found.items():
            text = measured(entry, metric, "–")
            row.append(f"**{text}**" if method in best else text)
            if method in known:
                row.append(printed(entry and paper.value(entry.values, metric)))
        rows.append(row)
    head = [axis if axis != "ratio" else "annotated"]
    for method in methods:
        head += [method, "paper"] if method in known else [method]
    return table(head, rows)


def details(section, results, paper):
    """A row per cell: every metric beside the paper's, the chosen w, seconds."""
    axes, metrics = section.get("rows", ["method", "ratio"]), section.get("metrics", ["precision", "recall", "f1"])
    entries = results.select(section["where"])
    known = section.get("paper", True) and any(
        paper.value(entry.values, metric) is not None for entry in entries for metric in metrics)
    head = ["annotated" if axis == "ratio" else axis for axis in axes]
    for metric in metrics:
        head += [SHOWN[metric], "paper"] if known else [SHOWN[metric]]
    head += (["difference"] if known else []) + ["w", "seconds"]
    rows = []
    for entry in entries:
        row = [shown(axis, entry.values[axis]) for axis in axes]
        for metric in metrics:
            row += [measured(entry, metric)] + ([printed(paper.value(entry.values, metric))] if known else [])
        if known:
            theirs = paper.value(entry.values, metrics[-1])
            row.append(f"{entry.mean(metrics[-1]) - theirs:+.1f}" if entry.records and theirs is not None else "")
        took = seconds(entry.records)
        rows.append([*row, show_w(entry.weights()), f"{took['mean']:.1f}" if took else "–"])
    return table(head, rows)


def differences(section, results, _):
    """One method minus the others, over the seeds that both have."""
    axes, metric = section.get("rows", ["ratio"]), section.get("metric", "f1")
    rows = []
    for entry in results.select(section["where"] | {"method": section["method"]}):
        row = [shown(axis, entry.values[axis]) for axis in axes]
        for other in section["others"]:
            opponent = results.find(entry.values | {"method": other})
            row.append("" if opponent is None else show_difference(entry.difference(opponent, metric)))
        rows.append(row)
    return table([*("annotated" if axis == "ratio" else axis for axis in axes), *section["others"]], rows)


def contrast(section, results, _):
    """A row per way to change a cell, and its difference from the unchanged one, for several values of an axis."""
    axis = section.get("columns", "ratio")
    columns = list(section["where"][axis])
    head = ["", *(f"{shown(axis, value)}: {text}" for value in columns for text in ("F1", "P", "R", "difference"))]
    rows = []
    for name, change in section["rows"].items():
        row = [name]
        for value in columns:
            base = section["where"] | {axis: value}
            entry, reference = results.find(base | change), results.find(base)
            row += [measured(entry, metric) for metric in ("f1", "precision", "recall")]
            row.append(show_difference(entry.difference(reference)) if entry and change else "")
        rows.append(row)
    return table(head, rows)


def text_lines(text):
    """A paragraph; a plan may give it as a list of lines."""
    return paragraph(" ".join(listed(text))) if text else []


KINDS = {"asked": asked, "compare": compare, "details": details, "differences": differences, "contrast": contrast}


def lines_of(section, results, paper):
    if section.get("kind") not in KINDS:
        raise Failed(f"{results.plan.path}: report: unknown kind '{section.get('kind')}'; expected "
                     f"{', '.join(KINDS)}")
    try:
        lines = KINDS[section["kind"]](section, results, paper)
    except KeyError as error:
        raise Failed(f"{results.plan.path}: report: '{section.get('title')}': {error} is missing") from error
    return [f"## {section['title']}", "", *text_lines(section.get("text", [])), *lines, ""]
