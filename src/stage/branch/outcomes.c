/* SPDX-License-Identifier: MIT
 *
 * Determines the outcomes of conditional branches from the path of their task. Rows are held back
 * from a branch on until its task fetches again: usually for a few rows, but if tasks take turns,
 * until it is the task's turn again.
 */
#include "base/map_find.h"
#include "batch/registers.h"
#include "stage/branch/path.h"
#include "stage/branch/decoded.h"
#include "stage/stage.h"
#include "stage/wrap.h"

enum {
	BEHIND_MOST = 1 << 16, /* rows after a branch in which the next fetch is searched */
	HELD = 2 * BEHIND_MOST,
	NO_BRANCH = HELD,
};

/* The stage. */
struct outcomes {
	struct trc_wrap wrap;
	struct trc_decode_cache decoded; /* `of` is NULL if targets and lengths are unknown */
	size_t most; /* rows after a branch, as above; 0: no outcome is determined */

	/* Rows; those before `at` were output. The other batch takes over the rest when this one is
	 * full. */
	struct trc_batch held, other;
	size_t at;
	bool waits[HELD];

	/* The row of the branch for which each task waits, or NO_BRANCH; the kernel counts as a
	 * space of its own. */
	struct trc_map branch;
	struct trc_map_entry *last; /* the last one looked up; NULL: none */
	uint64_t unknown;

	bool by_path; /* any fetch may be a branch, except those with a known word */
	struct trc_branch_path path;
	uint64_t lost;            /* fetches after which the path is unknown */
	uint64_t shown, kindless; /* branches with and without a kind known from the path */
};

/* Returns the entry of the task of row `i`; NULL if memory runs out. */
static struct trc_map_entry *
entry_of(struct outcomes *s, size_t i, bool kernel, struct trc_err *err)
{
	const uint32_t task = s->held.task ? s->held.task[i] : 0;

	if (TRC_LIKELY(s->last && s->last->page == task && s->last->space == kernel))
		return s->last;
	s->last = trc_map_find(&s->branch, kernel, task);
	if (s->last->value == TRC_MAP_NONE) {
		if (trc_map_add(&s->branch, kernel, task, NO_BRANCH, err))
			return s->last = NULL;
		s->last = trc_map_find(&s->branch, kernel, task);
	}
	return s->last;
}

/* Returns the annotation of row `i`; members are 0 if it is unknown. */
static struct trc_annotation
word_of(struct outcomes *s, const struct trc_batch *b, size_t i)
{
	return s->decoded.of ? trc_decoded_row(&s->decoded, b, i) : (struct trc_annotation){ 0 };
}

/* Sets the outcome of the branch in row `i`, whose task then fetched at `next`. */
static void
set_outcome(struct outcomes *s, size_t i, uint64_t next)
{
	const struct trc_batch *b = &s->held;
	const struct trc_annotation is = word_of(s, b, i);
	const uint64_t distance = next - b->addr[i];
	const uint32_t len = is.len ? is.len : b->size ? b->size[i] : 0;
	const bool taken = is.len ? distance == (uint64_t)is.target : len && distance != len;
	const bool known = taken || (len && distance == len);

	s->unknown += !known;
	if (known)
		b->branch[i] ^= TRC_BRANCH_UNKNOWN | (taken ? TRC_BRANCH_TAKEN : 0);
}

/* Sets column branch of the fetch in row `i` from the path. */
static int
find_by_path(struct outcomes *s, size_t i, const uint64_t *next, struct trc_err *err)
{
	uint8_t *branch = &s->held.branch[i];

	if (s->held.size[i] == 0)
		next = NULL;
	s->lost += !next;
	if (trc_path_find(&s->path, &s->held, i, next, branch, err))
		return -1;
	if (s->held.regs && *branch)
		s->held.regs[i] = trc_registers_of_branch(*branch);
	s->shown += *branch && *branch & TRC_BRANCH_KIND;
	s->kindless += *branch && !(*branch & TRC_BRANCH_KIND);
	return 0;
}

/* Ends the wait of a task; `next` is its next fetch; NULL: unknown. */
static int
end_wait(struct outcomes *s, struct trc_map_entry *e, const uint64_t *next, struct trc_err *err)
{
	const uint32_t i = e->value;

	if (i == NO_BRANCH)
		return 0;
	e->value = NO_BRANCH;
	s->waits[i] = false;
	if (s->by_path && !word_of(s, &s->held, i).len)
		return find_by_path(s, i, next, err);
	s->unknown += !next;
	if (next)
		set_outcome(s, i, *next);
	return 0;
}

