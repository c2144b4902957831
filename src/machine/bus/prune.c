/* SPDX-License-Identifier: MIT */
#include "machine/bus/prune.h"

#include "base/pool.h"
#include "machine/bus/prune_notes.h"
#include "machine/bus/replay.h"

enum {
	PAGE = TRC_GUEST_PAGE,
	COMPARED_ALL = 1 << 12, /* events of lists that are compared whole, as they are packed, */
	COMPARED = 1 << 13,     /* and at the beginning of longer ones */
	COMPARED_LEVEL = 2,
};

/* Returns the number of bytes from `addr` on, up to `most` and within its page, that are needed. */
static uint32_t
needed_run(const struct trc_prune_notes *notes, uint64_t addr, uint32_t most)
{
	const uint64_t *needed = trc_prune_needed(notes, addr / PAGE);
	uint64_t byte = addr % PAGE;
	uint32_t n = 0;

	for (; needed && n < most && byte < PAGE && needed[byte / 64] >> byte % 64 & 1; byte++)
		n++;
	return n;
}

static int
keep_needed(const struct trc_prune_notes *notes, const struct trc_image *from, struct trc_image *to,
            struct trc_err *err)
{
	for (size_t i = 0; i < from->runs; i++) {
		const struct trc_run_of_bytes *run = &from->run[i];

		for (uint32_t k = 0, n; k < run->len; k += n ? n : 1) {
			n = needed_run(notes, run->addr + k, run->len - k);
			if (n &&
			    trc_image_put(to, run->addr + k, from->bytes.p + run->at + k, n, err))
				return -1;
		}
	}
	return trc_image_remove_zeros(to, err);
}

static int
copy_registers(struct trc_register_set *to, const struct trc_register_set *from,
               struct trc_err *err)
{
	for (size_t i = 0; i < from->n; i++)
		if (trc_register_set_put(to, from->r[i].reg, from->r[i].value, err))
			return -1;
	return 0;
}

static int
copy_rest(struct trc_package *to, const struct trc_package *from, struct trc_err *err)
{
	to->head = from->head;
	to->count = from->count;
	to->pruned = true;
	to->truth_registers = from->truth_registers;
	for (size_t i = 0; i < from->truths; i++)
		if (trc_package_truth(to, &from->truth[i], err))
			return -1;
	return copy_registers(&to->first, &from->first, err) ||
	                       copy_registers(&to->last, &from->last, err) ?
	               -1 :
	               0;
}

/* Finds the first events of a list, those due up to `count`; they share its memory. */
static int
first_events(const struct trc_events *e, uint64_t count, struct trc_events *first,
             struct trc_err *err)
{
	struct trc_buf *data = &first->stream[TRC_EVENTS_DATA];
	struct trc_events_at at;
	struct trc_bus_record r;
	enum trc_flow flow;

	*first = *e;
	first->n = data->n = 0;
	trc_events_begin(e, &at);
	while ((flow = trc_events_next(&at, &r, err)) == TRC_FLOW_ROWS && r.count <= count) {
		first->n++;
		data->n = (size_t)(at.stream[TRC_EVENTS_DATA].p - e->stream[TRC_EVENTS_DATA].p);
	}
	return flow == TRC_FLOW_FAILED ? -1 : 0;
}

static int
pack_first(const struct trc_events *e, uint64_t count, int level, struct trc_packed_lists *to,
           struct trc_err *err)
{
	struct trc_events first;

	return first_events(e, count, &first, err) ||
	                       trc_events_pack(&first, level, &to->events, &to->columns, err) ?
	               -1 :
	               0;
}

/* The count up to which lists are compared, and the level: short lists as they are packed. */
static int
compared(const struct trc_events *e, uint64_t *count, int *level, struct trc_err *err)
{
	struct trc_events_at at;
	struct trc_bus_record r;

	*count = UINT64_MAX;
	*level = TRC_PACKAGE_LEVEL;
	if (e->n <= COMPARED_ALL && e->stream[TRC_EVENTS_DATA].n <= COMPARED)
		return 0;
	*level = COMPARED_LEVEL;
	trc_events_begin(e, &at);
	for (int i = 0; i < COMPARED; i++) {
		const enum trc_flow flow = trc_events_next(&at, &r, err);

		if (flow != TRC_FLOW_ROWS)
			return flow == TRC_FLOW_FAILED ? -1 : 0;
		*count = r.count;
	}
	return 0;
}

