# SPDX-License-Identifier: MIT
"""Damaged containers. What is read of one is all of its rows, or the first of them and then exit 1;
a salvage gets rows in their order, and names all that are missing."""
import random
import re

from bench import SEED, some, tree


def flips(data):
    for i in range(len(data)):
        for mask in (1 << i % 8, 0xff):
            yield f"{mask:#x} of byte {i}", data[:i] + bytes([data[i] ^ mask]) + data[i + 1:]


def cuts(data):
    for i in range(len(data)):
        yield f"at {i}", data[:i]


def beheadings(data):
    for i in range(1, len(data), 3):
        yield f"before {i}", data[i:]


def sectors(data):
    for room in (64, 512):
        for i in range(0, len(data), room // 8):
            n = min(room, len(data) - i)
            yield f"{n} from {i}", data[:i] + bytes(n) + data[i + n:]


def ranges(data):
    """Two places, in order, and another."""
    r = random.Random(SEED)
    for _ in range(3000):
        most = r.choice([16, 600, len(data)])
        a = r.randrange(len(data))
        b = min(len(data), a + 1 + r.randrange(most))
        yield a, b, r.randrange(len(data))


def moved(data):
    for a, b, to in ranges(data):
        rest = data[:a] + data[b:]
        yield f"{a} to {b} moved to {to}", rest[:to] + data[a:b] + rest[to:]


def repeated(data):
    for a, b, to in ranges(data):
        yield f"{a} to {b} again at {to}", data[:to] + data[a:b] + data[to:]


def lost(data):
    for a, b, _ in ranges(data):
        yield f"{a} to {b} lost", data[:a] + data[b:]


def copied(data):
    for a, b, to in ranges(data):
        yield f"{a} to {b} over {to}", (data[:to] + data[a:b] + data[to + b - a:])[:len(data)]


FAULTS = {
    "a byte is changed": flips,
    "the end is cut off": cuts,
    "the beginning is cut off": beheadings,
    "a sector is zeros": sectors,
    "a range is moved": moved,
    "a range is repeated": repeated,
    "a range is lost": lost,
    "a range is over another": copied,
}

GAP = re.compile(r"(\d+) to (\d+)|(\d+) (and all after)|unknown number (at the start|after (\d+))")


def accounts(got, rows, message):
    """True if the rows that a salvage got and the gaps that it names are all rows, in order. Frames
    whose numbers go back, since they come twice or were moved, it may take for those of another
    container, if it names the unknown gap before that, behind which rows are numbered anew."""
    base = n = 0  # where the container begins, and what is next, in numbers of the message

    def take(upto):
        nonlocal got
        want, got = got[:upto - n], got[upto - n:]
        return want == rows[n - base:upto - base] and len(want) == upto - n

    for first, last, rest, _, unknown, behind in GAP.findall(message):
        upto = int(behind or 0) if unknown else int(rest or first) - 1
        if not take(upto):
            return False
        base = upto if upto == base + len(rows) else base
        if rest:
            return not got
        n = int(behind or 0) if unknown else int(last)
        base = n if unknown else base
    return got == rows[n - base:] or base == n and not got or ", and " in message


class Damage:
    def __init__(self, bench):
        self.bench = bench

    def rows(self, out):
        return out.splitlines(keepends=True)[1:]

    def attempt(self, fault, what, data, subject):
        b, rows = self.bench, subject.rows
        words = ["encode", "-q", "--no-sync", "--from", "trc", "--to", "csv"]
        folder = b.folder({"in": data})
        status, out, err = b.run([*words, "in", "-"], folder)
        got, good = self.rows(out), status == 0
        counts = {"repaired": int(good), "refused": int(status == 1)}
        wrong = got != rows if good else got != rows[:len(got)]
        counts["wrong_exits"] = int(status not in (0, 1) or good and wrong or status == 1 and not err)
        # From the middle on, damage before it may not be seen.
        half = len(rows) // 2
        status, out, err = b.run([*words, "--skip", str(half), "in", "-"], folder)
        got = self.rows(out)
        wrong |= got != rows[half:] if status == 0 else got != rows[half:half + len(got)]
        counts["wrong_exits"] |= int(status not in (0, 1))
        more, why = self.salvage(folder, words, rows, good)
        counts["wrong_exits"] |= more.pop("wrong_exits")
        counts.update(more)
        counts["wrong_rows"] += int(wrong)
        b.table.add(fault, f"{subject.name}, {what}: {why}", **counts)

    def salvage(self, folder, words, rows, good):
        status, _, err = self.bench.run([*words, "--salvage", "in", "out"], folder)
        files = tree(folder)
        got = self.rows(files.pop("out", b""))
        del files["in"]
        right = got == rows if status == 0 else accounts(got, rows, err.decode()) or not got
        return {
            "salvaged_rows": 0 if good else len(got),
            "wrong_rows": int(not right),
            "files_left": len(files),
            "wrong_exits": int(status not in (0, 1) or status == 1 and not err),
        }, f"{len(got)} of {len(rows)} rows, {err.decode().strip()}"

    def run(self, subjects, how):
        cases = []
        for fault, damages in FAULTS.items():
            for s in subjects:
                tried = some(damages(s.data), fault + how, s.name)
                cases += [(fault + how, w, d, s) for w, d in tried if d != s.data]
        self.bench.each(self.attempt, cases)
