# SPDX-License-Identifier: MIT
"""XXH3 of 64 bits with a seed, after the text of its author (Y. Collet, xxHash 0.8)."""
import struct

SECRET = bytes.fromhex(
    "b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221"
    "b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8a8"
    "fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb17"
    "0ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e")
P32 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
P64 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63,
       0x27D4EB2F165667C5)
M32, M64 = 2**32 - 1, 2**64 - 1


def u32(p, i):
    return int.from_bytes(p[i:i + 4], "little")


def u64(p, i):
    return int.from_bytes(p[i:i + 8], "little")


def fold(a, b):
    return (a * b ^ a * b >> 64) & M64


def rotl(x, r):
    return (x << r | x >> 64 - r) & M64


def swapped(x, n):
    return int.from_bytes(x.to_bytes(n, "little"), "big")


def shaken(h):
    h = (h ^ h >> 37) * 0x165667919E3779F9 & M64
    return h ^ h >> 32


def avalanche64(h):
    h = (h ^ h >> 33) * P64[1] & M64
    h = (h ^ h >> 29) * P64[2] & M64
    return h ^ h >> 32


def upto16(p, n, seed):
    if n > 8:
        low = u64(p, 0) ^ (u64(SECRET, 24) ^ u64(SECRET, 32)) + seed & M64
        high = u64(p, n - 8) ^ (u64(SECRET, 40) ^ u64(SECRET, 48)) - seed & M64
        return shaken(n + swapped(low, 8) + high + fold(low, high) & M64)
    if n >= 4:
        seed ^= swapped(seed & M32, 4) << 32
        x = u32(p, n - 4) + (u32(p, 0) << 32) ^ (u64(SECRET, 8) ^ u64(SECRET, 16)) - seed & M64
        x ^= rotl(x, 49) ^ rotl(x, 24)
        x = x * 0x9FB21C651E98DF25 & M64
        x = (x ^ (x >> 35) + n) * 0x9FB21C651E98DF25 & M64
        return x ^ x >> 28
    if n:
        x = p[0] << 16 | p[n >> 1] << 24 | p[n - 1] | n << 8
        return avalanche64(x ^ (u32(SECRET, 0) ^ u32(SECRET, 4)) + seed & M64)
    return avalanche64(seed ^ u64(SECRET, 56) ^ u64(SECRET, 64))


def mix16(p, i, s, seed):
    return fold(u64(p, i) ^ u64(SECRET, s) + seed & M64,
                u64(p, i + 8) ^ u64(SECRET, s + 8) - seed & M64)


def upto240(p, n, seed):
    h = n * P64[0]
    if n <= 128:
        for i in range((n - 1) // 32 + 1):
            h += mix16(p, 16 * i, 32 * i, seed) + mix16(p, n - 16 * (i + 1), 32 * i + 16, seed)
        return shaken(h & M64)
    for i in range(8):
        h += mix16(p, 16 * i, 16 * i, seed)
    h = shaken(h & M64)
    for i in range(8, n // 16):
        h += mix16(p, 16 * i, 16 * (i - 8) + 3, seed)
    return shaken(h + mix16(p, n - 16, 136 - 17, seed) & M64)


def accumulate(acc, data, key):
    for i in range(8):
        k = data[i] ^ key[i]
        acc[i ^ 1] += data[i]
        acc[i] = acc[i] + (k & M32) * (k >> 32) & M64
    for i in range(8):
        acc[i] &= M64


def large(p, n, seed):
    secret = b"".join((u64(SECRET, i) + s & M64).to_bytes(8, "little")
                      for i, s in zip(range(0, 192, 8), 12 * (seed, -seed)))
    acc = [P32[2], P64[0], P64[1], P64[2], P64[3], P32[1], P64[4], P32[0]]
    keys = [struct.unpack_from("<8Q", secret, 8 * i) for i in range(17)]
    whole = (n - 1) // 64
    for i in range(whole):
        accumulate(acc, struct.unpack_from("<8Q", p, 64 * i), keys[i % 16])
        if i % 16 == 15:
            for j in range(8):
                acc[j] = (acc[j] ^ acc[j] >> 47 ^ keys[16][j]) * P32[0] & M64
    accumulate(acc, struct.unpack_from("<8Q", p, n - 64),
               struct.unpack_from("<8Q", secret, 192 - 64 - 7))
    h = n * P64[0]
    for i in range(4):
        h += fold(acc[2 * i] ^ u64(secret, 11 + 16 * i), acc[2 * i + 1] ^ u64(secret, 19 + 16 * i))
    return shaken(h & M64)


def xxh3(p, seed=0):
    n = len(p)
    return upto16(p, n, seed) if n <= 16 else upto240(p, n, seed) if n <= 240 else large(p, n, seed)
