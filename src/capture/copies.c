/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "capture/copies.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "capture/log.h"
#include "capture/sharers.h"

enum { MAPPINGS = 1 << 14, STORED = 1 << 12, RECENT = 1024, PAGE = 12 };

/* A page of this process, of private memory, that was stored to. */
struct stored {
	uint64_t page;   /* + 1, or GONE; 0: unused entry */
	uint32_t number; /* number in sharers.h */
};

/* The entry of a removed page: not a page, but not free either. */
#define GONE UINT64_MAX

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER; /* protects what follows */
static uint64_t generation = 1;                         /* counts mappings and forks */
static uint64_t forked;                                 /* generation of the last fork; 0: none */
static struct trc_mapping mapping[MAPPINGS];
static size_t mappings;
static struct stored *stored; /* a hash table, at most half full */
static size_t places, taken;

/* Pages that this thread stored to recently. */
static __thread struct {
	uint64_t page, generation;
} recent[RECENT];

/* Makes an empty table. */
static void
make_table(size_t n)
{
	stored = calloc(n, sizeof(*stored));
	places = n;
	taken = 0;
	if (!stored)
		trc_log_die("no memory");
}

void
trc_copies_open(void)
{
	make_table(STORED);
	trc_sharers_open();
}

static struct trc_mapping *
find_mapping(uint64_t addr)
{
	for (size_t i = 0; i < mappings; i++)
		if (addr >= mapping[i].first && addr < mapping[i].end)
			return &mapping[i];
	return NULL;
}

const struct trc_mapping *
trc_copies_find(uint64_t addr)
{
	return find_mapping(addr);
}

/* Returns the entry of a page, or the free one where it belongs. */
static struct stored *
place_of(uint64_t page)
{
	size_t at = (size_t)(page * UINT64_C(0x9e3779b97f4a7c15) >> 32) % places;

	while (stored[at].page && stored[at].page != page + 1)
		at = (at + 1) % places;
	return &stored[at];
}

static void
forget(struct stored *p)
{
	trc_sharers_drop(p->number);
	p->page = GONE;
}

/* Removes the pages of [first, end). */
static void
forget_pages(uint64_t first, uint64_t end)
{
	first >>= PAGE;
	end >>= PAGE;
	if (end - first < places) {
		for (uint64_t page = first; taken > 0 && page < end; page++)
			if (place_of(page)->page)
				forget(place_of(page));
		return;
	}
	for (size_t i = 0; taken > 0 && i < places; i++)
		if (stored[i].page && stored[i].page != GONE && stored[i].page - 1 >= first &&
		    stored[i].page - 1 < end)
			forget(&stored[i]);
}

/* Doubles the table, and drops removed pages. */
static void
grow_table(void)
{
	struct stored *old = stored;
	const size_t n = places;

	make_table(2 * n);
	for (size_t i = 0; i < n; i++)
		if (old[i].page && old[i].page != GONE) {
			*place_of(old[i].page - 1) = old[i];
			taken++;
		}
	free(old);
}

/* Adds a page that is not in the table. */
static void
add(uint64_t page, uint32_t number)
{
	*place_of(page) = (struct stored){ page + 1, number };
	if (++taken > places / 2)
		grow_table();
}

/* Returns true if the first store to a page copies it. The page may be in memory already, if it was
 * read, or written by the system. */
static bool
is_copied_first(const struct trc_mapping *m)
{
	if (m && m->kind == TRC_MAPPED_PRIVATE_FILE)
		return true;
	return forked > (m ? m->since : 0) && trc_sharers_others();
}

/* Notes a store to a page of private memory; returns true if it copies the page. */
static bool
note_store(const struct trc_mapping *m, uint64_t page)
{
	struct stored *p = place_of(page);
	const bool first = p->page == 0,
	           copied = first ? is_copied_first(m) : trc_sharers_leave(p->number);

	if (first)
		add(page, trc_sharers_new());
	else if (copied)
		p->number = trc_sharers_new();
	return copied;
}

void
trc_copies_store(uint32_t task, uint64_t addr)
{
	const uint64_t page = addr >> PAGE;
	const size_t at = page % RECENT;
	const struct trc_mapping *m;

	if (recent[at].page == page && recent[at].generation == generation)
		return;
	pthread_mutex_lock(&own);
	m = find_mapping(addr);
	recent[at].page = page;
	recent[at].generation = generation;
	if ((!m || m->kind != TRC_MAPPED_SHARED) && note_store(m, page))
		trc_log_event('C', " %x %" PRIx64, task, page << PAGE);
	pthread_mutex_unlock(&own);
}

/* Takes [first, end) out of the mappings that contain it. */
static void
cut(uint64_t first, uint64_t end)
{
	for (size_t i = 0; i < mappings; i++) {
		struct trc_mapping *m = &mapping[i];

		if (m->end <= first || m->first >= end)
			continue;
		if (m->first < first && m->end > end && mappings < MAPPINGS) {
			mapping[mappings] = *m;
			mapping[mappings++].first = end;
			m->end = first;
		} else if (m->first < first) {
			m->end = first;
		} else if (m->end > end) {
			m->first = end;
		} else {
			*m = mapping[--mappings];
			i--;
		}
	}
}

static void
map(uint64_t first, uint64_t end, enum trc_mapping_kind kind, uint64_t since)
{
	cut(first, end);
	if (mappings < MAPPINGS)
		mapping[mappings++] = (struct trc_mapping){ first, end, kind, since };
	forget_pages(first, end);
}

void
trc_copies_map(uint64_t first, uint64_t end, enum trc_mapping_kind kind)
{
	pthread_mutex_lock(&own);
	map(first, end, kind, ++generation);
	pthread_mutex_unlock(&own);
}

void
trc_copies_unmap(uint64_t first, uint64_t end)
{
	pthread_mutex_lock(&own);
	cut(first, end);
	forget_pages(first, end);
	generation++;
	pthread_mutex_unlock(&own);
}

/* The pages are taken out of the table before anything is mapped or unmapped, and added again after
 * that. */
void
trc_copies_move(uint64_t first, uint64_t end, uint64_t to, uint64_t to_end)
{
	const size_t n = (end - first) >> PAGE, kept = (to_end - to) >> PAGE;
	struct stored *p = calloc(n + 1, sizeof(*p));
	const struct trc_mapping *m;
	struct trc_mapping old;

	if (!p)
		trc_log_die("no memory");
	pthread_mutex_lock(&own);
	m = find_mapping(first);
	old = m ? *m : (struct trc_mapping){ .kind = TRC_MAPPED_ANONYMOUS };
	for (size_t i = 0; i < n && i < kept; i++) {
		struct stored *at = place_of((first >> PAGE) + i);

		p[i] = *at;
		if (at->page)
			at->page = GONE;
	}
	cut(first, end);
	forget_pages(first, end);
	map(to, to_end, old.kind, old.since);
	for (size_t i = 0; i < n && i < kept; i++)
		if (p[i].page)
			add((to >> PAGE) + i, p[i].number);
	generation++;
	pthread_mutex_unlock(&own);
	free(p);
}

void
trc_copies_before_fork(void)
{
	pthread_mutex_lock(&own);
}

void
trc_copies_after_fork(bool child)
{
	forked = ++generation;
	if (!child) {
		pthread_mutex_unlock(&own);
		return;
	}
	trc_sharers_forked();
	for (size_t i = 0; i < places; i++)
		if (stored[i].page && stored[i].page != GONE)
			trc_sharers_join(stored[i].number);
	pthread_mutex_init(&own, NULL);
}
