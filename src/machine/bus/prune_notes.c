/* SPDX-License-Identifier: MIT */
#include "machine/bus/prune_notes.h"

#include <stdlib.h>

#include "base/map_find.h"
#include "machine/bus/replay.h"

enum {
	PAGE = TRC_GUEST_PAGE,
	GRAIN = 8,     /* bytes whose accesses share a number */
	STORED = 256,  /* in that number, after a bit for each byte: one was stored */
	MOMENT = 512,  /* what its moment is multiplied by */
	GAP_MOST = 64, /* bytes between two writes that may be joined */
	SLOTS = 64,    /* pages found by number without the map, */
	VIEWS = 256,   /* and by virtual address */
	LINE = 64,     /* bytes; writes end at line boundaries, */
	STAYED = 8,    /* except for up to this many unchanged bytes */
};

/* The accesses to a page. */
struct page {
	uint64_t number;
	uint64_t needed[PAGE / 64];    /* a bit for each byte that was read before it was written */
	uint64_t touched[PAGE / 64];   /* a bit for each byte that was read or written */
	uint64_t pinned[PAGE / 64];    /* a bit for each byte that was fetched or walked through */
	uint64_t seen[PAGE / GRAIN];   /* accesses to each grain since its last moment */
	const struct trc_page *memory; /* of the replay; NULL: not looked up yet, or none */
	uint8_t byte[PAGE];            /* the value of each byte at its last load */
};

/* A write by another master that is not in the new list yet. */
struct write {
	uint64_t addr, at;
	size_t data, ordinal; /* index in the bytes of `data`; number in order of time */
	uint32_t len;
};

/* The page that is at a virtual address. */
struct view {
	uint64_t number, translation;
	struct page *page;
};

struct trc_prune_notes {
	struct trc_replay_watch watch;
	struct trc_map map;
	struct page **page;
	size_t pages, pages_cap;
	struct page *slot[SLOTS];
	struct view view[VIEWS];
	uint64_t translation; /* changes with that of addresses */
	bool doubtful;        /* addresses may have been translated wrongly */

	struct trc_events_at at; /* the first event that was not moved yet */
	struct trc_bus_record event;
	bool events_left;

	struct trc_events *to;
	uint64_t point;      /* the earliest time after the last event of `to` */
	uint64_t began;      /* the last point that a write may be moved to, */
	uint64_t moment;     /* and its number, from 1 */
	struct write *write; /* pending writes, all due at `point` */
	size_t writes, writes_cap;
	struct trc_buf data;

	const struct trc_hart *h; /* of the running replay, whose memory is current; or NULL */

	struct trc_err err; /* the first failure inside the watch, which cannot return one */
};

static struct page *
page_of(struct trc_prune_notes *s, uint64_t number, struct trc_err *err)
{
	struct page **slot = &s->slot[number % SLOTS], *p = *slot;
	uint32_t i;

	if (TRC_LIKELY(p && p->number == number))
		return p;
	i = trc_map_find(&s->map, 0, number)->value;
	if (i != TRC_MAP_NONE)
		return *slot = s->page[i];
	if (trc_grow(&s->page, &s->pages_cap, s->pages + 1, sizeof(*s->page), err))
		return NULL;
	p = trc_alloc(1, sizeof(*p), err);
	if (!p || trc_map_add(&s->map, 0, number, (uint32_t)s->pages, err)) {
		free(p);
		return NULL;
	}
	p->number = number;
	s->page[s->pages++] = p;
	return *slot = p;
}

static int
by_address(const void *a, const void *b)
{
	const struct write *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return (x->ordinal > y->ordinal) - (x->ordinal < y->ordinal);
}

static bool
overlap(const struct write *w, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (w[i].addr - w[i - 1].addr < w[i - 1].len)
			return true;
	return false;
}

static int
by_ordinal(const void *a, const void *b)
{
	const struct write *x = a, *y = b;

	return (x->ordinal > y->ordinal) - (x->ordinal < y->ordinal);
}

