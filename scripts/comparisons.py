"""One method against others: over the seeds that both have, and counted over cells."""
from tables import interval, spread


def summary(records, metric="f1"):
    """Mean and standard deviation over runs that differ by the seed."""
    return spread([record["test"][metric] for record in records])


def seconds(records, which="total"):
    """What runs took: in total, or of processor time, which other work on the machine does not change."""
    found = [record["seconds"][which] for record in records if which in record["seconds"]]
    return spread(found) if found else None


def difference(records, others, metric="f1"):
    """The first minus the others, over the seeds that both have."""
    theirs = {record["seed"]: record["test"][metric] for record in others}
    return interval([record["test"][metric] - theirs[record["seed"]] for record in records
                     if record["seed"] in theirs])


def reached(cells):
    """Cells are names with differences to all others, None where one is not complete: how many have none below zero,
    how many are complete, and the names of those below."""
    complete = {name: differences for name, differences in cells if differences is not None}
    below = [name for name, differences in complete.items() if min(differences) < 0]
    return len(complete) - len(below), len(complete), below


def surely_below(cells):
    """Cells are names with an interval (or None) per opponent: those with an opponent that is better beyond it."""
    for name, differences in cells:
        worse = [opponent for opponent, found in differences.items()
                 if found and found["excludes_zero"] and found["mean"] < 0]
        if worse:
            yield f"{name} ({', '.join(worse)})"


def count_text(count, complete, total, label, where):
    text = f"{count} of {total} cells"
    if complete < total:
        text += f"; {total - complete} cells are not complete"
    return text + (f"; {label} {', '.join(where)}" if where else "")
