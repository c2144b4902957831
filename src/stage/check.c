/* SPDX-License-Identifier: MIT
 *
 * Each check consists of two loops over a column of the batch: the first, without branches, only
 * finds out whether any row has the fault; the second, which is rare, finds the rows. Faults that
 * depend on the meta at the end of the trace are counted anyway and dropped at the end if they do
 * not apply.
 */
#include "stage/check.h"

#include <stdlib.h>

enum { LARGE = 64 << 10 }; /* bytes; no instruction moves more at once */

/* The times of a row, which are compared with those of its neighbours; 0 for columns that the trace
 * lacks. */
struct times {
	uint64_t time, rtime, itime;
};

/* A reference to a page. */
struct touch {
	uint64_t row; /* from 1; 0: none */
	uint64_t vpn, rtime, asid, task;
};

/* The sink, with the rows that are compared with others. */
struct check_sink {
	struct trc_sink sink;
	struct trc_check *check;
	bool trailer;

	struct times first, last; /* rows; zeros before the first */
	struct touch head, tail;  /* the first and the latest reference */
	bool head_after_event;    /* there were events before the first reference */
	bool after_event, events; /* after the latest; anywhere */
	bool timed, counted;      /* rows have reference times; they also have instruction times */
	uint64_t page, page_row;  /* the highest page, and its first row */
};

static void
note(struct check_sink *s, enum trc_fault fault, size_t i)
{
	if (s->check->fault[fault].rows++ == 0)
		s->check->fault[fault].first = s->check->rows + i + 1;
}

static bool
wrong_type(const struct trc_batch *b, size_t i)
{
	const bool event = (b->type[i] & TRC_TYPE_MASK) == TRC_EVENT;

	return !trc_type_known(b->type[i]) || event != trc_batch_is_event(b, i);
}

static void
check_types(struct check_sink *s, const struct trc_batch *b)
{
	unsigned wrong = 0, other = 0;

	s->events |= b->event != NULL;

	for (size_t i = 0; i < b->n; i++) {
		wrong |= b->type[i] >= TRC_EVENT;
		other |= b->type[i] > TRC_WRITE;
	}
	for (size_t i = 0; (wrong || b->event) && i < b->n; i++)
		if (wrong_type(b, i))
			note(s, TRC_FAULT_TYPE, i);
	for (size_t i = 0; other && b->vpn && i < b->n; i++)
		if (b->type[i] > TRC_WRITE && b->type[i] != TRC_INVALIDATE &&
		    !trc_batch_is_event(b, i))
			note(s, TRC_FAULT_REDUCED, i);
}

static void
check_addresses(struct check_sink *s, const struct trc_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (TRC_UNLIKELY(b->addr[i] == 0) && (b->type[i] & TRC_TYPE_MASK) == TRC_FETCH)
			note(s, TRC_FAULT_FETCH, i);
}

static void
check_sizes(struct check_sink *s, const struct trc_batch *b)
{
	unsigned odd = 0;

	for (size_t i = 0; i < b->n; i++)
		odd |= b->size[i] - 1 >= LARGE;
	for (size_t i = 0; odd && i < b->n; i++) {
		if (b->size[i] == 0 && trc_batch_is_reference(b, i))
			note(s, TRC_FAULT_SIZE, i);
		if (b->size[i] > LARGE)
			note(s, TRC_FAULT_LARGE, i);
	}
	odd = 0;
	for (size_t i = 0; b->addr && i < b->n; i++)
		odd |= b->addr[i] + b->size[i] < b->addr[i];
	for (size_t i = 0; odd && i < b->n; i++)
		if (b->size[i] && b->addr[i] > UINT64_MAX - (b->size[i] - 1))
			note(s, TRC_FAULT_END, i);
}

/* Notes rows whose time is before that of the previous row; *last is the time of the last row of
 * the previous batch. */
