#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Decodes containers of trc to csv: a second reader, written from src/container/SPEC.md alone.

    decode.py FILE.trc              prints the rows as csv
    decode.py --check FILE.trc      only reads everything, and checks it

The comment of a function says what it does, and names in quotes the section of SPEC.md that has it.
What is damaged or unknown is a sentence and exit status 1. It is slow, and repairs nothing.
"""
import lzma
import sys
from bisect import bisect_left, bisect_right

U16, U32, U64, FAR = (1 << 16) - 1, (1 << 32) - 1, (1 << 64) - 1, (1 << 24) - 1
GOLD = 0x9e3779b97f4a7c15


class Damaged(Exception):               # what is read makes no sense, or is of a later version
    pass

def need(holds, what):                  # refuses the container unless something holds
    if not holds:
        raise Damaged(what)

def clamp(v, least, most):              # "Part 2"
    return least if v < least else most if v > most else v

def div(a, b):                          # a / b, rounded towards zero: "Part 2"
    return a // b if a >= 0 else -(-a // b)

def size(n, most):                      # "Part 2"
    return clamp((n - 1).bit_length(), 10, most)

def H(v, h):                            # hash(v, h) of "Part 2", H(v, h) of "Part 4"
    t = (h + v + 1) * 0x9e3779b1 & U32
    return t ^ t >> 15

def zz(z):                              # what a zigzag number stands for: head of SPEC.md
    return -(z + 1 >> 1) if z & 1 else z >> 1

class Bytes:                            # bytes, read from front to end: head of SPEC.md
    def __init__(my, data):
        my.data, my.at = data, 0
    def more(my):                       # how many are left
        return len(my.data) - my.at
    def take(my, n):                    # the next n
        need(n <= my.more(), "it ends too early")
        my.at += n
        return my.data[my.at - n:my.at]
    def fixed(my, n=1, order="little"): # a number of n bytes
        return int.from_bytes(my.take(n), order)
    def number(my, most=U64):           # a number in LEB128
        v = 0
        for shift in range(0, 70, 7):
            byte = my.fixed()
            v |= (byte & 127) << shift
            if byte < 128:
                need(v <= most, "a number is larger than it may be")
                return v
        raise Damaged("a number has more than ten bytes")
    def end(my, what):                  # refuses bytes that are left
        need(not my.more(), "there are bytes behind " + what)


# "Sums" of Part 1

SECRET = bytes.fromhex("b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64e"
    "ccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea37164"
    "4897a20df94e3819ef46a9deacd8a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
    "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad0"
    "31ce45cb3a8f95160428afd7fbcabb4b407e")
P1, P2, P3, Q1, Q2 = 0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x9e3779b185ebca87, 0xc2b2ae3d27d4eb4f
Q3, Q4, Q5 = 0x165667b19e3779f9, 0x85ebca77c2b2ae63, 0x27d4eb2f165667c5
Q6, Q7 = 0x165667919e3779f9, 0x9fb21c651e98df25

def at8(data, i):                       # d8(i), s8(i)
    return int.from_bytes(data[i:i + 8], "little")

def fold(x, y):                         # the halves of a product: "Sums"
    return x * y & U64 ^ x * y >> 64

def end1(h):                            # the last steps of most sums: "Sums"
    h &= U64
    h = (h ^ h >> 37) * Q6 & U64
    return h ^ h >> 32

def end2(h):                            # those of short ones: "Sums"
    h = (h ^ h >> 33) * Q2 & U64
    h = (h ^ h >> 29) * Q3 & U64
    return h ^ h >> 32

def xxh3(d, seed=0):                    # XXH3 of bytes
    n, s, little = len(d), SECRET, int.from_bytes
    def mix(i, k):                      # of 16 bytes
        return fold(at8(d, i) ^ at8(s, k) + seed & U64, at8(d, i + 8) ^ at8(s, k + 8) - seed & U64)
    if n == 0:
        return end2(seed ^ at8(s, 56) ^ at8(s, 64))
    if n <= 3:
        c = (d[0] << 16) + (d[n // 2] << 24) + d[n - 1] + (n << 8)
        return end2(c ^ (at8(s, 0) ^ at8(s, 0) >> 32) % (1 << 32) + seed & U64)
    if n <= 8:
        seed ^= little((seed & U32).to_bytes(4, "little"), "big") << 32
        h = little(d[-4:], "little") + (little(d[:4], "little") << 32)
        h ^= (at8(s, 8) ^ at8(s, 16)) - seed & U64
        h = (h ^ (h << 49 | h >> 15) & U64 ^ (h << 24 | h >> 40) & U64) * Q7 & U64
        h = (h ^ (h >> 35) + n) * Q7 & U64
        return h ^ h >> 28
    if n <= 16:
        a = at8(d, 0) ^ (at8(s, 24) ^ at8(s, 32)) + seed & U64
        b = at8(d, n - 8) ^ (at8(s, 40) ^ at8(s, 48)) - seed & U64
        return end1(n + little(a.to_bytes(8, "little"), "big") + b + fold(a, b))
    if n <= 128:
        return end1(n * Q1 + sum(mix(16 * k, 32 * k) + mix(n - 16 * k - 16, 32 * k + 16)
                                 for k in range((n - 1) // 32 + 1)))
    if n <= 240:
        h = end1(n * Q1 + sum(mix(16 * k, 16 * k) for k in range(8)))
        h += sum(mix(16 * k, 16 * k - 125) for k in range(8, n // 16)) + mix(n - 16, 119)
        return end1(h)
    t = b"".join((at8(s, i) + (-seed if i % 16 else seed) & U64).to_bytes(8, "little")
                 for i in range(0, 192, 8))
    a, words = [P3, Q1, Q2, Q3, Q4, P2, Q5, P1], [at8(t, i) for i in range(0, 192, 8)]
    def stripe(i, secret):              # of 64 bytes
        for j, word in enumerate(secret):
            v = at8(d, i + 8 * j)
            x = v ^ word
            a[j ^ 1] += v
            a[j] += (x & U32) * (x >> 32)
    for m in range((n - 1) // 64):
        stripe(64 * m, words[m % 16:m % 16 + 8])
        if m % 16 == 15:
            for j, v in enumerate(a):
                a[j] = (v & U64 ^ (v & U64) >> 47 ^ words[16 + j]) * P1 & U64
    stripe(n - 64, [at8(t, 121 + 8 * j) for j in range(8)])
    return end1(n * Q1 + sum(fold(a[j] & U64 ^ at8(t, 11 + 8 * j),
                                  a[j + 1] & U64 ^ at8(t, 19 + 8 * j)) for j in (0, 2, 4, 6)))


# Part 2: coders

class Coder:                            # "Range coder"
    def __init__(my, data):
        my.data, my.at, my.range, my.size = bytes(data) + bytes(16), 8, U64, len(data)
        my.c = int.from_bytes(my.data[:8], "big")
    def flag(my, p):                    # a bit that is 1 with probability p / 65536
        return 1 - my.code(p)
    def code(my, p):                    # a bit that is 0 with probability p / 65536
        bound = (my.range >> 16) * p
        bit = my.c >= bound
        if bit:
            my.range, my.c = my.range - bound, my.c - bound
        else:
            my.range = bound
        if my.range <= U32:
            my.range, my.at = my.range << 32, my.at + 4
            need(my.at <= my.size + 8, "a range coded stream ends too early")
            my.c = (my.c << 32 & U64) + int.from_bytes(my.data[my.at - 4:my.at], "big")
        return int(bit)
    def end(my):                        # refuses more or fewer bytes than were read
        need(my.at == my.size + 4, "a range coded stream has another length than what it codes")

class Models:                           # bit models by name, and what is of them: "Range coder"
    def __init__(my, coder=None):
        my.coder, my.models = coder, {}
    def bit(my, *name):                 # a bit, by the model of this name
        m = counter(my.models, name, 32768, 0)
        b = my.coder.code(m[0] >> 6)
        move(m, 64 * 64 if b else 64 * 65472, 30)
        return b
    def tree(my, k, *name, branch=None):    # a symbol of k bits; with `branch`, so many of them
        x = 1 << k - (k if branch is None else branch)
        while x < 1 << k:
            x = 2 * x + my.bit(*name, x)
        return x - (1 << k)
    def number(my, *name):              # a number of up to 64 bits
        n = my.tree(5, *name, "len")
        n = n + my.tree(6, *name, "far") if n == 31 else n
        need(n <= 64, "a number has more than 64 bits")
        v = min(n, 1)
        for i in range(n - 2, -1, -1):
            v = 2 * v + (my.bit(*name, "head", n, v) if v < 4 else
                         my.bit(*name, "low", n, 4 * (v % 2) + i) if i < 3 else
                         my.bit(*name, "rest", i))
        return v

S = [32768, 36843, 40793, 44511, 47911, 50941, 53581, 55834, 57724, 59287, 60565, 61598, 62428,
     63090, 63615, 64030, 64357, 64614, 64816, 64974, 65097, 65194, 65269, 65328, 65374, 65410,
     65438, 65459, 65476, 65489, 65500, 65508, 65514, 65519, 65523, 65526, 65528, 65530, 65531,
     65532, 65533, 65534, 65534, 65535, 65535, 65535, 65535, 65535, 65536]

def fine(x):                            # "Logistic scale"
    k, r = x >> 6, x & 63
    return (1 << 22) - fine(-x) if x < 0 else 64 * S[k] + (S[k + 1] - S[k]) * r

FINE = [fine(y) for y in range(-2047, 2048)]
SQUASH = [fine(x) >> 6 for x in range(3072)]            # squash(x), then of all x from -3071
SQUASH = [65536 - p for p in SQUASH[:0:-1]] + SQUASH
STRETCH = [min(bisect_left(SQUASH, 16 * k + 8) - 3071, 3071) for k in range(4096)]
RATE = [16384 // (2 * n + 3) for n in range(1024)]

def squash(x):                          # "Logistic scale"
    return SQUASH[x + 3071]

def stretch(p):                         # "Logistic scale"
    return STRETCH[p >> 4]

def counter(table, name, p, n):         # a counter of a table, which begins with p and n: "Counter"
    c = table.get(name)
    if c is None:
        c = table[name] = [64 * p, n]
    return c

def move(c, to, limit):                 # "Counter"
    p, n = c
    c[0] = p + ((to - p >> 3) * RATE[n] >> 10)
    if n < limit:
        c[1] = n + 1

def learn(c, bit, limit):               # "Counter"
    move(c, (1 << 22) * bit, limit)

def history(h, bit):                    # "Bit history"
    return (2 * h + bit) & 255 | h & 128

def first(h):                           # "Bit history"
    c = [1 << 21, 0]
    for digit in bin(h)[3:]:
        learn(c, int(digit), 1023)
    return c[0] >> 6

FIRST = [first(h) for h in range(256)]
TRUSTED = [clamp(stretch(p), -2047, 2047) for p in FIRST]

def count_states():                     # what follows a 0, a 1; count_first: "Count state"
    def kinds(n0, n1):                  # how many states a pair is
        a, b = max(n0, n1), min(n0, n1)
        return 0 if b > 5 or a > (20, 48, 15, 8, 6, 5)[b] else 2 if b and a + b <= 17 else 1
    def after(n0, n1, bit):             # next(n0, n1, bit)
        if n0 < n1:
            return after(n1, n0, 1 - bit)[::-1]
        left = (0, 1, 2, 3, 4, 5, 5, 6, 7)
        n0, n1 = (left[min(n0, 8)], n1 + 1) if bit else (n0 + 1, left[min(n1, 8)])
        while not kinds(n0, n1):
            n0, n1 = (n0 - 1, n1) if n1 < 2 else ((n0 * (n1 - 1) + n1 // 2) // n1, n1 - 1)
        return n0, n1
    states = [(t - n1, n1, last) for t in range(50) for n1 in range(t + 1)
              for last in range(kinds(t - n1, n1))]
    number = {state: i + 1 for i, state in enumerate(states)}
    def follow(n0, n1, bit):            # the number of the state that follows
        pair = after(n0, n1, bit)
        return number[pair + (bit if kinds(*pair) == 2 else 0,)]
    return [[0] + [follow(n0, n1, bit) for n0, n1, _ in states] for bit in (0, 1)] + \
        [[0] + [65536 * (5 * n1 + 2) // (5 * (n0 + n1) + 4) for n0, n1, _ in states]]

NEXT0, NEXT1, COUNT_FIRST = count_states()

class StateMaps(dict):                  # state maps of one slowness, by name: "State map"
    def __init__(my, slowness):
        my.slowness, my.ups = slowness, {}
    def up(my, x):                      # up(x); down(x) is -up(-x)
        if x not in my.ups:
            to = fine(x) + ((1 << 22) - fine(x)) // my.slowness
            i = min(bisect_left(FINE, to), 4094)
            my.ups[x] = i - 2047 - (i > 0 and to - FINE[i - 1] < FINE[i] - to)
        return my.ups[x]
    def of(my, name, h, begin=None):    # the stretch of a history, and what it begins with
        return my.get((name, h), TRUSTED[h] if begin is None else begin)
    def learn(my, name, h, x, bit):     # that stretch, which was x, learns a bit
        my[name, h] = my.up(x) if bit else -my.up(-x)

def train(weights, inputs, p, rate, bit):   # the weights of a mixer learn: "Mixer"
    e = ((65535 if bit else 0) - p) * rate >> 4
    e = clamp(e, -32767, 32767) if rate > 8 else e
    for i, x in enumerate(inputs):
        if x:
            w = weights[i] + (x * e + 32768 >> 16)
            weights[i] = -32768 if w < -32768 else 32767 if w > 32767 else w

def mixed_flag(coder, mixers, inputs, rate, least=0):   # a flag by a mixer or a pair: "Mixer"
    y = sum([w * x for weights in mixers for w, x in zip(weights, inputs)]) >> 12 + len(mixers)
    p = clamp(squash(clamp(y, -2048, 2047)), least, 65536 - least)
    bit = coder.flag(p)
    for weights in mixers:
        train(weights, inputs, p, rate, bit)
    return bit

def bucket(n):                          # "Match model"
    e = n.bit_length() - 1
    return n if n < 2 else 31 if n >= 65536 else 2 * e + (n >> e - 1 & 1)

def expect(b, h):                       # "Match model"
    return clamp(div((stretch(65535 - 65536 // (b + 2)) + stretch(FIRST[h])) * 7, 8), -2047, 2047)

class Match:                            # over a list of symbols: "Match model"
    def __init__(my, symbols, bits):
        my.x, my.bits, my.table, my.at, my.len, my.misses = symbols, bits, {}, 0, 0, 0
    def place(my, u):                   # the place that the entry of a hash has for it, or 0
        i, check = my.table.get(u >> 32 - my.bits, (0, 0))
        return i if check == u & 255 else 0
    def note(my, i, u):                 # notes place i with a hash
        my.table[u >> 32 - my.bits] = i & FAR, u & 255
    def try_at(my, place, i, least):    # try(place, i, least)
        x, n = my.x, 0
        while n < 32 and n < place and x[place - 1 - n] == x[i - 1 - n]:
            n += 1
        if place and n >= least:
            my.at, my.len, my.misses = place, n, 0
    def follow(my, right):              # follow(right)
        my.at, my.len = my.at + 1, my.len + 1
        if not right:
            my.len, my.misses = 0, my.misses + 1
            if my.misses == 8:
                my.at = my.misses = 0
        elif my.len >= 16:
            my.misses = 0

class Table(dict):                      # lines of slots that predictors share: "Predictor"
    def __init__(my, bits, coder=None):
        my.bits, my.coder = bits, coder
    def __missing__(my, line):
        my[line] = [bytearray(16) for _ in range(4)]
        return my[line]

APM = [squash(clamp(256 * (j - 12), -3071, 3071)) for j in range(25)]

class Predictor:                        # "Predictor"; zeros among inputs are left out
    def __init__(my, table, number, contexts, experts=0):
        my.table, my.number, my.maps, my.mixers, my.apms, my.seen = table, number, {}, {}, {}, 0
        rest = 7000 // contexts
        my.weights = [rest] * contexts + [1500] * experts + [rest]
    def find(my, contexts):             # finds the slots of contexts
        my.places, shift, m = [], 32 - my.table.bits, 16 * my.number
        for c in contexts:
            x = (((c & U32) >> 4) + m * 0x3d4d51cb) * 0x85ebca6b & U32
            x = (x ^ x >> 13) * 0x9e3779b1 & U32
            line, check, m = my.table[x >> shift], x >> shift - 8 & 255 or 1, m + 1
            for s, slot in enumerate(line):
                if slot[0] == check:
                    if s:
                        line[s - 1], line[s], s = slot, line[s - 1], s - 1
                    break
                if slot[0] == 0 or s == 3:
                    line[s] = bytearray((check,) + (1,) * 15)
                    break
            my.places.append((line, s, c & 15))
    def find_by_path(my, path, contexts):  # finds them by path
        my.find([H(path, c) << 4 for c in contexts])
    def bit(my, node, mixers, apms, experts=(), map_set=0):     # "A bit"
        counters, inputs, last, name = [], [], 0, map_set << 12
        for k, (line, s, c) in enumerate(my.places):
            cell = line[s][node + c]
            count = counter(my.maps, name + cell, (COUNT_FIRST if k & 1 else FIRST)[cell], 3)
            counters.append(count)
            inputs.append(STRETCH[count[0] >> 10])
            name, last = name + 256, last if cell == 1 else k + 1
        inputs += [*experts, 256]
        chosen, total = [], 0
        for name in ((0, mixers[0]), (1, mixers[1]), (2, mixers[2], last)):
            weights = my.mixers.get(name)
            if weights is None:
                weights = my.mixers[name] = my.weights[:]
            y = clamp(sum([w * x for w, x in zip(weights, inputs)]) >> 13, -3071, 3071)
            total += y
            chosen.append((weights, SQUASH[y + 3071]))
        y = div(total, 3)
        j, r, p, used = y + 3072 >> 8, y + 3072 & 255, 2 * squash(y), []
        for i, t in enumerate(apms):
            a = my.apms.get((i, t))
            if a is None:
                a = my.apms[i, t] = APM[:]
            p += (a[j] * (256 - r) + a[j + 1] * r) // 256
            used.append(a)
        bit = my.table.coder.flag(clamp(p // 4, 16, 65520))
        n, my.seen = my.seen, my.seen + 1
        rate = 16 if n < 2000 else 12 if n < 20000 else 8 if n < 200000 else 4 if n < 1000000 else 2
        for weights, p in chosen:
            train(weights, inputs, p, rate, bit)
        for k, (count, (line, s, c)) in enumerate(zip(counters, my.places)):
            move(count, bit << 22, 255)
            slot, c = line[s], node + c
            slot[c] = (NEXT1 if bit else NEXT0)[slot[c]] if k & 1 else history(slot[c], bit)
        for a in used:
            v = a[j + (r > 128)]
            a[j + (r > 128)] = v + (65535 - v >> 6) if bit else v - (v >> 6)
        return bit

class NumberModel(Predictor):           # "Number model"
    def __init__(my, table, number, contexts, experts=0):
        super().__init__(table, number, contexts, experts)
        my.trust, my.right = {}, [0] * experts
    def read(my, contexts, selector=0, expected=()):    # a number; None is expected by no expert
        my.state = [4 * right + min(3, expected.count(e) - 1)
                    for right, e in zip(my.right, expected)]
        my.going = [(i, e) for i, e in enumerate(expected) if e is not None]
        my.path, my.coded, q, low = 1, 0, 1, 32 * (selector & 7)
        for b in range(4, -1, -1):
            q = 2 * q + my.next_bit(contexts, (q, low + q, b), (32 * selector + q, q), 0, 4 - b,
                                    lambda e: e.bit_length() >> b & 1)
        need(q - 32 <= 24, "a number has more than 24 bits")
        v = my.low_bits(q - 32, contexts, selector) if q > 32 else 0
        my.right = [r if e is None else (2 * r + (e == v)) & 7 for r, e in zip(my.right, expected)]
        return v
    def of_bits(my, n, contexts, selector=0):           # a number of n bits, without experts
        my.path, my.coded, my.going = 1, 0, []
        return my.low_bits(n + 1, contexts, selector) - (1 << n)
    def low_bits(my, k, contexts, selector):            # a number of k bits, whose first is known
        w, low = 1, 32 * (selector & 7)
        for d in range(k - 1):
            w = 2 * w + my.next_bit(
                contexts, (32 + 24 * k + d, 256 + low + d, 5 + min(d, 7)),
                (1024 + 32 * k + (w if w < 32 else 0), 64 + 24 * k + d), 2 if d else 1,
                5 + min(d, 6), lambda e: e >> k - 2 - d & 1)
        return w
    def next_bit(my, contexts, mixers, apms, map_set, place, expected):     # "Experts"
        if my.coded % 4 == 0:
            my.find_by_path(my.path, contexts)
            my.node = 1
        experts, trust = [0] * len(my.right), []
        for i, e in my.going:
            c = counter(my.trust, (i, my.state[i], place), 57344, 1)
            x = stretch(c[0] >> 6)
            experts[i] = x if expected(e) else -x
            trust.append((c, expected(e)))
        bit = my.bit(my.node, mixers, apms, experts, map_set)
        for c, e in trust:
            learn(c, e == bit, 127)
        my.going = [(i, e) for i, e in my.going if expected(e) == bit]
        my.path, my.node, my.coded = 2 * my.path + bit, 2 * my.node + bit, my.coded + 1
        return bit

def fields(data, w):                    # fields of w bytes, the most significant first
    need(len(data) % w == 0, "a stream ends within a field")
    return [int.from_bytes(data[i:i + w], "big") for i in range(0, len(data), w)]

def packed_stream(r, most):             # at most so many bytes: "Packed streams"
    n = r.number(most)
    return unpack(n, r.fixed(), r.take(r.number())) if n else b""

def unpack(n, method, data):            # n bytes by a method: "Packed streams"
    if method == 0:
        need(len(data) == n, "a stored stream has another length")
        return data
    if method <= 8:
        return unpack_lzma(n, method, data)
    need(method in (16, 17, 18, 19, 21, 22, 23, 24), "a stream has an unknown method")
    w = 1 << method - 16 if method < 20 else method - 20 if method < 23 else 1
    head = 3 if method in (21, 22) else 0 if method == 23 else 1
    heads, coder = data[:head], Coder(data[head:])
    most = 8 * w if head == 3 else 8
    need(len(heads) == head and (not head or 1 <= heads[0] <= most), "a stream has a damaged head")
    need(head != 3 or heads[2] <= 2 and n // w <= 1 << 24, "a stream has a damaged head")
    need(n % w == 0 or method < 20, "a stream has half a symbol")
    need(n % 4 == 0 or method != 24, "a stream has half a field")
    out = mixed_stream(coder, n, w, *heads) if method < 20 else \
        ranked_stream(coder, n // w, w, *heads) if method < 23 else \
        tokens_stream(coder, n) if method == 23 else literals_stream(coder, n // 4, *heads)
    coder.end()
    return out

def unpack_lzma(n, method, data):       # methods 1 to 8: "Packed streams"
    lc, lp, pb = ((0, 0, 0), (4, 0, 0), (3, 0, 0), (0, 1, 1), (0, 2, 2), (0, 3, 3), (3, 1, 1),
                  (0, 1, 1))[method - 1]
    try:
        out = lzma.LZMADecompressor(lzma.FORMAT_RAW, None, [{
            "id": lzma.FILTER_LZMA1, "lc": lc, "lp": lp, "pb": pb,
            "dict_size": 1 << max(12, (n - 1).bit_length())}]).decompress(data, n)
    except (lzma.LZMAError, EOFError) as err:
        raise Damaged("a stream of LZMA is damaged") from err
    need(len(out) == n and (method < 8 or n % 4 == 0), "a stream of LZMA has another length")
    return out if method < 8 else b"".join(
        out[i:i + 2] + out[n // 2 + i:n // 2 + i + 2] for i in range(0, n // 2, 2))

def mixed_stream(coder, n, w, bits):    # "Context mixing"
    model, M = Predictor(Table(size(2 * n, 19), coder), 0, 7, 1), 0x2f0b4c47
    x, least, trust, f, g, g2 = bytearray(), 16 if w == 8 else 8, {}, 0, 0, 0
    match, contexts = Match(x, size(n, 19)), [0] * 7
    for i in range(n):
        column, path, going = i % w, 1, match.at > 0
        for b in range(bits - 1, -1, -1):
            if b == bits - 1 or b == 3 and bits > 4:
                model.find_by_path(path, contexts)
                node = 1
            expert = B = e = 0
            if going:
                B, e = bucket(match.len), x[match.at] >> b & 1
                c = counter(trust, B, 65535 - 65536 // (B + 2), 8)
                expert = stretch(c[0] >> 6) if e else -stretch(c[0] >> 6)
            last = x[-1] if x else 0
            t2 = 16 * last + path if bits <= 4 else \
                ((256 * last + path) * 0x9e3779b1 + column * 0x3d4d51cb & U32) >> 19
            bit = model.bit(node, (2 * (32 * column + B) + e, 256 * column + path, 8 * column + b),
                            (256 * column + path, t2), (expert,))
            if going:
                learn(c, e == bit, 127)
            path, node, going = 2 * path + bit, 2 * node + bit, going and e == bit
        x.append(path - (1 << bits))
        i += 1
        if match.at:
            match.follow(x[match.at] == x[-1])
        if i % w == 0 and i >= least:
            key = sum((v + 1) * M ** j for j, v in enumerate(x[:-least - 1:-1])) * 0x9e3779b1 & U32
            if match.len == 0:
                match.try_at(match.place(key), i, least)
            match.note(i, key)
        if w == 1:                      # contexts of what comes
            contexts, h = [], 0
            for j in range(1, 21):
                h = h + (x[-j] + 1) * pow(M, j - 1, 1 << 32) & U32 if j <= i else h
                contexts += [h] if j in (1, 2, 3, 5, 8, 12, 20) else []
        else:
            f = (f + x[-1] + 1) * M & U32
            g2, g, f = (g, f, 0) if i % w == 0 else (g2, g, f)
            b1, b2 = x[-w] if i >= w else 0, x[-2 * w] if i >= 2 * w else 0
            h1, h2 = (f + g + 1) * M & U32, (f + g2 + 1) * M + 1
            contexts = [i % w, f, h1, (h1 + g2 + 1) * M, (f + b1 + 1) * M,
                        (f + b1 + 256 * b2 + 1) * M, h2]
    return bytes(x)

def tokens_stream(coder, n):            # "Tokens"
    x, histories, r, bits, slots, mixers = bytearray(), bytearray(), 0, size(n, 15), {}, {}
    match, maps, models, trust = Match(x, bits), StateMaps(80), Models(coder), {}
    def hashed(o):                      # H(o)
        return ((r & (1 << 4 * o) - 1) << 64 - 4 * o) * GOLD % (1 << 64) >> 32
    def put(token, h):                  # a token is known, and its history
        nonlocal r
        x.append(token)
        histories.append(h)
        r = 16 * r + token & U64
    def flag(d, places, part, now):     # "A flag"
        had = [slots.get((place, d), 1) for place in places]
        inputs, name = [maps.of((k, d), h) for k, h in enumerate(had)] + [0, 256], 0
        if part:
            b, h = bucket(match.len), histories[match.at]
            X = maps.of(("X", b // 2, now), h, expect(b // 2 * 2 + 1, h))
            inputs[4], name = X if now else -X, 1 + b + 31 * now
        bit = mixed_flag(coder, [mixers.setdefault(m, [2500] * 5 + [0]) for m in
                                 ((0, d, r & 15), (1, d, name))], inputs, 6)
        for k, h in enumerate(had):
            maps.learn((k, d), h, inputs[k], bit)
            slots[places[k], d] = history(h, bit)
        if part:
            maps.learn(("X", b // 2, now), histories[match.at], X, bit == now)
        return bit
    while len(x) < n:
        wrong = done = False
        if match.len >= 200:            # 1
            run = models.number()
            need(run <= n - len(x), "a run of tokens is too long")
            for _ in range(run):
                put(x[match.at], 255)
                match.at += 1
            match.len, match.misses, wrong = 199, 0, True
            if len(x) == n:
                break
        elif match.len >= 12 and histories[match.at] == 255:    # 2
            b = bucket(match.len)
            c = counter(trust, b, squash(expect(b, 255)), 16)
            done = coder.flag(clamp(c[0] >> 6, 16, 65520))
            learn(c, done, 255)
            wrong = not done
        if done:
            put(x[match.at], 255)
        else:                           # 3
            order = (0, 8, 1, 2, 3, 4, 5, 6, 7)
            d, e = 0, order.index(x[match.at]) if match.at else 9
            places = [(o, r & (1 << 4 * o) - 1 if o < 5 else hashed(o) >> 32 - bits)
                      for o in (1, 3, 5, 7)]
            while d < 8 and (wrong and d == e or
                             not flag(d, places, not wrong and d <= e < 9, d == e)):
                d += 1
            put(order[d], history(histories[match.at], d == e) if match.at else 1)
        if match.at:
            match.follow(x[match.at] == x[-1])
        u = hashed(12)
        if match.len == 0:
            match.try_at(match.place(u), len(x), 12)
        match.note(len(x), u)
    return bytes(x)

def spread(h):                          # "Literals"
    h = h * 0x9e3779b1 & U32
    h = (h ^ h >> 15) * 0x85ebca6b & U32
    return h ^ h >> 13

def literals_stream(coder, n, groups):  # "Literals"
    x, histories, maps, tables, mixers, trust = [], bytearray(), StateMaps(32), {}, {}, {}
    bits, f, first_weights = size(4 * n, 16), 1, (4000, 4000, 4000, 0)
    match = Match(x, bits)
    def slot(k, c, s):                  # bit histories of a group, in context k
        h = c + (s >> 2) * GOLD & U64
        check, name = (h >> 32) + s & 255 | 2, (k, h >> 66 - bits)
        line = tables.setdefault(name, [bytearray([1] * 16) for _ in range(4)])
        one, two = line[s & 3], line[s & 3 ^ 1]
        if check in (one[0], two[0]):
            return one if one[0] == check else two
        found = two if two[1] < one[1] else one
        found[:] = bytes([check] + [1] * 15)
        return found
    def group(t, above, x1, x2):        # "A group"
        y = x1 >> 8
        c = y if t >= 16 else x2 >> 8 ^ (y * 0x9e3779b1 & U32) if t >= 8 else x1
        c = [0, c * 0xd6e8feb86659fd93 + 1 & U64, y * 0xd6e8feb86659fd93 + 2 & U64]
        above |= 1 << 4 * groups - 4 - t
        found = [slot(k, c[k], above) for k in range(2 if t >= 16 or t == 0 else 3)]
        weights, node = mixers.setdefault(t, list(first_weights)), 1
        for b in range(t + 3, t - 1, -1):
            inputs = [maps.of((b, k), h[node]) for k, h in enumerate(found)]
            bit = mixed_flag(coder, [weights], (inputs + [0])[:3] + [256], 8)
            for k, h in enumerate(found):
                maps.learn((b, k), h[node], inputs[k], bit)
                h[node] = history(h[node], bit)
            node = 2 * node + bit
        return node - 16
    for i in range(n):
        x1, x2, v, right = x[-1] if i else 0, x[-2] if i > 1 else 0, 0, 0
        if match.at:                    # 1
            b, h = bucket(match.len), histories[match.at]
            one = counter(trust, (b, h), squash(expect(b, h)), 8)
            two = counter(trust, (b, f, "f"), FIRST[f], 8)
            right = mixed_flag(coder, [mixers.setdefault(("match", b), list(first_weights))],
                               [stretch(one[0] >> 6), stretch(two[0] >> 6), 0, 256], 8, 24)
            learn(one, right, 30)
            learn(two, right, 30)
            f, v = history(f, right), x[match.at]
        if not right:                   # 2
            v = 0
            for t in range(4 * groups - 4, -4, -4):
                v = v << 4 | group(t, v, x1, x2)
        x.append(v)
        right = match.at and x[match.at] == v
        histories.append(history(histories[match.at], right) if match.at else 1)
        if match.at:
            match.follow(right)
        if i:
            u = spread(v * 0x2545f491 + x1 & U32)
            if match.len == 0:
                match.try_at(match.place(u), i + 1, 2)
            match.note(i + 1, u)
    return b"".join(v.to_bytes(4, "big") for v in x)

def scaled(p):                          # st(p) of "Ranking"
    return div(stretch(p) * 24, 10)

def ranked_stream(coder, n, width, bits, least, more):  # "Ranking"
    a = size(n // 4, 20)
    x, histories, tried, trusts, weights, table, lines = [], bytearray(), {}, {}, {}, {}, {}
    match, models, shape, far, path = Match(x, min(a, 17 + more)), Models(coder), 0, 0, 0
    def put(symbol, h):                 # a symbol is known, and its history; "Shape"
        nonlocal shape, far, path
        d = next((d for d in range(1, min(15, len(x)) + 1) if x[-d] == symbol), 0)
        x.append(symbol)
        histories.append(h)
        shape, far = 16 * shape + d & U64, (far + d + 1) * 4 * GOLD & U64
        path = (path + symbol + 1) * 1024 * GOLD & U64
        return d
    def back(d):                        # the symbol d places back
        return x[-d] if d <= len(x) else 0
    def hash2(v, use):                  # "Shape"
        return (v * (GOLD + use * 0xd1b54a32d192ed02) & U64) >> 32
    def trust():                        # on the match
        b, h = bucket(match.len) // 4, histories[match.at]
        return counter(trusts, (b, h, tried.get(x[match.at], 0) & 7),
                       squash(expect(4 * b + 2, h)), 2)
    def entry(u):                       # that of a context: its number, and what it has: "Entries"
        check, j = u & U16 | 1, u >> 32 - min(a + 2, 18 + more)
        one, two = table.get(j, (0, 0)), table.get(j ^ 1, (0, 0))
        if one[0] != check and (two[0] == check or two[1] < one[1]):
            j, one = j ^ 1, two
        if one[0] != check:
            one = table[j] = (check, 0, 0, 0)
        return j, one[1:]
    def weighted(names, firsts):        # a flag by the sum of weights, which learn
        w = [weights.get(name, begin) for name, begin in zip(names, firsts)]
        p = squash(clamp(sum(w) >> 3, -2020, 2020))
        bit = coder.flag(p)
        step = ((65535 if bit else 0) - p) * 100 + 32768 >> 16
        weights.update((name, (v + step + 32768 & U16) - 32768) for name, v in zip(names, w))
        return bit
    def run(i):                         # 2: whether all are as expected
        m = next((q - match.at for q in range(match.at, i) if histories[q] not in good), n - i)
        m = min(m, n - i)
        less = models.bit("run", m.bit_length() - 1)
        right = models.number("count") if less else m
        need(right < m or not less, "a run of symbols is too long")
        for _ in range(right):
            put(x[match.at], history(histories[match.at], 1))
            match.at, match.len = match.at + 1, match.len + 1
        return not less
    def alone(p):                       # 3: whether the symbol is the expected one
        b = counter(trusts, hash2(shape & U32, 2) >> 17, 65520, 0)
        p = p[0] >> 6 if b[1] < 2 else (p[0] >> 6) + (b[0] >> 6) >> 1
        return coder.flag(min(65512, p)), b
    def offers(entries, values, p):     # the symbol by 4, or None
        e = x[match.at] if p else None
        some = [v for v in values if v]
        for c in [e] * bool(p) + [v[0] for v in some] + [v[1] for v in some]:
            R = len(refused)
            if R < 3 and c not in refused:
                names, firsts = [(R, p[0] >> 16 if p else -1, c == e, "match")], [0]
                for k, ((_, (h, _, _)), v) in enumerate(zip(entries, values)):
                    which = (v[0] == c) + 2 * (v[1] == c) if v else 0
                    q = FIRST[h] if which & 1 else (65535 - FIRST[h]) * (3 if which else 2) // 4
                    names.append((R, k, h, which))
                    firsts.append(scaled(q))
                if weighted(names, firsts):
                    return c
                refused.append(c)
        return None
    def plain():                        # 5
        node, c = 1, refused[0] if refused else 0
        for b in range(bits - 1, -1, -1):
            if (bits - 1 - b) % 6 == 0:
                found, low = [], 1
                for k, v in enumerate((node, (65536 * back(1) + node) * 0x2f0b4c47,
                                       (65536 * back(2) + node) * 0x2f0b4c47,
                                       (65536 * c + node) * 0x2f0b4c47)):
                    u = ((v & U32) ^ (v & U32) >> 15) * 0x9e3779b1 & U32
                    name = k, u >> 38 - min(a, 17 + more)
                    found.append(lines.setdefault(name, bytearray([1] * 64)))
            bit = weighted([(b, k, line[low]) for k, line in enumerate(found)],
                           [scaled(FIRST[line[low]]) for line in found])
            for line in found:
                line[low] = history(line[low], bit)
            node, low = 2 * node + bit, 2 * low + bit
        return node - (1 << bits)
    good = (3, 7, 15, 31, 63, 127, 255)
    while len(x) < n:
        refused, i, p, done = [], len(x), trust() if match.len >= 4 else None, 0
        if p:
            e, h = x[match.at], histories[match.at]
            if (match.len >= 64 or match.len >= 32 and h >= 63) and \
                    all(v in good for v in histories[match.at:match.at + 4]):
                if run(i):
                    continue
                i, e, refused = len(x), x[match.at], [x[match.at]]
            elif p[0] >= least << 14:
                right, b = alone(p)
                learn(p, right, 1022)
                learn(b, right, 15)
                if right:
                    tried[e] = 2 * tried.get(e, 0) + 1 & 255
                    put(e, history(h, 1))
                    match.follow(True)
                    continue
                refused = [e]
        entries = [entry(u) for u in (far >> 32, hash2(shape << 16 & U64, 1), path >> 32)]
        values = [[back(65536 - v) if v > 0xfff0 and k < 2 else v for v in e[1:]] if e[0] else None
                  for k, (_, e) in enumerate(entries)]
        key = (path ^ far) >> 32
        place = match.place(key)
        match.note(i, key)
        if match.len < 4:
            match.try_at(place, i, 14)
        p, early = trust() if match.len >= 4 else None, len(refused)
        symbol = offers(entries, values, p)
        symbol = plain() if symbol is None else symbol
        h, right = 1, match.at and symbol == x[match.at]
        if p:                           # 6
            h, e = history(histories[match.at], right), x[match.at]
            tried[e] = 2 * tried.get(e, 0) + right & 255
            if not early:
                learn(p, right, 1022)
        d = put(symbol, h)
        if match.at:
            match.follow(right)
        for k, (j, (h, last, other)) in enumerate(entries):
            v, check = 65536 - d if k < 2 and d else symbol, table[j][0]
            table[j] = (check, 1, v, v) if h == 0 else \
                (check, history(h, 1), v, other) if v == last else (check, history(h, 0), v, last)
    return b"".join(v.to_bytes(width, "big") for v in x)


# Part 3: the program

def h(a, b, c=None):                    # "Columns by op"
    t = H(b, H(a, 0))
    return t if c is None else H(c, t)

def f(v):                               # "Columns by op"
    return h(v & U32, v >> 32)

def parts(v):                           # "Columns by op"
    return sum(1 << j for j in range(8) if v >> 8 * j & 255)

class Op:                               # an instruction, its first slot and its edges: "Part 3"
    slot = 0
    def __init__(my, pc, shape, fetch):
        my.pc, my.shape, my.fetch, my.out, my.values, my.length = pc, shape, fetch, [], [], 4
    def end(my):                        # its end, and if it is unknown
        return my.pc + (my.fetch or my.length or 4) & U64, my.fetch == 0 and my.length == 0

class Program:                          # "Growth": what is remembered from one reset on
    def __init__(my, flags, by_op):
        my.flags, my.by_op, my.columns = flags, by_op, [c for c in (11, 13, 12) if by_op >> c & 1]
        my.shapes, my.ops, my.edges, my.slots, my.values, my.m = [], [], [], [], [], Models()
        my.recent, my.open, my.landings, my.left, my.at, my.others = 0, [], [], {}, {}, {}
        my.jumped, my.lines, my.newest, my.added, my.before = 0, [], 0, 0, (0, 0, 0, 0)
        my.had, my.written, my.known, my.table = {}, {}, [], Table(16)
        counts = {8: 8, 9: 8, 10: 9, 11: 8, 12: 8}
        for k, c in enumerate(my.columns):
            counts[2 * k], counts[2 * k + 1] = (8, 9) if c == 13 else (6, 12)
        my.predictors = {k: Predictor(my.table, k, n) for k, n in counts.items()} if by_op else {}

    def grow(my, r):                    # a growth
        old, news = (len(my.shapes), len(my.ops), len(my.edges)), [r.number() for _ in range(3)]
        for had, new, most in zip(old, news, (16, 20, 22)):
            need(had + new <= 1 << most, "the program is too large")
        my.m.coder = my.table.coder = Coder(r.take(r.more()))
        for _ in range(news[0]):
            my.add_shape()
        my.b = min((len(my.shapes) - 1).bit_length(), 8) if my.shapes else 0
        my.add_edges(news[2], old[1] + news[1])
        my.values += [[] for _ in range(news[2])]
        for k, c in enumerate(my.columns):
            for i in range(old[2], len(my.edges)):
                my.values[i].append(my.edge_value(k, WIDTH[c], *my.edges[i]))
        for i in range(old[1], len(my.ops)):
            my.add_slots(i, my.ops[i])
        need(len(my.slots) <= 1 << 22, "the program is too large")
        my.m.coder.end()

    def add_shape(my):                  # "Shapes"
        rows, kind, n = [], 32, my.m.number("rows")
        need(1 <= n <= 17, "a shape has no rows, or too many")
        for i in range(n):
            kind = my.m.tree(5, "type", kind)
            rows.append((kind, my.m.number("size", kind)))
            need(kind % 16 <= 8 and rows[i][1] <= U32, "a shape has an unknown type or size")
            need(kind % 16 != 2 or i == 0, "a fetch is not the first of its shape")
        need(n <= 16 or rows[0][0] % 16 == 2, "a shape has too many rows")
        my.shapes.append(rows)

    def add_edges(my, edges, stop):     # "Edges and ops"
        my.landed, my.to, my.back, last = False, 0, 0, None
        if len(my.ops) < stop and my.m.bit("start"):
            last = my.new_op(None, False, False)
        for _ in range(edges):
            jumps, fresh, plain = last is None, False, False
            source = my.start_of_edge() if jumps else last
            end, unknown = my.ops[source].end()
            op = my.at.get((end ^ end >> 16) & U16)
            op = None if op is None or (my.ops[op].pc ^ end) >> 16 & U32 else op
            if len(my.ops) < stop:
                name = jumps, my.by_op and my.kind(source) or not my.by_op and my.context(source), \
                    op is not None
                plain = not unknown and not my.m.bit("plain", *name)
                fresh = plain or my.m.bit("fresh", *name)
            target = my.new_op(source, plain, jumps) if fresh else my.known_op(source, op, jumps)
            last, my.landed = (target, False) if fresh else (None, my.landed)
            my.ops[source].out.append(len(my.edges))
            my.edges.append((source, target))
            my.to = target
        need(len(my.ops) == stop, "a growth has fewer ops than it says")

    def context(my, source):            # the context of models
        s = min(my.ops[source].shape, 255) if source is not None else 0
        return s if my.b > 4 or source is None else (my.recent << my.b) + s & 255

    def kind(my, source):               # the class of models
        return my.ops[source].values[-1] & 255 if my.by_op and source is not None else 0

    def start_of_edge(my):              # start_of_edge()
        left = my.left.get(my.to) if my.landed else None
        if left is not None and my.m.bit("is_left"):
            return left
        return my.there(my.to + zz(my.m.number("from", my.landed)))

    def there(my, op):                  # the number of an op, which must be one
        need(op & U32 < len(my.ops), "an edge is of an op that is not there")
        return op & U32

    def known_op(my, source, op, jumps):  # known_op(from, op)
        my.landed = False
        if op is not None and my.m.bit("at_end", jumps):
            return op
        if my.m.bit("landing", jumps):
            i = my.m.number("rank")
            need(i < len(my.landings), "a landing is not there")
            t = my.landings.pop(i)
        else:
            t = my.there(source + zz(my.m.number("known", jumps)))
        my.landings = [t] + my.landings[:4095]
        my.landed, my.back = True, my.ops[source].end()[0]
        return t

    def new_op(my, source, plain, jumps):  # new_op(from, plain)
        came = my.ops[source] if source is not None else None
        number, kind = len(my.ops), my.kind(source)
        end = came.end()[0] if came else 0
        goes_back = not plain and my.landed and my.m.bit("is_back", kind)
        s = my.read_shape(source, plain)
        need(s < len(my.shapes), "an op has a shape that is not there")
        fetch = my.shapes[s][0][1] if my.shapes[s][0][0] % 16 == 2 else None
        if plain:
            pc = came.pc if fetch is None else end
            if jumps:
                i = next((i for i, pair in enumerate(my.open) if pair[0] == end), 16)
                del my.open[i:i + 1]
        elif goes_back:
            pc, my.left[my.to] = my.back, source
        else:
            pc = my.read_jump(source, end, kind)
        op = Op(pc, s, fetch)
        my.ops.append(op)
        for k, c in enumerate(my.columns):
            op.values.append(my.regs(number, k) if c == 13 else my.op_value(number, k, WIDTH[c]))
        if my.flags & 4 and fetch == 0:
            op.length = my.length(number, op) if my.by_op else \
                my.m.tree(4, "length", min(s, 7), came.length if came else 4)
        my.at[(pc ^ pc >> 16) & U16] = number
        return number

    def read_shape(my, source, plain):  # read_shape(from, plain)
        b, context = my.b, my.context(source)
        name = ("often", context, min(my.recent & (1 << b) - 1, 8)) \
            if b > 4 and context < 8 else ("shape", context)
        if source is not None:
            my.recent = (my.recent << b) + min(my.ops[source].shape, 255) & U32
        s = my.shape(source, plain) if my.by_op else my.m.tree(8, *name, branch=b)
        return s + my.m.number("shape_far") if s == 255 else s

    def read_jump(my, source, end, kind):  # read_jump(from)
        m, number = my.m, len(my.ops)
        if m.bit("open", my.landed, kind):
            i = m.tree(4, "which")
            need(i < len(my.open), "an open end is not there")
            pc, op = my.open.pop(i)
            my.left[op] = source
        else:
            far = m.number("jump", kind // 16)
            pc = ((end >> 4) + zz(far)) * 16 + m.tree(4, "low", kind // 16, far > 3) & U64
            my.landings = [number] + my.landings[:4095]
        if source is not None:
            my.open = [(end, number)] + my.open[:15]
        return pc

    def add_slots(my, i, op):           # "Slots"
        op.slot, my.jumped = len(my.slots), my.jumped or i > 0 and op.pc != my.ops[i - 1].end()[0]
        for q, (kind, n) in enumerate(my.shapes[op.shape][op.fetch is not None:]):
            store, jumped, m = int(kind % 16 != 0), int(my.jumped), my.m
            name = op.shape if op.shape < 8 else 8 if n == 0 else 9 if n < 4 else \
                10 if n == 4 else 11 if n == 8 else 12
            if my.by_op:
                mode, residual = my.slot_by_values(op, q, store, name, jumped)
            else:
                s1, t1, m1, c1 = my.before
                mode = m.tree(5, "mode", store, t1, jumped, op.shape == s1, min(m1, 6))
                constant = 1 - m.bit("constant", store, c1, jumped, mode)
                mode, residual = mode if mode < 30 else 0, None
                my.before = op.shape, store, mode, constant
                if constant and mode < 18:
                    residual = zz(m.number("residual", store, name, min(mode, 4))) & U64 if mode \
                        else my.read_address()
            my.slots.append((mode, residual))
            my.jumped = False
        for v in ([op.values[0] & 255, op.values[0] >> 8 & 255] if my.by_op else []):
            my.written[v] = 1

    def read_address(my):               # read_address()
        i = my.m.number("address rank")
        if 0 < i <= len(my.lines):
            line = my.lines.pop(i - 1)
            low = my.m.tree(6, "of", line[1])
        else:
            my.newest = my.newest + zz(my.m.number("address far")) & U64 >> 6
            line, low, my.added = (my.newest, my.added), my.m.tree(6, "new"), my.added + 1
        my.lines = [line] + my.lines[:4095]
        return line[0] * 64 + low

    def symbol(my, number, bits, contexts, one, two, three, begin=1):   # "Columns by op"
        path, model = begin, my.predictors[number]
        for b in range(bits - begin.bit_length(), -1, -1):
            if b % 4 == 3 or path == begin:
                model.find_by_path(path, contexts)
                node = 1
            s1, s2 = (one << bits) + path, (two << bits) + path
            bit = model.bit(node, (s1, s2, three), (s1, s2))
            path, node = 2 * path + bit, 2 * node + bit
        return path - (1 << bits)

    def of(my, i, k=0):                 # value, shape and length of an op, 0 if there is none
        if i is None or i < 0:
            return 0, 0, 0
        return (my.ops[i].values + [0])[k], my.ops[i].shape, my.ops[i].length

    def about(my, i, k):                # what both kinds of "Values of ops" use
        op = my.ops[i]
        return (my.of(i - 1, k)[0], my.of(i - 2, k)[0], op.values[k - 1] & U16 if k else 0,
                op.shape, my.of(i - 1)[1], op.fetch or 0)

    def op_value(my, i, k, most):       # insn and branch of "Values of ops"
        x1, x2, other, shape, shape1, n = my.about(i, k)
        form, n1, n2 = h(shape, n), (x1.bit_length() + 7) // 8, (x2.bit_length() + 7) // 8
        s, x = my.symbol(2 * k, 4, [
            h(form, other), h(n1, n2, shape), h(f(x1), n), h(x1 & 255, shape, other),
            h(form, shape1), h(f(x1), form)], 0, 0, 0), 0
        need(s <= most, "a value has too many bytes")
        for j in range(s):
            last, low = x >> 8 * j - 8 if j else 0, f(x + (1 << 8 * j))
            x |= my.symbol(2 * k + 1, 8, [
                h(low, s, n), h(low, form, other), h(low, x1 & U16), h(low, f(x1), form), h(j, s),
                h(j, last, form), h(j, s, form), h(low, form, x1 & U16), h(x & 255, j),
                h(j, x1 >> 8 * j & 255, x2 >> 8 * j & 255),
                h(j, x >> 8 * j - 16 if j > 1 else last), h(low, shape, shape1)],
                j, n - j if 1 <= n - j <= 15 else 0, j) << 8 * j
        return x

    def regs(my, i, k):                 # regs of "Values of ops"
        x1, x2, other, shape, shape1, n = my.about(i, k)
        form, x, last = h(shape, n, other), 0, 0
        m = my.symbol(2 * k, 8, [
            h(form, x1 & 255, x2 & 255), h(form, parts(x1), parts(x2)), h(form, f(x1), f(x2)),
            h(f(x1), form), h(form, x1 & U16, parts(x1)), h(f(x1), f(x2)), form,
            h(form, shape1, x1 & 255)], 0, 0, 0)
        for j in (j for j in range(8) if m >> j & 1):
            low = h(f(x), m, j)
            last = my.symbol(2 * k + 1, 8, [
                h(j, last), h(j, x1 & 255, m), h(j, m, form), h(low, form), h(low, f(x1), f(x2)),
                h(j, x1 & U16, x2 & U16), h(j, x1 >> 8 * j & 255, x2 >> 8 * j & 255),
                h(low, form, f(x1)), h(j, last, m)], j, 0, j)
            x |= last << 8 * j
        return x

    def shape(my, i, plain):            # "Shapes and lengths by values"
        (v, s, l), (v1, s1, l1), (_, s2, _) = [
            my.of(i - n if i is not None else None) for n in range(3)]
        begin = 1 << 8 - my.b
        return my.symbol(8, 8, [
            h(s, plain), h(s, s1, v & U16), h(s, s1, s2), h(f(v), plain), h(v & U16, s, l),
            h(v & 255, v1 & 255, s), h(s, l, h(s1, l1)), h(h(f(v), l), l1, f(v1))],
            int(plain), min(s, 7), 0, begin)

    def length(my, i, op):              # "Shapes and lengths by values"
        v, s, (v1, _, l1), (_, _, l2) = op.values[0], op.shape, my.of(i - 1), my.of(i - 2)
        return my.symbol(9, 4, [
            h(f(v), s), h(s, parts(v), op.values[-1] & 255), h(s, l1, l2), h(s, v & U16, parts(v)),
            h(s, v >> 32, l1), h(s, v >> 32), h(f(v), f(v1), l1), h(s, v & 255, v >> 32 & 255)],
            0, min(s, 7), 0)

    def slot_by_values(my, op, q, store, name, jumped):     # "Slots by values"
        i, v, l, place = len(my.slots), op.values[0], op.length, h(op.shape, q)
        bases = [v >> 8 * k & 255 for k in range(4, 8)]
        fars = [min(i - my.had.get(r, i - 17), 17) if r else 0 for r in bases]
        w = sum(my.written.get(r, 0) << k for k, r in enumerate(bases))
        (v1, _, _, mode1, last), far = my.known[i - 1] if i else (0,) * 5, h(*fars[:3])
        symbol = my.symbol(10, 6, [
            h(place, l, fars[0]), h(bases[0], fars[0], w), h(f(v), q), h(place, mode1, jumped),
            h(far, w, store), h(far, place), h(f(v), f(v1), mode1), h(f(v), far, w),
            h(f(v), l, mode1)], store, fars[0], 0)
        mode, residual = symbol >> 1 if symbol < 60 else 0, None
        if not symbol & 1 and mode == 0:
            residual = my.read_address()
        elif not symbol & 1 and mode < 18:
            v2, s2, l2, _, _ = my.known[i - mode + 1] if 2 <= mode <= i + 1 else (0,) * 5
            match = fars.index(mode - 1) if 2 <= mode and mode - 1 in fars[:3] else 3
            base, written = (bases[match], my.written.get(bases[match], 0)) if match < 3 else (0, 2)
            c = [h(h(l, l2), match, h(place, s2, written)), h(f(v), mode), h(f(v), f(v2), match),
                 h(l, l2, match), h(name, store, min(mode, 4)), h(base, h(match, written), name),
                 h(match, place, s2), h(v >> 32, v2 >> 32, f(last))]
            m, x = min(my.symbol(11, 4, c, 0, match, 0), 8), 0
            for j in range(m - 1, -1, -1):
                x = x << 8 | my.symbol(12, 8, [h(u, j, f(x)) for u in c], j, m - 1, j)
            residual = zz(x) & U64
        my.known.append((v, op.shape, l, mode, residual if residual and mode else 0))
        for r in bases:
            my.had[r], my.written[r] = i, 0
        return mode, residual

    def edge_value(my, k, width, source, target):   # "Values of edges"
        source, target, bit = my.ops[source], my.ops[target], my.m.bit
        a = source.values[k]
        near = 1 <= target.pc - source.pc & U64 <= 16
        p = 0 if target.pc == source.end()[0] else 1 if near else 2
        if bit("same", k, p, a & 255):
            return a
        if not bit("again", k, p, a & 255):
            my.others[k, a & 255] = my.m.number("values", k)
            need(my.others[k, a & 255] >> 8 * width == 0, "a value is too large")
        return my.others.get((k, a & 255), 0)

class References:                       # the rows of an R: "References"
    def __init__(my, r, program, new_edges, new_slots):
        my.p, my.new_edges, my.new_slots, my.form = program, new_edges, new_slots, r.fixed()
        my.rows, my.part, my.first, my.ops = (r.number() for _ in range(4))
        need(my.form < 4 and my.rows <= FAR and my.ops <= my.rows, "an R has a damaged head")
        my.room = 12 * my.rows + (1 << 20)
        n, my.model, path = r.number(my.room), None, b""
        my.room -= n
        if n:
            method, data = r.fixed(), r.take(r.number())
            my.model = Path(Coder(data), n, my) if method == 32 else None
            path = b"" if my.model else unpack(n, method, data)
        my.path, my.far = Bytes(path), my.stream(r)
        my.s = {name: my.stream(r) for name in "state table form token first constant high "
                "literal exception".split()[:9 if my.form & 2 else 8]}
        r.end("the streams of references")
        my.walk()
        my.slots()
        my.addresses()
        my.by_op, my.list = {}, 0
        if my.form & 2:
            my.exceptions(my.s["exception"])

    def stream(my, r):                  # the next stream
        data = packed_stream(r, my.room)
        my.room -= len(data)
        return Bytes(data)

    def walk(my):                       # follows the path: its ops, and edges
        at, ops, my.trail, my.taken = my.first, my.p.ops, [], []
        need(at < len(ops), "the path begins at an op that is not there")
        for i in range(my.ops):
            my.trail.append(ops[at])
            if i < my.ops - 1:
                out, e = ops[at].out, 0
                if len(out) > 1:
                    e = my.model.edge(at, len(out)) if my.model else my.path.fixed()
                    e = my.far.number() if e == 255 and not my.model else e
                need(e < len(out), "the path takes an edge that is not there")
                my.taken.append(out[e])
                at = my.p.edges[out[e]][1]
        my.path.end("the path")
        my.far.end("the path")
        if my.model:
            my.model.end()

    def slots(my):                      # what each slot has, in order of slots
        count, s, my.use, entries = {}, my.s, {}, 0
        for op in my.trail:
            for k in range(op.slot, op.slot + len(my.p.shapes[op.shape]) - (op.fetch is not None)):
                count[k] = count.get(k, 0) + 1
        empty = {name for name in ("table", "form") if not s[name].data}
        for slot in sorted(count):
            mode, residual = my.p.slots[slot]
            state = s["state"].fixed() if slot < my.new_slots else None
            if state == 0:
                residual = residual or 0
            elif state is not None and state <= 18:
                mode, residual = state - 1, s["constant"].fixed(8, "big")
            elif state is not None:
                need(32 <= state <= 62, "a slot has an unknown state")
                mode, residual = mode if state == 32 else state - 33, None
            first = s["first"].fixed(8, "big") if mode == 1 else None
            table, form, tokens, literals = 0, 0, b"", []
            if residual is None:
                table, form = [0 if name in empty else s[name].fixed()
                               for name in ("table", "form")]
                need(form < 2 and table <= 13 * 17, "a slot has an unknown form or table")
                tokens = s["token"].take(count[slot] - (mode == 1))
                need(max(tokens, default=0) <= 8, "a token is unknown")
                literals = [my.literal() for _ in range(tokens.count(8))]
                entries += 1 << 4 + (table - 1) % 13 if table else 0
            my.use[slot] = [mode, residual, first, table, iter(tokens), iter(literals),
                            form != my.form & 1, [0] * 8, {}, 0]
        need(entries <= min(1 << 18, 8 * my.rows), "tables of references are too large")
        for name in ("state", "table", "form", "token", "first", "constant", "literal"):
            s[name].end("the stream " + name)

    def literal(my):                    # "Literals"
        high, literal = my.s["high"].data, my.s["literal"]
        if not high:
            return literal.fixed(8, "big")
        i = 8 * literal.fixed(2, "big")
        need(i < len(high) and len(high) % 8 == 0, "a literal has upper bits that are not there")
        return (int.from_bytes(high[i:i + 8], "big") << 16 & U64) + literal.fixed(2, "big")

    def addresses(my):                  # puts the rows
        my.columns, my.begin, past = {0: [], 1: [], 2: [], 6: []}, {}, [0] * 16
        for i, op in enumerate(my.trail):
            my.begin[len(my.columns[0])], slot = i, op.slot
            for k, (kind, n) in enumerate(my.p.shapes[op.shape]):
                addr = op.pc
                if k or op.fetch is None:
                    addr, slot = my.address(my.use[slot], past), slot + 1
                    past.append(addr)
                for c, v in ((0, kind), (1, addr), (2, n), (6, op.pc)):
                    my.columns[c].append(v)
        need(len(my.columns[0]) == my.rows, "references have other rows than they say")

    def address(my, use, past):         # "Addresses"
        mode, residual, first, table, tokens, literals, absolute, recent, entries, last = use
        if first is not None:
            use[2], use[9] = None, first
            return first
        base = 0 if mode == 0 else last if mode == 1 else past[1 - mode] if mode < 18 else \
            past[17 - mode] << 1 if mode < 22 else past[21 - mode] << 2 if mode < 24 else \
            past[23 - mode] >> 1 if mode < 28 else past[27 - mode] >> 2
        if residual is None:
            token = next(tokens)
            if table:
                back, bits = (table - 1) // 13, 4 + (table - 1) % 13
                key = past[-back] if back else last
                entry = (key * GOLD & U64) >> 64 - bits
                had, value = entries.get(entry, (0, 0))
                if had == key and token == 0:
                    residual = value
                elif had == key and token < 8:
                    token -= 1
            if residual is None:
                residual = recent.pop(token if token < 8 else 7)
                if token == 8:
                    residual = next(literals)
                    residual = residual - base & U64 if absolute else residual
                recent.insert(0, residual)
            if table:
                entries[entry] = key, residual
        use[9] = base + residual & U64
        return use[9]

    def exceptions(my, r):              # "Columns by op", "Exceptions"
        p, my.list = my.p, r.number()
        need(0 < my.list < 1 << len(p.columns), "columns by op are not in the program")
        for k, c in ((k, c) for k, c in enumerate(p.columns) if my.list >> k & 1):
            changes, n, row, said, edges = r.fixed(), r.number(my.rows), -1, {}, {}
            need(changes < 2, "exceptions are damaged")
            for _ in range(n):
                row += 1 + r.number(my.rows)
                said[row] = r.number((1 << 8 * WIDTH[c]) - 1)
            need(row < my.rows, "an exception is behind the rows")
            values = my.by_op[c] = [0] * my.rows
            for row, i in my.begin.items():
                if i == len(my.taken):
                    values[row] = my.trail[i].values[k]
                    continue
                e = my.taken[i]
                if changes and row in said:
                    edges[e] = said[row]
                values[row] = edges.get(e, p.values[e][k])
            for row, v in said.items():
                values[row] = v
        r.end("exceptions")

class Path:                             # "The path model"
    def __init__(my, coder, n, references):
        my.p, my.new, my.n, my.m = references.p, references.new_edges, n, Models(coder)
        my.x, my.h, my.q, my.len, my.free = [], [], None, 0, 1
        my.refused = my.run = my.wrong = 0
        my.ops, my.trust, my.weights, my.hash = {}, {}, {}, [0, 0]
        my.tables = [Match(my.x, size(n, 16)) for _ in range(2)]
        my.news = iter([e for e in range(my.new, len(my.p.edges))
                        if len(my.p.ops[my.p.edges[e][0]].out) > 1])
        my.candidate = next(my.news, None)

    def confidence(my):                 # of the match, and its bucket
        k, had = bucket(min(my.len, 512)), my.h[my.q]
        return counter(my.trust, (k, had), squash(expect(k, had)), 6), k

    def put(my, x, had):                # a branch is known: X(i) and H(i)
        my.x.append(x)
        my.h.append(had)
        my.hash = [(u + x) * m & U64
                   for u, m in zip(my.hash, (0xe3779b97f4a7c150, 0x79b97f4a7c150000))]

    def edge(my, number, edges):        # the edge that is taken behind an op
        op = my.ops.get(number)
        if op is None:                  # first number, known, recent, t, counters
            op = my.ops[number] = [my.free, sum(e < my.new for e in my.p.ops[number].out),
                                   [0, 1, 2], 0, {}]
            my.free += edges
        if not my.run:
            need(len(my.x) < my.n, "a path has more branches than it says")
            if not my.wrong:
                my.find_match(op[0], edges)
                my.find_run()
        if my.run:
            my.run -= 1
            e = my.x[len(my.x) - my.run - 1] - op[0]
            need(e >= 0, "the path takes an edge that is not there")
            return e
        e = my.coded(number, op)        # then 5
        x, had = op[0] + e, 1
        for table, u in zip(my.tables, my.hash):
            table.note(len(my.x), u >> 32)
        if my.q is not None:
            right = x == my.x[my.q]
            had = history(my.h[my.q], right)
            my.q, my.len = (my.q + 1, my.len + 1) if right else (None, 0)
        my.put(x, had)
        op[2] = [e] + ([r for r in op[2] if r != e] if e in op[2] else op[2][:2])
        op[3], my.wrong = op[3] << 1 & 2 | (e != 0), 0
        return e

    def find_match(my, first_number, edges):    # 1
        had = my.q is not None
        if not had or my.len in (7, 11, 15):
            places = [table.place(u >> 32) for table, u in zip(my.tables, my.hash)]
            if places[0] or not had and places[1]:
                my.q, my.len = (places[0], 16) if places[0] else (places[1], 4)
        if my.q is not None and not 0 <= my.x[my.q] - first_number < edges:
            my.q = None

    def find_run(my):                   # 2
        if my.q is None or my.len < 32 or my.h[my.q] != 255 or my.confidence()[0][0] >> 6 < 64900:
            return
        m = min(my.len, my.n - len(my.x))
        m = next((j for j, had in enumerate(my.h[my.q:my.q + m]) if had != 255), m)
        my.wrong = my.m.bit("fails", m.bit_length() - 1)
        my.run = min(my.m.number("right"), m - 1) if my.wrong else m
        for _ in range(my.run):
            my.put(my.x[my.q], 255)
            my.q, my.len = my.q + 1, my.len + 1
        learn(my.confidence()[0], not my.wrong, 120)

    def coded(my, number, op):          # 3, 4
        first_number, known, recent, _, _ = op
        if my.candidate is not None and my.p.edges[my.candidate][0] == number:
            c = my.refused
            k = c if c < 4 else 4 if c < 16 else 5 if c < 64 else 6 if c < 256 else 7
            if known == 0 or my.m.bit("new", k):
                my.candidate, my.refused, op[1] = next(my.news, None), 0, known + 1
                return known
            my.refused += 1
        need(known > (1 if my.wrong else 0), "the path takes an edge that is not known")
        if known == 1:
            return 0
        done = []
        if my.q is not None:
            done = [my.x[my.q] - first_number]
            if not my.wrong and my.offer(op, done[0], 0, True):
                return done[0]
        for r in recent:
            if len(done) + 1 < known and r < known and r not in done:
                if my.offer(op, r, len(done), False):
                    return r
                done.append(r)
        if len(done) + 1 == known:
            return next(r for r in range(known) if r not in done)
        rest = my.m.number("rest")
        need(rest < known, "the path takes an edge that is not known")
        return known - 1 - rest

    def offer(my, op, edge, offered, matched):  # offer(edge)
        c, (trust, k) = counter(op[4], 2 * op[3] + edge & 7, 32768, 0), \
            my.confidence() if my.q is not None else (None, 0)
        name = min(offered, 2), 0 if trust is None else 1 + k if matched else 33
        bit = mixed_flag(my.m.coder, [my.weights.setdefault(name, [4096] * 3)], [
            stretch(c[0] >> 6), stretch(trust[0] >> 6) if matched else 0, 256], 6)
        learn(c, bit, 120)
        if matched:
            learn(trust, bit, 120)
        return bit

    def end(my):                        # all branches were taken, and all bytes read
        need(len(my.x) == my.n and not my.run, "a path has fewer branches than it says")
        my.m.coder.end()


# Part 4: columns

# of columns: names, bytes, which are printed as hexadecimal; and of types: "Columns" of Part 1
NAMES = "type addr size time asid task pc itime rtime vpn cpn insn branch regs event".split()
WIDTH, HEX = (1, 8, 4, 8, 4, 4, 8, 8, 8, 8, 8, 8, 1, 8, 0), (1, 6, 9, 10, 11, 13)
TYPES = "read write fetch modify misc copy-back invalidate prefetch event".split()

def W(v, u):                            # "Part 4"
    return H(v >> 32 & U32, H(v & U32, u))

def F(c):                               # "Part 4"
    y = c * 0x85ebca6b & U32
    return (y ^ y >> 14) * 0x9e3779b1 & U32

def ones(contexts):                     # h : 1 of each context h: "Part 4"
    return [16 * c + 1 for c in contexts]

class Followed(dict):                   # what followed a context: check, then what its user keeps
    def __init__(my, n, empty):
        my.bits, my.empty = size(n, 17), empty
    def entry(my, c):                   # the entry of a context
        x = F(c)
        e, check = my.get(x >> 32 - my.bits), x & U16 | 1
        if e is None or e[0] != check:
            e = my[x >> 32 - my.bits] = [check] + my.empty
        return e

def packed_column(r, n):                # n values: "Packed columns"
    form, out = r.fixed(), []
    change, shape = form >> 4, form & 15
    need(change < 2 and shape <= 6, "a column has an unknown form")
    if change:
        out, n = [r.number()], n - 1
    w = 1 << shape - 1 if 0 < shape < 5 else shape - 4
    if n == 0:
        return out
    if shape == 0:
        values = [r.number()] * n
    else:
        table = fields(packed_stream(r, 8 << 8 * w), 8) if shape > 4 else []
        values = fields(packed_stream(r, n * w), w)
        need(shape < 5 or max(values, default=0) < len(table), "an index is behind its table")
        values = [table[i] for i in values] if shape > 4 else values
    need(len(values) == n, "a column has other values than rows")
    for v in values:
        out.append(out[-1] + zz(v) & U64 if change else v)
    return out

def events(r, n):                       # section 3 of "B: a block"
    s, out, at = Bytes(packed_stream(r, (1 << 24) + 10 * n)), [None] * n, 0
    while s.more():
        at += s.number()
        need(at < n and out[at] is None, "an event is of no row")
        text = s.data[s.at:s.at + 8192].split(b"\0")
        need(len(text) > 1, "the text of an event is damaged")
        out[at] = s.take(len(text[0]) + 1)[:-1]
    need(sum(len(text) + 1 for text in out if text is not None) <= 1 << 24, "events are too long")
    return out

def joint_columns(r, n):                # section 2 of "B: a block", "Joint columns"
    clocks, names, same = list(r.take(r.fixed())), list(r.take(r.fixed())), r.fixed()
    form, kinds, rows = r.fixed(), [0], []
    need(1 <= len(clocks) <= 2 and 1 <= len(names) <= 8, "joint columns are too many, or few")
    need(form < 3 and (form != 1 or len(names) > 1), "joint columns have an unknown form")
    if form == 1:
        k = r.number(16)
        need(k, "there are no kinds")
        kinds = packed_column(r, k)
    count = r.number(min(n, 65536))
    need(count, "there are no names")
    values = [packed_column(r, count) for _ in names[form == 1:]]
    others = fields(packed_stream(r, 16 * n), 8)[::-1]
    if form == 0:
        for v in fields(packed_stream(r, 8 * n), 8):
            rows.append((v >> 40, v & U16, 0, v >> 16 & FAR))
            need(len(clocks) == 2 or rows[-1][3] == 0, "a lag has no clock")
    else:
        rows = Visits(Bytes(r.take(r.number())), n, count, len(kinds), len(clocks) == 2).rows
    times, time, second = ([], []), 0, 0
    for gap, name, _, lag in rows:
        need((gap == FAR) + (lag == FAR) <= len(others), "a far value is missing")
        need(name < count, "a name has no number")
        gap = others.pop() if gap == FAR else gap
        lag = others.pop() if lag == FAR else lag
        time, second = time + gap & U64, second + gap - lag & U64
        times[0].append(time)
        times[1].append(second)
    need(not others, "there are more far values than rows have")
    out = [[kinds[row[2]] for row in rows]] if form == 1 else []
    out += [[v[row[1]] for row in rows] for v in values]
    return list(zip(clocks, times)) + list(zip(names, out)) + [(same, times[0])] * (same != 255)

def rough(v, m):                        # "Visits"
    b = v.bit_length()
    return v if b <= m + 1 else 256 * b + (v >> b - 1 - m)

def at(o, u):                           # "Visits"
    return 16 * H(o // 15, u) + 1 + o % 15

class Visits:                           # "Visits"; times of row i are at place i + 1
    def __init__(my, r, n, pages, kinds, lags):
        need(r.number() == n, "visits are not those of the block")
        my.r, my.pages, my.kinds = r.number(pages), pages, kinds
        t = Table(size(24 * n, 20), Coder(r.take(r.more())))
        my.GAP, my.STEP, my.LAG, my.FAR, my.KIND = [
            NumberModel(t, i, *sizes) for i, sizes in enumerate((
                (12, 10), (2, 2), (10, 10), (5,), (9,)))]
        my.NEW, my.CANDIDATE, my.NEAR, my.WALK = [
            Predictor(t, i + 5, *sizes) for i, sizes in enumerate(((4,), (7, 8), (3,), (6,)))]
        my.tables, my.trust = [Followed(n, [0, 0, 0, 1]) for _ in range(8)], {}
        my.window, my.step = 64 if my.r < 16 else min(my.r, 256), 0
        my.near = my.hits = my.fresh = 0
        my.fault, my.last_kind, my.stays, my.news, my.sums = [0, 0], {}, {}, [0, 0], [16, 8]
        my.time, my.lag, my.rows, my.earlier, my.unvisited = [0], [0], [], [], list(range(pages))
        my.lasts, my.last, my.before, my.alignments = [], {}, {}, [[None] * 16, [None] * 16]
        for _ in range(n):
            x = my.predict()
            gap, h8 = my.read_gap(x)
            x = [v if v[0] == gap else None for v in x]
            page = my.read_page(x, gap, h8)
            kind = my.read_kind(page) if kinds > 1 else 0
            my.finish(page, gap, kind, my.read_lag(page, gap, x) if lags else 0)
        t.coder.end()

    def past(my, j, field):             # gap, page or kind of row i - j
        return my.rows[-j][field] if j <= len(my.rows) else (0, 65535, 0)[field]

    def d1(my, p):                      # how many pages were visited behind p: "Visit history"
        return len(my.lasts) - bisect_right(my.lasts, my.last[p])

    def d2(my, p):                      # likewise, behind the visit before the last; or None
        return len(my.lasts) - bisect_right(my.lasts, my.before[p]) - 1 if p in my.before else None

    def place(my, d):                   # place(d)
        return 15 if d is None else min(d * 8 // my.window, 15)

    def excluded(my, o):                # what a reduced trace has no visits to
        return o in my.before and my.d2(o) < my.r

    def read_gap(my, x):                # "Gap", and the contexts of "Page"
        one, two, three, four = [my.past(j, 1) for j in (1, 2, 3, 4)]
        g1, g2, gaps, my.by1 = my.past(1, 0), my.past(2, 0), [v[0] for v in x], H(one, 1)
        by1, by2 = my.by1, H(two, my.by1)
        by3 = H(three, by2)
        gap = my.GAP.read([
            0, by1, by2, H(four, by3), H(g1, by1) + 1, H(g1, H(g2, by2)) + 2,
            H(my.past(1, 2), H(my.near & 3, by1)), H(gaps[3], 3), H(gaps[0], by1) + 3,
            H(gaps[1], H(gaps[2], 4)), H(my.fault[0], by1) + 4, H(one - two, H(two - three, 5))],
            min(3, gaps[1:].count(gaps[0])) + 4 * (my.hits & 7),
            [None if v == FAR else v for v in gaps])
        return gap, [H(gap, by2) + 1, H(gap, by1) + 2, H(gap + g1, H(two, 3)),
                     H(gap + g1 + g2, H(three, 4)), by3, by2, by1, H(two, 5)]

    def read_page(my, x, gap, h8):      # "Page": 1, 3
        one, fresh, new = my.past(1, 1), my.fresh, 0
        my.swept = next((v[1] for v in x[5:] if v), None)
        my.entries = [table.entry(c) for table, c in zip(my.tables, h8)]
        if my.unvisited:
            s = 0 if my.swept is None else 1 if my.swept in my.last else 2
            my.NEW.find(ones([H(one, 2), H(one, H(my.past(2, 1), 3)), H(fresh & 255, 4),
                              H(fresh & 3, H(s, 5))]))
            new = my.NEW.bit(0, (0, 0, fresh & 15), (fresh & 15, 0))
        my.fresh = (2 * fresh + new) & U32
        if new:
            return my.new_page()
        done, pages = [], [(v[1], 8, 1) for v in x if v]
        pages += [(e[1], k, 1) for k, e in enumerate(my.entries) if e[3]]
        pages += [(e[2], k, 2) for k, e in enumerate(my.entries) if e[3] > 1]
        for o, T, s in pages:
            if o in my.last and o not in done and len(done) < 8 and not my.excluded(o):
                right = my.candidate(o, T, s, len(done), x, h8)
                my.hits = my.hits if done else (2 * my.hits + right) & U32
                if right:
                    return my.mark(my.d1(o) < my.window, o)
                done.append(o)
        return my.near_or_far(done, gap)

    def new_page(my):                   # "Page": 2
        q, q1 = my.news
        base = bisect_left(my.unvisited, q)
        def number(p):                  # the number STEP of a page, if it is one that is new
            d = bisect_left(my.unvisited, p) - base if p is not None else 0
            ok = p is not None and 0 <= p < my.pages and p not in my.last
            return None if not ok else 2 * d if d >= 0 else -2 * d - 1
        my.step = my.STEP.read([0, H(rough(my.step, 0), 1)], 0,
                               [number(my.swept), number(2 * q - q1)])
        i = base + zz(my.step)
        need(0 <= i < len(my.unvisited), "a new page does not exist")
        my.news = [my.unvisited[i], q]
        return my.mark(0, my.unvisited[i])

    def mark(my, near, page):           # was a page near? and what goes by that
        my.near = (2 * my.near + near) & U32
        my.stays[page] = my.stays.get(page, 0) + 1 if near else 0
        my.fault = my.fault if near else [page, my.fault[0]]
        return page

    def candidate(my, o, T, s, t, x, h8):   # "Page": 3
        p1, p2, z = my.place(my.d1(o)), my.place(my.d2(o)), min(t, 3)
        m = sum(e[3] > 0 and e[1] == o for e in my.entries)
        P = sum(1 << k for k, v in enumerate(x) if v and v[1] == o)
        my.CANDIDATE.find([at(o, H(p1, H(p2, 2))), *ones([H(p1, H(p2, H(2 * T + s, H(t, 3)))),
                           H(P, H(t, 4))]), *[at(o, h8[k]) for k in (3, 2, 1, 0)]])
        trust = [counter(my.trust, (k, t, e[3] and 1 + 3 * e[4] + (
            0 if e[1] == o else 1 if e[3] > 1 and e[2] == o else 2)), 32768, 0)
            for k, e in enumerate(my.entries)]
        bit = my.CANDIDATE.bit(
            0, (16 * t + m + 128 * (my.hits & 3), 2 * (9 * z + T) + s - 1, t),
            (256 * t + 16 * p2 + m, 8 * (16 * p1 + p2) + t), [stretch(c[0] >> 6) for c in trust], z)
        for c in trust:
            learn(c, bit, 127)
        return bit

    def near_or_far(my, done, gap):     # "Page": 4, 6
        g, by1, fault = gap.bit_length(), my.by1, H(my.fault[0], 2)
        my.NEAR.find(ones([H(g, H(my.near & 7, 1)), by1, H(g, by1) + 4]))
        if my.NEAR.bit(0, (my.hits & 15, my.near & 63, 0), (my.near & 255, my.hits & 15)):
            return my.walk(done, gap)
        page = my.FAR.of_bits((my.pages - 1).bit_length(), [
            0, by1, fault, H(g, by1) + 5, H(my.fault[1], fault) + 9])
        need(page in my.last, "a far page was not visited")
        return my.mark(0, page)

    def walk(my, done, gap):            # "Page": 5
        k, i = 0, len(my.rows)
        for before, row in enumerate(my.lasts[:-my.window - 1:-1]):
            o = my.rows[row][1]
            if o not in done and not my.excluded(o):
                e, p2 = 64 * before // my.window, my.place(my.d2(o))
                v, a = min(my.stays[o], 3), max(my.time[i] - my.time[row + 1] & U64, 1).bit_length()
                u = H((i - row).bit_length(), H(a, H(v, 3)))
                my.WALK.find([*ones([H(p2, H(v, H(e // 4, 1))), H(e, H(p2, 2)), u]),
                              at(o, H((i - row).bit_length(), 5)), at(o, my.by1), at(o, H(gap, 8))])
                if my.WALK.bit(0, (4 * min(k, 31) + v, 16 * p2 + e // 4, min(k, 15)),
                               (16 * e + p2, 4 * min(k, 255) + v)):
                    return my.mark(1, o)
                k += 1
        raise Damaged("none of the pages that are near is the one")

    def read_kind(my, o):               # "Kind"
        L, B = my.last_kind.get(o, 0), my.last_kind.get(o - 1, 0)
        N, q, k1, one = my.near & 1, H(o, 1), my.past(1, 2), my.past(1, 1)
        pair = H(one, q)
        kind = my.KIND.of_bits((my.kinds - 1).bit_length(), [
            H(L, H(N, H(k1, 0))), q, H(L, H(N, q)) + 1, H(k1, H(my.past(2, 2), q)) + 2, pair,
            H(k1, pair) + 3, H(my.past(2, 1), pair) + 4, H(B, H(L, 5)), H(B, H(L, H(o - one, 6)))],
            2 * L + N)
        need(kind < my.kinds, "a kind is unknown")
        return kind

    def read_lag(my, o, a, x):          # "Lag"
        one, g, (G, S) = my.past(1, 1), a.bit_length(), my.sums
        pair, (gap, _, _, lag) = H(one, H(o, 1)), my.rows[my.last[o]] if o in my.last else (0,) * 4
        lately, here = min(a * S // G, FAR), min(a * lag // gap, FAR) if gap else 0
        return my.LAG.read([
            H(g, 0), H(rough(lately, 3), H(rough(a, 1), 1)), H(rough(here, 3), H(rough(a, 1), 2)),
            H(a // 8, 3), H(a, 4), H(g, pair) + 5, H(a // 4, H(one, 6)), H(a, H(one, 7)),
            H(a, H(o, 1)) + 8, H(a, pair) + 9], g,
            [v if v < FAR else None for v in (lately, here, *(v[2] if v else FAR for v in x[:8]))])

    def finish(my, page, gap, kind, lag):   # "Then"
        for e in my.entries:
            if e[3]:
                e[4] = history(e[4], e[1] == page)
                e[1:4] = e[1:4] if e[1] == page else [page, e[1], 2]
            else:
                e[1:] = [page, 0, 1, 1]
        i, q = len(my.rows), my.last.get(page)
        my.rows.append((gap, page, kind, lag))
        my.time.append(my.time[-1] + gap & U64)
        my.lag.append(my.lag[-1] + lag & U64)
        my.sums, my.last_kind[page] = [my.sums[0] + gap, my.sums[1] + lag], kind
        my.sums = [v // 2 for v in my.sums] if my.sums[0] > 16384 else my.sums
        my.align(i, page)
        if q is None:
            del my.unvisited[bisect_left(my.unvisited, page)]
        else:
            my.before[page] = q
            del my.lasts[bisect_left(my.lasts, q)]
        my.last[page] = i
        my.lasts.append(i)

    def after(my, j, offset):           # the first row whose time - offset is after the last one
        return next((k for k in range(j, min(j + 64, len(my.rows)))
                     if 1 <= my.time[k + 1] - offset - my.time[-1] & U64 <= U64 >> 1), None)

    def predict(my):                    # x0 to x9: "Visit history"
        out, i = [], len(my.rows)
        for shift in (0, 1):
            places = my.alignments[shift]
            for n, a in enumerate(places):
                if a:
                    a[0] = my.after(a[0], a[1])
                    places[n] = None if a[0] is None else a
            best = max([a for a in places if a], key=lambda a: a[3], default=None)
            out.append(my.prediction(best, shift, FAR - 1))
            for k in range(1, 5):
                found, q = None, my.earlier[i - k][shift] if k <= i else None
                if q is not None:
                    found = [0] + [v[q + 1] - v[i - k + 1] & U64 for v in (my.time, my.lag)]
                    found[0] = my.after(q + 1, found[1])
                out.append(my.prediction(found, shift, FAR))
        return out

    def prediction(my, found, shift, far):  # gap, page and lag of a row and offsets
        if found is None or found[0] is None:
            return FAR, None, FAR
        j, time, lag = found[:3]
        gap = my.time[j + 1] - time - my.time[-1] & U64
        if gap >= FAR:
            gap = far
            if far == FAR:
                return FAR, None, FAR
        page = my.rows[j][1] + shift
        return gap, page if page < my.pages else None, my.lag[j + 1] - lag - my.lag[-1] & U64

    def align(my, i, page):             # "Alignments"
        my.earlier.append([my.last.get(page), my.last.get(page - 1)])
        time, lag = my.time, my.lag
        for shift, places in enumerate(my.alignments):
            for n, a in enumerate(places):
                if a:
                    right = time[a[0] + 1] - a[1] & U64 == time[i + 1] and \
                        my.rows[a[0]][1] + shift == page
                    places[n] = None if not right and a[3] == 0 else a
                    a[3] = min(a[3] + 2, 30) if right else a[3] - 1
            q = my.earlier[i][shift]
            if q is not None:
                offset = time[q + 1] - time[i + 1] & U64
                if not any(a and a[1] == offset for a in places):
                    empty = [n for n, a in enumerate(places) if not a]
                    n = empty[-1] if empty else min(range(16), key=lambda n: places[n][3])
                    places[n] = [q + 1, offset, lag[q + 1] - lag[i + 1] & U64, 1]

def requests(r, n):                     # addresses and sizes: "Requests"
    addr, sizes = [], []
    while len(addr) < n:
        part = Requests(r, min(n - len(addr), 1 << 21))
        addr, sizes = addr + part.addr, sizes + part.size
    return [(1, addr), (2, sizes)]

class Requests:                         # a part of requests: "Requests"
    def __init__(my, r, n):
        my.bits, my.unit = r.fixed(), r.fixed()
        need(1 <= my.bits <= 64 and my.unit <= 16, "requests are damaged")
        t = Table(size(24 * n, 14), Coder(r.take(r.number())))
        my.CANDIDATE, my.BIT, my.KIND, my.NAME, my.GUESS = [
            Predictor(t, i, *sizes) for i, sizes in enumerate(((5, 8), (4,), (5,), (3, 1), (7,)))]
        my.m, my.right = Models(t.coder), [0] * 8
        my.tables = [Followed(n, [None]) for _ in range(4)]
        my.addr, my.size, my.ends, my.hits, my.w, my.kinds = [], [], [], 1, 0, 0
        my.far, my.numbers, my.trust, my.guesses = [0, 0], [0, 0, 0], {}, [{} for _ in range(5)]
        my.names, my.list, my.last, my.stayed, my.b, my.count = {}, [], [], [], size(n, 21), {}
        for i in range(n):
            my.row(i)
        t.coder.end()

    def past(my, j):                    # address and size of row i - j
        return (my.addr[-j], my.size[-j]) if j <= len(my.addr) else (0, 0)

    def B(my, v):                       # B(v)
        return v if my.unit > 9 else v >> 9 - my.unit

    def row(my, i):                     # a row, and what is remembered of it
        a1, s1 = my.past(1)
        a, right = my.candidates(i, a1, s1)
        my.hits = (2 * my.hits + right) & U32
        a = a if right else my.far_address(a1, s1)
        new = a not in my.names
        v = my.read_size(a, new, a1, s1)
        for k, e in enumerate(my.entries):
            e[1] = a if k < 2 else a - a1 & U64
        my.right = [w if c is None else 2 * w + (c == a) & 255 for w, c in zip(my.right, my.p)]
        if a in my.ends:
            my.ends.remove(a)
        my.ends = [a + (v >> my.unit) & U64] + my.ends[:63]
        my.addr.append(a)
        my.size.append(v)
        if new:
            my.names[a] = len(my.list)
            my.list.append(a)
            my.last.append(v)
            my.stayed.append(7)
        name = my.numbers[0] = my.names[a]
        my.last[name] = v
        for d in range(my.b + 1 if new or not right else 0):
            p = (name | 1 << my.b) >> d
            my.count[p] = my.count.get(p, 0) + 1
        if not right:
            my.far, my.numbers[1:] = [a, my.far[0]], [name, my.numbers[1]]

    def candidates(my, i, a1, s1):      # "Predictions", "Candidates": address, and if it is one
        (a2, _), (a3, _) = my.past(2), my.past(3)
        d1, d2, done = a1 - a2 & U64, a2 - a3 & U64, []
        my.entries = [t.entry(c) for t, c in zip(my.tables, (
            W(a1, 1), W(a2, W(a1, 2)), H(s1, W(d1, 3)), W(d2, W(d1, 4))))]
        p = (my.ends + [None] * 4)[:4] + [
            e[1] if e[1] is None or k < 2 else e[1] + a1 & U64 for k, e in enumerate(my.entries)]
        my.p = [None if v is None or v >> my.bits else v for v in p]
        for k in (4, 5, 0, 1, 6, 7, 2, 3) if my.hits or i % 8 == 0 else ():
            c = my.p[k]
            if c is not None and c not in done and len(done) < 6:
                if my.candidate(c, k, len(done), a1, s1):
                    return c, 1
                done.append(c)
        return None, 0

    def candidate(my, c, k, t, a1, s1): # bit CANDIDATE
        A = sum(1 << j for j, v in enumerate(my.p) if v == c)
        name, hits = my.names.get(c), my.hits & 15
        last = 0 if name is None else my.last[name]
        my.CANDIDATE.find(ones([H(A, H(t, 0)), H(hits, H(A, 1)), W(c, 2), H(last, H(s1, H(k, 3))),
                                W(c - a1 & U64, H(s1, 4))]))
        trust = [counter(my.trust, (
            j, t, 0 if v is None else 1 + 2 * (my.right[j] & 7) + (v != c)), 32768, 0)
            for j, v in enumerate(my.p)]
        bit = my.CANDIDATE.bit(
            0, (8 * t + k, 16 * hits + 2 * t + (name is not None), my.p.count(c) - 1),
            (A, 64 * t + (my.right[k] & 63)), [stretch(x[0] >> 6) for x in trust], t)
        for x in trust:
            learn(x, bit, 127)
        return bit

    def far_address(my, a1, s1):        # "Kind", "An end"
        s, hits = my.kinds & 255, my.hits & 15
        my.KIND.find([c << 4 for c in (
            H(s, 0), H(s1, H(s & 15, 1)), W(my.B(a1) // 1024, 2), W(my.B(my.far[0]) // 64, 3),
            H(my.hits & 255, H(s & 15, 4)))])
        kind = my.KIND.bit(1, (s, hits, 0), (s, hits))
        if kind:
            kind += my.KIND.bit(3, (s + 256, hits + 16, 0), (s + 256, hits + 16))
        my.kinds = s << 2 | kind
        if kind:
            return my.read_name() if kind == 1 else my.new_address(a1, s1)
        i = my.m.tree(6, "end")
        need(i < len(my.ends), "an end is not there")
        return my.ends[i]

    def like(my, values, bits, d, p):   # 8 * d + s, t, and the map set, of p and what it would be
        q = [(v & (1 << bits) - 1 | 1 << bits) >> bits - d for v in values]
        s, t = 4 * (p == q[0]) + 2 * (p == q[1]) + (p == q[2]), p - q[1] + 8
        map_set = 0 if 3 * d < bits else 1 if 3 * d < 2 * bits else 2
        return 8 * d + s, t if 0 <= t <= 16 else 99, map_set

    def read_name(my):                  # "A name"
        b, p, coded, count = my.b, 1, 0, my.count
        need(my.list, "there are no names")
        for d in range(b):
            if (2 * p + 1 << b - d - 1) - (1 << b) >= len(my.list):
                p *= 2
                continue
            s, t, map_set = my.like(my.numbers, b, d, p)
            if coded % 4 == 0:
                my.NAME.find([H(p, 0) << 4, H(p, H(my.numbers[0], 1)) << 4,
                              H(t, H(d, H(p & 15, 2))) << 4])
                node = 1
            c0, c1 = count.get(2 * p, 0), count.get(2 * p + 1, 0)
            bit = my.NAME.bit(node, (s, 16 * d + node, 0), (s, 16 * d + node),
                              [stretch((2 * c1 + 1) * 65536 // (2 * (c0 + c1) + 2))], map_set)
            p, node, coded = 2 * p + bit, 2 * node + bit, coded + 1
        return my.list[p - (1 << b)]

    def new_address(my, a1, s1):        # "A new address"
        bits, p, rest = my.bits, 1, False
        for d in range(bits):
            s, t, map_set = my.like([a1] + my.far, bits, d, p)
            if d % 4 == 0 and not rest:
                my.BIT.find([c << 4 for c in (W(p, 0), W(p, H(s1, 1)), W(p, W(my.B(a1) // 64, 2)),
                                              H(t, H(d, H(p & 15, 3))))])
                node, (line, slot, _) = 1, my.BIT.places[0]
                rest = bits - d > 32 and t == 99 and line[slot][1] == 1
            bit = my.m.bit("rest", bits - 1 - d, p & 3) if rest else \
                my.BIT.bit(node, (s, 16 * d + node, 0), (s, 16 * d + node), (), map_set)
            p, node = 2 * p + bit, 2 * node + bit
        return p - (1 << bits)

    def read_size(my, a, new, a1, s1):  # "Size"
        if not new:
            name = my.names[a]
            stayed = my.stayed[name]
            same = my.m.bit("stays", stayed & 7, my.w & 7)
            my.w, my.stayed[name] = (2 * my.w + same) & 7, (2 * stayed + same) & 7
            if same:
                return my.last[name]
        s2, e = my.past(2)[1], int(a == a1 + (s1 >> my.unit) & U64)
        step, near = a - a1 & U64, my.B(a) // 1024
        kind, done, v = 2 * (not new) + e, [], None
        entries = [t.setdefault(F(c) >> 18, [0, 0]) for t, c in zip(my.guesses, (
            H(s1, H(s2, e)), W(step, H(s1, 2)), W(near, H(s1, 3)), W(my.B(a) // 8, 4), e))]
        for k, (g, right) in enumerate(entries):
            if g and g not in done and v is None:
                A, t = sum(1 << j for j, other in enumerate(entries) if other[0] == g), len(done)
                my.GUESS.find(ones([
                    H(A, H(kind, H(k, 0))), H(g, H(s1, H(kind, 1))), H(right, H(k, H(kind, 2))),
                    H(a & 7, H(g, 3)), W(near, H(g, 4)), W(step, H(g, 5)), H(g, H(s1, H(s2, 6)))]))
                v = g if my.GUESS.bit(0, (4 * k + kind, A, t), (A, 4 * k + kind)) else None
                done.append(g)
        v = my.m.number("size", kind) if v is None else v
        need(v <= U32, "a size is too large")
        for entry in entries:
            entry[:] = v, (2 * entry[1] + (entry[0] == v)) & 255
        return v


# Part 1: the container

class Frame:                            # at a place of a file; its sums hold: "Frames"
    def __init__(my, data, at):
        r = Bytes(data[at:at + 40])
        need(r.take(2) == b"\xf5\x74", "there is no frame")
        my.kind, n, my.number, my.at = chr(r.fixed()), r.number(U32), r.number(), at
        seed = xxh3(r.data[:r.at])
        need(r.fixed(2) == seed & U16, "the header of the frame is damaged")
        total, begin = r.fixed(8), at + r.at
        my.payload, my.end = data[begin:begin + n], begin + n
        need(my.end <= len(data), "the frame ends too early")
        need(xxh3(my.payload, seed) == total, "the payload of the frame is damaged")

def read_facts(r):                      # up to the end: "T: the trace"
    facts = {}
    while r.more():
        number = r.number()
        facts[number] = r.number()
    for number in facts:
        if not 1 <= number <= 8:
            pass_over("fact", number, facts)
    need(1 not in facts or facts.get(2) in (3, 7, 8), "a fact names a clock that is none")
    return facts

def pass_over(what, number, facts):     # unless it has to be known: "What may be added"
    version = "%d.%d" % (facts[8] >> 16, facts[8] & U16) if 8 in facts else "a later one"
    need(number & 32, "%s %d is unknown; the version of trc that can go on: %s"
         % (what, number, version))

class Container:                        # at a place of a file: "Part 1"
    def __init__(my, data, start, before, out, check):
        my.data, my.start, my.check, my.before, my.out = data, start, check, before, out
        my.at, my.rows, my.blocks, my.pending, my.grown, my.first = start, 0, [], [], None, None
        my.program, my.part, my.group, my.parity, my.whole = None, 0, start, [], 0

    def read(my):                       # all frames, in their order: "Frames"
        f = my.next("T")
        my.header(f)
        while f.kind != "I":
            f = my.next()
            if f.kind in "PRB" and my.first is None:
                my.first, my.whole = f.at, f.kind == "B" or f.kind == "P" and f.payload[0] & 1
            if f.kind == "P":
                need(my.grown is None, "two growths of the program are for one frame")
                my.grow(f)
            elif f.kind == "R":
                my.references(f)
            elif f.kind == "B":
                need(my.grown is None, "a growth of the program is for no references")
                my.block(f)
                my.first, my.pending = None, []
            else:
                need(my.first is None, "a frame stands within a block")
                if f.kind != "I":
                    my.between(f)
                    need(my.blocks, "a frame stands before the first block")
            if my.blocks and f.kind not in "PRI":
                my.blocks[-1][1] = f.end - my.blocks[-1][3]
        my.index(f)
        index = f.at
        while f.kind != "E":
            f = my.next()
            if f.kind != "E":
                my.between(f)
        r = Bytes(f.payload)            # "E: end"
        need(f.at - r.number() == index, "the end leads to no index")
        need(f.at - r.number() == my.start, "the end leads to no start")
        need(r.fixed(8) == f.number == my.rows, "the end has other rows")
        r.end("the end")
        return my

    def next(my, kind=None):            # the next frame
        f = Frame(my.data, my.at)
        my.now, my.at = my.at, f.end
        need(kind in (None, f.kind), "no container begins here")
        return f

    def between(my, f):                 # parity, and frames that may be passed over
        need(f.kind not in "TPRBIE", "a frame is out of order")
        if f.kind == "c":
            my.check_parity(f)
        else:
            pass_over("kind of frame", ord(f.kind), my.facts)

    def header(my, f):                  # "T: the trace"
        need(f.number == 1, "version %d is unknown; the version of trc that can go on: %d.0"
             % (f.number, f.number))
        r = Bytes(f.payload)
        my.columns, my.block_rows, my.page_bits, my.r = (r.number() for _ in range(4))
        need(1 <= my.block_rows <= FAR and my.page_bits <= 63, "the header is damaged")
        r.take(r.number(15))
        my.facts, my.known = read_facts(r), [c for c in range(15) if my.columns >> c & 1]
        for c in range(15, 64):
            if my.columns >> c & 1:
                pass_over("column", c, my.facts)
        need(my.known, "there are no columns")
        if my.before:
            need(my.columns == my.before.columns, "a container has other columns than the first")
        else:
            my.out(",".join(NAMES[c] for c in my.known) + "\n")

    def grow(my, f):                    # "P: growth of the program"
        r = Bytes(f.payload)
        flags = r.fixed()
        need(flags < 8 and r.number() == my.columns, "a growth has other flags, or columns")
        by_op = r.number() if flags & 2 else 0
        need(by_op & ~(my.columns & 0x3800) == 0 and flags >> 1 & 1 == (by_op > 0),
             "a growth has other columns by op")
        if flags & 1:
            my.program = Program(flags, by_op)
        p = my.program
        need(p and (flags & 1 or f.number == my.part + 1), "a growth of the program is missing")
        need(flags & 6 == p.flags & 6 and by_op == p.by_op, "a growth is of another program")
        my.part, my.grown = f.number, (len(p.edges), len(p.slots))
        if r.more():
            p.grow(r)

    def references(my, f):              # "R: references"
        p = my.program
        need(f.number >> 24 == my.rows and p, "references are out of place")
        need(len(my.pending) < 64, "a block has too many references")
        refs = References(Bytes(f.payload), p, *my.grown or (len(p.edges), len(p.slots)))
        need(refs.part == my.part, "references are of another growth of the program")
        my.pending.append((f.number, refs))
        my.grown = None

    def block(my, f):                   # "B: a block"
        my.n, r, my.cols, passed, by_op, order = f.number & FAR, Bytes(f.payload), {}, 0, 0, None
        need(f.number >> 24 == my.rows and 1 <= my.n <= my.block_rows, "a block has other rows")
        need(all(number == f.number for number, _ in my.pending), "references are of another block")
        need(r.number() == my.columns, "a block has other columns than the trace")
        fingerprint = r.fixed(8)
        while r.more():
            kind, s = r.fixed(), Bytes(r.take(r.number()))
            if kind in (0, 5):
                need(order is None, "references are twice in a block")
                order = kind, s
                continue
            if kind == 1:
                c = s.fixed()
                if c > 14:
                    need(my.columns >> c & ~passed >> c & 1, "a column is not of the trace")
                    passed |= 1 << c
                    continue
                need(c != 14, "events are packed as a column")
                my.put([(c, packed_column(s, my.n))])
            elif kind == 2:
                my.put(joint_columns(s, my.n))
            elif kind == 3:
                my.put([(14, events(s, my.n))])
            elif kind == 6:
                by_op = s.number()
            elif kind == 7:
                my.put(requests(s, my.n))
            else:
                pass_over("section", kind, my.facts)
                continue
            s.end("a section")
        need(passed == my.columns >> 15 << 15, "a block has not all columns")
        need(order or not by_op, "columns by op are without references")
        if order:
            my.from_references(*order, by_op)
        need(sorted(my.cols) == my.known, "a block has not all columns")
        need(my.fingerprint() == fingerprint, "rows have another fingerprint than their block")
        my.rows += my.n
        times = my.cols.get(3)
        times = times and (min(times), max(times))
        my.blocks.append([2 * my.n + bool(my.whole), 0, times, my.first])
        my.print()

    def put(my, pairs):                 # columns of the block, which has them not yet
        for c, values in pairs:
            need(c in my.known and c not in my.cols, "a column is twice in a block, or not in T")
            need(len(values) == my.n, "a column has other rows than its block")
            need(c == 14 or max(values) >> 8 * WIDTH[c] == 0, "a value is larger than its column")
            need(c or all(v % 16 <= 8 and v < 32 for v in values), "a type is unknown")
            my.cols[c] = values

    def from_references(my, kind, s, by_op):    # sections 0, 5, 6 of "B: a block"
        n, parts = s.number(), [refs for _, refs in my.pending]
        need(n == len(parts) > 0, "a block has other references than it says")
        keys = [s.number(U32) for _ in range(n)] if n > 1 else []
        s.end("a section")
        need(len(set(keys)) == len(keys), "two references of a block have one key")
        need(sum(p.rows for p in parts) == my.n, "references have other rows than their block")
        order = [0] * my.n
        if n > 1:
            key = my.cols.get(5 if 5 in my.known else 4)
            need(key and set(key) <= set(keys), "a row has a key of no references")
            where = {k: i for i, k in enumerate(keys)}
            order = [where[k] for k in key]
            need(all(order.count(i) == p.rows for i, p in enumerate(parts)), "keys have other rows")
        need(all(sum(1 << c for c in p.by_op) == by_op for p in parts), "columns by op are others")
        for c in [c for c in (0, 1, 2) if c in my.known] + [6] * (kind == 5) + \
                [c for c in (11, 12, 13) if by_op >> c & 1]:
            sources = [iter(p.columns[c] if c < 7 else p.by_op[c]) for p in parts]
            my.put([(c, [next(sources[i]) for i in order])])

    def fingerprint(my):                # of the rows of a block: "B: a block"
        sums = b""
        for c in my.known:
            w = WIDTH[c]
            parts = [v.to_bytes(w, "little") for v in my.cols[c]] if c != 14 else [
                i.to_bytes(8, "little") + text + b"\0"
                for i, text in enumerate(my.cols[c]) if text is not None]
            sums += xxh3(b"".join(parts)).to_bytes(8, "little")
        return xxh3(sums)

    def print(my):                      # rows as csv: "Columns"
        out = []
        for c in my.known:
            v = my.cols[c]
            out.append([("kernel-" if t & 16 else "") + TYPES[t & 15] for t in v] if c == 0 else
                       ["" if t is None else '"%s"' % t.decode("latin-1").replace('"', '""')
                        for t in v] if c == 14 else
                       ["0x%x" % x for x in v] if c in HEX else [str(x) for x in v])
        end = ",\n" if my.known == [14] else "\n"
        my.out("".join([",".join(row) + end for row in zip(*out)]))

    def index(my, f):                   # "I: index"
        r, high = Bytes(f.payload), 0
        need(f.number == len(my.blocks), "the index has other blocks")
        flags, my.r = r.number(511), r.number()
        need(flags & 63 == my.page_bits or not my.page_bits, "the index has another page size")
        my.page_bits = flags & 63
        for _ in range(8 + 2 * (1 in my.known)):
            r.number()
        times = [r.number(), r.number()] if 3 in my.known else None
        for _ in range(r.number(16)):
            r.number()
        for mark, length, seen, _ in my.blocks:
            need(r.number() == mark and r.number() == length, "the index has another block")
            if times:
                low = high + zz(r.number()) & U64
                high = low + r.number() & U64
                need((low, high) == seen, "the index has other times")
        need(not my.blocks or my.blocks[0][0] & 1, "the first block needs others")
        if flags & 256:                 # "Provenance"
            s = Bytes(r.take(r.number(65536)))
            while s.more():
                key, _ = s.take(s.number(32)), s.take(s.number(4096))
                need(key.strip(b"abcdefghijklmnopqrstuvwxyz0123456789-") == b"" != key,
                     "a key of the provenance is damaged")
        my.facts.update(read_facts(r))
        b = my.before                   # containers that are joined: "Frames"
        if b:
            need(not b.page_bits or not my.page_bits or b.page_bits == my.page_bits,
                 "a container has another page size than the first")
            need(all(b.facts.get(i, 0) == my.facts.get(i, 0) for i in (6, 7)),
                 "a container was reduced in another way than the first")
            reduced = [c.r or c.facts.get(1) or c.facts.get(5) for c in (b, my)]
            need(not all(reduced) or b.r and my.r or any(
                b.facts.get(i) and b.facts.get(i) == my.facts.get(i) for i in (2, 5)),
                "a container was reduced for other memories than the first")

    def check_parity(my, f):            # "c: parity"
        r, at = Bytes(f.payload), f.at if not my.parity else my.parity[0]
        back, n, sector, parity, flags = (r.number() for _ in range(5))
        need(back == f.at - my.group and n == at - my.group and 0 < sector % 2 + sector and
             sector % 2 == 0 and flags < 2, "parity is of another group")
        count, number = -(-n // sector), len(my.parity) - 1 if my.parity else 0
        need(count <= 32768 and 1 <= parity <= 32768 and f.number == number, "parity is damaged")
        first_bytes, sums, words = n - (count - 1) * sector, [r.fixed(2) for _ in range(count)], []
        for i in range(count):
            begin = my.group + (first_bytes + (i - 1) * sector if i else 0)
            data = my.data[begin:begin + (sector if i else first_bytes)]
            need(xxh3(data) & U16 == sums[i], "a sector has another sum than its parity says")
            words.append(int.from_bytes(data, "little"))
        if my.check or count * parity <= 4096:
            ones, total = ((1 << 8 * sector) - 1) // 65535, 0
            for i, v in enumerate(words):
                total ^= field_product(v, field_inverse(32768 + number ^ i), ones)
            need(total == int.from_bytes(r.data[r.at:], "little"), "parity is of other sectors")
        need(len(r.take(r.more())) == sector, "parity is not a sector")
        my.parity = (my.parity or [at]) + [f]
        if number == parity - 1:
            my.group, my.parity = f.end, []

def field_product(v, c, ones):          # of each word of v and c: "c: parity"
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
    check = "--check" in args
    names = [a for a in args if a != "--check"]
    if len(names) != 1:
        print("usage: decode.py [--check] FILE.trc", file=sys.stderr)
        return 2
    out = (lambda text: None) if check else \
        lambda text: sys.stdout.buffer.write(text.encode("latin-1"))
    c = None
    try:
        with open(names[0], "rb") as file:
            data = file.read()
        while c is None or c.at < len(data):
            last, c = c, Container(data, c.at if c else 0, c, out, check)
            c.read()
        return 0
    except (Damaged, OSError) as err:
        place = ": the frame at byte %d: " % getattr(c, "now", c.at) if c else ": "
        sys.stdout.flush()
        print(names[0] + place + str(err), file=sys.stderr)
        return 1

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
