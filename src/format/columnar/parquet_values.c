/* SPDX-License-Identifier: MIT */
#include "format/columnar/parquet_values.h"

/* Returns the `width` bits at bit `at`; at most 64. */
static inline uint64_t
bits_at(const uint8_t *p, uint64_t at, unsigned width)
{
	const unsigned shift = at & 7;
	uint64_t word = trc_le64(p + (at >> 3)) >> shift;

	if (shift + width > 64)
		word |= (uint64_t)p[(at >> 3) + 8] << (64 - shift);
	return width < 64 ? word & ((UINT64_C(1) << width) - 1) : word;
}

/* ---- runs ---- */

static bool
next_run(struct trc_parquet_runs *r)
{
	const unsigned bytes = (r->width + 7) / 8;
	uint64_t head;

	if (!trc_view_num(&r->v, &head))
		return false;
	if (head & 1 && r->width > 0) {
		const uint64_t bytes_left = (uint64_t)(r->v.end - r->v.p);

		/* The last group may be incomplete. */
		r->packed = head >> 1 > bytes_left ? bytes_left * 8 : (head >> 1) * 8;
		if (r->packed * r->width > bytes_left * 8)
			r->packed = bytes_left * 8 / r->width;
		r->bits = r->v.p;
		r->bit = 0;
		r->v.p += (r->packed * r->width + 7) / 8;
		return r->packed > 0;
	}
	if (head >> 60)
		return false;
	r->same = head & 1 ? (head >> 1) * 8 : head >> 1;
	r->value = 0;
	for (unsigned i = 0; i < bytes && r->v.p < r->v.end; i++)
		r->value |= (uint32_t)*r->v.p++ << 8 * i;
	return true;
}

bool
trc_parquet_runs_take(struct trc_parquet_runs *r, size_t n, uint32_t *to)
{
	while (n > 0) {
		const uint64_t most = r->same ? r->same : r->packed;
		const size_t k = most < n ? (size_t)most : n;

		if (k == 0) {
			if (!next_run(r))
				return false;
			continue;
		}
		if (r->same) {
			for (size_t i = 0; i < k; i++)
				to[i] = r->value;
			r->same -= k;
		} else {
			for (size_t i = 0; i < k; i++, r->bit += r->width)
				to[i] = (uint32_t)bits_at(r->bits, r->bit, r->width);
			r->packed -= k;
		}
		to += k;
		n -= k;
	}
	return true;
}

/* ---- differences ---- */

static bool
begin_deltas(struct trc_parquet_deltas *d, struct trc_view v)
{
	uint64_t block, first;

	*d = (struct trc_parquet_deltas){ .v = v };
	if (!trc_view_num(&d->v, &block) || !trc_view_num(&d->v, &d->parts) ||
	    !trc_view_num(&d->v, &d->left) || !trc_view_num(&d->v, &first) || d->parts == 0 ||
	    block / d->parts == 0 || block / d->parts > UINT32_MAX || block % (8 * d->parts))
		return false;
	d->part = block / d->parts;
	d->part_at = d->parts;
	d->value = trc_unzigzag(first);
	return true;
}

/* The end of the last block may lack parts. */
static bool
next_part(struct trc_parquet_deltas *d)
{
	uint64_t least;

	if (d->part_at == d->parts) {
		if (d->parts > (uint64_t)(d->v.end - d->v.p) || !trc_view_num(&d->v, &least) ||
		    !(d->widths = trc_view_bytes(&d->v, (size_t)d->parts)))
			return false;
		d->least = trc_unzigzag(least);
		d->part_at = 0;
	}
	d->width = d->widths[d->part_at++];
	d->part_left = d->part;
	d->bit = 0;
	if (d->width > 64 || !(d->bits = trc_view_bytes(&d->v, (size_t)(d->part / 8 * d->width))))
		return false;
	return true;
}

/* `value` is the next one. */
static bool
take_deltas(struct trc_parquet_deltas *d, size_t n, union trc_datum *to)
{
	if (n > d->left)
		return false;
	while (n > 0) {
		uint64_t k = d->left - 1 < n ? d->left - 1 : n;

		if (k == 0) {
			to->number = d->value;
			d->left = 0;
			return true;
		}
		if (d->part_left == 0 && !next_part(d))
			return false;
		k = d->part_left < k ? d->part_left : k;
		for (uint64_t i = 0; i < k; i++, d->bit += d->width) {
			to[i].number = d->value;
			d->value += d->least + bits_at(d->bits, d->bit, d->width);
		}
		d->part_left -= k;
		d->left -= k;
		to += k;
		n -= (size_t)k;
	}
	return true;
}

/* ---- values ---- */

/* The lengths of all texts come first, then their bytes: finds the first byte. */
static bool
pass_lengths(struct trc_parquet_values *v)
{
	struct trc_parquet_deltas d = v->deltas;
	union trc_datum none[64];

	while (d.left > 0)
		if (!take_deltas(&d, d.left < 64 ? (size_t)d.left : 64, none))
			return false;
	v->v = d.v;
	return true;
}