static int
take_fetch(struct outcomes *s, size_t i, struct trc_err *err)
{
	const uint8_t open = TRC_BRANCH | TRC_BRANCH_UNKNOWN;
	const struct trc_batch *b = &s->held;
	struct trc_map_entry *e = entry_of(s, i, b->type[i] & TRC_KERNEL, err);

	if (!e)
		return -1;
	if (end_wait(s, e, i - e->value > s->most ? NULL : &b->addr[i], err))
		return -1;
	if ((b->branch[i] & (open | TRC_BRANCH_TAKEN)) == open) {
		s->waits[i] = true;
		e->value = (uint32_t)i;
	}
	return 0;
}

static int
take_event(struct outcomes *s, size_t i, struct trc_err *err)
{
	for (int kernel = 0; kernel < 2 && !trc_path_goes_on(trc_batch_event(&s->held, i));
	     kernel++) {
		struct trc_map_entry *e = entry_of(s, i, kernel, err);

		if (!e || end_wait(s, e, NULL, err))
			return -1;
	}
	return 0;
}

/* Makes room after the rows that are held. */
static void
move_up(struct outcomes *s)
{
	const size_t n = s->held.n - s->at;
	const struct trc_batch full = s->held;

	if (n > TRC_BATCH_ROWS && full.n + TRC_BATCH_ROWS <= HELD)
		return;
	trc_batch_clear(&s->other);
	trc_batch_append(&s->other, &full, s->at, n);
	for (size_t i = s->at; i < full.n; i++)
		if (s->waits[i])
			trc_map_find(&s->branch, (full.type[i] & TRC_KERNEL) != 0,
			             full.task ? full.task[i] : 0)
			        ->value -= (uint32_t)s->at;
	memmove(s->waits, s->waits + s->at, n * sizeof(*s->waits));
	s->held = s->other;
	s->other = full;
	s->at = 0;
}

/* Returns true if the outcome of row `i` must be determined. */
static bool
is_open(struct outcomes *s, const struct trc_batch *b, size_t i)
{
	return !trc_batch_is_event(b, i) && (b->type[i] & TRC_TYPE_MASK) == TRC_FETCH &&
	       !word_of(s, b, i).len;
}

/* Adds the new rows to those held. */
static void
append(struct outcomes *s)
{
	const struct trc_batch *in = &s->wrap.in;
	struct trc_batch *b = &s->held;

	trc_batch_copy(b, in, in->have, 0, in->n);
	for (size_t i = 0; s->by_path && i < in->n; i++)
		if (is_open(s, in, i))
			b->branch[b->n + i] = TRC_BRANCH | TRC_BRANCH_UNKNOWN;
		else if (!s->decoded.of)
			b->branch[b->n + i] = 0;
	b->n += in->n;
	s->wrap.at = in->n;
}

/* Takes the next rows. */
static enum trc_flow
take_rows(struct outcomes *s, struct trc_err *err)
{
	const enum trc_flow flow = trc_wrap_pull(&s->wrap, err);
	size_t i;

	if (flow == TRC_FLOW_FAILED)
		return flow;
	move_up(s);
	i = s->held.n;
	append(s);
	memset(s->waits + i, 0, s->held.n - i);
	for (; i < s->held.n; i++)
		if (trc_batch_is_event(&s->held, i) ?
		            take_event(s, i, err) :
		            (s->held.type[i] & TRC_TYPE_MASK) == TRC_FETCH && take_fetch(s, i, err))
			return TRC_FLOW_FAILED;
	return flow;
}

/* Outputs rows, up to a branch that is still waiting, which none is when the rows have `ended`. */
static int
put_rows(struct outcomes *s, bool ended, struct trc_batch *b, struct trc_err *err)
{
	const size_t from = s->at;

	for (; s->at < s->held.n && s->at - from < b->cap; s->at++) {
		struct trc_map_entry *e;

		if (TRC_LIKELY(!s->waits[s->at]))
			continue;
		if (!ended && s->held.n - s->at <= s->most)
			break;
		e = entry_of(s, s->at, s->held.type[s->at] & TRC_KERNEL, err);
		if (!e || end_wait(s, e, NULL, err))
			return -1;
	}
	trc_batch_append(b, &s->held, from, s->at - from);
	return 0;
}

