/* SPDX-License-Identifier: MIT */
#if defined(__linux__)
#define _GNU_SOURCE /* sched_getaffinity() */
#endif
#include "base/cores.h"

#include <sched.h>
#include <unistd.h>

/* Returns the number of processors that the process may use; under taskset(1) or in a cpuset, fewer
 * than are online. Uses the mask of the first thread, because other threads may temporarily exclude
 * a processor (base/pool.c). */
static long
allowed(void)
{
#if defined(__linux__)
	cpu_set_t set;

	if (sched_getaffinity(getpid(), sizeof(set), &set) == 0)
		return CPU_COUNT(&set);
#endif
	return sysconf(_SC_NPROCESSORS_ONLN);
}

int
trc_cores(void)
{
	const long n = allowed();

	return n < 1 ? 1 : n > TRC_THREADS_MOST ? TRC_THREADS_MOST : (int)n;
}

int
trc_threads(uint64_t given)
{
	return given == 0 ? trc_cores() : given > TRC_THREADS_MOST ? TRC_THREADS_MOST : (int)given;
}
