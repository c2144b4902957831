/* SPDX-License-Identifier: MIT
 *
 * Logs of the RISC-V simulator Spike, as written by its riscv/execute.cc and riscv/processor.cc:
 * `spike -l` writes a line for each instruction that begins, `spike --log-commits` one for each
 * that completes, and both options write both.
 *
 *   core   0: 0x80001000 (0x00052283) lw      t0, 0(a0)
 *   core   0: 3 0x80001000 (0x00052283) x5  0x00000007 mem 0x80004010
 *   core   0: 3 0x80001004 (0x00a5a423) mem 0x80005008 0x80004010
 *   3 0x80001008 (0x00000013)
 *
 * A line has the processor, in commits the privilege (0: user, else the kernel), pc and instruction
 * word; then the disassembly, or the registers written and the accesses: 'mem' and an address is a
 * load, and with a value a store. Addresses have 32 or 64 bits. Before 2020 commits had no "core
 * 0: ", like the last line here.
 *
 * Each commit becomes the fetch, with its word, and its loads and stores; the processor is the
 * task. The size of a store is that of its value, the size of a load follows from the word; an
 * atomic instruction that loads and stores is one modify. If there are commits, other lines are
 * skipped. A log without commits has only fetches, never in the kernel, and includes instructions
 * that end in an exception. --annotate riscv adds branches and registers. The format does not hold
 * times and page table walks.
 */
#include "format/lines.h"

enum {
	ACCESSES = 128, /* limit for an instruction */
	HOLDS = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TASK | TRC_HAS_INSN
};

/* Whether the log has commits, as far as is known. */
enum mode { UNKNOWN, LISTING, COMMITS };

struct state {
	uint64_t mode;
	uint64_t pc,
	        word; /* of the first line, if it is not a commit: the next line shows the mode */
	uint32_t task;
	bool waits;
};

/* The beginning of a line with an instruction. */
struct insn {
	uint64_t pc, word, task, priv;
	bool commit;
	unsigned xlen;        /* size of an address in bytes */
	const uint8_t *after; /* after the word */
};

static bool
next_word(const uint8_t **s, const uint8_t *e, struct trc_field *f)
{
	return trc_text_word(s, e, TRC_TEXT_BLANKS | TRC_TEXT_RETURN, f);
}

static bool
is_hex(struct trc_field f)
{
	return f.len > 2 && f.p[0] == '0' && f.p[1] == 'x';
}

/* Parses "core   0:", which becomes the task. */
static bool
take_core(const uint8_t **s, const uint8_t *e, uint64_t *task)
{
	struct trc_field f;

	return next_word(s, e, &f) && trc_field_is(f, "core") && next_word(s, e, &f) && f.len > 1 &&
	       f.p[f.len - 1] == ':' &&
	       trc_field_dec((struct trc_field){ f.p, f.len - 1 }, UINT32_MAX, task);
}

static bool
take_insn(const uint8_t *s, const uint8_t *e, struct insn *in)
{
	const uint8_t *p = s;
	struct trc_field f;

	*in = (struct insn){ 0 };
	if (!take_core(&p, e, &in->task))
		p = s; /* a commit in the old form */
	in->commit = p == s;
	if (!next_word(&p, e, &f))
		return false;
	if (!is_hex(f)) {
		if (f.len != 1 || !trc_field_dec(f, 3, &in->priv) || !next_word(&p, e, &f))
			return false;
		in->commit = true;
	} else if (in->commit) {
		return false;
	}
	in->xlen = f.len == 2 + 8 ? 4 : 8;
	if (!is_hex(f) || !trc_field_hex(f, UINT64_MAX, &in->pc) || !next_word(&p, e, &f) ||
	    f.len < 5 || f.p[0] != '(' || f.p[f.len - 1] != ')')
		return false;
	in->after = p;
	f = (struct trc_field){ f.p + 1, f.len - 2 };
	return is_hex(f) && trc_field_hex(f, UINT64_MAX, &in->word);
}

/* Returns the length of an instruction: 2, 4, 6 or 8 bytes. */
static uint32_t
length_of(uint64_t word)
{
	return (word & 3) != 3 ? 2 : (word & 31) != 31 ? 4 : (word & 63) != 63 ? 6 : 8;
}

