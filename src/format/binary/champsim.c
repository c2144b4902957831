/* SPDX-License-Identifier: MIT
 *
 * The instruction traces of ChampSim (inc/trace_instruction.h), little-endian records of 64 bytes
 * without a header:
 *
 *    0  ip, 8 bytes
 *    8  is_branch, taken, 1 byte each
 *   10  written registers, 2
 *   12  read registers, 4
 *   16  addresses of stores, 2 of 8 bytes
 *   32  addresses of loads, 4 of 8 bytes
 *
 * And those of CloudSuite, 96 bytes:
 *
 *    0  ip, 8 bytes
 *    8  is_branch, taken, 1 byte each
 *   10  written registers, 4
 *   14  read registers, 4, and 6 bytes of padding
 *   24  addresses of stores, 4 of 8 bytes
 *   56  addresses of loads, 4 of 8 bytes
 *   88  asid, 2 bytes, and 6 of padding
 *
 * A register or an address of 0 means none. A record becomes the fetch, its loads and its stores,
 * in this order. The fetch has the branch and the registers. A load or store has branch 0, and as
 * its registers the number of unused places before it, which is 0 in all files of ChampSim's own
 * tracers. So the whole record can be restored. The kind of a branch follows from its registers, as
 * in ChampSim; if only the kind is known, registers that imply it are written.
 *
 * A conditional branch reads the instruction pointer, and the flags or, since September 2023, other
 * registers. Earlier versions take the latter for an indirect jump, and one that also reads the
 * flags for none of their kinds. So no record can both keep the compared registers and be a
 * conditional branch to all versions: champsim:flags drops these registers.
 *
 * Loads and stores without a fetch before them become a record of their own if the trace has their
 * pc. The format does not hold sizes, times, threads, and accesses to address 0.
 */
#include "format/binary/champsim.h"

#include <stdio.h>

enum { PROBE_BITS = 16, INSTRUCTION_MOST = 15 };

/* The columns being filled, in local variables, so that no store into a column can change these
 * pointers. */
struct filled {
	uint8_t *type, *branch;
	uint64_t *addr, *regs;
	uint32_t *asid;
};

/* Appends the addresses of `places` that are not 0 as rows of this type. */
static TRC_ALWAYS_INLINE size_t
parse_operands(const uint8_t *p, unsigned places, uint8_t type, uint32_t asid,
               const struct filled b, size_t n)
{
	uint64_t unused = 0;

	for (unsigned i = 0; i < places; i++) {
		const uint64_t addr = trc_le64(p + 8 * i);
		const bool there = addr != 0;

		b.type[n] = type;
		b.addr[n] = addr;
		b.branch[n] = 0;
		b.regs[n] = unused;
		if (b.asid)
			b.asid[n] = asid;
		n += there;
		unused = there ? 0 : unused + 1;
	}
	return n;
}

static TRC_ALWAYS_INLINE size_t
parse_record(const uint8_t *p, const struct layout l, const struct filled b, size_t n)
{
	const uint64_t writes = l.n_dst == 2 ? trc_le16(p + l.dst) : trc_le32(p + l.dst);
	const uint64_t regs = writes | (uint64_t)trc_le32(p + l.src) << 32;
	const uint32_t asid = l.asid ? trc_le16(p + l.asid) : 0;

	b.type[n] = TRC_FETCH;
	b.addr[n] = trc_le64(p);
	b.branch[n] = (uint8_t)(p[8] | p[9] << 1);
	b.regs[n] = regs;
	if (b.asid)
		b.asid[n] = asid;
	if (p[8])
		b.branch[n] |= trc_registers_kind(regs);
	n = parse_operands(p + l.load, PLACES, TRC_READ, asid, b, n + 1);
	return parse_operands(p + l.store, l.n_store, TRC_WRITE, asid, b, n);
}

static int
refuse_record(const uint8_t *p, const struct layout *l, struct trc_err *err)
{
	return trc_fail(err,
	                "is_branch and branch_taken are %u and %u, not 0 or 1, in a %s record of "
	                "%u bytes; forks of ChampSim have records of other sizes",
	                p[8], p[9], l->name, l->size);
}

static TRC_ALWAYS_INLINE int
parse(const uint8_t **at, const uint8_t *end, const struct layout l, struct trc_batch *b,
      struct trc_err *err)
{
	const struct filled filled = { b->type, b->branch, b->addr, b->regs,
		                       l.asid ? b->asid : NULL };
	const size_t cap = b->cap;
	const uint8_t *p = *at;
	size_t n = b->n;
	int ret = 0;

	for (; (size_t)(end - p) >= l.size && cap - n >= ROWS(l); p += l.size) {
		if (TRC_UNLIKELY((p[8] | p[9]) > 1)) {
			ret = refuse_record(p, &l, err);
			break;
		}
		n = parse_record(p, l, filled, n);
	}
	b->n = n;
	*at = p;
	return ret;
}

static int
parse_champsim(void *state, const uint8_t **p, const uint8_t *end, struct trc_batch *b,
               struct trc_err *err)
{
	(void)state;
	return parse(p, end, champsim, b, err);
}

static int
parse_cloudsuite(void *state, const uint8_t **p, const uint8_t *end, struct trc_batch *b,
                 struct trc_err *err)
{
	(void)state;
	return parse(p, end, cloudsuite, b, err);
}

/* Recognition: returns true for an address in user or kernel space of today's machines. */
static bool
plausible_address(uint64_t a)
{
	return a >> 52 == 0 || a >> 52 == 0xfff;
}

static bool
plausible(const uint8_t *p, unsigned n_addr)
{
	if ((p[8] | p[9]) > 1 || !plausible_address(trc_le64(p)))
		return false;
	for (unsigned i = 0; i < n_addr; i++)
		if (!plausible_address(trc_le64(p + 16 + 8 * i)))
			return false;
	return true;
}