static enum trc_flow
outcomes_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct outcomes *s = (struct outcomes *)src;
	enum trc_flow flow = TRC_FLOW_ROWS;

	while (put_rows(s, flow == TRC_FLOW_END, b, err) == 0) {
		if (b->n)
			return TRC_FLOW_ROWS;
		if (flow == TRC_FLOW_END)
			return flow;
		flow = take_rows(s, err);
		if (flow == TRC_FLOW_FAILED)
			break;
	}
	return TRC_FLOW_FAILED;
}

static int
fail_gaps(struct trc_err *err)
{
	return trc_fail(err, "--fill: branches are inferred from the path, but part of it is "
	                     "filtered out; fill the whole trace, then filter or reduce");
}

static int
outcomes_meta(struct trc_wrap *w, bool ended, struct trc_err *err)
{
	const struct outcomes *s = (const struct outcomes *)w;
	const struct trc_caveat caveats[] = {
		{ "conditional branches whose outcome is unknown", s->unknown, TRC_HAS_BRANCH },
		{ "fetches after which the path is unknown", s->lost, TRC_HAS_BRANCH },
		{ "branches not taken before their first time taken, so not recognised as "
		  "branches",
		  s->path.early, TRC_HAS_BRANCH },
		{ "branches whose kind is from the path", s->shown, TRC_HAS_BRANCH },
		{ "branches of unknown kind", s->kindless, TRC_HAS_BRANCH },
	};

	if (!ended)
		return 0;
	for (size_t i = 0; i < TRC_COUNT(caveats); i++)
		trc_caveat_add(w->src.meta.caveat, &caveats[i]);
	return s->by_path && !trc_guarantee_none(&w->src.meta.guarantee) ? fail_gaps(err) : 0;
}

static void
outcomes_close(struct trc_source *src)
{
	struct outcomes *s = (struct outcomes *)src;

	trc_batch_release(&s->held);
	trc_batch_release(&s->other);
	trc_map_release(&s->branch);
	trc_path_release(&s->path);
	trc_wrap_close(src);
}

/* Opens the stage, whose rows have the columns `have`. */
static struct outcomes *
open_stage(struct trc_source *from, uint32_t have, struct trc_err *err)
{
	struct outcomes *s = trc_wrap_open(sizeof(*s), from, have, outcomes_next, err);

	if (!s)
		return NULL;
	s->most = BEHIND_MOST;
	s->wrap.take_meta = outcomes_meta;
	s->wrap.src.close = outcomes_close;
	if (trc_batch_init_room(&s->held, have, HELD, err) ||
	    trc_batch_init_room(&s->other, have, HELD, err) || trc_map_init(&s->branch, err) ||
	    trc_path_init(&s->path, err))
		return trc_wrap_fail(&s->wrap.src);
	return s;
}

struct trc_source *
trc_stage_outcomes(struct trc_source *from, trc_annotate_fn *of, struct trc_err *err)
{
	const uint32_t needs = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_BRANCH;
	struct outcomes *s;

	if (needs & ~from->have)
		return from;
	s = open_stage(from, from->have, err);
	if (!s)
		return NULL;
	s->decoded.of = of;
	s->most = from->fetched & TRC_FETCHED_GAPS ? 0 : BEHIND_MOST;
	s->wrap.src.fetched &= ~(unsigned)TRC_FETCHED_OUTCOMES;
	return &s->wrap.src;
}

struct trc_source *
trc_stage_path(struct trc_source *from, trc_annotate_fn *of, struct trc_err *err)
{
	const uint32_t needs = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE;
	struct outcomes *s = NULL;
	char names[64];

	if (needs & ~from->have)
		trc_fail(err,
		         "--fill: branches are inferred from the addresses and sizes of fetches; "
		         "the trace has no '%s'",
		         trc_columns_text(needs & ~from->have, names, sizeof(names)));
	else if (from->fetched & TRC_FETCHED_MIXED)
		trc_fail(err, "--fill: branches are inferred from the path, but the trace has "
		              "several threads without their numbers; trc split --record "
		              "records each by itself");
	else if (from->fetched & TRC_FETCHED_GAPS || !trc_guarantee_none(&from->meta.guarantee))
		fail_gaps(err);
	else
		s = open_stage(from, from->have | TRC_HAS_BRANCH, err);
	if (!s)
		return NULL;
	s->by_path = true;
	s->decoded.of = of;
	s->wrap.src.spare &= ~(uint32_t)TRC_HAS_BRANCH;
	return &s->wrap.src;
}
