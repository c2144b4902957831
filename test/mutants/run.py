# SPDX-License-Identifier: MIT
"""Do the tests notice a bug? Builds trc with each mutant of mutants.txt, a small bug that was put in on
purpose, and runs the tests until one fails. Prints a row for each mutant: its name, the test that
caught it or SURVIVED, and seconds. Ends with exit status 1 if one survived, or if the table does not fit
the sources: a fragment that is not there exactly once, a folder of src without a mutant.

The sources are copied to a temporary folder and built there, so what is mutated is never the checkout.
The tests that a mutant names run first, then the suites unit and format, then all others but lint and
package, which do not run trc. Mutants survive less surely where tests were skipped."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

BAD = ("FAIL", "ERROR", "TIMEOUT", "INTERRUPT", "UNEXPECTEDPASS")


class Mutant:
    """A paragraph of mutants.txt: 'NAME FILE: TESTS', what it means, and lines before and after."""

    def __init__(self, paragraph):
        head, self.meaning, *change = paragraph.splitlines()
        place, tests = head.split(":")
        self.name, self.file = place.split()
        self.near = tests.split()
        self.old = "\n".join(line[2:] for line in change if line.startswith("- "))
        self.new = "\n".join(line[2:] for line in change if line.startswith("+ "))

    def path(self, root):
        return os.path.join(root, "src", self.file)

    def apply(self, root):
        """Returns the text as it was."""
        text = read(self.path(root))
        write(self.path(root), text.replace(self.old, self.new))
        return text


def read(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as f:
        return f.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def load(path):
    text = re.sub(r"^#.*\n", "", read(path), flags=re.M)
    return [Mutant(p) for p in re.split(r"\n{2,}", text.strip())]


def check(mutants, root):
    """The complaints about a table: fragments that moved, rooms that are missing."""
    times = [read(m.path(root)).count(m.old) for m in mutants]
    bad = [f"{m.name}: {n} times, not once, in src/{m.file}: {m.old}" for m, n in zip(mutants, times) if n != 1]
    src = os.path.join(root, "src")
    rooms = {os.path.relpath(d, src) for d, _, files in os.walk(src) if any(f.endswith(".c") for f in files)}
    bad += [f"src/{room} has no mutant" for room in sorted(rooms - {os.path.dirname(m.file) for m in mutants})]
    return bad


class Copy:
    """Sources of their own, built."""

    def __init__(self, sources, top, options):
        self.root, self.build = os.path.join(top, "trc"), os.path.join(top, "trc", "build")
        self.options = options
        shutil.copytree(sources, self.root, symlinks=True, ignore=lambda folder, names: [
            n for n in names if folder == sources and (n == ".git" or n.startswith("build"))])
        self.env = {**os.environ, "MALLOC_PERTURB_": "0"}
        self.run("meson", "setup", *options.setup, self.build, check=True)
        # What .ci/run installs there for the test parquet.
        reader = os.path.join(sources, "build", "reader")
        if os.path.isdir(reader):
            os.symlink(reader, os.path.join(self.build, "reader"))
        self.compiled = json.loads(read(os.path.join(self.build, "compile_commands.json")))

    def run(self, *words, check=False):
        return subprocess.run(words, cwd=self.root, env=self.env, check=check, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, encoding="utf-8", errors="replace")

    def tests(self):
        """The names of the tests to run, in the order of their suites: quick and close ones first."""
        all_of = json.loads(self.run("meson", "introspect", "--tests", self.build, check=True).stdout)
        stages = [], []
        for t in all_of:
            suites = {s.split(":")[-1] for s in t["suite"]}
            if suites & {"lint", "package"} or self.options.suite and not suites & set(self.options.suite) or \
               self.options.test and t["name"] not in self.options.test:
                continue
            stages[0 if suites & {"unit", "format"} else 1].append(t["name"])
        return stages

    def failing(self, tests):
        """The first of these tests that fails, or None."""
        log = os.path.join(self.build, "meson-logs", "testlog.json")
        if not tests:
            return None
        write(log, "")
        done = self.run("meson", "test", "-C", self.build, "--maxfail", "1", "--num-processes",
                        str(self.options.jobs), "-t", str(self.options.t), "--no-suite", "lint", "--no-suite", "package",
                        *tests)
        if done.returncode == 0:
            return None
        results = read(log).splitlines()
        failed = [t["name"].split(" / ")[-1] + (" (time)" if t["result"] == "TIMEOUT" else "")
                  for t in map(json.loads, results) if t["result"] in BAD]
        if not failed:
            raise RuntimeError(f"meson test failed, and no test did:\n{done.stdout}")
        return failed[0]

    def caught(self, m):
        """By what the mutant was caught; None if nothing did."""
        built = self.run("ninja", "-C", self.build)
        if built.returncode != 0:
            return "DOES NOT BUILD"
        if m.file.endswith(".c") and not any(c["file"].endswith("/src/" + m.file) for c in self.compiled):
            return "NOT COMPILED"
        stages = self.tests()
        left = [[t for t in stage if t not in m.near] for stage in stages]
        near = [t for t in m.near if t in sum(stages, [])]
        left = left if not self.options.near else ([], [])
        return self.failing(near) or self.failing(left[0]) or self.failing(left[1])


def campaign(copy, mutants):
    """Prints the table; returns how many were not caught."""
    by, lost = {}, 0
    copy.run("ninja", "-C", copy.build, check=True)
    print(f"{'mutant':34} {'caught by':26} seconds", flush=True)
    for m in mutants:
        begin, text = time.monotonic(), m.apply(copy.root)
        caught = copy.caught(m)
        write(m.path(copy.root), text)
        lost += not caught or caught == "DOES NOT BUILD"
        if caught and caught == caught.lower():
            by.setdefault(caught.split()[0], []).append(m.name)
        print(f"{m.name:34} {caught or 'SURVIVED':26} {time.monotonic() - begin:7.0f}", flush=True)
    # Whoever fails without a mutant caught nothing.
    for test in [t for t in by if copy.failing([t])]:
        print(f"{test} fails without a mutant: it did not catch {', '.join(by[test])}")
        lost += 1
    print(f"{len(mutants)} mutants, {lost} not caught", flush=True)
    return lost


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--sources", default=os.path.join(here, "..", ".."), help="of another commit (default: these)")
    p.add_argument("--check", action="store_true", help="compare the table with the sources, and run nothing")
    p.add_argument("--list", action="store_true", help="print the mutants and what they mean")
    p.add_argument("--suite", action="append", help="run only tests of this suite; several are possible")
    p.add_argument("--test", action="append", help="run only this test; several are possible")
    p.add_argument("--near", action="store_true", help="run only the tests that a mutant names")
    p.add_argument("--setup", action="append", default=[], help="an option of meson setup: --setup=-Dcapture=enabled")
    p.add_argument("-j", "--jobs", type=int, default=1, help="tests at a time (default 1)")
    p.add_argument("-t", type=int, default=3, help="times the time limit of a test (default 3)")
    p.add_argument("mutant", nargs="*", help="run only these, or those of a folder: codec/mixing/ (default: all)")
    options = p.parse_args()
    mutants = load(os.path.join(here, "mutants.txt"))
    if options.list:
        for m in mutants:
            print(f"{m.name:34} {m.file}\n{'':34} {m.meaning}")
        return 0
    sources = os.path.abspath(options.sources)
    # Sources of another commit may lack a folder.
    mutants = [m for m in mutants if os.path.isdir(os.path.dirname(m.path(sources)))]
    bad = check(mutants, sources)
    print("".join(f"{line}\n" for line in bad), end="")
    if bad or options.check:
        return 1 if bad else 0
    top = tempfile.mkdtemp(prefix="mutants")
    try:
        copy = Copy(sources, top, options)
        chosen = [m for m in mutants if not options.mutant or m.name in options.mutant or
                  any(w.endswith("/") and m.file.startswith(w) for w in options.mutant)]
        return 1 if campaign(copy, chosen) else 0
    finally:
        shutil.rmtree(top)


if __name__ == "__main__":
    sys.exit(main())
