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
 * And of CloudSuite, 96 bytes:
 *
 *    0  ip, 8 bytes
 *    8  is_branch, taken, 1 byte each
 *   10  written registers, 4
 *   14  read registers, 4, and 6 bytes of padding
 *   24  addresses of stores, 4 of 8 bytes
 *   56  addresses of loads, 4 of 8 bytes
 *   88  asid, 2 bytes, and 6 of padding
 *
 * A register or an address of 0 is none. A record becomes the fetch, its loads, its stores, in this
 * order. The fetch carries branch and registers; a load or store has 0 for its branch, and for its
 * registers the number of unused places before it, 0 in all files of ChampSim's own tracers. So all
 * of a record comes back. The kind of a branch follows from its registers as ChampSim has it; when
 * only the kind is known, registers are written that imply it.
 *
 * A conditional branch reads the instruction pointer, and the flags or, since September 2023, other
 * registers; earlier versions take that for an indirect jump, or with the flags besides for no kind
 * that they have. So no record both keeps the registers that are compared and is a conditional
 * branch to all versions: champsim:flags gives these up.
 *
 * Loads and stores without a fetch before them make a record of their own if the trace has their
 * pc. Not in the format: sizes, times, threads, an access to address 0.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "format/packets.h"
#include "format/print.h"

enum { STACK = TRC_REGS_SP, FLAGS = TRC_REGS_FLAGS, IP = TRC_REGS_IP, OTHER = 1 };

enum { PLACES = 4, PROBE_BITS = 16 };

/* Where the fields of a record are, of ChampSim or of CloudSuite. */
struct layout {
	const char *name;
	unsigned size;
	unsigned dst, n_dst, src;      /* registers: offsets, number; four are read */
	unsigned store, n_store, load; /* addresses: offsets, number; four are loaded */
	unsigned asid;                 /* offset, 0 for none */
	unsigned pad[2], n_pad;        /* bytes that are 0: offsets, number of each */
};

static const struct layout champsim = { "champsim", 64, 10, 2, 12, 16, 2, 32, 0, { 0, 0 }, 0 };
static const struct layout cloudsuite = {
	"cloudsuite", 96, 10, 4, 14, 24, 4, 56, 88, { 18, 90 }, 6
};

#define ROWS(l) (1 + (l).n_store + PLACES)

#define EACH(byte) ((uint64_t)(byte)*UINT64_C(0x0101010101010101))

/* The top bit of each byte that is this register. */
static inline uint64_t
where(uint64_t regs, uint8_t reg)
{
	const uint64_t x = regs ^ EACH(reg);

	return ~(((x & EACH(0x7f)) + EACH(0x7f)) | x | EACH(0x7f));
}

/* The kind of a branch by its registers: instruction.h of ChampSim. */
static inline uint8_t
kind_of(uint64_t regs)
{
	const uint64_t sp = where(regs, STACK), ip = where(regs, IP), flags = where(regs, FLAGS);
	const uint64_t other = ~(sp | ip | flags | where(regs, 0)) & EACH(0x80);
	const bool wsp = (uint32_t)sp, wip = (uint32_t)ip, rsp = sp >> 32, rip = ip >> 32;
	const bool rflags = flags >> 32, rother = other >> 32;

	if (!wip)
		return 0;
	if (!rsp && !rflags && !rother)
		return TRC_BRANCH_JUMP;
	if (!rsp && !rip && !rflags)
		return TRC_BRANCH_INDIRECT;
	if (!rsp && rip && !wsp)
		return TRC_BRANCH_COND;
	if (rsp && rip && wsp && !rflags)
		return rother ? TRC_BRANCH_INDIRECT_CALL : TRC_BRANCH_CALL;
	return rsp && !rip && wsp ? TRC_BRANCH_RETURN : 0;
}