bool
trc_parquet_values_begin(struct trc_parquet_values *v)
{
	const bool number = v->physical == TRC_PARQUET_INT32 || v->physical == TRC_PARQUET_INT64;
	const uint8_t *byte;

	v->runs = (struct trc_parquet_runs){ .v = v->v, .width = 1 };
	switch (v->encoding) {
	case TRC_PARQUET_PLAIN:
		v->runs.bits = v->v.p;
		v->runs.packed = (uint64_t)(v->v.end - v->v.p) * 8;
		return true;
	case TRC_PARQUET_PLAIN_DICTIONARY:
	case TRC_PARQUET_RLE_DICTIONARY:
		/* If all values are null, the width may be missing. */
		byte = trc_view_bytes(&v->runs.v, 1);
		v->runs.width = byte ? *byte : 0;
		return v->runs.width <= 32;
	case TRC_PARQUET_RLE:
		v->runs.v.p += 4;
		return v->physical == TRC_PARQUET_BOOLEAN && v->v.end - v->v.p >= 4;
	case TRC_PARQUET_DELTA_BINARY_PACKED: return number && begin_deltas(&v->deltas, v->v);
	case TRC_PARQUET_DELTA_LENGTH_BYTE_ARRAY:
		return v->physical == TRC_PARQUET_BYTE_ARRAY && begin_deltas(&v->deltas, v->v) &&
		       pass_lengths(v);
	default: return false;
	}
}

static bool
take_texts(struct trc_view *v, size_t n, union trc_datum *to)
{
	for (size_t i = 0; i < n; i++) {
		const uint8_t *len = trc_view_bytes(v, 4);

		to[i].text.len = len ? trc_le32(len) : 0;
		if (!len || !(to[i].text.p = trc_view_bytes(v, to[i].text.len)))
			return false;
	}
	return true;
}

static bool
take_plain(struct trc_parquet_values *v, size_t n, union trc_datum *to)
{
	const size_t width = v->physical == TRC_PARQUET_INT32 || v->physical == TRC_PARQUET_FLOAT ?
	                             4 :
	                             8;
	const uint8_t *p;

	if (v->physical == TRC_PARQUET_BYTE_ARRAY)
		return take_texts(&v->v, n, to);
	if (!(p = trc_view_bytes(&v->v, n * width)))
		return false;
	for (size_t i = 0; width == 4 && i < n; i++)
		to[i].number = trc_le32(p + 4 * i);
	for (size_t i = 0; width == 8 && i < n; i++)
		to[i].number = trc_le64(p + 8 * i);
	return true;
}

static bool
take_places(struct trc_parquet_values *v, size_t n, union trc_datum *to)
{
	uint32_t place[TRC_COLUMNAR_ROWS];

	if (!trc_parquet_runs_take(&v->runs, n, place))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (place[i] >= v->entries)
			return false;
		to[i] = v->dictionary[place[i]];
	}
	return true;
}

static bool
take_bits(struct trc_parquet_values *v, size_t n, union trc_datum *to)
{
	uint32_t bit[TRC_COLUMNAR_ROWS];

	if (!trc_parquet_runs_take(&v->runs, n, bit))
		return false;
	for (size_t i = 0; i < n; i++)
		to[i].number = bit[i];
	return true;
}

static bool
take_lengths(struct trc_parquet_values *v, size_t n, union trc_datum *to)
{
	if (!take_deltas(&v->deltas, n, to))
		return false;
	for (size_t i = 0; i < n; i++) {
		const uint64_t len = to[i].number;

		if (len > (uint64_t)(v->v.end - v->v.p))
			return false;
		to[i].text = (struct trc_field){ v->v.p, (size_t)len };
		v->v.p += len;
	}
	return true;
}

/* Extends 32-bit numbers to 64 bits. */
static void
widen(const struct trc_parquet_values *v, size_t n, union trc_datum *to)
{
	for (size_t i = 0; v->physical == TRC_PARQUET_INT32 && i < n; i++)
		to[i].number = v->has_sign ? (uint64_t)(int32_t)(uint32_t)to[i].number :
		                             (uint32_t)to[i].number;
	for (size_t i = 0; v->physical == TRC_PARQUET_FLOAT && i < n; i++)
		to[i].number = trc_columnar_double((uint32_t)to[i].number);
}

bool
trc_parquet_values_take(struct trc_parquet_values *v, size_t n, union trc_datum *to)
{
	bool good;

	switch (v->encoding) {
	case TRC_PARQUET_PLAIN_DICTIONARY:
	case TRC_PARQUET_RLE_DICTIONARY: return take_places(v, n, to);
	case TRC_PARQUET_RLE: return take_bits(v, n, to);
	case TRC_PARQUET_DELTA_LENGTH_BYTE_ARRAY: return take_lengths(v, n, to);
	case TRC_PARQUET_DELTA_BINARY_PACKED: good = take_deltas(&v->deltas, n, to); break;
	default:
		good = v->physical == TRC_PARQUET_BOOLEAN ? take_bits(v, n, to) :
		                                            take_plain(v, n, to);
	}
	widen(v, n, to);
	return good;
}
