/* SPDX-License-Identifier: MIT
 *
 * The instruction traces of the championships: value prediction (CVP-1, 2018) and branch prediction
 * (CBP2025). Records have different lengths and no header, little-endian: pc (8 bytes), class (1),
 * and then
 *
 *   loads and stores   address (8), size (1); CBP: whether the base is updated (1); for stores
 *                      whether the offset is a register (1)
 *   branches           taken (1); if so, target (8)
 *   registers read     count (1), their numbers (1 each)
 *   registers written  count (1), their numbers (1 each), their values: 16 bytes each for the
 *                      vectors 32 to 63, 8 for the others; 64 is the flags, CBP: 65 always zero
 *
 * Classes are 0 alu, 1 load, 2 store, 3 conditional branch, 4 jump, 5 indirect jump, 6 floating
 * point, 7 slow alu, 8 none; in CBP also 9 call, 10 indirect call, 11 return.
 *
 * An instruction becomes its fetch, of 4 bytes, with its branch and up to four registers read and
 * written; and its load or store. Registers are numbered from 32 on, except the stack pointer (31)
 * and the flags: these have the numbers of ChampSim, 6 and 25, which no other register has; nor has
 * any 26. Before its own registers a branch has those by which ChampSim recognises its kind: the
 * instruction pointer, the stack pointer of calls and returns, the flags of a condition without a
 * register. A jump of CVP is a call if it writes register 30, and a return if it reads only that.
 * CVP does not list the flags: an instruction of class 0 or 6 that writes no register writes them
 * (Feliu et al., IISWC 2023).
 *
 * CBP has the size of a load or store, CVP that of each register. A load has as many registers as
 * it writes, without a base that it updates: among several, one that it also reads. A store that
 * reads three or more has as many as are vectors, or all except the base that it updates. Otherwise
 * it has one, since a pair cannot be distinguished from an offset in a register. Targets and values
 * are not kept. The two formats are distinguished by which of them can parse the beginning of the
 * data.
 */
#include "format/packets.h"

enum {
	ALU,
	LOAD,
	STORE,
	JUMP = 4,
	INDIRECT,
	FLOAT,
	CLASSES_CVP = 9,
	CLASSES_CBP = 12,
	REGISTERS_CVP = 65,  /* the last, 64, is the flags */
	REGISTERS_CBP = 66,  /* the last, 65, is always zero */
	REGISTERS_MOST = 16, /* read, or written */
	SIZE_MOST = 64,
	PROBE_BITS = 24,
};

/* Registers are numbered from NUMBER on. */
enum { NUMBER = 32, LINK = NUMBER + 30, SP, VECTORS, FLAGS = NUMBER + 64, OTHER = 1 };

/* The state of the reader. */
struct state {
	struct trc_source *src;
};

enum { LONGEST = 9 + 11 + 2 * (1 + REGISTERS_MOST) + 16 * REGISTERS_MOST };

static const uint8_t branch_of_class[CLASSES_CBP] = {
	[3] = TRC_BRANCH | TRC_BRANCH_COND,           [4] = TRC_BRANCH | TRC_BRANCH_JUMP,
	[5] = TRC_BRANCH | TRC_BRANCH_INDIRECT,       [9] = TRC_BRANCH | TRC_BRANCH_CALL,
	[10] = TRC_BRANCH | TRC_BRANCH_INDIRECT_CALL, [11] = TRC_BRANCH | TRC_BRANCH_RETURN,
};

/* A parsed instruction. */
struct record {
	uint64_t pc, addr, regs;
	uint64_t next; /* the pc of the next instruction */
	uint32_t size;
	uint8_t class, branch;
	bool more; /* it has more registers than the column holds */
};

/* The registers read, or written: as stored, and the numbers of the first four, 0 for none. */
struct side {
	const uint8_t *name;
	unsigned n;
	uint32_t numbers;
};

static bool
take_bytes(const uint8_t **p, const uint8_t *end, size_t n, const uint8_t **at)
{
	*at = *p;
	if ((size_t)(end - *p) < n)
		return false;
	*p += n;
	return true;
}

/* The result of trying to parse a record. */
enum found { BAD, SHORT, GOOD };

#define EACH(byte) (UINT32_C(0x01010101) * (byte))
#define EACH_OF_BOTH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Returns a 1 in each byte of `x`, all of which are below 128, that equals `byte`. */
static inline uint64_t
where(uint64_t x, uint8_t byte)
{
	return (~((x ^ EACH_OF_BOTH(byte)) + EACH_OF_BOTH(0x7f)) & EACH_OF_BOTH(0x80)) >> 7;
}