#define REGS(w0, w1, r0, r1, r2) \
	((uint64_t)(w0) | (w1) << 8 | (uint64_t)((r0) | (r1) << 8 | (r2) << 16) << 32)

/* Registers from which kind_of() finds each kind. */
static const uint64_t regs_of_kind[8] = {
	[TRC_BRANCH_COND >> TRC_BRANCH_SHIFT] = REGS(IP, 0, IP, FLAGS, 0),
	[TRC_BRANCH_JUMP >> TRC_BRANCH_SHIFT] = REGS(IP, 0, IP, 0, 0),
	[TRC_BRANCH_INDIRECT >> TRC_BRANCH_SHIFT] = REGS(IP, 0, OTHER, 0, 0),
	[TRC_BRANCH_CALL >> TRC_BRANCH_SHIFT] = REGS(IP, STACK, IP, STACK, 0),
	[TRC_BRANCH_INDIRECT_CALL >> TRC_BRANCH_SHIFT] = REGS(IP, STACK, IP, STACK, OTHER),
	[TRC_BRANCH_RETURN >> TRC_BRANCH_SHIFT] = REGS(IP, STACK, STACK, 0, 0),
};

/* The columns being filled, in local variables: no store into one of them can change these
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
		b.branch[n] |= kind_of(regs);
	n = parse_operands(p + l.load, PLACES, TRC_READ, asid, b, n + 1);
	return parse_operands(p + l.store, l.n_store, TRC_WRITE, asid, b, n);
}

static int
refuse_record(const uint8_t *p, const struct layout *l, struct trc_err *err)
{
	return trc_fail(err,
	                "is_branch and branch_taken are %u and %u, not 0 or 1, in what should be "
	                "a %s record of %u bytes; forks of ChampSim have records of other sizes",
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

/* Recognition: an address of user or kernel space, as far as today's machines have any. */
static bool
plausible_address(uint64_t a)
{
	return a >> 52 == 0 || a >> 52 == 0xfff;
}

static bool
plausible(const uint8_t *p, unsigned n_addr)
{
	if ((p[8] | p[9]) > 1 || trc_le64(p) == 0 || !plausible_address(trc_le64(p)))
		return false;
	for (unsigned i = 0; i < n_addr; i++)
		if (!plausible_address(trc_le64(p + 16 + 8 * i)))
			return false;
	return true;
}

