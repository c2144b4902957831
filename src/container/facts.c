/* SPDX-License-Identifier: MIT
 * Facts of a reduced trace, as numbered pairs. */
#include "container/container.h"

#include <stddef.h>
#include <string.h>

/* Facts by their numbers in the file, from 1. */
static const size_t fact[] = {
	offsetof(struct trc_guarantee, window),  offsetof(struct trc_guarantee, clock),
	offsetof(struct trc_guarantee, sets),    offsetof(struct trc_guarantee, ways),
	offsetof(struct trc_guarantee, line),    offsetof(struct trc_guarantee, sample),
	offsetof(struct trc_guarantee, reduced),
};

int
trc_facts_put(struct trc_buf *b, const struct trc_guarantee *p, struct trc_err *err)
{
	for (size_t i = 0; i < TRC_COUNT(fact); i++) {
		uint64_t v;

		memcpy(&v, (const char *)p + fact[i], sizeof(v));
		if (v && (trc_buf_put_num(b, i + 1, err) || trc_buf_put_num(b, v, err)))
			return -1;
	}
	return 0;
}

bool
trc_facts_read(struct trc_view *v, struct trc_guarantee *p)
{
	while (v->p < v->end) {
		uint64_t number, value;

		if (!trc_view_num(v, &number) || !trc_view_num(v, &value))
			return false;
		if (number >= 1 && number <= TRC_COUNT(fact))
			memcpy((char *)p + fact[number - 1], &value, sizeof(value));
	}
	return p->window == 0 || p->clock == TRC_COL_TIME || p->clock == TRC_COL_ITIME ||
	       p->clock == TRC_COL_RTIME;
}
