# SPDX-License-Identifier: MIT
"""sample.py KIND SEED [CONTAINER]: makes a container of what chance draws from the models of
decode.py: its decoders run, and each bit that they ask for is drawn, and written. So a container has
what a decoder has to do, whether a writer does that or not. Without CONTAINER its text is printed. KIND
is mixed, ranked, tokens, literals, visits, requests or program."""
import ast
import contextlib
import io
import os
import random
import sys

from make import frame_bytes, leb128
from show import compact, show

HERE = os.path.dirname(os.path.abspath(__file__))
U64 = (1 << 64) - 1


def decoder():
    """The names of decode.py, a copy of its own."""
    path, names = os.path.join(HERE, "decode.py"), {"__name__": "decoder"}
    with open(path, encoding="ascii") as f:
        exec(compile(ast.parse(f.read()), path, "exec"), names)
    return names


READ, MAKE = decoder(), decoder()
Damaged = MAKE["Damaged"]


class Drawn(MAKE["Coder"]):
    """A coder that draws its bits: as likely as the model has them, or, of a part `wild`, evenly."""
    random, wild, wishes, inside = random, 0, {}, False

    def begin(self, _):
        self.low, self.range, self.words, self.forced = 0, U64, 1, []

    def end(self):
        pass

    def code(self, p):
        bound = (self.range >> 16) * p
        even = self.random.random() < self.wild
        bit = self.forced.pop(0) if self.forced else int(
            self.random.random() * 65536 >= (32768 if even else p))
        self.low, self.range = (self.low + bound, self.range - bound) if bit else (self.low, bound)
        if self.range < 1 << 32:
            self.low, self.range, self.words = self.low << 32, self.range << 32, self.words + 1
        return bit

    def force(self, v, k):
        """The next k bits are those of v, if the name of a model has a wish."""
        self.forced = [v >> i & 1 for i in range(k - 1, -1, -1)]

    def wish(self, name):
        """What is wished of a model, if it is not one of those that make up another."""
        make = None if self.inside else self.wishes.get(name)
        return make and make()

    def inner(self, run, *args, **more):
        was, self.inside = self.inside, True
        try:
            return run(*args, **more)
        finally:
            self.inside = was

    def bit(self, *name):
        v = self.wish(name[0])
        self.forced = self.forced if v is None else [v]
        return super().bit(*name)

    def tree(self, k, *name, begin=1):
        v = self.wish(name[0])
        if v is not None:
            self.force(v, k - begin.bit_length() + 1)
        return self.inner(super().tree, k, *name, begin=begin)

    def number(self, *name):
        v = self.wish(name[0])
        if v is not None:
            n = v.bit_length()
            self.force(min(n, 31), 5)
            more = self.forced
            if n >= 31:
                self.force(n - 31, 6)
                more += self.forced
            self.force(v, n)
            self.forced = more + self.forced[1:]
        return self.inner(super().number, *name)

    def mix(self, inputs, rate, weights, *names, least=0):
        v = self.wish(names[0][0])
        self.forced = self.forced if v is None else [1 - v]  # flags are the other way round
        return super().mix(inputs, rate, weights, *names, least=least)

    def written(self):
        return (self.low + (1 << 32) - 1 >> 32).to_bytes(4 * self.words, "big")


MAKE["Coder"] = Drawn


class Wished(MAKE["Predictor"]):
    """A predictor whose bits and numbers are as is wished of one of its number."""

    def bit(self, contexts, *args):
        v = self.coder.wish(("bit", self.m))
        if v is not None:
            self.coder.forced = [1 - v]
        return super().bit(contexts, *args)

    def number(self, contexts, selector=0, expected=(), n=None):
        make = self.coder.wishes.get(("number", self.m))
        v = make(expected) if make else None
        if v is not None:
            self.coder.force(v.bit_length(), 0 if n is not None else 5)
            more = self.coder.forced
            self.coder.force(v, n if n is not None else max(v.bit_length() - 1, 0))
            self.coder.forced = [1 - b for b in more + self.coder.forced]
        return super().number(contexts, selector, expected, n)


