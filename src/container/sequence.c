/* SPDX-License-Identifier: MIT
 * Finds what is missing between frames, and checks the borders between containers. */
#include "container/sequence.h"

#include <stdlib.h>

#include "container/frame/end.h"
#include "container/container.h"

void
trc_sequence_release(struct trc_sequence *s)
{
	trc_parts_release(&s->contents.parts);
	free(s->gaps.gap);
	trc_provenances_release(&s->provenances);
	trc_buf_release(&s->copied);
}

static int
add_gap(struct trc_sequence *s, uint64_t rows, struct trc_err *err)
{
	struct trc_gaps *g = &s->gaps;

	if (trc_grow(&g->gap, &g->cap, g->n + 1, sizeof(*g->gap), err))
		return -1;
	g->gap[g->n++] = (struct trc_gap){ .first = s->rows, .rows = rows };
	return 0;
}

/* In a salvage, adds a gap so that there are `rows` rows up to here. */
static int
add_missing(struct trc_sequence *s, uint64_t rows, struct trc_err *err)
{
	if (rows <= s->rows)
		return 0;
	if (add_gap(s, rows - s->rows, err))
		return -1;
	s->rows = rows;
	return 0;
}

int
trc_sequence_rows(struct trc_sequence *s, uint64_t first, uint64_t rows, struct trc_err *err)
{
	if (add_missing(s, first, err))
		return -1;
	s->rows = first + rows;
	return 0;
}

/* ---- the beginning of a container ---- */

void
trc_sequence_begin(struct trc_sequence *s, const struct trc_header *h, uint64_t header_len)
{
	s->have = h->have;
	s->meta = s->header = h->meta;
	s->in.first = true;
	s->in.after = UINT64_MAX;
	s->in.header_len = header_len;
}

/* Begins another container. If the end frame of the previous one was not seen, it is unknown which
 * rows it lacks and whether other containers were in between, unless the end frame would exactly
 * fill the space between them. */
int
trc_sequence_next(struct trc_sequence *s, uint64_t start, uint64_t header_len, struct trc_err *err)
{
	const uint64_t after = s->in.ended ? s->in.end : UINT64_MAX;

	if (!s->in.ended && s->in.end != start && add_gap(s, TRC_GAP_UNKNOWN, err))
		return -1;
	s->in = (struct trc_sequence_container){ .start = start,
		                                 .header_len = header_len,
		                                 .base = s->rows,
		                                 .after = after,
		                                 .gaps_before = s->gaps.n };
	s->lost = true;
	return 0;
}

static int
refuse_meta(const char *does, struct trc_err *err)
{
	return trc_fail(err,
	                "the container that %s here has other pages, or another reduction, than "
	                "those before it; decode them one by one",
	                does);
}

int
trc_sequence_header(struct trc_sequence *s, const struct trc_header *h, struct trc_err *err)
{
	char has[128], had[128];

	if (h->have != s->have)
		return trc_fail(err,
		                "the container that begins here has columns '%s', those before it "
		                "'%s'; decode them one by one",
		                trc_columns_text(h->have, has, sizeof(has)),
		                trc_columns_text(s->have, had, sizeof(had)));
	if (!trc_meta_alike(&h->meta, &s->header))
		return refuse_meta("begins", err);
	if (!s->in.ended && !s->salvage)
		return trc_fail(err, "the container before this one has no end");
	/* There may have been another container in between. */
	return s->in.ended && s->in.torn ? add_gap(s, TRC_GAP_UNKNOWN, err) : 0;
}

/* If the frames between two containers are lost, row numbers start at 0 again without a header. A
 * salvage takes that as the beginning of a container. */
