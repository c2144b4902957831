/* SPDX-License-Identifier: MIT */
#include "stage/phase/bbv.h"
#include "base/map_find.h"

#include <stdlib.h>

enum { LONGEST = 15 }; /* the most bytes of an instruction of unknown size */

int
trc_bbv_init(struct trc_bbv *v, uint32_t have, uint64_t every, struct trc_bbv_taker *to,
             struct trc_err *err)
{
	const uint32_t needs = TRC_HAS_TYPE | TRC_HAS_ADDR;

	*v = (struct trc_bbv){ .every = every, .to = to };
	if ((have & needs) != needs)
		return trc_fail(err, "basic blocks are made of instructions, and the trace has no "
		                     "addresses of fetches");
	if (trc_map_init(&v->map, err) || trc_pages_init(&v->blocks, err) ||
	    trc_grow(&v->flow, &v->flows_cap, 1, sizeof(*v->flow), err) ||
	    trc_map_add(&v->map, 0, 0, 0, err))
		return -1;
	v->flow[v->flows++] = (struct trc_bbv_flow){ 0 };
	return 0;
}

void
trc_bbv_release(struct trc_bbv *v)
{
	trc_map_release(&v->map);
	trc_pages_release(&v->blocks);
	free(v->flow);
	free(v->count);
	free(v->touched);
	free(v->entry);
	*v = (struct trc_bbv){ 0 };
}

/* ---- counts ---- */

static int
make_room(struct trc_bbv *v, struct trc_err *err)
{
	const size_t before = v->counts;

	if (trc_grow(&v->count, &v->counts, v->blocks.n, sizeof(*v->count), err) ||
	    trc_grow(&v->touched, &v->touched_cap, v->blocks.n, sizeof(*v->touched), err) ||
	    trc_grow(&v->entry, &v->entries, v->blocks.n, sizeof(*v->entry), err))
		return -1;
	if (v->counts > before)
		memset(v->count + before, 0, (v->counts - before) * sizeof(*v->count));
	return 0;
}

/* Counts the instructions of the collected runs. */
static int
drain(struct trc_bbv *v, struct trc_err *err)
{
	struct trc_bbv_runs *r = &v->runs;
	uint32_t id[TRC_BBV_RUNS];

	if (trc_pages_number(&v->blocks, r->start, r->space, r->n, id, err) || make_room(v, err))
		return -1;
	for (size_t i = 0; i < r->n; i++) {
		if (v->count[id[i]] == 0)
			v->touched[v->touched_n++] = id[i];
		v->count[id[i]] += r->insns[i];
	}
	r->n = 0;
	return 0;
}

