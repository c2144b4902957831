# SPDX-License-Identifier: MIT
"""show.py CONTAINER: prints a container as commented text, of which make.py makes it again. What is
damaged or unknown comes as bytes."""
import re
import sys

from make import band_frames, frame_bytes, leb128, make, parity_frames
from xxh3 import xxh3

COLUMNS = ("type addr size time asid task pc itime rtime vpn cpn insn branch regs event ttl").split()
STREAMS = "path far state table form token first constant high literal exception".split()
METHODS = {0: "stored", 8: "LZMA of halves", 16: "mixed, 1 byte", 17: "mixed, 2 bytes",
           18: "mixed, 4 bytes", 19: "mixed, 8 bytes", 21: "ranked, 1 byte", 22: "ranked, 2 bytes",
           23: "tokens", 24: "literals", 32: "path model"}
METHODS.update((i + 1, f"LZMA, lc lp pb {p}") for i, p in
               enumerate("000 400 300 011 022 033 311".split()))
FRAMES = {"T": "the trace", "P": "growth of the program", "R": "references", "B": "block",
          "I": "index", "f": "parity", "c": "parity of sectors", "E": "end"}
FACTS = ("", "windows of this length and more", "clock of windows, a column", "sets", "ways",
         "bytes of a line", "one page in this many", "flags", "needs trc")
KEYS = "source fingerprint tracer command isa page-size addresses trc note part joined left-out"


class Damaged(Exception):
    pass


