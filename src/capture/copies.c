/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "capture/copies.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "capture/log.h"

enum { MAPPINGS = 1 << 14, COPIED = 1 << 20, RECENT = 1024, PAGE = 12 };

static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER; /* what follows */
static bool forked;             /* there was a fork: private memory may be another's, too */
static uint64_t generation = 1; /* of mappings and forks */
static struct trc_mapping mapping[MAPPINGS];
static size_t mappings;
static uint64_t *copied; /* pages + 1 that were copied on write; a hash table */
static size_t copies;

/* Pages that this thread stored to lately. */
static __thread struct {
	uint64_t page, generation;
} recent[RECENT];

void
trc_copies_open(void)
{
	copied = calloc(COPIED, sizeof(*copied));
	if (!copied)
		trc_log_die("no memory");
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

static void
forget_copies(uint64_t first, uint64_t end)
{
	for (size_t i = 0; copies > 0 && i < COPIED; i++)
		if (copied[i] && copied[i] - 1 >= first >> PAGE && copied[i] - 1 < end >> PAGE)
			copied[i] = UINT64_MAX; /* of no page, but not free */
}

/* True if the page was not in the table; it is then. */
static bool
note_copy(uint64_t page)
{
	size_t at = (size_t)(page * UINT64_C(0x9e3779b97f4a7c15) >> 44) % COPIED;

	if (copies > COPIED / 2)
		return false;
	for (; copied[at] && copied[at] != page + 1; at = (at + 1) % COPIED)
		;
	if (copied[at])
		return false;
	copied[at] = page + 1;
	copies++;
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
	memset(copied, 0, COPIED * sizeof(*copied));
	copies = 0;
	if (child)
		pthread_mutex_init(&own, NULL);
	else
		pthread_mutex_unlock(&own);
}