/* Returns the accesses to the grain of a byte since the last event of the new list. */
static uint64_t
accesses(const struct trc_prune_notes *s, const struct page *p, uint64_t at)
{
	const uint64_t seen = p->seen[at / GRAIN];

	return seen / MOMENT == s->moment ? seen % MOMENT : 0;
}

static bool
was_accessed(const struct trc_prune_notes *s, const struct page *p, uint64_t at)
{
	return accesses(s, p, at) >> at % GRAIN & 1;
}

/* Closes the gap between the joined writes, `to` from address `from`, and the next write, if the
 * bytes between are unchanged: they were read after the writes, and not stored. So a file that was
 * read becomes one write. */
static int
close_gap(struct trc_prune_notes *s, uint64_t from, const struct write *next, struct trc_buf *to,
          struct trc_err *err)
{
	const uint64_t addr = next->addr, n = addr - (from + to->n);
	uint8_t byte[GAP_MOST];

	if (addr < from + to->n || n > GAP_MOST || to->n + n + next->len > TRC_BUS_DATA_MOST)
		return 0;
	for (uint64_t i = 0; i < n; i++) {
		const uint64_t a = addr - n + i, at = a % PAGE;
		const struct page *p = page_of(s, a / PAGE, err);

		if (!p)
			return -1;
		if (!was_accessed(s, p, at) || accesses(s, p, at) & STORED)
			return 0;
		byte[i] = p->byte[at];
	}
	return trc_buf_put(to, byte, (size_t)n, err);
}

/* Moves the pending writes to the list in order of address, with neighbours joined. Writes that
 * overlap keep their order. */
static int
flush(struct trc_prune_notes *s, struct trc_err *err)
{
	struct trc_buf joined = { 0 };
	struct trc_bus_record r = { .type = TRC_BUS_DMA };
	int ret = 0;

	if (s->writes == 0)
		return 0;
	qsort(s->write, s->writes, sizeof(*s->write), by_address);
	if (overlap(s->write, s->writes))
		qsort(s->write, s->writes, sizeof(*s->write), by_ordinal);
	for (size_t i = 0; i < s->writes && ret == 0; i++) {
		const struct write *w = &s->write[i], *next = w + 1;

		if (joined.n == 0)
			r.addr = w->addr;
		ret = trc_buf_put(&joined, s->data.p + w->data, w->len, err);
		if (ret == 0 && i + 1 < s->writes)
			ret = close_gap(s, r.addr, next, &joined, err);
		if (ret || (i + 1 < s->writes && next->addr == r.addr + joined.n &&
		            joined.n + next->len <= TRC_BUS_DATA_MOST))
			continue;
		r.count = w->at;
		r.data = joined.p;
		r.len = (uint32_t)joined.n;
		ret = trc_events_put(s->to, &r, err);
		joined.n = 0;
	}
	s->writes = 0;
	s->data.n = 0;
	trc_buf_release(&joined);
	return ret;
}

/* Sets *yes if none of the bytes was accessed after the last event of the new list. A fetch is only
 * reported when it is new, so one may have been at any time since. From now on another master has
 * written the bytes. */
static int
untouched(struct trc_prune_notes *s, uint64_t addr, uint32_t len, bool *yes, struct trc_err *err)
{
	*yes = true;
	for (uint64_t a = addr; a - addr < len; a++) {
		struct page *p = page_of(s, a / PAGE, err);
		const uint64_t byte = a % PAGE;

		if (!p)
			return -1;
		*yes &= !was_accessed(s, p, byte) && !(p->pinned[byte / 64] >> byte % 64 & 1);
		p->touched[byte / 64] |= UINT64_C(1) << byte % 64;
	}
	return 0;
}

/* Distinguishes accesses after `point` from those before. */
static void
begin_moment(struct trc_prune_notes *s)
{
	if (s->began == s->point)
		return;
	s->began = s->point;
	s->moment++;
}

