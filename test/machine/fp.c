/* SPDX-License-Identifier: MIT
 *
 * Floating point: the instructions on the operands of fp_cases.h against what an independent
 * machine gave for them; the arithmetic where the host's may be used against that where it may not;
 * and against the host's own, in the rounding modes that both have.
 */
#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "../unit/test.h"
#include "fp_cases.h"
#include "fp_golden.h"
#include "machine/float/fp_host.h"
#include "machine/hart/hart.h"

enum { CODE = 0x1000, HOST_CASES = 20000 };

/* funct7 of single precision, rs2 where it is fixed (32: the register), funct3 where it is not the
 * rounding mode (8), and whether the result is an integer. */
struct shape {
	uint8_t funct7, rs2, funct3, integer;
};

static const struct shape shape[FP_OP_COUNT] = {
	[FP_fadd] = { 0x00, 32, 8, 0 },   [FP_fsub] = { 0x04, 32, 8, 0 },
	[FP_fmul] = { 0x08, 32, 8, 0 },   [FP_fdiv] = { 0x0c, 32, 8, 0 },
	[FP_fsqrt] = { 0x2c, 0, 8, 0 },   [FP_fmin] = { 0x14, 32, 0, 0 },
	[FP_fmax] = { 0x14, 32, 1, 0 },   [FP_fle] = { 0x50, 32, 0, 1 },
	[FP_flt] = { 0x50, 32, 1, 1 },    [FP_feq] = { 0x50, 32, 2, 1 },
	[FP_fclass] = { 0x70, 0, 1, 1 },  [FP_fsgnj] = { 0x10, 32, 0, 0 },
	[FP_fsgnjn] = { 0x10, 32, 1, 0 }, [FP_fsgnjx] = { 0x10, 32, 2, 0 },
	[FP_to_w] = { 0x60, 0, 8, 1 },    [FP_to_wu] = { 0x60, 1, 8, 1 },
	[FP_to_l] = { 0x60, 2, 8, 1 },    [FP_to_lu] = { 0x60, 3, 8, 1 },
	[FP_from_w] = { 0x68, 0, 8, 0 },  [FP_from_wu] = { 0x68, 1, 8, 0 },
	[FP_from_l] = { 0x68, 2, 8, 0 },  [FP_from_lu] = { 0x68, 3, 8, 0 },
	[FP_other] = { 0x20, 1, 8, 0 },
};

/* The instruction with the operands f0, f1, f2 or x10, and the result f0 or x10. */
static uint32_t
encode(int op, int dbl)
{
	const struct shape *s = &shape[op];
	const uint32_t from = op >= FP_from_w && op <= FP_from_lu ? 10 : 0;
	uint32_t rs2 = s->rs2 == 32 ? 1 : s->rs2;

	if (op >= FP_fmadd && op <= FP_fnmadd)
		return UINT32_C(2) << 27 | (uint32_t)dbl << 25 | UINT32_C(1) << 20 | 7 << 12 |
		       (uint32_t)(op - FP_fmadd) << 2 | 0x43;
	if (op == FP_other)
		rs2 = !dbl;
	return (uint32_t)(s->funct7 | dbl) << 25 | rs2 << 20 | from << 15 |
	       (uint32_t)(s->funct3 == 8 ? 7 : s->funct3) << 12 |
	       (uint32_t)(s->integer ? 10 : 0) << 7 | 0x53;
}

static int
no_load(struct trc_port *p, const struct trc_hart *h, uint64_t addr, unsigned size, uint64_t *value,
        struct trc_err *err)
{
	(void)p, (void)h, (void)addr, (void)size, (void)value, (void)err;
	return 1;
}

/* The hash of all cases. */
static uint64_t
hash_of(struct trc_hart *h, int op, int dbl, int round)
{
	const uint32_t word = encode(op, dbl);
	const uint8_t code[4] = { (uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16),
		                  (uint8_t)(word >> 24) };
	uint64_t state = fp_seed(op, dbl, round), hash = 0;
	struct trc_err err = { 0 };
	struct fp_case c = { 0 };

	CHECK(!trc_hart_write(h, CODE, code, 4, &err));
	for (int i = 0; i < FP_GOLDEN_CASES; i++) {
		uint64_t x;

		fp_case(&state, op, dbl, &c);
		h->f[0] = h->x[10] = c.a;
		h->f[1] = c.b;
		h->f[2] = c.c;
		h->frm = (uint8_t)round;
		h->fflags = 0;
		h->pc = CODE;
		CHECK(trc_hart_run(h, NULL, h->count + 1, &err) == TRC_RUN_UNTIL);
		x = shape[op].integer ? h->x[10] : h->f[0];
		hash = fp_hash(hash, x, h->fflags);
	}
	return hash;
}