MAKE["Predictor"] = Wished


def local(function, *names):
    """Values of local names of a function that runs."""
    frame = sys._getframe()
    while frame.f_code.co_name != function:
        frame = frame.f_back
    return [frame.f_locals[name] for name in names]


# ---- containers ----

class Equal:
    def __eq__(self, _):
        return True


class Reader(READ["Container"]):
    """Reads blocks whose fingerprints are not known yet."""

    def fingerprint(self):
        self.prints.append(super().fingerprint())
        return Equal()


def container(columns, blocks):
    """The container of some blocks, which are lists of frames: kind, number and payload, of which that
    of the last begins with the columns and has no fingerprint."""
    head = frame_bytes(ord("T"), 1, leb128(columns) + leb128(1 << 20) + bytes(3))
    reader, body = None, b""
    for final in False, True:
        prints = iter(reader.prints) if reader else None
        body = b""
        for frames in blocks:
            for kind, number, payload in frames:
                if kind == "B":
                    total = next(prints) if final else 0
                    cut = len(leb128(columns))
                    payload = payload[:cut] + total.to_bytes(8, "little") + payload[cut:]
                body += frame_bytes(ord(kind), number, payload)
        if not final:
            reader = Reader(head + body, 0, None)
            reader.prints = []
            with contextlib.redirect_stdout(io.StringIO()):
                reader.header(reader.next("T"))
                while reader.at < len(reader.data):
                    reader.block(reader.next())
                    reader.blocks[-1][1] = reader.at - reader.blocks[-1][3]
    index = leb128(128) + bytes(9) + (leb128(U64) + b"\0" if columns & 2 else b"")
    times = [b[2] for b in reader.blocks] if columns & 8 else []
    if times:
        index += leb128(min(t[0] for t in times)) + leb128(max(t[1] for t in times))
    index, high = index + b"\0", 0
    for mark, length, seen, _ in reader.blocks:
        index += leb128(mark) + leb128(length)
        if seen:
            index += leb128(zigzag(seen[0] - high)) + leb128(seen[1] - seen[0])
            high = seen[1]
    out = head + body
    index = frame_bytes(ord("I"), len(reader.blocks), index)
    payload = leb128(len(index)) + leb128(len(out + index)) + reader.rows.to_bytes(8, "little")
    return out + index + frame_bytes(ord("E"), reader.rows, payload)


def zigzag(d):
    d &= U64
    return 2 * d if d < 1 << 63 else 2 * (U64 - d) + 1


def stream(n, method, data):
    return leb128(n) + (bytes([method]) + leb128(len(data)) + data if n else b"")


def section(kind, data):
    return bytes([kind]) + leb128(len(data)) + data


def block(columns, rows, data, first=0):
    return "B", first << 24 | rows, leb128(columns) + data


def begin(seed):
    r = random.Random(seed)
    Drawn.random, Drawn.wishes = r, {}
    Drawn.wild = r.choice([0, 0, 0.02, 0.1, 0.4])
    return r


# ---- streams ----

def column_of_stream(n, width, method, data):
    """A trace of one column, of so many bytes a value, which a stream has."""
    column = {1: 12, 2: 10, 4: 2, 8: 10}[width]
    shape = width.bit_length()
    return container(1 << column, [[block(1 << column, n // width, section(
        1, bytes([column, shape]) + stream(n, method, data)))]])


def packed(r, method, n, width, *heads):
    coder = Drawn()
    how, w, _ = MAKE["METHODS"][method]
    how(coder, n, w, *heads)
    return column_of_stream(n, width, method, bytes(heads) + coder.written())


def mixed(r):
    method, n = r.randint(16, 19), r.choice([1, 7, 30, 101, 300])
    return packed(r, method, n, 1, r.randint(1, 8))


