/* SPDX-License-Identifier: MIT
 *
 * half_guest [STEP]: prints what the instructions of Zfh give, for all rounding modes, on operands
 * at the edges of half precision: name, mode, operands, result and flags. Built with
 * -march=rv64gc_zfh; half.py knows what is right.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE, HALF, INTEGER, SINGLE, DOUBLE }; /* operands */

#define BOXED UINT64_C(0xffffffffffff0000)

static const uint16_t edge[] = {
	0x0000, 0x0001, 0x0002, 0x0200, 0x03ff, 0x0400, 0x0401, 0x07ff, 0x1000, 0x13ff, 0x1400,
	0x2fff, 0x3800, 0x3bff, 0x3c00, 0x3c01, 0x3dff, 0x3e00, 0x4000, 0x4248, 0x5c01, 0x63ff,
	0x6400, 0x6401, 0x77ff, 0x7800, 0x7801, 0x7bff, 0x7c00, 0x7c01, 0x7e00,
};
static const uint64_t integer[] = {
	0,          1,
	2047,       2048,
	2049,       2050,
	2051,       65504,
	65519,      65520,
	65535,      65536,
	0x7fffffff, 0x80000000,
	0xffffffff, 0x100000001,
	INT64_MAX,  UINT64_C(1) << 63,
	UINT64_MAX, (uint64_t)-2049,
};

/* The operands of one kind; the last half is not boxed, so it counts as a NaN. */
static uint64_t
operand(int kind, size_t i, size_t *n)
{
	const size_t halves = 2 * (sizeof(edge) / sizeof(*edge));
	const size_t k = i / 4 % (halves / 2);
	const double d = ldexp(1024 | (edge[k] & 1023), (edge[k] >> 10) - 25) *
	                 (1 + ldexp((double)(i % 4), -12));
	const float f = (float)(i % 8 < 4 ? d : -d);
	uint64_t v = 0;

	*n = kind == NONE ? 1 : kind == HALF ? halves + 1 : 2 * halves;
	switch (kind) {
	case HALF: return i == halves ? 0x3c00 : BOXED | edge[i / 2] | (i % 2) << 15;
	case INTEGER: *n = sizeof(integer) / sizeof(*integer); return integer[i % *n];
	case SINGLE: memcpy(&v, &f, sizeof(f)); return v | UINT64_C(0xffffffff00000000);
	case DOUBLE: memcpy(&v, &d, sizeof(d)); return v ^ (uint64_t)(i % 8 / 4) << 63;
	}
	return v;
}

static unsigned step, tried; /* one case in so many is tried; so far */

#define RUN(text)                                                                     \
	__asm__ volatile("fmv.d.x ft0, %2\n\tfmv.d.x ft1, %3\n\tfmv.d.x ft2, %4\n\t"  \
	                 "fsflags zero\n\tfsrm %5\n\t" text "\n\tfrflags %1"          \
	                 : "=&r"(x), "=&r"(flags)                                     \
	                 : "r"(a), "r"(b), "r"(c), "r"((uint64_t)round), "r"(&memory) \
	                 : "ft0", "ft1", "ft2", "memory")

#define TRY(name, kind1, kind2, kind3, text)                                                      \
	for (int round = 0; round < 5; round++)                                                   \
		for (size_t i = 0, is = 1; i < is; i++)                                           \
			for (size_t j = 0, js = 1; j < js; j++)                                   \
				for (size_t k = 0, ks = 1; k < ks; k += 30) {                     \
					const uint64_t a = operand(kind1, i, &is);                \
					const uint64_t b = operand(kind2, j, &js);                \
					const uint64_t c = operand(kind3, (i + j + k) % 63, &ks); \
					uint64_t x, flags, memory = a;                            \
                                                                                                  \
					if (tried++ % step)                                       \
						continue;                                         \
					RUN(text);                                                \
					printf("%s %d %" PRIx64 " %" PRIx64 " %" PRIx64           \
					       " %" PRIx64 " %" PRIx64 "\n",                      \
					       name, round, a, b, c, x, flags);                   \
				}

#define F "\n\tfmv.x.d %0, ft0"
#define F1(name) TRY(name, HALF, NONE, NONE, name " ft0, ft0" F)
#define F2(name) TRY(name, HALF, HALF, NONE, name " ft0, ft0, ft1" F)
#define F3(name) TRY(name, HALF, HALF, HALF, name " ft0, ft0, ft1, ft2" F)
#define X1(name) TRY(name, HALF, NONE, NONE, name " %0, ft0")
#define X2(name) TRY(name, HALF, HALF, NONE, name " %0, ft0, ft1")
#define FROM(name, kind) TRY(name, kind, NONE, NONE, name " ft0, %2" F)
#define CONVERT(name, kind) TRY(name, kind, NONE, NONE, name " ft0, ft0" F)

static void
arithmetic(void)
{
	F2("fadd.h")
	F2("fsub.h")
	F2("fmul.h")
	F2("fdiv.h")
	F1("fsqrt.h")
	F3("fmadd.h")
	F3("fmsub.h")
	F3("fnmsub.h")
	F3("fnmadd.h")
}

static void
exact(void)
{
	F2("fmin.h")
	F2("fmax.h")
	F2("fsgnj.h")
	F2("fsgnjn.h")
	F2("fsgnjx.h")
	X2("fle.h")
	X2("flt.h")
	X2("feq.h")
	X1("fclass.h")
	X1("fmv.x.h")
	FROM("fmv.h.x", INTEGER)
	TRY("flh", INTEGER, NONE, NONE, "flh ft0, 0(%6)" F)
	TRY("fsh", HALF, NONE, NONE, "sd zero, 0(%6)\n\tfsh ft0, 2(%6)\n\tld %0, 0(%6)")
}

int
main(int argc, char **argv)
{
	step = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
	arithmetic();
	exact();
	X1("fcvt.w.h")
	X1("fcvt.wu.h")
	X1("fcvt.l.h")
	X1("fcvt.lu.h")
	FROM("fcvt.h.w", INTEGER)
	FROM("fcvt.h.wu", INTEGER)
	FROM("fcvt.h.l", INTEGER)
	FROM("fcvt.h.lu", INTEGER)
	CONVERT("fcvt.h.s", SINGLE)
	CONVERT("fcvt.h.d", DOUBLE)
	CONVERT("fcvt.s.h", HALF)
	CONVERT("fcvt.d.h", HALF)
	return 0;
}
