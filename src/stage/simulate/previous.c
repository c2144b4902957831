/* SPDX-License-Identifier: MIT */
#include "stage/simulate/previous.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hugepages.h"
#include "base/map_find.h"

enum {
	BUCKET = 1 << 12, /* average pages in a bucket */
	BITS_MOST = 11,   /* but more buckets than this cannot be written in turn */
};

/* A page in its bucket. */
struct dealt {
	uint64_t page;
	uint32_t space, at; /* index in the list */
};

/* The list, partitioned into buckets. */
struct deal {
	unsigned bits;
	struct dealt *page;
	uint32_t end[1 << BITS_MOST];
	uint32_t *place; /* hash table of a bucket: 1 + index of the last occurrence; 0: free */
};

/* Hashes a page; the lowest bits select its bucket. It replaces trc_map_hash() with only two
 * multiplications (A. Appleby, MurmurHash3, 2011), because all pages are hashed twice. */
static inline uint32_t
hash_of(uint64_t page, uint32_t space)
{
	uint64_t h = page ^ space * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
	h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
	return (uint32_t)(h >> 32);
}

/* Partitions the list; each bucket has its pages in order. */
static int
deal(struct deal *d, const uint64_t *page, const uint32_t *space, size_t n, struct trc_err *err)
{
	const uint32_t mask = (UINT32_C(1) << d->bits) - 1;
	uint32_t sum = 0;

	d->page = trc_alloc_room(n, sizeof(*d->page), err);
	if (!d->page)
		return -1;
	trc_hugepages_advise(d->page, n * sizeof(*d->page));
	for (size_t i = 0; i < n; i++)
		d->end[hash_of(page[i], space[i]) & mask]++;
	for (uint32_t k = 0; k <= mask; k++) {
		const uint32_t pages = d->end[k];

		d->end[k] = sum;
		sum += pages;
	}
	for (size_t i = 0; i < n; i++)
		d->page[d->end[hash_of(page[i], space[i]) & mask]++] =
		        (struct dealt){ page[i], space[i], (uint32_t)i };
	return 0;
}

/* Finds the previous occurrences in one bucket, with a table of `places` entries. */
static void
look_back(struct deal *d, const struct dealt *page, uint32_t n, size_t places, uint32_t *before)
{
	memset(d->place, 0, places * sizeof(*d->place));
	for (uint32_t i = 0; i < n; i++) {
		const struct dealt *p = &page[i];
		uint32_t at = hash_of(p->page, p->space) >> d->bits, last;

		for (; (last = d->place[at & (places - 1)]) != 0; at++)
			if (page[last - 1].page == p->page && page[last - 1].space == p->space)
				break;
		d->place[at & (places - 1)] = i + 1;
		before[p->at] = last ? page[last - 1].at : TRC_PREVIOUS_NONE;
	}
}

static size_t
places_for(uint32_t n)
{
	size_t places = 2;

	while (places < 2 * (size_t)n)
		places *= 2;
	return places;
}

static int
look_back_in_all(struct deal *d, uint32_t *before, struct trc_err *err)
{
	uint32_t most = 0;

	for (size_t k = 0, begin = 0; k < (size_t)1 << d->bits; begin = d->end[k++])
		most = d->end[k] - begin > most ? (uint32_t)(d->end[k] - begin) : most;
	d->place = trc_alloc_room(places_for(most), sizeof(*d->place), err);
	if (!d->place)
		return -1;
	for (size_t k = 0, begin = 0; k < (size_t)1 << d->bits; begin = d->end[k++]) {
		const uint32_t n = (uint32_t)(d->end[k] - begin);

		look_back(d, d->page + begin, n, places_for(n), before);
	}
	return 0;
}

int
trc_previous_index(const uint64_t *page, const uint32_t *space, size_t n, uint32_t *before,
                   struct trc_err *err)
{
	struct deal d = { .bits = 0 };
	int ret;

	assert(n <= TRC_BEFORE_MOST);
	if (n == 0)
		return 0;
	while (d.bits < BITS_MOST && n >> d.bits > BUCKET)
		d.bits++;
	ret = deal(&d, page, space, n, err) || look_back_in_all(&d, before, err) ? -1 : 0;
	free(d.page);
	free(d.place);
	return ret;
}