/* Returns the registers that an instruction of CVP writes, given those that are listed. */
static inline uint32_t
written_by(unsigned class, uint32_t listed)
{
	return listed == 0 && (class == ALU || class == FLOAT) ? FLAGS : listed;
}

/* Returns the kind of a jump of CVP, which has only two. */
static inline uint8_t
kind_of_jump(uint8_t branch, uint32_t read, uint32_t written)
{
	const bool direct = (branch & TRC_BRANCH_KIND) == TRC_BRANCH_JUMP;
	uint8_t kind = branch & TRC_BRANCH_KIND;

	if (where(written, LINK))
		kind = direct ? TRC_BRANCH_CALL : TRC_BRANCH_INDIRECT_CALL;
	else if (!direct && read == LINK && written == 0)
		kind = TRC_BRANCH_RETURN;
	return (uint8_t)(branch & ~TRC_BRANCH_KIND) | kind;
}

/* The contents of column regs for an instruction, by the kind of its branch. */
static const struct by_kind {
	uint32_t written, read;     /* registers that imply the kind, before the others */
	uint8_t behind_w, behind_r; /* the positions in bits where the others begin */
	uint8_t other;              /* read if no other register is; 0: nothing is */
	uint32_t reads;             /* all bits if other registers may be read, or none */
	uint64_t sp, flags;         /* bytes in which these have the numbers of ChampSim */
} by_kind[8] = {
#define KIND(kind) [TRC_BRANCH_##kind >> TRC_BRANCH_SHIFT]
#define IP TRC_REGS_IP
#define IP_SP (TRC_REGS_IP | TRC_REGS_SP << 8)
	{ 0, 0, 0, 0, 0, UINT32_MAX, UINT64_MAX, UINT64_MAX }, /* no branch */
	KIND(COND) = { IP, IP, 8, 8, TRC_REGS_FLAGS, UINT32_MAX, 0, UINT64_MAX << 32 },
	KIND(JUMP) = { IP, IP, 8, 8, 0, 0, 0, 0 },
	KIND(INDIRECT) = { IP, 0, 8, 0, OTHER, UINT32_MAX, 0, 0 },
	KIND(CALL) = { IP_SP, IP_SP, 16, 16, 0, 0, 0, 0 },
	KIND(INDIRECT_CALL) = { IP_SP, IP_SP, 16, 16, OTHER, UINT32_MAX, 0, 0 },
	KIND(RETURN) = { IP_SP, TRC_REGS_SP, 16, 8, OTHER, UINT32_MAX, 0, 0 },
#undef KIND
#undef IP
#undef IP_SP
};

/* Returns column regs for these registers; sets *more if some do not fit. */
static TRC_NO_INLINE uint64_t
regs_of(uint8_t branch, uint32_t read, uint32_t written, bool *more)
{
	const struct by_kind *k = &by_kind[(branch & TRC_BRANCH_KIND) >> TRC_BRANCH_SHIFT];
	const uint64_t both = written | (uint64_t)read << 32;
	const uint64_t regs = both - (where(both, SP) & k->sp) * (SP - TRC_REGS_SP) -
	                      (where(both, FLAGS) & k->flags) * (FLAGS - TRC_REGS_FLAGS);
	uint64_t r = regs >> 32 & k->reads, w = (uint32_t)regs;

	*more |= read && !k->reads;
	r = (r ? r : k->other) << k->behind_r | k->read;
	w = w << k->behind_w | k->written;
	*more |= (r | w) >> 32;
	return (uint32_t)w | r << 32;
}

/* Returns how many registers a load or store of CVP moves. */
static TRC_NO_INLINE unsigned
moved(bool store, struct side read, struct side written)
{
	unsigned vectors = 0;
	bool updates = false;

	for (unsigned i = 0; i < read.n; i++) {
		vectors += read.name[i] + NUMBER >= VECTORS && read.name[i] + NUMBER < FLAGS;
		updates |= memchr(written.name, read.name[i], written.n) != NULL;
	}
	if (!store)
		return written.n > 1 ? written.n - updates : 1;
	if (read.n < 3)
		return 1;
	return vectors ? vectors : updates ? read.n - 1 : 1;
}

