/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "capture/copies.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "capture/log.h"

enum { MAPPINGS = 1 << 14, COPIED = 1 << 12, RECENT = 1024, PAGE = 12 };

/* Where a page stood that is not copied any more: of no page, but not free. */
#define GONE UINT64_MAX

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER; /* what follows */
static bool forked;             /* there was a fork: private memory may be another's, too */
static uint64_t generation = 1; /* of mappings and forks */
static struct trc_mapping mapping[MAPPINGS];
static size_t mappings;
static uint64_t *copied; /* pages + 1 that were copied on write; a hash table, half full at most */
static size_t places, taken;

/* Pages that this thread stored to lately. */
static __thread struct {
	uint64_t page, generation;
} recent[RECENT];

/* An empty table. */
static void
make_table(size_t n)
{
	copied = calloc(n, sizeof(*copied));
	places = n;
	taken = 0;
	if (!copied)
		trc_log_die("no memory");
}

void
trc_copies_open(void)
{
	make_table(COPIED);
}

static struct trc_mapping *
find(uint64_t addr)
{
	for (size_t i = 0; i < mappings; i++)
		if (addr >= mapping[i].first && addr < mapping[i].end)
			return &mapping[i];
	return NULL;
}

const struct trc_mapping *
trc_copies_find(uint64_t addr)
{
	return find(addr);
}

/* Where a page is in the table, or would be. */
static uint64_t *
place_of(uint64_t page)
{
	size_t at = (size_t)(page * UINT64_C(0x9e3779b97f4a7c15) >> 32) % places;

	while (copied[at] && copied[at] != page + 1)
		at = (at + 1) % places;
	return &copied[at];
}

static void
forget_copies(uint64_t first, uint64_t end)
{
	first >>= PAGE;
	end >>= PAGE;
	if (end - first < places) {
		for (uint64_t page = first; taken > 0 && page < end; page++)
			if (*place_of(page))
				*place_of(page) = GONE;
		return;
	}
	for (size_t i = 0; taken > 0 && i < places; i++)
		if (copied[i] && copied[i] - 1 >= first && copied[i] - 1 < end)
			copied[i] = GONE;
}

/* A table with twice the room for the pages that count. */
static void
grow_table(void)
{
	uint64_t *old = copied;
	const size_t n = places;

	make_table(2 * n);
	for (size_t i = 0; i < n; i++)
		if (old[i] && old[i] != GONE) {
			*place_of(old[i] - 1) = old[i];
			taken++;
		}
	free(old);
}

/* True if the page was not in the table; it is then. */
static bool
note_copy(uint64_t page)
{
	uint64_t *at = place_of(page);

	if (*at)
		return false;
	*at = page + 1;
	if (++taken > places / 2)
		grow_table();
	return true;
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
	m = find(addr);
	recent[at].page = page;
	recent[at].generation = generation;
	if ((m ? m->kind == TRC_MAPPED_PRIVATE_FILE || (forked && m->kind == TRC_MAPPED_ANONYMOUS) :
	         forked) &&
	    note_copy(page))
		trc_log_event('C', " %x %" PRIx64, task, page << PAGE);
	pthread_mutex_unlock(&own);
}

/* Takes [first, end) out of the mappings that hold it. */
static void
cut(uint64_t first, uint64_t end)
{
	for (size_t i = 0; i < mappings; i++) {
		struct trc_mapping *m = &mapping[i];

		if (m->end <= first || m->first >= end)
			continue;
		if (m->first < first && m->end > end && mappings < MAPPINGS) {
			mapping[mappings++] = (struct trc_mapping){ end, m->end, m->kind };
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

void
trc_copies_map(uint64_t first, uint64_t end, enum trc_mapped kind)
{
	pthread_mutex_lock(&own);
	cut(first, end);
	if (mappings < MAPPINGS)
		mapping[mappings++] = (struct trc_mapping){ first, end, kind };
	forget_copies(first, end);
	generation++;
	pthread_mutex_unlock(&own);
}

void
trc_copies_unmap(uint64_t first, uint64_t end)
{
	pthread_mutex_lock(&own);
	cut(first, end);
	forget_copies(first, end);
	generation++;
	pthread_mutex_unlock(&own);
}

void
trc_copies_before_fork(void)
{
	pthread_mutex_lock(&own);
}

void
trc_copies_after_fork(bool child)
{
	forked = true;
	generation++;
	memset(copied, 0, places * sizeof(*copied));
	taken = 0;
	if (child)
		pthread_mutex_init(&own, NULL);
	else
		pthread_mutex_unlock(&own);
}