static void
check_forward(struct check_sink *s, const uint64_t *time, size_t n, uint64_t *last,
              enum trc_fault fault)
{
	unsigned back = time[0] < *last;

	for (size_t i = 1; i < n; i++)
		back |= time[i] < time[i - 1];
	for (size_t i = 0; back && i < n; i++)
		if (time[i] < (i ? time[i - 1] : *last))
			note(s, fault, i);
	*last = time[n - 1];
}

/* Returns true if more fetches than references lie between two rows. */
static inline bool
outpaces(uint64_t rtime, uint64_t itime, uint64_t next_rtime, uint64_t next_itime)
{
	return (next_rtime >= rtime) & (next_itime >= itime) &
	       (next_itime - itime > next_rtime - rtime);
}

/* Checks that at most as many fetches as references were made, in total and since the previous row:
 * a fetch is a reference. */
static void
check_fetches(struct check_sink *s, const struct trc_batch *b)
{
	uint64_t rtime = s->last.rtime, itime = s->last.itime;

	for (size_t i = 0; i < b->n; rtime = b->rtime[i], itime = b->itime[i], i++)
		if (TRC_UNLIKELY((b->itime[i] > b->rtime[i]) |
		                 outpaces(rtime, itime, b->rtime[i], b->itime[i])))
			note(s, TRC_FAULT_FETCHES, i);
}

/* Returns true if both references exist and are to the same page. */
static bool
same_page(const struct touch *a, const struct touch *b)
{
	return a->row && b->row && a->vpn == b->vpn && a->asid == b->asid;
}

/* Checks the reference of row `i`. */
static void
check_touch(struct check_sink *s, const struct trc_batch *b, size_t i)
{
	const struct touch t = { s->check->rows + i + 1, b->vpn[i], b->rtime ? b->rtime[i] : 0,
		                 b->asid ? b->asid[i] : 0, b->task ? b->task[i] : 0 };

	if (t.vpn > s->page || s->page_row == 0) {
		s->page = t.vpn;
		s->page_row = t.row;
	}
	if (same_page(&s->tail, &t)) {
		if (b->rtime && s->tail.rtime == t.rtime)
			note(s, TRC_FAULT_TWICE, i);
		if (s->tail.task == t.task && !s->after_event)
			note(s, TRC_FAULT_NEIGHBOURS, i);
	}
	s->tail = t;
	s->after_event = false;
}

static void
check_pages(struct check_sink *s, const struct trc_batch *b)
{
	for (size_t i = 0; i < b->n; i++) {
		if (trc_batch_is_event(b, i) || (b->type && b->type[i] == TRC_INVALIDATE))
			s->after_event = true;
		else
			check_touch(s, b, i);
	}
}

static int
check_put(struct trc_sink *sink, const struct trc_batch *b, struct trc_err *err)
{
	struct check_sink *s = (struct check_sink *)sink;

	(void)err;
	if (b->type)
		check_types(s, b);
	if (b->size)
		check_sizes(s, b);
	if (b->type && b->addr)
		check_addresses(s, b);
	if (b->rtime && b->itime)
		check_fetches(s, b);
	if (b->time)
		check_forward(s, b->time, b->n, &s->last.time, TRC_FAULT_CYCLES);
	if (b->rtime)
		check_forward(s, b->rtime, b->n, &s->last.rtime, TRC_FAULT_RTIME);
	if (b->itime)
		check_forward(s, b->itime, b->n, &s->last.itime, TRC_FAULT_ITIME);
	if (b->vpn)
		check_pages(s, b);
	s->check->rows += b->n;
	return 0;
}

static void
found(struct trc_check *check, enum trc_fault fault, bool is)
{
	check->fault[fault].rows = is;
}