/* Parses registers, and with `values` the values written to them. */
static enum found
parse_registers(const uint8_t **p, const uint8_t *end, bool values, bool cbp, struct side *s)
{
	const uint8_t *n, *value;
	size_t bytes = 0;

	if (!take_bytes(p, end, 1, &n))
		return SHORT;
	if (*n > REGISTERS_MOST)
		return BAD;
	*s = (struct side){ .n = *n };
	if (!take_bytes(p, end, *n, &s->name))
		return SHORT;
	for (size_t i = 0; i < *n; i++) {
		if (s->name[i] >= (cbp ? REGISTERS_CBP : REGISTERS_CVP))
			return BAD;
		bytes += s->name[i] + NUMBER >= VECTORS && s->name[i] + NUMBER < FLAGS ? 16 : 8;
		if (i < 4)
			s->numbers |= (uint32_t)(s->name[i] + NUMBER) << 8 * i;
	}
	return values && !take_bytes(p, end, bytes, &value) ? SHORT : GOOD;
}

/* Parses the record at *at, and moves *at past it if it is valid. */
static enum found
parse_record(const uint8_t **at, const uint8_t *end, bool cbp, struct record *r)
{
	const uint8_t *p = *at, *q;
	struct side read, written;
	enum found found;

	if (!take_bytes(&p, end, 9, &q))
		return SHORT;
	*r = (struct record){ .pc = trc_le64(q), .next = trc_le64(q) + 4, .class = q[8] };
	if (r->class >= (cbp ? CLASSES_CBP : CLASSES_CVP))
		return BAD;
	r->branch = branch_of_class[r->class];
	if (r->class == LOAD || r->class == STORE) {
		const size_t more = cbp ? r->class : 0; /* loads have one flag, stores two */

		if (!take_bytes(&p, end, 9 + more, &q))
			return SHORT;
		r->addr = trc_le64(q);
		r->size = q[8];
		if (r->size == 0 || r->size > SIZE_MOST || (more > 0 && q[9] > 1) ||
		    (more > 1 && q[10] > 1))
			return BAD;
	} else if (r->branch) {
		if (!take_bytes(&p, end, 1, &q))
			return SHORT;
		if (*q > 1)
			return BAD;
		r->branch |= *q ? TRC_BRANCH_TAKEN : 0;
		if (*q && !take_bytes(&p, end, 8, &q))
			return SHORT;
		r->next = r->branch & TRC_BRANCH_TAKEN ? trc_le64(q) : r->next;
	}
	found = parse_registers(&p, end, false, cbp, &read);
	if (found == GOOD)
		found = parse_registers(&p, end, true, cbp, &written);
	if (found != GOOD)
		return found;
	if (!cbp)
		written.numbers = written_by(r->class, written.numbers);
	r->more = read.n > 4 || written.n > 4;
	if (!cbp && (r->class == JUMP || r->class == INDIRECT))
		r->branch = kind_of_jump(r->branch, read.numbers, written.numbers);
	r->regs = regs_of(r->branch, read.numbers, written.numbers, &r->more);
	if (r->size && !cbp)
		r->size *= moved(r->class == STORE, read, written);
	*at = p;
	return GOOD;
}

/* Does the same as parse_registers() where data cannot be truncated, for up to four valid
 * registers; returns false for others. */
static TRC_ALWAYS_INLINE bool
few_registers(const uint8_t **at, bool values, bool cbp, struct side *s)
{
	const uint8_t *p = *at;
	const unsigned n = *p;
	const uint32_t there = (uint32_t)((UINT64_C(1) << 8 * (n & 7)) - 1);
	const uint32_t names = trc_le32(p + 1) & there;
	const uint32_t vectors = names >> 5 & ~(names >> 6) & EACH(1);

	*s = (struct side){ p + 1, n, (names + EACH(NUMBER)) & there };
	*at = p + 1 + n + (values ? 8 * n : 0);
	/* This is a branch, so that usually the next record need not wait for these numbers. */
	if (values && TRC_UNLIKELY(vectors))
		*at += 8 * (vectors * EACH(1) >> 24);
	/* No number has the top bit, nor gets it here. */
	return n <= 4 &&
	       !((names | (names + EACH(128 - (cbp ? REGISTERS_CBP : REGISTERS_CVP)))) & EACH(128));
}

