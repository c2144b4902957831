/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* madvise() is not in POSIX */
#include "base/huge.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LEAST = 4 << 20 }; /* bytes: what is worth a system call, and may cost a page unused */

/* What is asked for is whole pages of the usual size, and so all of a mapping of malloc()'s: one in
 * two parts could not grow in place. */
void
trc_huge_pages(void *mem, size_t n)
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
