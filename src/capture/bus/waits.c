/* SPDX-License-Identifier: MIT
 *
 * Numbers as in asm/unistd.h of Linux for riscv64, operations of a futex as in futex(2).
 */
#include "capture/bus/waits.h"

#include <stddef.h>

#include "base/base.h"

enum {
	CALL_FUTEX = 98,
	FUTEX_FLAGS = 0x180, /* private, and which clock */
	FUTEX_WAIT = 0,
	FUTEX_LOCK_PI = 6,
	FUTEX_WAIT_BITSET = 9,
	FUTEX_WAIT_REQUEUE_PI = 11,
	FUTEX_LOCK_PI2 = 13,
};

static bool
futex_waits(uint64_t operation)
{
	switch (operation & ~(uint64_t)FUTEX_FLAGS) {
	case FUTEX_WAIT:
	case FUTEX_LOCK_PI:
	case FUTEX_WAIT_BITSET:
	case FUTEX_WAIT_REQUEUE_PI:
	case FUTEX_LOCK_PI2: return true;
	default: return false;
	}
}

bool
trc_call_waits(int64_t number, uint64_t second)
{
	/* Calls that do not wait: for files, exit, robust lists, clocks, affinity, signal handlers
	 * and sending, names and limits, identity, memory, new threads and programs, the
	 * machine. */
	static const uint16_t alone[] = {
		62,  79,  80,  291, 94,  96,  99,  100, 108, 113, 114, 169, 122, 123, 129, 130,
		131, 138, 132, 134, 135, 136, 139, 160, 163, 165, 172, 173, 174, 175, 176, 177,
		178, 179, 214, 215, 216, 222, 226, 233, 220, 221, 435, 258, 259, 261, 278, 283,
	};

	if (number == CALL_FUTEX)
		return futex_waits(second);
	for (size_t i = 0; i < TRC_COUNT(alone); i++)
		if (alone[i] == number)
			return false;
	return true;
}
