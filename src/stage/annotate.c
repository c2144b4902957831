/* SPDX-License-Identifier: MIT
 * Branches and registers of a trace that has instruction words. The words of a program are few, so
 * the annotations of the latest are kept. */
#include "stage/stage.h"

#include "stage/wrap.h"

enum { KEPT_BITS = 11 };

/* The annotation of an instruction word, kept in a direct-mapped cache. */
struct kept {
	uint64_t word;
	struct trc_annotation is;
};

/* The stage. */
struct annotate {
	struct trc_wrap wrap;
	trc_annotate_fn *of;
	struct trc_batch last; /* one row, a branch that waits for the next row, or none */
	struct kept kept[1 << KEPT_BITS];
};

static const struct trc_annotation *
look_up(struct annotate *s, uint64_t word)
{
	struct kept *k = &s->kept[word * UINT64_C(0x9e3779b97f4a7c15) >> (64 - KEPT_BITS)];

	if (TRC_UNLIKELY(k->word != word))
		*k = (struct kept){ word, s->of(word) };
	return &k->is;
}

static bool
is_fetch_at(const struct trc_batch *b, size_t i, uint64_t addr)
{
	return (b->type[i] & TRC_TYPE_MASK) == TRC_FETCH && b->addr[i] == addr;
}

/* Puts what follows from an instruction into *branch and *regs; other rows keep these columns.
 * Returns the annotation if the next row shows whether a branch was taken, and NULL if not. */
static const struct trc_annotation *
annotate_row(struct annotate *s, const struct trc_batch *from, size_t i, uint8_t *branch,
             uint64_t *regs)
{
	const bool is_fetch = (from->type[i] & TRC_TYPE_MASK) == TRC_FETCH;
	const uint8_t was = from->branch ? from->branch[i] : 0;
	const struct trc_annotation *is = look_up(s, is_fetch ? from->insn[i] : 0);
	const bool annotated = is->branch || is->regs;

	*branch = annotated ? is->branch : was;
	*regs = annotated || !from->regs ? is->regs : from->regs[i];
	if (!trc_annotation_open(is))
		return NULL;
	if (!(was & TRC_BRANCH))
		return is;
	*branch |= was & TRC_BRANCH_TAKEN;
	return NULL;
}

/* The same for `n` rows that have a next one, without branches, and where none has the columns. */
static void
annotate_rows(struct annotate *s, const struct trc_batch *from, size_t at, size_t n,
              uint8_t *restrict branch, uint64_t *restrict regs)
{
	const uint8_t *const type = from->type + at;
	const uint64_t *const addr = from->addr + at, *const insn = from->insn + at;

	for (size_t i = 0; i < n; i++) {
		const bool is_fetch = (type[i] & TRC_TYPE_MASK) == TRC_FETCH;
		const bool to_fetch = (type[i + 1] & TRC_TYPE_MASK) == TRC_FETCH;
		const struct trc_annotation *is = look_up(s, is_fetch ? insn[i] : 0);
		const bool there = addr[i + 1] - addr[i] == (uint64_t)is->target;
		const unsigned taken = trc_annotation_open(is) & to_fetch & there;

		branch[i] = (uint8_t)(is->branch | taken * TRC_BRANCH_TAKEN);
		regs[i] = is->regs;
	}
}

/* Moves what waits into `b`, up to a branch that has to wait longer. */
static void
move(struct annotate *s, struct trc_batch *b)
{
	struct trc_wrap *w = &s->wrap;
	const struct trc_batch *in = &w->in;
	const size_t waiting = in->n - w->at, room = b->cap - b->n;
	size_t n = waiting < room ? waiting : room;

	trc_batch_copy(b, in, in->have, w->at, n);
	if (!(in->have & (TRC_HAS_BRANCH | TRC_HAS_REGS)) && n > 1) {
		annotate_rows(s, in, w->at, n - 1, b->branch + b->n, b->regs + b->n);
		w->at += n - 1;
		b->n += n - 1;
		n = 1;
	}
	for (; n > 0; n--, w->at++, b->n++) {
		const struct trc_annotation *is = annotate_row(s, in, w->at, &b->branch[b->n],
		                                               &b->regs[b->n]);

		if (is && w->at + 1 == in->n) {
			trc_batch_append(&s->last, in, w->at++, 1);
			break;
		}
		if (is && is_fetch_at(in, w->at + 1, in->addr[w->at] + (uint64_t)is->target))
			b->branch[b->n] |= TRC_BRANCH_TAKEN;
	}
}

/* Gives the branch that waited, taken or not by the first row that came, if any came. */
static void
give_last(struct annotate *s, bool came, struct trc_batch *b)
{
	const struct trc_batch *last = &s->last;
	const struct trc_annotation *is = annotate_row(s, last, 0, b->branch, b->regs);

	trc_batch_copy(b, last, last->have & ~(uint32_t)(TRC_HAS_BRANCH | TRC_HAS_REGS), 0, 1);
	if (is && came && is_fetch_at(&s->wrap.in, 0, last->addr[0] + (uint64_t)is->target))
		b->branch[0] |= TRC_BRANCH_TAKEN;
	b->n = 1;
	trc_batch_clear(&s->last);
}

static enum trc_flow
annotate_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct annotate *s = (struct annotate *)src;
	struct trc_wrap *w = &s->wrap;

	while (b->n == 0) {
		const enum trc_flow flow = trc_wrap_pull(w, err);

		if (flow == TRC_FLOW_FAILED || (flow == TRC_FLOW_END && s->last.n == 0))
			return flow;
		if (s->last.n)
			give_last(s, flow == TRC_FLOW_ROWS, b);
		move(s, b);
	}
	return TRC_FLOW_ROWS;
}

static void
annotate_close(struct trc_source *src)
{
	trc_batch_release(&((struct annotate *)src)->last);
	trc_wrap_close(src);
}

struct trc_source *
trc_stage_annotate(struct trc_source *from, trc_annotate_fn *of, struct trc_err *err)
{
	const uint32_t have = from->have | TRC_HAS_BRANCH | TRC_HAS_REGS;
	const uint32_t needs = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_INSN;
	struct annotate *s;
	struct trc_batch last;
	char names[64];

	if (needs & ~from->have) {
		trc_fail(err,
		         "branches and registers are told by instruction words; this trace "
		         "lacks '%s'",
		         trc_columns_text(needs & ~from->have, names, sizeof(names)));
		return NULL;
	}
	if (trc_batch_init(&last, from->have, 1, err))
		return NULL;
	s = trc_wrap_open(sizeof(*s), from, have, annotate_next, err);
	if (!s) {
		trc_batch_release(&last);
		return NULL;
	}
	s->wrap.src.close = annotate_close;
	s->of = of;
	s->last = last;
	return &s->wrap.src;
}
