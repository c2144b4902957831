/* SPDX-License-Identifier: MIT
 *
 * Blocks of decoded instructions: filled from the bytes of a page, kept with the page, dropped with
 * it.
 */
#include "machine/hart/block.h"

#include <stdlib.h>

#include "machine/hart/annotate.h"
#include "machine/hart/core.h"

enum {
	BRANCHES = 2, /* branches after which a block may continue */
	JUMPS = 2,
	ALIGN = 16,
};

static size_t
rounded(size_t n)
{
	return (n + ALIGN - 1) / ALIGN * ALIGN;
}

/* Allocates a block and its arrays together; *bytes is the size of the allocation. */
static struct trc_block *
make(unsigned ops, unsigned exits, unsigned rows, size_t *bytes, struct trc_err *err)
{
	const size_t op = rounded(sizeof(struct trc_block));
	const size_t exit = op + rounded(ops * sizeof(struct trc_hart_op));
	const size_t off = exit + rounded(exits * sizeof(struct trc_exit));
	const size_t insn = off + rounded(rows * sizeof(uint64_t));
	const size_t regs = insn + rounded(rows * sizeof(uint64_t));
	const size_t size = regs + rounded(rows * sizeof(uint64_t));
	const size_t type = size + rounded(rows * sizeof(uint32_t));
	const size_t branch = type + rounded(rows);
	const size_t at = branch + rounded(rows);
	char *mem = trc_alloc(at + rounded(rows), 1, err);
	struct trc_block *b = (struct trc_block *)(void *)mem;

	if (!mem)
		return NULL;
	*bytes = at + rounded(rows);
	b->op = (struct trc_hart_op *)(void *)(mem + op);
	b->exit = (struct trc_exit *)(void *)(mem + exit);
	b->off = (uint64_t *)(void *)(mem + off);
	b->insn = (uint64_t *)(void *)(mem + insn);
	b->regs = (uint64_t *)(void *)(mem + regs);
	b->size = (uint32_t *)(void *)(mem + size);
	b->type = (uint8_t *)(mem + type);
	b->branch = (uint8_t *)(mem + branch);
	b->at = (uint8_t *)(mem + at);
	return b;
}

struct trc_block *
trc_block_new(struct trc_err *err)
{
	size_t bytes;

	return make(TRC_BLOCK_INSNS + 1, TRC_BLOCK_INSNS + 1, TRC_BLOCK_ROWS, &bytes, err);
}

/* The state of filling a block. */
struct filling {
	struct trc_block *b;
	const struct trc_block_source *s;
	int offset; /* of the next instruction in the page */
	unsigned row, branches, jumps;
};

static void
add_row(struct filling *f, uint8_t type, uint32_t size, const struct trc_insn *i)
{
	struct trc_block *b = f->b;
	const struct trc_annotation is = i ? trc_annotate_insn(i) : (struct trc_annotation){ 0 };

	b->off[f->row] = (uint64_t)(int64_t)(f->offset - (int)f->s->offset);
	b->insn[f->row] = i ? i->raw : 0;
	b->regs[f->row] = is.regs;
	b->branch[f->row] = is.branch;
	b->size[f->row] = size;
	b->type[f->row] = type;
	b->at[f->row++] = (uint8_t)b->insns;
}

static struct trc_exit *
add_exit(struct filling *f, int64_t offset, unsigned insns)
{
	struct trc_exit *x = &f->b->exit[f->b->exits++];

	*x = (struct trc_exit){
		.delta = (uint64_t)(offset - (int)f->s->offset),
		.insns = (uint16_t)insns,
		.rows = (uint16_t)f->row,
	};
	return x;
}

/* Ends the block with an exit to this offset of the page. */
static void
add_leave(struct filling *f, int64_t offset)
{
	f->b->op[f->b->ops++] = (struct trc_hart_op){
		.run = trc_exec_leave,
		.exit = add_exit(f, offset, f->b->insns),
		.row = (uint8_t)f->row,
		.at = (uint8_t)f->b->insns,
	};
}

/* Returns true for instructions that only count: they need no handler. */
static bool
is_idle(const struct trc_insn *i)
{
	if (i->op == TRC_OP_addi || i->op == TRC_OP_jal)
		return i->rd == 0;
	return i->op == TRC_OP_fence;
}

static void
add_op(struct filling *f, const struct trc_insn *i)
{
	const struct trc_op_info *info = &trc_op_info[i->op];
	struct trc_hart_op *op = &f->b->op[f->b->ops];
	const int off = f->offset - (int)f->s->offset;

	add_row(f, TRC_FETCH, i->len, i);
	*op = (struct trc_hart_op){
		.run = trc_handler[i->op],
		.imm = i->imm,
		.rd = i->rd == 0 && !(info->flags & TRC_OP_WRITES_F) ? 32 : i->rd,
		.rs1 = i->rs1,
		.rs2 = i->rs2,
		.rs3 = i->rs3,
		.row = (uint8_t)f->row,
		.at = (uint8_t)f->b->insns,
		.off = (int16_t)off,
	};
	if (i->op < TRC_OP_fmadd_s || i->op > TRC_OP_fnmadd_h)
		op->len = i->len;
	if (i->op >= TRC_OP_fmadd_s)
		op->imm = i->rm;
	else if (i->op == TRC_OP_auipc)
		op->imm = i->imm + off;
	else if (i->op == TRC_OP_jal)
		op->imm = off + i->len;
	if (info->loads)
		add_row(f, TRC_READ, UINT32_C(1) << info->size, NULL);
	if (info->stores)
		add_row(f, TRC_WRITE, UINT32_C(1) << info->size, NULL);
	if (info->flags & TRC_OP_FP)
		f->b->needs |= TRC_NEEDS_FP;
	if (!is_idle(i))
		f->b->ops++;
}

