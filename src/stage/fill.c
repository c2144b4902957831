/* SPDX-License-Identifier: MIT */
#include "stage/fill.h"

static void
fill_constant(const struct trc_batch *b, enum trc_column c, uint64_t value, size_t n)
{
	void *at = trc_batch_column(b, c);

	for (size_t i = b->n; i < b->n + n; i++)
		switch (trc_column[c].width) {
		case 1: ((uint8_t *)at)[i] = (uint8_t)value; break;
		case 4: ((uint32_t *)at)[i] = (uint32_t)value; break;
		default: ((uint64_t *)at)[i] = value; break;
		}
}

/* Fills in times that advance by `step` with each row. */
static int
fill_every(const struct trc_fills *s, const struct trc_batch *in, uint64_t *dst, uint64_t step,
           size_t from, size_t n, struct trc_err *err)
{
	uint64_t rows = s->rows;

	for (size_t i = 0; i < n; i++) {
		rows += !trc_batch_is_event(in, from + i);
		if (TRC_UNLIKELY(rows > 1 && step > UINT64_MAX / (rows - 1)))
			return trc_fail(err, "--fill: the times of records every %llu pass 2^64",
			                (ull)step);
		dst[i] = rows ? step * (rows - 1) : 0;
	}
	return 0;
}

/* Fills in times that count references, or fetches, or copies the clock if the trace has it. */
static void
fill_clock(const struct trc_fills *s, const struct trc_batch *in, uint64_t *dst,
           enum trc_column clock, size_t from, size_t n)
{
	const uint64_t *there = trc_batch_column(in, clock);
	uint64_t refs = s->refs, insns = s->insns;

	if (there) {
		memcpy(dst, there + from, n * sizeof(*dst));
		return;
	}
	for (size_t i = 0; i < n; i++) {
		const uint8_t type = trc_batch_type(in, from + i);
		const unsigned more = trc_batch_is_event(in, from + i) ? 0 : trc_type_refs(type);

		insns += type == TRC_FETCH;
		dst[i] = clock == TRC_COL_ITIME ? insns : refs + (more > 0);
		refs += more;
	}
}

/* Fills in the instructions of rows; `dst` is NULL if the rows are dropped. */
static int
fill_fetch(struct trc_fills *s, const struct trc_batch *in, uint64_t *dst, size_t from, size_t n,
           struct trc_err *err)
{
	uint64_t pc;

	for (size_t i = 0; i < n; i++) {
		const int known = trc_last_fetch_row(&s->last, in, from + i, &pc, err);

		if (known < 0)
			return -1;
		if (!dst)
			continue;
		s->unknown += !known && !trc_batch_is_event(in, from + i);
		dst[i] = pc;
	}
	return 0;
}

static void
count(struct trc_fills *s, const struct trc_batch *in, size_t from, size_t n)
{
	for (size_t i = from; i < from + n; i++) {
		const uint8_t type = trc_batch_type(in, i);

		if (trc_batch_is_event(in, i))
			continue;
		s->refs += trc_type_refs(type);
		s->insns += type == TRC_FETCH;
	}
}

int
trc_fills_pass(struct trc_fills *s, const struct trc_batch *in, size_t from, size_t n,
               struct trc_err *err)
{
	count(s, in, from, n);
	return s->follows ? fill_fetch(s, in, NULL, from, n, err) : 0;
}

int
trc_fills_put(struct trc_fills *s, const struct trc_batch *in, size_t from, struct trc_batch *b,
              size_t n, struct trc_err *err)
{
	bool counts = false;

	for (size_t i = 0; i < s->n; i++) {
		const struct trc_fill *f = &s->fill[i];
		uint64_t *dst;

		if (f->how == TRC_FILL_VALUE) {
			fill_constant(b, f->column, f->value, n);
			continue;
		}
		dst = (uint64_t *)trc_batch_column(b, f->column) + b->n;
		if (f->how == TRC_FILL_FETCH) {
			if (fill_fetch(s, in, dst, from, n, err))
				return -1;
			continue;
		}
		counts = true;
		if (f->how == TRC_FILL_CLOCK)
			fill_clock(s, in, dst, f->clock, from, n);
		else if (fill_every(s, in, dst, f->value, from, n, err))
			return -1;
	}
	if (counts) {
		count(s, in, from, n);
		for (size_t i = from; i < from + n; i++)
			s->rows += !trc_batch_is_event(in, i);
	}
	return 0;
}

/* Fails unless the trace has the clock that a column is filled from, or it can be counted. */
static int
check_clock(const struct trc_source *from, enum trc_column clock, struct trc_err *err)
{
	const char *name = trc_column[clock].name;

	if (from->have >> clock & 1)
		return 0;
	if (!trc_guarantee_none(&from->meta.guarantee))
		return trc_fail(err,
		                "--fill: the trace was reduced and has no '%s', which cannot be "
		                "counted from the remaining references",
		                name);
	if (clock == TRC_COL_ITIME && !(from->have & TRC_HAS_TYPE))
		return trc_fail(err,
		                "--fill: the trace has no '%s', and does not mark instructions",
		                name);
	return 0;
}

/* Fails unless instructions can be found from fetches, all of which are present. */
static int
check_fetches(const struct trc_fills *s, const struct trc_source *from, bool ended,
              struct trc_err *err)
{
	if (!trc_last_fetch_shows(from->have) || (ended && s->unknown && s->last.n == 0))
		return trc_fail(err, "--fill: the trace has no fetches, so the instruction of a "
		                     "reference is unknown");
	if (!trc_guarantee_none(&from->meta.guarantee))
		return trc_fail(err, "--fill: the trace was reduced and lacks fetches, so the "
		                     "instruction of a reference is unknown; fill the original, "
		                     "then reduce");
	if (from->fetched & TRC_FETCHED_GAPS)
		return trc_fail_as(err, TRC_USAGE,
		                   "--fill: --only or --addr filters out the fetches that "
		                   "identify instructions; fill the whole trace, then filter");
	return 0;
}

int
trc_fills_check(const struct trc_fills *s, const struct trc_source *from, bool ended,
                struct trc_err *err)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->fill[i].how == TRC_FILL_CLOCK && check_clock(from, s->fill[i].clock, err))
			return -1;
	return s->follows ? check_fetches(s, from, ended, err) : 0;
}