static int
check_border(struct trc_sequence *s, const struct trc_frame *f, struct trc_err *err)
{
	uint64_t rows; /* that must have preceded the frame */

	switch (f->kind) {
	case TRC_KIND_REFS:
	case TRC_KIND_BLOCK: rows = s->in.base + trc_frame_first(f); break;
	case TRC_KIND_END: rows = s->in.base + f->number; break;
	case TRC_KIND_PROGRAM:
	case TRC_KIND_INDEX: rows = UINT64_MAX; break;
	default: return 0;
	}
	if (s->in.ended && !s->salvage)
		return trc_fail(err, "a container does not begin with a header");
	if (!s->in.ended && (!s->salvage || rows >= s->rows))
		return 0;
	return trc_sequence_next(s, UINT64_MAX, 0, err);
}

int
trc_sequence_frame(struct trc_sequence *s, const struct trc_frame *f, struct trc_err *err)
{
	if (check_border(s, f, err))
		return -1;
	if (f->kind != TRC_KIND_TRACE)
		s->in.torn = false;
	return 0;
}

void
trc_sequence_seek(struct trc_sequence *s, uint64_t rows, uint64_t start, uint64_t base, bool ended)
{
	s->rows = rows;
	s->in.start = start;
	s->in.header_len = 0;
	s->in.base = base;
	s->in.first = start == 0;
	s->in.ended = ended;
	s->lost = true;
}

int
trc_copied_add(struct trc_buf *b, const struct trc_frame *f, struct trc_err *err)
{
	if (trc_frame_bytes(f) > TRC_COPIED_MOST - b->n)
		return 0;
	if (trc_buf_put_byte(b, f->kind, err) || trc_buf_put_num(b, f->number, err) ||
	    trc_buf_put_num(b, f->len, err) || trc_buf_put(b, f->payload, (size_t)f->len, err))
		return -1;
	return 0;
}

/* ---- the end of a container ---- */

/* Updates the meta of the trace from the index of one more container. */
static int
join_meta(struct trc_sequence *s, struct trc_meta *next, struct trc_err *err)
{
	if (s->indexed)
		return 0;
	/* Only the index, not the header, shows how a trace was reduced. */
	if (!s->in.first && !trc_meta_alike(&s->meta, next))
		return refuse_meta("ends", err);
	if (trc_provenances_add(&s->provenances, next->provenance, err))
		return -1;
	if (s->in.first) {
		memcpy(next->format, s->meta.format, sizeof(s->meta.format));
		s->meta = *next;
	} else {
		trc_meta_join(&s->meta, next);
	}
	return trc_provenances_view(&s->provenances, &s->meta.provenance, err);
}

/* Returns the size of the end frame of a container. */
static uint64_t
end_bytes(const struct trc_end *end)
{
	uint8_t payload[TRC_END_MOST], head[TRC_FRAME_HEAD_MOST];
	size_t n = trc_put_num(payload, end->index);

	n += trc_put_num(payload + n, end->start);
	trc_put_le64(payload + n, end->rows);
	n += 8;
	return n + trc_frame_put_head(head, TRC_KIND_END, end->rows, payload, n);
}

/* Salvages the numbers in an index; `own` is true if it belongs to this container. */
static int
salvage_index(struct trc_sequence *s, const struct trc_frame *f, bool own, struct trc_err *err)
{
	const uint64_t rows = s->contents.counts.rows, at = f->offset + trc_frame_bytes(f);
	const struct trc_end end = { .index = trc_frame_bytes(f),
		                     .start = at - s->in.start,
		                     .rows = rows };

	s->in.counted = own && s->in.base + rows >= s->rows;
	if (s->in.counted && add_missing(s, s->in.base + rows, err))
		return -1;
	if (s->in.counted && s->in.start != UINT64_MAX && s->gaps.n == s->in.gaps_before)
		s->in.end = at + end_bytes(&end);
	return 0;
}

/* Reads an index. Its number of rows counts only if the index belongs to this container, which is
 * the case if its first block directly follows the header. */
