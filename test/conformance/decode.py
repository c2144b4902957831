#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Decodes containers of trc to csv: a second reader, written from src/container/SPEC.md alone.

    decode.py FILE.trc      prints the rows as csv
    decode.py --check FILE.trc      only reads everything, and checks it

Names in quotes are sections of SPEC.md. What is damaged or unknown is a sentence and exit status 1.
It needs nothing but the standard library, is slow, and repairs nothing.
"""
import lzma
import sys
from bisect import bisect_left, bisect_right, insort

U16, U32, U64 = (1 << 16) - 1, (1 << 32) - 1, (1 << 64) - 1
FAR = (1 << 24) - 1
GOLD = 0x9e3779b97f4a7c15


class Damaged(Exception):
    """What is read makes no sense, or is of a later version."""


def need(holds, what):
    """Refuses the container with this sentence unless something holds."""
    if not holds:
        raise Damaged(what)


def clamp(v, least, most):
    """v, but not below `least` nor above `most`."""
    return least if v < least else most if v > most else v


def div(a, b):
    """a / b, rounded towards zero ("Part 2")."""
    return a // b if a >= 0 else -(-a // b)


def zz(z):
    """What a zigzag number stands for (head of SPEC.md)."""
    return z >> 1 if z % 2 == 0 else -(z + 1 >> 1)


def size(n, most):
    """The least a from 10 to `most` with 2^a >= n ("Part 2")."""
    return clamp((n - 1).bit_length() if n > 1 else 0, 10, most)


def mix(v, h):
    """hash(v, h) of "Part 2"."""
    t = (h + v + 1) * 0x9e3779b1 & U32
    return t ^ t >> 15


class Bytes:
    """Bytes that are read from front to end (head of SPEC.md)."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def more(self):
        """How many bytes are left."""
        return len(self.data) - self.at

    def take(self, n):
        """The next n bytes."""
        need(n <= self.more(), "it ends too early")
        self.at += n
        return self.data[self.at - n:self.at]

    def fixed(self, n):
        """A number of n bytes, the lowest first."""
        return int.from_bytes(self.take(n), "little")

    def number(self, most=U64):
        """A number in LEB128."""
        v = 0
        for shift in range(0, 70, 7):
            byte = self.fixed(1)
            v |= (byte & 127) << shift
            if byte < 128:
                need(v <= most, "a number is too large: %d" % v)
                return v
        raise Damaged("a number has more than ten bytes")

    def end(self, what):
        """Refuses bytes that are left."""
        need(not self.more(), "there are bytes behind " + what)


# Part 1: the container

SECRET = bytes.fromhex("""
    b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f
    cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c
    3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8
    a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364
    eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e
    2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e""")
P1, P2, P3 = 0x9e3779b1, 0x85ebca77, 0xc2b2ae3d
Q1, Q2, Q3 = 0x9e3779b185ebca87, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9
Q4, Q5, Q6 = 0x85ebca77c2b2ae63, 0x27d4eb2f165667c5, 0x165667919e3779f9
Q7 = 0x9fb21c651e98df25


def fold(x, y):
    """The halves of a product, xor ("Sums")."""
    return (x * y & U64) ^ (x * y >> 64)


def end1(h):
    """The last steps of most lengths ("Sums")."""
    h = ((h ^ (h & U64) >> 37) & U64) * Q6 & U64
    return h ^ h >> 32


def end2(h):
    """The last steps of short ones ("Sums")."""
    h = (h ^ h >> 33) * Q2 & U64
    h = (h ^ h >> 29) * Q3 & U64
    return h ^ h >> 32


