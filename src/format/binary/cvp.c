/* SPDX-License-Identifier: MIT
 *
 * The instruction traces of the championships: value prediction (CVP-1, 2018) and branch prediction
 * (CBP2025). Records of different lengths without a header, little-endian: pc (8 bytes), class (1),
 * and then
 *
 *   loads and stores   address (8), size (1); CBP: whether the base is updated (1); of stores
 *                      whether the offset is a register (1)
 *   branches           taken (1); if so, target (8)
 *   registers read     how many (1), their numbers (1 each)
 *   registers written  how many (1), their numbers (1 each), their values: 16 bytes each for the
 *                      vectors 32 to 63, 8 for the others; 64 is the flags, CBP: 65 always zero
 *
 * Classes are 0 alu, 1 load, 2 store, 3 conditional branch, 4 jump, 5 indirect jump, 6 floating
 * point, 7 slow alu, 8 none; of CBP also 9 call, 10 indirect call, 11 return.
 *
 * An instruction becomes its fetch, of 4 bytes, with its branch and up to four registers of either
 * side (one more than their numbers, since 0 is none); and its load or store. CVP has the size of
 * each register that is loaded or stored, CBP that of all. Targets and values are not kept. The two
 * are distinguished by which of them can be read as far as the head of the data goes.
 */
#include "format/packets.h"

enum {
	LOAD = 1,
	STORE,
	CLASSES_CVP = 9,
	CLASSES_CBP = 12,
	REGISTERS_CVP = 65,  /* 64: flags */
	REGISTERS_CBP = 66,  /* 65: always zero */
	REGISTERS_MOST = 16, /* of a side */
	SIZE_MOST = 64,
	PROBE_BITS = 24,
};

enum { LONGEST = 9 + 11 + 2 * (1 + REGISTERS_MOST) + 16 * REGISTERS_MOST };

static const uint8_t branch_of_class[CLASSES_CBP] = {
	[3] = TRC_BRANCH | TRC_BRANCH_COND,           [4] = TRC_BRANCH | TRC_BRANCH_JUMP,
	[5] = TRC_BRANCH | TRC_BRANCH_INDIRECT,       [9] = TRC_BRANCH | TRC_BRANCH_CALL,
	[10] = TRC_BRANCH | TRC_BRANCH_INDIRECT_CALL, [11] = TRC_BRANCH | TRC_BRANCH_RETURN,
};

/* One instruction, parsed. */
struct record {
	uint64_t pc, addr, regs;
	uint8_t class, branch, size;
};

static bool
take(const uint8_t **p, const uint8_t *end, size_t n, const uint8_t **at)
{
	*at = *p;
	if ((size_t)(end - *p) < n)
		return false;
	*p += n;
	return true;
}

/* What came of a try to parse a record. */
enum found { BAD, SHORT, GOOD };

/* Registers, and with `values` what was written to them. */
static enum found
parse_registers(const uint8_t **p, const uint8_t *end, bool values, bool cbp, uint32_t *regs)
{
	const uint8_t *n, *name, *value;
	size_t bytes = 0;

	*regs = 0;
	if (!take(p, end, 1, &n))
		return SHORT;
	if (*n > REGISTERS_MOST)
		return BAD;
	if (!take(p, end, *n, &name))
		return SHORT;
	for (size_t i = 0; i < *n; i++) {
		if (name[i] >= (cbp ? REGISTERS_CBP : REGISTERS_CVP))
			return BAD;
		bytes += name[i] >= 32 && name[i] < 64 ? 16 : 8;
		if (i < 4)
			*regs |= (uint32_t)(name[i] + 1) << 8 * i;
	}
	return values && !take(p, end, bytes, &value) ? SHORT : GOOD;
}

