/* SPDX-License-Identifier: MIT
 *
 * fp_guest N: runs the operations of fp_cases.h on N operands each, by the instructions of a RISC-V
 * processor, and prints the table that fp_golden.h holds. For riscv64:
 *
 *	riscv64-linux-gnu-gcc -O2 -static -o fp_guest fp_guest.c && qemu-riscv64 fp_guest 4096
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "fp_cases.h"

#define LOAD_F \
	"fmv.d.x ft0, %2\n\tfmv.d.x ft1, %3\n\tfmv.d.x ft2, %4\n\tfsflags zero\n\tfsrm %5\n\t"
#define RUN(text)                                                                \
	__asm__ volatile(LOAD_F text "\n\tfrflags %1"                            \
	                 : "=&r"(x), "=&r"(flags)                                \
	                 : "r"(c->a), "r"(c->b), "r"(c->c), "r"((uint64_t)round) \
	                 : "ft0", "ft1", "ft2")
#define F1(name, k) RUN(name "." k " ft0, ft0\n\tfmv.x.d %0, ft0")
#define F2(name, k) RUN(name "." k " ft0, ft0, ft1\n\tfmv.x.d %0, ft0")
#define F3(name, k) RUN(name "." k " ft0, ft0, ft1, ft2\n\tfmv.x.d %0, ft0")
#define X1(name, k) RUN(name "." k " %0, ft0")
#define X2(name, k) RUN(name "." k " %0, ft0, ft1")
#define FROM(name, k, i) RUN(name "." k "." i " ft0, %2\n\tfmv.x.d %0, ft0")
#define TO(name, i, k) RUN(name "." i "." k " %0, ft0")

#define CASES(k, other)                                \
	switch (op) {                                  \
	case FP_fadd: F2("fadd", k); break;            \
	case FP_fsub: F2("fsub", k); break;            \
	case FP_fmul: F2("fmul", k); break;            \
	case FP_fdiv: F2("fdiv", k); break;            \
	case FP_fsqrt: F1("fsqrt", k); break;          \
	case FP_fmadd: F3("fmadd", k); break;          \
	case FP_fmsub: F3("fmsub", k); break;          \
	case FP_fnmsub: F3("fnmsub", k); break;        \
	case FP_fnmadd: F3("fnmadd", k); break;        \
	case FP_fmin: F2("fmin", k); break;            \
	case FP_fmax: F2("fmax", k); break;            \
	case FP_fle: X2("fle", k); break;              \
	case FP_flt: X2("flt", k); break;              \
	case FP_feq: X2("feq", k); break;              \
	case FP_fclass: X1("fclass", k); break;        \
	case FP_fsgnj: F2("fsgnj", k); break;          \
	case FP_fsgnjn: F2("fsgnjn", k); break;        \
	case FP_fsgnjx: F2("fsgnjx", k); break;        \
	case FP_to_w: TO("fcvt", "w", k); break;       \
	case FP_to_wu: TO("fcvt", "wu", k); break;     \
	case FP_to_l: TO("fcvt", "l", k); break;       \
	case FP_to_lu: TO("fcvt", "lu", k); break;     \
	case FP_from_w: FROM("fcvt", k, "w"); break;   \
	case FP_from_wu: FROM("fcvt", k, "wu"); break; \
	case FP_from_l: FROM("fcvt", k, "l"); break;   \
	case FP_from_lu: FROM("fcvt", k, "lu"); break; \
	case FP_other: F1("fcvt." k, other); break;    \
	}

static uint64_t
run(int op, int dbl, int round, const struct fp_case *c, unsigned *raised)
{
	uint64_t x = 0, flags = 0;

	if (dbl)
		CASES("d", "s")
	else
		CASES("s", "d")
	*raised = (unsigned)flags;
	return x;
}

int
main(int argc, char **argv)
{
	const long n = argc > 1 ? atol(argv[1]) : 4096;

	for (int op = 0; op < FP_OP_COUNT; op++)
		for (int dbl = 0; dbl < 2; dbl++)
			for (int round = 0; round < 5; round++) {
				uint64_t state = fp_seed(op, dbl, round), hash = 0;
				struct fp_case c = { 0 };

				for (long i = 0; i < n; i++) {
					unsigned flags;
					uint64_t x;

					fp_case(&state, op, dbl, &c);
					x = run(op, dbl, round, &c, &flags);
					hash = fp_hash(hash, x, flags);
				}
				printf("0x%016" PRIx64 ",\n", hash);
			}
	return 0;
}
