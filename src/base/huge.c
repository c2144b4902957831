/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* madvise() is not in POSIX */
#include "base/huge.h"

#include <stdint.h>
#include <sys/mman.h>

enum {
	HUGE_PAGE = 2 << 20,  /* bytes: those of x86-64, and of ARM with pages of 4 KiB */
	LEAST = 2 * HUGE_PAGE, /* what is worth a system call, and may cost a page unused */
};

void
trc_huge_pages(void *mem, size_t n)
{
#ifdef MADV_HUGEPAGE
	const size_t before = -(uintptr_t)mem % HUGE_PAGE;

	if (mem && n >= LEAST)
		(void)madvise((char *)mem + before, (n - before) / HUGE_PAGE * HUGE_PAGE,
		              MADV_HUGEPAGE);
#else
	(void)mem;
	(void)n;
#endif
}
