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

/* Puts what follows from an instruction into columns branch and regs; other rows keep these. */
static void
annotate_row(struct annotate *s, const struct trc_batch *from, size_t i, struct trc_batch *b)
{
	const uint8_t outcome = TRC_BRANCH_TAKEN | TRC_BRANCH_UNKNOWN;
	const bool is_fetch = (from->type[i] & TRC_TYPE_MASK) == TRC_FETCH;
	const uint8_t was = from->branch ? from->branch[i] : 0;
	const struct trc_annotation *is = look_up(s, is_fetch ? from->insn[i] : 0);
	const bool annotated = is->branch || is->regs;

	b->branch[i] = annotated ? is->branch : was;
	b->regs[i] = annotated || !from->regs ? is->regs : from->regs[i];
	if (trc_annotation_open(is))
		b->branch[i] |= was & TRC_BRANCH ? was & outcome : TRC_BRANCH_UNKNOWN;
}

static enum trc_flow
annotate_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct annotate *s = (struct annotate *)src;
	const struct trc_batch *in = &s->wrap.in;
	const enum trc_flow flow = trc_wrap_pull_for(&s->wrap, b, err);

	if (flow != TRC_FLOW_ROWS)
		return flow;
	trc_batch_copy(b, in, in->have, 0, in->n);
	for (size_t i = 0; i < in->n; i++)
		annotate_row(s, in, i, b);
	b->n = in->n;
	return flow;
}

struct trc_source *
trc_stage_annotate(struct trc_source *from, trc_annotate_fn *of, struct trc_err *err)
{
	const uint32_t have = from->have | TRC_HAS_BRANCH | TRC_HAS_REGS;
	const uint32_t needs = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_INSN;
	struct trc_source *outcomes;
	struct annotate *s;
	char names[64];

	if (needs & ~from->have) {
		trc_fail(err,
		         "branches and registers are told by instruction words; this trace "
		         "lacks '%s'",
		         trc_columns_text(needs & ~from->have, names, sizeof(names)));
		return NULL;
	}
	s = trc_wrap_open(sizeof(*s), from, have, annotate_next, err);
	if (!s)
		return NULL;
	s->of = of;
	outcomes = trc_stage_outcomes(&s->wrap.src, of, false, err);
	return outcomes ? outcomes : trc_wrap_fail(&s->wrap.src);
}
