/* SPDX-License-Identifier: MIT
 *
 * Each process has a bit, and each page has the bits of the last processes that had it. A process
 * that ends only clears its bit among the live ones; the others need not see that in time.
 */
#define _GNU_SOURCE
#include "capture/sharers.h"

#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "capture/log.h"

enum {
	PAGES = 1 << 22, /* maximum number of pages; memory is allocated as they are used */
	BITS = 63,       /* for live processes; the last bit, for all others, is never cleared */
};

#define CROWD (UINT64_C(1) << BITS)

struct shared {
	_Atomic uint64_t live;
	_Atomic uint32_t pages; /* number of pages given out */
	_Atomic uint32_t pid[BITS];
	_Atomic uint64_t has[PAGES + 1];
};

static struct shared *shared;
static uint64_t own; /* bit of this process */

void
trc_sharers_open(void)
{
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
	              MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (shared == MAP_FAILED)
		trc_log_die("no memory");
	own = 1;
	shared->live = own | CROWD;
	shared->pid[0] = (uint32_t)getpid();
}

uint32_t
trc_sharers_new(void)
{
	uint32_t page;

	if (shared->pages >= PAGES)
		return TRC_SHARERS_UNKNOWN;
	page = ++shared->pages;
	if (page > PAGES)
		return TRC_SHARERS_UNKNOWN;
	shared->has[page] = own;
	return page;
}

/* If two processes leave at once, one of them sees the bit of the other cleared, so one of them
 * keeps the page. */
bool
trc_sharers_leave(uint32_t page)
{
	uint64_t others;

	if (page == TRC_SHARERS_UNKNOWN || own == CROWD)
		return true;
	others = atomic_fetch_and(&shared->has[page], ~own) & shared->live & ~own;
	if (others == 0)
		atomic_fetch_or(&shared->has[page], own);
	return others != 0;
}

void
trc_sharers_drop(uint32_t page)
{
	if (page != TRC_SHARERS_UNKNOWN && own != CROWD)
		atomic_fetch_and(&shared->has[page], ~own);
}

bool
trc_sharers_others(void)
{
	return own == CROWD || shared->has[TRC_SHARERS_UNKNOWN] ||
	       (shared->live & ~own & ~CROWD) != 0;
}

/* Returns a bit that no live process has, and clears it from all pages. */
static uint64_t
free_bit(void)
{
	for (int i = 0; i < BITS; i++) {
		const uint64_t bit = UINT64_C(1) << i;

		if (shared->live & bit)
			continue;
		for (uint32_t page = 1; page <= shared->pages && page <= PAGES; page++)
			if (shared->has[page] & bit)
				atomic_fetch_and(&shared->has[page], ~bit);
		shared->pid[i] = (uint32_t)getpid();
		return bit;
	}
	shared->has[TRC_SHARERS_UNKNOWN] = CROWD; /* from now on other processes may always exist */
	return CROWD;
}

void
trc_sharers_forked(void)
{
	own = free_bit();
	atomic_fetch_or(&shared->live, own);
}

void
trc_sharers_join(uint32_t page)
{
	if (page != TRC_SHARERS_UNKNOWN)
		atomic_fetch_or(&shared->has[page], own);
}

void
trc_sharers_end(void)
{
	if (own != CROWD)
		atomic_fetch_and(&shared->live, ~own);
}

void
trc_sharers_resume(void)
{
	atomic_fetch_or(&shared->live, own);
}

void
trc_sharers_gone(uint32_t pid)
{
	for (int i = 0; i < BITS; i++)
		if (shared->pid[i] == pid)
			atomic_fetch_and(&shared->live, ~(UINT64_C(1) << i));
}