static int
check_finish(struct trc_sink *sink, const struct trc_meta *meta, struct trc_err *err)
{
	struct check_sink *s = (struct check_sink *)sink;
	struct trc_check *check = s->check;
	const struct trc_guarantee *p = &meta->guarantee;
	const bool stated = meta->rows || meta->totals || p->sad || p->window || p->sample;

	(void)err;
	check->reduced = p->sad || p->window;
	if (!check->reduced)
		check->fault[TRC_FAULT_TWICE].rows = check->fault[TRC_FAULT_REDUCED].rows = 0;
	if (!(p->reduced & TRC_MERGED) || p->reduced & (TRC_LRU_ONLY | TRC_CANONICAL))
		check->fault[TRC_FAULT_NEIGHBOURS].rows = 0;
	if (meta->page_bits && s->page >> (64 - meta->page_bits)) {
		found(check, TRC_FAULT_PAGE, true);
		check->fault[TRC_FAULT_PAGE].first = s->page_row;
	}
	found(check, TRC_FAULT_NONE, check->rows == 0);
	found(check, TRC_FAULT_ROWS, meta->rows && meta->rows != check->rows);
	found(check, TRC_FAULT_TOTALS,
	      meta->totals && (meta->insns > meta->refs || s->last.rtime > meta->refs ||
	                       (meta->touches && meta->touches < meta->refs) ||
	                       s->last.itime > meta->insns ||
	                       (!s->events && s->last.time > meta->last_time)));
	found(check, TRC_FAULT_NO_TRAILER, s->trailer && !stated);
	return 0;
}

static void
check_close(struct trc_sink *sink)
{
	free(sink);
}

struct trc_sink *
trc_check_sink(struct trc_check *check, bool trailer, struct trc_err *err)
{
	struct check_sink *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->sink =
	        (struct trc_sink){ .put = check_put, .finish = check_finish, .close = check_close };
	s->check = check;
	s->trailer = trailer;
	*check = (struct trc_check){ 0 };
	return &s->sink;
}

/* ---- texts ---- */

static const struct {
	const char *text;
	/* The traces in which the fault is an error, not only a warning. */
	enum { ALWAYS, REDUCED, NEVER } wrong;
} about[TRC_FAULTS] = {
	[TRC_FAULT_TYPE] = { "an invalid type", ALWAYS },
	[TRC_FAULT_SIZE] = { "a reference to 0 bytes", NEVER },
	[TRC_FAULT_FETCH] = { "an instruction at address 0", NEVER },
	[TRC_FAULT_LARGE] = { "a reference to more than 64 KiB", NEVER },
	[TRC_FAULT_END] = { "a reference beyond the last address", ALWAYS },
	[TRC_FAULT_PAGE] = { "a page outside of 64-bit addresses", ALWAYS },
	[TRC_FAULT_CYCLES] = { "cycle times run backwards", NEVER },
	[TRC_FAULT_RTIME] = { "reference times run backwards", REDUCED },
	[TRC_FAULT_ITIME] = { "instruction times run backwards", REDUCED },
	[TRC_FAULT_FETCHES] = { "more instructions than references passed", REDUCED },
	[TRC_FAULT_TWICE] = { "the same reference to a page twice", ALWAYS },
	[TRC_FAULT_REDUCED] = { "neither a read, a write nor a delete in a reduced trace", ALWAYS },
	[TRC_FAULT_NEIGHBOURS] = { "the same page as the previous record, though neighbours were "
	                           "merged",
	                           NEVER },
	[TRC_FAULT_NONE] = { "no records", NEVER },
	[TRC_FAULT_ROWS] = { "another number of records than it claims", ALWAYS },
	[TRC_FAULT_TOTALS] = { "later than its original, by the totals that it claims", ALWAYS },
	[TRC_FAULT_NO_TRAILER] = { "has no trailer that describes its reduction", NEVER },
};

const char *
trc_fault_text(enum trc_fault fault)
{
	return about[fault].text;
}

bool
trc_fault_warns(const struct trc_check *check, enum trc_fault fault)
{
	return about[fault].wrong == NEVER || (about[fault].wrong == REDUCED && !check->reduced);
}
