/* SPDX-License-Identifier: MIT
 * Annotations of RV64GC: registers against the opcode map of the manual, kinds of branches against
 * its table of hints and against the rules by which ChampSim classifies them. */
#include "machine/hart/annotate.h"

#include <string.h>

#include "generate.h"
#include "stage/stage.h"
#include "test.h"

enum { SP = 6, FLAGS = 25, IP = 26 }; /* as ChampSim numbers them */

/* Number of a register x or f, as the help has it. */
static unsigned
x(unsigned reg)
{
	switch (reg) {
	case 2: return SP;
	case 6: return 2;
	case 25: return 32;
	case 26: return 33;
	}
	return reg;
}

static unsigned
f(unsigned reg)
{
	return 64 + reg;
}

struct set {
	unsigned reg[4], n;
};

static void
put(struct set *s, unsigned reg)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->reg[i] == reg)
			return;
	if (reg)
		s->reg[s->n++] = reg;
}

static bool
same(const struct set *s, uint32_t regs)
{
	for (unsigned i = 0; i < 4; i++)
		if ((i < s->n ? s->reg[i] : 0) != (regs >> 8 * i & 255))
			return false;
	return true;
}

/* Computations of floating point by funct5: volume I, table 24.2. */
static void
float_registers(unsigned funct5, unsigned rd, unsigned rs1, unsigned rs2, struct set *w,
                struct set *r)
{
	put(w, funct5 == 20 || funct5 == 24 || funct5 == 28 ? x(rd) : f(rd));
	put(r, funct5 == 26 || funct5 == 30 ? x(rs1) : f(rs1));
	if (funct5 < 6 || funct5 == 20)
		put(r, f(rs2));
}

/* The registers of an instruction of 32 bits that is no branch, by its major opcode: table 24.1. */
static void
registers(uint32_t word, struct set *w, struct set *r)
{
	const unsigned rd = word >> 7 & 31, rs1 = word >> 15 & 31, rs2 = word >> 20 & 31;
	const unsigned funct3 = word >> 12 & 7;

	*w = *r = (struct set){ .n = 0 };
	switch (word & 0x7f) {
	case 0x03: put(w, x(rd)), put(r, x(rs1)); break; /* LOAD */
	case 0x07: put(w, f(rd)), put(r, x(rs1)); break; /* LOAD-FP */
	case 0x13:
	case 0x1b: put(w, x(rd)), put(r, x(rs1)); break; /* OP-IMM */
	case 0x17:
	case 0x37: put(w, x(rd)); break;                  /* AUIPC, LUI */
	case 0x23: put(r, x(rs1)), put(r, x(rs2)); break; /* STORE */
	case 0x27: put(r, x(rs1)), put(r, f(rs2)); break; /* STORE-FP */
	case 0x2f:
	case 0x33:
	case 0x3b: /* AMO, OP */ put(w, x(rd)), put(r, x(rs1)), put(r, x(rs2)); break;
	case 0x43:
	case 0x47:
	case 0x4b:
	case 0x4f: /* MADD, ... */
		put(w, f(rd)), put(r, f(rs1)), put(r, f(rs2)), put(r, f(word >> 27));
		break;
	case 0x53: float_registers(word >> 27, rd, rs1, rs2, w, r); break;
	case 0x73:
		if (funct3 != 0)
			put(w, x(rd));
		if (funct3 == 0 && word >> 25 == 9)
			put(r, x(rs1)), put(r, x(rs2)); /* sfence.vma */
		else if (funct3 != 0 && funct3 < 4)
			put(r, x(rs1));
		break;
	}
}

static bool
is_branch(uint32_t word)
{
	const unsigned major = word & 0x7f;

	return major == 0x63 || major == 0x67 || major == 0x6f;
}

/* Checks a word of any kind; returns whether it is an instruction, but no branch. */
static bool
check_registers(uint32_t word)
{
	const struct trc_annotation is = trc_annotate_riscv(word);
	const uint32_t whole = (word & 3) == 3 ? word : trc_decompress((uint16_t)word);
	struct set w, r;

	if (trc_decode(word).op == TRC_OP_illegal) {
		CHECK_MSG(is.regs == 0 && is.branch == 0, "%08lx", (unsigned long)word);
		return false;
	}
	CHECK_MSG(!!is.branch == is_branch(whole), "%08lx", (unsigned long)word);
	if (is.branch)
		return false;
	registers(whole, &w, &r);
	CHECK_MSG(same(&w, (uint32_t)is.regs) && same(&r, (uint32_t)(is.regs >> 32)),
	          "%08lx: %016llx", (unsigned long)word, (unsigned long long)is.regs);
	return true;
}