static const char *const op_name[] = {
#define OP(name, operands) #name,
	FP_OPS
#undef OP
};

static void
check_hashes(struct trc_hart *h, int op, int dbl, int round)
{
	const uint64_t golden = fp_golden[(op * 2 + dbl) * 5 + round];

	CHECK_MSG(hash_of(h, op, dbl, round) == golden, "%s, double %d, rounding %d", op_name[op],
	          dbl, round);
}

static void
results_and_flags_are_those_of_another_machine(void)
{
	struct trc_port port = { .load = no_load };
	struct trc_err err = { 0 };
	struct trc_memory m;
	struct trc_hart *h;

	CHECK(TRC_COUNT(fp_golden) == FP_OP_COUNT * 2 * 5);
	CHECK(!trc_memory_init(&m, 1 << 20, &err) && !trc_memory_add_ram(&m, 0, 0xffff, &err));
	h = trc_hart_open(&m, &port, TRC_HART_USER, &err);
	CHECK(h);
	for (int op = 0; op < FP_OP_COUNT; op++)
		for (int dbl = 0; dbl < 2; dbl++)
			for (int round = 0; round < 5; round++)
				check_hashes(h, op, dbl, round);
	trc_hart_close(h);
	trc_memory_release(&m);
}

typedef uint64_t two(struct trc_fp *fp, enum trc_fp_format f, uint64_t a, uint64_t b);

/* The same for what has other operands. */
static void
check_asked(enum trc_fp_format f, const struct fp_case *c, enum trc_fp_int kind)
{
	const enum trc_fp_format other = f == TRC_FP_DOUBLE ? TRC_FP_SINGLE : TRC_FP_DOUBLE;
	const uint64_t third = f == TRC_FP_DOUBLE ? c->c : (uint32_t)c->c;
	struct trc_fp plain = { 0, 0 }, asked = { 0, TRC_FP_INEXACT };

	CHECK(trc_fp_sqrt(&plain, f, c->a) == trc_fp_sqrt(&asked, f, c->a));
	CHECK(trc_fp_fma(&plain, f, c->a, c->b, third) == trc_fp_fma(&asked, f, c->a, c->b, third));
	CHECK(trc_fp_convert(&plain, other, f, c->a) == trc_fp_convert(&asked, other, f, c->a));
	CHECK(trc_fp_from_int(&plain, f, c->b, kind) == trc_fp_from_int(&asked, f, c->b, kind));
	CHECK((plain.flags | TRC_FP_INEXACT) == asked.flags);
	plain = asked = (struct trc_fp){ 0, 0 };
	CHECK(trc_fp_min(&plain, f, c->a, c->b) == trc_fp_soft_min(&asked, f, c->a, c->b));
	CHECK(trc_fp_max(&plain, f, c->a, c->b) == trc_fp_soft_max(&asked, f, c->a, c->b));
	CHECK(trc_fp_less(&plain, f, c->a, c->b) == trc_fp_soft_less(&asked, f, c->a, c->b));
	CHECK(plain.flags == asked.flags);
}

/* The same result with inexact up as without, and the same flags but for that one. */
static void
asking_the_host_changes_nothing(void)
{
	static two *const function[] = { trc_fp_add, trc_fp_sub, trc_fp_mul, trc_fp_div };
	uint64_t state = test_seed;

	for (int i = 0; i < 8 * HOST_CASES; i++) {
		const enum trc_fp_format f = i & 1 ? TRC_FP_DOUBLE : TRC_FP_SINGLE;
		const uint64_t mask = i & 1 ? UINT64_MAX : UINT32_MAX;
		struct trc_fp plain = { 0, 0 }, asked = { 0, TRC_FP_INEXACT };
		struct fp_case c = { 0 };
		uint64_t x, y;

		fp_case(&state, FP_fadd, i & 1, &c);
		c.a &= mask, c.b &= mask;
		x = function[i / 2 % 4](&plain, f, c.a, c.b);
		y = function[i / 2 % 4](&asked, f, c.a, c.b);
		CHECK_MSG(x == y && (plain.flags | TRC_FP_INEXACT) == asked.flags,
		          "%d of %" PRIx64 " %" PRIx64 ": %" PRIx64 " %x, %" PRIx64 " %x", i, c.a,
		          c.b, x, plain.flags, y, asked.flags);
		check_asked(f, &c, (enum trc_fp_int)(i / 2 % 4));
	}
}