/* Parses records while even the longest would be complete, up to one that is invalid or has more
 * registers, which parse_record() handles. */
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
		struct side read, written;
		bool operand = false, more = false;
		uint32_t bytes = 0;
		uint64_t both;
		uint8_t how;

		if (class >= (cbp ? CLASSES_CBP : CLASSES_CVP))
			break;
		how = branch_of_class[class];
		if (class == LOAD || class == STORE) {
			const unsigned n_flags = cbp ? class : 0;
			const unsigned flags = n_flags == 2 ? q[9] | q[10] : n_flags ? q[9] : 0;

			if (q[8] - 1u >= SIZE_MOST || flags > 1)
				break;
			operand = true;
			bytes = q[8];
			q += 9 + n_flags;
		} else if (how) {
			if (*q > 1)
				break;
			how |= *q ? TRC_BRANCH_TAKEN : 0;
			q += 1 + 8 * *q;
		}
		if (!few_registers(&q, false, cbp, &read) ||
		    !few_registers(&q, true, cbp, &written))
			break;
		if (!cbp)
			written.numbers = written_by(class, written.numbers);
		regs[n] = both = written.numbers | (uint64_t)read.numbers << 32;
		if (how || both & both << 1 & EACH_OF_BOTH(FLAGS & ~NUMBER) || where(both, SP)) {
			if (!cbp && (class == JUMP || class == INDIRECT))
				how = kind_of_jump(how, read.numbers, written.numbers);
			regs[n] = regs_of(how, read.numbers, written.numbers, &more);
			if (TRC_UNLIKELY(more))
				break;
		}
		if (!cbp && operand && (class == LOAD ? written.n > 1 : read.n > 2))
			bytes *= moved(class == STORE, read, written);
		type[n] = TRC_FETCH;
		addr[n] = trc_le64(p);
		size[n] = 4;
		branch[n] = how;
		/* The row of an operand; without one, the next row overwrites it. */
		type[n + 1] = class == STORE ? TRC_WRITE : TRC_READ;
		addr[n + 1] = trc_le64(p + 9);
		size[n + 1] = bytes;
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
parse(const struct state *s, const char *name, bool cbp, const uint8_t **at, const uint8_t *end,
      struct trc_batch *b, struct trc_err *err)
{
	static const struct trc_caveat more = {
		"instructions with more registers than column regs holds", 1, TRC_HAS_REGS
	};
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
			return trc_fail(err, "expected a %s record here", name);
		add(b, &r);
		if (r.more)
			trc_caveat_add(s->src->meta.caveat, &more);
	}
	return 0;
}

static int
begin(void *state, struct trc_in *in, const void *settings, struct trc_source *src,
      struct trc_err *err)
{
	(void)in;
	(void)settings;
	(void)err;
	((struct state *)state)->src = src;
	return 0;
}

static int
parse_cvp(void *state, const uint8_t **p, const uint8_t *end, struct trc_batch *b,
          struct trc_err *err)
{
	return parse(state, "cvp1", false, p, end, b, err);
}

static int
parse_cbp(void *state, const uint8_t **p, const uint8_t *end, struct trc_batch *b,
          struct trc_err *err)
{
	return parse(state, "cbp2025", true, p, end, b, err);
}

/* Returns true if a pc is plausible: a multiple of 4, in user space or, in traces of servers, the
 * kernel. */
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
	size_t records = 0, follow = 0;
	uint64_t next = 0;

	while ((found = parse_record(&p, end, cbp, &r)) == GOOD) {
		if (!likely(r.pc))
			return 0;
		follow += r.pc == next;
		next = r.next;
		records++;
	}
	if (found == BAD || (whole && p < end))
		return 0;
	/* Only instructions of a program lead to each other. */
	if (4 * (follow + 1) < 3 * records)
		return records < TRC_BID_ROWS ? 2 : 1;
	return (unsigned)(follow < TRC_BID_ROWS ? follow : TRC_BID_ROWS) * PROBE_BITS + 2;
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
	        .packet = TRC_ROW(trc_packet_format, .longest = LONGEST, .rows = 2,
	                          .state = sizeof(struct state), .begin = begin,
	                          .parse = parse_cvp),
	        .probe = probe_cvp,
	},
	{
	        .name = "cbp2025",
	        .doc = "instructions of the branch prediction championship of 2025",
	        .ending = ".cbp2025",
	        .gives = 1 << TRC_READ | 1 << TRC_WRITE | 1 << TRC_FETCH,
	        .holds = HELD,
	        .binary = true,
	        .packet = TRC_ROW(trc_packet_format, .longest = LONGEST, .rows = 2,
	                          .state = sizeof(struct state), .begin = begin,
	                          .parse = parse_cbp),
	        .probe = probe_cbp,
	},
	{ .name = NULL },
};