int
trc_sequence_index(struct trc_sequence *s, const struct trc_frame *f, struct trc_err *err)
{
	const uint64_t at = s->in.start == UINT64_MAX ? f->offset : f->offset - s->in.start;
	const struct trc_parts *parts = &s->contents.parts;
	struct trc_view v = { f->payload, f->payload + f->len };
	uint64_t rows;
	bool own;

	if (trc_contents_read(&v, at, f->number, s->have, &s->contents, err))
		return -1;
	s->in.index = f->offset;
	if (join_meta(s, &s->contents.meta, err))
		return -1;
	rows = s->in.base + s->contents.counts.rows;
	own = (parts->n > 0 ? parts->part[0].at : at) == s->in.header_len;
	if (s->salvage)
		return salvage_index(s, f, own, err);
	return (own || s->in.header_len == 0) && rows == s->rows ?
	               0 :
	               trc_fail(err, "the index does not match the blocks before it");
}

static bool
is_end(const struct trc_frame *f)
{
	struct trc_end end;

	return trc_end_read((struct trc_view){ f->payload, f->payload + f->len }, f->number, &end);
}

/* Returns true if the index was seen where the end frame records it, relative to the start. The
 * parity between index and end may be damaged although the trace is intact. */
static bool
leads_to_index(const struct trc_sequence *s, const struct trc_frame *f)
{
	const struct trc_view v = { f->payload, f->payload + f->len };
	struct trc_end end;

	return s->in.index && trc_end_read(v, f->number, &end) &&
	       end.start - end.index == s->in.index - s->in.start;
}

/* Returns true if an end frame belongs to the current container, judging by the start that it
 * records. If the header of the container is lost, it began where the previous one ended; if that
 * is unknown as well, a border was lost, which has been recorded as a gap. */
static bool
ends_this(const struct trc_sequence *s, const struct trc_frame *f)
{
	const struct trc_view v = { f->payload, f->payload + f->len };
	const uint64_t start = s->in.start != UINT64_MAX ? s->in.start : s->in.after;
	struct trc_end end;

	return start == UINT64_MAX ||
	       (trc_end_read(v, f->number, &end) && end.start == f->offset - start);
}

/* Adds a gap of unknown size if the index was elsewhere, because frames are then missing although
 * the rows seem to match, or if the end is that of another container, because it is then unknown
 * what preceded it. */
static int
salvage_end(struct trc_sequence *s, const struct trc_frame *f, struct trc_err *err)
{
	if (add_missing(s, s->in.base + f->number, err))
		return -1;
	if (s->sound)
		return 0;
	if (!ends_this(s, f) || (s->in.index && s->in.start != UINT64_MAX &&
	                         !leads_to_index(s, f) && s->gaps.n == s->in.gaps_before))
		return add_gap(s, TRC_GAP_UNKNOWN, err);
	return 0;
}

int
trc_sequence_end(struct trc_sequence *s, const struct trc_frame *f, struct trc_err *err)
{
	s->in.ended = true;
	s->in.end = f->offset + trc_frame_bytes(f);
	if (s->salvage)
		return salvage_end(s, f, err);
	if (s->in.base + f->number != s->rows)
		return trc_fail(err, "the end frame claims %llu records", (ull)f->number);
	if (!is_end(f))
		return trc_fail(err, "the end frame is invalid");
	return leads_to_index(s, f) ? 0 : trc_fail(err, "the end frame does not lead to the index");
}

int
trc_sequence_finish(struct trc_sequence *s, uint64_t at, bool *cut, struct trc_err *err)
{
	const bool in_end = !s->in.ended && s->in.counted && at < s->in.end;

	*cut |= in_end;
	if (!(*cut && !s->salvage) && !in_end && (s->in.ended ? s->in.torn : s->in.end != at) &&
	    add_gap(s, s->in.ended || !s->in.counted ? TRC_GAP_REST : TRC_GAP_UNKNOWN, err))
		return -1;
	s->meta.gap = s->gaps.gap;
	s->meta.gaps = s->gaps.n;
	if (!s->indexed)
		s->meta.copied = trc_buf_view(&s->copied);
	return 0;
}