static unsigned
probe(const uint8_t *p, size_t n, bool whole, const struct layout *l)
{
	const size_t records = n / l->size;
	const bool cut = whole && n % l->size != 0;

	for (size_t i = 0; i < records; i++, p += l->size) {
		if (!plausible(p, 0))
			return 0;
		for (unsigned k = 0; k < l->n_store + PLACES; k++)
			if (!plausible_address(trc_le64(p + l->store + 8 * k)))
				return 0;
		for (unsigned k = 0; k < l->n_pad; k++)
			if (p[l->pad[0] + k] || p[l->pad[1] + k])
				return 0;
	}
	/* A file that lacks the end of its last record is taken; reading that record fails. */
	return (unsigned)(records < TRC_BID_ROWS ? records : TRC_BID_ROWS) *
	       (cut ? PROBE_BITS / 2 : PROBE_BITS);
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

/* Forks of ChampSim add fields to its record: the data is plausible at another size. */
static bool
suggest_fork(const uint8_t *p, size_t n, char *dst, size_t room)
{
	enum { LEAST = 56, MOST = 256, RECORDS = 64 };

	for (size_t size = LEAST; size <= MOST && size * RECORDS <= n; size += 8) {
		size_t good = 0, branches = 0;

		while (good < n / size && plausible(p + good * size, 1))
			branches += p[good++ * size + 8];
		if (good < n / size || branches == 0)
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

/* Writing: the last record, which operands may still be added to. It is in the output while rows of
 * one batch are written, and kept from one call to the next. */
struct record {
	uint8_t *p; /* NULL: there is none */
	uint64_t ip;
	uint32_t asid;
	unsigned loads, stores; /* places in use */
};

enum {
	LARGEST = 96,
	ALONE = 1, /* where the instruction is of what comes before the first fetch */
};

/* What the writer keeps from row to row: the record of the last instruction. */
struct pending {
	struct record last; /* of p only counts whether it is NULL: no record */
	uint8_t byte[LARGEST];
};

static_assert(sizeof(struct pending) <= TRC_FORMAT_STATE, "fits the state of a format");

/* The arguments of the writer. */
struct settings {
	bool split, flags, alone;
};

/* The columns of a batch, in variables that no store into the output can change. */
struct columns {
	const uint8_t *type, *branch;
	const uint64_t *addr, *pc, *regs;
	const uint32_t *asid;
};

/* Begins a record at *dst without operands. */
static TRC_ALWAYS_INLINE struct record
begin(uint8_t **dst, const struct layout l, uint64_t ip, uint8_t branch, uint64_t regs,
      uint32_t asid)
{
	uint8_t *const p = *dst;

	*dst += l.size;
	memset(p, 0, l.size);
	trc_put_le64(p, ip);
	trc_put_le16(p + 8, (branch & TRC_BRANCH) | (branch & TRC_BRANCH_TAKEN) << 7);
	trc_put_le16(p + l.dst, (uint16_t)regs);
	if (l.n_dst == 4)
		trc_put_le16(p + l.dst + 2, (uint16_t)(regs >> 16));
	trc_put_le32(p + l.src, (uint32_t)(regs >> 32));
	if (l.asid)
		trc_put_le16(p + l.asid, (uint16_t)asid);
	return (struct record){ .p = p, .ip = ip, .asid = asid };
}

static TRC_NO_INLINE int
refuse_branch(const char *name, uint8_t branch, uint64_t regs, struct trc_err *err)
{
	const uint8_t kind = branch & TRC_BRANCH_KIND;

	if (branch & ~(TRC_BRANCH | TRC_BRANCH_TAKEN | TRC_BRANCH_KIND) ||
	    (kind && !(branch & TRC_BRANCH)) || kind == TRC_BRANCH_KIND)
		return trc_fail(err, "%s cannot hold a branch of %u", name, branch);
	return trc_fail(err,
	                "%s cannot hold a branch of kind %u with these registers, which say "
	                "kind %u",
	                name, kind >> TRC_BRANCH_SHIFT, kind_of(regs) >> TRC_BRANCH_SHIFT);
}

/* Whether a fetch that branches, or was taken, is one that a record can hold. */
static inline bool
fits(uint8_t branch, uint64_t regs, bool has_regs)
{
	const uint8_t kind = branch & TRC_BRANCH_KIND;

	if (branch & ~(TRC_BRANCH | TRC_BRANCH_TAKEN | TRC_BRANCH_KIND) || kind == TRC_BRANCH_KIND)
		return false;
	if (!(branch & TRC_BRANCH))
		return kind == 0;
	return !has_regs || kind_of(regs) == kind;
}

static TRC_ALWAYS_INLINE int
take_fetch(const struct columns c, size_t i, const struct layout l, const struct trc_rows *rows,
           struct record *r, uint8_t **dst, struct trc_err *err)
{
	const struct settings *set = rows->settings;
	const uint8_t branch = c.branch ? c.branch[i] : 0;
	const uint64_t implied = regs_of_kind[(branch & TRC_BRANCH_KIND) >> TRC_BRANCH_SHIFT];
	uint64_t regs = c.regs ? c.regs[i] : implied;

	if (c.pc && c.pc[i] != c.addr[i])
		return trc_fail(err, "the pc of a fetch is its address for %s, not another",
		                l.name);
	if (branch && TRC_UNLIKELY(!fits(branch, regs, c.regs)))
		return refuse_branch(l.name, branch, regs, err);
	if (l.n_dst == 2 && TRC_UNLIKELY(regs & 0xffff0000))
		return trc_fail(err,
		                "%s cannot hold a third written register; cloudsuite has room "
		                "for four",
		                l.name);
	if (TRC_UNLIKELY(set->flags) && (branch & TRC_BRANCH_KIND) == TRC_BRANCH_COND)
		regs = (uint32_t)regs | implied >> 32 << 32;
	*r = begin(dst, l, c.addr[i], branch, regs, c.asid ? c.asid[i] : 0);
	return 0;
}

/* Whether an operand that has no place in the record may have one in another. */
static TRC_NO_INLINE int
agreed(const struct trc_rows *rows, const char *name, bool store, uint64_t place, bool behind_store,
       struct trc_err *err)
{
	const struct settings *set = rows->settings;

	if (place)
		return trc_fail(err, "%s has no place %llu for a %s", name,
		                (unsigned long long)place, store ? "store" : "load");
	if (!set->split)
		return trc_fail(err,
		                behind_store ?
		                        "%s cannot hold a load behind a store of its instruction; "
		                        "--to %s:split writes another record for it" :
		                        "%s cannot hold a further operand of this instruction; "
		                        "--to %s:split writes another record for it",
		                name, name);
	return 0;
}

static TRC_NO_INLINE int
refuse_alone(const char *name, struct trc_err *err)
{
	return trc_fail(err,
	                "%s cannot hold a load or store before the first fetch, since it stands in "
	                "the record of its instruction; --to %s:alone makes up one at address %d",
	                name, name, ALONE);
}

static TRC_ALWAYS_INLINE int
take_operand(const struct columns c, size_t i, const struct layout l, const struct trc_rows *rows,
             struct record *r, uint8_t **dst, struct trc_err *err)
{
	const bool store = c.type[i] == TRC_WRITE;
	const unsigned places = store ? l.n_store : PLACES;
	const uint64_t unused = c.regs ? c.regs[i] : 0;
	const uint32_t asid = c.asid ? c.asid[i] : 0;
	unsigned used;

	if (c.addr[i] == 0)
		return trc_fail(
		        err,
		        "%s cannot hold a reference to address 0, which says none; --addr 1- leaves it out",
		        l.name);
	if (c.branch && c.branch[i])
		return trc_fail(err, "%s cannot hold a branch of a load or store", l.name);
	if (c.pc && (!r->p || r->ip != c.pc[i]))
		*r = begin(dst, l, c.pc[i], 0, 0, asid);
	if (TRC_UNLIKELY(!r->p)) {
		if (!((const struct settings *)rows->settings)->alone)
			return refuse_alone(l.name, err);
		*r = begin(dst, l, ALONE, 0, 0, asid);
	}
	if (r->asid != asid)
		return trc_fail(err, "%s has one asid for an instruction and its operands", l.name);
	used = store ? r->stores : r->loads;
	if (TRC_UNLIKELY(unused >= places || used + unused >= places || (!store && r->stores))) {
		if (agreed(rows, l.name, store, unused ? used + unused + 1 : 0, !store && r->stores,
		           err))
			return -1;
		*r = begin(dst, l, r->ip, 0, 0, r->asid);
		used = 0;
	}
	used += (unsigned)unused;
	trc_put_le64(r->p + (store ? l.store : l.load) + 8 * (size_t)used++, c.addr[i]);
	if (store)
		r->stores = used;
	else
		r->loads = used;
	return 0;
}

/* One row; the message of a failure does not name it. */
static TRC_ALWAYS_INLINE int
take(const struct columns c, size_t i, const struct layout l, const struct trc_rows *rows,
     struct record *r, uint8_t **dst, struct trc_err *err)
{
	if (TRC_UNLIKELY(c.type[i] > TRC_FETCH)) {
		trc_format_refuse_type(l.name, c.type[i], err);
		return -1;
	}
	if (TRC_UNLIKELY(c.asid && c.asid[i] > UINT16_MAX))
		return trc_fail(err, "%s cannot hold an asid of %lu, which has two bytes there",
		                l.name, (unsigned long)c.asid[i]);
	return c.type[i] == TRC_FETCH ? take_fetch(c, i, l, rows, r, dst, err) :
	                                take_operand(c, i, l, rows, r, dst, err);
}

static TRC_ALWAYS_INLINE uint8_t *
print_columns(struct trc_rows *rows, const struct columns c, const struct layout l, uint8_t *dst,
              struct trc_err *err)
{
	const size_t stop = rows->stop;
	struct pending *s = rows->state;
	struct record r = s->last;

	if (r.p) {
		r.p = memcpy(dst, s->byte, l.size);
		dst += l.size;
	}
	for (size_t i = rows->i; i < stop; i++)
		if (TRC_UNLIKELY(take(c, i, l, rows, &r, &dst, err))) {
			rows->i = i;
			return NULL;
		}
	s->last = r;
	if (r.p) {
		dst -= l.size;
		memcpy(s->byte, dst, l.size);
	}
	return dst;
}

/* Compiled a second time for what most traces have. */
static TRC_ALWAYS_INLINE uint8_t *
print(struct trc_rows *rows, const struct layout l, uint8_t *dst, struct trc_err *err)
{
	const struct trc_batch *b = rows->b;
	const struct columns all = { b->type, b->branch, b->addr, b->pc, b->regs, b->asid };
	const struct columns most = { b->type, b->branch, b->addr, NULL, b->regs, NULL };

	if (b->branch && b->regs && !b->pc && !b->asid)
		return print_columns(rows, most, l, dst, err);
	return print_columns(rows, all, l, dst, err);
}

static uint8_t *
end(const struct trc_rows *rows, const struct layout l, uint8_t *dst)
{
	const struct pending *s = rows->state;

	if (!s->last.p)
		return dst;
	memcpy(dst, s->byte, l.size);
	return dst + l.size;
}

static uint8_t *
print_champsim(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	return print(r, champsim, dst, err);
}

static uint8_t *
print_cloudsuite(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	return print(r, cloudsuite, dst, err);
}

static uint8_t *
end_champsim(const struct trc_rows *r, const struct trc_meta *meta, uint8_t *dst)
{
	(void)meta;
	return end(r, champsim, dst);
}

static uint8_t *
end_cloudsuite(const struct trc_rows *r, const struct trc_meta *meta, uint8_t *dst)
{
	(void)meta;
	return end(r, cloudsuite, dst);
}

static const struct trc_opt opts[] = {
	{ 0, "split", NULL, "more operands make more records", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct settings, split) },
	{ 0, "alone", NULL, "loads before any fetch are of one at 1", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct settings, alone) },
	{ 0, "flags", NULL, "conditions are flags, as before 2023-09", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct settings, flags) },
};

static const char no_branches[] =
        "the trace has no branches: a simulator finds none to predict, and "
        "its accuracy is nan";

static const struct trc_format_args to = { opts, TRC_COUNT(opts) };

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
	        .eases = "split,alone",
	        .binary = true,
	        .packet = &(const struct trc_packet_format){ .longest = 64,
	                                                     .rows = 7,
	                                                     .parse = parse_champsim },
	        .print = &(const struct trc_print_format){ print_champsim, 2 * 64, end_champsim },
	        .to = &to,
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
	        .eases = "split,alone",
	        .binary = true,
	        .packet = &(const struct trc_packet_format){ .longest = 96,
	                                                     .rows = 9,
	                                                     .parse = parse_cloudsuite },
	        .print = &(const struct trc_print_format){ print_cloudsuite, 2 * 96,
	                                                   end_cloudsuite },
	        .to = &to,
	        .probe = probe_cloudsuite,
	},
	{ .name = NULL },
};