/* Chooses where to continue after an instruction that was added; returns true if the block
 * continues at f->offset. */
static bool
go_on(struct filling *f, const struct trc_insn *i)
{
	const unsigned flags = trc_op_info[i->op].flags;
	struct trc_hart_op *op = &f->b->op[f->b->ops - 1];
	const int64_t next = f->offset + i->len, target = f->offset + i->imm;

	f->b->insns++;
	if (flags & TRC_OP_JUMPS) {
		if (target < 0 || target >= TRC_GUEST_PAGE || f->jumps++ == JUMPS) {
			add_leave(f, target);
			return false;
		}
		f->offset = (int)target;
		return true;
	}
	if (flags & TRC_OP_BRANCHES) {
		op->exit = add_exit(f, target, f->b->insns);
		op->exit->taken = true;
		if (target <= f->offset || f->branches++ == BRANCHES) {
			add_leave(f, next);
			return false;
		}
	}
	if (flags & TRC_OP_ENDS) {
		if (i->op == TRC_OP_jalr) {
			op->exit = add_exit(f, 0, f->b->insns);
			op->exit->imm = (int16_t)i->imm;
		}
		return false;
	}
	f->offset = (int)next;
	return true;
}

/* Decodes the instruction at f->offset. Returns false if it crosses the end of the page and is not
 * the first of the block. */
static bool
decode_next(struct filling *f, struct trc_insn *i)
{
	const unsigned at = (unsigned)f->offset;
	const uint16_t low = trc_le16(f->s->page + at);
	uint16_t high = 0;

	if (trc_insn_len(low) == 4) {
		if (at + 2 < TRC_GUEST_PAGE) {
			high = trc_le16(f->s->page + at + 2);
		} else if (f->b->insns == 0) {
			high = f->b->cross = f->s->beyond;
			f->b->needs |= TRC_NEEDS_CROSS;
		} else {
			return false;
		}
	}
	*i = trc_decode_by((uint32_t)high << 16 | low, f->s->isa);
	return true;
}

static void
mark(uint64_t *used, unsigned offset, unsigned len)
{
	for (unsigned i = offset / 2; i < (offset + len) / 2 && i < TRC_PAGE_PLACES; i++)
		used[i / 64] |= UINT64_C(1) << i % 64;
}

void
trc_block_fill(struct trc_block *b, const struct trc_block_source *s, uint64_t *used)
{
	struct filling f = { .b = b, .s = s, .offset = (int)s->offset };
	struct trc_insn i;

	b->insns = b->ops = b->exits = b->needs = 0;
	for (;;) {
		if (b->insns == s->most || f.offset >= TRC_GUEST_PAGE || !decode_next(&f, &i)) {
			add_leave(&f, f.offset);
			break;
		}
		if (used)
			mark(used, (unsigned)f.offset, i.len);
		add_op(&f, &i);
		if (!go_on(&f, &i))
			break;
	}
	while (f.row % TRC_ROW_STEP)
		add_row(&f, TRC_FETCH, 0, NULL);
	b->rows = (uint16_t)f.row;
}

struct trc_block *
trc_block_alone(const struct trc_block_source *s, const struct trc_block *b, uint64_t *used,
                size_t *bytes, struct trc_err *err)
{
	struct trc_block *own = make(b->ops, b->exits, b->rows, bytes, err);

	if (own)
		trc_block_fill(own, s, used);
	return own;
}

struct trc_block *
trc_block_keep(struct trc_blocks *all, struct trc_page *page, const struct trc_block_source *s,
               const struct trc_block *b, struct trc_err *err)
{
	struct trc_decoded *d = page->code;
	size_t bytes;
	struct trc_block *kept = trc_block_alone(s, b, d->used, &bytes, err);

	if (!kept)
		return NULL;
	kept->next = d->first;
	d->first = d->at[s->offset / 2] = kept;
	all->bytes += bytes;
	return kept;
}

int
trc_blocks_add(struct trc_blocks *all, struct trc_page *page, struct trc_err *err)
{
	struct trc_decoded *d = trc_alloc(1, sizeof(*d), err);

	if (!d)
		return -1;
	d->page = page;
	d->next = all->first;
	all->first = page->code = d;
	all->bytes += sizeof(*d);
	return 0;
}

static void
drop(struct trc_decoded *d)
{
	while (d->first) {
		struct trc_block *next = d->first->next;

		free(d->first);
		d->first = next;
	}
	d->page->code = NULL;
	free(d);
}

void
trc_blocks_drop(struct trc_blocks *all, bool stale_only)
{
	struct trc_decoded **at = &all->first;

	while (*at) {
		struct trc_decoded *d = *at;

		if (stale_only && !d->stale) {
			at = &d->next;
			continue;
		}
		*at = d->next;
		drop(d);
	}
	if (!stale_only)
		all->bytes = 0;
}

bool
trc_decoded_has(const struct trc_decoded *d, unsigned offset, unsigned len)
{
	for (unsigned i = offset / 2; i <= (offset + len - 1) / 2 && i < TRC_PAGE_PLACES; i++)
		if (d->used[i / 64] >> i % 64 & 1)
			return true;
	return false;
}