def ranked(r):
    w = r.choice([1, 1, 2])
    n = r.choice([5, 60, 400, 1200]) * w
    Drawn.wishes = {"count": lambda: r.randrange(local("run", "m")[0])}
    return packed(r, 20 + w, n, w, r.randint(1, 8 * w) if r.random() < 0.5 else r.randint(1, 3),
                  r.choice([0, 200, 252, 255, 255]), r.randint(0, 2))


def tokens(r):
    """Half of them are, from some token on, nearly always the expected ones."""
    def follow():
        (part, now), (x,) = local("flag", "part", "now"), local("tokens", "x")
        return int(now) if part and len(x) > begin and r.random() < 0.995 else None

    def run():
        n, x = local("tokens", "n", "x")
        return r.randrange(n - len(x) + 1) if r.random() < 0.2 else min(r.getrandbits(5), n - len(x))
    begin = r.choice([20, 60, 300])
    Drawn.wishes = {"run": run, **({"last": follow} if r.random() < 0.5 else {})}
    return packed(r, 23, r.choice([5, 60, 400, 1500]), 1)


def literals(r):
    """Half of them are nearly always the expected ones."""
    sure = r.random() < 0.5
    Drawn.wishes = {"match": lambda: 1 if sure and r.random() < 0.98 else None}
    return packed(r, 24, 4 * r.choice([3, 30, 100, 250, 800 if sure else 250]), 4, r.choice([1, 1, 2, 3, 5, 8]))


# ---- columns ----

