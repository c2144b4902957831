/* SPDX-License-Identifier: MIT
 *
 * Reads binary records of one size: a batch at a time, and reports the invalid one.
 */
#include "format/records.h"

#include <stdlib.h>

#include "base/io/part.h"

/* A source of rows from records of one size. */
struct records_source {
	struct trc_source src;
	const struct trc_format *f;
	struct trc_in *in;
	uint64_t rows;
};

static int
fill(struct records_source *s, struct trc_err *err)
{
	const size_t size = s->f->record->size;
	size_t len;

	if (trc_in_fill(s->in, size, err))
		return trc_err_in(err, "%s", s->in->name);
	len = (size_t)(s->in->end - s->in->p);
	if (len == 0 || len >= size)
		return 0;
	trc_fail(err,
	         "%s: record %llu at byte %llu is truncated: %zu bytes of %zu; --salvage recovers "
	         "those before it",
	         s->in->name, (unsigned long long)s->rows + 1,
	         (unsigned long long)trc_in_offset(s->in), len, size);
	return trc_in_lose(s->in, err);
}

static enum trc_flow
records_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct records_source *s = (struct records_source *)src;
	const struct trc_record_format *r = s->f->record;
	struct trc_in *in = s->in;

	while (b->n < b->cap) {
		size_t n, good;

		if (fill(s, err))
			return TRC_FLOW_FAILED;
		n = (size_t)(in->end - in->p) / r->size;
		if (n == 0)
			break;
		n = n < b->cap - b->n ? n : b->cap - b->n;
		good = r->parse(in->p, n, b);
		in->p += good * r->size;
		s->rows += good;
		if (good < n && b->n > 0) /* rows before an invalid one are output first */
			break;
		if (good < n) {
			trc_fail(err, "%s: record %llu at byte %llu is not a valid %s record",
			         in->name, (unsigned long long)s->rows + 1,
			         (unsigned long long)trc_in_offset(in), s->f->name);
			return TRC_FLOW_FAILED;
		}
	}
	return b->n ? TRC_FLOW_ROWS : TRC_FLOW_END;
}

static void
records_close(struct trc_source *src)
{
	struct records_source *s = (struct records_source *)src;

	trc_in_close(s->in);
	free(s);
}

/* ---- records for other threads ---- */

static uint64_t
records_left(const struct trc_source *src)
{
	const struct records_source *s = (const struct records_source *)src;

	return trc_part_left(s->in) / s->f->record->size;
}

static void
release_slice(void *own)
{
	records_close(own);
}

static enum trc_flow
records_take(struct trc_source *src, size_t want, struct trc_slice *slice, struct trc_err *err)
{
	struct records_source *s = (struct records_source *)src, *own = slice->own;
	const size_t size = s->f->record->size;

	if (!own) {
		struct trc_in *part = trc_part_open(s->in, err);

		own = part ? (struct records_source *)trc_records_source(s->f, part, err) : NULL;
		if (!own) {
			trc_in_close(part);
			return TRC_FLOW_FAILED;
		}
		slice->own = own;
		slice->release = release_slice;
	}
	own->rows = slice->before = s->rows;
	if (trc_part_take_records(own->in, want * size, size, err)) {
		trc_err_in(err, "%s", s->in->name);
		return TRC_FLOW_FAILED;
	}
	return own->in->eof && own->in->p == own->in->end ? TRC_FLOW_END : TRC_FLOW_ROWS;
}

static enum trc_flow
records_parse(struct trc_source *src, struct trc_slice *slice, struct trc_batch *b,
              struct trc_err *err)
{
	struct records_source *own = slice->own;
	enum trc_flow flow;

	(void)src;
	if (slice->again) {
		trc_part_again(own->in);
		own->rows = slice->before;
		slice->again = false;
	}
	flow = records_next(&own->src, b, err);
	slice->lines = own->rows - slice->before;
	return flow;
}

/* For a file, and for input that must be copied. */
static const struct trc_sliceable slices[] = {
	{ .take = records_take, .parse = records_parse, .left = records_left },
	{ .take = records_take, .parse = records_parse, .left = records_left, .copies = true },
};

struct trc_source *
trc_records_source(const struct trc_format *f, struct trc_in *in, struct trc_err *err)
{
	struct records_source *s = trc_alloc(1, sizeof(*s), err);

	if (!s)
		return NULL;
	s->src = (struct trc_source){ .have = f->holds,
		                      .next = records_next,
		                      .close = records_close };
	if (!in->salvages)
		s->src.slices = &slices[trc_in_size(in) == 0];
	s->f = f;
	s->in = in;
	return &s->src;
}

unsigned
trc_records_probe(const struct trc_format *f, struct trc_probe *probe)
{
	const struct trc_record_format *r = f->record;
	const size_t rows = probe->n / r->size;
	size_t seen = 0;

	if (probe->whole && probe->n % r->size != 0)
		return 0;
	while (seen < rows) {
		size_t want = rows - seen < TRC_PROBE_ROWS ? rows - seen : TRC_PROBE_ROWS;

		trc_batch_clear(&probe->rows);
		if (r->parse(probe->p + seen * r->size, want, &probe->rows) < want)
			return 0;
		seen += want;
	}
	return (unsigned)(rows < TRC_BID_ROWS ? rows : TRC_BID_ROWS) * r->bits;
}