/* Parses the record at *p, and moves *p behind it if it is good. */
static enum found
parse_record(const uint8_t **at, const uint8_t *end, bool cbp, struct record *r)
{
	const uint8_t *p = *at, *q;
	uint32_t read, written;
	enum found found;

	if (!take(&p, end, 9, &q))
		return SHORT;
	*r = (struct record){ .pc = trc_le64(q), .class = q[8] };
	if (r->class >= (cbp ? CLASSES_CBP : CLASSES_CVP))
		return BAD;
	r->branch = branch_of_class[r->class];
	if (r->class == LOAD || r->class == STORE) {
		const size_t more = cbp ? r->class : 0; /* one flag of loads, two of stores */

		if (!take(&p, end, 9 + more, &q))
			return SHORT;
		r->addr = trc_le64(q);
		r->size = q[8];
		if (r->size == 0 || r->size > SIZE_MOST || (more > 0 && q[9] > 1) ||
		    (more > 1 && q[10] > 1))
			return BAD;
	} else if (r->branch) {
		if (!take(&p, end, 1, &q))
			return SHORT;
		if (*q > 1)
			return BAD;
		r->branch |= *q ? TRC_BRANCH_TAKEN : 0;
		if (*q && !take(&p, end, 8, &q))
			return SHORT;
	}
	found = parse_registers(&p, end, false, cbp, &read);
	if (found == GOOD)
		found = parse_registers(&p, end, true, cbp, &written);
	if (found != GOOD)
		return found;
	r->regs = written | (uint64_t)read << 32;
	*at = p;
	return GOOD;
}

#define EACH(byte) (UINT32_C(0x01010101) * (byte))

/* parse_registers() where nothing can be cut short, for up to four that are good; false for others.
 */
static TRC_ALWAYS_INLINE bool
few_registers(const uint8_t **at, bool values, bool cbp, uint32_t *regs)
{
	const uint8_t *p = *at;
	const unsigned n = *p;
	const uint32_t there = (uint32_t)((UINT64_C(1) << 8 * (n & 7)) - 1);
	const uint32_t names = trc_le32(p + 1) & there;
	const uint32_t vectors = names >> 5 & ~(names >> 6) & EACH(1);

	*regs = (names + EACH(1)) & there;
	*at = p + 1 + n + (values ? 8 * n : 0);
	/* A branch, so that mostly the next record need not wait for names. */
	if (values && TRC_UNLIKELY(vectors))
		*at += 8 * (vectors * EACH(1) >> 24);
	/* No name has the top bit, nor gets it so. */
	return n <= 4 &&
	       !((names | (names + EACH(128 - (cbp ? REGISTERS_CBP : REGISTERS_CVP)))) & EACH(128));
}

/* Parses records as far as even the longest would be whole, up to one that parse_record() has to
 * look at, which is bad or has more registers. */
static TRC_ALWAYS_INLINE void
parse_whole(bool cbp, const uint8_t **at, const uint8_t *end, struct trc_batch *b)
{
	uint64_t *const addr = b->addr, *const regs = b->regs;
	uint8_t *const type = b->type, *const branch = b->branch;
	uint32_t *const size = b->size;
	const size_t cap = b->cap;
	const uint8_t *p = *at;
	size_t n = b->n;

	while (end - p >= LONGEST && cap - n >= 2) {
		const unsigned class = p[8];
		const uint8_t *q = p + 9;
		uint32_t read, written;
		bool operand = false;
		uint8_t how;

		if (class >= (cbp ? CLASSES_CBP : CLASSES_CVP))
			break;
		how = branch_of_class[class];
		if (class == LOAD || class == STORE) {
			const unsigned more = cbp ? class : 0;
			const unsigned flags = more == 2 ? q[9] | q[10] : more ? q[9] : 0;

			if (q[8] - 1u >= SIZE_MOST || flags > 1)
				break;
			operand = true;
			q += 9 + more;
		} else if (how) {
			if (*q > 1)
				break;
			how |= *q ? TRC_BRANCH_TAKEN : 0;
			q += 1 + 8 * *q;
		}
		if (!few_registers(&q, false, cbp, &read) ||
		    !few_registers(&q, true, cbp, &written))
			break;
		type[n] = TRC_FETCH;
		addr[n] = trc_le64(p);
		size[n] = 4;
		branch[n] = how;
		regs[n] = written | (uint64_t)read << 32;
		/* An operand, or what the next row writes over. */
		type[n + 1] = class == STORE ? TRC_WRITE : TRC_READ;
		addr[n + 1] = trc_le64(p + 9);
		size[n + 1] = p[17];
		branch[n + 1] = 0;
		regs[n + 1] = 0;
		n += 1u + operand;
		p = q;
	}
	b->n = n;
	*at = p;
}

