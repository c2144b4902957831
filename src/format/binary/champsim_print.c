/* SPDX-License-Identifier: MIT
 *
 * Writes the records of ChampSim and of CloudSuite: rows become the operands of their fetch.
 */
#include "format/binary/champsim.h"

#include <assert.h>

/* The last record, to which operands may still be added. It is in the output while rows of one
 * batch are written, and saved between calls. */
struct record {
	uint8_t *p; /* NULL: there is none */
	uint64_t ip;
	uint32_t asid;
	unsigned loads, stores; /* number used */
};

enum {
	LARGEST = 96,
	ALONE = 1, /* address of the instruction for rows before the first fetch */
};

/* The state of the writer between rows: the record of the last instruction. */
struct pending {
	struct record last; /* p only shows whether there is a record */
	uint8_t byte[LARGEST];
};

static_assert(sizeof(struct pending) <= TRC_FORMAT_STATE, "fits the state of a format");

/* The arguments of the writer. */
struct settings {
	bool split, flags, alone, regs, branch;
};

static const struct trc_caveat more_regs = {
	.text = "instructions that lose written registers after the second",
	.rows = 1,
};
static const struct trc_caveat untaken = {
	.text = "branches with unknown outcome, written as not taken",
	.rows = 1,
};

/* The columns of a batch, in local variables, so that no store into the output can change them. */
struct columns {
	const uint8_t *type, *branch;
	const uint64_t *addr, *pc, *regs;
	const uint32_t *asid;
};

/* Begins a record without operands at *dst. */
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
	                name, kind >> TRC_BRANCH_SHIFT,
	                trc_registers_kind(regs) >> TRC_BRANCH_SHIFT);
}

/* Returns true if a record can hold a fetch that branches, or was taken. */
static inline bool
fits(uint8_t branch, uint64_t regs, bool has_regs)
{
	const uint8_t kind = branch & TRC_BRANCH_KIND;

	if (branch & ~(TRC_BRANCH | TRC_BRANCH_TAKEN | TRC_BRANCH_KIND) || kind == TRC_BRANCH_KIND)
		return false;
	if (!(branch & TRC_BRANCH))
		return kind == 0;
	return !has_regs || trc_registers_kind(regs) == kind;
}

/* Changes what a record cannot hold as little as possible, if the options allow it. */
static TRC_NO_INLINE int
make_fit(const char *name, const struct trc_rows *rows, uint8_t *branch, uint64_t *regs,
         struct trc_err *err)
{
	const struct settings *set = rows->settings;

	if (*branch & TRC_BRANCH_UNKNOWN && !set->branch)
		return trc_fail(err,
		                "%s cannot hold a branch with unknown outcome; --to %s:branch "
		                "writes it as not taken",
		                name, name);
	if (!(*branch & TRC_BRANCH_UNKNOWN) && !set->regs)
		return trc_fail(err,
		                "%s cannot hold a third written register; cloudsuite holds four, "
		                "and --to %s:regs drops it",
		                name, name);
	trc_caveat_add(rows->caveat, *branch & TRC_BRANCH_UNKNOWN ? &untaken : &more_regs);
	if (*branch & TRC_BRANCH_UNKNOWN)
		*branch &= (uint8_t)~TRC_BRANCH_UNKNOWN;
	else
		*regs &= ~UINT64_C(0xffff0000);
	return 0;
}

static TRC_ALWAYS_INLINE int
take_fetch(const struct columns c, size_t i, const struct layout l, const struct trc_rows *rows,
           struct record *r, uint8_t **dst, struct trc_err *err)
{
	const struct settings *set = rows->settings;
	uint8_t branch = c.branch ? c.branch[i] : 0;
	uint64_t regs = c.regs ? c.regs[i] : branch ? trc_registers_of_branch(branch) : 0;

	if (c.pc && c.pc[i] != c.addr[i])
		return trc_fail(err, "%s requires the pc of a fetch to be its address", l.name);
	if (branch && TRC_UNLIKELY(!fits(branch, regs, c.regs))) {
		if (branch & TRC_BRANCH_UNKNOWN && make_fit(l.name, rows, &branch, &regs, err))
			return -1;
		if (!fits(branch, regs, c.regs))
			return refuse_branch(l.name, branch, regs, err);
	}
	if (l.n_dst == 2 && TRC_UNLIKELY(regs & 0xffff0000) &&
	    make_fit(l.name, rows, &branch, &regs, err))
		return -1;
	if (TRC_UNLIKELY(set->flags) && (branch & TRC_BRANCH_KIND) == TRC_BRANCH_COND)
		regs = (uint32_t)regs | trc_registers_of_branch(branch) >> 32 << 32;
	*r = begin(dst, l, c.addr[i], branch, regs, c.asid ? c.asid[i] : 0);
	return 0;
}

/* Returns 0 if an operand that does not fit in the record may go into another record. */
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
		                        "%s cannot hold a load after a store of its instruction; "
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
	                "%s cannot hold a load or store before the first fetch; --to %s:alone "
	                "makes up an instruction at address %d",
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
		        "%s cannot hold a reference to address 0, which means none; --addr 1- "
		        "drops it",
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
		return trc_fail(err, "%s needs the same asid for an instruction and its operands",
		                l.name);
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

/* Processes one row; the caller adds the row to the message of a failure. */
static TRC_ALWAYS_INLINE int
put_row(const struct columns c, size_t i, const struct layout l, const struct trc_rows *rows,
        struct record *r, uint8_t **dst, struct trc_err *err)
{
	if (TRC_UNLIKELY(c.type[i] > TRC_FETCH)) {
		trc_format_refuse_type(l.name, c.type[i], err);
		return -1;
	}
	if (TRC_UNLIKELY(c.asid && c.asid[i] > UINT16_MAX))
		return trc_fail(err, "%s cannot hold an asid of %lu, above two bytes", l.name,
		                (unsigned long)c.asid[i]);
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
		if (TRC_UNLIKELY(put_row(c, i, l, rows, &r, &dst, err))) {
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

/* Compiled separately for the most frequent columns. */
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
	{ 0, "split", NULL, "instructions with too many loads or stores become several records",
	  TRC_OPT_FLAG, TRC_WORDS_NONE, offsetof(struct settings, split) },
	{ 0, "alone", NULL,
	  "loads and stores before the first instruction belong to one at address 1", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct settings, alone) },
	{ 0, "regs", NULL, "written registers after the second are dropped", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct settings, regs) },
	{ 0, "branch", NULL, "branches with unknown outcome become not taken", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct settings, branch) },
	{ 0, "flags", NULL, "conditional branches read the flags, as before 2023-09", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct settings, flags) },
};

const struct trc_format_args trc_champsim_to = { opts, TRC_COUNT(opts) };

const struct trc_print_format trc_champsim_print = { print_champsim, 2 * 64, end_champsim };
const struct trc_print_format trc_cloudsuite_print = { print_cloudsuite, 2 * 96, end_cloudsuite };
