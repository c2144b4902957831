/* SPDX-License-Identifier: MIT */
#include "base/cores.h"

#include <unistd.h>

int
trc_cores(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > 64 ? 64 : (int)n;
}
