# SPDX-License-Identifier: MIT
"""run.py SOURCES TRC BLOCKS SHIM: damaged containers, and runs in which calls fail or that are killed.
Prints a row for each kind of fault, over all subjects:

  tries          with the fault at another place each
  refused        ended with exit status 1
  repaired       right in spite of the fault
  salvaged rows  from the damaged containers, or from what a killed run left
  wrong rows     tries that gave any; an output that is neither whole nor absent counts, too
  files left     temporary ones; of a killed run only what a salvage cannot take
  wrong exits    0 without all that is right, or neither 0 nor 1 with a message, nor the signal sent

The last three must be 0. TRC_TEST_STEP=N tries one damage in N, and one run in N / 10;
TRC_TEST_SEED=N others."""
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

from bench import Bench
from damage import Damage
from process import Job, Process


class Subject:
    def __init__(self, name, data, rows):
        self.name, self.data, self.rows = name, data, rows


class Maker:
    """Makes inputs, in a folder of its own."""

    def __init__(self, root, trc, blocks, folder):
        self.data, self.tool, self.blocks = os.path.join(root, "test", "data"), trc, blocks
        self.folder = folder
        os.mkdir(folder)

    def trc(self, *words):
        return subprocess.run([self.tool, *words], cwd=self.folder, check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout

    def real(self, name):
        return os.path.join(self.data, name)

    def bytes(self, name):
        with open(os.path.join(self.folder, name), "rb") as f:
            return f.read()

    def lackey(self, name, limit):
        self.trc("decode", "--skip", "500k", "--limit", str(limit), self.real("sort.lackey.xz"), name)

    def pages(self, name):
        self.trc("reduce", "-q", "--sad", "32", self.real("sort.lackey.xz"), name)

    def tasks(self, name):
        if not os.path.exists(os.path.join(self.folder, "parts")):
            self.trc("split", "-q", "--kernel", self.real("threads.laplace-kernel.xz"),
                     self.real("threads.laplace-diff.xz"), "parts")
        self.trc("encode", "-q", "--limit", "3000", "parts", name)

    def requests(self, name):
        r = random.Random(1)
        with open(os.path.join(self.folder, name), "wb") as f:
            for i in range(2500):
                f.write(struct.pack("<IQIq", i // 7, int(r.paretovariate(0.6)) % (1 << 40),
                                    r.choice([512, 4096, 65536]), -1))

    def instructions(self, name):
        self.trc("replay", "extract", "-q", self.real("sort.bus"), "sort.pkg")
        self.trc("replay", "run", "-q", "--limit", "2000", "--annotate", "riscv", "sort.pkg", name)

    def subject(self, name, make, made, rows, *words):
        """A container of blocks of `rows` rows."""
        if not os.path.exists(os.path.join(self.folder, made)):
            make(made)
        out = "-".join([name, *words]) + ".trc"
        subprocess.run([self.blocks, made, out, str(rows), *words], cwd=self.folder, check=True)
        text = self.trc("encode", "-q", "--to", "csv", out, "-")
        return Subject(name, self.bytes(out), text.splitlines(keepends=True)[1:])

    def subjects(self, *words):
        return [
            self.subject("references", self.lackey_few, "few.lackey", 1000, *words),
            self.subject("pages", self.pages, "some.sad", 500, *words),
            self.subject("tasks and events", self.tasks, "tasks.trc", 1000, *words),
            self.subject("requests", self.requests, "requests.oracleGeneral", 800, *words),
            self.subject("instructions", self.instructions, "some.trc", 900, *words),
        ]

    def lackey_few(self, name):
        self.lackey(name, 4000)


def jobs(m):
    m.lackey("big.lackey", 200000)
    text = m.bytes("few.lackey")
    m.trc("encode", "few.lackey", "few.trc")
    m.trc("encode", "--compress", "xz", "few.lackey", "few.lackey.xz")
    big, few, xz = m.bytes("big.lackey"), m.bytes("few.trc"), m.bytes("few.lackey.xz")
    rows = m.trc("encode", "-q", "--to", "csv", "big.lackey", "-").splitlines(keepends=True)[1:]
    plain, old = {"in": text}, {"out": b"old"}
    split = {}
    for name in ("threads.laplace-diff.xz", "threads.laplace-kernel.xz"):
        with open(m.real(name), "rb") as f:
            split[name] = f.read()
    encode = ["encode", "-q", "--to", "trc", "in", "out"]
    few_jobs = [
        Job("encode", encode, plain),
        Job("encode -T 2", ["encode", "-q", "-T", "2", "--to", "trc", "in", "out"],
            {"in": big[:len(big) // 8].rpartition(b"\n")[0] + b"\n"}),
        Job("encode --force", [*encode, "--force"], plain, old),
        Job("encode --no-verify", [*encode, "--no-verify"], plain),
        Job("encode --compress xz", ["encode", "-q", "--compress", "xz", "--to", "csv", "in", "out"],
            plain),
        Job("decode", ["decode", "-q", "in", "out"], {"in": few}),
        Job("decode more", ["encode", "-q", "--to", "csv", "in", "out"], {"in": big}),
        Job("decode to a pipe", ["decode", "-q", "in", "-"], {"in": few}),
        Job("reduce", ["reduce", "-q", "--sad", "16", "in", "out"], {"in": xz}),
        Job("reduce --force", ["reduce", "-q", "--olr", "16", "in", "out", "--force"], plain, old),
        Job("stat --mrc", ["stat", "--mrc", "in"], plain),
        Job("split", ["split", "-q", "--limit", "5000", "--kernel", "threads.laplace-kernel.xz",
                      "threads.laplace-diff.xz", "parts"], split),
    ]
    killed = [
        Job("encode", encode, {"in": big}, None, rows),
        Job("encode --force", [*encode, "--force"], {"in": big}, old, rows),
        Job("encode --compress xz", ["encode", "-q", "--compress", "xz", "--to", "csv", "in", "out"],
            {"in": big}),
        Job("split", ["split", "-q", "--kernel", "threads.laplace-kernel.xz",
                      "threads.laplace-diff.xz", "parts"], split),
    ]
    changed = [
        Job("encode a text", encode, {"in": big}),
        Job("decode", ["decode", "-q", "in", "out"], {"in": few}),
        Job("encode xz", encode, {"in": xz}),
        Job("reduce", ["reduce", "-q", "--sad", "16", "in", "out"], {"in": big}),
    ]
    tail = text[text.index(b"\n", len(text) // 2) + 1:]
    pairs = [[Job("both", ["encode", "-q", "--to", "trc", *more, name, "out"], {name: data})
              for name, data in (("one", text), ("other", tail))] for more in ([], ["--force"])]
    return few_jobs, killed, changed, pairs


def main(root, trc, blocks, shim):
    top = tempfile.mkdtemp(prefix="faults")
    try:
        trc, blocks, shim = map(os.path.abspath, (trc, blocks, shim))
        bench = Bench(trc, shim, top)
        m = Maker(os.path.abspath(root), trc, blocks, os.path.join(top, "made"))
        Damage(bench).run(m.subjects(), "")
        Damage(bench).run(m.subjects("parity=0"), " (--parity 0)")
        Process(bench).run(*jobs(m), 200)
        return 0 if bench.table.print() else 1
    finally:
        shutil.rmtree(top)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
