/* SPDX-License-Identifier: MIT
 * Reads the directory of a file from its end. */
#include "container/directory.h"

#include <stdlib.h>

#include "base/io/frame.h"
#include "container/frame/end.h"
#include "container/container.h"
#include "container/header.h"
#include "container/sequence.h"

static void
join_counts(struct trc_counts *k, const struct trc_counts *next, uint32_t have)
{
	const bool empty = k->rows == 0;

	/* A page may occur in both, so the sum is an upper bound; it is 0 if either number is
	 * unknown. */
	k->distinct = false;
	k->pages = next->distinct && (empty || k->pages) ? k->pages + next->pages : 0;
	k->rows += next->rows;
	for (size_t t = 0; t < TRC_TYPES; t++)
		k->by_type[t] += next->by_type[t];
	k->by_kernel += next->by_kernel;
	k->refs += next->refs;
	if (next->rows == 0)
		return;
	k->addr_first = next->addr_first < k->addr_first ? next->addr_first : k->addr_first;
	k->addr_last = next->addr_last > k->addr_last ? next->addr_last : k->addr_last;
	if (have & TRC_HAS_TIME && (empty || next->time_first < k->time_first))
		k->time_first = next->time_first;
	if (have & TRC_HAS_TIME && (empty || next->time_last > k->time_last))
		k->time_last = next->time_last;
}

void
trc_directory_release(struct trc_directory *d)
{
	trc_parts_release(&d->parts);
	free(d->joined);
	trc_provenances_release(&d->provenances);
	trc_buf_release(&d->copied);
	*d = (struct trc_directory){ 0 };
}

/* Fails because a directory is missing or invalid. This is not an error to the user: the file is
 * then read sequentially, which reports more precisely what is wrong. The caller looks only at
 * err->code. */
static int
fail(struct trc_err *err)
{
	return trc_fail(err, "there is no directory");
}

/* Visits the end frames of all containers, beginning with the last. */
static int
find_joined(struct trc_directory *d, struct trc_in *in, struct trc_buf *payload,
            struct trc_err *err)
{
	uint64_t end = trc_in_size(in);
	struct trc_frame f;
	struct trc_end e;
	bool good;

	if (end == 0)
		return fail(err);
	for (; end > 0; end = d->joined[d->n - 1].start) {
		if (trc_frame_read_before(in, end, TRC_KIND_END, TRC_END_MOST, payload, &f, &good,
		                          err))
			return -1;
		if (!good ||
		    !trc_end_read((struct trc_view){ f.payload, f.payload + f.len }, f.number,
		                  &e) ||
		    e.start > f.offset)
			return fail(err);
		if (trc_grow(&d->joined, &d->cap, d->n + 1, sizeof(*d->joined), err))
			return -1;
		d->joined[d->n++] = (struct trc_joined){ .start = f.offset - e.start,
			                                 .index = f.offset - e.index,
			                                 .first = f.number,
			                                 .end = f.offset };
	}
	return 0;
}

static void
reverse(struct trc_directory *d)
{
	for (size_t i = 0; i < d->n / 2; i++) {
		const struct trc_joined j = d->joined[i];

		d->joined[i] = d->joined[d->n - 1 - i];
		d->joined[d->n - 1 - i] = j;
	}
}

/* Reads the frame at offset `at`, which must be of `kind`. */
static int
read_frame(struct trc_in *in, uint64_t at, uint8_t kind, size_t most, struct trc_buf *payload,
           struct trc_frame *frame, struct trc_err *err)
{
	bool good;

	if (trc_frame_read_at(in, at, most, payload, frame, &good, err))
		return -1;
	return good && frame->kind == kind ? 0 : fail(err);
}

static int
read_header(const struct trc_joined *j, struct trc_in *in, uint32_t have, size_t most,
            struct trc_buf *payload, struct trc_header *h, struct trc_err *err)
{
	struct trc_frame frame;
	struct trc_view v;

	if (read_frame(in, j->start, TRC_KIND_TRACE, most, payload, &frame, err))
		return -1;
	v = trc_buf_view(payload);
	if (frame.number != TRC_VERSION_NUMBER || trc_header_read(&v, h, err))
		return fail(err);
	return h->have == have ? 0 : fail(err);
}

/* Reads the index of container `j` and compares its number of rows with that of the end frame,
 * which find_joined() has left in j->first. */
static int
read_contents(const struct trc_joined *j, struct trc_in *in, uint32_t have, size_t most,
              struct trc_buf *payload, struct trc_contents *c, struct trc_err *err)
{
	struct trc_frame frame;
	struct trc_view v;