/* Extends a write by a few bytes with the values that memory has, which changes nothing: a writer
 * that left out unchanged bytes then ends at the same boundary as others. Sets *n to the number of
 * bytes, 0 if that is not possible. */
static int
round_off(struct trc_prune_notes *s, uint64_t addr, uint32_t len, uint32_t *n, struct trc_err *err)
{
	const struct page *p;
	uint8_t data[STAYED];

	*n = 0;
	if (len == 0 || len > STAYED || !s->h)
		return 0;
	p = page_of(s, addr / PAGE, err);
	if (!p)
		return -1;
	for (uint32_t i = 0; i < len; i++)
		if (was_accessed(s, p, addr % PAGE + i))
			return 0;
	trc_memory_read(s->h->mem, addr, data, len);
	*n = len;
	return trc_buf_put(&s->data, data, len, err);
}

static int
move_write(struct trc_prune_notes *s, struct trc_err *err)
{
	const struct trc_bus_record *e = &s->event;
	const bool small = e->len <= TRC_BUS_DATA_MOST - 2 * STAYED;
	const uint64_t end = e->addr + e->len;
	uint32_t before, after;
	struct write *w;
	uint64_t at;
	bool early;

	if (untouched(s, e->addr, e->len, &early, err))
		return -1;
	at = early && s->point <= e->count ? s->point : e->count;
	if (s->writes > 0 && at != s->write[0].at && flush(s, err))
		return -1;
	if (trc_grow(&s->write, &s->writes_cap, s->writes + 1, sizeof(*w), err))
		return -1;
	w = &s->write[s->writes];
	*w = (struct write){ e->addr, at, s->data.n, s->writes, e->len };
	s->point = at;
	begin_moment(s);
	if (round_off(s, e->addr & ~(uint64_t)(LINE - 1), small ? e->addr % LINE : 0, &before,
	              err) ||
	    trc_buf_put(&s->data, e->data, e->len, err) ||
	    round_off(s, end, small ? (uint32_t)(-end % LINE) : 0, &after, err))
		return -1;
	w->addr -= before;
	w->len += before + after;
	s->writes++;
	return 0;
}

/* Notes bytes of one word of bits: `bits` are their bits in it. */
static void
note_bits(struct page *p, uint64_t word, uint64_t bits, bool store)
{
	if (!store)
		p->needed[word] |= bits & ~p->touched[word];
	p->touched[word] |= bits;
}

static void
note(struct trc_prune_notes *s, struct page *p, uint64_t at, unsigned size, bool store)
{
	const uint64_t end = at + size;

	for (uint64_t n; at < end; at += n) {
		const uint64_t room = GRAIN - at % GRAIN;
		uint64_t bits;

		n = room < end - at ? room : end - at;
		bits = UINT64_MAX >> (64 - n);
		note_bits(p, at / 64, bits << at % 64, store);
		p->seen[at / GRAIN] = s->moment * MOMENT | accesses(s, p, at) | bits << at % GRAIN |
		                      (store ? STORED : 0);
	}
}

/* The kernel moves memory: all bytes that are moved count as read. */
static int
note_move(struct trc_prune_notes *s, const struct trc_bus_record *e, struct trc_err *err)
{
	for (uint64_t i = 0; i < e->key; i += PAGE) {
		struct page *from = page_of(s, (e->value + i) / PAGE, err);
		struct page *to = page_of(s, (e->addr + i) / PAGE, err);

		if (!from || !to)
			return -1;
		note(s, from, 0, PAGE, false);
		note(s, to, 0, PAGE, true);
	}
	return 0;
}

/* Copies an event that stays where it is. */
static int
copy_event(struct trc_prune_notes *s, struct trc_err *err)
{
	const struct trc_bus_record *e = &s->event;

	if (flush(s, err) || trc_events_put(s->to, e, err))
		return -1;
	s->point = e->count + trc_bus_is_synchronous(e->type);
	return 0;
}

/* Takes the next event. Only a write asks what was accessed since the one before: of the events of
 * threads, which are mostly turns, one in thirty. */
