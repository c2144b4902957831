/* SPDX-License-Identifier: MIT */
#include "container/frame/repair_group.h"

void
trc_repair_note(struct trc_repair *r, uint64_t at)
{
	if (r->repaired->sectors++ == 0 || at < r->repaired->first)
		r->repaired->first = at;
}

uint64_t
trc_repair_start(const struct trc_repair *r, const struct trc_parity_group *g)
{
	const uint64_t start = g->end - g->bytes, bytes = start - r->at;
	const uint64_t shift = bytes >> 63 ? 0 - bytes : bytes;

	return shift < g->bytes && shift <= g->reach ? r->at : start;
}

bool
trc_repair_is_torn(struct trc_repair *r, const struct trc_parity_group *g, bool lost)
{
	const bool torn = lost && g->end < r->at + g->bytes;

	r->repaired->cut |= torn && r->at == 0;
	return torn && r->at > 0;
}

int
trc_repair_before(struct trc_repair *r, const struct trc_parity_group *g, uint64_t start,
                  struct trc_err *err)
{
	if (start > r->at && start <= g->end &&
	    trc_patched_add_range(r->whole, r->at, start - r->at, err))
		return -1;
	if (!r->within)
		r->container = trc_patched_size(r->whole);
	return 0;
}