static void
add(struct trc_batch *b, const struct record *r)
{
	const size_t n = b->n++;

	b->type[n] = TRC_FETCH;
	b->addr[n] = r->pc;
	b->size[n] = 4;
	b->branch[n] = r->branch;
	b->regs[n] = r->regs;
	if (r->class != LOAD && r->class != STORE)
		return;
	b->type[n + 1] = r->class == STORE ? TRC_WRITE : TRC_READ;
	b->addr[n + 1] = r->addr;
	b->size[n + 1] = r->size;
	b->branch[n + 1] = 0;
	b->regs[n + 1] = 0;
	b->n++;
}

static TRC_ALWAYS_INLINE int
parse(const char *name, bool cbp, const uint8_t **at, const uint8_t *end, struct trc_batch *b,
      struct trc_err *err)
{
	struct record r;

	for (;;) {
		enum found found;

		parse_whole(cbp, at, end, b);
		if (b->cap - b->n < 2)
			break;
		found = parse_record(at, end, cbp, &r);
		if (found == SHORT)
			break;
		if (found == BAD)
			return trc_fail(err, "no %s record stands here", name);
		add(b, &r);
	}
	return 0;
}

static int
parse_cvp(void *state, const uint8_t **p, const uint8_t *end, struct trc_batch *b,
          struct trc_err *err)
{
	(void)state;
	return parse("cvp1", false, p, end, b, err);
}

static int
parse_cbp(void *state, const uint8_t **p, const uint8_t *end, struct trc_batch *b,
          struct trc_err *err)
{
	(void)state;
	return parse("cbp2025", true, p, end, b, err);
}

/* Instructions stand at multiples of 4 bytes, in user space or (traces of servers) the kernel. */
static bool
likely(uint64_t pc)
{
	return pc % 4 == 0 && pc != 0 && (pc >> 56 == 0 || pc >> 56 == 0xff);
}

static unsigned
probe(const uint8_t *p, size_t n, bool whole, bool cbp)
{
	const uint8_t *end = p + n;
	enum found found;
	struct record r;
	size_t records = 0;

	while ((found = parse_record(&p, end, cbp, &r)) == GOOD) {
		if (!likely(r.pc))
			return 0;
		records++;
	}
	if (found == BAD || (whole && p < end))
		return 0;
	return (unsigned)(records < TRC_BID_ROWS ? records : TRC_BID_ROWS) * PROBE_BITS;
}

static unsigned
probe_cvp(const uint8_t *p, size_t n, bool whole)
{
	return probe(p, n, whole, false);
}

static unsigned
probe_cbp(const uint8_t *p, size_t n, bool whole)
{
	return probe(p, n, whole, true);
}

#define HELD (TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_BRANCH | TRC_HAS_REGS)

const struct trc_format trc_family_cvp[] = {
	{
	        .name = "cvp1",
	        .doc = "instructions of the value prediction championship",
	        .ending = ".cvp1",
	        .gives = 1 << TRC_READ | 1 << TRC_WRITE | 1 << TRC_FETCH,
	        .holds = HELD,
	        .binary = true,
	        .packet = &(const struct trc_packet_format){ .longest = LONGEST,
	                                                     .rows = 2,
	                                                     .parse = parse_cvp },
	        .probe = probe_cvp,
	},
	{
	        .name = "cbp2025",
	        .doc = "instructions of the branch prediction championship of 2025",
	        .ending = ".cbp2025",
	        .gives = 1 << TRC_READ | 1 << TRC_WRITE | 1 << TRC_FETCH,
	        .holds = HELD,
	        .binary = true,
	        .packet = &(const struct trc_packet_format){ .longest = LONGEST,
	                                                     .rows = 2,
	                                                     .parse = parse_cbp },
	        .probe = probe_cbp,
	},
	{ .name = NULL },
};
