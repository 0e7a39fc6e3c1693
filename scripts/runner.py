"""Makes runs of the program, some at a time, and says how far it is."""
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import typing

from program import Failed, binary, commit, fingerprint, machine, say


class Stopped(Exception):
    """The whole was interrupted, or its time is up."""


@dataclasses.dataclass
class Job:
    """A run to make: `call(runner, folder)` returns its record less what every record has."""
    name: str
    options: typing.Any  # what defines the result beside the name; no paths
    cost: float  # about how many seconds; only ratios of costs matter
    call: typing.Callable


class Runner:
    """Makes the runs that a store lacks: `store.get(name, options)` is the record of a run, or None;
    `store.put(name, record)` keeps it; `store.kind` says what it holds."""

    def __init__(self, store, workers, device="cpu", threads=1):
        if not shutil.which(binary()):
            raise Failed(f"{binary()}: not there; build it, or name another with MLPAC=…")
        self.store = store
        self.workers = workers
        self.device = device
        self.threads = threads
        self.stop = threading.Event()
        self.interrupted = threading.Event()
        self.lock = threading.Lock()
        self.processes = set()
        self.environment = os.environ | {"OMP_NUM_THREADS": str(threads)}
        self.about = {"commit": commit(), "binary": fingerprint(), "machine": machine(device)}

    def mlpac(self, arguments):
        """Runs the program and returns its standard output."""
        return self.measured(arguments)[0]

    def measured(self, arguments):
        """Runs the program and returns its standard output and the seconds of processor time that it took."""
        command = [binary(), *map(str, arguments)]
        with self.lock:
            if self.stop.is_set():
                raise Stopped
            errors = tempfile.TemporaryFile("w+")
            try:
                # A group of its own: Ctrl-C reaches only us, and with the program we end whatever it started.
                process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
                                           text=True, env=self.environment, process_group=0)
            except OSError as error:
                raise Failed(f"{command[0]}: {error.strerror}") from error
            self.processes.add(process)
        with process.stdout, errors:
            output = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            with self.lock:
                self.processes.discard(process)
            if self.stop.is_set():
                raise Stopped
            if process.returncode != 0:
                errors.seek(0)
                raise Failed(f"{shlex.join(command)}: exit code {process.returncode}\n{errors.read().strip()}")
        return output, usage.ru_utime + usage.ru_stime

    def train(self, options, folder):
        """Trains into a folder and returns the result."""
        common = ["--device", self.device, "--threads", self.threads, "--quiet", "--json"]
        output, processor = self.measured(["train", *options, *common, "--out", folder])
        try:
            result = json.loads(output)
        except ValueError as error:
            raise Failed(f"train {shlex.join(map(str, options))}: the output is no JSON: {error}") from error
        result["seconds"]["processor"] = processor
        return result

    def one(self, job):
        if self.store.get(job.name, job.options):
            return  # another process has made it meanwhile
        with tempfile.TemporaryDirectory(prefix="mlpac-") as folder:
            record = job.call(self, pathlib.Path(folder))
        self.store.put(job.name, {"kind": self.store.kind, "options": job.options, **record, **self.about})

    def completed(self, pending, deadline):
        """The futures as they end, up to the deadline; KeyboardInterrupt after a signal."""
        while pending and time.monotonic() < deadline:
            patience = min(0.5, max(0.0, deadline - time.monotonic()))
            ended, pending = concurrent.futures.wait(pending, patience, concurrent.futures.FIRST_COMPLETED)
            if self.interrupted.is_set():
                raise KeyboardInterrupt
            yield from ended

    def end(self, pool):
        """Ends what is running; nothing else is started."""
        with self.lock:
            self.stop.set()
            for process in self.processes:
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        pool.shutdown(cancel_futures=True)

    def run(self, jobs, seconds=float("inf")):
        """Makes the runs that are missing, in their order, until the time is up; returns how many failed."""
        jobs = [job for job in jobs if not self.store.get(job.name, job.options)]
        left = sum(job.cost for job in jobs)
        done = failed = spent = 0
        started = time.monotonic()
        # A handler that raised could do so inside a lock of the pool: it only takes note.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self.interrupted.set())
        pool = concurrent.futures.ThreadPoolExecutor(self.workers)
        futures = {pool.submit(self.one, job): job for job in jobs}
        try:
            for future in self.completed(set(futures), started + seconds):
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
        finally:
            self.end(pool)
        if time.monotonic() >= started + seconds:
            missing = sum(not self.store.get(job.name, job.options) for job in jobs)
            say(f"the time is up: {len(jobs) - missing} of {len(jobs)} runs are made")
        if failed:
            say(f"{failed} of {len(jobs)} runs failed")
        return failed


def headline(record):
    if not record:
        return "failed"
    return record.get("headline") or f"F1 {record['test']['f1']:.1f}, {record['seconds']['total']:.1f} s"


def duration(seconds):
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