static int
by_number(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Ends the interval before record `row`. */
static int
end_interval(struct trc_bbv *v, uint64_t row, struct trc_err *err)
{
	struct trc_bbv_interval *now = &v->interval;

	if (drain(v, err))
		return -1;
	qsort(v->touched, v->touched_n, sizeof(*v->touched), by_number);
	for (size_t i = 0; i < v->touched_n; i++) {
		uint64_t *count = &v->count[v->touched[i]];

		v->entry[i] = (struct trc_bbv_entry){ v->touched[i] + 1, *count };
		*count = 0;
	}
	now->rows = row - now->first;
	now->entry = v->entry;
	now->n = v->touched_n;
	v->touched_n = 0;
	if (v->to->take(v->to, now, err))
		return -1;
	v->insns += now->insns;
	*now = (struct trc_bbv_interval){ .number = now->number + 1, .first = row };
	return 0;
}

/* ---- instructions ---- */

/* Switches to the flow of a task or space. */
static int
change_flow(struct trc_bbv *v, uint32_t who, struct trc_err *err)
{
	uint32_t at = trc_map_find(&v->map, 0, who)->value;

	if (at == TRC_MAP_NONE) {
		at = (uint32_t)v->flows;
		if (trc_grow(&v->flow, &v->flows_cap, v->flows + 1, sizeof(*v->flow), err) ||
		    trc_map_add(&v->map, 0, who, at, err))
			return -1;
		v->flow[v->flows++] = (struct trc_bbv_flow){ 0 };
	}
	v->now = at;
	v->who = who;
	return 0;
}

/* Returns true if an instruction directly follows the last one of its flow in memory. */
static inline bool
follows(const struct trc_bbv_flow *f, uint64_t pc, uint32_t space)
{
	if (!f->any || space != f->space)
		return false;
	if (f->size)
		return pc == f->pc + f->size;
	return !f->taken && pc - f->pc - 1 < LONGEST;
}

/* Begins a run of the block in which the flow is. */
static int
begin_run(struct trc_bbv *v, const struct trc_bbv_flow *f, struct trc_err *err)
{
	struct trc_bbv_runs *r = &v->runs;

	if (r->n == TRC_BBV_RUNS && drain(v, err))
		return -1;
	r->start[r->n] = f->start;
	r->space[r->n] = f->space;
	r->insns[r->n++] = 0;
	return 0;
}

/* Counts the fetch of row `i`; `run` is true if a run begins there in any case. */
static inline int
fetch(struct trc_bbv *v, const struct trc_batch *b, size_t i, bool run, struct trc_err *err)
{
	struct trc_bbv_flow *f = &v->flow[v->now];
	const uint64_t pc = b->addr[i];
	const uint32_t space = b->asid ? b->asid[i] : 0;

	if (TRC_UNLIKELY(!follows(f, pc, space))) {
		f->start = pc;
		f->space = space;
		f->any = true;
		run = true;
	}
	if (run && begin_run(v, f, err))
		return -1;
	f->pc = pc;
	f->size = b->size ? b->size[i] : 0;
	f->taken = b->branch && b->branch[i] & TRC_BRANCH_TAKEN;
	v->runs.insns[v->runs.n - 1]++;
	v->interval.insns++;
	return 0;
}

/* Counts instructions from row `i` on that continue the current block and interval; returns the row
 * after them. `sized` must be a constant: true if the batch has sizes, so that branches are not
 * examined. */
static TRC_ALWAYS_INLINE size_t
go_straight(struct trc_bbv *v, const struct trc_batch *b, size_t i, bool sized)
{
	struct trc_bbv_flow f = v->flow[v->now];
	const uint32_t *who = b->task ? b->task : b->asid, *space = b->asid;
	const uint64_t room = v->every - v->interval.insns;
	uint64_t insns = 0;

	if (!f.any || v->runs.n == 0 || b->event || (sized ? f.size == 0 : f.size > 0 || f.taken))
		return i;
	for (; i < b->n; i++) {
		const uint64_t pc = b->addr[i];

		if ((b->type[i] & TRC_TYPE_MASK) != TRC_FETCH)
			continue;
		if ((sized ? pc != f.pc + f.size : pc - f.pc - 1 >= LONGEST) || insns == room ||
		    (who && who[i] != v->who) || (space && space[i] != f.space) ||
		    (sized ? b->size[i] == 0 : b->branch && b->branch[i] & TRC_BRANCH_TAKEN))
			break;
		f.pc = pc;
		f.size = sized ? b->size[i] : 0;
		insns++;
	}
	v->flow[v->now] = f;
	v->runs.insns[v->runs.n - 1] += insns;
	v->interval.insns += insns;
	return i;
}

/* Does this as long as it is simple; the row that it returns must be examined. */
static size_t
pass_straight(struct trc_bbv *v, const struct trc_batch *b, size_t i)
{
	return b->size ? go_straight(v, b, i, true) : go_straight(v, b, i, false);
}

int
trc_bbv_put(struct trc_bbv *v, const struct trc_batch *b, struct trc_err *err)
{
	const uint32_t *who = b->task ? b->task : b->asid;

	for (size_t i = pass_straight(v, b, 0); i < b->n; i = pass_straight(v, b, i + 1)) {
		bool run = v->runs.n == 0;

		if ((b->type[i] & TRC_TYPE_MASK) != TRC_FETCH || trc_batch_is_event(b, i))
			continue;
		if (v->interval.insns == v->every) {
			if (end_interval(v, v->rows + i, err))
				return -1;
			run = true;
		}
		if (who && who[i] != v->who) {
			if (change_flow(v, who[i], err))
				return -1;
			run = true;
		}
		if (fetch(v, b, i, run, err))
			return -1;
	}
	v->rows += b->n;
	return 0;
}

int
trc_bbv_end(struct trc_bbv *v, struct trc_err *err)
{
	if (v->insns == 0 && v->interval.insns == 0)
		return trc_fail(err, "basic blocks are made of instructions, and the trace has no "
		                     "record of a fetch");
	return end_interval(v, v->rows, err);
}
