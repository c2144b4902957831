# SPDX-License-Identifier: MIT
"""make.py TEXT CONTAINER: makes a container of its commented text. make.py FOLDER: makes all of the
set, FOLDER/good/NAME.trc and so on.

A text is lines: a word, what it takes, and a comment from # on. Frames have their header and sums
by themselves, and whatever stands in a frame is its payload:

  frame KIND NUMBER [FAULT]  a frame begins, and ends before the next; KIND is a letter or a number.
                             FAULT: bad-check, bad-sum; claims=N: it has N bytes; wide=N: the number
                             of its bytes has N bytes itself
  num N... [wide=W]          numbers (LEB128), in W bytes each
  byte N...                  bytes
  le W N...                  numbers of W bytes, the least significant byte first
  be W N...                  likewise, the most significant first
  hex XX...                  bytes in hexadecimal
  fill N BYTE                a byte, N times
  text "..."                 bytes
  string "..."               their number, and they
  sized                      the number of the bytes up to `end`, and they
  section KIND               a byte, and as `sized`
  end
  bands FROM parity=K [last] parity in K bands of all from the mark FROM to here
  parity FROM sector=S frames=N [last]
                             N frames of parity of all from the mark FROM to here
  mark NAME                  what comes here, between frames, is at NAME
  copy FROM TO               the bytes between two marks once more
  flip PLACE MASK, cut PLACE, drop FROM TO
                             damage to what was made, done at the end and in this order

A text may begin with `like TEXT`: it is that of another container of the set, but for the changes
that follow, each behind a line with @. Of a change, lines behind - and those behind a blank stand
there one behind the other, and are replaced by those behind + and a blank. Changes are in order;
each is at the first place behind the one before that it fits.

A number N is a sum, difference or product of numbers and marks, without blanks; `here` is where the
frame begins that it stands in."""
import ast
import operator
import os
import shlex
import sys

from xxh3 import xxh3

OPERATOR = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul}
POLYNOMIAL = 0x1100B

# What takes a decoder in Python a minute: it tries them if they are named.
SLOW = ("more-than-a-million-bits",)


class TextError(Exception):
    pass


def leb128(n, wide=1):
    out = bytearray()
    while n > 127 or len(out) + 1 < wide:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out) + bytes([n])


def frame_bytes(kind, number, payload, faults=()):
    """A frame; `faults` are words as above."""
    faults = dict((f + "=").split("=")[:2] for f in faults)
    head = b"\xf5t" + bytes([kind])
    head += leb128(int(faults.pop("claims", len(payload))), int(faults.pop("wide", 1)))
    head += leb128(number)
    seed = xxh3(head)
    check, total = seed & 0xFFFF, xxh3(payload, seed)
    if faults.pop("bad-check", None) is not None:
        check ^= 1
    if faults.pop("bad-sum", None) is not None:
        total ^= 1
    if faults:
        raise TextError("no such fault: " + " ".join(faults))
    return head + check.to_bytes(2, "little") + total.to_bytes(8, "little") + payload


# ---- parity ----

def field_tables():
    exp, log, x = [0] * 131070, [0] * 65536, 1
    for i in range(65535):
        exp[i] = exp[i + 65535] = x
        log[x] = i
        x <<= 1
        x ^= POLYNOMIAL if x >> 16 else 0
    return exp, log


