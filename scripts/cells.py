"""All state of an experiment: one file with a line of JSON per finished cell, which only grows.

A line is written at once, under a lock, and reaches the disk before anything else happens: several processes may write
to one file, and whoever is killed loses no more than the line it was writing. Such a torn line is ignored when the file
is read and cut off by the next one who writes. The file alone continues an experiment on another machine.
"""
import contextlib
import fcntl
import json
import os
import threading

from program import Failed, say


def line_of(record):
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


class CellFile:
    """The cells of one plan. A cell is known by its name and the options it was made with; the first one stays."""

    def __init__(self, path, plan):
        self.path = path
        self.plan = plan
        self.kind = plan.name
        self.records = {}
        self.lock = threading.Lock()
        self.seen = None  # what the file looked like when it was read
        self.torn = set()  # files with a torn line: said once
        self.refresh()

    def identity(self, record):
        return self.plan.name_of(record), record["options"]

    def checked(self, text):
        """The record in a line; ValueError if there is none of this plan."""
        record = json.loads(text)
        if not isinstance(record, dict) or record.get("kind") != self.kind:
            raise ValueError(f"not a result of the plan {self.kind}")
        if absent := {*self.plan.axes, "variant", "options", "test", "seconds", "binary"} - record.keys():
            raise ValueError(f"no {', '.join(sorted(absent))} in it")
        return record

    def parsed(self, data, path):
        """The records of a file by identity, and how many of its bytes are whole lines (a last one may lack its
        end)."""
        records, start = {}, 0
        for number, line in enumerate(data.splitlines(keepends=True), 1):
            try:
                record = self.checked(line) if line.strip() else None
            except ValueError as error:
                if line.endswith(b"\n"):
                    raise Failed(f"{path}:{number}: {error}; remove the line, or name another file") from error
                if path not in self.torn:
                    say(f"{path}:{number}: the last line is incomplete (killed while writing?) and does not count")
                self.torn.add(path)
                break
            start += len(line)
            if record:
                records.setdefault(self.identity(record), record)
        return records, start

    @contextlib.contextmanager
    def opened(self, flags, lock):
        descriptor = os.open(self.path, flags, 0o666)
        try:
            fcntl.flock(descriptor, lock)
            yield descriptor
        finally:
            os.close(descriptor)

    def load(self, descriptor):
        """Reads what others may have written; returns how many bytes are whole lines and whether an end is missing."""
        found = os.fstat(descriptor)
        data = os.pread(descriptor, found.st_size, 0)
        self.records, whole = self.parsed(data, self.path)
        self.seen = found.st_ino, found.st_size, found.st_mtime_ns
        return whole, whole > 0 and not data[:whole].endswith(b"\n")

    def refresh(self):
        with self.lock:
            try:
                found = os.stat(self.path)
            except FileNotFoundError:
                return
            if self.seen != (found.st_ino, found.st_size, found.st_mtime_ns):
                with self.opened(os.O_RDONLY, fcntl.LOCK_SH) as descriptor:
                    self.load(descriptor)

    def get(self, name, options):
        """The record of a cell made with these options, also by another process; None if there is none."""
        self.refresh()
        return self.records.get((name, options))

    def put(self, name, record):
        if not self.add([record]):
            say(f"{name}: another process has measured it as well; its result stays")

    def add(self, records):
        """Appends those that are not there; returns how many. One write: nobody sees half of it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.lock, self.opened(os.O_RDWR | os.O_CREAT | os.O_APPEND, fcntl.LOCK_EX) as descriptor:
            whole, open_ended = self.load(descriptor)
            fresh = [record for record in records if self.identity(record) not in self.records]
            if not fresh:
                return 0
            os.ftruncate(descriptor, whole)
            self.append(descriptor, whole, (b"\n" if open_ended else b"") + b"".join(map(line_of, fresh)))
            self.load(descriptor)
        return len(fresh)

    def append(self, descriptor, end, text):
        try:
            written = os.write(descriptor, text)
            os.fsync(descriptor)
        except OSError as error:
            os.ftruncate(descriptor, end)
            raise Failed(f"{self.path}: {error.strerror}") from error
        if written < len(text):
            os.ftruncate(descriptor, end)
            raise Failed(f"{self.path}: the disk is full")

    def merge(self, path):
        """Adds the cells of another file; says where the same program has measured something else."""
        try:
            others, _ = self.parsed(path.read_bytes(), path)
        except OSError as error:
            raise Failed(f"{path}: {error.strerror}") from error
        for identity, other in others.items():
            mine = self.records.get(identity)
            if mine and mine["binary"] == other["binary"] and mine["test"] != other["test"]:
                say(f"conflict: {identity[0]}: F1 {mine['test']['f1']} here, which stays, "
                    f"{other['test']['f1']} in {path}, by the same program")
        added = self.add(list(others.values()))
        say(f"{path}: {added} cells added, {len(others) - added} were there already")