/* Returns the bytes of each load of a compressed instruction. */
static uint32_t
compressed_load_size(uint64_t word, unsigned xlen)
{
	const unsigned funct3 = word >> 13 & 7;

	if ((word & 3) == 1)
		return 0;
	switch (funct3) {
	case 1: return 8;                                           /* c.fld */
	case 2: return 4;                                           /* c.lw */
	case 3: return xlen;                                        /* c.ld, c.flw */
	case 4: return (word & 3) == 0 ? 1 << (word >> 10 & 1) : 0; /* c.lbu, c.lhu, c.lh */
	case 5: return (word & 3) == 2 ? xlen : 0;                  /* cm.pop, cm.jt */
	default: return 0;
	}
}

/* Returns the bytes of each load of an instruction, by the opcodes of the RISC-V manual; 0: it is
 * not known to load. `sew` is the element size of a vector instruction, from the commit. */
static uint32_t
load_size(uint64_t word, unsigned xlen, uint32_t sew)
{
	const unsigned funct3 = word >> 12 & 7;

	if ((word & 3) != 3)
		return compressed_load_size(word, xlen);
	switch (word & 0x7f) {
	case 0x03: return 1u << (funct3 & 3);
	case 0x07: /* for vectors, funct3 is the width of the elements, or of their indices */
		if (funct3 >= 1 && funct3 <= 4)
			return 1u << funct3;
		return word >> 26 & 1 ? sew : funct3 == 0 ? 1 : 1u << (funct3 - 4);
	case 0x2f: return funct3 <= 4 ? 1u << funct3 : 0;
	case 0x73: return funct3 == 4 ? 1u << (word >> 26 & 3) : 0; /* hlv */
	default: return 0;
	}
}

/* Returns true for atomic instructions except lr and sc. */
static bool
is_amo(uint64_t word)
{
	return (word & 0x7f) == 0x2f && word >> 27 != 2 && word >> 27 != 3;
}

static void
put(struct trc_batch *b, uint8_t type, const struct insn *in, uint64_t addr, uint32_t size)
{
	b->type[b->n] = type | (in->priv ? TRC_KERNEL : 0);
	b->addr[b->n] = addr;
	b->size[b->n] = size;
	b->task[b->n] = (uint32_t)in->task;
	b->insn[b->n++] = type == TRC_FETCH ? in->word : 0;
}

/* Parses a register, its value, or the vector settings of a commit, such as "e32" for the element
 * size. */
static bool
is_register(struct trc_field f, uint32_t *sew)
{
	uint64_t bits;

	if (f.p[0] == 'e' && trc_field_dec((struct trc_field){ f.p + 1, f.len - 1 }, 64, &bits))
		*sew = (uint32_t)bits / 8;
	return memchr("xfvceml0123456789", f.p[0], 17) != NULL;
}

/* Parses the loads and stores after the word of a commit. Returns NULL, or what is wrong. */
static const char *
take_accesses(const struct insn *in, const uint8_t *e, struct trc_batch *b)
{
	const size_t fetch = b->n - 1;
	const uint8_t *s = in->after;
	struct trc_field f;
	uint32_t sew = 0;
	bool more = next_word(&s, e, &f);

	for (; more && !trc_field_is(f, "mem"); more = next_word(&s, e, &f))
		if (!is_register(f, &sew))
			return "";
	while (more) {
		uint32_t size = load_size(in->word, in->xlen, sew);
		uint8_t type = TRC_READ;
		uint64_t addr;

		if (!trc_field_is(f, "mem") || !next_word(&s, e, &f) || !is_hex(f) ||
		    !trc_field_hex(f, UINT64_MAX, &addr))
			return "";
		more = next_word(&s, e, &f);
		if (more && is_hex(f)) {
			type = TRC_WRITE;
			size = (uint32_t)(f.len - 1) / 2;
			more = next_word(&s, e, &f);
		}
		if (size == 0)
			return "the size of this load instruction is unknown";
		if (b->n - fetch > ACCESSES)
			return "that is an instruction with more than 128 accesses";
		if (type == TRC_WRITE && b->n == fetch + 2 && b->addr[b->n - 1] == addr &&
		    is_amo(in->word))
			b->type[b->n - 1] += TRC_MODIFY - TRC_READ;
		else
			put(b, type, in, addr, size);
	}
	return NULL;
}