/* All of the C extension, and random words of each major opcode. */
static void
registers_are_those_of_the_opcode_map(void)
{
	struct generator m = { test_seed };
	unsigned seen = 0;

	for (uint32_t word = 0; word < 0x10000; word++)
		if ((word & 3) != 3) {
			const struct trc_annotation is = trc_annotate_riscv(word);
			const struct trc_annotation more = trc_annotate_riscv(word | 0xabcd0000);

			/* QEMU's execlog prints four bytes of each instruction. */
			CHECK(is.regs == more.regs && is.branch == more.branch &&
			      is.target == more.target);
			seen += check_registers(word);
		}
	for (unsigned i = 0; i < 1000000; i++)
		seen += check_registers((uint32_t)generate_random(&m) << 7 |
		                        (uint32_t)generate_below(&m, 32) << 2 | 3);
	CHECK(seen > 200000);
	CHECK(trc_annotate_riscv(UINT64_C(1) << 32 | 0x13).regs == 0);
}

/* A few, as an assembler gives them and as a person reads them. */
static void
some_by_hand(void)
{
	static const struct {
		uint32_t word;
		uint64_t regs;
		const char *text;
	} why[] = {
		{ 0x00000013, 0, "nop" },
		{ 0x00c58533, UINT64_C(0x0c0b0000000a), "add a0,a1,a2" },
		{ 0x00b50533, UINT64_C(0x0b0a0000000a), "add a0,a0,a1" },
		{ 0x00a50533, UINT64_C(0x000a0000000a), "add a0,a0,a0" },
		{ 0xff010113, UINT64_C(0x000600000006), "addi sp,sp,-16" },
		{ 0x00813083, UINT64_C(0x000600000001), "ld ra,8(sp)" },
		{ 0x00613423, UINT64_C(0x020600000000), "sd t1,8(sp)" },
		{ 0x01ac8cb3, UINT64_C(0x212000000020), "add s9,s9,s10" },
		{ 0x6ab57543, UINT64_C(0x4d4b4a0000004a), "fmadd.d fa0,fa0,fa1,fa3" },
		{ 0x1141, UINT64_C(0x000600000006), "addi sp,sp,-16, compressed" },
		{ 0xe406, UINT64_C(0x010600000000), "sd ra,8(sp), compressed" },
	};

	for (size_t i = 0; i < TRC_COUNT(why); i++)
		CHECK_MSG(trc_annotate_riscv(why[i].word).regs == why[i].regs, "%s: %llx",
		          why[i].text, (unsigned long long)trc_annotate_riscv(why[i].word).regs);
}

static bool
among(uint32_t regs, unsigned reg)
{
	for (int i = 0; i < 32; i += 8)
		if ((regs >> i & 255) == reg)
			return true;
	return false;
}

static bool
others(uint32_t regs)
{
	for (int i = 0; i < 32; i += 8) {
		const unsigned reg = regs >> i & 255;

		if (reg && reg != SP && reg != FLAGS && reg != IP)
			return true;
	}
	return false;
}

/* The kind that ChampSim finds when it reads a trace; 0: none of its kinds. */
static uint8_t
champsim_kind(uint64_t regs)
{
	const uint32_t w = (uint32_t)regs, r = (uint32_t)(regs >> 32);
	const bool reads_sp = among(r, SP), reads_flags = among(r, FLAGS), reads_ip = among(r, IP);
	const bool writes_sp = among(w, SP), writes_ip = among(w, IP), reads_other = others(r);

	if (!reads_sp && !reads_flags && writes_ip && !reads_other)
		return TRC_BRANCH_JUMP;
	if (!reads_sp && !reads_ip && !reads_flags && writes_ip && reads_other)
		return TRC_BRANCH_INDIRECT;
	if (!reads_sp && reads_ip && !writes_sp && writes_ip && (reads_flags || reads_other))
		return TRC_BRANCH_COND;
	if (reads_sp && reads_ip && writes_sp && writes_ip && !reads_flags && !reads_other)
		return TRC_BRANCH_CALL;
	if (reads_sp && reads_ip && writes_sp && writes_ip && !reads_flags && reads_other)
		return TRC_BRANCH_INDIRECT_CALL;
	if (reads_sp && !reads_ip && writes_sp && writes_ip)
		return TRC_BRANCH_RETURN;
	return 0;
}

/* What the hints of the manual, table 2.1, make of jalr. */
static uint8_t
hinted(unsigned rd, unsigned rs1)
{
	const bool pushes = rd == 1 || rd == 5, pops = (rs1 == 1 || rs1 == 5) && rs1 != rd;

	if (rs1 == 0)
		return pushes ? TRC_BRANCH_CALL : TRC_BRANCH_JUMP;
	if (pushes)
		return TRC_BRANCH_INDIRECT_CALL;
	return pops ? TRC_BRANCH_RETURN : TRC_BRANCH_INDIRECT;
}

