"""What scripts/features, scripts/methods and scripts/robustness share: many small runs, one JSON file each, and tables.

A finished run is one file in the folder of the results, so that everything can be stopped and continued. A file is used
only if it was made with the options that are asked for now; otherwise the run is made again. Files of another build of
mlpac are used as well, and the report names all of them: give a new build a new folder.
"""
import argparse
import datetime
import json
import os
import pathlib
import shlex
import sys
import threading

from program import ROOT, Failed, commit, extra, say
from runner import Runner
from tables import counted, paragraph

METRICS = ("f1", "precision", "recall", "macro_f1", "map")


def whole_number(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text}: expected a whole number of at least 1")
    return int(text)


def add_common(parser, work):
    """Options of every command that makes runs."""
    parser.add_argument("--work", metavar="DIR", type=pathlib.Path, default=ROOT / work,
                        help=f"results of finished runs, one file each [{work}]")
    parser.add_argument("--out", metavar="DIR", type=pathlib.Path, default=ROOT / "docs/results",
                        help="where the report goes [docs/results]")
    parser.add_argument("--jobs", metavar="N", type=whole_number, default=os.cpu_count(),
                        help="runs at a time [number of cores]")
    parser.add_argument("--seeds", metavar="S,S", default="0,1,2", help="seeds to run [0,1,2]")
    parser.add_argument("--merge", metavar="FILE", type=pathlib.Path, action="append", default=[],
                        help="first add the results of a file that --pack wrote; what is there already stays")
    parser.add_argument("--pack", metavar="FILE", type=pathlib.Path, help="at the end write all results into one file")
    parser.add_argument("--report-only", action="store_true", help="run nothing")


def chosen(parser, option, text, known=None):
    """The parts of a,b,c, which have to be among the known ones, or numbers."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    try:
        parts = parts if known else [int(part) for part in parts]
    except ValueError:
        parser.error(f"{option}: {text}: expected numbers separated by commas")
    unknown = [part for part in parts if known and part not in known]
    if unknown or not parts:
        expected = ", ".join(known or ["0", "1", "2"])
        parser.error(f"{option}: {', '.join(unknown) or 'empty'}; expected some of {expected}")
    return list(dict.fromkeys(parts))


def write_atomically(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    fresh.write_text(text)
    fresh.replace(path)


class Store:
    """The folder of the results."""

    def __init__(self, folder, kind):
        self.folder = folder
        self.kind = kind
        self.records = {}
        for path in sorted(folder.glob("*.json")):
            try:
                self.records[path.stem] = self.checked(json.loads(path.read_text()))
            except ValueError as error:
                raise Failed(f"{path}: {error}; remove it, or name another folder with --work") from error

    def checked(self, record):
        if not isinstance(record, dict) or record.get("kind") != self.kind:
            raise ValueError(f"not a result of scripts/{self.kind}")
        return record

    def get(self, name, options):
        """The record of a run made with these options; None if there is none."""
        record = self.records.get(name)
        return record if record and record["options"] == options else None

    def put(self, name, record):
        write_atomically(self.folder / f"{name}.json", json.dumps(record, indent=1, sort_keys=True) + "\n")
        self.records[name] = record

    def merge(self, path, without=()):
        """Adds the packed results that are not here yet, but for those of the methods `without`."""
        try:
            packed = json.loads(path.read_text())["results"]
            records = [(name, self.checked(record)) for name, record in packed.items()]
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise Failed(f"{path}: not a file that --pack wrote: {error!r}") from error
        records = [(name, record) for name, record in records if record.get("method") not in without]
        added = [(name, record) for name, record in records if name not in self.records]
        for name, record in added:
            self.put(name, record)
        say(f"{path}: {len(added)} results added, {len(records) - len(added)} were there already")

    def pack(self, path):
        write_atomically(path, json.dumps({"results": self.records}, sort_keys=True) + "\n")
        say(f"{path}: {len(self.records)} results")


def place(machine):
    cores = f"{machine['cores']} cores ({machine['cpu']})"
    return f"{machine['gpu']} with {cores}" if "gpu" in machine else cores


def header(title, command, records, how="each on one core"):
    """Title, and where the numbers come from."""
    text = f"Written by `{command}` at commit {commit()}, {datetime.datetime.now(datetime.timezone.utc).date()}."
    if records:
        machines = [place(record["machine"]) for record in records]
        text += (f" {len(records)} runs, made at commit {counted(record['commit'] for record in records)} by version "
                 f"{counted(record['version'] for record in records)} (SHA-256 of the program: "
                 f"{counted(record['binary'] for record in records)}) on {counted(machines)}, {how}.")
    lines = [f"# {title}", "", *paragraph(text)]
    if extra():
        lines += paragraph(f"**A trial, not a measurement**: run with additional options, `{shlex.join(extra())}`.")
    return lines


def execute(arguments, kind, jobs, cells_of, as_json, report, device="cpu"):
    """Makes the missing runs and writes both reports; the exit code."""
    store = Store(arguments.work, kind)
    for file in arguments.merge:
        store.merge(file, without=getattr(arguments, "again", ()))
    failed = 0
    if not arguments.report_only:  # the longest first: no core waits for the last one
        # Beside a GPU, threads prepare inputs; on the CPU, a run has one core, so that its time can be compared.
        threads = 1 if device == "cpu" else max(1, os.cpu_count() // arguments.jobs)
        failed = Runner(store, arguments.jobs, device, threads).run(sorted(jobs(), key=lambda job: -job.cost))
    if arguments.pack:
        store.pack(arguments.pack)
    cells = cells_of(store)
    text = report(cells)  # before anything is written: it says whether the tree has changes
    write_atomically(arguments.out / f"{kind}.json", json.dumps(as_json(cells), indent=1) + "\n")
    write_atomically(arguments.out / f"{kind}.md", text)
    print(arguments.out / f"{kind}.md")
    return 1 if failed else 0


def supervise(main):
    """Runs a command's main; its exit code."""
    try:
        return main()
    except Failed as error:
        say(f"{pathlib.Path(sys.argv[0]).name}: {error}")
        return 1
    except KeyboardInterrupt:
        say("interrupted; the same command continues")
        return 130