/* Appends fetches of the last instruction of `-l`. */
static void
put_listed(struct state *st, size_t times, struct trc_batch *b)
{
	const struct insn in = { .pc = st->pc, .word = st->word, .task = st->task };

	for (st->waits = false; times > 0; times--)
		put(b, TRC_FETCH, &in, in.pc, length_of(in.word));
}

static const char *
take_commit(struct state *st, const struct insn *in, const uint8_t *e, struct trc_batch *b)
{
	if (st->mode == LISTING)
		return "commits begin here, but the instructions before have none";
	st->waits = false;
	st->mode = COMMITS;
	put(b, TRC_FETCH, in, in->pc, length_of(in->word));
	return take_accesses(in, e, b);
}

/* Processes an instruction of `-l`. The first one waits for the next line, which may be its
 * commit. */
static const char *
take_listed(struct state *st, const struct insn *in, struct trc_batch *b)
{
	if (st->mode == COMMITS)
		return NULL;
	st->mode = st->waits ? LISTING : st->mode;
	if (st->waits)
		put_listed(st, 1, b);
	st->pc = in->pc;
	st->word = in->word;
	st->task = (uint32_t)in->task;
	if (st->mode == LISTING)
		put_listed(st, 1, b);
	st->waits = st->mode == UNKNOWN;
	return NULL;
}

/* Handles other lines of Spike: "core   0: >>>>  main", "exception trap_...", "tval 0x0", and
 * "Executed 5 times", in hexadecimal, after the only line of an instruction that was executed
 * several times. */
static const char *
take_note(struct state *st, const uint8_t *s, const uint8_t *e, struct trc_batch *b)
{
	const uint8_t *p = s;
	struct trc_field f;
	uint64_t task, times;

	if (!take_core(&s, e, &task))
		return next_word(&p, e, &f) && !trc_field_is(f, "warning:") &&
		                       !trc_field_is(f, "***") ?
		               "" :
		               NULL;
	if (!next_word(&s, e, &f))
		return "";
	if (!trc_field_is(f, "Executed"))
		return trc_field_is(f, ">>>>") || trc_field_is(f, "exception") ||
		                       trc_field_is(f, "tval") ?
		               NULL :
		               "";
	if (!next_word(&s, e, &f) || !trc_field_hex(f, UINT64_MAX, &times) || times == 0)
		return "";
	if (st->mode == COMMITS || (st->mode == UNKNOWN && !st->waits))
		return NULL;
	if (task != st->task || times > ACCESSES)
		return "one line for many instructions; --log-commits writes one for each";
	times -= !st->waits;
	st->mode = LISTING;
	put_listed(st, times, b);
	return NULL;
}

static const char *
take_line(void *state, const uint8_t *s, const uint8_t *e, struct trc_batch *b)
{
	struct state *st = state;
	struct insn in;
	const char *why = !take_insn(s, e, &in) ? take_note(st, s, e, b) :
	                  in.commit             ? take_commit(st, &in, e, b) :
	                                          take_listed(st, &in, b);

	return !why || *why || st->mode == UNKNOWN ?
	               why :
	               "'spike --log=FILE' keeps the output of the program out";
}

const struct trc_format trc_family_spike[] = {
	{
	        .name = "spike",
	        .doc = "log of the RISC-V simulator Spike: -l, --log-commits, or both",
	        .ending = ".spike",
	        .gives = (1 << TRC_READ | 1 << TRC_WRITE | 1 << TRC_FETCH | 1 << TRC_MODIFY) *
	                 (1 | 1 << TRC_KERNEL),
	        .holds = HOLDS,
	        .chained = true,
	        TRC_LINES("core N: [PRIVILEGE] PC (WORD) [REGISTER VALUE]... [mem ADDRESS "
	                  "[VALUE]]...",
	                  .rows = 1 + ACCESSES),
	        .more = TRC_ROW(trc_line_more, .take = take_line,
	                        .state_size = sizeof(struct state)),
	},
	{ .name = NULL },
};
