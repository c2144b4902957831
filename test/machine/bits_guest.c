/* SPDX-License-Identifier: MIT
 *
 * bits_guest N: each instruction of Zba, Zbb, Zbc and Zbs on N pairs of numbers, and a hash of the
 * results of each. Built with -march=rv64gc_zba_zbb_zbc_zbs.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state = 1;

/* A number that has few bits, or many, or all in its lower half, or anywhere. */
static uint64_t
any(void)
{
	uint64_t v;

	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	v = state ^ state >> 29;
	switch (state >> 61) {
	case 0: return UINT64_C(1) << (v & 63);
	case 1: return ~(UINT64_C(1) << (v & 63));
	case 2: return v & UINT32_MAX;
	case 3: return v & (v >> 7) & (v >> 13) & UINT64_C(0xff00ff0000ffff00);
	case 4: return v % 3 - 1;
	default: return v;
	}
}

#define TRY(text, ...)                                                                 \
	do {                                                                           \
		uint64_t hash = 0;                                                     \
                                                                                       \
		for (long i = 0; i < n; i++) {                                         \
			uint64_t a = any(), b = any(), d;                              \
                                                                                       \
			__asm__ volatile(text : "=r"(d) : "r"(a), "r"(b));             \
			hash = (hash ^ d) * UINT64_C(0x9e3779b97f4a7c15) ^ hash >> 31; \
		}                                                                      \
		printf("%-22s %016lx\n", text, hash);                                  \
	} while (0)

#define RR(name) TRY(name " %0, %1, %2")
#define R1(name) TRY(name " %0, %1")
#define RI(name)                         \
	do {                             \
		TRY(name " %0, %1, 0");  \
		TRY(name " %0, %1, 1");  \
		TRY(name " %0, %1, 19"); \
		TRY(name " %0, %1, 31"); \
	} while (0)
#define RI6(name)                        \
	do {                             \
		RI(name);                \
		TRY(name " %0, %1, 32"); \
		TRY(name " %0, %1, 45"); \
		TRY(name " %0, %1, 63"); \
	} while (0)

int
main(int argc, char **argv)
{
	const long n = argc > 1 ? atol(argv[1]) : 100;

	RR("sh1add");
	RR("sh2add");
	RR("sh3add");
	RR("add.uw");
	RR("sh1add.uw");
	RR("sh2add.uw");
	RR("sh3add.uw");
	RI6("slli.uw");
	RR("andn");
	RR("orn");
	RR("xnor");
	RR("min");
	RR("minu");
	RR("max");
	RR("maxu");
	RR("rol");
	RR("ror");
	RR("rolw");
	RR("rorw");
	RI6("rori");
	RI("roriw");
	R1("clz");
	R1("ctz");
	R1("cpop");
	R1("clzw");
	TRY("bseti %0, %1, 31; ctzw %0, %0"); /* QEMU 7.2 counts up to 33 where there is none */
	R1("cpopw");
	R1("sext.b");
	R1("sext.h");
	R1("zext.h");
	R1("orc.b");
	R1("rev8");
	RR("clmul");
	RR("clmulh");
	RR("clmulr");
	RR("bclr");
	RR("bext");
	RR("binv");
	RR("bset");
	RI6("bclri");
	RI6("bexti");
	RI6("binvi");
	RI6("bseti");
	RI6("slli");
	RI6("srli");
	RI6("srai");
	RI("slliw");
	RI("srliw");
	RI("sraiw");
	return 0;
}
