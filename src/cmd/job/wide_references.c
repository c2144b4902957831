/* SPDX-License-Identifier: MIT */
#include "cmd/job/wide_references.h"

#include <stdio.h>
#include <unistd.h>

#include "stage/wrap.h"

/* Limits for warning and for refusing: a free number of units, plus a number per row. If each unit
 * takes an entry, the free number to accept takes less than half a GiB. */
enum { WARN_FREE = 1 << 20, WARN_PER_ROW = 16, TAKE_FREE = 1 << 21, TAKE_PER_ROW = 4096 };

/* The stage, which passes rows unchanged. */
struct wide {
	struct trc_wrap wrap;
	const struct trc_wide_references *how;
	uint64_t rows, pieces; /* of references to several units */
	bool warned;
};

static void
warn(struct wide *s)
{
	s->warned = true;
	/* Keeps the progress line readable above the warning. */
	if (isatty(STDERR_FILENO))
		fputc('\n', stderr);
	fprintf(stderr,
	        "warning: some of the first %llu records are so large that together they touch "
	        "%llu %ss of %llu bytes, each of which %s; use larger %ss\n",
	        (ull)s->rows, (ull)s->pieces, s->how->unit, 1ull << s->how->bits, s->how->becomes,
	        s->how->unit);
}

static int
refuse(const struct wide *s, const struct trc_batch *b, size_t i, struct trc_err *err)
{
	return trc_fail(err,
	                "the record of %lu bytes at 0x%llx is too large: %llu %ss of %llu bytes "
	                "so far, each of which %s; use larger %ss, or exclude it by --addr",
	                (unsigned long)b->size[i], (ull)b->addr[i], (ull)s->pieces, s->how->unit,
	                1ull << s->how->bits, s->how->becomes, s->how->unit);
}

/* Returns true if no row spans more than two units. */
static bool
all_small(const struct trc_batch *b, uint32_t piece)
{
	uint32_t larger = 0;

	for (size_t i = 0; i < b->n; i++)
		larger |= b->size[i] > piece;
	return !larger;
}

static enum trc_flow
spread_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct wide *s = (struct wide *)src;
	const enum trc_flow flow = trc_wrap_next(&s->wrap, b, err);
	const unsigned bits = s->how->bits;

	if (flow != TRC_FLOW_ROWS)
		return flow;
	if (all_small(b, UINT32_C(1) << bits)) {
		s->rows += b->n;
		return flow;
	}
	for (size_t i = 0; i < b->n; i++) {
		const uint8_t type = trc_batch_type(b, i);

		s->rows++;
		if (b->size[i] <= UINT32_C(1) << bits || trc_batch_is_event(b, i) ||
		    (trc_type_refs(type) == 0 && !(s->how->deletes && type == TRC_INVALIDATE)))
			continue;
		s->pieces += ((b->addr[i] & ((UINT64_C(1) << bits) - 1)) + b->size[i] - 1) >> bits;
		s->pieces++;
		if (s->pieces > TAKE_FREE + TAKE_PER_ROW * s->rows)
			return refuse(s, b, i, err) ? TRC_FLOW_FAILED : flow;
		if (!s->warned && s->how->warns && s->pieces > WARN_FREE + WARN_PER_ROW * s->rows)
			warn(s);
	}
	return flow;
}

int
trc_wide_references_watch(struct trc_job *job, const struct trc_wide_references *how,
                          struct trc_err *err)
{
	const uint32_t needs = TRC_HAS_ADDR | TRC_HAS_SIZE;
	struct trc_source *src = job->src;
	struct wide *s;

	/* Then no 32-bit size exceeds a unit. */
	if ((src->have & needs) != needs || src->have & TRC_HAS_VPN || how->bits > 31)
		return 0;
	s = trc_wrap_pass(sizeof(*s), src, spread_next, err);
	if (s)
		s->how = how;
	return trc_job_wrap(job, s ? &s->wrap.src : NULL);
}
