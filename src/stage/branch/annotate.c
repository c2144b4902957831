/* SPDX-License-Identifier: MIT
 *
 * Derives branches and registers from the instruction words of a trace, and sizes if it has none.
 */
#include "batch/registers.h"
#include "stage/branch/decoded.h"
#include "stage/stage.h"
#include "stage/wrap.h"

/* The stage. */
struct annotate {
	struct trc_wrap wrap;
	struct trc_decode_cache decoded;
	uint64_t silent;   /* fetches whose word is not an instruction */
	uint64_t more;     /* instructions with more registers than the column holds */
	uint64_t branches; /* branches whose kind is from their word, */
	uint64_t others;   /* or from the trace, */
	uint64_t unknown;  /* or unknown */

	/* The last fetch: its task and space, and the bytes of its accesses; 0: unknown. */
	uint32_t task, asid;
	uint8_t access;
	uint64_t sizeless; /* loads and stores of unknown size */
};

/* Returns the size of row `i`: of the instruction, or of one of its accesses, which follow it in
 * rows of the same task; 0: unknown. */
static uint32_t
size_of(struct annotate *s, const struct trc_batch *from, size_t i, const struct trc_annotation *is)
{
	const uint32_t task = from->task ? from->task[i] : 0, asid = from->asid ? from->asid[i] : 0;
	const uint8_t type = trc_batch_type(from, i);

	if (type == TRC_FETCH) {
		s->task = task;
		s->asid = asid;
		s->access = is->access;
		return is->len;
	}
	if (type != TRC_READ && type != TRC_WRITE && type != TRC_MODIFY)
		return 0;
	if (s->access && task == s->task && asid == s->asid)
		return s->access;
	s->sizeless++;
	return 0;
}

/* Sets columns branch and regs of an instruction; other rows keep theirs. */
static void
annotate_row(struct annotate *s, const struct trc_batch *from, size_t i, struct trc_batch *b)
{
	const uint8_t outcome = TRC_BRANCH_TAKEN | TRC_BRANCH_UNKNOWN;
	const uint8_t was = from->branch ? from->branch[i] : 0;
	const struct trc_annotation is = trc_decoded_row(&s->decoded, from, i);
	const bool branches = is.len && is.branch;

	if (!from->size)
		b->size[i] = size_of(s, from, i, &is);
	b->branch[i] = is.len ? is.branch : was;
	b->regs[i] = is.len || !from->regs ? is.regs : from->regs[i];
	if (!is.len && was & TRC_BRANCH && !b->regs[i])
		b->regs[i] = trc_registers_of_branch(was);
	if (trc_annotation_open(&is))
		b->branch[i] |= was & TRC_BRANCH ? was & outcome : TRC_BRANCH_UNKNOWN;
	s->silent += !is.len && (from->type[i] & TRC_TYPE_MASK) == TRC_FETCH;
	s->more += is.more;
	s->branches += branches;
	s->others += !is.len && was & TRC_BRANCH && was & TRC_BRANCH_KIND;
	s->unknown += !is.len && was & TRC_BRANCH && !(was & TRC_BRANCH_KIND);
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

static int
annotate_meta(struct trc_wrap *w, bool ended, struct trc_err *err)
{
	const struct annotate *s = (const struct annotate *)w;
	const struct trc_caveat caveats[] = {
		{ "fetches without a decodable instruction word, whose registers are unknown",
		  s->silent, TRC_HAS_REGS },
		{ "instructions with more registers than column regs holds", s->more,
		  TRC_HAS_REGS },
		{ "branches whose kind is from their instruction word", s->branches,
		  TRC_HAS_BRANCH },
		{ "branches whose kind is from the trace itself", s->others, TRC_HAS_BRANCH },
		{ "branches of unknown kind", s->unknown, TRC_HAS_BRANCH },
		{ "loads and stores of unknown size", s->sizeless, TRC_HAS_SIZE },
	};

	(void)err;
	for (size_t i = 0; ended && i < TRC_COUNT(caveats); i++)
		trc_caveat_add(w->src.meta.caveat, &caveats[i]);
	return 0;
}

struct trc_source *
trc_stage_annotate(struct trc_source *from, trc_annotate_fn *of, uint32_t needs,
                   struct trc_err *err)
{
	const uint32_t have = from->have | TRC_HAS_BRANCH | TRC_HAS_REGS | TRC_HAS_SIZE;
	const uint32_t missing = (needs | TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_INSN) & ~from->have;
	const bool path = !(from->have & TRC_HAS_BRANCH) && from->have & TRC_HAS_SIZE &&
	                  !(from->fetched & (TRC_FETCHED_GAPS | TRC_FETCHED_MIXED)) &&
	                  !from->meta_at_end && trc_guarantee_none(&from->meta.guarantee);
	struct trc_source *outcomes;
	struct annotate *s;
	char names[64];

	if (missing) {
		trc_fail(err,
		         "branches and registers are derived from instruction words; this trace "
		         "lacks '%s'",
		         trc_columns_text(missing, names, sizeof(names)));
		return NULL;
	}
	s = trc_wrap_open(sizeof(*s), from, have, annotate_next, err);
	if (!s)
		return NULL;
	s->decoded.of = of;
	s->wrap.take_meta = annotate_meta;
	outcomes = path ? trc_stage_path(&s->wrap.src, of, err) :
	                  trc_stage_outcomes(&s->wrap.src, of, err);
	return outcomes ? outcomes : trc_wrap_fail(&s->wrap.src);
}