def xxh3(d, seed=0):
    """XXH3 of bytes ("Sums")."""
    n = len(d)

    def d4(i):
        return int.from_bytes(d[i:i + 4], "little")

    def d8(i):
        return int.from_bytes(d[i:i + 8], "little")

    def s8(i):
        return int.from_bytes(SECRET[i:i + 8], "little")

    def mixed(i, k):
        return fold(d8(i) ^ (s8(k) + seed & U64), d8(i + 8) ^ (s8(k + 8) - seed & U64))

    if n == 0:
        return end2(seed ^ s8(56) ^ s8(64))
    if n <= 3:
        c = (d[0] << 16) + (d[n // 2] << 24) + d[n - 1] + (n << 8)
        return end2(c ^ (((s8(0) & U32) ^ s8(4) & U32) + seed & U64))
    if n <= 8:
        seed ^= int.from_bytes((seed & U32).to_bytes(4, "little"), "big") << 32
        h = d4(n - 4) + (d4(0) << 32) ^ ((s8(8) ^ s8(16)) - seed & U64)
        h ^= ((h << 49 | h >> 15) ^ (h << 24 | h >> 40)) & U64
        h = h * Q7 & U64
        h = (h ^ (h >> 35) + n) * Q7 & U64
        return h ^ h >> 28
    if n <= 16:
        a = d8(0) ^ ((s8(24) ^ s8(32)) + seed & U64)
        b = d8(n - 8) ^ ((s8(40) ^ s8(48)) - seed & U64)
        return end1(n + int.from_bytes(a.to_bytes(8, "little"), "big") + b + fold(a, b) & U64)
    if n <= 128:
        return end1(n * Q1 + sum(mixed(16 * k, 32 * k) + mixed(n - 16 * k - 16, 32 * k + 16)
                                 for k in range((n - 1) // 32 + 1)) & U64)
    if n <= 240:
        h = end1(n * Q1 + sum(mixed(16 * k, 16 * k) for k in range(8)) & U64)
        return end1(h + sum(mixed(16 * k, 16 * k - 125) for k in range(8, n // 16))
                    + mixed(n - 16, 119) & U64)
    return long_xxh3(d, n, seed, s8)


def long_xxh3(d, n, seed, s8):
    """XXH3 of 241 bytes and more ("Sums")."""
    t = b"".join((s8(i) + (-seed if i % 16 else seed) & U64).to_bytes(8, "little")
                 for i in range(0, 192, 8))
    a = [P3, Q1, Q2, Q3, Q4, P2, Q5, P1]

    def t8(i):
        return int.from_bytes(t[i:i + 8], "little")

    def stripe(i, secret):
        for j, s in enumerate(secret):
            v = int.from_bytes(d[i + 8 * j:i + 8 * j + 8], "little")
            x = v ^ s
            a[j ^ 1] += v
            a[j] = a[j] + (x & U32) * (x >> 32) & U64

    secrets = [[t8(8 * m + 8 * j) for j in range(8)] for m in range(16)]
    for m in range((n - 1) // 64):
        stripe(64 * m, secrets[m % 16])
        if m % 16 == 15:
            a[:] = [((v & U64) ^ (v & U64) >> 47 ^ t8(128 + 8 * j)) * P1 & U64
                    for j, v in enumerate(a)]
    stripe(n - 64, [t8(121 + 8 * j) for j in range(8)])
    return end1(n * Q1 + sum(fold(a[2 * j] & U64 ^ t8(11 + 16 * j),
                                  a[2 * j + 1] & U64 ^ t8(19 + 16 * j)) for j in range(4)) & U64)


# Part 2: coders

class Coder:
    """Reads bits of known probability from bytes ("Range coder")."""

    def __init__(self, data):
        self.data, self.at, self.range = bytes(data) + bytes(16), 8, U64
        self.c, self.size = int.from_bytes(self.data[:8], "big"), len(data)

    def code(self, p):
        """A bit that is 0 with probability p / 65536."""
        bound = (self.range >> 16) * p
        if self.c < bound:
            bit, self.range = 0, bound
        else:
            bit, self.range, self.c = 1, self.range - bound, self.c - bound
        if self.range <= U32:
            self.range <<= 32
            self.at += 4
            need(self.at <= self.size + 8, "a range coded stream ends too early")
            self.c = (self.c << 32 & U64) + int.from_bytes(self.data[self.at - 4:self.at], "big")
        return bit

    def flag(self, p):
        """A bit that is 1 with probability p / 65536."""
        return 1 - self.code(p)

    def end(self):
        """Refuses a stream that has more or fewer bytes than were read."""
        need(self.at == self.size + 4, "a range coded stream does not end where its bytes end")


class Models:
    """Bit models by name, made when they are first used ("Range coder")."""

    def __init__(self, coder=None):
        self.coder, self.models = coder, {}

    def bit(self, *name):
        """A bit by the model of this name."""
        m = self.models.get(name)
        if m is None:
            m = self.models[name] = [1 << 21, 0]
        b = self.coder.code(m[0] >> 6)
        move(m, 64 * 64 if b else 64 * 65472, 30)
        return b

    def tree(self, k, *name, j=None):
        """A symbol by a tree of k bits; with j by its branch of j bits."""
        x = 1 << (k if j is None else j)
        x = (1 << k) // x
        while x < 1 << k:
            x = 2 * x + self.bit(*name, x)
        return x - (1 << k)

    def number(self, *name):
        """A number of up to 64 bits."""
        n = self.tree(5, *name, "len")
        if n == 31:
            n += self.tree(6, *name, "far")
        need(n <= 64, "a number has more than 64 bits")
        v = min(n, 1)
        for i in range(n - 2, -1, -1):
            v = 2 * v + (self.bit(*name, "head", n, v) if v < 4 else
                         self.bit(*name, "low", n, 4 * (v % 2) + i) if i < 3 else
                         self.bit(*name, "rest", i))
        return v


S = """32768 36843 40793 44511 47911 50941 53581 55834 57724 59287 60565 61598 62428 63090 63615
    64030 64357 64614 64816 64974 65097 65194 65269 65328 65374 65410 65438 65459 65476 65489 65500
    65508 65514 65519 65523 65526 65528 65530 65531 65532 65533 65534 65534 65535 65535 65535 65535
    65535 65536"""
S = [int(word) for word in S.split()]


def fine(x):
    """The probability of a stretch, in 2^22ths ("Logistic scale")."""
    if x < 0:
        return (1 << 22) - fine(-x)
    return 64 * S[x >> 6] + (S[(x >> 6) + 1] - S[x >> 6]) * (x & 63)


# Squash[x + 3071] = squash(x), stretch(p) = Stretch[p >> 4]; "Logistic scale"
Squash = [S[x >> 6] + ((S[(x >> 6) + 1] - S[x >> 6]) * (x & 63) >> 6) for x in range(3072)]
Squash = [65536 - p for p in Squash[:0:-1]] + Squash
Stretch = [min(x - 3071, 3071) for x in [bisect_left(Squash, 16 * k + 8) for k in range(4096)]]
Rate = [16384 // (2 * n + 3) for n in range(1024)]


def squash(x):
    """The probability of a stretch, in 65536ths ("Logistic scale")."""
    return Squash[x + 3071]


def stretch(p):
    """The stretch of a probability in 65536ths ("Logistic scale")."""
    return Stretch[p >> 4]


def counter(p, n):
    """A counter that begins with P = p, and n ("Counter")."""
    return [64 * p, n]


def move(c, to, limit):
    """Moves a counter ("Counter")."""
    p, n = c
    c[0] = p + ((to - p >> 3) * Rate[n] >> 10)
    if n < limit:
        c[1] = n + 1


def learn(c, bit, limit):
    """A counter learns a bit ("Counter")."""
    move(c, bit << 22, limit)


def history(h, bit):
    """A bit history with one more bit ("Bit history")."""
    return (2 * h + bit) & 255 | h & 128


def first_of(h):
    """first(h) of "Bit history"."""
    c = counter(32768, 0)
    for i in range(h.bit_length() - 2, -1, -1):
        learn(c, h >> i & 1, 1023)
    return c[0] >> 6


First = [first_of(h) for h in range(256)]
FirstStretch = [clamp(stretch(p), -2047, 2047) for p in First]


def count_states():
    """Following states with a 0, with a 1, and first predictions ("Count state")."""
    left = [0, 1, 2, 3, 4, 5, 5, 6, 7]
    most = [20, 48, 15, 8, 6, 5]

    def kinds(n0, n1):
        a, b = max(n0, n1), min(n0, n1)
        return 0 if b > 5 or a > most[b] else 2 if b and a + b <= 17 else 1

    def after(n0, n1, bit):
        if n0 < n1:
            return after(n1, n0, 1 - bit)[::-1]
        if bit == 0:
            n0, n1 = n0 + 1, left[min(n1, 8)]
        else:
            n0, n1 = left[min(n0, 8)], n1 + 1
        while not kinds(n0, n1):
            if n1 < 2:
                n0 -= 1
            else:
                n0, n1 = (n0 * (n1 - 1) + n1 // 2) // n1, n1 - 1
        return n0, n1

    states = [(t - n1, n1, bit) for t in range(50) for n1 in range(t + 1)
              for bit in range(kinds(t - n1, n1))]
    number = {state: i + 1 for i, state in enumerate(states)}
    follow = [[0], [0]]
    for n0, n1, _ in states:
        for bit in (0, 1):
            pair = after(n0, n1, bit)
            follow[bit].append(number[pair + (bit if kinds(*pair) == 2 else 0,)])
    firsts = [0] + [65536 * (5 * n1 + 2) // (5 * (n0 + n1) + 4) for n0, n1, _ in states]
    return follow[0], follow[1], firsts


Next0, Next1, CountFirst = count_states()
FINE = [fine(y) for y in range(-2047, 2048)]


class StateMaps:
    """State maps of one slowness, by name ("State map")."""

    def __init__(self, slowness):
        self.n, self.map, self.ups = slowness, {}, {}

    def up(self, x):
        """The stretch behind a 1."""
        y = self.ups.get(x)
        if y is None:
            to = fine(x) + ((1 << 22) - fine(x)) // self.n
            i = min(bisect_left(FINE, to), 4094)
            y = self.ups[x] = i - 2047 - (i > 0 and to - FINE[i - 1] < FINE[i] - to)
        return y

    def get(self, name, h):
        """The stretch of history h in a map."""
        return self.map.get((name, h), FirstStretch[h])

    def learn(self, name, h, bit, x=None):
        """A map learns a bit behind history h."""
        x = self.get(name, h) if x is None else x
        self.map[name, h] = self.up(x) if bit else -self.up(-x)


def dot(weights, inputs):
    """The weighted sum of inputs ("Mixer")."""
    return sum([w * x for w, x in zip(weights, inputs)])


def mixer_learn(weights, inputs, p, rate, bit):
    """A mixer that predicted p learns a bit ("Mixer")."""
    e = ((65535 if bit else 0) - p) * rate >> 4
    if rate > 8:
        e = clamp(e, -32767, 32767)
    for i, x in enumerate(inputs):
        if x:
            weights[i] = clamp(weights[i] + (x * e + 32768 >> 16), -32768, 32767)


class Match:
    """A match model over a list of symbols ("Match model")."""

    def __init__(self, symbols, bits):
        self.x, self.bits, self.table, self.at, self.len, self.misses = symbols, bits, {}, 0, 0, 0

    def place(self, u):
        """The place noted with hash u, whose upper bits select the entry; 0 for none."""
        i, check = self.table.get(u >> 32 - self.bits, (0, 0))
        return i if check == u & 255 else 0

    def note(self, i, u):
        """Notes place i with hash u."""
        self.table[u >> 32 - self.bits] = (i & FAR, u & 255)

    def try_at(self, place, i, least):
        """try(place, i, least)."""
        if place:
            n, x = 0, self.x
            while n < 32 and n < place and x[place - 1 - n] == x[i - 1 - n]:
                n += 1
            if n >= least:
                self.at, self.len, self.misses = place, n, 0

    def follow(self, right):
        """follow(right)."""
        self.at += 1
        self.len += 1
        if right:
            self.misses = 0 if self.len >= 16 else self.misses
        else:
            self.len, self.misses = 0, self.misses + 1
            if self.misses == 8:
                self.at = self.misses = 0


def bucket(n):
    """bucket(len) of "Match model"."""
    if n < 2:
        return n
    e = n.bit_length() - 1
    return 31 if n >= 65536 else 2 * e + (n >> e - 1 & 1)


def expect(b, h):
    """expect(b, h) of "Match model"."""
    x = stretch(65535 - 65536 // (b + 2)) + stretch(First[h])
    return clamp(div(x * 7, 8), -2047, 2047)


class Table(dict):
    """The lines of slots that predictors share; made when used ("Predictor")."""

    def __init__(self, bits, coder=None):
        super().__init__()
        self.bits, self.coder = bits, coder

    def __missing__(self, line):
        self[line] = [bytearray(16) for _ in range(4)]
        return self[line]


Apm = [squash(clamp(256 * (j - 12), -3071, 3071)) for j in range(25)]


class Predictor:
    """A bit from many contexts ("Predictor")."""

    def __init__(self, table, number, contexts, experts=0):
        self.table, self.number, self.count = table, number, contexts
        self.maps, self.mixers, self.apms, self.seen = {}, {}, {}, 0
        rest = 7000 // contexts
        self.weights = [rest] * contexts + [1500] * experts + [rest]

    def find(self, contexts):
        """Finds the slots of contexts."""
        shift, table, places = 32 - self.table.bits, self.table, []
        m = 16 * self.number
        for c in contexts:
            x = ((c >> 4) + m * 0x3d4d51cb) * 0x85ebca6b & U32
            x = (x ^ x >> 13) * 0x9e3779b1 & U32
            line, check, m = table[x >> shift], x >> shift - 8 & 255 or 1, m + 1
            for s, slot in enumerate(line):
                if slot[0] == check:
                    if s:
                        line[s - 1], line[s] = slot, line[s - 1]
                        s -= 1
                    break
                if slot[0] == 0 or s == 3:
                    line[s] = bytearray((check,) + (1,) * 15)
                    break
            places.append((line, s, c & 15))
        self.places = places

    def find_by_path(self, path, contexts):
        """Finds slots by path."""
        self.find([mix(path, c) << 4 & U32 for c in contexts])

    def bit(self, node, mixers, apms, experts=(), mapset=0):
        """A bit by the slots found, at `node` in them."""
        inputs, counters, last, maps = [], [], 0, self.maps
        key = mapset << 12
        for k, (line, s, c) in enumerate(self.places):
            cell = line[s][node + c]
            count = maps.get(key + cell)
            if count is None:
                count = [64 * (CountFirst if k & 1 else First)[cell], 3]
                maps[key + cell] = count
            counters.append(count)
            inputs.append(Stretch[count[0] >> 10])
            key += 256
            if cell != 1:
                last = k + 1
        inputs.extend(experts)
        inputs.append(256)
        s1, s2, s3 = mixers
        chosen, total = [], 0
        for name in ((0, s1), (1, s2), (2, s3, last)):
            weights = self.mixers.get(name)
            if weights is None:
                weights = self.mixers[name] = self.weights[:]
            y = sum([w * x for w, x in zip(weights, inputs)]) >> 13
            y = -3071 if y < -3071 else 3071 if y > 3071 else y
            total += y
            chosen.append((weights, Squash[y + 3071]))
        y = div(total, 3)
        j, r = y + 3072 >> 8, y + 3072 & 255
        p = 2 * Squash[y + 3071]
        for i, t in enumerate(apms):
            a = self.apms.get((i, t))
            if a is None:
                a = self.apms[i, t] = Apm[:]
            p += (a[j] * (256 - r) + a[j + 1] * r) // 256
        p //= 4
        bit = 1 - self.table.coder.code(16 if p < 16 else 65520 if p > 65520 else p)
        self.learn(bit, node, inputs, chosen, counters)
        for i, t in enumerate(apms):
            a, k = self.apms[i, t], j + (r > 128)
            a[k] += 65535 - a[k] >> 6 if bit else -(a[k] >> 6)
        return bit

    def learn(self, bit, node, inputs, chosen, counters):
        """Mixers, counters and cells learn a bit."""
        seen = self.seen
        self.seen += 1
        rate = 16 if seen < 2000 else 12 if seen < 20000 else 8 if seen < 200000 else \
            4 if seen < 1000000 else 2
        used = [(i, x) for i, x in enumerate(inputs) if x]
        for weights, p in chosen:
            e = ((65535 if bit else 0) - p) * rate >> 4
            if rate > 8:
                e = clamp(e, -32767, 32767)
            for i, x in used:
                w = weights[i] + (x * e + 32768 >> 16)
                weights[i] = -32768 if w < -32768 else 32767 if w > 32767 else w
        to, follow, k = bit << 22, Next1 if bit else Next0, 0
        for count, (line, s, c) in zip(counters, self.places):
            p, n = count
            count[0] = p + ((to - p >> 3) * Rate[n] >> 10)
            if n < 255:
                count[1] = n + 1
            slot, c = line[s], node + c
            h = slot[c]
            slot[c] = follow[h] if k else (2 * h + bit) & 255 | h & 128
            k ^= 1


class NumberModel(Predictor):
    """Numbers below 2^24 by a predictor ("Number model")."""

    def __init__(self, table, number, contexts, experts=0):
        super().__init__(table, number, contexts, experts)
        self.trust, self.right = {}, [0] * experts

    def read(self, contexts, selector=0, expected=()):
        """A number; `expected` has what each expert expects, or None."""
        same = [4 * right + min(3, expected.count(e) - 1)
                for right, e in zip(self.right, expected)]
        going = [(i, e) for i, e in enumerate(expected) if e is not None]
        q, path, low = 1, 1, selector % 8
        for b in range(4, -1, -1):
            if b in (4, 0):
                self.find_by_path(path, contexts)
                node = 1
            bit = self.expert_bit(node, (q, 32 * low + q, b), (32 * selector + q, q), 0, going,
                                  same, 4 - b, lambda e: e.bit_length() >> b & 1)
            going = [(i, e) for i, e in going if e.bit_length() >> b & 1 == bit]
            q, path, node = 2 * q + bit, 2 * path + bit, 2 * node + bit
        k = q - 32
        need(k <= 24, "a number has more than 24 bits")
        v = self.low_bits(k, min(k, 1), path, node, 5, contexts, selector, going, same)
        self.right = [r if e is None else (2 * r + (e == v)) & 7
                      for r, e in zip(self.right, expected)]
        return v

    def of_bits(self, n, contexts, selector=0):
        """A number of n bits, without experts."""
        return self.low_bits(n + 1, 1, 1, 1, 0, contexts, selector, [], []) - (1 << n)

    def low_bits(self, k, w, path, node, done, contexts, selector, going, same):
        """The bits behind the first of a number of k bits, which is w before."""
        low = selector % 8
        for d in range(k - 1):
            if (done + d) % 4 == 0:
                self.find_by_path(path, contexts)
                node = 1
            shift = k - 2 - d
            bit = self.expert_bit(node, (32 + 24 * k + d, 256 + 32 * low + d, 5 + min(d, 7)),
                                  (1024 + 32 * k + (w if w < 32 else 0), 64 + 24 * k + d),
                                  2 if d else 1, going, same, 5 + min(d, 6),
                                  lambda e: e >> shift & 1)
            going = [(i, e) for i, e in going if e >> shift & 1 == bit]
            w, path, node = 2 * w + bit, 2 * path + bit, 2 * node + bit
        return w

    def expert_bit(self, node, mixers, apms, mapset, going, same, place, expected):
        """A bit with the experts that were right so far; each learns whether it still is."""
        experts, trust = [0] * len(self.right), []
        for i, e in going:
            c = self.trust.setdefault((i, same[i], place), None)
            if c is None:
                c = self.trust[i, same[i], place] = counter(57344, 1)
            x = stretch(c[0] >> 6)
            experts[i] = x if expected(e) else -x
            trust.append((c, expected(e)))
        bit = self.bit(node, mixers, apms, experts, mapset)
        for c, e in trust:
            learn(c, e == bit, 127)
        return bit


def fields(data, w):
    """Fields of w bytes, the most significant first."""
    return [int.from_bytes(data[i:i + w], "big") for i in range(0, len(data), w)]


def packed_stream(r, most):
    """A packed stream of at most so many bytes, unpacked ("Packed streams")."""
    n = r.number(most)
    return unpack(n, r.fixed(1), r.take(r.number())) if n else b""


def unpack(n, method, data):
    """The n bytes of a stream ("Packed streams")."""
    if method == 0:
        need(len(data) == n, "a stored stream has another length than it says")
        return data
    if method <= 8:
        return unpack_lzma(n, method, data)
    need(16 <= method <= 24 and method != 20, "a stream has method %d, which is unknown" % method)
    r = Bytes(data)
    if method <= 19:
        return mixed_stream(r, n, 1 << method - 16)
    if method <= 22:
        return ranked_stream(r, n, method - 20)
    return tokens_stream(r, n) if method == 23 else literals_stream(r, n)


def unpack_lzma(n, method, data):
    """Methods 1 to 8: raw LZMA1 ("Packed streams")."""
    lc, lp, pb = [(0, 0, 0), (4, 0, 0), (3, 0, 0), (0, 1, 1), (0, 2, 2), (0, 3, 3), (3, 1, 1),
                  (0, 1, 1)][method - 1]
    filters = [{"id": lzma.FILTER_LZMA1, "lc": lc, "lp": lp, "pb": pb,
                "dict_size": max(4096, 1 << (n - 1).bit_length())}]
    try:
        out = lzma.LZMADecompressor(lzma.FORMAT_RAW, None, filters).decompress(data, n)
    except (lzma.LZMAError, EOFError) as err:
        raise Damaged("a stream of LZMA is damaged") from err
    need(len(out) == n, "a stream of LZMA is too short")
    if method < 8:
        return out
    need(n % 4 == 0, "halves are not of whole fields")
    return b"".join(out[2 * i:2 * i + 2] + out[n // 2 + 2 * i:n // 2 + 2 * i + 2]
                    for i in range(n // 4))


def mixed_stream(r, n, w):
    """Methods 16 to 19 ("Context mixing")."""
    bits = r.fixed(1)
    need(1 <= bits <= 8 and n % w == 0, "a mixed stream is damaged")
    coder = Coder(r.take(r.more()))
    model = Predictor(Table(size(2 * n, 19), coder), 0, 7, 1)
    x, least, trust, hashes = bytearray(), 16 if w == 8 else 8, {}, Hashes(w)
    match = Match(x, size(n, 19))
    for i in range(n):
        contexts = hashes.contexts(x) if i else [0] * 7
        column, path, known = i % w, 1, match.at > 0
        for b in range(bits - 1, -1, -1):
            if b == bits - 1 or b == 3 and bits > 4:
                model.find_by_path(path, contexts)
                node = 1
            expert, place, e, c = 0, 0, 0, None
            if known:
                place, e = bucket(match.len), x[match.at] >> b & 1
                c = trust.get(place)
                if c is None:
                    c = trust[place] = counter(65535 - 65536 // (place + 2), 8)
                expert = stretch(c[0] >> 6) * (1 if e else -1)
            last = x[-1] if x else 0
            t = 16 * last + path if bits <= 4 else \
                ((256 * last + path) * 0x9e3779b1 + column * 0x3d4d51cb & U32) >> 19
            bit = model.bit(node, (2 * (32 * column + place) + e, 256 * column + path,
                                   8 * column + b), (256 * column + path, t), (expert,))
            if known:
                learn(c, e == bit, 127)
                known = e == bit
            path, node = 2 * path + bit, 2 * node + bit
        symbol = path - (1 << bits)
        x.append(symbol)
        if match.at:
            match.follow(x[match.at] == symbol)
        if (i + 1) % w == 0 and i + 1 >= least:
            key = 0
            for v in x[-least:]:
                key = key * 0x2f0b4c47 + v + 1
            key = key * 0x9e3779b1 & U32
            if match.len == 0:
                match.try_at(match.place(key), i + 1, least)
            match.note(i + 1, key)
    coder.end()
    return bytes(x)


class Hashes:
    """Contexts of symbols ("Context mixing")."""

    def __init__(self, w):
        self.w, self.f, self.g, self.g2 = w, 0, 0, 0

    def contexts(self, x):
        """The seven contexts of the symbol behind those of x."""
        i, w, m = len(x), self.w, 0x2f0b4c47
        if w == 1:
            out, h, power = [], 0, 1
            for j in range(1, min(i, 20) + 1):
                h = h + (x[i - j] + 1) * power & U32
                power = power * m & U32
                if j in (1, 2, 3, 5, 8, 12, 20):
                    out.append(h)
            return out + [h] * (7 - len(out))

        def mixed(v, u):
            return (u + v + 1) * m & U32

        self.f = mixed(x[-1], self.f)
        if i % w == 0:
            self.g2, self.g, self.f = self.g, self.f, 0
        f, g, g2 = self.f, self.g, self.g2
        b1, b2 = x[i - w] if i >= w else 0, x[i - 2 * w] if i >= 2 * w else 0
        return [i % w, f, mixed(g, f), mixed(g2, mixed(g, f)), mixed(b1, f),
                mixed(b1 + 256 * b2, f), mixed(g2, f) + 1 & U32]


def tokens_stream(r, n):
    """Method 23 ("Tokens")."""
    coder = Coder(r.take(r.more()))
    return Tokens(coder, n).read()


class Tokens:
    """The tokens of a stream of method 23 ("Tokens")."""

    def __init__(self, coder, n):
        self.coder, self.n, self.bits, self.r = coder, n, size(n, 15), 0
        self.x, self.histories, self.models = bytearray(), bytearray(), Models(coder)
        self.match, self.maps, self.slots = Match(self.x, self.bits), StateMaps(80), {}
        self.mixers, self.trust, self.beside = {}, {}, {}

    def hash(self, o):
        """H(o), a hash of the last o tokens."""
        return ((self.r & (1 << 4 * o) - 1) << 64 - 4 * o) * GOLD % (1 << 64) >> 32

    def put(self, token, h):
        """A token is known, and its history."""
        self.x.append(token)
        self.histories.append(h)
        self.r = 16 * self.r + token & U64

    def read(self):
        """All tokens."""
        match, x = self.match, self.x
        while len(x) < self.n:
            wrong = False
            if match.len >= 200:
                run = self.models.number()
                need(run <= self.n - len(x), "a run of tokens is too long")
                for _ in range(run):
                    self.put(x[match.at], 255)
                    match.at += 1
                match.len, match.misses, wrong = 199, 0, True
                if len(x) == self.n:
                    break
            elif match.len >= 12 and self.histories[match.at] == 255:
                wrong = not self.sure()
                if not wrong:
                    self.behind()
                    continue
            self.flags(wrong)
            self.behind()
        self.coder.end()
        return bytes(x)

    def sure(self):
        """Step 2: is it the token that a good match expects?"""
        b = bucket(self.match.len)
        c = self.trust.get(b)
        if c is None:
            c = self.trust[b] = counter(squash(expect(b, 255)), 16)
        bit = self.coder.flag(clamp(c[0] >> 6, 16, 65520))
        learn(c, bit, 255)
        if bit:
            self.put(self.x[self.match.at], 255)
        return bit

    def behind(self):
        """What the match does behind a token."""
        match, i = self.match, len(self.x)
        if match.at:
            match.follow(self.x[match.at] == self.x[-1])
        u = self.hash(12)
        if match.len == 0:
            match.try_at(match.place(u), i, 12)
        match.note(i, u)

    def flags(self, wrong):
        """Step 3: flags, up to the token."""
        order, match = (0, 8, 1, 2, 3, 4, 5, 6, 7), self.match
        expected = self.x[match.at] if match.at else None
        slots = [(o, (self.r & (1 << 4 * o) - 1) if o < 5 else self.hash(o) >> 32 - self.bits)
                 for o in (1, 3, 5, 7)]
        d, part, e = 0, match.at and not wrong, order.index(expected) if match.at else 0
        while d < 8:
            if not (wrong and d == e):
                if self.flag(d, slots, part and d <= e, d == e):
                    break
            d += 1
        token = order[d]
        h = history(self.histories[match.at], token == expected) if match.at else 1
        self.put(token, h)

    def flag(self, d, slots, part, now):
        """One flag."""
        histories = [self.slots.get((slot, d), 1) for slot in slots]
        inputs = [self.maps.get((k, d), h) for k, h in enumerate(histories)] + [0, 256]
        name = 0
        if part:
            b, h = bucket(self.match.len), self.histories[self.match.at]
            beside = (h, b // 2, now)
            x = self.beside.get(beside)
            x = expect(b // 2 * 2 + 1, h) if x is None else x
            inputs[4], name = x if now else -x, 1 + b + 31 * now
        first = self.mixers.setdefault((0, d, self.r & 15), [2500] * 5 + [0])
        second = self.mixers.setdefault((1, d, name), [2500] * 5 + [0])
        p = squash(clamp(dot(first, inputs) + dot(second, inputs) >> 14, -2048, 2047))
        bit = self.coder.flag(p)
        mixer_learn(first, inputs, p, 6, bit)
        mixer_learn(second, inputs, p, 6, bit)
        for k, h in enumerate(histories):
            self.maps.learn((k, d), h, bit)
            self.slots[slots[k], d] = history(h, bit)
        if part:
            self.beside[beside] = self.maps.up(x) if bit == now else -self.maps.up(-x)
        return bit


def spread(h):
    """spread(h) of "Literals"."""
    h = h * 0x9e3779b1 & U32
    h = (h ^ h >> 15) * 0x85ebca6b & U32
    return h ^ h >> 13


def literals_stream(r, n):
    """Method 24 ("Literals")."""
    groups = r.fixed(1)
    need(1 <= groups <= 8 and n % 4 == 0, "a stream of literals is damaged")
    coder = Coder(r.take(r.more()))
    x = Literals(coder, n // 4, groups).read()
    return b"".join(v.to_bytes(4, "big") for v in x)


class Literals:
    """The fields of a stream of method 24 ("Literals")."""

    def __init__(self, coder, n, groups):
        self.coder, self.n, self.groups, self.bits = coder, n, groups, size(4 * n, 16)
        self.x, self.histories, self.maps, self.tables = [], bytearray(), StateMaps(32), {}
        self.match, self.mixers, self.trust, self.f = Match(self.x, self.bits), {}, {}, 1

    def read(self):
        """All fields."""
        x, match = self.x, self.match
        for i in range(self.n):
            x1, x2 = x[-1] if i else 0, x[-2] if i > 1 else 0
            if match.at and self.expected():
                v = x[match.at]
            else:
                v = 0
                for t in range(4 * self.groups - 4, -4, -4):
                    v = v << 4 | self.group(t, v, x1, x2)
            x.append(v)
            right = match.at and x[match.at] == v
            self.histories.append(history(self.histories[match.at], right) if match.at else 1)
            if match.at:
                match.follow(right)
            if i:
                u = spread(v * 0x2545f491 + x1 & U32)
                if match.len == 0:
                    match.try_at(match.place(u), i + 1, 2)
                match.note(i + 1, u)
        self.coder.end()
        return x

    def expected(self):
        """Step 1: is it the field that the match expects?"""
        b, h = bucket(self.match.len), self.histories[self.match.at]
        first = self.trust.setdefault((0, b, h), counter(squash(expect(b, h)), 8))
        second = self.trust.setdefault((1, b, self.f), counter(First[self.f], 8))
        inputs = [stretch(first[0] >> 6), stretch(second[0] >> 6), 0, 256]
        weights = self.mixers.setdefault((0, b), [4000, 4000, 4000, 0])
        p = squash(clamp(dot(weights, inputs) >> 13, -2048, 2047))
        p = clamp(p, 24, 65512)
        bit = self.coder.flag(p)
        mixer_learn(weights, inputs, p, 8, bit)
        learn(first, bit, 30)
        learn(second, bit, 30)
        self.f = history(self.f, bit)
        return bit

    def group(self, t, above, x1, x2):
        """Four bits, from bit t on, below those that are known."""
        y = x1 >> 8
        c = y if t >= 16 else x2 >> 8 ^ (y * 0x9e3779b1 & U32) if t >= 8 else x1
        contexts = [0, c * 0xd6e8feb86659fd93 + 1 & U64, y * 0xd6e8feb86659fd93 + 2 & U64]
        above |= 1 << 4 * self.groups - 4 - t
        slots = [self.slot(k, c, above) for k, c in enumerate(contexts[:2 if t >= 16 or t == 0
                                                                       else 3])]
        weights, node = self.mixers.setdefault((1, t), [4000, 4000, 4000, 0]), 1
        for b in range(t + 3, t - 1, -1):
            inputs = [self.maps.get((b, k), slot[node]) for k, slot in enumerate(slots)]
            inputs += [0] * (3 - len(slots)) + [256]
            p = squash(clamp(dot(weights, inputs) >> 13, -2048, 2047))
            bit = self.coder.flag(p)
            mixer_learn(weights, inputs, p, 8, bit)
            for k, slot in enumerate(slots):
                self.maps.learn((b, k), slot[node], bit)
                slot[node] = history(slot[node], bit)
            node = 2 * node + bit
        return node - 16

    def slot(self, k, c, s):
        """The bit histories of a context for a group."""
        h = c + (s >> 2) * GOLD & U64
        check = (h >> 32) + s & 255 | 2
        line = self.tables.get((k, h >> 66 - self.bits))
        if line is None:
            line = self.tables[k, h >> 66 - self.bits] = [bytearray([1] * 16) for _ in range(4)]
        one, two = line[s & 3], line[s & 3 ^ 1]
        if one[0] == check or two[0] == check:
            return one if one[0] == check else two
        slot = two if two[1] < one[1] else one
        slot[:] = bytes([check] + [1] * 15)
        return slot


def ranked_stream(r, n, width):
    """Methods 21 and 22 ("Ranking")."""
    bits, least, more = r.fixed(1), r.fixed(1), r.fixed(1)
    need(1 <= bits <= 8 * width and more <= 2 and n % width == 0 and n // width <= FAR + 1,
         "a ranked stream is damaged")
    coder = Coder(r.take(r.more()))
    x = Ranking(coder, n // width, bits, least, more).read()
    return b"".join(v.to_bytes(width, "big") for v in x)


def hash2(v, use):
    """hash2(v, use) of "Ranking"."""
    return (v * (GOLD + use * 0xd1b54a32d192ed02) & U64) >> 32


class Ranking:
    """The symbols of a stream of methods 21 and 22 ("Ranking")."""

    def __init__(self, coder, n, bits, least, more):
        a = size(n // 4, 20)
        self.coder, self.n, self.bits, self.least = coder, n, bits, least << 14
        self.entry_bits, self.line_bits = min(a + 2, 18 + more), min(a, 17 + more) - 6
        self.x, self.histories, self.models = [], bytearray(), Models(coder)
        self.match, self.shape, self.far, self.path = Match(self.x, min(a, 17 + more)), 0, 0, 0
        self.tried, self.trust, self.weights, self.entries, self.lines = {}, {}, {}, {}, {}

    def read(self):
        """All symbols."""
        while len(self.x) < self.n:
            self.refused, self.early = [], False
            if not (self.match.len >= 4 and self.sure()):
                self.symbol()
        self.coder.end()
        return self.x

    def put(self, symbol, h):
        """A symbol is known, and its history: it goes into the shape."""
        self.x.append(symbol)
        self.histories.append(h)
        d = next((d for d in range(1, min(15, len(self.x) - 1) + 1)
                  if self.x[-1 - d] == symbol), 0)
        self.shape = 16 * self.shape + d & U64
        self.far = (self.far + d + 1) * 4 * GOLD & U64
        self.path = (self.path + symbol + 1) * 1024 * GOLD & U64

    def sure(self):
        """Steps 2 and 3: whether symbols came as the match expects, and none was refused."""
        m, i, h = self.match, len(self.x), self.histories
        good = (3, 7, 15, 31, 63, 127, 255)
        if (m.len >= 64 or m.len >= 32 and h[m.at] >= 63) and all(
                v in good for v in h[m.at:min(m.at + 4, i)]):
            return self.run(i, h, good)
        trust, shape = self.trusts()
        p = trust[0] >> 6
        if trust[0] < self.least:
            return False
        if shape[1] >= 2:
            p = p + (shape[0] >> 6) >> 1
        bit = self.coder.flag(min(65512, p))
        learn(trust, bit, 1022)
        learn(shape, bit, 15)
        expected = self.x[m.at]
        if bit:
            self.tried[expected] = 2 * self.tried.get(expected, 0) + 1 & 255
            self.put(expected, history(h[m.at], 1))
            m.follow(True)
        else:
            self.refused, self.early = [expected], True
        return bit

    def run(self, i, h, good):
        """Step 2: a run of expected symbols."""
        m, n = self.match, self.n - i
        count = next((j - m.at for j in range(m.at, i) if h[j] not in good), n)
        count = min(count, n)
        less = self.models.bit("run", count.bit_length() - 1)
        right = self.models.number("count") if less else count
        need(right < count or not less, "a run of symbols is too long")
        for _ in range(right):
            self.put(self.x[m.at], history(h[m.at], 1))
            m.at += 1
            m.len += 1
        if less:
            self.refused, self.early = [self.x[m.at]], True
        return not less

    def trusts(self):
        """Trust on the match, and shape trust."""
        m = self.match
        b, h = bucket(m.len) // 4, self.histories[m.at]
        name = b, h, self.tried.get(self.x[m.at], 0) & 7
        trust = self.trust.get(name)
        if trust is None:
            trust = self.trust[name] = counter(squash(expect(4 * b + 2, h)), 2)
        return trust, self.trust.setdefault(hash2(self.shape & U32, 2) >> 17, counter(65520, 0))

    def back(self, d):
        """The symbol d places back."""
        return self.x[-d] if d <= len(self.x) else 0

    def entry(self, u):
        """Entry of a context."""
        check, j, new = u & U16 | 1, u >> 32 - self.entry_bits, [0, 0, 0, 0]
        one, two = self.entries.get(j, new), self.entries.get(j ^ 1, new)
        if one[0] != check and (two[0] == check or two[1] < one[1]):
            j, one = j ^ 1, two
        if one[0] != check:
            one = self.entries[j] = [check, 0, 0, 0]
        return j

    def symbol(self):
        """Steps 4 to 6: a symbol by offers, and else by its bits."""
        m, x, i = self.match, self.x, len(self.x)
        names = [self.entry(u) for u in (self.far >> 32, hash2(self.shape << 16 & U64, 1),
                                         self.path >> 32)]
        key = (self.path ^ self.far) >> 32
        place = m.place(key)
        m.note(i, key)
        if m.len < 4:
            m.try_at(place, i, 14)
        believed = m.len >= 4
        expected, trust = (x[m.at], self.trusts()[0]) if believed else (None, None)
        entries = [self.entries[j][1:] for j in names]
        values = [[self.back(65536 - v) if v > 0xfff0 and k < 2 else v for v in e[1:]]
                  if e[0] else None for k, e in enumerate(entries)]
        candidates = [expected] if believed else []
        candidates += [v[0] for v in values if v] + [v[1] for v in values if v]
        symbol = None
        for c in candidates:
            if len(self.refused) == 3:
                break
            if c not in self.refused:
                if self.offer(c, values, entries, trust, expected):
                    symbol = c
                    break
                self.refused.append(c)
        if symbol is None:
            symbol = self.plain()
        right = symbol == expected
        if believed and not self.early:
            learn(trust, right, 1022)
        self.put(symbol, history(self.histories[m.at], right) if believed else 1)
        if believed:
            self.tried[expected] = 2 * self.tried.get(expected, 0) + right & 255
        if m.at:
            m.follow(x[m.at] == symbol)
        self.entries_learn(names, entries, values)

    def entries_learn(self, names, entries, values):
        """The last part of step 6."""
        d, symbol = self.shape & 15, self.x[-1]
        for k, (j, (h, last, other)) in enumerate(zip(names, entries)):
            v = 65536 - d if k < 2 and d else symbol
            e = self.entries[j]
            if h == 0:
                e[1:] = [1, v, v]
            elif v == last:
                e[1:] = [history(h, 1), last, other]
            else:
                e[1:] = [history(h, 0), v, last]

    def offer(self, c, values, entries, trust, expected):
        """Is the symbol this candidate?"""
        used, count = [], len(self.refused)
        for k, (v, (h, _, _)) in enumerate(zip(values, entries)):
            is_ = 0 if not v else (v[0] == c) + 2 * (v[1] == c)
            p = First[h]
            used.append(((count, k, h, is_), stretch(p) * 24 // 10 if is_ & 1 else None))
            if not is_ & 1:
                q = 65535 - p
                used[-1] = (used[-1][0], scaled(q * 3 // 4 if is_ else q // 2))
            else:
                used[-1] = (used[-1][0], scaled(p))
        used.append(((count, trust[0] >> 16 if trust else -1, expected == c, 0, 0), 0))
        return self.weighted(used)

    def weighted(self, used):
        """A flag by the sum of four weights, which learn."""
        w = [self.weights.get(name, first) for name, first in used]
        p = squash(clamp(sum(w) >> 3, -2020, 2020))
        bit = self.coder.flag(p)
        step = ((65535 if bit else 0) - p) * 100 + 32768 >> 16
        for (name, _), v in zip(used, w):
            self.weights[name] = (v + step + 32768 & U16) - 32768
        return bit

    def plain(self):
        """Step 5: the bits of a symbol."""
        node, c = 1, self.refused[0] if self.refused else 0
        one, two = self.back(1), self.back(2)
        for j in range(self.bits):
            if j % 6 == 0:
                lines, low = [], 1
                for k, v in enumerate((node, (65536 * one + node) * 0x2f0b4c47,
                                       (65536 * two + node) * 0x2f0b4c47,
                                       (65536 * c + node) * 0x2f0b4c47)):
                    v &= U32
                    u = (v ^ v >> 15) * 0x9e3779b1 & U32
                    name = k, u >> 32 - self.line_bits
                    lines.append(self.lines.setdefault(name, bytearray([1] * 64)))
            b = self.bits - 1 - j
            bit = self.weighted([((b, k, line[low]), scaled(First[line[low]]))
                                 for k, line in enumerate(lines)])
            for line in lines:
                line[low] = history(line[low], bit)
            node, low = 2 * node + bit, 2 * low + bit
        return node - (1 << self.bits)


def scaled(p):
    """st(p) of "Ranking"."""
    return div(stretch(p) * 24, 10)


# Part 3: the program

BY_OP = (11, 13, 12)                                    # insn, regs, branch ("Columns by op")


class Op:
    """An instruction of the program: its first slot and its edges, too ("Part 3")."""

    def __init__(self, pc, shape, length, end, fetch):
        self.pc, self.shape, self.length, self.end, self.fetch = pc, shape, length, end, fetch
        self.out, self.slot = [], 0


class Program:
    """The program from one reset on, and what its growths remember ("Growth")."""

    def __init__(self, flags, by_op):
        self.flags, self.by_op, self.shapes, self.ops, self.edges, self.slots = \
            flags, by_op, [], [], [], []
        self.m, self.recent, self.open, self.landings, self.left, self.at = \
            Models(), 0, [], [], {}, {}
        self.jumped, self.before, self.lines, self.newest, self.added = \
            False, (0, 0, 0, 0), [], 0, 0
        self.columns = [c for c in BY_OP if by_op >> c & 1]
        self.values, self.edge_values, self.others = [[], [], []], [[], [], []], {}
        self.em, self.table = Models(), Table(16)
        k = self.columns.index(13) if 13 in self.columns else 4
        contexts = [6, 12, 6, 12, 6, 12, 0, 0, 8, 8, 9, 8, 8]
        contexts[2 * k:2 * k + 2] = [8, 9] if k < 4 else contexts[8:10]
        self.predictors = [Predictor(self.table, i, n or 1) for i, n in enumerate(contexts)]
        self.seen, self.used, self.written = [], {}, [0] * 256

    def grow(self, growth):
        """Adds a growth."""
        r, old_ops, old_edges = Bytes(growth), len(self.ops), len(self.edges)
        if growth:
            shapes, ops, edges = r.number(1 << 16), r.number(1 << 20), r.number(1 << 22)
            need(len(self.shapes) + shapes <= 1 << 16 and old_ops + ops <= 1 << 20
                 and old_edges + edges <= 1 << 22, "the program is too large")
            self.m.coder = self.em.coder = self.table.coder = Coder(r.take(r.more()))
            for _ in range(shapes):
                self.add_shape()
            self.b = min((len(self.shapes) - 1).bit_length() if self.shapes else 0, 8)
            self.add_edges(edges, old_ops + ops)
            for k, column in enumerate(self.columns):
                for i in range(old_edges, len(self.edges)):
                    self.edge_values[k].append(self.edge_value(k, i, Columns[column][1]))
            for i in range(old_ops, len(self.ops)):
                (self.add_slots_by_values if self.by_op else self.add_slots)(i)
            self.m.coder.end()

    def add_shape(self):
        """A new shape ("Shapes")."""
        rows, before = [], 32
        for _ in range(self.m.number("rows")):
            kind = self.m.tree(5, "type", before)
            need(kind % 16 <= 8, "a type is unknown")
            need(kind % 16 != 2 or not rows, "a fetch is not the first of its instruction")
            rows.append((kind, self.m.number("size", kind)))
            need(rows[-1][1] <= U32 and len(rows) <= 17, "a shape is damaged")
            before = kind
        need(rows and (rows[0][0] % 16 == 2 or len(rows) < 17), "a shape is damaged")
        self.shapes.append(rows)

    def add_edges(self, edges, stop):
        """New edges, with the new ops ("Edges and ops")."""
        m, self.landed, self.to, self.back, last = self.m, False, 0, 0, None
        if len(self.ops) < stop and m.bit("start"):
            last = self.new_op(None, False, False)
        for _ in range(edges):
            jumps = last is None
            source = self.start_of_edge() if jumps else last
            op, fresh, plain = self.op_at(self.ops[source].end), False, False
            if len(self.ops) < stop:
                context = self.kind(source) if self.by_op else self.context(source)
                name = jumps, context, op is not None
                if not self.unknown_end(source):
                    plain = not m.bit("plain", *name)
                fresh = plain or m.bit("fresh", *name)
            if fresh:
                target = last = self.new_op(source, plain, jumps)
                self.landed = False
            else:
                target, last = self.known_op(source, op, jumps), None
            self.ops[source].out.append(len(self.edges))
            self.edges.append((source, target))
            self.to = target
        need(len(self.ops) == stop, "a growth has fewer ops than it says")

    def unknown_end(self, op):
        """Whether the end of an op is unknown."""
        op = self.ops[op]
        return self.flags & 4 and op.fetch == 0 and op.length == 0

    def context(self, source):
        """The context of models."""
        if source is None:
            return 0
        s = min(self.ops[source].shape, 255)
        return s if self.b > 4 else (self.recent << self.b) + s & 255

    def kind(self, source):
        """The class of an op."""
        return 0 if source is None or not self.by_op else \
            self.values[len(self.columns) - 1][source] & 255

    def op_at(self, pc):
        """at(pc), None for none."""
        op = self.at.get((pc ^ pc >> 16) & U16)
        return None if op is None or (self.ops[op].pc ^ pc) >> 16 & U32 else op

    def start_of_edge(self):
        """The op that an edge leaves, if it is not that before."""
        left = self.left.get(self.to) if self.landed else None
        if left is not None and self.m.bit("is_left"):
            return left
        return self.known(self.to + zz(self.m.number("from", self.landed)))

    def known(self, op):
        """An op by its number, which must be there."""
        need(op & U32 < len(self.ops), "an edge is of an op that is not there")
        return op & U32

    def known_op(self, source, op, jumps):
        """The op that an edge leads to, if it is not new."""
        m, self.landed = self.m, False
        if op is not None and m.bit("at_end", jumps):
            return op
        if m.bit("landing", jumps):
            i = m.number("rank")
            need(i < len(self.landings), "a landing is not there")
            t = self.landings.pop(i)
        else:
            t = self.known(source + zz(m.number("known", jumps)))
        self.land(t)
        self.landed, self.back = True, self.ops[source].end
        return t

    def land(self, op):
        """Puts an op at the front of the landings."""
        self.landings.insert(0, op)
        del self.landings[4096:]

    def new_op(self, source, plain, jumps):
        """A new op behind `source`."""
        m, number = self.m, len(self.ops)
        came = self.ops[source] if source is not None else None
        goes_back = not plain and self.landed and m.bit("is_back", self.kind(source))
        s = self.read_shape(source, plain)
        need(s < len(self.shapes), "an op has a shape that is not there")
        kind, fetch = self.shapes[s][0]
        fetch = fetch if kind % 16 == 2 else None
        if plain:
            pc = came.pc if fetch is None else came.end
            if jumps:
                i = next((i for i, pair in enumerate(self.open) if pair[0] == came.end), 16)
                del self.open[i:i + 1]
        elif goes_back:
            pc, self.left[self.to] = self.back, source
        else:
            pc = self.read_jump(came, source)
        for k, column in enumerate(self.columns):
            v = (self.registers if column == 13 else self.word)(k, number, s, fetch or 0)
            need(v >> 8 * Columns[column][1] == 0, "a value is too large")
            self.values[k].append(v)
        length = 4
        if self.flags & 4 and fetch == 0:
            length = self.length_by_values(number, s) if self.by_op else \
                m.tree(4, "length", min(s, 7), came.length if came else 4)
        self.ops.append(Op(pc, s, length, pc + (fetch or length or 4) & U64, fetch))
        self.at[(pc ^ pc >> 16) & U16] = number
        return number

    def read_shape(self, source, plain):
        """The shape of a new op."""
        b, context = self.b, self.context(source)
        name = ("often", context, min(self.recent & (1 << b) - 1, 8)) \
            if b > 4 and context < 8 else ("shape", context)
        if source is not None:
            self.recent = (self.recent << b) + min(self.ops[source].shape, 255) & U32
        s = self.shape_by_values(source, plain) if self.by_op else self.m.tree(8, *name, j=b)
        return s + self.m.number("shape_far") if s == 255 else s

    def read_jump(self, came, source):
        """The pc of a new op that nothing else tells."""
        m, number = self.m, len(self.ops)
        kind = self.kind(source)
        if m.bit("open", self.landed, kind):
            i = m.tree(4, "which")
            need(i < len(self.open), "an open end is not there")
            pc, op = self.open.pop(i)
            self.left[op] = source
        else:
            far = m.number("jump", kind >> 4)
            pc = ((came.end if came else 0) >> 4) + zz(far)
            pc = pc * 16 + m.tree(4, "low", kind >> 4, far > 3) & U64
            self.land(number)
        if came:
            self.open.insert(0, (came.end, number))
            del self.open[16:]
        return pc

    def add_slots(self, i):
        """The slots of a new op ("Slots")."""
        m, op = self.m, self.ops[i]
        op.slot, shape = len(self.slots), op.shape
        if i and op.pc != self.ops[i - 1].end:
            self.jumped = True
        for kind, n in self.shapes[shape][op.fetch is not None:]:
            s1, t1, m1, c1 = self.before
            store = kind % 16 != 0
            mode = m.tree(5, "mode", store, t1, self.jumped, shape == s1, min(m1, 6))
            constant, residual = not m.bit("constant", store, c1, self.jumped, mode), None
            need(mode <= (17 if constant else 29), "a slot has a mode that is unknown")
            if constant and mode == 0:
                residual = self.read_address()
            elif constant:
                name = shape if shape < 8 else 8 if n == 0 else 9 if n < 4 else \
                    {4: 10, 8: 11}.get(n, 12)
                residual = zz(m.number("residual", store, name, min(mode, 4))) & U64
            self.slots.append((mode, residual))
            self.jumped, self.before = False, (shape, store, mode, constant)
        need(len(self.slots) <= 1 << 22, "the program is too large")

    def read_address(self):
        """An address that a slot always has."""
        i = self.m.number("address rank")
        if i:
            need(i <= len(self.lines), "a line is not there")
            line = self.lines.pop(i - 1)
            low = self.m.tree(6, "of", line[1])
        else:
            line = self.newest + zz(self.m.number("address far")) & U64 >> 6, self.added
            self.added += 1
            self.newest, low = line[0], self.m.tree(6, "new")
        self.lines.insert(0, line)
        del self.lines[4096:]
        return line[0] * 64 + low

    def at_op(self, i):
        """Value in the first column, shape and length of an op; zeros if there is none."""
        return (self.values[0][i], self.ops[i].shape, self.ops[i].length) if i >= 0 else (0, 0, 0)

    def shape_by_values(self, source, plain):
        """The shape of a new op ("Shapes and lengths by values")."""
        i, plain = -9 if source is None else source, int(plain)
        (v, s, n), (v1, s1, n1), (_, s2, _) = self.at_op(i), self.at_op(i - 1), self.at_op(i - 2)
        f, low = halves(v), v & U16
        return self.symbol(8, 8, [
            mix3(s, plain), mix3(s, s1, low), mix3(s, s1, s2), mix3(f, plain), mix3(low, s, n),
            mix3(v & 255, v1 & 255, s), mix3(s, n, mix3(s1, n1)),
            mix3(mix3(f, n), n1, halves(v1))], (plain, min(s, 7), 0), self.b)

    def length_by_values(self, i, s):
        """The length of op i ("Shapes and lengths by values")."""
        v, (v1, _, n1), (_, _, n2) = self.values[0][i], self.at_op(i - 1), self.at_op(i - 2)
        f, high, m = halves(v), v >> 32, parts(v)
        return self.symbol(9, 4, [
            mix3(f, s), mix3(s, m, self.kind(i)), mix3(s, n1, n2), mix3(s, v & U16, m),
            mix3(s, high, n1), mix3(s, high), mix3(f, halves(v1), n1),
            mix3(s, v & 255, high & 255)], (0, min(s, 7), 0))

    def word(self, k, i, shape, n):
        """The value of an op ("Values of ops", insn and branch)."""
        v, x = self.values[k], 0
        x1, x2 = v[i - 1] if i else 0, v[i - 2] if i > 1 else 0
        other = self.values[k - 1][i] & U16 if k else 0
        form, shape1 = mix3(shape, n), self.ops[i - 1].shape if i else 0
        s = self.symbol(2 * k, 4, [
            mix3(form, other), mix3(wide(x1), wide(x2), shape), mix3(halves(x1), n),
            mix3(x1 & 255, shape, other), mix3(form, shape1), mix3(halves(x1), form)], (0, 0, 0))
        need(s <= 8, "a value has too many bytes")
        for b in range(s):
            last, low = x >> 8 * b - 8 if b else 0, halves(x + (1 << 8 * b))
            last2 = x >> 8 * b - 16 if b > 1 else last
            left = n - b if 1 <= n - b <= 15 else 0
            x |= self.symbol(2 * k + 1, 8, [
                mix3(low, s, n), mix3(low, form, other), mix3(low, x1 & U16),
                mix3(low, halves(x1), form), mix3(b, s), mix3(b, last, form),
                mix3(b, s, form), mix3(low, form, x1 & U16), mix3(x & 255, b),
                mix3(b, x1 >> 8 * b & 255, x2 >> 8 * b & 255), mix3(b, last2),
                mix3(low, shape, shape1)], (b, left, b)) << 8 * b
        return x

    def registers(self, k, i, shape, n):
        """The value of an op ("Values of ops", regs)."""
        v, x, last = self.values[k], 0, 0
        x1, x2 = v[i - 1] if i else 0, v[i - 2] if i > 1 else 0
        form = mix3(shape, n, self.values[k - 1][i] & U16 if k else 0)
        f1, f2, d1, d2 = halves(x1), halves(x2), x1 & 255, x2 & 255
        m = self.symbol(2 * k, 8, [
            mix3(form, d1, d2), mix3(form, parts(x1), parts(x2)), mix3(form, f1, f2),
            mix3(f1, form), mix3(form, x1 & U16, parts(x1)), mix3(f1, f2), form,
            mix3(form, self.ops[i - 1].shape if i else 0, d1)], (0, 0, 0))
        for j in range(8):
            if m >> j & 1:
                low = mix3(halves(x), m, j)
                last = self.symbol(2 * k + 1, 8, [
                    mix3(j, last), mix3(j, d1, m), mix3(j, m, form), mix3(low, form),
                    mix3(low, f1, f2), mix3(j, x1 & U16, x2 & U16),
                    mix3(j, x1 >> 8 * j & 255, x2 >> 8 * j & 255), mix3(low, form, f1),
                    mix3(j, last, m)], (j, 0, j))
                x |= last << 8 * j
        return x

    def add_slots_by_values(self, i):
        """The slots of a new op ("Slots by values")."""
        op, v = self.ops[i], self.values[0][i]
        op.slot, shape = len(self.slots), op.shape
        if i and op.pc != self.ops[i - 1].end:
            self.jumped = True
        for q, (kind, n) in enumerate(self.shapes[shape][op.fetch is not None:]):
            name = shape if shape < 8 else 8 if n == 0 else 9 if n < 4 else {4: 10, 8: 11}.get(n, 12)
            slot = self.slot_by_values(v, op, q, int(kind % 16 != 0), name)
            self.slots.append(slot)
            self.jumped = False
        self.written[v & 255] = self.written[v >> 8 & 255] = 1
        need(len(self.slots) <= 1 << 22, "the program is too large")

    def slot_by_values(self, v, op, q, store, name):
        """A slot: mode and residual ("Slots by values")."""
        i, s, n = len(self.seen), op.shape, op.length
        bases = [v >> 32 + 8 * k & 255 for k in range(4)]
        far = [min(i - self.used.get(r, -99), 17) if r else 0 for r in bases]
        w = sum(self.written[r] << k for k, r in enumerate(bases))
        v1, _, _, mode1, last = self.seen[-1] if i else (0, 0, 0, 0, 0)
        f, place, fars, jumped = halves(v), mix3(s, q), mix3(*far[:3]), int(self.jumped)
        kind = self.symbol(10, 6, [
            mix3(place, n, far[0]), mix3(bases[0], far[0], w), mix3(f, q),
            mix3(place, mode1, jumped), mix3(fars, w, store), mix3(fars, place),
            mix3(f, halves(v1), mode1), mix3(f, fars, w), mix3(f, n, mode1)], (store, far[0], 0))
        mode, constant, residual = kind >> 1, kind & 1 == 0, None
        mode = mode if mode <= 29 else 0
        if constant and mode == 0:
            residual = self.read_address()
        elif constant:
            back = mode - 1 if 2 <= mode <= 17 else 0
            at, sat, nat = self.seen[i - back][:3] if 0 < back <= i else (0, 0, 0)
            match = next((k for k in range(3) if back and far[k] == back), 3)
            base, written = (bases[match], w >> match & 1) if match < 3 else (0, 2)
            c = [mix3(mix3(n, nat), match, mix3(place, sat, written)), mix3(f, mode),
                 mix3(f, halves(at), match), mix3(n, nat, match),
                 mix3(name, store, min(mode, 4)), mix3(base, mix3(match, written), name),
                 mix3(match, place, sat), mix3(v >> 32, at >> 32, halves(last))]
            m, x = min(self.symbol(11, 4, c, (0, match, 0)), 8), 0
            for j in range(m - 1, -1, -1):
                x = x << 8 | self.symbol(12, 8, [mix3(e, j, halves(x)) for e in c], (j, m - 1, j))
            residual = zz(x) & U64
        self.seen.append((v, s, n, mode, residual if constant and mode else 0))
        for r in bases:
            self.used[r], self.written[r] = i, 0
        return mode, residual

    def symbol(self, number, bits, contexts, chosen, used=None):
        """A symbol of so many bits, of which the last `used` are coded ("Columns by op")."""
        used, model = bits if used is None else used, self.predictors[number]
        (one, two, three), path, node = chosen, 1 << bits - used, 1
        for b in range(used - 1, -1, -1):
            if b == used - 1 or b % 4 == 3:
                model.find_by_path(path, contexts)
                node = 1
            first, second = (one << bits) + path, (two << bits) + path
            bit = model.bit(node, (first, second, three), (first, second))
            path, node = 2 * path + bit, 2 * node + bit
        return path - (1 << bits)

    def edge_value(self, k, i, most):
        """The value of an edge ("Values of edges")."""
        source, target = [self.ops[op] for op in self.edges[i]]
        a = self.values[k][self.edges[i][0]]
        step = target.pc - source.pc & U64
        name = k, 0 if target.pc == source.end else 1 if 1 <= step <= 16 else 2, a & 255
        if self.em.bit("same", *name):
            return a
        if self.em.bit("again", *name):
            return self.others.get((k, a & 255), 0)
        v = self.em.number("values", k)
        need(v >> 8 * most == 0, "a value is too large")
        self.others[k, a & 255] = v
        return v


def wide(v):
    """n(v), how many bytes v has ("Values of ops")."""
    return v.bit_length() + 7 >> 3


def parts(v):
    """parts(v), which bytes of v are not 0 ("Columns by op")."""
    return sum((v >> 8 * j & 255 > 0) << j for j in range(8))


def halves(v):
    """f(v) of "Values of ops"."""
    return mix3(v & U32, v >> 32)


def mix3(a, b, c=None):
    """h(a, b) and h(a, b, c) of "Values of ops"."""
    h = mix(b, mix(a, 0))
    return h if c is None else mix(c, h)


class References:
    """The rows of an R ("References")."""

    def __init__(self, r, program, new_edges, new_slots):
        self.p, self.new_edges, self.new_slots, self.form = program, new_edges, new_slots, \
            r.fixed(1)
        need(self.form < 4, "references have a form that is unknown")
        self.rows, self.part, self.first, self.ops = (r.number() for _ in range(4))
        need(self.rows < 1 << 24 and self.ops <= self.rows, "there are more ops than rows")
        self.left = 12 * self.rows + (1 << 20)
        n = r.number(self.left)
        self.left, self.model, path = self.left - n, None, b""
        if n:
            method, data = r.fixed(1), r.take(r.number())
            if method == 32:
                self.model = Path(Coder(data), n, self)
            else:
                path = unpack(n, method, data)
        self.path, self.far = Bytes(path), Bytes(self.stream(r))
        need(not (self.model and self.far.data), "edges are far beside a path by the path model")
        names = ["state", "table", "form", "token", "first", "constant", "high", "literal"]
        if self.form & 2:
            names.append("exception")
        self.s = {name: Bytes(self.stream(r)) for name in names}
        r.end("the streams of references")
        for name in ("table", "form"):
            if not self.s[name].data:
                self.s[name].data = None
        self.walk()
        self.prepare()
        self.addresses()
        self.finish()

    def stream(self, r):
        """A packed stream of those that are left."""
        data = packed_stream(r, self.left)
        self.left -= len(data)
        return data

    def walk(self):
        """Follows the path, to the list of ops and that of edges."""
        ops, at, self.trail, self.taken = self.p.ops, self.first, [], []
        for i in range(self.ops):
            self.last = at
            need(at < len(ops), "the path begins at an op that is not there")
            self.trail.append(ops[at])
            if i == self.ops - 1:
                break
            out = ops[at].out
            need(out, "the path goes on from an op without an edge")
            e = 0
            if len(out) > 1:
                if self.model:
                    e = self.model.edge(at, len(out))
                else:
                    e = self.path.fixed(1)
                    e = self.far.number() if e == 255 else e
                need(e < len(out), "the path takes an edge that is not there")
            self.taken.append(out[e])
            at = self.p.edges[out[e]][1]
        if self.model:
            self.model.end()
        for stream in (self.path, self.far):
            stream.end("the path")

    def prepare(self):
        """What each slot has, in order of slots: [mode, residual, ...] ("References")."""
        count, s, self.use = {}, self.s, {}
        for op in self.trail:
            for k in range(len(self.p.shapes[op.shape]) - (op.fetch is not None)):
                count[op.slot + k] = count.get(op.slot + k, 0) + 1
        entries = 0
        for slot in sorted(count):
            mode, residual = self.p.slots[slot]
            if slot < self.new_slots:
                state = s["state"].fixed(1)
                if 1 <= state <= 18:
                    mode, residual = state - 1, int.from_bytes(s["constant"].take(8), "big")
                elif state:
                    need(32 <= state <= 62, "a slot has a state that is unknown")
                    mode, residual = mode if state == 32 else state - 33, None
                else:
                    need(residual is not None, "a slot is constant that is not")
            first = int.from_bytes(s["first"].take(8), "big") if mode == 1 else None
            table, tokens, literals, form = 0, b"", [], 0
            if residual is None:
                table = s["table"].fixed(1) if s["table"].data else 0
                form = s["form"].fixed(1) if s["form"].data else 0
                need(form < 2 and table <= 13 * 17, "a slot has a form that is unknown")
                tokens = s["token"].take(count[slot] - (mode == 1))
                need(max(tokens, default=0) <= 8, "a token is unknown")
                literals = [self.literal() for _ in range(tokens.count(8))]
                entries += 1 << 4 + (table - 1) % 13 if table else 0
            self.use[slot] = [mode, residual, first, table, iter(tokens), iter(literals),
                              form != self.form & 1, [0] * 8, {}, 0]
        need(entries <= min(1 << 18, 8 * self.rows), "tables of references are too large")
        for name in s:
            if name != "exception" and s[name].data and name != "high":
                s[name].end("the stream " + name)

    def literal(self):
        """A literal ("Literals" of "Addresses")."""
        high, literal = self.s["high"].data, self.s["literal"]
        if not high:
            return int.from_bytes(literal.take(8), "big")
        i = int.from_bytes(literal.take(2), "big") * 8
        need(i < len(high) and len(high) % 8 == 0, "a literal has upper bits that are not there")
        return (int.from_bytes(high[i:i + 8], "big") << 16) + \
            int.from_bytes(literal.take(2), "big") & U64

    def addresses(self):
        """Puts the rows: types, addresses, sizes, pcs, and where ops begin ("References")."""
        self.type, self.addr, self.size, self.pc, self.begin = [], [], [], [], {}
        past = [0] * 16
        for i, op in enumerate(self.trail):
            self.begin[len(self.type)] = i
            slot = op.slot
            for k, (kind, n) in enumerate(self.p.shapes[op.shape]):
                if k == 0 and op.fetch is not None:
                    addr = op.pc
                else:
                    addr = self.address(self.use[slot], past)
                    past.append(addr)
                    slot += 1
                self.type.append(kind)
                self.addr.append(addr)
                self.size.append(n)
                self.pc.append(op.pc)
        need(len(self.type) == self.rows, "references have other rows than they say")

    def address(self, u, past):
        """The address of one data reference ("Addresses")."""
        mode, residual, first, table, tokens, literals, absolute, recent, entries, last = u
        if first is not None:
            u[2], u[9] = None, first
            return first
        base = 0 if mode == 0 else last if mode == 1 else past[1 - mode] if mode < 18 else \
            2 * past[17 - mode] if mode < 22 else 4 * past[21 - mode] if mode < 24 else \
            past[23 - mode] >> 1 if mode < 28 else past[27 - mode] >> 2
        if residual is None:
            token = next(tokens)
            if table:
                bits, back = 4 + (table - 1) % 13, (table - 1) // 13
                key = past[-back] if back else last
                entry = (key * GOLD & U64) >> 64 - bits
                had, followed = entries.get(entry, (0, 0))
                if had == key:
                    if token == 0:
                        residual = followed
                    elif token < 8:
                        token -= 1
            if residual is None:
                if token == 8:
                    residual = next(literals)
                    residual = residual - base & U64 if absolute else residual
                    recent.pop()
                else:
                    residual = recent.pop(token)
                recent.insert(0, residual)
            if table:
                entries[entry] = key, residual
        u[9] = base + residual & U64
        return u[9]

    def finish(self):
        """Columns by op ("Columns by op", "Exceptions")."""
        self.by_op, p = {}, self.p
        if "exception" not in self.s:
            return
        r = self.s["exception"]
        self.list, p = r.number(), self.p
        need(self.list and self.list >> len(p.columns) == 0, "columns by op are not in the program")
        for k, column in enumerate(p.columns):
            if self.list >> k & 1:
                changes, n, row, said, edge = r.fixed(1), r.number(self.rows), 0, {}, {}
                need(changes < 2, "exceptions are damaged")
                for _ in range(n):
                    row += r.number()
                    need(row < self.rows, "an exception is behind the rows")
                    said[row] = r.number((1 << 8 * Columns[column][1]) - 1)
                values = self.by_op[column] = [0] * self.rows
                for row, i in self.begin.items():
                    if i < len(self.taken):
                        e = self.taken[i]
                        if changes and row in said:
                            edge[e] = said[row]
                        values[row] = edge.get(e, p.edge_values[k][e])
                    else:
                        values[row] = p.values[k][self.last]
                for row, v in said.items():
                    values[row] = v
        r.end("exceptions")


class Path:
    """The edges of a path by the path model ("The path model")."""

    def __init__(self, coder, n, references):
        p, self.new = references.p, references.new_edges
        self.m, self.n, self.x, self.h, self.q, self.len = Models(coder), n, [], [], None, 0
        self.p, self.hash, self.free, self.refused = p, [0, 0], 1, 0
        self.tables = [Match(self.x, size(n, 16)) for _ in range(2)]
        self.ops, self.trust, self.weights, self.run, self.wrong = {}, {}, {}, 0, False
        self.news = iter([e for e in range(self.new, len(p.edges))
                          if len(p.ops[p.edges[e][0]].out) > 1])
        self.candidate = next(self.news, None)

    def confidence(self):
        """The counter of the match, and its bucket."""
        k, h = bucket(min(self.len, 512)), self.h[self.q]
        c = self.trust.get((k, h))
        if c is None:
            c = self.trust[k, h] = counter(squash(expect(k, h)), 6)
        return c, k

    def put(self, x, h):
        """A branch is known: X(i) and H(i)."""
        self.x.append(x)
        self.h.append(h)
        self.hash = [(self.hash[0] + x) * 0xe3779b97f4a7c150 & U64,
                     (self.hash[1] + x) * 0x79b97f4a7c150000 & U64]

    def edge(self, number, edges):
        """The number of the edge that is taken behind an op."""
        op = self.ops.get(number)
        if op is None:
            known = sum(e < self.new for e in self.p.ops[number].out)
            op = self.ops[number] = [self.free, known, [0, 1, 2], 0, {}]
            self.free += edges
        first = op[0]
        if not self.run:
            need(len(self.x) < self.n, "a path has more branches than it says")
            if not self.wrong:
                self.find_match(first, edges)
                self.find_run()
        if self.run:
            e = self.x[len(self.x) - self.run] - first
            self.run -= 1
            need(e >= 0, "a path takes an edge that is not there")
            return e
        e = self.coded(number, op)
        i, x, h = len(self.x), first + e, 1
        for table, u in zip(self.tables, self.hash):
            table.note(i, u >> 32)
        if self.q is not None:
            right = x == self.x[self.q]
            h = history(self.h[self.q], right)
            self.q, self.len = (self.q + 1, self.len + 1) if right else (None, 0)
        self.put(x, h)
        op[2] = [e] + ([r for r in op[2] if r != e] if e in op[2] else op[2][:2])
        op[3], self.wrong = op[3] << 1 & 2 | (e != 0), False
        return e

    def find_match(self, first, edges):
        """Step 1."""
        if self.q is None or self.len in (7, 11, 15):
            had = self.q is not None
            for table, u, n in zip(self.tables, self.hash, (16, 4)):
                place = table.place(u >> 32)
                if place:
                    self.q, self.len = place, n
                if place or had:
                    break
        if self.q is not None and not first <= self.x[self.q] < first + edges:
            self.q = None

    def find_run(self):
        """Step 2."""
        if self.q is None or self.len < 32 or self.h[self.q] != 255 or \
                self.confidence()[0][0] >> 6 < 64900:
            return
        i, q = len(self.x), self.q
        m = min(self.len, self.n - i)
        m = next((j for j in range(min(i - q, m)) if self.h[q + j] != 255), m)
        self.wrong = self.m.bit("fails", m.bit_length() - 1)
        r = self.m.number("right") if self.wrong else m
        need(r < m or not self.wrong, "a run of branches is too long")
        for _ in range(r):
            self.put(self.x[self.q], 255)
            self.q, self.len = self.q + 1, self.len + 1
        learn(self.confidence()[0], not self.wrong, 120)
        self.run = r

    def coded(self, number, op):
        """Steps 3 and 4."""
        first, known, recent, t, counters = op
        if self.candidate is not None and self.p.edges[self.candidate][0] == number:
            c, taken = self.refused, True
            if known:
                k = c if c < 4 else 4 if c < 16 else 5 if c < 64 else 6 if c < 256 else 7
                taken = self.m.bit("new", k)
            if taken:
                e, self.candidate = self.p.ops[number].out.index(self.candidate), \
                    next(self.news, None)
                op[1], self.refused = known + 1, 0
                return e
            self.refused += 1
        need(known > (1 if self.wrong else 0), "a path has no edge to take")
        if known == 1:
            return 0
        offered, done, e = 0, [], None
        if self.q is not None:
            e = self.x[self.q] - first
            if not self.wrong and self.offer(op, e, 0, True):
                return e
            offered = 1
            done.append(e)
        for r in recent:
            if offered + 1 < known and r < known and r != e:
                if self.offer(op, r, offered, False):
                    return r
                offered += 1
                done.append(r)
        if offered + 1 == known:
            return next(r for r in range(known) if r not in done)
        rest = self.m.number("rest")
        need(rest < known, "a path takes an edge that is not there")
        return known - 1 - rest

    def offer(self, op, edge, offered, matched):
        """offer(edge)."""
        c = op[4].setdefault(2 * op[3] + edge & 7, counter(32768, 0))
        trust, k = self.confidence() if self.q is not None else (None, None)
        name = min(offered, 2), 0 if trust is None else 1 + k if matched else 33
        inputs = [stretch(c[0] >> 6), stretch(trust[0] >> 6) if matched else 0, 256]
        weights = self.weights.setdefault(name, [4096] * 3)
        p = squash(clamp(dot(weights, inputs) >> 13, -2048, 2047))
        bit = self.m.coder.flag(p)
        mixer_learn(weights, inputs, p, 6, bit)
        learn(c, bit, 120)
        if matched:
            learn(trust, bit, 120)
        return bit

    def end(self):
        """Refuses a path that has more branches than were taken."""
        need(len(self.x) == self.n and not self.run, "a path has fewer branches than it says")
        self.m.coder.end()


# Part 4: columns

def far(c):
    """F(c) of "Part 4"."""
    y = c * 0x85ebca6b & U32
    return (y ^ y >> 14) * 0x9e3779b1 & U32


def H(v, h):
    """H(v, h) of "Part 4"."""
    t = (h + (v & U32) + 1) * 0x9e3779b1 & U32
    return t ^ t >> 15


def W(v, h):
    """W(v, h) of "Part 4"."""
    return H(v >> 32 & U32, H(v, h))


def bit_context(h, c):
    """The context h : c of a bit ("Part 4")."""
    return 16 * h + c & U32


class Successors(dict):
    """A table of what followed a context ("Part 4"): check, then what its user keeps."""

    def __init__(self, bits, empty):
        super().__init__()
        self.bits, self.empty = bits, empty

    def entry(self, c):
        """The entry of a context."""
        x = far(c & U32)
        e, check = self.get(x >> 32 - self.bits), x & U16 | 1
        if e is None or e[0] != check:
            e = self[x >> 32 - self.bits] = [check] + self.empty
        return e


def joint_columns(r, n):
    """Pairs of a column and its values ("2, joint columns" of "B", "Joint columns")."""
    clocks = list(r.take(r.fixed(1)))
    names = list(r.take(r.fixed(1)))
    same = r.fixed(1)
    need(1 <= len(clocks) <= 2 and 1 <= len(names) <= 8, "joint columns are too many")
    need(14 not in clocks + names and max(clocks + names) < 15, "joint columns are not columns")
    form, kinds = r.fixed(1), [0]
    need(form < 2 + (form == 2) and (form != 1 or len(names) > 1), "joint rows have another form")
    if form == 1:
        k = r.number(16)
        need(k, "there are no kinds")
        kinds = packed_column(r, k)
    count = r.number(min(n, 65536))
    need(count, "there are no names")
    values = [packed_column(r, count) for _ in names[form == 1:]]
    other = iter(fields(packed_stream(r, 16 * n), 8))
    if form == 0:
        data = packed_stream(r, 8 * n)
        need(len(data) == 8 * n, "joint rows are not all there")
        rows = [(v >> 40, v & U16, 0, v >> 16 & FAR) for v in fields(data, 8)]
        need(len(clocks) == 2 or not any(row[3] for row in rows), "a lag has no clock")
    else:
        v = Visits(Bytes(r.take(r.number())), n, count, len(kinds), len(clocks) == 2)
        rows = v.rows
    r.end("joint columns")
    times, out, time, second = ([], []), [[] for _ in names], 0, 0
    try:
        for gap, name, kind, lag in rows:
            gap = next(other) if gap == FAR else gap
            lag = next(other) if lag == FAR else lag
            time, second = time + gap & U64, second + gap - lag & U64
            times[0].append(time)
            times[1].append(second)
            need(name < count, "a name has no number")
            for column, v in zip(out, ([kinds] if form == 1 else []) + values):
                column.append(v[kind if form == 1 and column is out[0] else name])
    except StopIteration as err:
        raise Damaged("a far value is missing") from err
    need(next(other, None) is None, "there are more far values than rows have")
    return list(zip(clocks, times)) + list(zip(names, out)) + \
        ([] if same == 255 else [(same, times[0])])


class Visits:
    """Visits to pages ("Visits", "Visit history"). Row i is at place i + 1 of the lists of times."""

    def __init__(self, r, n, pages, kinds, lags):
        need(r.number() == n, "visits are not those of the block")
        self.reduced, self.pages, self.kinds, self.lags = r.number(pages), pages, kinds, lags
        coder = Coder(r.take(r.more()))
        t = Table(size(24 * n, 20), coder)
        self.GAP, self.STEP = NumberModel(t, 0, 12, 10), NumberModel(t, 1, 2, 2)
        self.LAG, self.FAR = NumberModel(t, 2, 10, 10), NumberModel(t, 3, 5)
        self.KIND, self.NEW = NumberModel(t, 4, 9), Predictor(t, 5, 4)
        self.CANDIDATE, self.NEAR = Predictor(t, 6, 7, 8), Predictor(t, 7, 3)
        self.WALK, self.trust = Predictor(t, 8, 6), {}
        bits = size(n, 17)
        self.tables = [Successors(bits, [0, 0, 0, 1]) for _ in range(8)]
        self.window = 64 if self.reduced < 16 else min(self.reduced, 256)
        self.near = self.hits = self.fresh = self.step = 0
        self.fault, self.last_kind, self.stays = [0, 0], {}, {}
        self.unvisited, self.news = list(range(pages)), [0, 0]
        self.time, self.lag, self.page, self.rows = [0], [0], [], []
        self.lasts, self.last, self.before, self.sums = [], {}, {}, [16, 8]
        self.alignments = [[None] * 16, [None] * 16]
        for _ in range(n):
            self.row()
        coder.end()

    def past(self, j, field):
        """A field of row i - j; what it is where there is no such row."""
        return self.rows[-j][field] if j <= len(self.rows) else (0, 65535, 0, 0)[field]

    def d1(self, p):
        """How many pages were visited after page p was."""
        return len(self.lasts) - bisect_right(self.lasts, self.last[p])

    def d2(self, p):
        """How many other pages were visited since the visit to p before its last; or None."""
        q = self.before.get(p)
        return None if q is None else len(self.lasts) - bisect_right(self.lasts, q) - 1

    def place(self, d):
        """place(d)."""
        return min(d * 8 // self.window, 15)

    def p2(self, o):
        """p2(o)."""
        d = self.d2(o)
        return 15 if d is None else self.place(d)

    def allowed(self, o):
        """Whether a visit to page o can be, of a reduced trace."""
        d = self.d2(o)
        return d is None or d >= self.reduced

    def row(self):
        """One row."""
        one, two, three, four = [self.past(j, 1) for j in (1, 2, 3, 4)]
        g1, g2 = self.past(1, 0), self.past(2, 0)
        self.by1 = by1 = H(one, 1)
        by2 = H(two, by1)
        by3 = H(three, by2)
        x = self.predict()
        gaps = [v[0] for v in x]
        selector = 0
        if gaps[0] is not None or True:
            selector = min(3, gaps[1:].count(gaps[0]))
        gap = self.GAP.read(
            [0, by1, by2, H(four, by3), H(g1, by1) + 1, H(g1, H(g2, by2)) + 2,
             H(self.past(1, 2), H(self.near & 3, by1)), H(gaps[3], 3), H(gaps[0], by1) + 3,
             H(gaps[1], H(gaps[2], 4)), H(self.fault[0], by1) + 4,
             H(one - two, H(two - three, 5))], selector + 4 * (self.hits & 7),
            [None if v == FAR else v for v in gaps])
        x = [v if v[0] == gap else None for v in x]
        h = [H(gap, by2) + 1, H(gap, by1) + 2, H(gap + g1, H(two, 3)),
             H(gap + g1 + g2, H(three, 4)), by3, by2, by1, H(two, 5)]
        page = self.read_page(x, gap, [v & U32 for v in h])
        kind = self.read_kind(page) if self.kinds > 1 else 0
        lag = self.read_lag(page, gap, x) if self.lags else 0
        self.finish(page, gap, kind, lag)

    def read_page(self, x, gap, h):
        """The page of a row."""
        one, two = self.past(1, 1), self.past(2, 1)
        swept = next((v[1] for v in x[5:] if v), None)
        self.swept = next((v[1] for v in x[5:] if v and v[1] is not None), None)
        swept = self.swept
        self.entries = [t.entry(c) for t, c in zip(self.tables, h)]
        if self.unvisited:
            s = 0 if swept is None else 1 if swept in self.last else 2
            self.NEW.find([bit_context(v, 1) for v in (
                H(one, 2), H(one, H(two, 3)), H(self.fresh & 255, 4),
                H(self.fresh & 3, H(s, 5)))])
            f = self.fresh & 15
            new = self.NEW.bit(0, (0, 0, f), (f, 0))
            self.fresh = 2 * self.fresh + new & U64
            if new:
                return self.new_page()
        else:
            self.fresh = 2 * self.fresh & U64
        done, page = self.candidates(x, h)
        if page is None:
            page = self.near_or_far(done, gap)
        return page

    def new_page(self):
        """A page that was never visited (2)."""
        q, q1 = self.news
        base = bisect_left(self.unvisited, q)

        def number(p):
            if p is None or not 0 <= p < self.pages or p in self.last:
                return None
            d = bisect_left(self.unvisited, p) - base
            return 2 * d if d >= 0 else -2 * d - 1

        z = self.STEP.read([0, H(rough(self.step, 0), 1)], 0,
                           [number(self.swept), number(2 * q - q1)])
        i = base + zz(z)
        need(0 <= i < len(self.unvisited), "a new page does not exist")
        self.step, page = z, self.unvisited[i]
        self.news = [page, q]
        self.set_near(0, page)
        return page

    def set_near(self, bit, page):
        """The word of bits `near` gets its bit, and what goes with it."""
        self.near = 2 * self.near + bit & U64
        if bit:
            self.stays[page] = self.stays.get(page, 0) + 1
        else:
            self.stays[page] = 0
            self.fault = [page, self.fault[0]]

    def candidates(self, x, h):
        """Pages that are offered first (3)."""
        offered = [(v[1], 8, 1) for v in x if v and v[1] is not None]
        offered += [(e[1], k, 1) for k, e in enumerate(self.entries) if e[3] > 0]
        offered += [(e[2], k, 2) for k, e in enumerate(self.entries) if e[3] > 1]
        done = []
        for o, T, s in offered:
            if o in done or len(done) == 8 or o not in self.last or not self.allowed(o):
                continue
            t = len(done)
            done.append(o)
            right = self.candidate(o, T, s, t, x, h)
            if t == 0:
                self.hits = 2 * self.hits + right & U64
            if right:
                self.set_near(self.d1(o) < self.window, o)
                return done, o
        return done, None

    def candidate(self, o, T, s, t, x, h):
        """Is the page candidate o?"""
        p1, p2 = self.place(self.d1(o)), self.p2(o)
        m = sum(e[3] > 0 and e[1] == o for e in self.entries)
        P = sum(1 << k for k, v in enumerate(x) if v and v[1] == o)
        self.CANDIDATE.find([
            at(o, H(p1, H(p2, 2))), bit_context(H(p1, H(p2, H(2 * T + s, H(t, 3)))), 1),
            bit_context(H(P, H(t, 4)), 1), at(o, h[3]), at(o, h[2]), at(o, h[1]), at(o, h[0])])
        experts, trust = [], []
        for k, e in enumerate(self.entries):
            relation = 0 if not e[3] else 1 + 3 * e[4] + (
                0 if e[1] == o else 1 if e[3] > 1 and e[2] == o else 2)
            trust.append(self.trust.setdefault((k, t, relation), counter(32768, 0)))
            experts.append(stretch(trust[-1][0] >> 6))
        z = min(t, 3)
        bit = self.CANDIDATE.bit(
            0, (16 * t + m + 128 * (self.hits & 3), 2 * (9 * z + T) + s - 1, t),
            (256 * t + 16 * p2 + m, 8 * (16 * p1 + p2) + t), experts, z)
        for c in trust:
            learn(c, bit, 127)
        return bit

    def near_or_far(self, done, gap):
        """The page is near, or any (4, 5, 6)."""
        g, by1 = gap.bit_length(), self.by1
        self.NEAR.find([bit_context(v, 1) for v in (
            H(g, H(self.near & 7, 1)), by1, H(g, by1) + 4)])
        near = self.NEAR.bit(0, (self.hits & 15, self.near & 63, 0),
                             (self.near & 255, self.hits & 15))
        if near:
            return self.walk(done, gap)
        f = H(self.fault[0], 2)
        page = self.FAR.of_bits((self.pages - 1).bit_length(), [
            0, by1, f, H(g, by1) + 5 & U32, H(self.fault[1], f) + 9 & U32])
        need(page in self.last, "a far page was not visited")
        self.set_near(0, page)
        return page

    def walk(self, done, gap):
        """One of the pages that are near (5)."""
        k, i = 0, len(self.rows)
        for before, row in enumerate(self.lasts[:-self.window - 1:-1]):
            o = self.page[row]
            if o in done or not self.allowed(o):
                continue
            e, p2, v = 64 * before // self.window, self.p2(o), min(self.stays.get(o, 0), 3)
            age = self.time[i] - self.time[row + 1] & U64
            w, a = (i - row).bit_length(), max(age, 1).bit_length()
            self.WALK.find([
                bit_context(H(p2, H(v, H(e // 4, 1))), 1), bit_context(H(e, H(p2, 2)), 1),
                bit_context(H(w, H(a, H(v, 3))), 1), at(o, H(w, 5)), at(o, self.by1),
                at(o, H(gap, 8))])
            if self.WALK.bit(0, (4 * min(k, 31) + v, 16 * p2 + e // 4, min(k, 15)),
                             (16 * e + p2, 4 * min(k, 255) + v)):
                self.set_near(1, o)
                return o
            k += 1
        raise Damaged("none of the pages that are near is the one")

    def read_kind(self, o):
        """The kind of a row."""
        L = self.last_kind.get(o, 0)
        B = self.last_kind.get(o - 1, 0) if o else 0
        N, q, k1, k2 = self.near & 1, H(o, 1), self.past(1, 2), self.past(2, 2)
        one = self.past(1, 1)
        pair = H(one, q)
        kind = self.KIND.of_bits((self.kinds - 1).bit_length(), [v & U32 for v in (
            H(L, H(N, H(k1, 0))), q, H(L, H(N, q)) + 1, H(k1, H(k2, q)) + 2, pair,
            H(k1, pair) + 3, H(self.past(2, 1), pair) + 4, H(B, H(L, 5)),
            H(B, H(L, H(o - one, 6))))], 2 * L + N)
        need(kind < self.kinds, "a kind is unknown")
        return kind

    def read_lag(self, o, a, x):
        """The lag of a row."""
        one, row = self.past(1, 1), self.last.get(o)
        pair, g = H(one, H(o, 1)), a.bit_length()
        lately = min(a * self.sums[1] // self.sums[0], FAR)
        gap, lag = (self.rows[row][0], self.rows[row][3]) if row is not None else (0, 0)
        here = min(a * lag // gap, FAR) if gap else 0
        return self.LAG.read([v & U32 for v in (
            H(g, 0), H(rough(lately, 3), H(rough(a, 1), 1)), H(rough(here, 3), H(rough(a, 1), 2)),
            H(a // 8, 3), H(a, 4), H(g, pair) + 5, H(a // 4, H(one, 6)), H(a, H(one, 7)),
            H(a, H(o, 1)) + 8, H(a, pair) + 9)], g,
            [lately, here] + [v[2] if v and v[2] < FAR else None for v in x[:8]])

    def finish(self, page, gap, kind, lag):
        """What is remembered of a row."""
        for e in self.entries:
            if not e[3]:
                e[1:] = [page, 0, 1, 1]
            else:
                e[4] = history(e[4], e[1] == page)
                if e[1] != page:
                    e[1:4] = [page, e[1], 2]
        i = len(self.rows)
        self.rows.append((gap, page, kind, lag))
        self.page.append(page)
        self.time.append(self.time[-1] + gap & U64)
        self.lag.append(self.lag[-1] + lag & U64)
        self.sums = [self.sums[0] + gap, self.sums[1] + lag]
        if self.sums[0] > 16384:
            self.sums = [v // 2 for v in self.sums]
        self.last_kind[page] = kind
        self.align(i, page)
        q = self.last.get(page)
        if q is None:
            del self.unvisited[bisect_left(self.unvisited, page)]
        else:
            self.before[page] = q
            del self.lasts[bisect_left(self.lasts, q)]
        self.last[page] = i
        self.lasts.append(i)

    def after(self, j, offset):
        """The first of 64 rows from j on whose time - offset is after the last; None."""
        now = self.time[-1]
        for j in range(j, min(j + 64, len(self.rows))):
            if 1 <= self.time[j + 1] - offset - now & U64 <= U64 >> 1:
                return j
        return None

    def predict(self):
        """Predictions x0 to x9 ("Visit history")."""
        out, i = [], len(self.rows)
        for shift in (0, 1):
            best = None
            for n, a in enumerate(self.alignments[shift]):
                if a:
                    a[0] = self.after(a[0], a[1])
                    if a[0] is None:
                        self.alignments[shift][n] = None
                    elif best is None or a[3] > best[3]:
                        best = a
            out.append(self.prediction(best, shift, True))
            for k in range(1, 5):
                found = None
                if k <= i:
                    q = self.previous(i - k, shift)
                    if q is not None:
                        offsets = [v[q + 1] - v[i - k + 1] & U64 for v in (self.time, self.lag)]
                        j = self.after(q + 1, offsets[0])
                        found = None if j is None else [j] + offsets
                out.append(self.prediction(found, shift, False))
        return out

    def previous(self, row, shift):
        """The last row before one that is of its page, less the shift."""
        return self.earlier[row][shift]

    def prediction(self, found, shift, aligned):
        """Gap, page and lag that a row and its offsets predict."""
        if found is None:
            return FAR, None, 0
        gap = self.time[found[0] + 1] - found[1] - self.time[-1] & U64
        if gap > FAR - 1:
            if not aligned:
                return FAR, None, 0
            gap = FAR - 1
        page = self.page[found[0]] + shift
        lag = self.lag[found[0] + 1] - found[2] - self.lag[-1] & U64
        return gap, page if page < self.pages else None, lag

    earlier = None

    def align(self, i, page):
        """Alignments are compared with row i, and a new one is made."""
        if self.earlier is None:
            self.earlier = []
        pair = [self.last.get(page), self.last.get(page - 1)]
        self.earlier.append(pair)
        time, lag = self.time, self.lag
        for shift, places in enumerate(self.alignments):
            for n, a in enumerate(places):
                if a:
                    if time[a[0] + 1] - a[1] & U64 == time[i + 1] and self.page[a[0]] + shift == page:
                        a[3] = min(a[3] + 2, 30)
                    elif a[3] == 0:
                        places[n] = None
                    else:
                        a[3] -= 1
            q = pair[shift]
            if q is not None:
                offset = time[q + 1] - time[i + 1] & U64
                if not any(a and a[1] == offset for a in places):
                    empty = [n for n, a in enumerate(places) if not a]
                    n = empty[-1] if empty else min(range(16), key=lambda n: places[n][3])
                    places[n] = [q + 1, offset, lag[q + 1] - lag[i + 1] & U64, 1]


def rough(v, m):
    """rough(v, m) of "Visits"."""
    b = v.bit_length()
    return v if b <= m + 1 else 256 * b + (v >> b - 1 - m)


def at(o, h):
    """at(o, h) of "Visits"."""
    return bit_context(H(o // 15, h), 1 + o % 15)


def requests(r, n):
    """Addresses and sizes ("Requests")."""
    addr, sizes = [], []
    while len(addr) < n:
        part = Requests(r, min(n - len(addr), 1 << 21))
        addr += part.addr
        sizes += part.size
    return addr, sizes


class Requests:
    """A part of requests ("Requests")."""

    def __init__(self, r, n):
        self.bits, self.unit = r.fixed(1), r.fixed(1)
        need(1 <= self.bits <= 64 and self.unit <= 16, "requests are damaged")
        coder = Coder(r.take(r.number()))
        t, self.m = Table(size(24 * n, 14), coder), Models(coder)
        self.CANDIDATE, self.BIT = Predictor(t, 0, 5, 8), Predictor(t, 1, 4)
        self.KIND, self.NAME, self.GUESS = Predictor(t, 2, 5), Predictor(t, 3, 3, 1), \
            Predictor(t, 4, 7)
        self.addr, self.size, self.hits, self.ends, self.w, self.kinds = [], [], 1, [], 0, 0
        self.tables = [Successors(size(n, 17), [None]) for _ in range(4)]
        self.right, self.far, self.trust, self.guesses = [0] * 8, [0, 0], {}, [{}, {}, {}, {}, {}]
        self.names, self.last, self.stayed, self.list, self.b = {}, [], [], [], size(n, 21)
        self.numbers, self.count = [0, 0, 0], {}
        for i in range(n):
            self.row(i)
        coder.end()

    def past(self, j):
        """Address and size of row i - j."""
        return (self.addr[-j], self.size[-j]) if j <= len(self.addr) else (0, 0)

    def B(self, v):
        """B(v)."""
        return v if self.unit > 9 else v >> 9 - self.unit

    def row(self, i):
        """One row: its address and its size, and what is remembered of it."""
        a1, s1 = self.past(1)
        a, right = self.candidates(i, a1, s1)
        self.hits = 2 * self.hits + right & U32
        if not right:
            a = self.far_address(a1, s1)
        new = a not in self.names
        v = self.read_size(a, new, a1, s1)
        for k, e in enumerate(self.entries):
            e[1] = a if k < 2 else a - a1 & U64
        for k, c in enumerate(self.p):
            if c is not None:
                self.right[k] = 2 * self.right[k] + (c == a) & 255
        if a in self.ends:
            self.ends.remove(a)
        self.ends.insert(0, a + (v >> self.unit) & U64)
        del self.ends[64:]
        self.addr.append(a)
        self.size.append(v)
        if new:
            self.names[a] = len(self.list)
            self.list.append(a)
            self.last.append(v)
            self.stayed.append(7)
        name = self.numbers[0] = self.names[a]
        self.last[name] = v
        if new or not right:
            for d in range(self.b + 1):
                p = (name | 1 << self.b) >> d
                self.count[p] = self.count.get(p, 0) + 1
        if not right:
            self.far, self.numbers[1:] = [a, self.far[0]], [name, self.numbers[1]]

    def candidates(self, i, a1, s1):
        """The address by candidates, and whether one was right."""
        (a2, _), (a3, _) = self.past(2), self.past(3)
        d1, d2 = a1 - a2 & U64, a2 - a3 & U64
        self.entries = [t.entry(c) for t, c in zip(self.tables, (
            W(a1, 1), W(a2, W(a1, 2)), H(s1, W(d1, 3)), W(d2, W(d1, 4))))]
        p = (self.ends + [None] * 4)[:4]
        for k, e in enumerate(self.entries):
            p.append(e[1] if e[1] is None or k < 2 else e[1] + a1 & U64)
        self.p, done = [None if v is None or v >> self.bits else v for v in p], []
        if self.hits or i % 8 == 0:
            for k in (4, 5, 0, 1, 6, 7, 2, 3):
                c = self.p[k]
                if c is not None and c not in done and len(done) < 6:
                    if self.candidate(c, k, len(done), a1, s1):
                        return c, 1
                    done.append(c)
        return None, 0

    def candidate(self, c, k, t, a1, s1):
        """Is the address candidate c?"""
        A, m, right = sum(1 << j for j, v in enumerate(self.p) if v == c), self.p.count(c), \
            self.right[k]
        name = self.names.get(c)
        last = 0 if name is None else self.last[name]
        self.CANDIDATE.find([bit_context(v, 1) for v in (
            H(A, H(t, 0)), H(self.hits & 15, H(A, 1)), W(c, 2), H(last, H(s1, H(k, 3))),
            W(c - a1 & U64, H(s1, 4)))])
        trust = [self.trust.setdefault(
            (j, t, 0 if v is None else 1 + 2 * (self.right[j] & 7) + (v != c)), counter(32768, 0))
            for j, v in enumerate(self.p)]
        bit = self.CANDIDATE.bit(
            0, (8 * t + k, 16 * (self.hits & 15) + 2 * t + (name is not None), m - 1),
            (A, 64 * t + (right & 63)), [stretch(x[0] >> 6) for x in trust], t)
        for x in trust:
            learn(x, bit, 127)
        return bit

    def far_address(self, a1, s1):
        """An address that no candidate is: an end, a name, or a new one."""
        s, f0, hits = self.kinds & 255, self.far[0], self.hits & 15
        self.KIND.find([c << 4 & U32 for c in (
            H(s, 0), H(s1, H(s & 15, 1)), W(self.B(a1) // 1024, 2), W(self.B(f0) // 64, 3),
            H(self.hits & 255, H(s & 15, 4)))])
        kind = self.KIND.bit(1, (s, hits, 0), (s, hits))
        if kind:
            kind += self.KIND.bit(3, (s + 256, hits + 16, 0), (s + 256, hits + 16))
        self.kinds = self.kinds << 2 & 255 | kind
        if kind == 0:
            i = self.m.tree(6, "end")
            need(i < len(self.ends), "an end is not there")
            return self.ends[i]
        return self.read_name() if kind == 1 else self.new_address(a1, s1)

    def read_name(self):
        """An address that was there before, by its number."""
        b, p, coded, count = self.b, 1, 0, self.count
        need(self.list, "there are no names")
        for d in range(b):
            if (2 * p + 1 << b - d - 1) - (1 << b) >= len(self.list):
                p *= 2
                continue
            q = [(x | 1 << b) >> b - d for x in self.numbers]
            if coded % 4 == 0:
                t = p - q[1] + 8
                t = t if 0 <= t <= 16 else 99
                self.NAME.find([c << 4 & U32 for c in (
                    H(p, 0), H(p, H(self.numbers[0], 1)), H(t, H(d, H(p & 15, 2))))])
                node = 1
            c0, c1 = count.get(2 * p, 0), count.get(2 * p + 1, 0)
            s = 4 * (p == q[0]) + 2 * (p == q[1]) + (p == q[2])
            bit = self.NAME.bit(node, (8 * d + s, 16 * d + node, 0), (8 * d + s, 16 * d + node),
                                [stretch((2 * c1 + 1) * 65536 // (2 * (c0 + c1) + 2))],
                                0 if 3 * d < b else 1 if 3 * d < 2 * b else 2)
            p, node, coded = 2 * p + bit, 2 * node + bit, coded + 1
        return self.list[p - (1 << b)]

    def new_address(self, a1, s1):
        """A new address, by its bits."""
        bits, p, d = self.bits, 1, 0
        while d < bits:
            like = [(v & (1 << bits) - 1 | 1 << bits) >> bits - d for v in (a1,) + tuple(self.far)]
            if d % 4 == 0:
                t = p - like[1] + 8 & U64
                t, q = t if t <= 16 else 99, p & U64
                self.BIT.find([c << 4 & U32 for c in (
                    W(q, 0), W(q, H(s1, 1)), W(q, W(self.B(a1) // 64, 2)),
                    H(t, H(d, H(p & 15, 3))))])
                node, (line, slot, _) = 1, self.BIT.places[0]
                if bits - d > 32 and t == 99 and line[slot][1] == 1:
                    for b in range(bits - d - 1, -1, -1):
                        p = 2 * p + self.m.bit("rest", b, p & 3)
                    break
            s = 4 * (like[0] == p) + 2 * (like[1] == p) + (like[2] == p)
            bit = self.BIT.bit(node, (8 * d + s, 16 * d + node, 0), (8 * d + s, 16 * d + node), (),
                               0 if 3 * d < bits else 1 if 3 * d < 2 * bits else 2)
            p, node, d = 2 * p + bit, 2 * node + bit, d + 1
        return p - (1 << bits)

    def read_size(self, a, new, a1, s1):
        """The size of a row."""
        if not new:
            name = self.names[a]
            stayed = self.stayed[name]
            same = self.m.bit("stays", stayed & 7, self.w & 7)
            self.w, self.stayed[name] = 2 * self.w + same & 7, 2 * stayed + same & 7
            if same:
                return self.last[name]
        s2 = self.past(2)[1]
        e = int(a == a1 + (s1 >> self.unit) & U64)
        kind, step, near = 2 * (not new) + e, a - a1 & U64, self.B(a) // 1024
        places = [far(c) >> 18 for c in (
            H(s1, H(s2, e)), W(step, H(s1, 2)), W(near, H(s1, 3)), W(self.B(a) // 8, 4), e)]
        entries = [t.setdefault(i, [0, 0]) for t, i in zip(self.guesses, places)]
        done, v = [], None
        for k, (g, right) in enumerate(entries):
            if g and g not in done:
                A, t = sum(1 << j for j, other in enumerate(entries) if other[0] == g), len(done)
                self.GUESS.find([bit_context(c, 1) for c in (
                    H(A, H(kind, H(k, 0))), H(g, H(s1, H(kind, 1))), H(right, H(k, H(kind, 2))),
                    H(a & 7, H(g, 3)), W(near, H(g, 4)), W(step, H(g, 5)),
                    H(g, H(s1, H(s2, 6))))])
                if self.GUESS.bit(0, (4 * k + kind, A, t), (A, 4 * k + kind)):
                    v = g
                    break
                done.append(g)
        if v is None:
            v = self.m.number("size", kind)
            need(v <= U32, "a size is too large")
        for entry in entries:
            entry[:] = v, 2 * entry[1] + (entry[0] == v) & 255
        return v


# The frames of "Part 1"

# name and bytes of each column ("Columns")
Columns = [("type", 1), ("addr", 8), ("size", 4), ("time", 8), ("asid", 4), ("task", 4), ("pc", 8),
           ("itime", 8), ("rtime", 8), ("vpn", 8), ("cpn", 8), ("insn", 8), ("branch", 1),
           ("regs", 8), ("event", 0)]
HEX = (1, 6, 9, 10, 11, 13)
Types = ["read", "write", "fetch", "modify", "misc", "copy-back", "invalidate", "prefetch", "event"]


class Frame:
    """A frame at a place of a file, whose sums hold ("Frames")."""

    def __init__(self, data, at):
        r = Bytes(data[at:at + 40])
        need(r.take(2) == b"\xf5\x74", "there is no frame at byte %d" % at)
        self.kind, n, self.number, self.at = chr(r.fixed(1)), r.number(), r.number(), at
        seed = xxh3(r.data[:r.at])
        need(r.fixed(2) == seed & U16, "the header of the frame at byte %d is damaged" % at)
        total = r.fixed(8)
        self.begin, self.end = at + r.at, at + r.at + n
        need(n <= U32 and self.end <= len(data), "the frame at byte %d ends too early" % at)
        self.payload = data[self.begin:self.end]
        need(xxh3(self.payload, seed) == total, "the frame at byte %d is damaged" % at)


def stops(number):
    """Whether a reader that does not know a number has to stop ("What may be added")."""
    return not number & 32


def read_facts(r, had=None):
    """Facts, up to the end ("T: the trace")."""
    facts = {}
    while r.more():
        number = r.number()
        facts[number] = r.number()
    for number in facts:
        unknown("fact", number, 1 <= number <= 8, facts)
    return facts


def unknown(what, number, known, facts):
    """Refuses what has to be known, and is not ("What may be added")."""
    if not known and stops(number):
        v = facts.get(8)
        v = "a later one" if v is None else "%d.%d" % (v >> 16, v & U16)
        raise Damaged("%s %d is unknown; the version of trc that can go on: %s" % (what, number, v))


class Container:
    """A container at a place of a file ("Part 1")."""

    def __init__(self, data, start, rows_out):
        self.data, self.start, self.out = data, start, rows_out
        self.rows, self.blocks, self.program, self.part, self.frames = 0, [], None, 0, []
        self.resets, self.whole, self.group, self.parity = 0, True, start, []
        f = Frame(data, start)
        need(f.kind == "T", "no container begins at byte %d" % start)
        self.header(f)
        at, self.pending, self.grown, self.first = f.end, [], None, None
        while f.kind != "I":
            f = Frame(data, at)
            at = f.end
            self.frame(f)
        self.index(f)
        while f.kind != "E":
            f = Frame(data, at)
            at = f.end
            self.behind(f, "E")
        self.check_parity()
        self.last(f)
        self.end = at

    def header(self, f):
        """T ("T: the trace")."""
        need(f.number == 1, "it is of version %d; the version of trc that can go on: %d.0"
             % (f.number, f.number))
        r = Bytes(f.payload)
        self.columns, self.block_rows, self.page_bits, self.r = (r.number() for _ in range(4))
        need(1 <= self.block_rows <= FAR and self.page_bits <= 63, "the header is damaged")
        self.format = r.take(r.number(15))
        self.facts = read_facts(r)
        for c in range(64):
            if self.columns >> c & 1:
                unknown("column", c, c < 15, self.facts)
        self.known = [c for c in range(15) if self.columns >> c & 1]
        need(self.known, "the trace has no columns")

    def same_columns(self, r):
        """A list of columns, which is that of T."""
        need(r.number() == self.columns, "a frame has other columns than the trace")

    def frame(self, f):
        """A frame between T and I."""
        if f.kind == "P":
            need(not self.grown, "two parts of the program are for one frame")
            self.grow(f)
            self.grown = (self.before_edges, self.before_slots)
            self.start_block(f)
        elif f.kind == "R":
            need(len(self.pending) < 64, "a block has too many frames of references")
            need(f.number == self.rows << 24 | f.number & FAR, "references are of another block")
            need(self.program, "references have no program")
            end = len(self.program.edges), len(self.program.slots)
            refs = References(Bytes(f.payload), self.program, *(self.grown or end))
            need(refs.part == self.part, "references are of another part of the program")
            self.pending.append((refs, f.number))
            self.grown = None
            self.start_block(f)
        elif f.kind == "B":
            need(not self.grown, "a part of the program is for a block")
            self.start_block(f)
            self.block(f)
            self.blocks[-1][1] = f.end - self.first
            self.first, self.pending = None, []
        elif f.kind != "I":
            need(self.first is None, "a frame stands between those of a block")
            self.behind(f)
            if self.blocks:
                self.blocks[-1][1] += f.end - f.at
        else:
            need(self.first is None, "a block is not complete")

    def start_block(self, f):
        """Notes where the frames of a block begin."""
        if self.first is None:
            self.first, self.whole = f.at, f.kind == "B" or f.kind == "P" and f.payload[0] & 1

    def behind(self, f, end=""):
        """Frames that stand behind a block or the index: parity, or what may be passed over."""
        if f.kind == "c":
            self.add_parity(f)
        elif f.kind != end:
            need(f.kind not in "TPRBIE", "a frame %s is out of order" % f.kind)
            unknown("a frame of kind", ord(f.kind), False, self.facts)

    def add_parity(self, f):
        """Passes over parity, for now."""

    def check_parity(self):
        """Passes over parity, for now."""

    def grow(self, f):
        """P ("P: growth of the program")."""
        r = Bytes(f.payload)
        flags = r.fixed(1)
        self.same_columns(r)
        need(flags < 8, "a part of the program has flags that are unknown")
        by_op = r.number() if flags & 2 else 0
        need(bool(by_op) == bool(flags & 2) and by_op & self.columns == by_op
             and by_op & ~(1 << 11 | 1 << 12 | 1 << 13) == 0, "columns by op are unknown")
        growth = r.take(r.more())
        if flags & 1:
            self.program = Program(flags, by_op)
            self.resets = len(self.blocks)
        else:
            p = self.program
            need(p and f.number == self.part + 1, "a part of the program is missing")
            need(flags == p.flags & 6 and by_op == p.by_op, "a part of the program is of another")
        self.part = f.number
        self.before_edges, self.before_slots = len(self.program.edges), len(self.program.slots)
        self.program.flags = flags
        self.program.grow(growth)

    def block(self, f):
        """B ("B: a block")."""
        n = f.number & FAR
        need(f.number >> 24 == self.rows and 1 <= n <= self.block_rows,
             "a block has other rows than should come")
        need(all(number == f.number for _, number in self.pending), "references are of another block")
        r = Bytes(f.payload)
        self.same_columns(r)
        fingerprint, self.n, self.cols, later = r.fixed(8), n, {}, []
        self.passed = set()
        while r.more():
            kind = r.fixed(1)
            s = Bytes(r.take(r.number()))
            self.section(kind, s, later)
            if s.at or kind <= 7:
                s.end("a section")
        for section in later:
            self.from_references(*section)
        need(sorted(self.cols) == self.known, "a block has not all columns")
        need(set(c for c in range(15, 64) if self.columns >> c & 1) == self.passed,
             "a block has not all columns")
        self.check_rows(n)
        need(self.fingerprint() == fingerprint, "rows have another fingerprint than their block")
        self.rows += n
        times = self.cols.get(3)
        self.blocks.append([2 * n + bool(self.whole), 0,
                            (min(times), max(times)) if times else None])
        self.out(self.cols, self.known, n)

    def section(self, kind, s, later):
        """A section of a block."""
        if kind in (0, 5):
            later.append((kind, s.data, None))
            s.at = len(s.data)
        elif kind == 6:
            later.append((6, s.number(), None))
        elif kind == 1:
            c = s.fixed(1)
            if c >= 15:
                need(self.columns >> c & 1 and c not in self.passed, "a column is not of the trace")
                self.passed.add(c)
                s.at = len(s.data)
            else:
                need(c != 14, "events are packed as a column")
                self.put(c, packed_column(s, self.n))
        elif kind == 2:
            for c, values in joint_columns(s, self.n):
                self.put(c, values)
        elif kind == 3:
            self.put(14, events(s, self.n))
        elif kind == 7:
            addr, sizes = requests(s, self.n)
            self.put(1, addr)
            self.put(2, sizes)
        else:
            unknown("section", kind, False, self.facts)

    def put(self, c, values):
        """A column of the block, which has none yet."""
        need(c in self.known and c not in self.cols, "a column is twice in a block, or not in T")
        self.cols[c] = values

    def from_references(self, kind, data, _):
        """Columns that come from R frames (sections 0, 5, 6)."""
        refs = [ref for ref, _ in self.pending]
        if kind == 6:
            need(self.order is not None, "columns by op come without references")
            lists = [[ref.by_op[c] for ref in refs if c in ref.by_op] for c in range(15)]
            need(all(sum(1 << c for c in ref.by_op) == data for ref in refs), "columns by op differ")
            wanted = [(c, lists[c]) for c in BY_OP if data >> c & 1]
        else:
            s = Bytes(data)
            n = s.number()
            need(n == len(refs) and n, "a block has other references than it says")
            keys = [s.number(U32) for _ in range(n)] if n > 1 else []
            s.end("a section")
            need(keys == sorted(set(keys)), "keys are not in order")
            self.order = self.order_of(refs, keys)
            wanted = [(0, [r.type for r in refs]), (1, [r.addr for r in refs]),
                      (2, [r.size for r in refs])] + ([(6, [r.pc for r in refs])] if kind else [])
        for c, parts in wanted:
            if c in self.known or c in (1, 6):
                sources = [iter(part) for part in parts]
                self.put(c, [next(sources[i]) for i in self.order])

    def order_of(self, refs, keys):
        """Which R frame each row is from."""
        need(sum(ref.rows for ref in refs) == self.n, "references have other rows than the block")
        if len(refs) == 1:
            return [0] * self.n
        key = self.cols.get(5 if 5 in self.known else 4)
        need(key is not None, "rows have no keys")
        where = {k: i for i, k in enumerate(keys)}
        order = [where.get(k, -1) for k in key]
        need(all(order.count(i) == ref.rows for i, ref in enumerate(refs)), "rows have other keys")
        return order

    def check_rows(self, n):
        """Whether values are some that columns have ("Columns")."""
        for c, values in self.cols.items():
            need(len(values) == n, "a column has other rows than its block")
            most = 1 << 8 * Columns[c][1]
            need(c == 14 or max(values) < most, "a value of column %s is too large" % Columns[c][0])
        if 0 in self.cols:
            need(all(v < 32 and v % 16 <= 8 for v in set(self.cols[0])), "a type is unknown")
        if 14 in self.cols:
            need(0 in self.cols and all((v % 16 == 8) == (e is not None) for v, e in
                                        zip(self.cols[0], self.cols[14])), "events are of others")

    def fingerprint(self):
        """The fingerprint of a block's rows ("B: a block")."""
        sums = b""
        for c in self.known:
            w = Columns[c][1]
            if c == 14:
                data = b"".join(i.to_bytes(8, "little") + text + b"\0"
                                for i, text in enumerate(self.cols[14]) if text is not None)
            else:
                data = b"".join([v.to_bytes(w, "little") for v in self.cols[c]])
            sums += xxh3(data).to_bytes(8, "little")
        return xxh3(sums)

    def index(self, f):
        """I ("I: index")."""
        r = Bytes(f.payload)
        self.index_at, cols = f.at, self.known
        need(f.number == len(self.blocks), "the index has other blocks")
        flags, low = r.number(511), 0
        need(flags & 63 == self.page_bits and r.number() == self.r, "the index is of others")
        self.totals = [r.number() for _ in range(8)]
        self.addresses = [r.number(), r.number()] if 1 in cols else None
        times = [r.number(), r.number()] if 3 in cols else None
        self.types = [r.number() for _ in range(r.number(16))]
        for mark, length, seen in self.blocks:
            need(r.number() == mark and r.number() == length, "the index has another block")
            if times:
                low = low + zz(r.number()) & U64
                need((low, low + r.number()) == seen, "the index has other times")
        need(not self.blocks or self.blocks[0][0] & 1, "the first block needs others")
        if flags & 256:
            provenance(Bytes(r.take(r.number(65536))))
        self.facts.update(read_facts(r))

    def last(self, f):
        """E ("E: end")."""
        r = Bytes(f.payload)
        back, start, rows = r.number(), r.number(), r.fixed(8)
        r.end("the end")
        need(f.at - back == self.index_at and f.at - start == self.start
             and rows == f.number == self.rows, "the end has other rows, or leads elsewhere")


def provenance(r):
    """Entries: key and text ("Provenance")."""
    entries = []
    while r.more():
        key, text = r.take(r.number(32)), r.take(r.number(4096))
        need(key and all(c in b"abcdefghijklmnopqrstuvwxyz0123456789-" for c in key),
             "a key of the provenance is damaged")
        entries.append((key, text))
    return entries


def packed_column(r, n):
    """n values ("Packed columns")."""
    form, out = r.fixed(1), []
    change, shape = form >> 4, form & 15
    need(change < 2 and shape <= 6, "a column has form %d, which is unknown" % form)
    if change:
        out, n = [r.number()], n - 1
    if n == 0:
        return out
    if shape == 0:
        values = [r.number()] * n
    elif shape <= 4:
        w = 1 << shape - 1
        values = fields(packed_stream(r, n * w), w)
    else:
        table = packed_stream(r, 2048 if shape == 5 else 65536 * 8)
        need(len(table) % 8 == 0, "a table has not whole values")
        table, w = fields(table, 8), shape - 4
        values = fields(packed_stream(r, n * w), w)
        need(max(values, default=0) < len(table), "an index is behind its table")
        values = [table[i] for i in values]
    need(len(values) == n, "a column has other values than rows")
    if not change:
        return values
    for v in values:
        out.append(out[-1] + zz(v) & U64)
    return out


def events(r, n):
    """The column event (section 3 of "B: a block")."""
    s, out, at = Bytes(packed_stream(r, (1 << 24) + 11 * n)), [None] * n, 0
    while s.more():
        at += s.number()
        end = s.data.find(b"\0", s.at)
        need(at < n and out[at] is None and s.at <= end <= s.at + 8191, "an event is damaged")
        out[at] = s.take(end - s.at)
        s.take(1)
    return out


def print_rows(cols, known, n):
    """Rows as csv ("Columns")."""
    out = []
    for c in known:
        v = cols[c]
        if c == 0:
            out.append([("kernel-" if t & 16 else "") + Types[t & 15] for t in v])
        elif c == 14:
            out.append(["" if t is None else '"%s"' % t.decode("latin-1").replace('"', '""')
                        for t in v])
        else:
            out.append(["0x%x" % x for x in v] if c in HEX else map(str, v))
    text = "".join([",".join(row) + "\n" for row in zip(*out)])
    sys.stdout.buffer.write(text.encode("latin-1"))


def main(args):
    """Decodes a file."""
    check = "--check" in args
    names = [a for a in args if a != "--check"]
    if len(names) != 1:
        print("usage: decode.py [--check] FILE.trc", file=sys.stderr)
        return 2
    try:
        with open(names[0], "rb") as f:
            data = f.read()
        at, first = 0, None
        while at < len(data) or first is None:
            c = Container(data, at, Out(check))
            first = first or c
            need(first.columns == c.columns, "a container has other columns than that before it")
            at = c.end
    except (Damaged, OSError) as err:
        print("%s: %s" % (names[0], err), file=sys.stderr)
        return 1
    return 0


class Out:
    """Where rows go."""
    head = False

    def __init__(self, check):
        self.check = check

    def __call__(self, cols, known, n):
        if not self.check:
            if not Out.head:
                print(",".join(Columns[c][0] for c in known), flush=True)
                Out.head = True
            print_rows(cols, known, n)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
