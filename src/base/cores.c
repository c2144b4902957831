/* SPDX-License-Identifier: MIT */
#if defined(__linux__)
#define _GNU_SOURCE /* which processors a process is allowed */
#endif
#include "base/cores.h"

#include <sched.h>
#include <unistd.h>

/* Processors that the process may use: fewer than are online under taskset(1) or in a cpuset. The
 * mask is that of its first thread, since others may just be kept from one (base/pool.c). */
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