	if (read_frame(in, j->index, TRC_KIND_INDEX, most, payload, &frame, err))
		return -1;
	if (j->index + trc_frame_bytes(&frame) > j->end)
		return fail(err); /* there may be parity in between */
	v = trc_buf_view(payload);
	if (trc_contents_read(&v, j->index - j->start, frame.number, have, c, err))
		return -1;
	return c->counts.rows == j->first ? 0 : fail(err);
}

static int
add_contents(struct trc_directory *d, struct trc_joined *j, const struct trc_header *h,
             const struct trc_contents *c, struct trc_err *err)
{
	const bool first = j == d->joined;

	j->block_rows = h->block_rows;
	j->first = d->index.counts.rows;
	for (size_t i = 0; i < c->parts.n; i++) {
		struct trc_part p = c->parts.part[i];

		p.first += j->first;
		p.at += j->start;
		if (trc_parts_add(&d->parts, &p, err))
			return -1;
	}
	if (!first && !trc_meta_alike(&d->index.meta, &c->meta))
		return fail(err);
	if (trc_provenances_add(&d->provenances, c->meta.provenance, err))
		return -1;
	if (!first) {
		trc_meta_join(&d->index.meta, &c->meta);
		join_counts(&d->index.counts, &c->counts, h->have);
		return 0;
	}
	d->index.counts = c->counts;
	d->index.meta = c->meta;
	memcpy(d->index.meta.format, h->meta.format, sizeof(h->meta.format));
	return 0;
}

/* Adds the frames that may be copied, which are between the last block of a container (the last
 * part added) and its index. Other frames may be large and are not read. Anything that is not a
 * frame ends the search; the damage is reported when that part of the file is read. */
static int
add_copied(struct trc_directory *d, const struct trc_joined *j, struct trc_in *in, size_t most,
           struct trc_buf *payload, struct trc_err *err)
{
	const struct trc_part *last = d->parts.n > 0 ? &d->parts.part[d->parts.n - 1] : NULL;
	uint64_t at = last && last->at > j->start ? last->at : j->index;
	uint8_t head[TRC_FRAME_HEAD_MOST];
	struct trc_frame f;
	bool good;

	for (; at < j->index; at += trc_frame_bytes(&f)) {
		if (!trc_in_read_at(in, at, head, sizeof(head)) ||
		    !trc_frame_head(head, sizeof(head), &f))
			return 0;
		if (!trc_may_copy(f.kind))
			continue;
		if (trc_frame_read_at(in, at, most, payload, &f, &good, err))
			return -1;
		if (!good)
			return 0;
		if (trc_copied_add(&d->copied, &f, err))
			return -1;
	}
	return 0;
}

/* Finds all containers and adds their contents from the first to the last. */
static int
read_all(struct trc_directory *d, struct trc_in *in, uint32_t have, size_t most,
         struct trc_buf *payload, struct trc_err *err)
{
	struct trc_contents c = { 0 };
	struct trc_header h;
	int ret = find_joined(d, in, payload, err);

	reverse(d);
	for (size_t i = 0; ret == 0 && i < d->n; i++) {
		struct trc_joined *j = &d->joined[i];

		if (read_header(j, in, have, most, payload, &h, err) ||
		    read_contents(j, in, have, most, payload, &c, err) ||
		    add_contents(d, j, &h, &c, err) || add_copied(d, j, in, most, payload, err))
			ret = -1;
	}
	trc_parts_release(&c.parts);
	d->index.meta.copied = trc_buf_view(&d->copied);
	return ret ? -1 : trc_provenances_view(&d->provenances, &d->index.meta.provenance, err);
}

int
trc_directory_read(struct trc_directory *d, struct trc_in *in, uint32_t have, size_t most,
                   bool *found, struct trc_err *err)
{
	struct trc_buf payload = { 0 };
	const int ret = read_all(d, in, have, most, &payload, err);

	trc_buf_release(&payload);
	*found = ret == 0;
	if (ret)
		trc_directory_release(d);
	d->index.part = d->parts.part;
	d->index.parts = d->parts.n;
	return ret && err->code == TRC_NO_MEMORY ? -1 : 0;
}

/* ---- selection ---- */

bool
trc_selection_meets(const struct trc_selection *s, uint64_t first, uint64_t rows,
                    const struct trc_part *part)
{
	if (first + rows <= s->from || first >= s->to)
		return false;
	return !part || !s->timed ||
	       (part->time_first <= s->time_last && part->time_last >= s->time_first);
}

size_t
trc_selection_seek(const struct trc_selection *s, const struct trc_parts *parts, size_t here)
{
	size_t to = here;

	while (to < parts->n && !trc_selection_meets(s, parts->part[to].first, parts->part[to].rows,
	                                             &parts->part[to]))
		to++;
	while (to < parts->n && to > here && !parts->part[to].fresh)
		to--;
	return to;
}
