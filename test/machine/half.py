#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks what half_guest printed, read from standard input, by arithmetic on integers of any size
(IEEE 754-2008; the RISC-V manual, volume I, chapter 11; Zfh 1.0)."""
import math
import struct
import sys

NX, UF, OF, DZ, NV = 1, 2, 4, 8, 16
RNE, RTZ, RDN, RUP, RMM = range(5)
NAN, INF, SIGN = 0x7e00, 0x7c00, 0x8000
BOX = 0xffffffffffff0000
ALL = (1 << 64) - 1


def unbox(v):
    return v & 0xffff if v >= BOX else NAN


def is_nan(h):
    return h & 0x7fff > INF


def is_inf(h):
    return h & 0x7fff == INF


def signals(*halves):
    return NV if any(is_nan(h) and not h & 0x200 for h in halves) else 0


def units(h):
    """The value of a finite number, as a multiple of 2 ** -24."""
    exp, fraction = h >> 10 & 31, h & 1023
    m = (1024 | fraction) << (exp - 1) if exp else fraction
    return -m if h & SIGN else m


def up(mode, negative, odd, rest, half):
    return {RNE: rest > half or (rest == half and odd), RTZ: False, RDN: negative and rest > 0,
            RUP: not negative and rest > 0, RMM: rest >= half > 0}[mode]


def cut(m, shift, mode, negative):
    """m / 2 ** shift, rounded, and whether that lost anything."""
    if shift <= 0:
        return m << -shift, False
    kept, rest = m >> shift, m & ((1 << shift) - 1)
    return kept + up(mode, negative, kept & 1, rest, 1 << (shift - 1)), rest > 0


def rounded(n, scale, mode, zero=0):
    """n / 2 ** scale as a half, with its flags; `zero` is what 0 is."""
    negative, m = n < 0, abs(n)
    if m == 0:
        return zero, 0
    sign, exp = SIGN if negative else 0, m.bit_length() - 1 - scale
    quantum = max(exp, -14) - 10
    kept, lost = cut(m, quantum + scale, mode, negative)
    bits = ((quantum + 24) << 10) + kept
    if bits >= INF:
        largest = mode == RTZ or mode == (RUP if negative else RDN)
        return sign | (INF - largest), OF | NX
    tiny = exp < -14 and not (exp == -15 and cut(m, exp - 10 + scale, mode, negative)[0] == 2048)
    return sign | bits, (NX if lost else 0) | (UF if lost and tiny else 0)


def add(a, b, mode):
    if is_nan(a) or is_nan(b):
        return NAN, signals(a, b)
    if is_inf(a) or is_inf(b):
        return (NAN, NV) if is_inf(a) and is_inf(b) and a != b else (a if is_inf(a) else b, 0)
    zero = a if a == b else SIGN if mode == RDN else 0
    return rounded(units(a) + units(b), 24, mode, zero)


def product_sign(a, b):
    return (a ^ b) & SIGN


def mul(a, b, mode):
    if is_nan(a) or is_nan(b):
        return NAN, signals(a, b)
    if is_inf(a) or is_inf(b):
        return (NAN, NV) if not (a & 0x7fff and b & 0x7fff) else (product_sign(a, b) | INF, 0)
    return rounded(units(a) * units(b), 48, mode, product_sign(a, b))


def fma(a, b, c, mode):
    lost = (is_inf(a) and not b & 0x7fff) or (is_inf(b) and not a & 0x7fff)
    if lost or is_nan(a) or is_nan(b) or is_nan(c):
        return NAN, NV if lost else signals(a, b, c)
    sign = product_sign(a, b)
    if is_inf(a) or is_inf(b):
        return (NAN, NV) if is_inf(c) and c & SIGN != sign else (sign | INF, 0)
    if is_inf(c):
        return c, 0
    zero = sign if sign == c & SIGN else SIGN if mode == RDN else 0
    return rounded(units(a) * units(b) + (units(c) << 24), 48, mode, zero)


def div(a, b, mode):
    sign = product_sign(a, b)
    if is_nan(a) or is_nan(b):
        return NAN, signals(a, b)
    if (is_inf(a) and is_inf(b)) or not (a | b) & 0x7fff:
        return NAN, NV
    if is_inf(a) or is_inf(b):
        return sign | (INF if is_inf(a) else 0), 0
    if not b & 0x7fff:
        return sign | INF, DZ
    q, rest = divmod(abs(units(a)) << 64, abs(units(b)))
    q = q << 1 | (rest > 0)
    return rounded(-q if sign else q, 65, mode, sign)


def sqrt(a, mode):
    if is_nan(a):
        return NAN, signals(a)
    if not a & 0x7fff:
        return a, 0
    if a & SIGN:
        return NAN, NV
    if is_inf(a):
        return a, 0
    square = units(a) << 64
    root = math.isqrt(square)
    return rounded(root << 1 | (root * root != square), 45, mode)


def rank(h):
    return -1 - (h & 0x7fff) if h & SIGN else h


def pick(a, b, larger):
    if is_nan(a) or is_nan(b):
        return (NAN if is_nan(a) and is_nan(b) else b if is_nan(a) else a), signals(a, b)
    return (max if larger else min)(a, b, key=rank), 0


def compare(name, a, b):
    if is_nan(a) or is_nan(b):
        return 0, signals(a, b) if name == 'feq' else NV
    x, y = units(a) if not is_inf(a) else rank(a) << 64, units(b) if not is_inf(b) else rank(b) << 64
    return int({'feq': x == y, 'flt': x < y, 'fle': x <= y}[name]), 0


def classify(a):
    if is_nan(a):
        return 1 << (9 if a & 0x200 else 8)
    magnitude = a & 0x7fff
    kind = 3 if not magnitude else 2 if magnitude < 0x400 else 1 if magnitude < INF else 0
    return 1 << (kind if a & SIGN else 7 - kind)


LIMITS = {'w': (-1 << 31, (1 << 31) - 1), 'wu': (0, (1 << 32) - 1),
          'l': (-1 << 63, (1 << 63) - 1), 'lu': (0, ALL)}


def register(n, kind):
    if kind in ('w', 'wu'):
        n = (n & 0xffffffff ^ 0x80000000) - 0x80000000
    return n & ALL


def to_int(a, kind, mode):
    low, high = LIMITS[kind]
    if is_nan(a) or is_inf(a):
        return register(low if is_inf(a) and a & SIGN else high, kind), NV
    n = units(a)
    kept, lost = cut(abs(n), 24, mode, n < 0)
    kept = -kept if n < 0 else kept
    if not low <= kept <= high:
        return register(low if n < 0 else high, kind), NV
    return register(kept, kind), NX if lost else 0


def from_int(v, kind, mode):
    if kind in ('w', 'wu'):
        v &= 0xffffffff
    bits = 32 if kind in ('w', 'wu') else 64
    if kind in ('w', 'l') and v >> (bits - 1):
        v -= 1 << bits
    return rounded(v, 0, mode)


def from_wider(v, fraction_bits, exp_bits, mode):
    sign = v >> (fraction_bits + exp_bits) & 1
    exp, fraction = v >> fraction_bits & ((1 << exp_bits) - 1), v & ((1 << fraction_bits) - 1)
    if exp == (1 << exp_bits) - 1:
        if fraction:
            return NAN, 0 if fraction >> (fraction_bits - 1) else NV
        return sign << 15 | INF, 0
    m = fraction | (1 << fraction_bits if exp else 0)
    scale = (1 << (exp_bits - 1)) - 1 + fraction_bits
    m <<= max(exp, 1)
    return rounded(-m if sign else m, scale, mode, sign << 15)


def to_wider(a, form, nan):
    if is_nan(a):
        return nan, signals(a)
    if is_inf(a):
        value = -math.inf if a & SIGN else math.inf
    else:
        value = math.copysign(units(a) / (1 << 24), -1 if a & SIGN else 1)
    return int.from_bytes(struct.pack('>' + form, value), 'big'), 0


def expected(name, mode, va, vb, vc):
    """The register with the result, and the flags."""
    a, b, c = unbox(va), unbox(vb), unbox(vc)
    parts = name.split('.')
    op = parts[0]
    half = {'fadd': lambda: add(a, b, mode), 'fsub': lambda: add(a, b ^ SIGN, mode),
            'fmul': lambda: mul(a, b, mode), 'fdiv': lambda: div(a, b, mode),
            'fsqrt': lambda: sqrt(a, mode), 'fmadd': lambda: fma(a, b, c, mode),
            'fmsub': lambda: fma(a, b, c ^ SIGN, mode), 'fnmsub': lambda: fma(a ^ SIGN, b, c, mode),
            'fnmadd': lambda: fma(a ^ SIGN, b, c ^ SIGN, mode),
            'fmin': lambda: pick(a, b, False), 'fmax': lambda: pick(a, b, True),
            'fsgnj': lambda: (a & 0x7fff | b & SIGN, 0),
            'fsgnjn': lambda: (a & 0x7fff | ~b & SIGN, 0),
            'fsgnjx': lambda: (a ^ b & SIGN, 0), 'flh': lambda: (va & 0xffff, 0)}
    if op in half or name == 'fmv.h.x':
        h, flags = half[op]() if op in half else (va & 0xffff, 0)
        return BOX | h, flags
    if op in ('feq', 'flt', 'fle'):
        return compare(op, a, b)
    if op == 'fclass':
        return classify(a), 0
    if op == 'fsh':
        return (va & 0xffff) << 16, 0
    if name == 'fmv.x.h':
        return ((va & 0xffff ^ SIGN) - SIGN) & ALL, 0
    to, by = parts[1:]
    if to in LIMITS:
        return to_int(a, to, mode)
    if to == 'h':
        h, flags = from_int(va, by, mode) if by in LIMITS else \
            from_wider(va & 0xffffffff, 23, 8, mode) if by == 's' else from_wider(va, 52, 11, mode)
        return BOX | h, flags
    v, flags = to_wider(a, *(('f', 0x7fc00000) if to == 's' else ('d', 0x7ff8 << 48)))
    return (v | 0xffffffff << 32 if to == 's' else v), flags


def main():
    lines, names = 0, set()
    for line in sys.stdin:
        name, mode, *rest = line.split()
        va, vb, vc, result, flags = (int(v, 16) for v in rest)
        want = expected(name, int(mode), va, vb, vc)
        if want != (result, flags):
            sys.exit(f'{line.strip()}: expected {want[0]:x} {want[1]:x}')
        lines += 1
        names.add(name)
    if len(names) != 34:
        sys.exit(f'only {len(names)} instructions: {sorted(names)}')
    print(f'{lines} results of {len(names)} instructions are right')


main()
