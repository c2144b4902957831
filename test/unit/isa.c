/* SPDX-License-Identifier: MIT
 * Instructions of x86-64 and AArch64: registers as the manuals name them, kinds of branches against
 * the rules by which ChampSim classifies them. test/machine/a64.py has all of AArch64. */
#include "machine/isa/isa.h"

#include "batch/registers.h"
#include "generate.h"
#include "test.h"

/* The word, and the registers that an instruction writes and reads, in any order. */
struct by_hand {
	uint64_t word;
	uint8_t written[4], read[4], kind;
	const char *text;
};

static bool
same(const uint8_t want[4], uint32_t side)
{
	unsigned wanted = 0, there = 0;

	for (unsigned i = 0; i < 4; i++) {
		there += (side >> 8 * i & 255) != 0;
		wanted += want[i] != 0;
		if (want[i] && !(trc_registers_find(side, want[i]) & UINT64_C(0x80808080)))
			return false;
	}
	return wanted == there;
}

static void
check(const struct by_hand *row, trc_annotate_fn *of)
{
	const struct trc_annotation is = of(row->word);

	CHECK_MSG(is.len > 0 && same(row->written, (uint32_t)is.regs) &&
	                  same(row->read, (uint32_t)(is.regs >> 32)),
	          "%s: %016llx", row->text, (unsigned long long)is.regs);
	CHECK_MSG((is.branch & TRC_BRANCH_KIND) == row->kind && !row->kind == !is.branch,
	          "%s: branch %u", row->text, is.branch);
}

enum { SI = 4, BP = 5, SP = 6, DX = 8, CX = 9, AX = 10, R12 = 15 };

/* The first byte is the lowest. */
static const struct by_hand x86[] = {
	{ 0x55, { SP }, { BP, SP }, 0, "push rbp" },
	{ 0xe58948, { BP }, { SP }, 0, "mov rbp,rsp" },
	{ 0xc83948, { 25 }, { AX, CX }, 0, "cmp rax,rcx" },
	{ 0xd00148, { AX, 25 }, { AX, DX }, 0, "add rax,rdx" },
	{ 0xd011, { AX, 25 }, { AX, DX, 25 }, 0, "adc eax,edx" },
	{ 0xc1440f48, { AX }, { AX, CX, 25 }, 0, "cmovz rax,rcx" },
	{ 0x0824448d4c, { 11 }, { SP }, 0, "lea r8,[rsp+8]" },
	{ 0x24048b4d, { 11 }, { R12 }, 0, "mov r8,[r12]" },
	{ 0x25048b64, { AX }, { 23 }, 0, "mov eax,fs:[0]" },
	{ 0x0000000000441f0f, { 0 }, { 0 }, 0, "nop dword [rax+rax]" },
	{ 0xc0effdc5, { 64 }, { 64 }, 0, "vpxor ymm0,ymm0,ymm0" },
	{ 0xc158497cf162, { 64 }, { 64, 97, 65 }, 0, "vaddps zmm0{k1},zmm0,zmm1" },
	{ 0x0be9, { 26 }, { 26 }, TRC_BRANCH_JUMP, "jmp" },
	{ 0x0274, { 26 }, { 26, 25 }, TRC_BRANCH_COND, "jz" },
	{ 0xfee2, { 26, CX }, { 26, CX }, TRC_BRANCH_COND, "loop" },
	{ 0xe0ff, { 26 }, { AX }, TRC_BRANCH_INDIRECT, "jmp rax" },
	{ 0x0100000025ff, { 26 }, { 1 }, TRC_BRANCH_INDIRECT, "jmp [rip+...]" },
	{ 0x2424ff, { 26 }, { 27 }, TRC_BRANCH_INDIRECT, "jmp [rsp]" },
	{ 0x01000000e8, { 26, SP }, { 26, SP }, TRC_BRANCH_CALL, "call" },
	{ 0xd6ff, { 26, SP }, { 26, SP, SI }, TRC_BRANCH_INDIRECT_CALL, "call rsi" },
	{ 0x0100000015ff, { 26, SP }, { 26, SP, 1 }, TRC_BRANCH_INDIRECT_CALL, "call [rip+...]" },
	{ 0xc3, { 26, SP }, { SP }, TRC_BRANCH_RETURN, "ret" },
	/* The first 8 bytes of 10 and 11: all others are numbers. */
	{ 0x060504030201b848, { AX }, { 0 }, 0, "mov rax,..." },
	{ 0x2a000000102484c7, { 0 }, { SP }, 0, "mov dword [rsp+16],..." },
};

/* The register in the last byte of one of 11 was taken for xmm0, and where a branch of more than 8
 * bytes goes for what its first bytes have. */
static void
x86_words_that_do_not_suffice(void)
{
	CHECK(!trc_annotate_x86 || trc_annotate_x86(0x001024844a61e3c4).len == 0);
	CHECK(!trc_annotate_x86 || trc_annotate_x86(0x840f2e2e2e2e2e2e).len == 0);
}

static void
x86_by_hand(void)
{
	for (size_t i = 0; trc_annotate_x86 && i < TRC_COUNT(x86); i++)
		check(&x86[i], trc_annotate_x86);
}

#define X(n) (32 + (n))
#define V(n) (64 + (n))

