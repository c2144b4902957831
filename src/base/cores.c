/* SPDX-License-Identifier: MIT */
#include "base/cores.h"

#include <unistd.h>

enum { MOST = 64 };

int
trc_cores(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > MOST ? MOST : (int)n;
}

int
trc_threads(uint64_t asked)
{
	return asked == 0 ? trc_cores() : asked > MOST ? MOST : (int)asked;
}