static int
next_event(struct trc_prune_notes *s, struct trc_err *err)
{
	const enum trc_flow flow = trc_events_next(&s->at, &s->event, err);

	s->events_left = flow == TRC_FLOW_ROWS;
	if (s->events_left && s->event.type == TRC_BUS_DMA)
		begin_moment(s);
	return flow == TRC_FLOW_FAILED ? -1 : 0;
}

/* Moves the events that are due at `count` to the new list. */
static int
move_events(struct trc_prune_notes *s, uint64_t count, struct trc_err *err)
{
	while (s->events_left && s->event.count <= count) {
		const struct trc_bus_record e = s->event;
		const bool write = e.type == TRC_BUS_DMA;

		if ((write ? move_write(s, err) : copy_event(s, err)) || next_event(s, err) ||
		    (e.type == TRC_BUS_MOVE && note_move(s, &e, err)))
			return -1;
	}
	return 0;
}

/* Moves events between two instructions while memory is in the state in which they occurred. */
static void
watch_due(struct trc_replay_watch *watch, const struct trc_hart *h)
{
	struct trc_prune_notes *s = (struct trc_prune_notes *)watch;

	s->h = h;
	if (s->err.code == 0)
		(void)move_events(s, h->count, &s->err);
	s->h = NULL;
}

/* Moves the events that the next instruction causes, before its accesses are noted. */
static bool
is_ready(struct trc_prune_notes *s, uint64_t count)
{
	return s->err.code == 0 &&
	       (!s->events_left || s->event.count > count || move_events(s, count, &s->err) == 0);
}

/* Notes an access within a page of memory. The value noted for a load is right although memory may
 * be of a later time: it is used only if nothing was stored there since. */
static void
note_access(struct trc_prune_notes *s, const struct trc_hart *h, uint64_t addr, unsigned size,
            bool store)
{
	struct page *p = page_of(s, addr / PAGE, &s->err);

	if (!p)
		return;
	note(s, p, addr % PAGE, size, store);
	if (store)
		return;
	if (!p->memory)
		p->memory = trc_memory_find(h->mem, addr / PAGE);
	if (p->memory)
		memcpy(p->byte + addr % PAGE, p->memory->byte + addr % PAGE, size);
}

static void
pin(struct trc_prune_notes *s, uint64_t addr, unsigned size)
{
	struct page *p = page_of(s, addr / PAGE, &s->err);

	for (uint64_t at = addr % PAGE; p && at < addr % PAGE + size; at++)
		p->pinned[at / 64] |= UINT64_C(1) << at % 64;
}

static void
watch_seen(struct trc_replay_watch *watch, const struct trc_hart *h, enum trc_seen what,
           uint64_t addr, unsigned size)
{
	struct trc_prune_notes *s = (struct trc_prune_notes *)watch;

	if (s->watch.rows)
		pin(s, addr, size);
	if (s->watch.rows || is_ready(s, h->count))
		note_access(s, h, addr, size,
		            what == TRC_SEEN_STORE || what == TRC_SEEN_WALK_STORE);
}

/* Notes data at a virtual address, but for that of devices. */
static void
note_data(struct trc_prune_notes *s, const struct trc_hart *h, uint64_t va, unsigned size,
          bool store)
{
	const unsigned left = PAGE - va % PAGE;
	uint64_t pa;

	if (trc_hart_physical(h, va, &pa))
		note_access(s, h, pa, size < left ? size : left, store);
	if (size > left && trc_hart_physical(h, va + left, &pa))
		note_access(s, h, pa, size - left, store);
}

/* Returns the page at a virtual address; NULL if there is no memory. */
static struct page *
page_at(struct trc_prune_notes *s, const struct trc_hart *h, uint64_t va)
{
	struct view *v = &s->view[va / PAGE % VIEWS];
	uint64_t pa;

	if (TRC_LIKELY(v->page && v->number == va / PAGE && v->translation == s->translation))
		return v->page;
	if (!trc_hart_physical(h, va, &pa))
		return NULL;
	*v = (struct view){ va / PAGE, s->translation, page_of(s, pa / PAGE, &s->err) };
	return v->page;
}

