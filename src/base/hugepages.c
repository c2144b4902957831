/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* madvise() is not in POSIX */
#include "base/hugepages.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
#include <malloc.h>
#define HAS_HEAP 1
#else
#define HAS_HEAP 0
#endif

enum {
	LEAST = 4 << 20,  /* bytes: worth a system call, and perhaps a large page unused */
	SMALL = 4 << 20,  /* address space in small pages, as each fault on one takes long */
	HEAP = 256 << 20, /* address space, not memory, that reading a container may need */
	PAD = 16 << 10,   /* bytes more than are asked for, by which it is extended before that */
};

#if HAS_HEAP
static atomic_bool waits; /* for a heap of SMALL */
static uintptr_t heap;    /* where it began */
#endif

/* The advice covers whole small pages, and so the whole mapping of a malloc(): a mapping in two
 * parts could not grow in place. */
void
trc_hugepages_advise(void *mem, size_t n)
{
#ifdef MADV_HUGEPAGE
	const long page = sysconf(_SC_PAGESIZE);
	size_t before;

	if (!mem || n < LEAST || page <= 0)
		return;
	before = (uintptr_t)mem % (size_t)page;
	(void)madvise((char *)mem - before, n + before, MADV_HUGEPAGE);
#else
	(void)mem;
	(void)n;
#endif
}

#if HAS_HEAP
static bool
is_limited(int resource)
{
	struct rlimit limit;

	return getrlimit(resource, &limit) || limit.rlim_cur != RLIM_INFINITY;
}
#endif

/* All allocations below LEAST, from any thread, come from the heap of the first thread. */
void
trc_hugepages_heap(void)
{
#if HAS_HEAP
	if (is_limited(RLIMIT_AS) || is_limited(RLIMIT_DATA))
		return;
	heap = (uintptr_t)sbrk(0);
	atomic_store(&waits, mallopt(M_ARENA_MAX, 1) && mallopt(M_MMAP_THRESHOLD, LEAST) &&
	                             mallopt(M_TRIM_THRESHOLD, 2 * HEAP) &&
	                             mallopt(M_TOP_PAD, PAD));
#endif
}

/* Once the heap has SMALL bytes, it is extended once by HEAP, and before that by little: calloc()
 * fills what lies in an extension already, which was a third of the pages that a small trace
 * touched. */
#if HAS_HEAP
static void
extend_heap(void)
{
	const int usual_pad = 128 << 10;
	const uintptr_t first = (uintptr_t)sbrk(0);
	uintptr_t end;
	void *mem;

	if (!mallopt(M_TOP_PAD, HEAP))
		return;
	mem = malloc(LEAST / 2);
	mallopt(M_TOP_PAD, usual_pad);
	end = (uintptr_t)sbrk(0);
	if (mem && end > first && end - first >= HEAP && end - first < 2 * HEAP)
		trc_hugepages_advise((char *)heap + SMALL, end - heap - SMALL);
	free(mem);
}
#endif

void
trc_hugepages_expect(size_t n)
{
#if HAS_HEAP
	if (atomic_load(&waits) && (uintptr_t)sbrk(0) - heap + n >= SMALL &&
	    atomic_exchange(&waits, false))
		extend_heap();
#else
	(void)n;
#endif
}

void
trc_hugepages_shrink(void)
{
#if HAS_HEAP
	malloc_trim(0);
#endif
}