static const struct by_hand a64[] = {
	{ 0xa9bf7bf0, { 6 }, { X(16), X(30), 6 }, 0, "stp x16,x30,[sp,#-16]!" },
	{ 0xa94157f3, { X(19), X(21) }, { 6 }, 0, "ldp x19,x21,[sp,#16]" },
	{ 0xeb14003f, { 25 }, { X(1), X(20) }, 0, "cmp x1,x20" },
	{ 0xf27d7c3f, { 25 }, { X(1) }, 0, "tst x1,#0x7fffffff8" },
	{ 0x910003fd, { X(29) }, { 6 }, 0, "mov x29,sp" },
	{ 0xaa0003e1, { X(1) }, { X(0) }, 0, "mov x1,x0" },
	{ 0xd53bd054, { X(20) }, { 0 }, 0, "mrs x20,tpidr_el0" },
	{ 0xf2800001, { X(1) }, { X(1) }, 0, "movk x1,#0" },
	{ 0xf9800041, { 0 }, { X(2) }, 0, "prfm pldl1strm,[x2]" },
	{ 0x1a9f17e6, { X(6) }, { 25 }, 0, "cset w6,eq" },
	{ 0x9b197e76, { X(22) }, { X(19), X(25) }, 0, "mul x22,x19,x25" },
	{ 0x0ea49420, { V(0) }, { V(0), V(1), V(4) }, 0, "mla v0.2s,v1.2s,v4.2s" },
	{ 0x54000140, { 26 }, { 26, 25 }, TRC_BRANCH_COND, "b.eq" },
	{ 0x37080780, { 26 }, { 26, X(0) }, TRC_BRANCH_COND, "tbnz w0,#1" },
	{ 0x14000003, { 26 }, { 26 }, TRC_BRANCH_JUMP, "b" },
	{ 0xd61f0220, { 26 }, { X(17) }, TRC_BRANCH_INDIRECT, "br x17" },
	{ 0x94000001, { 26, 6, X(30) }, { 26, 6 }, TRC_BRANCH_CALL, "bl" },
	{ 0xd63f0060, { 26, 6, X(30) }, { 26, 6, X(3) }, TRC_BRANCH_INDIRECT_CALL, "blr x3" },
	{ 0xd65f03c0, { 26, 6 }, { 6, X(30) }, TRC_BRANCH_RETURN, "ret" },
	{ 0xd503233f, { X(30) }, { X(30), 6 }, 0, "paciasp" },
};

static void
aarch64_by_hand(void)
{
	for (size_t i = 0; i < TRC_COUNT(a64); i++)
		check(&a64[i], trc_annotate_aarch64);
	/* A fifth register has no place. */
	CHECK(trc_annotate_aarch64(0x4cdf2020).more && !trc_annotate_aarch64(0x4c402020).more);
	CHECK(trc_annotate_aarch64(0).len == 0 && trc_annotate_aarch64(UINT64_C(1) << 32).len == 0);
}

/* As a reader of the trace finds them. */
static void
check_random(trc_annotate_fn *of, uint64_t mask)
{
	struct generator m = { test_seed };
	unsigned seen[8] = { 0 };

	for (unsigned i = 0; i < 1000000; i++) {
		const uint64_t word = generate_random(&m) & mask;
		const struct trc_annotation is = of(word);
		const uint8_t kind = is.branch & TRC_BRANCH_KIND;

		CHECK_MSG(trc_registers_kind(is.regs) == kind, "%016llx: %u, registers %016llx",
		          (unsigned long long)word, kind, (unsigned long long)is.regs);
		CHECK(is.len || (!is.branch && !is.regs));
		seen[kind >> TRC_BRANCH_SHIFT]++;
	}
	for (unsigned kind = 0; kind < 7; kind++)
		CHECK_MSG(seen[kind] > 0, "%u", kind);
}

static void
champsim_infers_the_kinds_that_they_have(void)
{
	if (trc_annotate_x86)
		check_random(trc_annotate_x86, UINT64_MAX);
	check_random(trc_annotate_aarch64, UINT32_MAX);
}

static void
a_conditional_branch_has_its_target_and_length(void)
{
	const struct trc_annotation back = trc_annotate_aarch64(0x54ffffe1); /* b.ne .-4 */
	const struct trc_annotation tbz = trc_annotate_aarch64(0x36000120);  /* tbz w0,#0,.+36 */

	CHECK(back.target == -4 && back.len == 4 && trc_annotation_open(&back));
	CHECK(tbz.target == 36 && tbz.len == 4);
	if (trc_annotate_x86) {
		const struct trc_annotation jnz = trc_annotate_x86(0xfe75);
		const struct trc_annotation far_jz = trc_annotate_x86(0x00001000840f);

		CHECK(jnz.target == 0 && jnz.len == 2);
		CHECK(far_jz.target == 0x1006 && far_jz.len == 6);
	}
}

int
main(void)
{
	test_start();
	RUN(x86_by_hand);
	RUN(x86_words_that_do_not_suffice);
	RUN(aarch64_by_hand);
	RUN(champsim_infers_the_kinds_that_they_have);
	RUN(a_conditional_branch_has_its_target_and_length);
	return 0;
}
