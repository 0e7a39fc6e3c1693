"""What scripts/features and scripts/robustness share: many small runs, one JSON file each, and tables of them.

A finished run is one file in the folder of the results, so that everything can be stopped and continued. A file is used
only if it was made with the options that are asked for now; otherwise the run is made again. Files of another build of
mlpac are used as well, and the report names all of them: give a new build a new folder.
"""
import argparse
import concurrent.futures
import dataclasses
import datetime
import hashlib
import json
import os
import pathlib
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
import typing
import zlib

from tables import counted, paragraph

ROOT = pathlib.Path(__file__).resolve().parent.parent
METRICS = ("f1", "precision", "recall", "macro_f1", "map")


class Failed(Exception):
    """A run, or something it needs, went wrong."""


class Stopped(Exception):
    """The whole was interrupted."""


def say(text):
    print(text, file=sys.stderr, flush=True)


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


def binary():
    return os.environ.get("MLPAC") or str(ROOT / "build/release/bin/mlpac")


def known_methods():
    """The names in the table of methods, in its order."""
    listed = subprocess.run([binary(), "list", "methods"], capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        sys.exit(f"{binary()}: cannot list its methods; build it, or name another one by MLPAC")
    return [line.split()[0] for line in listed.stdout.splitlines() if line.startswith("  ") and line[2] != " "]


def fingerprint():
    """Tells builds of the program apart: with MLPAC the commit of this tree says nothing about it."""
    try:
        return hashlib.sha256(pathlib.Path(binary()).read_bytes()).hexdigest()[:10]
    except OSError:
        return "unknown"


def extra():
    """Options added to every training, for a quick try of everything: MLPAC_EXTRA='--epochs 2'."""
    return shlex.split(os.environ.get("MLPAC_EXTRA", ""))


def trial():
    """Ends the names of runs with additional options, so that they never mix with others."""
    return f"-trial-{zlib.crc32(shlex.join(extra()).encode()):08x}" if extra() else ""


def commit():
    found = subprocess.run(["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True)
    return found.stdout.strip() or "unknown"


def machine():
    cpu = "unknown CPU"
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                cpu = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass
    return {"cores": os.cpu_count(), "cpu": cpu}


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

    def merge(self, path):
        try:
            packed = json.loads(path.read_text())["results"]
            records = [(name, self.checked(record)) for name, record in packed.items()]
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise Failed(f"{path}: not a file that --pack wrote: {error!r}") from error
        added = [(name, record) for name, record in records if name not in self.records]
        for name, record in added:
            self.put(name, record)
        say(f"{path}: {len(added)} results added, {len(records) - len(added)} were there already")

    def pack(self, path):
        write_atomically(path, json.dumps({"results": self.records}, sort_keys=True) + "\n")
        say(f"{path}: {len(self.records)} results")


@dataclasses.dataclass
class Job:
    """A run to make: `call(runner, folder)` returns its record less what every record has."""
    name: str
    options: list  # what defines the result, as options of mlpac; no paths
    cost: float  # about how many seconds
    call: typing.Callable


class Runner:
    """Makes runs, some at a time, the longest first."""

    def __init__(self, store, workers):
        self.store = store
        self.workers = workers
        self.stop = threading.Event()
        self.interrupted = threading.Event()
        self.lock = threading.Lock()
        self.processes = set()
        self.environment = os.environ | {"OMP_NUM_THREADS": "1"}
        self.about = {"commit": commit(), "binary": fingerprint(), "machine": machine()}

    def mlpac(self, arguments):
        """Runs the program and returns its standard output."""
        command = [binary(), *map(str, arguments)]
        with self.lock:
            if self.stop.is_set():
                raise Stopped
            try:
                process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                           stderr=subprocess.PIPE, text=True, env=self.environment)
            except OSError as error:
                raise Failed(f"{command[0]}: {error.strerror}; build it, or name another with MLPAC=…") from error
            self.processes.add(process)
        output, errors = process.communicate()
        with self.lock:
            self.processes.discard(process)
        if self.stop.is_set():
            raise Stopped
        if process.returncode != 0:
            raise Failed(f"{shlex.join(command)}: exit code {process.returncode}\n{errors.strip()}")
        return output

    def train(self, options, folder):
        """Trains into a folder and returns the result."""
        common = ["--device", "cpu", "--threads", 1, "--quiet", "--json"]
        output = self.mlpac(["train", *options, *common, "--out", folder])
        try:
            return json.loads(output)
        except ValueError as error:
            raise Failed(f"train {shlex.join(map(str, options))}: the output is no JSON: {error}") from error

    def one(self, job):
        with tempfile.TemporaryDirectory(prefix="mlpac-") as folder:
            record = job.call(self, pathlib.Path(folder))
        self.store.put(job.name, {"kind": self.store.kind, "options": job.options, **record, **self.about})

    def completed(self, pending):
        """The futures as they end; KeyboardInterrupt after a signal."""
        while pending:
            ended, pending = concurrent.futures.wait(pending, 0.5, concurrent.futures.FIRST_COMPLETED)
            if self.interrupted.is_set():
                raise KeyboardInterrupt
            yield from ended

    def run(self, jobs):
        """Makes the runs that are missing; returns how many failed."""
        jobs = [job for job in jobs if not self.store.get(job.name, job.options)]
        jobs.sort(key=lambda job: -job.cost)
        left = sum(job.cost for job in jobs)
        done = failed = spent = 0
        started = time.monotonic()
        # A handler that raised could do so inside a lock of the pool: it only takes note.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self.interrupted.set())
        pool = concurrent.futures.ThreadPoolExecutor(self.workers)
        futures = {pool.submit(self.one, job): job for job in jobs}
        try:
            for future in self.completed(set(futures)):
                job = futures[future]
                error = future.exception()
                done += 1
                spent += job.cost
                left -= job.cost
                passed = time.monotonic() - started
                if isinstance(error, Failed):
                    failed += 1
                    say(f"FAILED {job.name}: {error}")
                elif error:
                    raise error
                say(f"[{done}/{len(jobs)}] {job.name}: {headline(self.store.get(job.name, job.options))}; "
                    f"{duration(passed)} passed, about {duration(passed * left / spent)} left")
        except BaseException:
            with self.lock:
                self.stop.set()
                for process in self.processes:
                    process.kill()
            pool.shutdown(cancel_futures=True)
            raise
        pool.shutdown()
        if failed:
            say(f"{failed} of {len(jobs)} runs failed")
        return failed


def headline(record):
    return f"F1 {record['test']['f1']:.1f}, {record['seconds']['total']:.1f} s" if record else "failed"


def duration(seconds):
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def header(title, command, records):
    """Title, and where the numbers come from."""
    text = f"Written by `{command}` at commit {commit()}, {datetime.datetime.now(datetime.timezone.utc).date()}."
    if records:
        machines = [f"{record['machine']['cores']} cores ({record['machine']['cpu']})" for record in records]
        text += (f" {len(records)} runs, made at commit {counted(record['commit'] for record in records)} by version "
                 f"{counted(record['version'] for record in records)} (SHA-256 of the program: "
                 f"{counted(record['binary'] for record in records)}) on {counted(machines)}, each on one core.")
    lines = [f"# {title}", "", *paragraph(text)]
    if extra():
        lines += paragraph(f"**A trial, not a measurement**: run with additional options, `{shlex.join(extra())}`.")
    return lines


def execute(arguments, kind, jobs, cells_of, as_json, report):
    """Makes the missing runs and writes both reports; the exit code."""
    store = Store(arguments.work, kind)
    for file in arguments.merge:
        store.merge(file)
    failed = 0 if arguments.report_only else Runner(store, arguments.jobs).run(jobs())
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