class View:
    """What is left of some bytes."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def left(self):
        return len(self.data) - self.at

    def bytes(self, n):
        if n > self.left():
            raise Damaged
        self.at += n
        return self.data[self.at - n:self.at]

    def byte(self):
        return self.bytes(1)[0]

    def num(self):
        n = shift = 0
        while True:
            b = self.byte()
            n |= (b & 127) << shift
            shift += 7
            if b < 128:
                return n

    def rest(self):
        return self.bytes(self.left())


class Frame:
    def __init__(self, data, at):
        v = View(data)
        v.at = at
        if v.bytes(2) != b"\xf5t":
            raise Damaged
        self.at, self.kind, size = at, v.byte(), v.num()
        self.number = v.num()
        head = data[at:v.at]
        v.bytes(10)
        self.payload = v.bytes(size)
        self.end = v.at
        if frame_bytes(self.kind, self.number, self.payload) != data[at:self.end]:
            raise Damaged
        self.head = head

    def name(self):
        return chr(self.kind) if chr(self.kind).isalpha() else str(self.kind)


def frames_of(data):
    """All frames, and how far they go."""
    frames, at = [], 0
    try:
        while at < len(data):
            frames.append(Frame(data, at))
            at = frames[-1].end
    except Damaged:
        pass
    return frames, at


def columns_text(bits):
    return " ".join(c for i, c in enumerate(COLUMNS) if bits >> i & 1)


class Shower:
    """Lines of text for frames; features are what the container has of the format."""

    def __init__(self):
        self.lines, self.depth, self.features = [], 0, set()
        self.columns = 0

    # ---- lines ----

    def line(self, text, comment=""):
        text = "  " * self.depth + text
        self.lines.append(f"{text:<28} # {comment}" if comment else text)

    def num(self, v, comment):
        n = v.num()
        self.line(f"num {n}", comment)
        return n

    def byte(self, v, comment):
        n = v.byte()
        self.line(f"byte {n}", comment)
        return n

    def hex(self, data, comment=""):
        if len(data) <= 8:
            if data:
                self.line("hex " + data.hex(" "), comment)
            return
        if comment:
            self.line("# " + comment)
        for i in range(0, len(data), 24):
            self.line("hex " + data[i:i + 24].hex(" "))

    def text(self, data, comment):
        if all(32 <= b < 127 and b not in b'"\\' for b in data):
            self.line('string "' + data.decode() + '"', comment)
        else:
            self.sized(data, comment, lambda v: self.hex(v.rest()))

    def sized(self, data, comment, show, word="sized"):
        """The number of bytes, and these by show(view)."""
        before, features = len(self.lines), set(self.features)
        self.line(word, comment)
        self.depth += 1
        inner = len(self.lines)
        v = View(data)
        try:
            show(v)
            if v.left():
                raise Damaged
        except (Damaged, IndexError):
            del self.lines[inner:]
            self.features = features
            self.hex(data)
        self.depth -= 1
        self.line("end")
        return before

    # ---- what stands in several places ----

    def stream(self, v, name):
        """A packed stream; returns its method."""
        if self.num(v, name + ": bytes when unpacked") == 0:
            self.lines[-1] = self.lines[-1].replace("bytes when unpacked", "empty")
            return None
        method = self.byte(v, METHODS.get(method_of(v), "?"))
        self.features.add(f"method {method}")
        size = v.num()
        self.sized(v.bytes(size), "packed", lambda p: self.hex(p.rest()))
        return method

    def packed_column(self, v):
        form = self.byte(v, "")
        shapes = ("all alike", "1 byte", "2 bytes", "4 bytes", "8 bytes", "table, 1 byte",
                  "table, 2 bytes")
        shape = form & 15
        self.lines[-1] = self.lines[-1].rstrip()
        text = self.lines.pop().strip()
        self.line(text, ("differences, " if form >> 4 else "") + shapes[shape])
        self.features.add(f"column form {form}")
        if form >> 4:
            self.num(v, "first value")
        if shape == 0:
            self.num(v, "value")
        elif shape < 5:
            self.stream(v, "values")
        else:
            self.stream(v, "table")
            self.stream(v, "indices")

    def facts(self, v):
        while v.left():
            n = self.num(v, "fact")
            self.features.add(f"fact {n}")
            self.num(v, FACTS[n] if n < len(FACTS) else "value")

    # ---- frames ----

    def show_T(self, v):
        self.columns = v.num()
        self.line(f"num {self.columns}", "columns: " + columns_text(self.columns))
        self.num(v, "block rows")
        self.num(v, "page bits")
        self.num(v, "r")
        self.text(v.bytes(v.num()), "format")
        self.facts(v)

    def show_P(self, v):
        flags = self.byte(v, "flags")
        self.features.add(f"program flags {flags}")
        self.line(f"num {v.num()}", "columns")
        if flags & 2:
            columns = v.num()
            self.line(f"num {columns}", "columns by op: " + columns_text(columns))
            self.features.add(f"by op {columns}")
        if v.left():
            self.growth(v)

    def growth(self, v):
        if v.left():
            self.num(v, "new shapes")
            self.num(v, "new ops")
            self.num(v, "new edges")
            self.hex(v.rest(), "range coded: shapes, edges with ops, values, slots")

    def show_R(self, v):
        form = self.byte(v, "form")
        self.features.add(f"refs form {form}")
        self.num(v, "rows")
        self.num(v, "part of the program")
        self.num(v, "first op")
        self.num(v, "ops")
        for name in STREAMS if form & 2 else STREAMS[:-1]:
            method = self.stream(v, name)
            if method is not None:
                self.features.add(f"stream {name}")
                self.features.add(f"stream {name} by {method}")

    def show_B(self, v):
        self.line(f"num {v.num()}", "columns")
        self.line(f"le 8 0x{int.from_bytes(v.bytes(8), 'little'):016x}", "fingerprint of the rows")
        while v.left():
            kind, size = v.byte(), v.num()
            name, show = SECTIONS.get(kind, ("unknown", lambda s, p: s.hex(p.rest())))
            self.features.add(f"section {kind}")
            self.sized(v.bytes(size), name, lambda p, show=show: show(self, p), f"section {kind}")

    def contexts(self, v):
        n = self.num(v, "contexts")
        self.features.add(f"contexts {'several' if n > 1 else n}")
        for _ in range(n if n > 1 else 0):
            self.num(v, "key")

    def by_op(self, v):
        n = v.num()
        self.line(f"num {n}", "columns: " + columns_text(n))

    def one_column(self, v):
        n = v.byte()
        self.line(f"byte {n}", COLUMNS[n])
        self.packed_column(v)

    def joint(self, v):
        names = 0
        for what in "clock", "name":
            names = self.byte(v, f"{what}s")
            self.features.add(f"{what}s {names}")
            for _ in range(names):
                n = v.byte()
                self.line(f"byte {n}", COLUMNS[n])
        same = self.byte(v, "the same as the first clock; 255: none")
        self.features.add("same" if same != 255 else "no same")
        form = self.byte(v, "form")
        self.features.add(f"joint form {form}")
        if form == 1:
            self.num(v, "kinds")
            self.packed_column(v)
        many = self.num(v, "names")
        for _ in range(names - (form == 1) if many else 0):
            self.packed_column(v)
        if self.stream(v, "far values") is not None:
            self.features.add("far values")
        if form == 0:
            self.stream(v, "rows")
        else:
            size = v.num()
            self.sized(v.bytes(size), "visits", self.visits)

    def visits(self, v):
        self.num(v, "rows")
        self.num(v, "r")
        self.hex(v.rest(), "range coded")

    def requests(self, v):
        while v.left():
            self.byte(v, "bits of the greatest address")
            self.byte(v, "unit")
            self.sized(v.bytes(v.num()), "rows", lambda p: self.hex(p.rest(), "range coded"))

    def events(self, v):
        self.stream(v, "events")

    def show_I(self, v, frame, blocks):
        flags = self.num(v, "flags")
        self.features.update(f"index flag {b}" for b in (64, 128, 256) if flags & b)
        names = ["r", "at first: references", "instructions", "last time", "references",
                 "by the kernel", "pages", "spaces", "tasks"]
        names += ["lowest address", "highest address"] if self.columns & 2 else []
        timed = self.columns >> 3 & 1
        names += ["lowest time", "highest time"] if timed else []
        for name in names:
            self.num(v, name)
        types = self.num(v, "types")
        for t in range(types):
            self.num(v, f"{t}")
        places = [f"block{i + 1}" for i in range(len(blocks))] + ["index"]
        at = blocks + [frame.at]
        for i in range(frame.number):
            n = v.num()
            self.line(f"num {n}", f"block {i + 1}: {n >> 1} rows" + (", fresh" if n & 1 else ""))
            n = v.num()
            known = i < len(blocks) and n == at[i + 1] - at[i]
            self.line(f"num {places[i + 1]}-{places[i]}" if known else f"num {n}", "bytes")
            if timed:
                self.num(v, "lowest time")
                self.num(v, "highest less lowest")
        if flags & 256:
            size = v.num()
            self.sized(v.bytes(size), "provenance", self.provenance)
        self.facts(v)

    def provenance(self, v):
        while v.left():
            key = v.bytes(v.num())
            self.text(key, "key")
            self.features.add("provenance " + key.decode())
            self.text(v.bytes(v.num()), "text")

    # ---- the whole ----

    def frame(self, frame, start, index, blocks):
        kind = frame.name()
        self.features.add("frame " + kind)
        if kind == "E":
            v = View(frame.payload)
            for n, name in (v.num(), "index"), (v.num(), "start"):
                place = {"index": index, "start": start}[name]
                known = place is not None and n == frame.at - place
                self.line(f"num here-{name}" if known else f"num {n}", "from " + name)
            if v.left() == 8:
                self.line(f"le 8 {int.from_bytes(v.bytes(8), 'little')}", "rows")
        elif kind == "I":
            v = View(frame.payload)
            self.show_I(v, frame, blocks)
        else:
            v = View(frame.payload)
            getattr(self, "show_" + kind)(v)
        if v.left():
            raise Damaged

    def any_frame(self, frame, start, index, blocks):
        self.line("")
        comment = FRAMES.get(frame.name(), "unknown")
        number, kind = str(frame.number), frame.name()
        if kind in "BR":
            first, rows = frame.number >> 24, frame.number & 0xFFFFFF
            comment += f": {rows} rows from row {first}" if kind == "B" else ""
            number = f"{first}*16777216+{rows}"
        self.line(f"frame {kind} {number}", comment)
        self.depth, before, features = 1, len(self.lines), set(self.features)
        try:
            self.frame(frame, start, index, blocks)
        except (Damaged, IndexError, AttributeError, UnicodeDecodeError):
            del self.lines[before:]
            self.features = features
            self.hex(frame.payload)
        self.depth = 0


def method_of(v):
    return v.data[v.at] if v.left() else None


SECTIONS = {0: ("references", Shower.contexts), 5: ("references with pc", Shower.contexts),
            6: ("columns by op", Shower.by_op), 1: ("a column", Shower.one_column),
            2: ("joint columns", Shower.joint), 3: ("events", Shower.events),
            7: ("requests", Shower.requests)}


def show(data):
    """The text of a container, and its features."""
    frames, end = frames_of(data)
    s, i = Shower(), 0
    start = index = None
    blocks, in_block, group = [], False, 0
    while i < len(frames):
        f = frames[i]
        kind = f.name()
        if kind == "T":
            s.line(""), s.line("mark start")
            start, blocks, in_block, group = f.at, [], False, f.at
        elif kind in "PRB" and not in_block:
            blocks.append(f.at)
            in_block = True
            s.line(""), s.line(f"mark block{len(blocks)}")
        elif kind == "I":
            index = f.at
            s.line(""), s.line("mark index")
        if kind in "fc":
            n, step = 1, 2 if kind == "f" else 1
            while i + n < len(frames) and frames[i + n].name() == kind and \
                    frames[i + n].number == f.number + step * n:
                n += 1
            i += n
            s.features.add("frame " + kind)
            show = show_bands if kind == "f" else show_parity
            show(s, data, frames[i - n:i], group, start)
            group = frames[i - 1].end
            continue
        if kind == "B":
            in_block = False
        s.any_frame(f, start, index, blocks)
        i += 1
    if end < len(data):
        s.line(""), s.line("# what is no frame"), s.hex(data[end:])
    return "\n".join(s.lines).strip("\n") + "\n", s.features


def show_bands(s, data, frames, group, start):
    parity, last = frames[0].number >> 9 & 255, frames[0].number & 1
    made = band_frames(data[group:frames[0].at], parity, last) if 4 <= parity <= 160 else b""
    if made != data[frames[0].at:frames[-1].end]:
        for f in frames:
            s.any_frame(f, None, None, [])
        return
    at = "start" if group == start else str(group)
    s.line(""), s.line(f"bands {at} parity={parity}" + (" last" if last else ""),
                       "of all before, from there on")


def show_parity(s, data, frames, group, start):
    v = View(frames[0].payload)
    _, size, sector = v.num(), v.num(), v.num()
    last = frames[0].payload and View(frames[0].payload)
    for _ in range(4):
        last.num()
    last = last.num()
    made = parity_frames(data[group:frames[0].at], sector, len(frames), last)
    s.line("")
    if size == frames[0].at - group and made == data[frames[0].at:frames[-1].end]:
        at = "start" if group == start else str(group)
        s.line(f"parity {at} sector={sector} frames={len(frames)}" + (" last" if last else ""),
               "of all before, from there on")
        return
    for f in frames:
        s.any_frame(f, None, None, [])


WIDTH = 100
ALIGNED = 20
BEGINS = re.compile(r"new shapes|names|block \d|types|path|references|flags|by the|pages|lowest|block rows|far values")


def compact(text):
    """A text with numbers that belong together in one line, as far as that is not long."""
    out = []
    numbers = re.compile(r"( *)(num|byte) ([^#=]*?) *# (.*)")
    for line in text.splitlines():
        code, mark, comment = line.partition("# ")
        if mark and code.strip():
            line = f"{code.rstrip():<{ALIGNED}} # {comment}"
        now, had = numbers.fullmatch(line), numbers.fullmatch(out[-1]) if out else None
        if now and had and now.group(1, 2) == had.group(1, 2) and not BEGINS.match(now.group(4)):
            comment = had.group(4)
            if comment.endswith(": empty") and now.group(4).endswith(": empty"):
                comment = comment[:-len(": empty")]
            code = "%s%s %s %s" % (*had.group(1, 2, 3), now.group(3))
            merged = f"{code:<{ALIGNED}} # {comment}, {now.group(4)}"
            if len(merged) <= WIDTH:
                out[-1] = merged
                continue
        out.append(line)
    return "\n".join(out) + "\n"


def main():
    with open(sys.argv[1], "rb") as f:
        print(compact(show(f.read())[0]), end="")


if __name__ == "__main__":
    main()