#if FLT_EVAL_METHOD == 0 && defined(FE_DOWNWARD) && defined(FE_UPWARD)

static const int host_mode[4] = { FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD };

static double
double_of(uint64_t v)
{
	double d;

	memcpy(&d, &v, sizeof(d));
	return d;
}

/* The flags that the host has up; where tininess is detected before rounding, underflow may
 * differ. */
static unsigned
host_flags(void)
{
	const int up = fetestexcept(FE_ALL_EXCEPT);

	return (up & FE_INEXACT ? TRC_FP_INEXACT : 0) | (up & FE_OVERFLOW ? TRC_FP_OVERFLOW : 0) |
	       (up & FE_DIVBYZERO ? TRC_FP_BY_ZERO : 0) | (up & FE_INVALID ? TRC_FP_INVALID : 0);
}

/* Some machines have the bit of quiet NaNs the other way around. */
static bool
nan_of_another_kind(uint64_t a, uint64_t b)
{
	volatile double zero = 0;
	const double nan = zero / zero;
	uint64_t v;

	memcpy(&v, &nan, sizeof(v));
	return !(v >> 51 & 1) && (isnan(double_of(a)) || isnan(double_of(b)));
}

static void
check_host(int op, int round, uint64_t a, uint64_t b)
{
	struct trc_fp fp = { (uint8_t)round, 0 };
	volatile double x = double_of(a), y = double_of(b), z = 0;
	unsigned flags;
	uint64_t ours, theirs;
	double result;

	fesetround(host_mode[round]);
	feclearexcept(FE_ALL_EXCEPT);
	switch (op) {
	case 0: z = x + y; break;
	case 1: z = x - y; break;
	case 2: z = x * y; break;
	case 3: z = x / y; break;
	case 4: z = sqrt(x); break;
	}
	flags = host_flags();
	fesetround(FE_TONEAREST);
	result = z;
	memcpy(&theirs, &result, sizeof(theirs));
	if (isnan(result))
		theirs = TRC_FP_NAN_DOUBLE;
	ours = op == 4 ? trc_fp_sqrt(&fp, TRC_FP_DOUBLE, a) :
	       op == 3 ? trc_fp_div(&fp, TRC_FP_DOUBLE, a, b) :
	       op == 2 ? trc_fp_mul(&fp, TRC_FP_DOUBLE, a, b) :
	       op == 1 ? trc_fp_sub(&fp, TRC_FP_DOUBLE, a, b) :
	                 trc_fp_add(&fp, TRC_FP_DOUBLE, a, b);
	fp.flags &= (uint8_t)~TRC_FP_UNDERFLOW;
	CHECK_MSG(ours == theirs && fp.flags == flags,
	          "operation %d, rounding %d, of %" PRIx64 " and %" PRIx64 ": %" PRIx64
	          " %x, %" PRIx64 " %x",
	          op, round, a, b, ours, fp.flags, theirs, flags);
}

static void
arithmetic_is_that_of_the_host(void)
{
	uint64_t state = test_seed + 1;
	struct fp_case c = { 0 };

	for (int i = 0; i < HOST_CASES; i++)
		for (int op = 0; op < 5; op++)
			for (int round = 0; round < 4; round++) {
				fp_case(&state, FP_fadd, 1, &c);
				if (!nan_of_another_kind(c.a, c.b))
					check_host(op, round, c.a, c.b);
			}
}

#else
static void
arithmetic_is_that_of_the_host(void)
{
	puts("not compared with the host, whose arithmetic is another");
}
#endif

int
main(void)
{
	test_start();
	RUN(results_and_flags_are_those_of_another_machine);
	RUN(asking_the_host_changes_nothing);
	RUN(arithmetic_is_that_of_the_host);
	return 0;
}
