/* SPDX-License-Identifier: MIT
 *
 * Locates and reads the rows of an Arrow batch, or the words of a dictionary.
 */
#include "format/columnar/arrow_rows.h"

#include <stdlib.h>

#include "format/columnar/arrow.h"
#include "format/columnar/unpack.h"

/* ---- batches ---- */

/* Decompresses a buffer: its length, -1 if it is not compressed, then a zstd frame. */
static int
unpack(struct trc_arrow_rows *r, size_t i, struct trc_err *err)
{
	struct trc_view *v = &r->buffer[i];
	const size_t n = (size_t)(v->end - v->p), old = r->unpacked_cap;
	uint64_t want;

	if (n < 8)
		return n ? trc_fail(err, "a packed buffer of %zu bytes", n) : 0;
	want = trc_le64(v->p);
	v->p += 8;
	if (want == UINT64_MAX)
		return 0;
	if (want > SIZE_MAX / 2)
		return trc_fail(err, "a packed buffer claims to have %llu bytes",
		                (unsigned long long)want);
	if (trc_grow(&r->unpacked, &r->unpacked_cap, i + 1, sizeof(*r->unpacked), err))
		return -1;
	memset(r->unpacked + old, 0, (r->unpacked_cap - old) * sizeof(*r->unpacked));
	r->unpacked[i].n = 0;
	if (trc_unpack_bytes(&trc_packing_zst, v->p, n - 8, (size_t)want, &r->unpacked[i], err))
		return -1;
	*v = trc_buf_view(&r->unpacked[i]);
	return 0;
}

int
trc_arrow_find(struct trc_arrow_rows *r, const struct trc_flatbuffer *head,
               const struct trc_view *body, struct trc_err *err)
{
	const uint64_t bytes = (uint64_t)(body->end - body->p);
	struct trc_flatbuffer packed;
	struct trc_view nodes, list;
	const bool is_packed = trc_flatbuffer_table(head, 3, &packed);

	if (is_packed && trc_flatbuffer_number(&packed, 0, 1, 0) != 1)
		return trc_fail(err,
		                "its rows are packed with LZ4, which is not supported; write it "
		                "with compression='zstd' or none");
	if (!trc_flatbuffer_list(head, 1, 16, &nodes) || !trc_flatbuffer_list(head, 2, 16, &list))
		return trc_fail(err, "the head of a batch is damaged");
	r->node = nodes.p;
	r->nodes_placed = r->buffers_placed = r->views_placed = 0;
	r->nodes = (size_t)(nodes.end - nodes.p) / 16;
	r->buffers = (size_t)(list.end - list.p) / 16;
	if (trc_grow(&r->buffer, &r->buffer_cap, r->buffers + 1, sizeof(*r->buffer), err))
		return -1;
	for (size_t i = 0; i < r->buffers; i++) {
		const uint64_t at = trc_le64(list.p + 16 * i), n = trc_le64(list.p + 16 * i + 8);

		if (at > bytes || n > bytes - at)
			return trc_fail(err, "a buffer at %llu of %llu bytes, in a body of %llu",
			                (unsigned long long)at, (unsigned long long)n,
			                (unsigned long long)bytes);
		r->buffer[i] = (struct trc_view){ body->p + at, body->p + at + n };
		if (is_packed && unpack(r, i, err))
			return -1;
	}
	return 0;
}

/* Returns true if buffer `i` has `n` values of `bits` bits. */
static bool
has_room(const struct trc_arrow_rows *r, size_t i, uint64_t n, unsigned bits)
{
	const uint64_t bytes = (uint64_t)(r->buffer[i].end - r->buffer[i].p);

	return bits == 0 || (n <= UINT64_MAX / bits && n * bits <= 8 * bytes);
}

bool
trc_arrow_place(struct trc_arrow_rows *r, struct trc_arrow_column *c, bool values, uint64_t n)
{
	const bool is_view = values &&
	                     (c->type == TRC_ARROW_UTF8_VIEW || c->type == TRC_ARROW_BINARY_VIEW);
	const unsigned bytes = values ? c->bytes : c->place;
	uint64_t nulls, more = 0;

	c->node = r->nodes_placed++;
	c->first = r->buffers_placed;
	c->at = 0;
	if (c->node >= r->nodes || trc_le64(r->node + 16 * c->node) != n)
		return false;
	nulls = trc_le64(r->node + 16 * c->node + 8);
	if (is_view) {
		if ((size_t)(r->views.end - r->views.p) / 8 <= r->views_placed)
			return false;
		more = trc_le64(r->views.p + 8 * r->views_placed++);
	}
	r->buffers_placed += values ? c->buffers : 2;
	if (r->buffers_placed > r->buffers || more > r->buffers - r->buffers_placed)
		return false;
	r->buffers_placed += (size_t)more;
	if (nulls > 0 && !has_room(r, c->first, n, 1))
		return false;
	if (values && c->buffers == 3)
		return n == 0 || has_room(r, c->first + 1, n + 1, 8 * bytes);
	return has_room(r, c->first + 1, n,
	                is_view                             ? 128 :
	                values && c->type == TRC_ARROW_BOOL ? 1 :
	                                                      8 * bytes);
}