def parity_frames(group, sector, frames, last):
    """The parity frames of the bytes of a group."""
    exp, log = field_tables()
    n = (len(group) + sector - 1) // sector
    first = len(group) - (n - 1) * sector
    sectors = [group[:first]] + [group[i:i + sector] for i in range(first, len(group), sector)]
    sums = b"".join((xxh3(s) & 0xFFFF).to_bytes(2, "little") for s in sectors)
    out = b""
    for j in range(frames):
        parity = [0] * (sector // 2)
        for i, s in enumerate(sectors):
            inverse = 65535 - log[32768 + j ^ i]
            s = s.ljust(sector, b"\0")
            for w in range(sector // 2):
                word = s[2 * w] | s[2 * w + 1] << 8
                parity[w] ^= exp[log[word] + inverse] if word else 0
        numbers = len(group) + len(out), len(group), sector, frames, int(last)
        payload = b"".join(map(leb128, numbers)) + sums
        out += frame_bytes(ord("c"), j, payload + b"".join(w.to_bytes(2, "little") for w in parity))
    return out


def band_frames(group, parity, last):
    """The parity frames of a group in bands."""
    band = -(-len(group) // (255 - parity))
    data = bytes(-len(group) % band) + group
    power = [1]
    while len(power) < 255:
        power.append(power[-1] << 1 ^ (power[-1] >> 7) * 0x11d)
    log = {v: e for e, v in enumerate(power)}
    root = [1]                          # the highest coefficient first
    for r in range(parity):
        root = [a ^ (power[(log[b] + r) % 255] if b else 0) for a, b in zip(root + [0], [0] + root)]
    bands = bytearray(parity * band)
    for p in range(band):
        rest = [0] * parity
        for value in data[p::band]:
            top, rest = value ^ rest[0], rest[1:] + [0]
            if top:
                rest = [v ^ power[(log[top] + log[root[j + 1]]) % 255] if root[j + 1] else v
                        for j, v in enumerate(rest)]
        bands[p::band] = bytes(rest)
    half = (parity - 1) // 2
    cuts = range(parity + 1) if band >= 1024 else (0, half, parity - 2, parity)
    return b"".join(frame_bytes(ord("f"), len(group) << 17 | parity << 9 | j << 1 | last,
                                bytes(bands[cuts[j] * band:cuts[j + 1] * band]))
                    for j in range(len(cuts) - 1))


# ---- texts ----

def find(lines, some, start):
    """Where lines stand among others."""
    for i in range(start, len(lines) - len(some) + 1):
        if lines[i:i + len(some)] == some:
            return i
    raise TextError("nothing is like this: " + "; ".join(some))


def changed(lines, changes):
    """Lines with changes."""
    at = 0
    for change in changes:
        old = [line[1:] for line in change if line[:1] in "- "]
        new = [line[1:] for line in change if line[:1] in "+ "]
        at = find(lines, old, at)
        lines = lines[:at] + new + lines[at + len(old):]
        at += len(new)
    return lines


def lines_of(text, folder):
    """All lines of a text; of one that is like another, those of that with the changes."""
    lines = text.split("\n")
    like = [i for i, line in enumerate(lines) if line.startswith("like ")]
    if not like:
        return lines
    with open(os.path.join(folder, lines[like[0]].split()[1] + ".txt"), encoding="ascii") as f:
        base = lines_of(f.read(), folder)
    changes = "\n".join(lines[like[0] + 1:]).strip("\n").split("@\n")[1:]
    return changed(base, [c.rstrip("\n").split("\n") for c in changes])


class Maker:
    def __init__(self):
        self.out, self.marks = bytearray(), {}
        self.frame = None  # kind, number, faults of the open one
        self.open = [bytearray()]  # its payload, and what is in it that has a size
        self.damage = []

    def value(self, text):
        def of(node):
            if isinstance(node, ast.BinOp):
                return OPERATOR[type(node.op)](of(node.left), of(node.right))
            if isinstance(node, ast.Name):
                return len(self.out) if node.id == "here" else self.marks[node.id]
            return ast.literal_eval(node)
        try:
            return of(ast.parse(text, mode="eval").body)
        except (KeyError, ValueError, SyntaxError) as e:
            raise TextError("no number: " + text) from e

    def put(self, data):
        if not self.frame:
            raise TextError("this stands in no frame")
        self.open[-1] += data

    def close(self):
        if len(self.open) > 1:
            raise TextError("an `end` is missing")
        if self.frame:
            kind, number, faults = self.frame
            self.out += frame_bytes(kind, number, bytes(self.open[0]), faults)
        self.frame, self.open = None, [bytearray()]

    def do_frame(self, kind, number, *faults):
        self.close()
        self.frame = ord(kind) if kind.isalpha() else int(kind), self.value(number), faults

    def do_num(self, *numbers):
        wide = 1
        if numbers[-1].startswith("wide="):
            wide = int(numbers[-1][len("wide="):])
            numbers = numbers[:-1]
        self.put(b"".join(leb128(self.value(n), wide) for n in numbers))

    def do_byte(self, *numbers):
        self.put(bytes(map(self.value, numbers)))

    def do_le(self, width, *numbers):
        self.put(b"".join(self.value(n).to_bytes(int(width), "little") for n in numbers))

    def do_be(self, width, *numbers):
        self.put(b"".join(self.value(n).to_bytes(int(width), "big") for n in numbers))

    def do_hex(self, *words):
        self.put(bytes.fromhex("".join(words)))

    def do_fill(self, count, byte):
        self.put(bytes([self.value(byte)]) * self.value(count))

    def do_text(self, text):
        self.put(text.encode())

    def do_string(self, text):
        self.put(leb128(len(text.encode())) + text.encode())

    def do_sized(self):
        self.open.append(bytearray())

    def do_section(self, kind):
        self.do_byte(kind)
        self.do_sized()

    def do_end(self):
        content = self.open.pop()
        self.put(leb128(len(content)) + content)

    def do_parity(self, start, sector, frames, last=""):
        self.close()
        self.out += parity_frames(bytes(self.out[self.value(start):]), int(sector[len("sector="):]),
                                  int(frames[len("frames="):]), last == "last")

    def do_bands(self, start, parity, last=""):
        self.close()
        self.out += band_frames(bytes(self.out[self.value(start):]), int(parity[len("parity="):]),
                                last == "last")

    def do_mark(self, name):
        self.close()
        self.marks[name] = len(self.out)

    def do_copy(self, start, end):
        self.close()
        self.out += self.out[self.value(start):self.value(end)]

    def do_flip(self, place, mask):
        self.damage.append(lambda p: self.flip(p, self.value(place), int(mask, 0)))

    def do_cut(self, place):
        self.damage.append(lambda p: p[:self.value(place)])

    def do_drop(self, start, end):
        self.damage.append(lambda p: p[:self.value(start)] + p[self.value(end):])

    @staticmethod
    def flip(p, place, mask):
        return p[:place] + bytes([p[place] ^ mask]) + p[place + 1:]

    def line(self, line):
        words = shlex.split(line, comments=True)
        if words:
            do = getattr(self, "do_" + words[0], None)
            if not do:
                raise TextError("no such word: " + words[0])
            do(*words[1:])

    def finish(self):
        self.close()
        out = bytes(self.out)
        for damage in self.damage:
            out = damage(out)
        return out


HERE = os.path.dirname(os.path.abspath(__file__))


def make(text, name="text", folder=HERE):
    """The bytes of a container; `folder` has what it is like."""
    m = Maker()
    for number, line in enumerate(lines_of(text, folder), 1):
        try:
            m.line(line)
        except (TextError, TypeError, ValueError) as e:
            raise TextError(f"{name}:{number}: {e}") from e
    return m.finish()


def make_file(source, target):
    with open(source, encoding="ascii") as f:
        container = make(f.read(), source)
    with open(target, "wb") as f:
        f.write(container)


def make_all(target):
    for folder in "good", "unusual", "faulty":
        os.makedirs(os.path.join(target, folder), exist_ok=True)
        for name in os.listdir(os.path.join(HERE, folder)):
            if name.endswith(".txt"):
                make_file(os.path.join(HERE, folder, name),
                          os.path.join(target, folder, name[:-4] + ".trc"))


def make_quick(target):
    """Makes all, and returns where those are that take a decoder in Python no minute."""
    make_all(target)
    return sorted(os.path.join(at, n) for at, _, found in os.walk(target) for n in found
                  if n[:-4] not in SLOW)


def main():
    if len(sys.argv) == 2:
        make_all(sys.argv[1])
    else:
        make_file(*sys.argv[1:])


if __name__ == "__main__":
    main()
