/* SPDX-License-Identifier: MIT
 *
 * Physical memory protection. Source: volume II, section 3.7. The lowest-numbered entry that
 * matches any byte of an access decides, and must match all of its bytes. As in QEMU, everything is
 * allowed while no entry is on.
 */
#include "machine/hart/core.h"

enum { OFF, TOR, NA4, NAPOT };
enum { LOCKED = 0x80 };

/* Sets the addresses [*first, *last] of entry i; returns false if it is off or empty. */
static bool
range(const struct trc_csrs *csr, int i, uint64_t *first, uint64_t *last)
{
	const uint64_t addr = csr->pmpaddr[i], below = i ? csr->pmpaddr[i - 1] : 0;
	int ones;

	switch (csr->pmpcfg[i] >> 3 & 3) {
	case OFF: return false;
	case TOR:
		*first = below << 2;
		*last = (addr << 2) - 1;
		return below < addr;
	case NA4:
		*first = addr << 2;
		*last = *first + 3;
		return true;
	}
	ones = ~addr ? trc_ctz64(~addr) : 64;
	if (ones >= 54) {
		*first = 0;
		*last = UINT64_MAX;
		return true;
	}
	*first = (addr & ~((UINT64_C(1) << (ones + 1)) - 1)) << 2;
	*last = *first + (UINT64_C(8) << ones) - 1;
	return true;
}

bool
trc_pmp_allows(const struct trc_csrs *csr, uint64_t pa, uint64_t len, enum trc_access access,
               enum trc_mode mode)
{
	static const uint8_t bit[] = { 4, 1, 2 };
	const uint64_t end = pa + len - 1;
	bool any = false;

	for (int i = 0; i < TRC_PMPS; i++) {
		uint64_t first, last;

		any |= csr->pmpcfg[i] >> 3 & 3;
		if (!range(csr, i, &first, &last) || end < first || pa > last)
			continue;
		if (pa < first || end > last)
			return false;
		if (mode == TRC_MODE_MACHINE && !(csr->pmpcfg[i] & LOCKED))
			return true;
		return csr->pmpcfg[i] & bit[access];
	}
	return mode == TRC_MODE_MACHINE || !any;
}