static int
copy_events(struct trc_events *to, const struct trc_events *from, struct trc_err *err)
{
	int ret = 0;

	for (int i = 0; i < TRC_EVENTS_STREAMS && ret == 0; i++) {
		to->stream[i].n = 0;
		ret = trc_buf_put(&to->stream[i], from->stream[i].p, from->stream[i].n, err);
	}
	to->n = from->n;
	to->count = from->count;
	return ret;
}

/* Keeps the events unmoved if moved ones take more room, since fewer bytes may pack worse than
 * regular ones. Of long lists the beginning is compared. If all were packed as the package will
 * be, they stay packed. */
static int
keep_smaller(struct trc_package *to, const struct trc_package *from, int level_all,
             struct trc_err *err)
{
	struct trc_packed_lists moved = { 0 }, unmoved = { 0 };
	uint64_t count;
	int ret, level;
	bool worse;

	ret = compared(&from->events, &count, &level, err) ||
	      pack_first(&to->events, count, level, &moved, err) ||
	      pack_first(&from->events, count, level, &unmoved, err);
	worse = ret == 0 && moved.events.n > unmoved.events.n;
	if (worse)
		ret = copy_events(&to->events, &from->events, err);
	if (ret == 0 && count == UINT64_MAX && level == level_all) {
		to->packed = worse ? unmoved : moved;
		trc_buf_release(worse ? &moved.events : &unmoved.events);
		return 0;
	}
	trc_buf_release(&moved.events);
	trc_buf_release(&unmoved.events);
	return ret ? -1 : 0;
}

/* Packing, beside the replay of what is packed. */
struct packing {
	struct trc_package *p;
	int level, ret;
	struct trc_err err;
};

static void
pack(void *arg)
{
	struct packing *k = arg;

	k->ret = trc_package_pack(k->p, k->level, &k->err);
}

/* Replays the new package, while it is packed. */
static int
verify(struct trc_package *to, const struct trc_prune_how *how, struct trc_replay_report *report,
       struct trc_err *err)
{
	const struct trc_replay_how all = { .memory = how->memory, .count = how->count };
	const struct trc_marker_how marks = { how->every, how->level, how->beside };
	struct packing packing = { .p = to, .level = how->level };
	struct trc_helper helper = { 0 };
	int ret;

	trc_helper_start(&helper, how->beside, pack, &packing);
	ret = how->every ? trc_replay_mark(to, &marks, how->memory, how->count, report, err) :
	                   trc_replay_all(to, &all, report, err);
	if (ret)
		trc_helper_cancel(&helper);
	else
		trc_helper_wait(&helper);
	if (ret == 0 && packing.ret) {
		*err = packing.err;
		ret = -1;
	}
	return ret;
}

/* Makes the new package of what one replay shows. */
static int
make(const struct trc_package *from, const struct trc_prune_how *how, bool exact,
     struct trc_package *to, struct trc_err *err)
{
	struct trc_prune_notes *notes = trc_prune_learn(from, how, exact, &to->events, err);
	int ret = -1;

	if (notes && keep_needed(notes, &from->image, &to->image, err) == 0)
		ret = copy_rest(to, from, err);
	trc_prune_notes_close(notes);
	return ret == 0 ? keep_smaller(to, from, how->level, err) : -1;
}

static int
prune(const struct trc_package *from, const struct trc_prune_how *how, bool exact,
      struct trc_package *to, struct trc_err *err)
{
	struct trc_replay_report report;

	*to = (struct trc_package){ 0 };
	if (make(from, how, exact, to, err) || verify(to, how, &report, err)) {
		trc_package_release(to);
		return -1;
	}
	/* of memory without the removed bytes, if there was something to compare */
	to->digest = from->digest ? report.memory : 0;
	return 0;
}

/* Page tables that change without a fence, which is rare, spoil what was noted; that shows in the
 * second replay at the latest, and then every access is looked at. */
int
trc_prune(const struct trc_package *from, const struct trc_prune_how *how, struct trc_package *to,
          struct trc_err *err)
{
	const int ret = prune(from, how, false, to, err);

	if (ret == 0 || err->code != TRC_FAILED || from->head.user)
		return ret;
	return prune(from, how, true, to, err);
}