def visits(r):
    kinds, lags = r.choice([1, 1, 2, 3, 16]), r.random() < 0.5
    n, pages = r.choice([3, 30, 120, 250, 600]), r.choice([1, 2, 5, 40, 200, 400, 700])
    n = max(n, pages)
    reduced = min(pages, r.choice([0, 0, 1, 15, 16, 17, 300, pages // 2, pages]))
    head, coders = leb128(n) + leb128(reduced), []
    wish_visits(r, kinds)
    rows = with_coders(coders, lambda: MAKE["visits"](MAKE["Bytes"](head), n, pages, kinds, lags))
    far = sum((v[0] == (1 << 24) - 1) + (v[3] == (1 << 24) - 1) for v in rows)
    values = b"".join(r.getrandbits(r.choice([30, 64])).to_bytes(8, "big") for _ in range(far))
    names = b"\x02\x00\x09" if kinds > 1 else b"\x01\x09"
    columns = 1 << 9 | 1 << 8 | lags << 3 | (kinds > 1)
    data = (b"\x02\x03\x08" if lags else b"\x01\x08") + names + b"\xff"
    data += (b"\x01" + leb128(kinds) + b"\x01" + stream(kinds, 0, bytes(
        k % 9 + 16 * (k > 8) for k in range(kinds))) if kinds > 1 else b"\x02")
    data += leb128(pages) + b"\x10\x05\x02" if pages > 1 else leb128(pages) + b"\x00\x05"
    coded = head + coders[0].written()
    data += stream(8 * far, 0, values) + leb128(len(coded)) + coded
    return container(columns, [[block(columns, n, section(2, data))]])


def wish_visits(r, kinds):
    """What keeps visits to what may be."""
    wide = r.choice([2, 6, 24])

    def number(expected):
        some = [v for v in expected if v is not None]
        return r.choice(some) if some and r.random() < 0.7 else r.getrandbits(
            24 if r.random() < 0.02 else wide)

    def new_page(_):
        unvisited, news = local("visits", "unvisited", "news")
        base = sum(p < news[0] for p in unvisited)
        k = r.randrange(len(unvisited))
        k = k if r.random() < 0.5 else min(len(unvisited) - 1, base)
        return 2 * (k - base) if k >= base else 2 * (base - k) - 1

    def eligible(done):
        last, page, window, may_be = local("visits", "last", "page", "window", "may_be")
        rows = sorted(last.values())[:-window - 1:-1]
        return [row for row in rows if page[row] not in done and may_be(page[row])]

    def near():
        return None if eligible(local("near_or_far", "done")[0]) else 0

    def is_last():
        k, done = local("walk", "k", "done")
        return 1 if k == len(eligible(done)) - 1 else None
    Drawn.wishes = {
        ("number", 0): number, ("number", 2): number, ("number", 1): new_page,
        ("number", 3): lambda _: r.choice(list(local("visits", "last")[0]) or [0]),
        ("number", 4): lambda _: r.randrange(kinds), ("bit", 7): near, ("bit", 8): is_last,
        ("bit", 5): lambda: None if local("visits", "last")[0] else 1}


def with_coders(coders, run):
    """What a decoder gives, and the coders that it makes."""
    class Noted(Drawn):
        def __init__(self, *args):
            super().__init__(*args)
            coders.append(self)
    MAKE["Coder"] = Noted
    try:
        return run()
    finally:
        MAKE["Coder"] = Drawn


def requests(r):
    n, coders = r.choice([1, 5, 60, 300]), []
    head = bytes([r.choice([1, 5, 20, 32, 33, 45, 48, 64]), r.choice([0, 0, 9, 10, 16])])
    kind = []

    def wish_kind():
        ends, names = local("requests_part", "ends", "names")
        kind.append(0)
        ends = [e for e in ends if e >> head[0] == 0]
        return (None if ends else 1) if len(kind) % 2 else (None if names else 1)

    def end():
        kind.clear()
        ends = local("requests_part", "ends")[0]
        return r.choice([k for k, e in enumerate(ends) if e >> head[0] == 0])
    Drawn.wishes = {
        "size": lambda: r.getrandbits(r.choice([0, 3, 13, 13, 32])), "end": end,
        ("bit", 2): wish_kind}
    with_coders(coders, lambda: MAKE["requests_part"](MAKE["Bytes"](head + b"\0"), n))
    coded = coders[0].written()
    return container(6, [[block(6, n, section(7, head + leb128(len(coded)) + coded))]])


# ---- programs ----

class Supply(READ["Bytes"]):
    """A stream that has what is asked of it, drawn by a function of how many bytes it is."""

    def __init__(self, draw):
        super().__init__(b"")
        self.draw = draw

    def __len__(self):
        return 1

    def take(self, n):
        self.data += b"".join(self.draw(1) for _ in range(n))
        self.at += n
        return self.data[self.at - n:]

    def fixed(self, n=1, order="little"):
        self.data += self.draw(n)
        self.at += n
        return int.from_bytes(self.data[self.at - n:], order)

    def end(self, _):
        pass


def wish_program(r, p):
    """What keeps the coder of a program to what may be."""
    near = r.choice([2, 10, 60])

    def below(n):
        return r.randrange(n) if n else None

    def to_op(start, n):
        d = (r.randrange(n) if r.random() < 0.3 else max(0, min(n - 1, start + r.randint(-near, near)))) - start
        return 2 * d if d >= 0 else -2 * d - 1
    rows, fetches, sizes = [0], r.choice([0, 0.8, 1]), r.choice([1, 3, 300])

    def row_type():
        rows[0] += 1
        if rows[0] == 1 and r.random() < fetches:
            return 2 + 16 * (r.random() < 0.1)
        return r.choice([0, 0, 1, 3, 8, 16, 17, 23])

    def row_count():
        rows[0] = 0
        return r.choice([1, 1, 1, 2, 2, 3, 4, 16])

    def shape():
        s = below(len(p.shapes))
        p.far = None if s is None or s < 255 else s - 255
        return min(s, 255)
    Drawn.wishes = {
        "start": lambda: None if p.ops else 1, "rows": row_count, "type": row_type, "shape": shape, "often": shape,
        "size": lambda: r.choice([0, 1, 2, 4, 4, 8, 8, r.randrange(sizes), r.getrandbits(32)]),
        "shape_far": lambda: p.far, "rank": lambda: below(len(p.landings)),
        "landing": lambda: None if p.landings else 0, "open": lambda: None if p.open else 0,
        "which": lambda: below(len(p.open)), "from": lambda: to_op(p.to, len(p.ops)),
        "known": lambda: to_op(p.last_source, len(p.ops)),
        "values": lambda: r.getrandbits(r.choice([4, 8])),
        "jump": lambda: r.getrandbits(r.choice([1, 2, 4, 8, 20, 40, 63])),
        "address rank": lambda: r.choice([None, 0, below(len(p.lines) + 1)]),
        "address far": lambda: r.getrandbits(r.choice([3, 20, 58])),
        "residual": lambda: r.getrandbits(r.choice([3, 8, 30, 64]))}


class Growing(MAKE["Program"]):
    def known_op(self, source, at, jumps):
        self.last_source = source.number
        return super().known_op(source, at, jumps)

    def symbol(self, number, n, contexts, a1=0, a2=0, a3=0, begin=1):
        v = None
        if number == 8:
            v = self.c.wish("shape")
        elif number < 6 and n == 4:
            v = self.c.random.choice([0, 1, WIDTHS[self.columns[number // 2]]])
        if v is not None:
            self.c.force(~v, n - begin.bit_length() + 1)  # flags are the other way round
        return super().symbol(number, n, contexts, a1, a2, a3, begin)


WIDTHS = {11: 8, 12: 1, 13: 8}


def program(r):
    by_op = r.choice([0, 0, 0, 0x800, 0x1000, 0x2000, 0x3800])
    flags = 1 | 2 * (by_op > 0) | 4 * (r.random() < 0.5)
    columns = r.choice([2, 3, 7, 7, 71]) | by_op
    p, blocks, first, part = Growing(flags, by_op), [], 0, 1
    wish_program(r, p)
    for _ in range(r.choice([1, 1, 2, 3])):
        old = len(p.edges), len(p.slots)
        news = [r.choice([1, 3, 7, 20, 40, 300] if not p.shapes else [0, 0, 2])] + [0, 0]
        news[1] = r.choice([1, 2, 6, 20, 60, 130])
        news[2] = news[1] - 1 + r.choice([0, 3, 20, 60])
        head = b"".join(map(leb128, news))
        p.grow(MAKE["Bytes"](head))
        payload = bytes([flags if part == 1 else flags & 6]) + leb128(columns)
        payload += (leb128(by_op) if by_op else b"") + head + p.c.written()
        rows, references = path(r, p, part, old, by_op)
        frames = [("P", part, payload), ("R", first << 24 | rows, references)]
        data = section(5 if columns & 64 else 0, b"\x01") + (section(6, leb128(by_op)) if by_op else b"")
        blocks.append(frames + [block(columns, rows, data, first)])
        first, part = first + rows, part + 1
    return container(columns, blocks)


def path(r, p, part, old, by_op):
    """Rows and an R of a path by chance."""
    start, most, wishes = r.randrange(len(p.ops)), r.choice([1, 20, 150, 500]), Drawn.wishes
    Drawn.wishes = {}
    modelled = r.random() < 0.7
    walk = walk_by_model if modelled else walk_by_bytes
    trail, taken, path_stream, far = walk(r, p, start, most, old[0])
    Drawn.wishes = wishes
    count = {}
    rows = []
    for op in trail:
        shape = p.shapes[op.shape]
        rows.append((op, len(shape)))
        for k in range(len(shape) - (op.fetch is not None)):
            count[op.slot + k] = count.get(op.slot + k, 0) + 1
    total = sum(n for _, n in rows)
    absolute = r.randint(0, 1)
    s = supplies(r, total)
    past = [0] * 16
    use = MAKE["slots"](s, p, count, past, absolute, old[1], min(1 << 18, 8 * total))
    for op, _ in rows:
        for k in range(len(p.shapes[op.shape]) - (op.fetch is not None)):
            past.append(next(use[op.slot + k]))
    form = absolute | 2 * (by_op > 0)
    out = bytes([form]) + b"".join(map(leb128, (total, part, start, len(trail)))) + path_stream
    out += stream(len(far), 0, far)
    for name in "state table form token first constant high literal".split():
        out += stream(len(s[name].data), 0, s[name].data)
    if by_op:
        said = exceptions(r, p, total)
        out += stream(len(said), 0, said)
    return total, out


def walk_by_model(r, p, start, most, new_edges):
    n = r.choice([0, 5, 60, most])
    coder = Drawn()
    model = MAKE["Path"](coder, n, p, new_edges)
    op, trail, taken = p.ops[start], [], []
    while True:
        trail.append(op)
        if not op.out or len(trail) > 6 * most or len(op.out) > 1 and len(model.x) == n and not model.run:
            break
        e = model.edge(op) if len(op.out) > 1 else 0
        taken.append(op.out[e])
        op = p.edges[op.out[e]][1]
    if len(model.x) != n or model.run:
        raise Damaged("a path of other branches")
    return trail, taken, stream(n, 32, coder.written()) if n else b"\0", b""


def walk_by_bytes(r, p, start, most, _):
    op, trail, taken, path, far = p.ops[start], [], [], b"", b""
    while True:
        trail.append(op)
        if not op.out or len(trail) >= most:
            break
        e = r.randrange(len(op.out))
        if len(op.out) > 1:
            escape = e >= 255 or r.random() < 0.05
            path += bytes([255 if escape else e])
            far += leb128(e) if escape else b""
        taken.append(op.out[e])
        op = p.edges[op.out[e]][1]
    return trail, taken, stream(len(path), 0, path), far


def supplies(r, rows):
    def some(*choices):
        return lambda n: bytes([r.choice(choices)])

    def bits(n):
        return r.getrandbits(r.choice([4, 12, 30, 8 * n]) if n > 1 else 8 * n).to_bytes(16, "big")[-n:]
    kinds = 1 + r.randrange(3)
    high = b"" if r.random() < 0.5 else bytes(
        b"".join(bits(8) for _ in range(kinds)))
    turn = [0]

    def literal(n):
        turn[0] += 1
        if n == 8:
            return bits(8)
        return r.randrange(kinds).to_bytes(2, "big") if turn[0] % 2 else bits(2)
    tables = 14 if rows < 40 else 52
    out = {"state": Supply(lambda n: bytes([r.choice([0, 32, r.randint(0, 18), r.randint(32, 62)])])),
           "table": Supply(lambda n: bytes([r.choice([0, 0, 1, 14, 27, r.randint(0, tables) // 13 * 13 + 1])])),
           "form": Supply(some(0, 1)), "first": Supply(bits), "constant": Supply(bits),
           "token": Supply(some(0, 0, 0, 1, 2, 7, 8, 8)), "literal": Supply(literal)}
    out["high"] = MAKE["Bytes"](high)
    for name in "table", "form":
        if r.random() < 0.4:
            out[name] = MAKE["Bytes"](b"")
    return out


def exceptions(r, p, rows):
    out = leb128((1 << len(p.columns)) - 1)
    for c in p.columns:
        n = r.randint(0, min(rows, 5))
        places = sorted(r.sample(range(rows), n))
        out += bytes([r.randint(0, 1)]) + leb128(n)
        for before, place in zip([-1] + places, places):
            out += leb128(place - before - 1) + leb128(r.getrandbits(8 * WIDTHS[c]))
    return out


KINDS = {"mixed": mixed, "ranked": ranked, "tokens": tokens, "literals": literals, "visits": visits,
         "requests": requests, "program": program}


def sample(kind, seed):
    """A container; what chance draws and may not be is drawn again."""
    for turn in range(1000):
        r = begin(f"{kind} {seed} {turn}")
        with contextlib.suppress(Damaged, ValueError):
            return KINDS[kind](r)
    raise Damaged("chance finds nothing")


def main():
    data = sample(sys.argv[1], int(sys.argv[2]))
    if len(sys.argv) > 3:
        with open(sys.argv[3], "wb") as f:
            f.write(data)
    else:
        print(compact(show(data)[0]), end="")


if __name__ == "__main__":
    main()