static void
check_kind(uint32_t word, uint8_t kind)
{
	const struct trc_annotation is = trc_annotate_riscv(word);
	const uint8_t taken = kind == TRC_BRANCH_COND ? 0 : TRC_BRANCH_TAKEN;

	CHECK_MSG(is.branch == (TRC_BRANCH | taken | kind), "%08lx: %u", (unsigned long)word,
	          is.branch);
	CHECK_MSG(champsim_kind(is.regs) == kind, "%08lx: %016llx", (unsigned long)word,
	          (unsigned long long)is.regs);
	/* There is room for two written registers in a record of ChampSim. */
	CHECK((is.regs & 0xffff0000) == 0);
}

/* With every pair of registers. */
static void
champsim_infers_the_kinds_of_branches_that_they_have(void)
{
	for (unsigned a = 0; a < 32; a++) {
		check_kind(0x0000006f | a << 7,
		           a == 1 || a == 5 ? TRC_BRANCH_CALL : TRC_BRANCH_JUMP);
		for (unsigned b = 0; b < 32; b++) {
			check_kind(0x00000067 | a << 7 | b << 15, hinted(a, b));
			for (unsigned funct3 = 0; funct3 < 8; funct3++)
				if (funct3 != 2 && funct3 != 3)
					check_kind(0x00000063 | funct3 << 12 | a << 15 | b << 20,
					           TRC_BRANCH_COND);
		}
	}
	check_kind(0x8082, TRC_BRANCH_RETURN);        /* c.jr ra */
	check_kind(0x9782, TRC_BRANCH_INDIRECT_CALL); /* c.jalr a5 */
	check_kind(0xa001, TRC_BRANCH_JUMP);          /* c.j */
	check_kind(0xc111, TRC_BRANCH_COND);          /* c.beqz a0 */
}

/* Nothing else looks like a branch, or reads what ChampSim takes for flags. */
static void
no_other_instruction_looks_like_a_branch(void)
{
	struct generator m = { test_seed };

	for (unsigned i = 0; i < 1000000; i++) {
		const struct trc_annotation is = trc_annotate_riscv((uint32_t)generate_random(&m));
		const uint32_t w = (uint32_t)is.regs, r = (uint32_t)(is.regs >> 32);

		if (!is.branch)
			CHECK(!among(w, IP) && !among(r, IP) && !among(w, FLAGS) &&
			      !among(r, FLAGS) && w <= 255);
	}
}

struct row {
	uint8_t type;
	uint64_t addr, insn;
	uint8_t was;  /* column branch of the trace */
	uint8_t want; /* TRC_BRANCH_TAKEN, _UNKNOWN or 0, of what is a branch */
};

static void
check_taken(const struct row *row, size_t n, uint32_t more)
{
	struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_INSN | more, n),
	                 all;
	struct trc_err err;

	for (size_t i = 0; i < n; i++) {
		b.type[i] = row[i].type;
		b.addr[i] = row[i].addr;
		b.insn[i] = row[i].insn;
		if (b.branch)
			b.branch[i] = row[i].was;
	}
	for (size_t most = 1; most <= n; most++) {
		struct trc_source *src = trc_stage_annotate(generate_source(&b, most),
		                                            trc_annotate_riscv, 0, &err);

		CHECK(generate_collect(src, 1 + most % 3, &all, NULL, &err) == 0);
		CHECK(all.n == n &&
		      all.have == (b.have | TRC_HAS_SIZE | TRC_HAS_BRANCH | TRC_HAS_REGS));
		for (size_t i = 0; i < n; i++)
			CHECK_MSG((all.branch[i] & (TRC_BRANCH_TAKEN | TRC_BRANCH_UNKNOWN)) ==
			                  row[i].want,
			          "row %zu", i);
		trc_batch_release(&all);
	}
	trc_batch_release(&b);
}

#define BEQ_8 UINT32_C(0x00000463)      /* beq x0,x0,.+8 */
#define BEQ_BACK_8 UINT32_C(0xfe000ce3) /* beq x0,x0,.-8 */
#define SD UINT32_C(0x00113423)

/* By the address of the next fetch, the kernel's own for the kernel; unknown behind the last ones,
 * and where that is neither the target nor what stands behind the branch. */