/* Statistics of consecutive records. */
struct seen {
	/* Instructions after one that does not jump; those at the end of the one before. */
	unsigned next, follow;

	/* Branches that do not write the instruction pointer; taken, but not a branch. */
	unsigned odd;

	/* Registers were written; lengths of instructions differ, or there was a branch. */
	bool written, varied;
};

static void
note_record(struct seen *s, const uint8_t *p, const struct layout *l, bool last)
{
	const uint64_t bytes = last ? 0 : trc_le64(p + l->size) - trc_le64(p);
	const uint32_t dst = l->n_dst == 2 ? trc_le16(p + l->dst) : trc_le32(p + l->dst);

	s->odd += p[8] ? !trc_registers_find(dst, TRC_REGS_IP) : p[9];
	s->written |= dst != 0;
	s->varied |= p[8] || (bytes <= INSTRUCTION_MOST && bytes != 4);
	if (p[9] || last)
		return;
	s->next++;
	s->follow += trc_le64(p) && bytes > 0 && bytes <= INSTRUCTION_MOST;
}

/* Returns true if the records are a program: instructions follow each other unless there is a jump,
 * which writes the instruction pointer. Other structs of this size do not. Three quarters suffice,
 * since traces of several threads have breaks. */
static bool
is_program(const struct seen *s)
{
	return s->odd == 0 && s->written && s->varied && s->next > 0 &&
	       4 * s->follow >= 3 * s->next;
}

static unsigned
probe(const uint8_t *p, size_t n, bool whole, const struct layout *l)
{
	const size_t records = n / l->size;
	struct seen seen = { 0 };
	unsigned rows;

	for (size_t i = 0; i < records; i++, p += l->size) {
		if (!plausible(p, 0))
			return 0;
		for (unsigned k = 0; k < l->n_store + PLACES; k++)
			if (!plausible_address(trc_le64(p + l->store + 8 * k)))
				return 0;
		for (unsigned k = 0; k < l->n_pad; k++)
			if (p[l->pad[0] + k] || p[l->pad[1] + k])
				return 0;
		note_record(&seen, p, l, i + 1 == records);
	}
	/* A file that is truncated in its last record is accepted; reading that record fails. */
	if (!is_program(&seen))
		return records < TRC_BID_ROWS ? 2 : 1;
	rows = seen.follow < TRC_BID_ROWS ? seen.follow : TRC_BID_ROWS;
	return rows * PROBE_BITS / (whole && n % l->size ? 2 : 1);
}

static unsigned
probe_champsim(const uint8_t *p, size_t n, bool whole)
{
	return probe(p, n, whole, &champsim);
}

static unsigned
probe_cloudsuite(const uint8_t *p, size_t n, bool whole)
{
	return probe(p, n, whole, &cloudsuite);
}

/* Forks of ChampSim add fields to its record: the data is plausible with another record size. */
static bool
suggest_fork(const uint8_t *p, size_t n, char *dst, size_t room)
{
	enum { LEAST = 56, MOST = 256, RECORDS = 64 };

	for (size_t size = LEAST; size <= MOST && size * RECORDS <= n; size += 8) {
		size_t good = 0, branches = 0;

		while (good < n / size && trc_le64(p + good * size) &&
		       plausible(p + good * size, 1))
			branches += p[good++ * size + 8];
		if (good < n / size || branches == 0 || size == champsim.size ||
		    size == cloudsuite.size)
			continue;
		snprintf(dst, room,
		         "looks like %zu-byte records of a fork of ChampSim; trc reads "
		         "those of ChampSim itself, of 64 bytes (champsim) and 96 "
		         "(cloudsuite)",
		         size);
		return true;
	}
	return false;
}

static const char no_branches[] =
        "the trace has no branches: a simulator finds none to predict, and "
        "its accuracy is nan";

#define HELD (TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_BRANCH | TRC_HAS_REGS)

const struct trc_format trc_family_champsim[] = {
	{
	        .name = "champsim",
	        .doc = "instructions of ChampSim, 64-byte records",
	        .ending = ".champsim",
	        .known = ".champsimtrace .trace.xz .trace.gz",
	        .holds = HELD,
	        .needs = TRC_HAS_TYPE | TRC_HAS_ADDR,
	        .takes = TRC_HAS_PC,
	        .wants = TRC_HAS_BRANCH,
	        .without = no_branches,
	        .eases = "split,alone,regs,branch",
	        .binary = true,
	        .packet = TRC_ROW(trc_packet_format, .longest = 64, .rows = 7,
	                          .parse = parse_champsim),
	        .print = &trc_champsim_print,
	        .chained_print = true,
	        .to = &trc_champsim_to,
	        .probe = probe_champsim,
	        .suggest = suggest_fork,
	},
	{
	        .name = "cloudsuite",
	        .doc = "instructions of ChampSim, 96-byte records of CloudSuite",
	        .ending = ".cloudsuite",
	        .holds = HELD | TRC_HAS_ASID,
	        .needs = TRC_HAS_TYPE | TRC_HAS_ADDR,
	        .takes = TRC_HAS_PC,
	        .wants = TRC_HAS_BRANCH,
	        .without = no_branches,
	        .eases = "split,alone,regs,branch",
	        .binary = true,
	        .packet = TRC_ROW(trc_packet_format, .longest = 96, .rows = 9,
	                          .parse = parse_cloudsuite),
	        .print = &trc_cloudsuite_print,
	        .chained_print = true,
	        .to = &trc_champsim_to,
	        .probe = probe_cloudsuite,
	},
	{ .name = NULL },
};
