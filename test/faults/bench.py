# SPDX-License-Identifier: MIT
"""What all faults share: tries in threads, a folder for each, and the table of what they came to."""
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import zlib

STEP = int(os.environ.get("TRC_TEST_STEP", 1))
SEED = int(os.environ.get("TRC_TEST_SEED", 1))
COLUMNS = ["tries", "refused", "repaired", "salvaged rows", "wrong rows", "files left", "wrong exits"]
HANGS = 120  # seconds


def some(cases, *what, step=STEP):
    """One case in `step`, others for each `what` and seed."""
    cases = list(cases)
    return cases[zlib.crc32(repr((SEED, what)).encode()) % min(step, max(len(cases), 1))::step]


class Table:
    """A row for each fault, which counts what its tries came to."""

    def __init__(self):
        self.rows, self.lock, self.shown = {}, threading.Lock(), 0

    def add(self, fault, what, **counts):
        """Adds a try; `what` names it, should it have done wrong."""
        with self.lock:
            row = self.rows.setdefault(fault, dict.fromkeys(COLUMNS, 0))
            for name, n in dict(counts, tries=1).items():
                row[name.replace("_", " ")] += n
            wrong = [c for c in COLUMNS[4:] if counts.get(c.replace(" ", "_"))]
            if wrong:
                self.shown += 1
                if self.shown <= 40:
                    print(f"{', '.join(wrong)}: {fault}: {what}", file=sys.stderr, flush=True)

    def line(self, name, cells):
        print(f"{name:38}" + "".join(f"{c:>{max(len(w), 8) + 1}}" for c, w in zip(cells, COLUMNS)),
              flush=True)

    def print(self):
        """Returns whether nothing was wrong."""
        total = [sum(row[c] for row in self.rows.values()) for c in COLUMNS]
        self.line("fault", COLUMNS)
        for fault, row in self.rows.items():
            self.line(fault, row.values())
        self.line("all", total)
        return not any(total[4:])


class Bench:
    """Runs trc, in a folder for each thread."""

    def __init__(self, trc, shim, top):
        self.trc, self.shim, self.top = trc, shim, top
        self.here, self.table = threading.local(), Table()

    def folder(self, files=()):
        """An empty folder of this thread, with these files in it (name: bytes)."""
        path = getattr(self.here, "path", None)
        if not path:
            path = self.here.path = tempfile.mkdtemp(dir=self.top)
        for name in os.listdir(path):
            remove(os.path.join(path, name))
        for name, data in dict(files).items():
            with open(os.path.join(path, name), "wb") as f:
                f.write(data)
        return path

    def start(self, words, folder, fault=None, counts=False):
        env = dict(os.environ, LC_ALL="C", TMPDIR=folder)
        if fault:
            env.update(LD_PRELOAD=self.shim, FAULT=fault)
        if counts:
            env.update(LD_PRELOAD=self.shim, FAULT_COUNTS="1")
        return subprocess.Popen([self.trc, *words], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, words, folder, fault=None, counts=False):
        """Exit status (negative: a signal), output, messages."""
        p = self.start(words, folder, fault, counts)
        try:
            out, err = p.communicate(timeout=HANGS)
        except subprocess.TimeoutExpired:
            p.kill()
            p.communicate()
            return "does not end", b"", b""
        return p.returncode, out, err

    def each(self, function, cases):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for done in pool.map(lambda case: function(*case), cases):
                pass


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    else:
        os.unlink(path)


def replace(path, data):
    """Other content of the same file; None: none."""
    if data is None:
        os.unlink(path)
        return
    with open(path, "r+b") as f:
        f.write(data)
        f.truncate()


def tree(path):
    """All files of a folder, {name: bytes}; a folder without files is one, too."""
    files = {}
    for where, folders, names in os.walk(path):
        rel = os.path.relpath(where, path)
        if not folders and not names and rel != ".":
            files[rel + "/"] = b""
        for name in names:
            with open(os.path.join(where, name), "rb") as f:
                files[os.path.normpath(os.path.join(rel, name))] = f.read()
    return files