static void
the_next_fetch_shows_whether_a_branch_was_taken(void)
{
	static const struct row row[] = {
		{ TRC_FETCH, 100, BEQ_8, 0, TRC_BRANCH_TAKEN },
		{ TRC_FETCH | TRC_KERNEL, 5000, BEQ_8, 0, TRC_BRANCH_UNKNOWN },
		{ TRC_FETCH, 108, BEQ_8, 0, 0 },
		{ TRC_READ, 120, 0, 0, 0 },
		{ TRC_FETCH, 112, BEQ_8, 0, TRC_BRANCH_UNKNOWN },
		{ TRC_FETCH, 8, BEQ_BACK_8, 0, TRC_BRANCH_TAKEN },
		{ TRC_FETCH | TRC_KERNEL, 16, BEQ_BACK_8, 0, TRC_BRANCH_UNKNOWN },
		{ TRC_FETCH, 0, BEQ_BACK_8, 0, TRC_BRANCH_TAKEN },
		{ TRC_FETCH, UINT64_MAX - 7, SD, 0, 0 },
		{ TRC_WRITE, 0x1000, 0, 0, 0 },
		{ TRC_FETCH, 4, 0x0040006f, 0, TRC_BRANCH_TAKEN }, /* j .+4 */
		{ TRC_FETCH, 8, 0xc111, 0, 0 },                    /* c.beqz a0,.+4 */
		{ TRC_FETCH, 10, BEQ_8, 0, TRC_BRANCH_UNKNOWN },
	};

	check_taken(row, TRC_COUNT(row), 0);
}

/* The trace's own column holds even where the next row is another thread's. */
static void
a_trace_with_taken_branches_keeps_them(void)
{
	static const struct row row[] = {
		{ TRC_FETCH, 100, BEQ_8, TRC_BRANCH | TRC_BRANCH_TAKEN, TRC_BRANCH_TAKEN },
		{ TRC_FETCH, 104, BEQ_8, TRC_BRANCH, 0 },
		{ TRC_FETCH, 112, BEQ_8, 0, TRC_BRANCH_TAKEN },
		{ TRC_FETCH, 120, 0, TRC_BRANCH | TRC_BRANCH_TAKEN, TRC_BRANCH_TAKEN },
		{ TRC_FETCH, 0, BEQ_8, TRC_BRANCH | TRC_BRANCH_TAKEN, TRC_BRANCH_TAKEN },
	};

	check_taken(row, TRC_COUNT(row), TRC_HAS_BRANCH);
}

/* With sizes: a word has more than the path, and an instruction of another size is none. */
static void
the_path_shows_what_no_word_has(void)
{
	static const struct {
		uint64_t addr, insn;
		uint32_t size;
		uint8_t want;
	} row[] = {
		{ 100, BEQ_8, 4, TRC_BRANCH | TRC_BRANCH_COND | TRC_BRANCH_TAKEN },
		{ 108, 0, 4, TRC_BRANCH | TRC_BRANCH_TAKEN },
		{ 0x200, 0x13, 4, 0 }, /* then a signal: a nop is no branch */
		{ 108, BEQ_8, 6, TRC_BRANCH | TRC_BRANCH_COND },
		{ 114, BEQ_8, 4, TRC_BRANCH | TRC_BRANCH_COND },
		{ 118, 0, 2, 0 },
		{ 120, 0, 2, 0 },
	};
	struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE |
	                                            TRC_HAS_INSN,
	                                    TRC_COUNT(row)),
	                 all;
	struct trc_meta meta;
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		b.type[i] = TRC_FETCH;
		b.addr[i] = row[i].addr;
		b.insn[i] = row[i].insn;
		b.size[i] = row[i].size;
	}
	CHECK(generate_collect(trc_stage_annotate(generate_source(&b, 3), trc_annotate_riscv, 0,
	                                          &err),
	                       4, &all, &meta, &err) == 0);
	for (size_t i = 0; i < TRC_COUNT(row); i++)
		CHECK_MSG(all.branch[i] == row[i].want, "row %zu: %u", i, all.branch[i]);
	trc_batch_release(&all);
	trc_batch_release(&b);
}

static void
a_trace_without_instruction_words_is_refused(void)
{
	struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR, 1);
	struct trc_source *from = generate_source(&b, 1);
	struct trc_err err;

	CHECK(!trc_stage_annotate(from, trc_annotate_riscv, 0, &err));
	CHECK(strstr(err.text, "lacks 'insn'"));
	trc_source_close(from);
	trc_batch_release(&b);
}

int
main(void)
{
	test_start();
	RUN(registers_are_those_of_the_opcode_map);
	RUN(some_by_hand);
	RUN(champsim_infers_the_kinds_of_branches_that_they_have);
	RUN(no_other_instruction_looks_like_a_branch);
	RUN(the_next_fetch_shows_whether_a_branch_was_taken);
	RUN(a_trace_with_taken_branches_keeps_them);
	RUN(the_path_shows_what_no_word_has);
	RUN(a_trace_without_instruction_words_is_refused);
	return 0;
}
