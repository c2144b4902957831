# SPDX-License-Identifier: MIT
"""Runs in which a call fails, or that are killed. A run that succeeds has written all, any other
nothing: its output is absent, or what was there before."""
import errno
import os
import signal
import subprocess
import time

from bench import HANGS, STEP, replace, some, tree

FOREVER = 1 << 40
RUNS = max(1, STEP // 10)  # there are fewer cases than of damage

# Of each: the kind of call, what becomes of it, how many calls behind it fail, too.
FAULTS = {
    "an allocation fails": ("alloc", errno.ENOMEM, 0),
    "all allocations fail": ("alloc", errno.ENOMEM, FOREVER),
    "a write fails": ("write", errno.EIO, 0),
    "the disk is full": ("write", errno.ENOSPC, FOREVER),
    "the file is too large": ("write", errno.EFBIG, FOREVER),
    "writes are short": ("write", "short", FOREVER),
    "a write is interrupted": ("write", errno.EINTR, 0),
    "synchronising fails": ("sync", errno.EIO, 0),
    "renaming fails": ("name", errno.EACCES, 0),
    "opening fails": ("open", errno.EMFILE, 0),
    "closing fails": ("close", errno.ENOSPC, 0),
    "reading fails": ("read", errno.EIO, 0),
    "reads are short": ("read", "short", FOREVER),
    "a read is interrupted": ("read", errno.EINTR, 0),
    "SIGTERM at a call": ("any", "TERM", 0),
    "SIGKILL at a call": ("any", "KILL", 0),
}



class Job:
    """A command and its inputs; `before` is what stands where its output goes. `rows` are those of a
    container that it writes, as csv."""

    def __init__(self, name, words, files, before=None, rows=None):
        self.name, self.words, self.files, self.rows = name, words, files, rows
        self.inputs = dict(files, **(before or {}))


class Process:
    def __init__(self, bench):
        self.bench = bench

    def measure(self, job):
        """What the job comes to if nothing fails, and how many calls of each kind it makes."""
        b = self.bench
        folder = b.folder(job.inputs)
        status, out, err = b.run(job.words, folder, counts=True)
        assert status == 0, (job.name, err)
        job.right = out, tree(folder)
        job.calls = {name: int(n) for name, n in map(str.split, err.decode().splitlines())}

    def judge(self, fault, what, job, folder, run, signals=(), before=None, rights=None):
        """Adds what a run came to. `signals`: those that it may have died of; `before`: what there
        was; `rights`: (output, files) of runs that are right."""
        status, out, err = run
        before = job.inputs if before is None else before
        rights = rights or [job.right]
        files = tree(folder)
        parts = {n: files.pop(n) for n in list(files) if ".part-" in n}
        good = (out, files) in rights
        died = isinstance(status, int) and -status in signals
        ends = status == 0 and good or status == 1 and err or died
        counts = {
            "refused": int(status == 1),
            "repaired": int(status == 0 and good),
            "wrong_rows": int(not (good if status == 0 else files == before or
                                   files in [r[1] for r in rights])),
            "files_left": len(parts),
            "wrong_exits": int(not ends),
        }
        if died and status == -signal.SIGKILL:
            counts["salvaged_rows"], counts["files_left"] = self.salvage(job, parts)
        self.bench.table.add(fault, f"{job.name}, {what}: exit {status}, {sorted(files)}, "
                             f"{sorted(parts)}: {err.decode(errors='replace').strip()[-300:]}",
                             **counts)

    def salvage(self, job, parts):
        """Of what a killed run left: rows that a salvage gets, and files that it gets wrong."""
        rows = wrong = 0
        for data in parts.values() if job.rows else ():
            folder = self.bench.folder({"part": data})
            status, out, _ = self.bench.run(["encode", "-q", "--from", "trc", "--salvage", "--to",
                                             "csv", "part", "-"], folder)
            got = out.splitlines(keepends=True)[1:]
            rows += len(got)
            wrong += status not in (0, 1) or got != job.rows[:len(got)]
        return rows, wrong

    def fail(self, fault, job, n):
        call, how, more = FAULTS[fault]
        folder = self.bench.folder(job.inputs)
        run = self.bench.run(job.words, folder, f"{call}:{how}:{n}:{more}")
        ended = {"TERM": [signal.SIGTERM], "KILL": [signal.SIGKILL]}.get(how, [])
        self.judge(fault, f"{call} {n}", job, folder, run, ended)

    def kill(self, fault, job, sig, part):
        folder = self.bench.folder(job.inputs)
        p = self.bench.start(job.words, folder)
        after = part * job.seconds
        try:
            out, err = p.communicate(timeout=after)
        except subprocess.TimeoutExpired:
            p.send_signal(sig)
            out, err = p.communicate(timeout=HANGS)
        self.judge(fault, f"after {after:.3f} s", job, folder, (p.returncode, out, err), [sig])

    def change(self, fault, job, how, n):
        """Stops the run where it reads, changes its first input, and lets it go on."""
        b, (name, data) = self.bench, next(iter(job.files.items()))
        half = data[:data.rfind(b"\n", 0, len(data) // 2) + 1]
        new = {"grows": data + data, "shrinks": half, "vanishes": None}[how]
        rights, changed = [job.right], {} if new is None else {name: new}
        if how == "grows":
            folder = b.folder(dict(job.inputs, **changed))
            status, out, _ = b.run(job.words, folder)
            rights += [(out, tree(folder))] if status == 0 else []
        folder = b.folder(job.inputs)
        p = b.start(job.words, folder, f"read:STOP:{n}:0")
        _, status = os.waitpid(p.pid, os.WUNTRACED)
        if os.WIFSTOPPED(status):
            replace(os.path.join(folder, name), new)
            os.kill(p.pid, signal.SIGCONT)
        else:
            p.returncode = os.waitstatus_to_exitcode(status)
        out, err = p.communicate(timeout=HANGS)

        def after(files):
            return dict({k: v for k, v in files.items() if k != name}, **changed)
        self.judge(fault, f"read {n}", job, folder, (p.returncode, out, err), [],
                   after(job.inputs), [(o, after(f)) for o, f in rights])

    def race(self, fault, one, other, _):
        """Two writers of one output. Where neither may replace it, one of them fails."""
        b, folder = self.bench, self.bench.folder(dict(one.inputs, **other.inputs))
        started = [b.start(job.words, folder) for job in (one, other)]
        runs = [p.communicate(timeout=HANGS) for p in started]
        statuses = [p.returncode for p in started]
        files = tree(folder)
        parts = [n for n in files if ".part-" in n]
        winners = [j for j in (one, other) if files.get("out") == j.right[1]["out"]]
        forced = "--force" in one.words
        ends = sorted(statuses) == ([0, 0] if forced else [0, 1])
        b.table.add(fault, f"{one.name}: exits {statuses}, {sorted(files)}, {runs}",
                    repaired=sum(s == 0 for s in statuses), refused=statuses.count(1),
                    wrong_rows=int(len(winners) != 1), files_left=len(parts),
                    wrong_exits=int(not ends or not forced and
                                    winners != [(one, other)[statuses.index(0)]]))

    def run(self, jobs, killed, changed, pairs, moments):
        cases, b = [], self.bench
        for job in [*jobs, *killed, *changed, *(job for pair in pairs for job in pair)]:
            self.measure(job)
        for fault, (call, _, _) in FAULTS.items():
            for job in jobs:
                cases += [(fault, job, n)
                          for n in some(range(1, job.calls[call] + 1), fault, job.name, step=RUNS)]
        b.each(self.fail, cases)
        for job in killed:
            began = time.monotonic()
            b.run(job.words, b.folder(job.inputs))
            job.seconds = time.monotonic() - began
        b.each(self.kill, [(f"{sig.name} at a moment", job, sig, i / moments)
                           for sig in (signal.SIGTERM, signal.SIGKILL) for job in killed
                           for i in some(range(moments), sig.name, job.name, step=RUNS)])
        b.each(self.change, [(f"an input {how}", job, how, n)
                             for how in ("grows", "shrinks", "vanishes") for job in changed
                             for n in some(range(1, job.calls["read"] + 1), how, job.name, step=RUNS)])
        b.each(self.race, [("two write one output", *pair, i) for pair in pairs
                           for i in some(range(moments), "race", step=RUNS)])