/* ---- values ---- */

static uint64_t
number_at(const uint8_t *p, size_t i, unsigned bytes)
{
	switch (bytes) {
	case 1: return p[i];
	case 2: return trc_le16(p + 2 * i);
	case 4: return trc_le32(p + 4 * i);
	default: return trc_le64(p + 8 * i);
	}
}

static bool
take_text(const struct trc_arrow_rows *r, const struct trc_arrow_column *c, size_t i,
          struct trc_field *f)
{
	const struct trc_view *b = r->buffer + c->first;
	const struct trc_view *data = b + 2;
	uint64_t from, to;

	if (c->buffers == 3) {
		from = number_at(b[1].p, i, c->bytes);
		to = number_at(b[1].p, i + 1, c->bytes);
	} else {
		const uint8_t *view = b[1].p + 16 * i;

		to = trc_le32(view);
		*f = (struct trc_field){ view + 4, (size_t)to };
		if (to <= 12)
			return true;
		if (trc_le32(view + 8) >= r->buffers - c->first - 2)
			return false;
		data += trc_le32(view + 8);
		from = trc_le32(view + 12);
		to += from;
	}
	if (from > to || to > (uint64_t)(data->end - data->p))
		return false;
	*f = (struct trc_field){ data->p + from, (size_t)(to - from) };
	return true;
}

/* Reads numbers, sign-extended, or converted to double. */
static void
take_numbers(const uint8_t *p, const struct trc_arrow_column *c, enum trc_datum_kind kind,
             size_t at, size_t n, union trc_datum *to)
{
	const unsigned shift = 64 - 8 * c->bytes;

	/* Separate loops for each width are faster. */
	switch (c->bytes) {
#define LOOP(bytes)                                         \
	for (size_t i = 0; i < n; i++)                      \
		to[i].number = number_at(p, at + i, bytes); \
	break
	case 1: LOOP(1);
	case 2: LOOP(2);
	case 4: LOOP(4);
	default: LOOP(8);
#undef LOOP
	}
	if (kind == TRC_DATUM_SIGNED && shift > 0)
		for (size_t i = 0; i < n; i++)
			to[i].number = (uint64_t)((int64_t)(to[i].number << shift) >> shift);
	for (size_t i = 0; kind == TRC_DATUM_REAL && c->bytes == 4 && i < n; i++)
		to[i].number = trc_columnar_double((uint32_t)to[i].number);
}

void
trc_arrow_nulls(const struct trc_arrow_rows *r, const struct trc_arrow_column *c, size_t n,
                struct trc_data *to)
{
	const uint8_t *bits = r->buffer[c->first].p;

	to->nulls = trc_le64(r->node + 16 * c->node + 8) > 0;
	for (size_t i = 0; to->nulls && i < n; i++)
		to->null[i] = !(bits[(c->at + i) / 8] >> (c->at + i) % 8 & 1);
}

bool
trc_arrow_values(const struct trc_arrow_rows *r, const struct trc_arrow_column *c,
                 enum trc_datum_kind kind, size_t n, struct trc_data *to)
{
	const uint8_t *p = r->buffer[c->first + 1].p;

	if (c->type == TRC_ARROW_BOOL)
		for (size_t i = 0; i < n; i++)
			to->cell[i].number = p[(c->at + i) / 8] >> (c->at + i) % 8 & 1;
	else if (kind != TRC_DATUM_TEXT)
		take_numbers(p, c, kind, c->at, n, to->cell);
	else
		for (size_t i = 0; i < n; i++)
			if (!(to->nulls && to->null[i]) &&
			    !take_text(r, c, c->at + i, &to->cell[i].text))
				return false;
	return true;
}

bool
trc_arrow_places(const struct trc_arrow_rows *r, const struct trc_arrow_column *c,
                 const struct trc_arrow_column *d, size_t n, struct trc_data *to)
{
	for (size_t i = 0; i < n; i++) {
		const uint64_t k = number_at(r->buffer[c->first + 1].p, c->at + i, c->place);

		if (to->nulls && to->null[i])
			to->cell[i].number = 0;
		else if (k < d->words)
			to->cell[i] = d->word[k];
		else
			return false;
	}
	return true;
}

void
trc_arrow_rows_release(struct trc_arrow_rows *r)
{
	for (size_t i = 0; i < r->unpacked_cap; i++)
		trc_buf_release(&r->unpacked[i]);
	free(r->unpacked);
	free(r->buffer);
}
