#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Decodes containers of trc to csv: a second reader, written from src/container/SPEC.md alone.

    decode.py FILE.trc              prints the rows as csv

The comment of a function says what it does, and names in quotes the section of SPEC.md that has it.
What is damaged or unknown is a sentence and exit status 1. It is slow, and repairs nothing.
"""
import lzma
import struct
import sys
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from functools import lru_cache
from math import exp

U16, U32, U64, FAR = (1 << 16) - 1, (1 << 32) - 1, (1 << 64) - 1, (1 << 24) - 1
GOLD = 0x9e3779b97f4a7c15

class Damaged(Exception):               # what is read makes no sense, or is of a later version
    pass

def need(holds, what):                  # refuses the container unless something holds
    if not holds: raise Damaged(what)

def clamp(v, least, most): return least if v < least else most if v > most else v  # "Part 2"
def quotient(a, b): return int(a / b)   # a / b of "Part 2", of small numbers
def size(n, most): return clamp((n - 1).bit_length(), 10, most)         # "Part 2"

def chain(t, values):                   # the hash() of "Part 2" of t and a value, and so on
    for v in values:
        t = (t + v + 1) * 0x9e3779b1 & U32
        t ^= t >> 15
    return t

def H(*v): return chain(v[-1], v[-2::-1])  # H(a, H(b, ... c)) of "Part 4", of a, b, ..., c
def zz(z): return -(z + 1 >> 1) if z & 1 else z >> 1    # of a zigzag number: head of SPEC.md

def first_right(candidates, most, ask, done):   # the one of them, each a value and more, or None
    # Each value is asked for once, and with how many were before it; those are added to `done`.
    for c, *more in candidates:
        if c is not None and c not in done and len(done) < most:
            if ask(c, len(done), *more): return c
            done.append(c)
    return None

def front(items, item, most):           # puts an item in front of a list of so many
    items.insert(0, item)
    del items[most:]

class Bytes:                            # bytes, read from front to end: head of SPEC.md
    def __init__(my, data, at=0): my.data, my.at = data, at
    def __len__(my): return len(my.data) - my.at        # how many are left
    def take(my, n):                    # the next n
        need(n <= len(my), "it ends too early")
        my.at += n
        return my.data[my.at - n:my.at]
    def fixed(my, n=1, order="little"): return int.from_bytes(my.take(n), order)    # of n bytes
    def number(my, most=U64):           # a number in LEB128
        v = 0
        for shift in range(0, 70, 7):
            byte = my.fixed()
            v |= (byte & 127) << shift
            if byte < 128:
                need(v <= most, "a number is larger than it may be")
                return v
        raise Damaged("a number has more than ten bytes")
    def end(my, what): need(not my, "there are bytes behind " + what)  # refuses bytes that are left


# "Sums" of Part 1

SECRET = bytes.fromhex("b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64e"
    "ccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea37164"
    "4897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad0"
    "31ce45cb3a8f95160428afd7fbcabb4b407e")
P1, P2, P3, Q1, Q2 = 0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x9e3779b185ebca87, 0xc2b2ae3d27d4eb4f
Q3, Q4, Q5 = 0x165667b19e3779f9, 0x85ebca77c2b2ae63, 0x27d4eb2f165667c5
Q6, Q7 = 0x165667919e3779f9, 0x9fb21c651e98df25

def words(data, i, n=1): return struct.unpack_from("<%dQ" % n, data, i)         # n, from byte i on
def fold(x, y): return x * y & U64 ^ x * y >> 64        # the halves of a product: "Sums"

def ended(h, *steps):                   # end1(h), or end2(h) and others of such steps: "Sums"
    for shift, q in steps or ((37, Q6),): h = (h & U64 ^ (h & U64) >> shift) * q
    return h & U64 ^ (h & U64) >> 32

def swap(word, n): return int.from_bytes(word.to_bytes(n, "little"), "big")     # of n bytes

def xxh3(d, seed=0):                    # XXH3 of bytes
    n, s = len(d), words(SECRET, 0, 24)
    def mix(i, k):                      # mix(i, k)
        (x, y), (u, v) = words(d, i, 2), words(SECRET, k, 2)
        return fold(x ^ u + seed & U64, y ^ v - seed & U64)
    if n == 0: return ended(seed ^ s[7] ^ s[8], (33, Q2), (29, Q3))
    if n <= 3:
        c = (d[0] << 16) + (d[n // 2] << 24) + d[n - 1] + (n << 8)
        return ended(c ^ (s[0] & U32 ^ s[0] >> 32) + seed & U64, (33, Q2), (29, Q3))
    if n <= 8:
        low, high = struct.unpack("<II", d[-4:] + d[:4])
        h = (high << 32 | low) ^ (s[1] ^ s[2]) - (seed ^ swap(seed & U32, 4) << 32) & U64
        h = (h ^ (h << 49 | h >> 15) & U64 ^ (h << 24 | h >> 40) & U64) * Q7 & U64
        h = (h ^ (h >> 35) + n) * Q7 & U64
        return h ^ h >> 28
    if n <= 16:
        a = words(d, 0)[0] ^ (s[3] ^ s[4]) + seed & U64
        b = words(d, n - 8)[0] ^ (s[5] ^ s[6]) - seed & U64
        return ended(n + swap(a, 8) + b + fold(a, b))
    if n <= 128:
        return ended(n * Q1 + sum(mix(16 * k, 32 * k) + mix(n - 16 * k - 16, 32 * k + 16)
                                  for k in range((n + 31) // 32)))
    if n <= 240:
        h = ended(n * Q1 + sum(mix(16 * k, 16 * k) for k in range(8)))
        return ended(h + mix(n - 16, 119) +
                     sum(mix(16 * k, 16 * k - 125) for k in range(8, n // 16)))
    t = struct.pack("<24Q", *(v + (-seed if i % 2 else seed) & U64 for i, v in enumerate(s)))
    a = [P3, Q1, Q2, Q3, Q4, P2, Q5, P1]
    def stripe(i, k):                   # stripe(i, k)
        for j, (v, word) in enumerate(zip(words(d, i, 8), words(t, k, 8))):
            a[j ^ 1] += v
            a[j] += ((v ^ word) & U32) * ((v ^ word) >> 32)
    for m in range((n - 1) // 64):
        stripe(64 * m, 8 * (m % 16))
        if m % 16 == 15:
            a = [(v & U64 ^ (v & U64) >> 47 ^ word) * P1 & U64
                 for v, word in zip(a, words(t, 128, 8))]
    stripe(n - 64, 121)
    last = [v & U64 ^ word for v, word in zip(a, words(t, 11, 8))]
    return ended(n * Q1 + sum(fold(*last[j:j + 2]) for j in (0, 2, 4, 6)))


# Part 2: coders

S = [round(65536 / (1 + exp(-k / 4))) for k in range(49)]       # "Logistic scale"

def fine(x):                            # "Logistic scale"
    k, r = x >> 6, x & 63
    return (1 << 22) - fine(-x) if x < 0 else 64 * S[k] + (S[k + 1] - S[k]) * r

FINE = [fine(y) for y in range(-2047, 2048)]
SQUASH = [fine(x) >> 6 for x in range(3072)]            # squash(x), then of all x from -3071
SQUASH = [65536 - p for p in SQUASH[:0:-1]] + SQUASH
STRETCH = [min(bisect_left(SQUASH, 16 * k + 8) - 3071, 3071) for k in range(4096)]
def squash(x): return SQUASH[clamp(x, -3071, 3071) + 3071]      # "Logistic scale", of any x
def stretch(p): return STRETCH[p >> 4]                  # "Logistic scale"
APM = SQUASH[:1] + SQUASH[255::256] + SQUASH[-1:]       # squash() of -3071, -2816, ..., 2816, 3071

def move(c, to, limit):                 # "Counter"
    p, n = c
    c[0] = p + ((to - p >> 3) * (16384 // (2 * n + 3)) >> 10)
    c[1] = n + (n < limit)

def learn(c, bit, limit): move(c, (1 << 22) * bit, limit)       # "Counter"
def history(h, bit): return (2 * h + bit) & 255 | h & 128       # "Bit history"

def first(h):                           # "Bit history"
    c = [1 << 21, 0]
    for digit in bin(h)[3:]: learn(c, int(digit), 1023)
    return c[0] >> 6

FIRST = [first(h) for h in range(256)]
TRUSTED = [clamp(stretch(p), -2047, 2047) for p in FIRST]       # "State map"

def count_states():                     # what follows a 0, a 1; count_first: "Count state"
    def kinds(n0, n1):                  # how many states a pair is
        a, b = max(n0, n1), min(n0, n1)
        return 0 if b > 5 or a > (20, 48, 15, 8, 6, 5)[b] else 2 if b and a + b <= 17 else 1
    def after(n0, n1, bit):             # next(n0, n1, bit)
        if n0 < n1: return after(n1, n0, 1 - bit)[::-1]
        left = (0, 1, 2, 3, 4, 5, 5, 6, 7)
        n0, n1 = (left[min(n0, 8)], n1 + 1) if bit else (n0 + 1, left[n1])
        while not kinds(n0, n1):
            n0, n1 = (n0 - 1, n1) if n1 < 2 else ((n0 * (n1 - 1) + n1 // 2) // n1, n1 - 1)
        return n0, n1
    states = [(t - n1, n1, last) for t in range(50) for n1 in range(t + 1)
              for last in range(kinds(t - n1, n1))]
    number = {state: i + 1 for i, state in enumerate(states)}
    follow = [[0] + [number.get(after(n0, n1, bit) + (bit,)) or number[after(n0, n1, bit) + (0,)]
                     for n0, n1, _ in states] for bit in (0, 1)]
    return follow, [0] + [65536 * (5 * n1 + 2) // (5 * (n0 + n1) + 4) for n0, n1, _ in states]

NEXT, COUNT_FIRST = count_states()

@lru_cache(maxsize=None)
def up(x, slowness):                    # up(x); down(x) is -up(-x): "State map"
    to = fine(x) + ((1 << 22) - fine(x)) // slowness
    i = min(bisect_left(FINE, to), 4094)
    return i - 2047 - (i > 0 and to - FINE[i - 1] < FINE[i] - to)

def step(cells, bit, slowness):         # stretches of state maps learn a bit: "State map"
    for cell in cells: cell[:] = [up(v, slowness) if bit else -up(-v, slowness) for v in cell]

def train(weights, inputs, p, rate, bit):   # the weights of a mixer learn: "Mixer"
    e = ((65535 if bit else 0) - p) * rate >> 4
    e = clamp(e, -32767, 32767) if rate > 8 else e
    for i, x in enumerate(inputs):
        if x:
            w = weights[i] + (x * e + 32768 >> 16)
            weights[i] = -32768 if w < -32768 else 32767 if w > 32767 else w

class Coder:                            # "Range coder", and what learns of its bits, by name
    def __init__(my, data=b"", bits=0):
        my.learnt, my.bits = {}, bits   # 2^bits lines of slots that predictors share: "Predictor"
        my.lines = defaultdict(lambda: [bytearray(16) for _ in range(4)])
        my.begin(data)
    def begin(my, data):                # begins with other bytes, and keeps what was learnt
        my.data, my.at, my.range, my.size = bytes(data) + bytes(16), 8, U64, len(data)
        my.c = int.from_bytes(my.data[:8], "big")
    def end(my):                        # refuses more or fewer bytes than were read
        need(my.at == my.size + 4, "a range coded stream has another length than what it codes")
    def flag(my, p): return 1 - my.code(p)              # a bit that is 1 with probability p / 65536
    def code(my, p):                    # a bit that is 0 with probability p / 65536
        bound = (my.range >> 16) * p
        bit = int(my.c >= bound)
        my.range, my.c = (my.range - bound, my.c - bound) if bit else (bound, my.c)
        if my.range <= U32:
            my.range, my.at = my.range << 32, my.at + 4
            need(my.at <= my.size + 8, "a range coded stream ends too early")
            my.c = (my.c << 32 & U64) + int.from_bytes(my.data[my.at - 4:my.at], "big")
        return bit
    def counter(my, p, n, *name): return my.learnt.setdefault(name, [64 * p, n])    # "Counter"
    def bit(my, *name):                 # a bit, by the bit model of this name
        m = my.counter(32768, 0, *name)
        b = my.code(m[0] >> 6)
        move(m, 64 * 64 if b else 64 * 65472, 30)
        return b
    def tree(my, k, *name, begin=1):    # a symbol of k bits, of which those in `begin` are known
        x = begin
        while x < 1 << k: x = 2 * x + my.bit(*name, x)
        return x - (1 << k)
    def number(my, *name):              # a number of up to 64 bits
        n = my.tree(5, *name, "len")
        n = n + my.tree(6, *name, "far") if n == 31 else n
        need(n <= 64, "a number has more than 64 bits")
        v = min(n, 1)
        for i in range(n - 2, -1, -1):
            v = 2 * v + my.bit(*name, *(("head", n, v) if v < 4 else
                                        ("low", n, 4 * (v % 2) + i) if i < 3 else ("rest", i)))
        return v
    def state(my, first, *name): return my.learnt.setdefault(name, [first])     # of one number
    def mix(my, inputs, rate, weights, *names, least=0):    # a flag by a mixer or a pair: "Mixer"
        mixers = [my.learnt.setdefault(name, weights[:]) for name in names]
        y = sum([w * x for m in mixers for w, x in zip(m, inputs)]) >> 12 + len(mixers)
        p = clamp(squash(clamp(y, -2048, 2047)), least, 65536 - least)
        bit = my.flag(p)
        for m in mixers: train(m, inputs, p, rate, bit)
        return bit

def bucket(n):                          # "Match model"
    e = n.bit_length() - 1
    return n if n < 2 else 31 if n >= 65536 else 2 * e + (n >> e - 1 & 1)

def expect(b, h):                       # "Match model"
    e = (stretch(65535 - 65536 // (b + 2)) + stretch(FIRST[h])) * 7
    return clamp(quotient(e, 8), -2047, 2047)

class Match:                            # symbols x, histories h, and a match: "Match model"
    def __init__(my, bits):
        my.x, my.h, my.bits, my.table, my.at, my.len, my.misses = [], [], bits, {}, 0, 0, 0
    def back(my, d): return my.x[-d] if d <= len(my.x) else 0   # the symbol d places back
    def place(my, u):                   # the place that the entry of a hash has for it, or 0
        i, check = my.table.get(u >> 32 - my.bits, (0, 0))
        return i if check == u & 255 else 0
    def note(my, u):                    # notes the next place with a hash
        my.table[u >> 32 - my.bits] = len(my.x) & FAR, u & 255
    def seek(my, u, least, below=1):    # tries what a hash has if the match is shorter; notes it
        x, i, place, n = my.x, len(my.x), my.place(u), 0
        my.note(u)
        while my.len < below and n < 32 and n < place and x[place - 1 - n] == x[i - 1 - n]: n += 1
        if my.len < below and place and n >= least: my.at, my.len, my.misses = place, n, 0
    def put(my, symbol, believed=True): # a symbol is known: its history, and the match follows
        right = my.at and my.x[my.at] == symbol
        my.x.append(symbol)
        my.h.append(history(my.h[my.at], right) if my.at and believed else 1)
        if my.at:
            my.at, my.len = my.at + 1, my.len + 1 if right else 0
            my.misses = my.misses + 1 if not right else 0 if my.len >= 16 else my.misses
            if my.misses == 8: my.at = my.misses = 0

class Predictor:                        # "Predictor"; zeros among inputs are left out
    def __init__(my, coder, number, contexts, experts=0):
        my.coder, my.m, my.learnt, my.seen, my.right = coder, number, {}, 0, [0] * experts
        my.weights = [7000 // contexts] * contexts + [1500] * experts + [7000 // contexts]
    def find(my, contexts):             # finds the slots of contexts
        my.places, my.node, m, shift = [], 1, 16 * my.m, 32 - my.coder.bits
        for c in contexts:
            x = (((c & U32) >> 4) + m * 0x3d4d51cb) * 0x85ebca6b & U32
            x = (x ^ x >> 13) * 0x9e3779b1 & U32
            line, check, m = my.coder.lines[x >> shift], x >> shift - 8 & 255 or 1, m + 1
            for s, slot in enumerate(line):
                if slot[0] in (0, check): break
            if slot[0] != check: line[s] = bytearray((check,) + (1,) * 15)
            elif s: line[s - 1], line[s], s = slot, line[s - 1], s - 1
            my.places.append((line, s, c & 15))
    def bit(my, contexts, mixers, apms, experts=(), map_set=0):     # "A bit"
        # Slots are found if contexts are given. An expert is a counter and the bit it expects.
        if contexts: my.find(contexts)
        learnt, node, counters, last = my.learnt, my.node, [], 0
        for k, (line, s, low) in enumerate(my.places):
            cell = line[s][node + low]
            counters.append(learnt.setdefault((map_set, k, cell), [
                64 * (COUNT_FIRST if k & 1 else FIRST)[cell], 3]))
            last = last if cell == 1 else k + 1
        inputs = [STRETCH[c[0] >> 10] for c in counters]
        inputs += [0 if e is None else stretch(e[0][0] >> 6) * (1 if e[1] else -1) for e in experts]
        inputs.append(256)
        mixers = [learnt.setdefault(name, my.weights[:]) for name in (
            ("s1", mixers[0]), ("s2", mixers[1]), ("s3", mixers[2], last))]
        ys = [clamp(sum([w * x for w, x in zip(m, inputs)]) >> 13, -3071, 3071) for m in mixers]
        y = quotient(sum(ys), 3)
        (j, r), p = divmod(y + 3072, 256), 2 * squash(y)
        apms = [learnt.setdefault((t, name), APM[:]) for t, name in enumerate(apms)]
        for a in apms: p += (a[j] * (256 - r) + a[j + 1] * r) // 256
        bit = my.coder.flag(clamp(p // 4, 16, 65520))
        rate = (16, 12, 8, 4, 2)[bisect_right((2000, 20000, 200000, 1000000), my.seen)]
        my.seen, my.node, j = my.seen + 1, 2 * node + bit, j + (r > 128)
        for m, y in zip(mixers, ys): train(m, inputs, squash(y), rate, bit)
        for k, (c, (line, s, low)) in enumerate(zip(counters, my.places)):
            move(c, bit << 22, 255)
            slot, cell = line[s], node + low
            slot[cell] = NEXT[bit][slot[cell]] if k & 1 else history(slot[cell], bit)
        for a in apms: a[j] += 65535 - a[j] >> 6 if bit else -(a[j] >> 6)
        for c, e in filter(None, experts): learn(c, e == bit, 127)
        return bit
    def symbol(my, n, contexts, select, begin=1):   # n bits, of which those in `begin` are known
        path = begin
        for b in range(n - begin.bit_length(), -1, -1):
            found = [H(path, c) << 4 for c in contexts] if b % 4 == 3 or path == begin else ()
            path = 2 * path + my.bit(found, *select(path, b))
        return path - (1 << n)
    def number(my, contexts, selector=0, expected=(), n=None):  # "Number model"
        # Each expert expects a number, or None. With n, without experts: a number of n bits.
        states = [4 * r + min(3, expected.count(e) - 1) for r, e in zip(my.right, expected)]
        going = [e if e is None else f"{e.bit_length():05b}" + f"{e:b}"[1:] for e in expected]
        path, w, low, k = 1, 1, selector & 7, n and n + 1
        t = begin = 0 if n is None else 5
        while t < 5 or t < k + 4:
            d = t - 5
            mixers, apms = (("k", path), ("k", low, path), t), (("k", selector, path), ("k", path))
            if d >= 0:
                mixers, apms = ((k, d), (low, d), min(t, 12)), ((k, w if w < 32 else 0), (k, d))
            experts = [code and (my.coder.counter(
                57344, 1, my.m, "trust", i, states[i], min(t, 11)), int(code[t]))
                for i, code in enumerate(going)]
            found = [H(path, c) << 4 for c in contexts] if (t - begin) % 4 == 0 else ()
            bit = my.bit(found, mixers, apms, experts, clamp(d + 1, 0, 2))
            going = [code if code and int(code[t]) == bit else None for code in going]
            path, w, t = 2 * path + bit, 2 * w + bit if t > 4 else 1, t + 1
            if t == 5:
                k = path - 32
                need(k <= 24, "a number has more than 24 bits")
        v = w - (1 << n) if n is not None else w if k else 0
        my.right = [r if e is None else (2 * r + (e == v)) & 7 for r, e in zip(my.right, expected)]
        return v


# "Packed streams"

def fields(data, w):                    # fields of w bytes, the most significant first
    need(len(data) % w == 0, "a stream ends within a field")
    return [int.from_bytes(data[i:i + w], "big") for i in range(0, len(data), w)]

def joined(values, w): return b"".join(v.to_bytes(w, "big") for v in values)    # of fields

def packed_stream(r, most):             # at most so many bytes: "Packed streams"
    n = r.number(most)
    return unpack(n, r.fixed(), r.take(r.number())) if n else b""

def unpack(n, method, data):            # n bytes by a method: "Packed streams"
    if method == 0:
        need(len(data) == n, "a stored stream has another length")
        return data
    if method <= 8: return unpack_lzma(n, method, data)
    need(method in METHODS, "a stream has an unknown method")
    stream, w, head = METHODS[method]
    heads, coder = data[:head], Coder(data[head:])
    need(len(heads) == head and 1 <= max(heads[:1], default=1) <= (16 if method == 22 else 8),
         "a stream has a damaged head")
    need(head < 3 or heads[2] <= 2 and n // w <= 1 << 24, "a stream has a damaged head")
    need(n % w == 0 or stream is context_mixing, "a stream has half a symbol")
    out = stream(coder, n, w, *heads)
    coder.end()
    return out

def unpack_lzma(n, method, data):       # methods 1 to 8: "Packed streams"
    lc, lp, pb = map(int, ("000", "400", "300", "011", "022", "033", "311", "011")[method - 1])
    try:
        out = lzma.LZMADecompressor(lzma.FORMAT_RAW, None, [{
            "id": lzma.FILTER_LZMA1, "lc": lc, "lp": lp, "pb": pb,
            "dict_size": 1 << max(12, (n - 1).bit_length())}]).decompress(data, n)
    except (lzma.LZMAError, EOFError) as err:
        raise Damaged("a stream of LZMA is damaged") from err
    need(len(out) == n and (method < 8 or n % 4 == 0), "a stream of LZMA has another length")
    return out if method < 8 else b"".join(
        out[i:i + 2] + out[n // 2 + i:n // 2 + i + 2] for i in range(0, n // 2, 2))

def context_mixing(coder, n, w, bits):  # "Context mixing"
    coder.bits = size(2 * n, 19)
    model, match, M = Predictor(coder, 0, 7, 1), Match(size(n, 19)), 0x2f0b4c47
    x, least, contexts, f, g, g2 = match.x, 16 if w == 8 else 8, [0] * 7, 0, 0, 0
    def order(o):                       # the sum over the last o symbols
        total = 0
        for v in x[-o:]: total = total * M + v + 1 & U32
        return total
    def h(v, u): return (u + v + 1) * M & U32           # h(v, u)
    def select(path, b):                # what selects for a bit, and the expert
        B, e, expert, t1, last = 0, 0, None, (i % w, path), match.back(1)
        if match.at and (x[match.at] | 1 << bits) >> b + 1 == path:
            B, e = bucket(match.len), x[match.at] >> b & 1
            expert = coder.counter(65535 - 65536 // (B + 2), 8, "trust", B), e
        t2 = (last, path) if bits <= 4 else \
            ((256 * last + path) * 0x9e3779b1 + i % w * 0x3d4d51cb & U32) >> 19
        return ((i % w, B, e), t1, (i % w, b)), (t1, t2), [expert]
    for i in range(n):
        match.put(model.symbol(bits, contexts, select))
        field = (i + 1) % w == 0
        if field and i + 1 >= least: match.seek(order(least) * 0x9e3779b1 & U32, least)
        if w == 1: contexts = [order(o) for o in (1, 2, 3, 5, 8, 12, 20)]
        else:
            f = h(x[-1], f)
            g2, g, f = (g, f, 0) if field else (g2, g, f)
            contexts = [(i + 1) % w, f, h(g, f), h(g2, h(g, f)), h(match.back(w), f),
                        h(match.back(w) + 256 * match.back(2 * w), f), h(g2, f) + 1]
    return bytes(x)

def tokens(coder, n, _):                # "Tokens"
    match, order = Match(size(n, 15)), (0, 8, 1, 2, 3, 4, 5, 6, 7)
    x, h, slots = match.x, match.h, {}
    def last(o): return int("0" + bytes(x[-o:]).hex()[1::2], 16)        # the last o tokens
    def hashed(o): return (last(o) << 64 - 4 * o) * GOLD >> 32 & U32    # H(o)
    def flag(d, part, now):             # "A flag"
        keys = [(k, d, key) for k, key in enumerate(places)]
        had, name, xs = [slots.get(key, 1) for key in keys], 0, []
        maps = [coder.state(TRUSTED[v], "map", k, d, v) for k, v in enumerate(had)]
        if part:
            b, v = bucket(match.len), h[match.at]
            xs, name = [coder.state(expect(b | 1, v), "X", b // 2, now, v)], 1 + b + 31 * now
        inputs = [v for v, in maps] + ([v if now else -v for v, in xs] or [0]) + [256]
        bit = coder.mix(inputs, 6, [2500] * 5 + [0], ("last", d, last(1)), ("part", d, name))
        step(maps, bit, 80)
        step(xs, bit == now, 80)
        slots.update((key, history(v, bit)) for key, v in zip(keys, had))
        return bit
    while len(x) < n:
        wrong = done = False
        if match.len >= 200:            # 1
            run = coder.number("run")
            need(run <= n - len(x), "a run of tokens is too long")
            x.extend(x[match.at + k] for k in range(run))
            h += [255] * run
            match.at, match.len, match.misses, wrong = match.at + run, 199, 0, True
            if len(x) == n: break
        elif match.len >= 12 and h[match.at] == 255:    # 2
            b = bucket(match.len)
            c = coder.counter(squash(expect(b, 255)), 16, "sure", b)
            done = coder.flag(clamp(c[0] >> 6, 16, 65520))
            learn(c, done, 255)
            wrong = not done
        if done: match.put(x[match.at])
        else:                           # 3
            d, e = 0, order.index(x[match.at]) if match.at else 9
            places = [last(o) if o < 5 else hashed(o) >> 32 - match.bits for o in (1, 3, 5, 7)]
            while d < 8 and (wrong and d == e or
                             not flag(d, not wrong and d <= e < 9, d == e)):
                d += 1
            match.put(order[d])
        match.seek(hashed(12), 12)
    return bytes(x)

def literals(coder, n, _, groups):      # "Literals"
    a, f, weights, tables = size(n, 16), 1, [4000, 4000, 4000, 0], {}
    match = Match(a)
    x, histories = match.x, match.h
    def slot(k, c, s):                  # bit histories of a group, in context k
        h = c + (s >> 2) * GOLD & U64
        check = (h >> 32) + s & 255 | 2
        line = tables.setdefault((k, h >> 66 - a), [bytearray([1] * 16) for _ in range(4)])
        one, two = line[s & 3], line[s & 3 ^ 1]
        found = one if one[0] == check else two if two[0] == check or two[1] < one[1] else one
        if found[0] != check: found[:] = bytes([check] + [1] * 15)
        return found
    def group(t, above):                # "A group"
        y, node = x1 >> 8, 1
        c = (x1, x2 >> 8 ^ (y * 0x9e3779b1 & U32), y)[min(t >> 3, 2)]
        c = [0, c * 0xd6e8feb86659fd93 + 1, y * 0xd6e8feb86659fd93 + 2]
        found = [slot(k, c[k], above) for k in range(2 if t >> 4 or t == 0 else 3)]
        for b in range(t + 3, t - 1, -1):
            maps = [coder.state(TRUSTED[v], b, k, v) for k, v in enumerate(h[node] for h in found)]
            inputs = ([v for v, in maps] + [0])[:3] + [256]
            bit = coder.mix(inputs, 8, weights, ("group", t))
            step(maps, bit, 32)
            for h in found: h[node] = history(h[node], bit)
            node = 2 * node + bit
        return node - 16
    for i in range(n // 4):
        x1, x2, v, right = match.back(1), match.back(2), 0, 0
        if match.at:                    # 1
            b, h, v = bucket(match.len), histories[match.at], x[match.at]
            two = [coder.counter(squash(expect(b, h)), 8, "match", b, h),
                   coder.counter(FIRST[f], 8, "flags", b, f)]
            right = coder.mix([stretch(c[0] >> 6) for c in two] + [0, 256], 8, weights,
                              ("match", b), least=24)
            for c in two: learn(c, right, 30)
            f = history(f, right)
        if not right:                   # 2
            v = 0
            for t in range(4 * groups - 4, -4, -4):
                v = v << 4 | group(t, v | 1 << 4 * groups - 4 - t)
        match.put(v)
        if i:
            u = (v * 0x2545f491 + x1) * 0x9e3779b1 & U32
            u = (u ^ u >> 15) * 0x85ebca6b & U32
            match.seek(u ^ u >> 13, 2)
    return joined(x, 4)

def ranking(coder, n, w, bits, least, more):    # "Ranking"
    n, a = n // w, size(n // w // 4, 20)
    match, shape, far, path = Match(min(a, 17 + more)), 0, 0, 0
    x, h, tried, table, lines, good = match.x, match.h, {}, {}, {}, (3, 7, 15, 31, 63, 127, 255)
    def put(symbol, believed=True):     # a symbol is known; its d: "Shape"
        nonlocal shape, far, path
        d = x[:-16:-1].index(symbol) + 1 if symbol in x[:-16:-1] else 0
        shape, far = 16 * shape + d & U64, (far + d + 1) * 4 * GOLD & U64
        path = (path + symbol + 1) * 1024 * GOLD & U64
        match.put(symbol, believed)
        return d
    def attempt(right):                 # was the symbol that the match expects the one?
        tried[x[match.at]] = 2 * tried.get(x[match.at], 0) + right & 255
    def hash2(v, use): return (v * (GOLD + use * 0xd1b54a32d192ed02) & U64) >> 32  # "Shape"
    def trust():                        # on the match; None if it is not believed
        if match.len < 4: return None
        b, had = bucket(match.len) // 4, h[match.at]
        return coder.counter(squash(expect(4 * b + 2, had)), 2,
                             "trust", b, had, tried.get(x[match.at], 0) & 7)
    def entry(u):                       # that of a context: where, its check, what it has: "Entries"
        check, j = u & U16 | 1, u >> 32 - min(a + 2, 18 + more)
        one, two = table.get(j, (0, 0)), table.get(j ^ 1, (0, 0))
        if one[0] != check and (two[0] == check or two[1] < one[1]): j, one = j ^ 1, two
        return (j, check), one[1:] if one[0] == check else (0, 0, 0)
    def weighted(*weights):             # a flag by the sum of weights: first values and names
        w = [coder.state(*weight) for weight in weights]
        p = squash(clamp(sum(v for v, in w) >> 3, -2020, 2020))
        bit = coder.flag(p)
        e = (65535 * bit - p) * 100 + 32768 >> 16
        for cell in w: cell[:] = [(v + e + 32768 & U16) - 32768 for v in cell]
        return bit
    def scaled(p): return quotient(stretch(p) * 24, 10)     # st(p)
    def run():                          # 2: whether all are as expected
        m = next((q - match.at for q in range(match.at, len(x)) if h[q] not in good), n)
        m = min(m, n - len(x))
        less = coder.bit("run", m.bit_length() - 1)
        right = coder.number("count") if less else m
        need(right < m or not less, "a run of symbols is too long")
        for _ in range(right): put(x[match.at])
        return not less
    def alone(p):                       # 3: whether the symbol is the expected one
        b = coder.counter(65520, 0, "shape", hash2(shape & U32, 2) >> 17)
        right = coder.flag(min(65512, p[0] >> 6 if b[1] < 2 else (p[0] >> 6) + (b[0] >> 6) >> 1))
        learn(p, right, 1022)
        learn(b, right, 15)
        if right:
            attempt(1)
            put(x[match.at])
        return right
    def offer(c, R):                    # 4: whether it is candidate c
        weights = [(0, "match", R, p[0] >> 16 if p else -1, p is not None and c == x[match.at])]
        for k, ((_, (had, _, _)), v) in enumerate(zip(entries, values)):
            which, q = (v[0] == c) + 2 * (v[1] == c), FIRST[had]
            q = q if which & 1 else (65535 - q) * (3 if which else 2) // 4
            weights.append((scaled(q), "context", R, k, had, which))
        return weighted(*weights)
    def plain(c):                       # 5
        node = 1
        for b in range(bits - 1, -1, -1):
            if (bits - 1 - b) % 6 == 0:
                found, low, before = [], 1, (match.back(1), match.back(2), c)
                for k, v in enumerate([node] + [(65536 * v + node) * 0x2f0b4c47 for v in before]):
                    u = (v ^ (v & U32) >> 15) * 0x9e3779b1 & U32
                    found.append(lines.setdefault((k, u >> 38 - match.bits), bytearray([1] * 64)))
            bit = weighted(*[(scaled(FIRST[line[low]]), "plain", b, k, line[low])
                             for k, line in enumerate(found)])
            for line in found: line[low] = history(line[low], bit)
            node, low = 2 * node + bit, 2 * low + bit
        return node - (1 << bits)
    while len(x) < n:
        refused, p = [], trust()
        if p and (match.len >= 64 or match.len >= 32 and h[match.at] >= 63) and \
                all(v in good for v in h[match.at:match.at + 4]):
            if run(): continue
            refused = [x[match.at]]
        elif p and p[0] >= least << 14:
            if alone(p): continue
            refused = [x[match.at]]
        entries = [entry(u) for u in (far >> 32, hash2(shape << 16 & U64, 1), path >> 32)]
        match.seek((path ^ far) >> 32, 14, 4)
        p, early = trust(), len(refused)
        values = [[match.back(65536 - v) if v > 0xfff0 and k < 2 else v for v in e[1:]]
                  if e[0] else [None, None] for k, (_, e) in enumerate(entries)]
        candidates = [x[match.at] if p else None] + [v[s] for s in (0, 1) for v in values]
        symbol = first_right([(c,) for c in candidates], 3, offer, refused)
        symbol = plain(refused[0] if refused else 0) if symbol is None else symbol
        if p:                           # 6
            if not early: learn(p, symbol == x[match.at], 1022)
            attempt(symbol == x[match.at])
        d = put(symbol, p is not None)
        for k, ((j, check), (had, last, other)) in enumerate(entries):
            v = 65536 - d if k < 2 and d else symbol
            table[j] = (check, history(had or 1, v == last) if had else 1, v,
                        v if not had else other if v == last else last)
    return joined(x, w)

METHODS = {16: (context_mixing, 1, 1), 17: (context_mixing, 2, 1), 18: (context_mixing, 4, 1),
           19: (context_mixing, 8, 1), 21: (ranking, 1, 3), 22: (ranking, 2, 3), 23: (tokens, 1, 0),
           24: (literals, 4, 1)}           # how, bytes of a field, bytes of the head


# Part 3: the program

def h(*v): return chain(0, v)                           # "Columns by op"
def f(v): return h(v & U32, v >> 32)                    # "Columns by op"
def byte(v, j): return v >> 8 * j & 255                 # v[j] of "Columns by op"
def parts(v): return sum(1 << j for j in range(8) if byte(v, j))        # "Columns by op"

class Op:                               # an instruction, its first slot and its edges: "Part 3"
    def __init__(my, before=None, pc=0, shape=0, fetch=None):
        my.pc, my.shape, my.fetch, my.values, my.out, my.length = pc, shape, fetch, [], [], 4
        my.before, my.number = before or my, before.number + 1 if before else -1
        my.end = my.slot = my.kind = my.unknown = 0     # kind is the class of models

NOTHING = Op()                          # what does not exist, and counts as 0
NOTHING.values, NOTHING.length = [0, 0, 0], 0

class Program:                          # "Growth": what is remembered from one reset on
    def __init__(my, flags, by_op):
        my.flags, my.by_op, my.columns = flags, by_op, [c for c in BY_OP if by_op >> c & 1]
        my.shapes, my.ops, my.edges, my.slots, my.c = [], [], [], [], Coder(bits=16)
        my.recent, my.open, my.landings, my.left, my.places, my.others = 0, [], [], {}, {}, {}
        my.jumped, my.lines, my.newest, my.before = False, [], 0, (0, 0, 0, 0)
        my.had, my.written, my.known, counts = {}, {}, [], {8: 8, 9: 8, 10: 9, 11: 8, 12: 8}
        for k, c in enumerate(my.columns):
            counts[2 * k], counts[2 * k + 1] = (8, 9) if c == 13 else (6, 12)
        my.predictors = {k: Predictor(my.c, k, n) for k, n in counts.items()}
    def grow(my, r):                    # a growth
        old, news = (len(my.shapes), len(my.ops), len(my.edges)), [r.number() for _ in range(3)]
        for had, new, most in zip(old, news, (16, 20, 22)):
            need(had + new <= 1 << most, "the program is too large")
        my.c.begin(r.take(len(r)))
        for _ in range(news[0]): my.shapes.append(my.read_rows())
        my.b = min(len(my.shapes[1:]).bit_length(), 8)
        my.add_edges(news[2], old[1] + news[1])
        for k, c in enumerate(my.columns):
            for source, target, values in my.edges[old[2]:]:
                values.append(my.edge_value(k, WIDTH[c], source, target))
        for op in my.ops[old[1]:]: my.add_slots(op)
        need(len(my.slots) <= 1 << 22, "the program is too large")
        my.c.end()
    def read_rows(my):                  # those of a shape: "Shapes"
        rows, kind, n = [], 32, my.c.number("rows")
        need(1 <= n <= 17, "a shape has no rows, or too many")
        for i in range(n):
            kind = my.c.tree(5, "type", kind)
            rows.append((kind, my.c.number("size", kind)))
            need(kind % 16 <= 8 and rows[i][1] <= U32, "a shape has an unknown type or size")
            need(kind % 16 != 2 or i == 0, "a fetch is not the first of its shape")
        need(n <= 16 or rows[0][0] % 16 == 2, "a shape has too many rows")
        return rows
    def add_edges(my, edges, stop):     # "Edges and ops"
        my.landed, my.to, last, bit = False, 0, None, my.c.bit
        if len(my.ops) < stop and bit("start"): last = my.new_op(NOTHING, False, False)
        for _ in range(edges):
            jumps, fresh, plain, source = last is None, False, False, last or my.start_of_edge()
            at = my.places.get((source.end ^ source.end >> 16) & U16)
            at = None if at and (at.pc ^ source.end) >> 16 & U32 else at
            if len(my.ops) < stop:
                name = jumps, source.kind if my.by_op else my.context(source), at is not None
                plain = not source.unknown and not bit("plain", *name)
                fresh = plain or bit("fresh", *name)
            target = my.new_op(source, plain, jumps) if fresh else my.known_op(source, at, jumps)
            last, my.landed, my.to = (target, False, target.number) if fresh else \
                (None, my.landed, target.number)
            source.out.append(len(my.edges))
            my.edges.append((source, target, []))
        need(len(my.ops) == stop, "a growth has fewer ops than it says")
    def context(my, source):            # the context of models
        s = min(source.shape, 255)
        return s if my.b > 4 or source is NOTHING else (my.recent << my.b) + s & 255
    def there(my, op):                  # the op of a number, which must be one
        need(op & U32 < len(my.ops), "an edge is of an op that is not there")
        return my.ops[op & U32]
    def start_of_edge(my):              # start_of_edge()
        left = my.left.get(my.to, NOTHING) if my.landed else NOTHING
        if left is not NOTHING and my.c.bit("is_left"): return left
        return my.there(my.to + zz(my.c.number("from", my.landed)))
    def known_op(my, source, at, jumps):    # known_op(from, op)
        my.landed = False
        if at and my.c.bit("at_end", jumps): return at
        if my.c.bit("landing", jumps):
            i = my.c.number("rank")
            need(i < len(my.landings), "a landing is not there")
            t = my.ops[my.landings.pop(i)]
        else: t = my.there(source.number + zz(my.c.number("known", jumps)))
        front(my.landings, t.number, 4096)
        my.landed, my.back = True, source.end
        return t
    def new_op(my, source, plain, jumps):   # new_op(from, plain)
        goes_back = not plain and my.landed and my.c.bit("is_back", source.kind)
        s = my.read_shape(source, plain)
        need(s < len(my.shapes), "an op has a shape that is not there")
        fetch = my.shapes[s][0][1] if my.shapes[s][0][0] % 16 == 2 else None
        if plain:
            pc = source.pc if fetch is None else source.end
            if jumps:
                i = next((i for i, pair in enumerate(my.open) if pair[0] == source.end), 16)
                del my.open[i:i + 1]
        elif goes_back: pc, my.left[my.to] = my.back, source
        else: pc = my.read_jump(source, source.kind)
        op = Op(my.ops[-1] if my.ops else NOTHING, pc, s, fetch)
        my.ops.append(op)
        for k, c in enumerate(my.columns):
            op.values.append(my.regs(op, k) if c == 13 else my.op_value(op, k, WIDTH[c]))
            op.kind = op.values[k] & 255
        if my.flags & 4 and fetch == 0:
            op.length = my.length(op) if my.by_op else my.c.tree(
                4, "length", min(s, 7), 4 if source is NOTHING else source.length)
        op.end, op.unknown = pc + (fetch or op.length or 4) & U64, fetch == 0 and op.length == 0
        my.places[(pc ^ pc >> 16) & U16] = op
        return op
    def read_shape(my, source, plain):  # read_shape(from, plain)
        b, context = my.b, my.context(source)
        name = ("often", context, min(my.recent & (1 << b) - 1, 8)) \
            if b > 4 and context < 8 else ("shape", context)
        if source is not NOTHING: my.recent = (my.recent << b) + min(source.shape, 255) & U32
        s = my.shape(source, plain) if my.by_op else my.c.tree(8, *name, begin=1 << 8 - b)
        return s + my.c.number("shape_far") if s == 255 else s
    def read_jump(my, source, kind):    # read_jump(from)
        if my.c.bit("open", my.landed, kind):
            i = my.c.tree(4, "which")
            need(i < len(my.open), "an open end is not there")
            pc, op = my.open.pop(i)
            my.left[op] = source
        else:
            far = my.c.number("jump", kind // 16)
            low = my.c.tree(4, "low", kind // 16, far > 3)
            pc = ((source.end >> 4) + zz(far)) * 16 + low & U64
            front(my.landings, len(my.ops), 4096)
        if source is not NOTHING: front(my.open, (source.end, len(my.ops)), 16)
        return pc
    def add_slots(my, op):              # "Slots"
        op.slot, my.jumped = len(my.slots), my.jumped or op.number > 0 and op.pc != op.before.end
        for q, (kind, n) in enumerate(my.shapes[op.shape][op.fetch is not None:]):
            store, jumped = int(kind % 16 != 0), int(my.jumped)
            name = op.shape if op.shape < 8 else {0: 8, 4: 10, 8: 11}.get(n, 9 if n < 4 else 12)
            my.slots.append((my.slot_by_values if my.by_op else my.read_slot)(
                op, q, store, name, jumped))
            my.jumped = False
        for j in (0, 1) if my.by_op else (): my.written[byte(op.values[0], j)] = 1
    def read_slot(my, op, _, store, name, jumped):  # "Slots", in programs without columns by op
        s1, t1, m1, c1 = my.before
        mode = my.c.tree(5, "mode", store, t1, jumped, op.shape == s1, min(m1, 6))
        constant = 1 - my.c.bit("constant", store, c1, jumped, mode)
        mode = mode if mode < 30 else 0
        my.before = op.shape, store, mode, constant
        need(not constant or mode < 18, "a slot is constant that cannot be")
        return mode, None if not constant else my.read_address() if mode == 0 else \
            zz(my.c.number("residual", store, name, min(mode, 4))) & U64
    def read_address(my):               # read_address()
        i = my.c.number("address rank")
        if 0 < i <= len(my.lines):
            line = my.lines.pop(i - 1)
            low = my.c.tree(6, "of", line)
        else:
            my.newest = my.newest + zz(my.c.number("address far")) & U64 >> 6
            line, low = (my.newest, object()), my.c.tree(6, "new")      # one of its own
        front(my.lines, line, 4096)
        return line[0] * 64 + low
    def symbol(my, number, n, contexts, a1=None, a2=None, a3=None, begin=1):    # "Columns by op"
        def select(path, _):
            s = (a1, path), (a2, path)
            return (*s, a3), s
        return my.predictors[number].symbol(n, contexts, select, begin)
    def about(my, op, k):               # what both kinds of "Values of ops" use
        one, two, other = op.before, op.before.before, op.values[k - 1] & U16 if k else 0
        return one.values[k], two.values[k], other, op.shape, one.shape, op.fetch or 0
    def op_value(my, op, k, most):      # insn and branch of "Values of ops"
        x1, x2, other, shape, shape1, n = my.about(op, k)
        form, n1, n2 = h(shape, n), (x1.bit_length() + 7) // 8, (x2.bit_length() + 7) // 8
        s, x = my.symbol(2 * k, 4, [
            h(form, other), h(n1, n2, shape), h(f(x1), n), h(x1 & 255, shape, other),
            h(form, shape1), h(f(x1), form)]), 0
        need(s <= most, "a value has too many bytes")
        for j in range(s):
            last, low = byte(x, j - 1) if j else 0, f(x + (1 << 8 * j))
            x |= my.symbol(2 * k + 1, 8, [
                h(low, s, n), h(low, form, other), h(low, x1 & U16), h(low, f(x1), form), h(j, s),
                h(j, last, form), h(j, s, form), h(low, form, x1 & U16), h(x & 255, j),
                h(j, byte(x1, j), byte(x2, j)), h(j, x >> 8 * j - 16 if j > 1 else last),
                h(low, shape, shape1)], j, n - j if 1 <= n - j <= 15 else 0, j) << 8 * j
        return x
    def regs(my, op, k):                # regs of "Values of ops"
        x1, x2, other, shape, shape1, n = my.about(op, k)
        form, x, last = h(shape, n, other), 0, 0
        m = my.symbol(2 * k, 8, [
            h(form, x1 & 255, x2 & 255), h(form, parts(x1), parts(x2)), h(form, f(x1), f(x2)),
            h(f(x1), form), h(form, x1 & U16, parts(x1)), h(f(x1), f(x2)), form,
            h(form, shape1, x1 & 255)])
        for j in (j for j in range(8) if m >> j & 1):
            low = h(f(x), m, j)
            last = my.symbol(2 * k + 1, 8, [
                h(j, last), h(j, x1 & 255, m), h(j, m, form), h(low, form), h(low, f(x1), f(x2)),
                h(j, x1 & U16, x2 & U16), h(j, byte(x1, j), byte(x2, j)), h(low, form, f(x1)),
                h(j, last, m)], j, a3=j)
            x |= last << 8 * j
        return x
    def shape(my, op, plain):           # "Shapes and lengths by values"
        (v, s, l), (v1, s1, l1), (_, s2, _) = [
            (o.values[0], o.shape, o.length) for o in (op, op.before, op.before.before)]
        return my.symbol(8, 8, [
            h(s, plain), h(s, s1, v & U16), h(s, s1, s2), h(f(v), plain), h(v & U16, s, l),
            h(v & 255, v1 & 255, s), h(s, l, h(s1, l1)), h(h(f(v), l), l1, f(v1))],
            int(plain), min(s, 7), begin=1 << 8 - my.b)
    def length(my, op):                 # "Shapes and lengths by values"
        one, v, s, high = op.before, op.values[0], op.shape, op.values[0] >> 32
        return my.symbol(9, 4, [
            h(f(v), s), h(s, parts(v), op.kind), h(s, one.length, one.before.length),
            h(s, v & U16, parts(v)), h(s, high, one.length), h(s, high),
            h(f(v), f(one.values[0]), one.length), h(s, v & 255, high & 255)], a2=min(s, 7))
    def slot_by_values(my, op, q, store, name, jumped):     # "Slots by values"
        i, v, l, place = len(my.slots), op.values[0], op.length, h(op.shape, q)
        bases = [byte(v, k) for k in range(4, 8)]
        fars = [min(i - my.had.get(r, i - 17), 17) if r else 0 for r in bases]
        w = sum(my.written.get(r, 0) << k for k, r in enumerate(bases))
        (v1, _, _, mode1, last), far = my.known[-1] if i else (0,) * 5, h(*fars[:3])
        symbol = my.symbol(10, 6, [
            h(place, l, fars[0]), h(bases[0], fars[0], w), h(f(v), q), h(place, mode1, jumped),
            h(far, w, store), h(far, place), h(f(v), f(v1), mode1), h(f(v), far, w),
            h(f(v), l, mode1)], store, fars[0])
        mode, residual = symbol >> 1 if symbol < 60 else 0, None
        need(symbol & 1 or mode < 18, "a slot is constant that cannot be")
        if not symbol & 1 and mode == 0: residual = my.read_address()
        elif not symbol & 1:
            v2, s2, l2, _, _ = my.known[1 - mode] if 2 <= mode <= i + 1 else (0,) * 5
            match = (*fars[:3], mode - 1).index(mode - 1) if mode > 1 else 3
            base, written = (bases[match], my.written.get(bases[match], 0)) if match < 3 else (0, 2)
            c = [h(h(l, l2), match, h(place, s2, written)), h(f(v), mode), h(f(v), f(v2), match),
                 h(l, l2, match), h(name, store, min(mode, 4)), h(base, h(match, written), name),
                 h(match, place, s2), h(v >> 32, v2 >> 32, f(last))]
            m, x = min(my.symbol(11, 4, c, a2=match), 8), 0
            for j in range(m - 1, -1, -1):
                x = x << 8 | my.symbol(12, 8, [h(u, j, f(x)) for u in c], j, m - 1, j)
            residual = zz(x) & U64
        my.known.append((v, op.shape, l, mode, residual if residual and mode else 0))
        for r in bases: my.had[r], my.written[r] = i, 0
        return mode, residual
    def edge_value(my, k, width, source, target):   # "Values of edges"
        a, near = source.values[k], 1 <= target.pc - source.pc & U64 <= 16
        name = k, 0 if target.pc == source.end else 1 if near else 2, a & 255
        if my.c.bit("same", *name): return a
        if not my.c.bit("again", *name):
            my.others[k, a & 255] = my.c.number("values", k)
            need(my.others[k, a & 255] >> 8 * width == 0, "a value is too large")
        return my.others.get((k, a & 255), 0)

def addresses(past, mode, residual, table, tokens, first, literals):   # "Addresses"
    # Each address of a slot; those before it are in `past`. Literals are pairs: is it an address?
    last, recent, entries, shift, start = 0, [0] * 8, {}, 0, mode
    if mode == 1: yield (last := first)
    else:
        shift, start = next((s for s in ((-2, 28), (-1, 24), (2, 22), (1, 18), (0, 2))
                             if mode >= s[1]), (0, 0))
    back, bits = divmod(table - 1, 13)
    while True:
        base = 0 if mode == 0 else last if mode == 1 else past[start - mode - 1]
        base, value = base << shift if shift > 0 else base >> -shift, residual
        if residual is None:
            token, key = next(tokens), past[-back] if back > 0 else last
            entry = (key * GOLD & U64) >> 60 - bits
            had, again = entries.get(entry, (0, 0))
            if table and had == key and token < 8:
                value, token = again if token == 0 else None, token - 1
            if value is None:
                value = recent.pop(min(token, 7))
                if token == 8:
                    value, absolute = next(literals)
                    value = value - base & U64 if absolute else value
                recent.insert(0, value)
            if table: entries[entry] = key, value
        yield (last := base + value & U64)

def references(r, p, new_edges, new_slots):     # the part and columns of an R: "References"
    form = r.fixed()
    rows, part, first, ops = (r.number() for _ in range(4))
    need(form < 4 and rows <= FAR and ops <= rows, "an R has a damaged head")
    room = 12 * rows + (1 << 20)
    def stream(branches=False):         # the next one, which may be branches of a path
        nonlocal room
        n = r.number(room)
        room -= n
        method, data = (r.fixed(), r.take(r.number())) if n else (0, b"")
        if branches and method == 32: return Path(Coder(data), n, p, new_edges)
        return Bytes(unpack(n, method, data))
    path, far = stream(True), stream()
    s = {name: stream() for name in "state table form token first constant high literal exception"
         .split()[:8 + (form >> 1)]}
    r.end("the streams of references")
    trail, taken = follow(p, first, ops, path, far)
    past, count = [0] * 16, Counter(op.slot + k for op in trail for k in range(
        len(p.shapes[op.shape]) - (op.fetch is not None)))
    use = slots(s, p, count, past, form & 1, new_slots, min(1 << 18, 8 * rows))
    out, starts = [], []
    for op in trail:
        starts.append(len(out))
        for k, (kind, n) in enumerate(p.shapes[op.shape], -(op.fetch is not None)):
            addr = op.pc if k < 0 else next(use[op.slot + k])
            past += [addr] if k >= 0 else []
            out.append((kind, addr, n, op.pc))
    need(len(out) == rows, "references have other rows than they say")
    columns = {c: [row[i] for row in out] for i, c in enumerate((0, 1, 2, 6))}
    if form & 2: columns.update(exceptions(s["exception"], p, rows, starts, trail, taken + [None]))
    return part, columns

def follow(p, first, ops, path, far):   # the ops of a path, and its edges: "References"
    need(first < len(p.ops), "the path begins at an op that is not there")
    op, trail, taken = p.ops[first], [], []
    while len(trail) < ops:
        trail.append(op)
        if len(trail) == ops: break
        e = 0 if len(op.out) < 2 else path.edge(op) if isinstance(path, Path) else path.fixed()
        e = far.number() if e == 255 and not isinstance(path, Path) else e
        need(e < len(op.out), "the path takes an edge that is not there")
        taken.append(op.out[e])
        op = p.edges[op.out[e]][1]
    path.end("the path")
    far.end("the path")
    return trail, taken

def slots(s, p, count, past, absolute, new_slots, most):    # addresses by slot: "References"
    use, entries, empty = {}, 0, {name for name in ("table", "form") if not s[name]}
    high, literal = s["high"].data, s["literal"]
    def read_literal():                 # "Literals"
        if not high: return literal.fixed(8, "big")
        i = 8 * literal.fixed(2, "big")
        need(i < len(high) and len(high) % 8 == 0, "a literal has upper bits that are not there")
        return (int.from_bytes(high[i:i + 8], "big") << 16 & U64) + literal.fixed(2, "big")
    for slot in sorted(count):
        (mode, residual), table, tokens, literals = p.slots[slot], 0, b"", []
        state = s["state"].fixed() if slot < new_slots else None
        if state == 0: residual = residual or 0
        elif state is not None and not state >> 5:
            mode, residual = state - 1, s["constant"].fixed(8, "big")
        elif state is not None:
            need(state <= 62, "a slot has an unknown state")
            mode, residual = mode if state == 32 else state - 33, None
        need(residual is None or mode < 18, "a slot is constant that cannot be")
        first = s["first"].fixed(8, "big") if mode == 1 else None
        if residual is None:
            table, form = [0 if name in empty else s[name].fixed() for name in ("table", "form")]
            need(form < 2 and table <= 13 * 17, "a slot has an unknown form or table")
            tokens = s["token"].take(count[slot] - (mode == 1))
            need(all(t <= 8 for t in tokens), "a token is unknown")
            literals = [(read_literal(), form != absolute) for _ in range(tokens.count(8))]
            entries += 1 << 4 + (table - 1) % 13 if table else 0
        use[slot] = addresses(past, mode, residual, table, iter(tokens), first, iter(literals))
    need(entries <= most, "tables of references are too large")
    for name in ("state", "table", "form", "token", "first", "constant", "literal"):
        s[name].end("the stream " + name)
        need(name not in ("table", "form") or not s[name].data or any(s[name].data),
             "a stream has nothing but 0")
    return use

def exceptions(r, p, rows, starts, trail, taken):   # columns by op: "Columns by op", "Exceptions"
    which, columns = r.number(), {}
    need(0 < which < 1 << len(p.columns), "columns by op are not in the program")
    for k, c in ((k, c) for k, c in enumerate(p.columns) if which >> k & 1):
        changes, n, row, said, edges = r.fixed(), r.number(rows), -1, {}, {}
        need(changes < 2, "exceptions are damaged")
        for _ in range(n):
            row += 1 + r.number(rows)
            said[row] = r.number((1 << 8 * WIDTH[c]) - 1)
        need(row < rows, "an exception is behind the rows")
        values = columns[c] = [0] * rows
        for row, op, e in zip(starts, trail, taken):
            if changes and row in said: edges[e] = said[row]
            values[row] = op.values[k] if e is None else edges.get(e, p.edges[e][2][k])
        for row, v in said.items(): values[row] = v
    r.end("exceptions")
    return columns

class Path(Match):                      # "The path model"
    def __init__(my, coder, n, program, new_edges):
        super().__init__(size(n, 16))
        my.c, my.n, my.edges, my.new, my.short = coder, n, program.edges, new_edges, Match(my.bits)
        my.free, my.refused, my.run, my.wrong, my.ops = 1, 0, 0, 0, {}
        my.short.x, my.hash = my.x, [0, 0]
        my.news = iter([e for e in range(new_edges, len(my.edges)) if len(my.edges[e][0].out) > 1])
        my.candidate = next(my.news, None)
    def confidence(my):                 # of the match, and its bucket
        k, had = bucket(min(my.len, 512)), my.h[my.at]
        return my.c.counter(squash(expect(k, had)), 6, "trust", k, had), k
    def put(my, x):                     # a branch is known; a match that was wrong is none
        super().put(x)
        my.at = my.at if my.len else 0
        my.hash = [(u + x) * m & U64
                   for u, m in zip(my.hash, (0xe3779b97f4a7c150, 0x79b97f4a7c150000))]
    def edge(my, op):                   # the number of the edge that is taken behind an op
        if op.number not in my.ops:     # first number, known, recent, t
            my.ops[op.number] = [my.free, sum(e < my.new for e in op.out), [0, 1, 2], 0]
            my.free += len(op.out)
        state = my.ops[op.number]
        if not my.run:
            need(len(my.x) < my.n, "a path has more branches than it says")
            if not my.wrong:
                my.find_match(state[0], len(op.out))
                my.find_run()
        if my.run:
            my.run -= 1
            e = my.x[len(my.x) - my.run - 1] - state[0]
            need(e >= 0, "the path takes an edge that is not there")
            return e
        e = my.coded(op, state)         # then 5
        for table, u in zip((my, my.short), my.hash): table.note(u >> 32)
        my.put(state[0] + e)
        state[2] = [e] + ([r for r in state[2] if r != e] if e in state[2] else state[2][:2])
        state[3], my.wrong = state[3] << 1 & 2 | (e != 0), 0
        return e
    def find_match(my, first_number, edges):    # 1
        if not my.at or my.len in (7, 11, 15):
            one, two = my.place(my.hash[0] >> 32), my.short.place(my.hash[1] >> 32)
            if one or not my.at and two: my.at, my.len = (one, 16) if one else (two, 4)
        if my.at and not 0 <= my.x[my.at] - first_number < edges: my.at = 0
    def find_run(my):                   # 2
        if not my.at or my.len < 32 or my.h[my.at] != 255 or my.confidence()[0][0] >> 6 < 64900:
            return
        m = min(my.len, my.n - len(my.x))
        m = next((j for j, had in enumerate(my.h[my.at:my.at + m]) if had != 255), m)
        my.wrong = my.c.bit("fails", m.bit_length() - 1)
        my.run = min(my.c.number("right"), m - 1) if my.wrong else m
        for _ in range(my.run): my.put(my.x[my.at])
        learn(my.confidence()[0], not my.wrong, 120)
    def coded(my, op, state):           # 3, 4
        first_number, known, recent, _ = state
        if my.candidate is not None and my.edges[my.candidate][0] is op:
            c = my.refused
            k = c if c < 4 else 4 if c < 16 else 5 if c < 64 else 6 if c < 256 else 7
            if known == 0 or my.c.bit("new", k):
                my.candidate, my.refused, state[1] = next(my.news, None), 0, known + 1
                return known
            my.refused += 1
        need(known > (1 if my.wrong else 0), "the path takes an edge that is not known")
        if known == 1: return 0
        done = [my.x[my.at] - first_number] if my.at else []
        if done and not my.wrong and my.offer(done[0], 0, True, op, state): return done[0]
        e = first_right([(r, False, op, state) for r in recent if r < known],
                        known - 1, my.offer, done)
        if e is not None or len(done) + 1 == known:
            return e if e is not None else next(r for r in range(known) if r not in done)
        rest = my.c.number("rest")
        need(rest < known, "the path takes an edge that is not known")
        return known - 1 - rest
    def offer(my, edge, offered, matched, op, state):   # offer(edge)
        counters = [my.c.counter(32768, 0, "edge", op.number, 2 * state[3] + edge & 7)]
        trust, k = my.confidence() if my.at else (None, 0)
        counters += [trust] if matched else []
        inputs = [stretch(c[0] >> 6) for c in counters] + [256]     # without zeros
        bit = my.c.mix(inputs, 6, [4096] * len(inputs), (
            "offer", min(offered, 2), 0 if trust is None else 1 + k if matched else 33))
        for c in counters: learn(c, bit, 120)
        return bit
    def end(my, _):                     # all branches were taken, and all bytes read
        need(len(my.x) == my.n and not my.run, "a path has fewer branches than it says")
        my.c.end()


# Part 4: columns

# of columns: names, bytes, which are printed as hexadecimal; and of types: "Columns" of Part 1
NAMES = "type addr size time asid task pc itime rtime vpn cpn insn branch regs event ttl".split()
WIDTH, HEX = (1, 8, 4, 8, 4, 4, 8, 8, 8, 8, 8, 8, 1, 8, 0, 8), (1, 6, 9, 10, 11, 13)
TYPES = "read write fetch modify misc copy-back invalidate prefetch event".split()
BY_OP = 11, 13, 12                      # insn, regs, branch: "Columns by op"
def W(v, *u): return H(v >> 32 & U32, v & U32, *u)      # W(v, H(...)) of "Part 4"

def F(c):                               # "Part 4"
    y = c * 0x85ebca6b & U32
    return (y ^ y >> 14) * 0x9e3779b1 & U32

def ones(contexts): return [c << 4 for c in contexts]   # h : 1 of each: "Part 4"

def lookup(table, c, bits, empty):      # the entry of a context, a check in front: "Part 4"
    x = F(c)
    check, e = x & U16 | 1, table.get(x >> 32 - bits)
    if e is None or e[0] != check: e = table[x >> 32 - bits] = [check, *empty]
    return e

def which(holds): return sum(1 << k for k, v in enumerate(holds) if v)  # bit k: item k holds

def packed_column(r, n):                # n values: "Packed columns"
    form, out = r.fixed(), []
    change, shape = form >> 4, form & 15
    need(change < 2 and shape <= 6, "a column has an unknown form")
    if change: out, n = [r.number()], n - 1
    if n == 0: return out
    w = 1 << shape - 1 if 0 < shape < 5 else shape - 4
    table = fields(packed_stream(r, 8 << 8 * w), 8) if shape > 4 else []
    values = fields(packed_stream(r, n * w), w) if shape else [r.number()] * n
    if shape > 4:
        need(max(values, default=0) < len(table), "an index is behind its table")
        values = [table[i] for i in values]
    need(len(values) == n, "a column has other values than rows")
    for v in values: out.append(out[-1] + zz(v) & U64 if change else v)
    return out

def column(r, n):                       # section 1 of "B: a block"
    c = r.fixed()
    need(c != 14, "events are packed as a column")
    return [(c, packed_column(r, n))]

def events(r, n):                       # section 3 of "B: a block"
    s, out, at = Bytes(packed_stream(r, (1 << 24) + 10 * n)), [None] * n, 0
    while s:
        at += s.number()
        need(at < n and out[at] is None, "an event is of no row")
        text, end, _ = s.data[s.at:s.at + 8192].partition(b"\0")
        need(end, "the text of an event is damaged")
        out[at] = s.take(len(text) + 1)[:-1]
    need(sum(len(text) + 1 for text in out if text is not None) <= 1 << 24, "events are too long")
    return [(14, out)]

def joint_columns(r, n):                # section 2 of "B: a block", "Joint columns"
    clocks, names, same = list(r.take(r.fixed())), list(r.take(r.fixed())), r.fixed()
    form, kinds = r.fixed(), [0]
    need(1 <= len(clocks) <= 2 and 1 <= len(names) <= 8, "joint columns are too many, or few")
    need(form < 3 and (form != 1 or len(names) > 1), "joint columns have an unknown form")
    if form == 1:
        k = r.number(16)
        need(k, "there are no kinds")
        kinds = packed_column(r, k)
    count = r.number(min(n, 65536))
    need(count, "there are no names")
    values = [packed_column(r, count) for _ in names[form == 1:]]
    far = iter(fields(packed_stream(r, 16 * n), 8))
    if form == 0:
        rows = [(v >> 40, v & U16, 0, v >> 16 & FAR) for v in fields(packed_stream(r, 8 * n), 8)]
        need(len(clocks) == 2 or not any(row[3] for row in rows), "a lag has no clock")
    else: rows = visits(Bytes(r.take(r.number())), n, count, len(kinds), len(clocks) == 2)
    times, time, second = [], 0, 0
    for gap, name, _, lag in rows:
        need(name < count, "a name has no number")
        gap, lag = (next(far, None) if v == FAR else v for v in (gap, lag))
        need(gap is not None and lag is not None, "a far value is missing")
        time, second = time + gap & U64, second + gap - lag & U64
        times.append((time, second))
    need(next(far, None) is None, "there are more far values than rows have")
    out, times = [[kinds[row[2]] for row in rows]] if form == 1 else [], list(zip(*times))
    out += [[v[row[1]] for row in rows] for v in values]
    return [*zip(clocks, times), *zip(names, out)] + [(same, times[0])] * (same != 255)

def rough(v, m):                        # "Visits"
    b = v.bit_length()
    return v if b <= m + 1 else 256 * b + (v >> b - 1 - m)

def visits(r, n, pages, kinds, lags):   # rows of gap, page, kind, and lag: "Visits"
    need(r.number() == n, "visits are not those of the block")
    reduced, coder = r.number(pages), Coder(r.take(len(r)), size(24 * n, 20))
    GAP, STEP, LAG, FAR_PAGE, KIND, NEW, CANDIDATE, NEAR, WALK = [
        Predictor(coder, i, *sizes) for i, sizes in enumerate((
            (12, 10), (2, 2), (10, 10), (5,), (9,), (4,), (7, 8), (3,), (6,)))]
    window = 64 if reduced < 16 else min(reduced, 256)
    near = hits = fresh = new_step = 0
    # Rows are numbered from 4. Those before are none: pages 65535, gaps, kinds and times 0.
    gap, page, kind, lag, time, lag_sum = [0] * 4, [65535] * 4, [0] * 4, [0] * 4, [0] * 4, [0] * 4
    earlier, alignments = [(0, 0)] * 4, [[[0] * 4 for _ in range(16)] for _ in "01"]
    tables, sums, fault, news = [{} for _ in range(8)], [16, 8], [0, 0], [0, 0]
    last_kind, stays, unvisited = {}, {}, list(range(pages))
    last, before = {}, {}               # by page: rows of the last visit, and of that before
    def d1(p): return sum([v > last[p] for v in last.values()])         # "Visit history"
    def d2(p): return sum([v > before[p] for v in last.values()]) - 1   # "Visit history"
    def place2(p): return min(d2(p) * 8 // window, 15) if p in before else 15   # p2(p) of "Visits"
    def may_be(p):                      # was it visited, and is a visit not too far back?
        return p in last and (p not in before or d2(p) >= reduced)
    def at(o, *u): return 16 * H(o // 15, *u) + o % 15  # "Visits"
    def after(j, offset):               # the first row whose time - offset is after the last one
        return next((k for k in range(j, min(j + 64, i))
                     if 1 <= time[k] - offset - time[-1] & U64 <= U64 >> 1), 0)
    def prediction(found, shift, most): # gap, page and lag of a row and offsets: "Visit history"
        j, time_offset, lag_offset = found[:3]
        if not j: return FAR, None, FAR
        far = time[j] - time_offset - time[-1] & U64
        if far >= FAR and most == FAR: return FAR, None, FAR
        p = page[j] + shift
        return (min(far, most), p if p < pages else None,
                lag_sum[j] - lag_offset - lag_sum[-1] & U64)
    def predict():                      # x0 to x9: "Visit history"
        out = []
        for shift, places in enumerate(alignments):
            for a in places:
                a[0] = a[0] and after(a[0], a[1])
                a[3] = a[3] if a[0] else -1
            out.append(prediction(max(places, key=lambda a: a[3]), shift, FAR - 1))
            for k in range(1, 5):
                found, q = (None, 0, 0), earlier[-k][shift]
                if q:
                    offset = time[q] - time[-k] & U64
                    found = after(q + 1, offset), offset, lag_sum[q] - lag_sum[-k]
                out.append(prediction(found, shift, FAR))
        return out
    def align():                        # "Alignments": row, 0 for none, offsets, and score
        earlier.append((last.get(page[i]), last.get(page[i] - 1)))
        for shift, places in enumerate(alignments):
            for a in (a for a in places if a[0]):
                right = time[a[0]] - a[1] & U64 == time[i] and page[a[0]] + shift == page[i]
                a[3] = min(a[3] + 2, 30) if right else a[3] - 1
                a[0] = a[0] if a[3] >= 0 else 0
            q = earlier[i][shift]
            offset = time[q] - time[i] & U64 if q else 0
            if q and not any(a[0] and a[1] == offset for a in places):
                k = max([k for k in range(16) if not places[k][0]],
                        default=min(range(16), key=lambda k: places[k][3]))
                places[k] = [q + 1, offset, lag_sum[q] - lag_sum[i], 1]
    def read_gap():                     # "Gap"
        by1, by2, by3, gaps = H(one, 1), H(two, one, 1), H(three, two, one, 1), [v[0] for v in x]
        return GAP.number([
            0, by1, by2, H(four, by3), H(gap[-1], by1) + 1, H(gap[-1], gap[-2], by2) + 2,
            H(kind[-1], near & 3, by1), H(gaps[3], 3), H(gaps[0], by1) + 3, H(gaps[1], gaps[2], 4),
            H(fault[0], by1) + 4, H(one - two, two - three, 5)],
            min(3, gaps[1:].count(gaps[0])) + 4 * (hits & 7),
            [None if v == FAR else v for v in gaps])
    def mark(p):                        # was a page near? and what goes by that
        nonlocal near, fault
        is_near = p in last and d1(p) < window
        near, stays[p] = (2 * near + is_near) & U32, stays.get(p, 0) + 1 if is_near else 0
        fault = fault if is_near else [p, fault[0]]
        return p
    def read_page():                    # "Page": 1, 3
        nonlocal fresh
        swept, new = next((v[1] for v in x[5:] if v), None), 0
        if unvisited:
            s = 0 if swept is None else 1 if swept in last else 2
            new = NEW.bit(
                ones([H(one, 2), H(one, two, 3), H(fresh & 255, 4), H(fresh & 3, s, 5)]),
                (0, 0, fresh & 15), (fresh & 15, 0))
        fresh = (2 * fresh + new) & U32
        if new: return new_page(swept)
        done, pages = [], [(v[1], 8, 1) for v in x if v]
        pages += [(e[s], k, s) for s in (1, 2) for k, e in enumerate(entries) if e[3] >= s]
        o = first_right([v for v in pages if may_be(v[0])], 8, candidate, done)
        return mark(near_or_far(done) if o is None else o)
    def new_page(swept):                # "Page": 2
        nonlocal new_step, news
        base = bisect_left(unvisited, news[0])
        def number(p):                  # the number STEP of a page, if it is one that is new
            d = bisect_left(unvisited, p) - base if p is not None else 0
            return None if p is None or not 0 <= p < pages or p in last else \
                2 * d if d >= 0 else -2 * d - 1
        new_step = STEP.number([0, H(rough(new_step, 0), 1)], 0,
                               [number(swept), number(2 * news[0] - news[1])])
        k = base + zz(new_step)
        need(0 <= k < len(unvisited), "a new page does not exist")
        news = [unvisited[k], news[0]]
        return mark(unvisited[k])
    def candidate(o, t, T, s):          # "Page": 3
        nonlocal hits
        p1, p2, z = min(d1(o) * 8 // window, 15), place2(o), min(t, 3)
        m = sum(e[1] == o for e in entries)
        contexts = [at(o, p1, p2, 2), H(p1, p2, 2 * T + s, t, 3) << 4,
                    H(which(v and v[1] == o for v in x), t, 4) << 4]
        contexts += [at(o, h8[k]) for k in (3, 2, 1, 0)]
        relations = [e[3] and (e[4], 0 if e[1] == o else 1 if e[2] == o else 2) for e in entries]
        experts = [(coder.counter(32768, 0, "trust", k, t, v), 1) for k, v in enumerate(relations)]
        right = CANDIDATE.bit(
            contexts, ((t, m, hits & 3), (z, T, s), t), ((t, p2, m), (p1, p2, t)), experts, z)
        hits = hits if t else (2 * hits + right) & U32
        return right
    def near_or_far(done):              # "Page": 4, 6
        g, by1, f = gap0.bit_length(), H(one, 1), H(fault[0], 2)
        if NEAR.bit(ones([H(g, near & 7, 1), by1, H(g, by1) + 4]),
                    (hits & 15, near & 63, 0), (near & 255, hits & 15)):
            return walk(done)
        p = FAR_PAGE.number([0, by1, f, H(g, by1) + 5, H(fault[1], f) + 9],
                            n=(pages - 1).bit_length())
        need(p in last, "a far page was not visited")
        return p
    def walk(done):                     # "Page": 5
        k = 0
        for count, row in enumerate(sorted(last.values())[:-window - 1:-1]):
            o = page[row]
            if o not in done and may_be(o):
                e, p2, v = 64 * count // window, place2(o), min(stays[o], 3)
                w, a = ((d or 1).bit_length() for d in (i - row, time[-1] - time[row] & U64))
                contexts = ones([H(p2, v, e // 4, 1), H(e, p2, 2), H(w, a, v, 3)])
                contexts += [at(o, w, 5), at(o, one, 1), at(o, gap0, 8)]
                if WALK.bit(contexts, ((min(k, 31), v), (p2, e // 4), min(k, 15)),
                            ((e, p2), (min(k, 255), v))):
                    return o
                k += 1
        raise Damaged("none of the pages that are near is the one")
    def read_kind():                    # "Kind"
        L, B, N, q, k1 = last_kind.get(o, 0), last_kind.get(o - 1, 0), near & 1, H(o, 1), kind[-1]
        pair = H(one, q)
        k = KIND.number([
            H(L, N, k1, 0), q, H(L, N, q) + 1, H(k1, kind[-2], q) + 2, pair, H(k1, pair) + 3,
            H(two, pair) + 4, H(B, L, 5), H(B, L, o - one, 6)], 2 * L + N,
            n=(kinds - 1).bit_length())
        need(k < kinds, "a kind is unknown")
        return k
    def read_lag(a):                    # "Lag"
        g, (G, S), pair, row = a.bit_length(), sums, H(one, o, 1), last.get(o)
        lately, here = min(a * S // G, FAR), min(a * lag[row] // gap[row], FAR) \
            if row is not None and gap[row] else 0
        return LAG.number([
            H(g, 0), H(rough(lately, 3), rough(a, 1), 1), H(rough(here, 3), rough(a, 1), 2),
            H(a // 8, 3), H(a, 4), H(g, pair) + 5, H(a // 4, one, 6), H(a, one, 7),
            H(a, o, 1) + 8, H(a, pair) + 9], g,
            [v if v < FAR else None for v in (lately, here, *(v[2] if v else FAR for v in x[:8]))])
    def finish(*row):                   # "Then"
        nonlocal sums
        for e in entries:
            if e[3]:
                e[4] = history(e[4], e[1] == o)
                e[1:4] = e[1:4] if e[1] == o else [o, e[1], 2]
            else: e[1:] = [o, None, 1, 1]
        for values, v in zip((gap, page, kind, lag), row): values.append(v)
        time.append(time[-1] + gap0 & U64)
        lag_sum.append(lag_sum[-1] + lag[i])
        sums, last_kind[o] = [sums[0] + gap0, sums[1] + lag[i]], kind[i]
        sums = [v // 2 for v in sums] if sums[0] > 16384 else sums
        align()
        if o in last: before[o] = last[o]
        else: unvisited.remove(o)
        last[o] = i
    for i in range(4, n + 4):
        (one, two, three, four), x = page[:-5:-1], predict()
        gap0 = read_gap()
        x = [v if v[0] == gap0 else None for v in x]
        h8 = [H(gap0, two, one, 1) + 1, H(gap0, one, 1) + 2, H(gap0 + gap[-1], two, 3),
              H(gap0 + gap[-1] + gap[-2], three, 4), H(three, two, one, 1), H(two, one, 1),
              H(one, 1), H(two, 5)]
        entries = [lookup(t, c, size(n, 17), (None, None, 0, None)) for t, c in zip(tables, h8)]
        o = read_page()
        k = read_kind() if kinds > 1 else 0
        finish(gap0, o, k, read_lag(gap0) if lags else 0)
    coder.end()
    return list(zip(gap, page, kind, lag))[4:]

def requests(r, n):                     # addresses and sizes: "Requests"
    out = [], []
    for begin in range(0, n, 1 << 21):
        for column, more in zip(out, requests_part(r, min(n - begin, 1 << 21))): column += more
    return [*zip((1, 2), out)]

def requests_part(r, n):                # a part of requests: "Requests"
    bits, unit, b = r.fixed(), r.fixed(), size(n, 21)
    need(1 <= bits <= 64 and unit <= 16, "requests are damaged")
    coder = Coder(r.take(r.number()), size(24 * n, 14))
    CANDIDATE, BIT, KIND, NAME, GUESS = [Predictor(coder, i, *sizes) for i, sizes in enumerate((
        (5, 8), (4,), (5,), (3, 1), (7,)))]
    addr, sizes, ends, right = [0] * 3, [0] * 3, [], [0] * 8    # rows are numbered from 3
    tables, guesses, count = [{} for _ in range(4)], [{} for _ in range(5)], defaultdict(int)
    names, last, stayed, hits, w, kinds = [], {}, {}, 1, 0, 0   # sizes and `stayed` by address
    far, far_names, number = [0, 0], [0, 0], {}                 # of addresses that are names
    def B(v): return v if unit > 9 else v >> 9 - unit   # B(v)
    def candidate(c, t, k):             # bit CANDIDATE
        A = which(v == c for v in p)
        experts = [(coder.counter(32768, 0, "trust", j, t, v is not None and
                                  (right[j] & 7, v != c)), 1) for j, v in enumerate(p)]
        return CANDIDATE.bit(
            ones([H(A, t, 0), H(hits & 15, A, 1), W(c, 2), H(last.get(c, 0), s1, k, 3),
                    W(c - a1, s1, 4)]),
            ((t, k), (hits & 15, t, c in last), p.count(c)), (A, (t, right[k] & 63)), experts, t)
    def far_address():                  # "Kind", "An end", and others
        nonlocal kinds
        s, low = kinds & 255, hits & 15
        kind = KIND.bit(ones([
            H(s, 0), H(s1, s & 15, 1), W(B(a1) // 1024, 2), W(B(far[0]) // 64, 3),
            H(hits & 255, s & 15, 4)]), (s, low, 0), (s, low))
        if kind: kind += KIND.bit((), (("new", s), ("new", low), 0), (("new", s), ("new", low)))
        kinds = s << 2 | kind
        if kind == 2:
            return read_bits(BIT, bits, [a1] + far, lambda p: [
                W(p, 0), W(p, s1, 1), W(p, W(B(a1) // 64, 2))])
        if kind:
            need(names, "there are no names")
            named = number.get(a1, 0)
            return names[read_bits(NAME, b, [named] + far_names, lambda p: [
                H(p, 0), H(p, named, 1)], len(names))]
        k = coder.tree(6, "end")
        need(k < len(ends) and ends[k] >> bits == 0, "an end is not there, or has too many bits")
        return ends[k]
    def read_bits(model, n, values, contexts, most=None):   # "A new address"; with most, "A name"
        path, coded, rest = 1, 0, False
        for d in range(n):
            if most and (2 * path + 1 << n - d - 1) - (1 << n) >= most:     # no name begins so
                path *= 2
                continue
            q, experts = [(v & (1 << n) - 1 | 1 << n) >> n - d for v in values], []
            t = path - q[1] + 8 if 0 <= path - q[1] + 8 <= 16 else 99
            if coded % 4 == 0 and not rest:
                found = contexts(path)
                model.find(ones([*found, H(t, d, path & 15, len(found))]))
                line, slot, _ = model.places[0]
                rest = not most and n - d > 32 and t == 99 and line[slot][1] == 1
            if most:
                c0, c1 = count[2 * path], count[2 * path + 1]
                experts = [([(2 * c1 + 1) * (1 << 22) // (2 * (c0 + c1) + 2), 0], 1)]
            select = (d, *(v == path for v in q)), (d, model.node)
            path = 2 * path + (coder.bit("rest", d, path & 3) if rest else model.bit(
                (), (*select, 0), select, experts, (3 * d >= n) + (3 * d >= 2 * n)))
            coded += 1
        return path - (1 << n)
    def read_size():                    # "Size"
        nonlocal w
        if not new:
            same = coder.bit("stays", stayed[a] & 7, w & 7)
            w = (2 * w + same) & 7
            if same: return last[a]
        e, step, near = int(a == a1 + (s1 >> unit) & U64), a - a1 & U64, B(a) // 1024
        kind = 2 * (not new) + e            # a context has it as a number
        def guess(g, t, k, had):        # bit GUESS
            A = which(other == g for other, _ in entries)
            return GUESS.bit(ones([
                H(A, kind, k, 0), H(g, s1, kind, 1), H(had, k, kind, 2), H(a & 7, g, 3),
                W(near, g, 4), W(step, g, 5), H(g, s1, sizes[-2], 6)]),
                ((k, kind), A, t), (A, (k, kind)))
        entries = [t.setdefault(F(c) >> 18, [0, 0]) for t, c in zip(guesses, (
            H(s1, sizes[-2], e), W(step, s1, 2), W(near, s1, 3), W(B(a) // 8, 4), e))]
        v = first_right([(g, k, had) for k, (g, had) in enumerate(entries) if g], 5, guess, [])
        v = coder.number("size", kind) if v is None else v
        need(v <= U32, "a size is too large")
        for entry in entries: entry[:] = v, (2 * entry[1] + (entry[0] == v)) & 255
        return v
    for i in range(3, n + 3):
        (a1, a2, a3), s1 = addr[:-4:-1], sizes[-1]
        entries = [lookup(t, c, size(n, 17), (None,)) for t, c in zip(tables, (
            W(a1, 1), W(a2, W(a1, 2)), H(s1, W(a1 - a2, 3)), W(a2 - a3, W(a1 - a2, 4))))]
        p = (ends + [None] * 4)[:4] + [     # "Predictions"
            e[1] if e[1] is None or k < 2 else e[1] + a1 & U64 for k, e in enumerate(entries)]
        p = [None if v is None or v >> bits else v for v in p]
        order = (4, 5, 0, 1, 6, 7, 2, 3) if hits or i % 8 == 3 else ()  # "Candidates"
        a = first_right([(p[k], k) for k in order], 6, candidate, [])
        hits, is_far = (2 * hits + (a is not None)) & U32, a is None
        a = far_address() if is_far else a
        new = a not in last
        v = read_size()
        for k, e in enumerate(entries): e[1] = a if k < 2 else a - a1 & U64
        right = [h if c is None else 2 * h + (c == a) & 255 for h, c in zip(right, p)]
        if a in ends: ends.remove(a)
        front(ends, a + (v >> unit) & U64, 64)
        addr.append(a)
        sizes.append(v)
        if new:
            number[a], stayed[a] = len(names), 7
            names.append(a)
        else: stayed[a] = (2 * stayed[a] + (last[a] == v)) & 7
        last[a] = v
        for d in range(b if new or is_far else 0): count[(number[a] | 1 << b) >> d] += 1
        if is_far: far, far_names = [a, far[0]], [number[a], far_names[0]]
    coder.end()
    return addr[3:], sizes[3:]

SECTIONS = {1: column, 2: joint_columns, 3: events, 7: requests}    # those of columns


# Part 1: the container

class Frame:                            # at a place of a file; its sums hold: "Frames"
    def __init__(my, data, at):
        r = Bytes(data, at)
        need(r.take(2) == b"\xf5\x74", "there is no frame")
        my.kind, n, my.number, my.at = chr(r.fixed()), r.number(U32), r.number(), at
        seed = xxh3(data[at:r.at])
        need(r.fixed(2) == seed & U16, "the header of the frame is damaged")
        total = r.fixed(8)
        my.payload, my.end = data[r.at:r.at + n], r.at + n
        need(my.end <= len(data), "the frame ends too early")
        need(xxh3(my.payload, seed) == total, "the payload of the frame is damaged")

def read_facts(r):                      # up to the end: "T: the trace"
    facts = {}
    while r: facts.update([(r.number(), r.number())])
    for number in facts:
        if not 1 <= number <= 8: pass_over("fact", number, facts)
    need(1 not in facts or facts.get(2) in (3, 7, 8), "a fact names a clock that is none")
    return facts

def pass_over(what, number, facts):     # unless it has to be known: "What may be added"
    need(number & 32, f"{what} {number} is unknown; the version of trc that can go on: " + (
        "%d.%d" % divmod(facts[8], 1 << 16) if 8 in facts else "a later one"))

class Container:                        # at a place of a file: "Part 1"
    def __init__(my, data, start, before):
        my.data, my.at, my.now, my.group, my.before = data, start, start, start, before
        my.rows, my.blocks, my.program, my.parity, my.bands = 0, [], None, [], []
    def read(my, start):                # all frames, in their order: "Frames"
        my.header(my.next("T"))
        f = my.next()
        while f.kind != "I":
            if f.kind in "PRB": my.block(f)
            else: my.between(f)
            need(my.blocks, "a frame stands before the first block")
            my.blocks[-1][1] = my.at - my.blocks[-1][3]
            f = my.next()
        my.index(f)
        index, f = f.at, my.next()
        while f.kind != "E":
            my.between(f)
            f = my.next()
        r = Bytes(f.payload)            # "E: end"
        need(f.at - r.number() == index, "the end leads to no index")
        need(f.at - r.number() == start, "the end leads to no start")
        need(r.fixed(8) == f.number == my.rows, "the end has other rows")
        r.end("the end")
    def next(my, kind=None):            # the next frame
        f = Frame(my.data, my.at)
        my.now, my.at = my.at, f.end
        need(kind in (None, f.kind), "no container begins here")
        return f
    def between(my, f):                 # parity, and frames that may be passed over
        need(f.kind not in "TPRBIE", "a frame is out of order")
        if f.kind == "f": my.check_bands(f)
        elif f.kind == "c": my.check_parity(f)
        else: pass_over("kind of frame", ord(f.kind), my.facts)
    def header(my, f):                  # "T: the trace"
        need(f.number == 1, f"version {f.number} is unknown; the version of trc that can go on: "
             f"{f.number}.0")
        r = Bytes(f.payload)
        my.columns, my.block_rows, my.page_bits, my.r = (r.number() for _ in range(4))
        need(1 <= my.block_rows <= FAR and my.page_bits <= 63, "the header is damaged")
        r.take(r.number(15))
        my.facts, my.known = read_facts(r), [c for c in range(16) if my.columns >> c & 1]
        for c in (c for c in range(16, 64) if my.columns >> c & 1): pass_over("column", c, my.facts)
        need(my.known, "there are no columns")
        need(not my.before or my.columns == my.before.columns,
             "a container has other columns than the first")
        if not my.before: print(",".join(NAMES[c] for c in my.known))
    def grow(my, f):                    # "P: growth of the program"
        r = Bytes(f.payload)
        flags = r.fixed()
        need(flags < 8 and r.number() == my.columns, "a growth has other flags, or columns")
        by_op = r.number() if flags & 2 else 0
        need(sum(1 << c for c in BY_OP if by_op & my.columns & 1 << c) == by_op and
             flags >> 1 & 1 == (by_op > 0), "a growth has other columns by op")
        need(flags & 1 or my.program and f.number == my.part + 1,
             "a growth of the program is missing")
        p = my.program = Program(flags, by_op) if flags & 1 else my.program
        need(flags & 6 == p.flags & 6 and by_op == p.by_op, "a growth is of another program")
        my.part, old = f.number, (len(p.edges), len(p.slots))
        if r: p.grow(r)
        return old                      # the first edge and slot that are new
    def block(my, f):                   # all frames of one, up to its B: "B: a block"
        first, refs, grown = f.at, [], None
        whole = f.kind == "B" or f.kind == "P" and f.payload[0] & 1
        while f.kind != "B":
            need(f.kind in "PR", "a frame stands within a block")
            if f.kind == "P":
                need(grown is None, "two growths of the program are for one frame")
                grown = my.grow(f)
            else:                       # "R: references"
                p = my.program
                need(f.number >> 24 == my.rows and p, "references are out of place")
                need(len(refs) < 64, "a block has too many references")
                new = grown or (len(p.edges), len(p.slots))
                part, columns = references(Bytes(f.payload), p, *new)
                need(part == my.part, "references are of another growth of the program")
                grown, refs = None, refs + [(f.number, columns)]
            f = my.next()
        need(grown is None, "a growth of the program is for no references")
        my.n, r, my.cols, passed, by_op, order = f.number & FAR, Bytes(f.payload), {}, [], 0, None
        need(f.number >> 24 == my.rows and 1 <= my.n <= my.block_rows, "a block has other rows")
        need(all(number == f.number for number, _ in refs), "references are of another block")
        need(r.number() == my.columns, "a block has other columns than the trace")
        fingerprint = r.fixed(8)
        while r:
            kind, s = r.fixed(), Bytes(r.take(r.number()))
            if kind in (0, 5):
                need(order is None, "references are twice in a block")
                need(s.number() == len(refs) > 0, "a block has other references than it says")
                order = kind, [s.number(U32) for _ in refs] if len(refs) > 1 else []
            elif kind == 1 and s.data[:1] > b"\x0f":
                passed, s = passed + [s.data[0]], b""
            elif kind == 6: by_op = s.number()
            elif kind in SECTIONS: my.put(SECTIONS[kind](s, my.n))
            else: s = pass_over("section", kind, my.facts)
            need(not s, "there are bytes behind a section")
        need(sorted(passed) == [c for c in range(16, 64) if my.columns >> c & 1],
             "a block has other columns than the trace, or one twice")
        need(order or not by_op, "columns by op are without references")
        if order: my.from_references([columns for _, columns in refs], *order, by_op)
        need(sorted(my.cols) == my.known, "a block has not all columns")
        need(not {0, 14} <= my.cols.keys() or
             all(t == 8 or text is None for t, text in zip(my.cols[0], my.cols[14])),
             "the text of an event stands on a row of another type")
        need(my.fingerprint() == fingerprint, "rows have another fingerprint than their block")
        times, mark = my.cols.get(3), 2 * my.n + bool(whole)
        my.rows += my.n
        my.blocks.append([mark, 0, times and (min(times), max(times)), first])
        my.print()
    def put(my, pairs):                 # columns of the block, which has them not yet
        for c, values in pairs:
            need(c in my.known and c not in my.cols, "a column is twice in a block, or not in T")
            need(len(values) == my.n, "a column has other rows than its block")
            need(c == 14 or max(values) >> 8 * WIDTH[c] == 0, "a value is larger than its column")
            need(c or all(v % 16 <= 8 and v < 32 for v in values), "a type is unknown")
            my.cols[c] = values
    def from_references(my, parts, kind, keys, by_op):      # sections 0, 5, 6 of "B: a block"
        need(len(set(keys)) == len(keys), "two references of a block have one key")
        need(sum(len(p[0]) for p in parts) == my.n, "references have other rows than their block")
        key = my.cols.get(5 if 5 in my.known else 4) if keys else [None] * my.n
        keys = keys or [None]
        need(key and set(key) <= set(keys), "a row has a key of no references")
        order = [keys.index(k) for k in key]
        need(all(order.count(i) == len(p[0]) for i, p in enumerate(parts)), "keys have other rows")
        need(all(sum(1 << c for c in BY_OP if c in p) == by_op for p in parts),
             "columns by op are others")
        for c in parts[0]:
            if kind == 5 if c == 6 else c in my.known:
                sources = [iter(p[c]) for p in parts]
                my.put([(c, [next(sources[i]) for i in order])])
    def fingerprint(my):                # of the rows of a block: "B: a block"
        def total(c, values):           # of a column
            return xxh3(b"".join([v.to_bytes(WIDTH[c], "little") for v in values] if c != 14 else [
                i.to_bytes(8, "little") + text + b"\0"
                for i, text in enumerate(values) if text is not None]))
        return xxh3(b"".join(total(c, my.cols[c]).to_bytes(8, "little") for c in my.known))
    def print(my):                      # rows as csv: "Columns"
        def text(c, v):                 # a field
            return ("kernel-" if v & 16 else "") + TYPES[v & 15] if c == 0 else \
                str(v) if c not in HEX and c != 14 else "0x%x" % v if c != 14 else \
                "" if v is None else '"%s"' % v.decode("latin-1").replace('"', '""')
        need(all(v is None or b"\n" not in v for v in my.cols.get(14, ())),
             "csv cannot hold a line feed in an event")
        rows = zip(*[[text(c, v) for v in my.cols[c]] for c in my.known])
        end = ",\n" if my.known == [14] else "\n"
        print(*map(",".join, rows), sep=end, end=end)
    def index(my, f):                   # "I: index"
        r, high, b = Bytes(f.payload), 0, my.before
        need(f.number == len(my.blocks), "the index has other blocks")
        flags, my.r = r.number(511), r.number()
        need(flags & 63 == my.page_bits or not my.page_bits, "the index has another page size")
        my.page_bits = flags & 63
        for _ in range(8 + 2 * (1 in my.known)): r.number()
        times = [r.number(), r.number()] if 3 in my.known else None
        for _ in range(r.number(16)): r.number()
        for mark, length, seen, _ in my.blocks:
            need(r.number() == mark and r.number() == length, "the index has another block")
            if times:
                low = high + zz(r.number()) & U64
                high = low + r.number() & U64
                need((low, high) == seen, "the index has other times")
        need(not my.blocks or my.blocks[0][0] & 1, "the first block needs others")
        s = Bytes(r.take(r.number(65536)) if flags & 256 else b"")      # "Provenance"
        while s:
            key, _ = s.take(s.number(32)), s.take(s.number(4096))
            need(key.strip(b"abcdefghijklmnopqrstuvwxyz0123456789-") == b"" != key,
                 "a key of the provenance is damaged")
        my.final = read_facts(r)
        if b:                           # containers that are joined: "Frames"
            need(not b.page_bits or not my.page_bits or b.page_bits == my.page_bits,
                 "a container has another page size than the first")
            need(all(b.facts.get(i, 0) == my.facts.get(i, 0) and
                     b.final.get(i, 0) == my.final.get(i, 0) for i in (6, 7)),
                 "a container was reduced in another way than the first")
            need(not all(c.r or c.final.get(1) or c.final.get(5) for c in (b, my)) or b.r and my.r
                 or any(b.final.get(i) and b.final.get(i) == my.final.get(i) for i in (2, 5)),
                 "a container was reduced for other memories than the first")
    def check_bands(my, f):             # "f: parity"
        first = my.bands[0] if my.bands else f
        n, k, j = f.number >> 17, f.number >> 9 & 255, f.number >> 1 & 255
        need(n == first.at - my.group and 4 <= k <= 160 and j == len(my.bands) and
             f.number == first.number + 2 * j, "parity is of another group")
        band = -(-n // (255 - k))
        bands = [1] * k if band >= 1024 else [(k - 1) // 2, k - 2 - (k - 1) // 2, 2]
        need(len(f.payload) == bands[j] * band, "parity is not whole bands")
        my.bands.append(f)
        if j + 1 < len(bands): return
        data = bytes(-n % band) + my.data[my.group:first.at] + b"".join(f.payload for f in my.bands)
        for r in range(k):              # the values at a^r
            times, total = [times_power(v, r) for v in range(256)], bytes(band)
            for i in range(0, len(data), band):
                moved = int.from_bytes(total.translate(bytes(times)), "little")
                total = (moved ^ int.from_bytes(data[i:i + band], "little")).to_bytes(band, "little")
            need(not any(total), "parity is of other bands")
        my.group, my.bands = f.end, []
    def check_parity(my, f):            # "c: parity of sectors"
        r, at = Bytes(f.payload), my.parity[0].at if my.parity else f.at
        back, n, sector, parity, flags = (r.number() for _ in range(5))
        need(back == f.at - my.group and n == at - my.group and sector and
             sector % 2 == 0 and flags < 2, "parity is of another group")
        count, number = -(-n // sector), len(my.parity)
        need(count <= 32768 and 1 <= parity <= 32768 and f.number == number, "parity is damaged")
        sums, total = [r.fixed(2) for _ in range(count)], 0
        need(len(r) == sector, "parity is not a sector")
        ones = ((1 << 8 * sector) - 1) // 65535
        for i, end in enumerate(range(n - (count - 1) * sector, n + 1, sector)):
            data = my.data[my.group + max(end - sector, 0):my.group + end]
            need(xxh3(data) & U16 == sums[i], "a sector has another sum than its parity says")
            factor = field_inverse(32768 + number ^ i)
            total ^= field_product(int.from_bytes(data, "little"), factor, ones)
        need(total == int.from_bytes(r.data[r.at:], "little"), "parity is of other sectors")
        my.parity.append(f)
        if number == parity - 1: my.group, my.parity = f.end, []

def times_power(v, r):                  # v times a^r: "f: parity"
    for _ in range(r): v = v << 1 ^ (v >> 7) * 0x11d
    return v

def field_product(v, c, ones):          # of each word of v and c: "c: parity of sectors"
    total = 0
    while c:
        total, c, top = total ^ v * (c & 1), c >> 1, v >> 15 & ones
        v = (v ^ top << 15) << 1 ^ top * 0x100b
    return total

def field_inverse(c):                   # 1 / c, which is c^(2^16 - 2)
    total = 1
    for _ in range(15):
        c = field_product(c, c, 1)
        total = field_product(total, c, 1)
    return total

def main(args):                         # decodes a file
    c = None
    if len(args) != 1:
        print("usage: decode.py FILE.trc", file=sys.stderr)
        return 2
    sys.stdout.reconfigure(encoding="latin-1")
    try:
        with open(args[0], "rb") as file: data = file.read()
        while c is None or c.at < len(data):
            c = Container(data, c.at if c else 0, c)
            c.read(c.at)
        return 0
    except (Damaged, OSError) as err:
        place = f": the frame at byte {c.now}: " if c else ": "
        sys.stdout.flush()
        print(args[0] + place + str(err), file=sys.stderr)
        return 1

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