/* Returns true if an access was noted since the last event, as nearly all of a loop were. */
static bool
is_noted(struct trc_prune_notes *s, const struct trc_hart *h, uint64_t va, unsigned size,
         bool store)
{
	const struct page *p = size - 1 < GRAIN - va % GRAIN ? page_at(s, h, va) : NULL;
	uint64_t bits;

	if (!p)
		return false;
	bits = UINT64_MAX >> (64 - size) << va % GRAIN | (store ? STORED : 0);
	return (p->seen[va % PAGE / GRAIN] & (~(uint64_t)(MOMENT - 1) | bits)) ==
	       (s->moment * MOMENT | bits);
}

static void
note_rows(struct trc_prune_notes *s, const struct trc_hart *h, const struct trc_batch *b,
          size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		const unsigned type = b->type[i] & TRC_TYPE_MASK, size = b->size[i];

		if (type != TRC_FETCH && !is_noted(s, h, b->addr[i], size, type == TRC_WRITE))
			note_data(s, h, b->addr[i], size, type == TRC_WRITE);
	}
}

static size_t
last_fetch(const struct trc_batch *b, size_t from)
{
	size_t i = b->n;

	while (i > from && (b->type[--i] & TRC_TYPE_MASK) != TRC_FETCH)
		;
	return i;
}

/* The event that ended the run, if there is one, belongs to its last instruction. */
static void
watch_rows(struct trc_replay_watch *watch, const struct trc_hart *h, const struct trc_batch *b,
           size_t from)
{
	struct trc_prune_notes *s = (struct trc_prune_notes *)watch;
	const size_t last = last_fetch(b, from);

	s->doubtful |= trc_hart_doubtful(h);
	if (s->err.code || from == b->n)
		return;
	s->translation = trc_hart_translation(h);
	note_rows(s, h, b, from, last);
	if (is_ready(s, h->count - 1))
		note_rows(s, h, b, last, b->n);
}

/* ---- all of it ---- */

static int
learn(struct trc_prune_notes *s, const struct trc_package *from, const struct trc_prune_how *how,
      bool exact, struct trc_err *err)
{
	const struct trc_replay_how replay = {
		.memory = how->memory, .watch = &s->watch, .count = how->count, .unproved = true
	};
	struct trc_replay_report report;

	s->watch = (struct trc_replay_watch){ watch_seen, exact ? NULL : watch_rows, watch_due };
	s->moment = 1;
	trc_events_begin(&from->events, &s->at);
	if (next_event(s, err))
		return -1;
	if (trc_replay_all(from, &replay, &report, err))
		return -1;
	if (s->err.code) {
		*err = s->err;
		return -1;
	}
	if (s->doubtful)
		return trc_fail(err, "page tables changed without a fence");
	return move_events(s, UINT64_MAX, err) || flush(s, err) ? -1 : 0;
}

struct trc_prune_notes *
trc_prune_learn(const struct trc_package *from, const struct trc_prune_how *how, bool exact,
                struct trc_events *to, struct trc_err *err)
{
	struct trc_prune_notes *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->to = to;
	if (trc_map_init(&s->map, err) == 0 && learn(s, from, how, exact, err) == 0)
		return s;
	trc_prune_notes_close(s);
	return NULL;
}

const uint64_t *
trc_prune_needed(const struct trc_prune_notes *s, uint64_t page)
{
	const uint32_t i = trc_map_find(&s->map, 0, page)->value;

	return i != TRC_MAP_NONE ? s->page[i]->needed : NULL;
}

void
trc_prune_notes_close(struct trc_prune_notes *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->pages; i++)
		free(s->page[i]);
	free(s->page);
	free(s->write);
	trc_buf_release(&s->data);
	trc_map_release(&s->map);
	free(s);
}
