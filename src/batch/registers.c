/* SPDX-License-Identifier: MIT */
#include "batch/registers.h"

enum { SP = TRC_REGS_SP, FLAGS = TRC_REGS_FLAGS, IP = TRC_REGS_IP };

enum {
	OTHER = 1,     /* any register but the three above */
	SP_OTHER = 27, /* the stack pointer, in a branch of a kind that must not read it */
};

/* The registers with which a branch of each kind begins. */
static const struct begin {
	uint32_t written, read;
	bool reads;    /* the instruction's own registers are read as well */
	bool stack;    /* may read the stack pointer */
	uint8_t other; /* read if there are no others; 0: none */
} begins[8] = {
#define KIND(kind) [TRC_BRANCH_##kind >> TRC_BRANCH_SHIFT]
	KIND(COND) = { IP, IP, true, false, FLAGS },
	KIND(JUMP) = { IP, IP, false, false, 0 },
	KIND(INDIRECT) = { IP, 0, true, false, OTHER },
	KIND(CALL) = { IP | SP << 8, IP | SP << 8, false, true, 0 },
	KIND(INDIRECT_CALL) = { IP | SP << 8, IP | SP << 8, true, true, OTHER },
	KIND(RETURN) = { IP | SP << 8, SP, true, true, 0 },
#undef KIND
};

/* Adds a register unless it is 0 or present; returns false if there is no room. */
static bool
add(uint32_t *side, uint8_t number)
{
	for (unsigned at = 0; number && at < 32; at += 8) {
		const unsigned there = *side >> at & 255;

		if (there == 0)
			*side |= (uint32_t)number << at;
		if (there == 0 || there == number)
			return true;
	}
	return number == 0;
}

void
trc_registers_read(struct trc_registers *r, uint8_t number)
{
	r->more |= !add(&r->read, number);
}

void
trc_registers_write(struct trc_registers *r, uint8_t number)
{
	r->more |= !add(&r->written, number);
}

uint64_t
trc_registers_of_branch(uint8_t branch)
{
	static const struct trc_registers none;

	return branch & TRC_BRANCH_KIND ?
	               trc_registers_annotate(&none, branch & TRC_BRANCH_KIND, 0).regs :
	               (uint64_t)(SP | FLAGS << 8) << 32 | IP;
}

static struct trc_annotation
annotation(const struct trc_registers *r, uint8_t branch, uint8_t len)
{
	return (struct trc_annotation){ .regs = (uint64_t)r->read << 32 | r->written,
		                        .len = len,
		                        .branch = branch,
		                        .more = r->more };
}

struct trc_annotation
trc_registers_annotate(const struct trc_registers *r, uint8_t kind, uint8_t len)
{
	const struct begin *b = &begins[kind >> TRC_BRANCH_SHIFT];
	struct trc_registers all = { b->written, b->read, r->more };

	if (!kind)
		return annotation(r, 0, len);
	for (unsigned at = 0; at < 32; at += 8) {
		const uint8_t reads = (uint8_t)(r->read >> at);

		trc_registers_write(&all, (uint8_t)(r->written >> at));
		if (b->reads)
			trc_registers_read(&all, reads == SP && !b->stack ? SP_OTHER : reads);
	}
	if (all.read == b->read)
		trc_registers_read(&all, b->other);
	return annotation(&all,
	                  TRC_BRANCH | kind | (kind == TRC_BRANCH_COND ? 0 : TRC_BRANCH_TAKEN),
	                  len);
}
