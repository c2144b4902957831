/* SPDX-License-Identifier: MIT */
#include "stage/simulate/object/footprint.h"

#include "base/hugepages.h"
#include "stage/simulate/object/names.h"
#include "stage/simulate/pages.h"

enum {
	MIB = 1 << 20,
	SLOT = 7,             /* bytes of a byte stack for an object, which has up to 3/2 slots */
	SAVED = 96,           /* bytes of the state of a curve by bytes for an object */
	GAPS = 10 * MIB,      /* most that growing arrays leave unused in the heap */
	GAPS_ALL = 100 * MIB, /* likewise, if they never leave it (base/hugepages.h) */
	TRIED = 1 << 19,      /* objects that two threads number in vain, in chunks */
	TRIED_BYTES = 64      /* bytes for each */
};

static uint64_t
min_of(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns the bytes of an array with `size` for each of `n` objects. */
static uint64_t
array(uint64_t n, size_t size)
{
	return trc_grown((size_t)n, size) * size;
}

/* Returns the bytes of a stack with what else is stored for its `n` numbers. */
static uint64_t
side(const struct trc_footprint *f, uint64_t n)
{
	return n * SLOT + array(n, 4) + (f->writes ? array(n, 8) : 0);
}

uint64_t
trc_footprint_by_bytes(const struct trc_footprint *f)
{
	const uint64_t n = f->objects;
	uint64_t bytes = 8 * n + 4 * trc_names_places((size_t)n) + n / 8 + side(f, n);

	if (f->deletes)
		bytes += side(f, n + f->deletes) + array(n, 4) + 8 * n;
	return bytes + min_of(bytes / 5 * 2, GAPS) + (f->saved ? SAVED * n : 0);
}

/* Returns the bytes of names, stack, levels and two histograms, and of an order at the end. */
static uint64_t
pages_bytes(const struct trc_footprint *f, uint64_t n)
{
	const uint64_t stack = array(n, 4) + 2 * n + 4 * n, levels = array(n, 4) + 2 * array(n, 8);
	const uint64_t more = (f->deletes ? array(n, 1) : 0) +
	                      (f->saved ? array(n, 4) + 16 * n : 0);

	return 16 * n + 8 * trc_pages_places((size_t)n) + stack + levels + more + 4 * n;
}

/* While a table doubles, the old one is still there. */
uint64_t
trc_footprint_by_count(const struct trc_footprint *f)
{
	const uint64_t places = trc_pages_places((size_t)f->objects);
	const uint64_t then = pages_bytes(f, places / 4 + 1) + 8 * places / 2;
	const uint64_t now = pages_bytes(f, f->objects), most = then > now ? then : now;
	const uint64_t tried = TRIED_BYTES * min_of(f->objects, TRIED);
	const uint64_t gaps = min_of(most / 3, GAPS_ALL);

	return most + most / 8 + (tried > gaps ? tried : gaps);
}
