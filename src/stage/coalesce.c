/* SPDX-License-Identifier: MIT
 *
 * Combines the references of the lanes of a warp into the transactions of device memory that serve
 * them: one for each aligned segment of 32, 64 or 128 bytes that any lane touches, in the order of
 * first touch (NVIDIA's CUDA C++ Programming Guide, "Device Memory Accesses"). Lanes are adjacent
 * rows with the same task (warp), instruction time and type; segments in different address spaces
 * are different. A transaction has the columns of the lane that touched it first, but its own
 * address and size. Rows that are not references pass unchanged.
 */
#include "stage/stage.h"
#include "stage/wrap.h"

enum { SEGMENTS = 1024 }; /* the most segments of an instruction */

/* The stage. */
struct coalesce {
	struct trc_wrap wrap;
	uint64_t size;
	uint64_t itime; /* of the current instruction, with its task and type */
	uint32_t task;
	uint8_t type;
	bool within;   /* the waiting row is unfinished; its segments before `next` are done */
	uint64_t next; /* segment */
	struct segment {
		uint64_t number;
		uint32_t asid;
	} touched[SEGMENTS]; /* by the instruction so far */
	size_t n;
};

/* Begins a row, and a new instruction if the row does not belong to the current one. */
static void
begin_row(struct coalesce *s, const struct trc_batch *in, size_t i)
{
	if (s->itime != in->itime[i] || s->task != in->task[i] || s->type != in->type[i])
		s->n = 0;
	s->itime = in->itime[i];
	s->task = in->task[i];
	s->type = in->type[i];
	s->within = true;
	s->next = in->addr[i] / s->size;
}

/* Appends a transaction for segment `next` of row `i`, unless the instruction has one. */
static int
put_segment(struct coalesce *s, struct trc_batch *b, size_t i, struct trc_err *err)
{
	const uint32_t asid = b->asid ? s->wrap.in.asid[i] : 0;

	for (size_t k = 0; k < s->n; k++)
		if (s->touched[k].number == s->next && s->touched[k].asid == asid)
			return 0;
	if (s->n == SEGMENTS)
		return trc_fail(err,
		                "instruction %llu touches more than %d segments, so it is not "
		                "from a warp",
		                (ull)s->itime, SEGMENTS);
	s->touched[s->n++] = (struct segment){ s->next, asid };
	trc_batch_append(b, &s->wrap.in, i, 1);
	b->addr[b->n - 1] = s->next * s->size;
	b->size[b->n - 1] = (uint32_t)s->size;
	return 0;
}

/* Handles the waiting row as far as there is room in `b`. */
static int
do_row(struct coalesce *s, struct trc_batch *b, struct trc_err *err)
{
	const struct trc_batch *in = &s->wrap.in;
	const size_t i = s->wrap.at;
	uint64_t last;

	if (trc_batch_is_event(in, i) || trc_type_refs(in->type[i]) == 0) {
		trc_batch_append(b, in, i, 1);
		s->wrap.at++;
		return 0;
	}
	if (trc_batch_past_end(in, i))
		return trc_batch_fail_past_end(in, i, err);
	if (!s->within)
		begin_row(s, in, i);
	last = (in->addr[i] + (in->size[i] ? in->size[i] - 1 : 0)) / s->size;
	for (; s->next <= last && b->n < b->cap; s->next++)
		if (put_segment(s, b, i, err))
			return -1;
	s->within = s->next <= last;
	s->wrap.at += !s->within;
	return 0;
}

static int
coalesce_meta(struct trc_wrap *w, bool ended, struct trc_err *err)
{
	(void)ended;
	if (!trc_guarantee_none(&w->src.meta.guarantee))
		return trc_fail_as(err, TRC_USAGE,
		                   "--coalesce: the trace was reduced and lacks lanes; use the "
		                   "original");
	trc_meta_filtered(&w->src.meta);
	return 0;
}

static enum trc_flow
coalesce_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct coalesce *s = (struct coalesce *)src;

	while (b->n == 0) {
		enum trc_flow flow = trc_wrap_pull(&s->wrap, err);

		if (flow != TRC_FLOW_ROWS)
			return flow;
		while (s->wrap.at < s->wrap.in.n && b->n < b->cap)
			if (do_row(s, b, err))
				return TRC_FLOW_FAILED;
	}
	return TRC_FLOW_ROWS;
}

struct trc_source *
trc_stage_coalesce(struct trc_source *from, unsigned size, struct trc_err *err)
{
	const uint32_t needs = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_TASK |
	                       TRC_HAS_ITIME;
	struct coalesce *s;
	char names[64];

	if (needs & ~from->have) {
		trc_fail_as(err, TRC_USAGE,
		            "--coalesce: the trace lacks '%s', which identifies the lanes of an "
		            "instruction; nvbit and traceg have it",
		            trc_columns_text(needs & ~from->have, names, sizeof(names)));
		return NULL;
	}
	s = trc_wrap_open(sizeof(*s), from, from->have, coalesce_next, err);
	if (!s)
		return NULL;
	s->size = size;
	s->wrap.take_meta = coalesce_meta;
	return &s->wrap.src;
}

static struct trc_source *
wrap(struct trc_source *from, const void *settings, struct trc_err *err)
{
	return trc_stage_coalesce(from, 16u << *(const unsigned *)settings, err);
}

const struct trc_stage_row trc_stage_row_coalesce = {
	.opts = TRC_OPTS(unsigned, { 0, "coalesce", "32|64|128",
	                             "combine the lanes of a GPU warp into transactions",
	                             TRC_OPT_CHOICE, TRC_WORDS_NONE, 0 }),
	.wrap = wrap,
};
