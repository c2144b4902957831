/* SPDX-License-Identifier: MIT
 *
 * The raw reference trace of Laplace (S. F. Kaplan, "Laplace: Raw Trace Formats", 2002), which
 * records whole systems: type, time, size, address space and address, hexadecimal.
 *
 *   r 123456789abcdef0 4 9f8e7 9a8b7c6d
 *
 * Types are r w i in user mode, R W I in the kernel. The time is the cycle counter of the
 * processor, the space the page number of the top-level page table. The text holds 64-bit addresses
 * and 32-bit sizes; laplace-bin refuses values that do not fit its fields. It has records of 18
 * bytes without a header, little-endian:
 *
 *   0   type
 *   1   time, 8 bytes
 *   9   size, 1 byte
 *   10  space, 4 bytes
 *   14  address, 4 bytes
 *
 * In laplace-diff ("Laplace: Trace Reduction") numbers are differences from the line before, with a
 * sign before that of addresses; the space is written when it changes, else 0:
 *
 *   r 4132ff93 4 1015a + 80b1d32
 *   w 2 2 0 - d32
 */
#include "format/text/laplace.h"

#include <assert.h>

#include "format/text/diff.h"

enum { RECORD = 18 };

#define HELD (TRC_HAS_TYPE | TRC_HAS_TIME | TRC_HAS_SIZE | TRC_HAS_ASID | TRC_HAS_ADDR)

static enum trc_line
laplace_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	struct trc_field field[5];
	size_t fields = trc_text_fields(s, e, field, 5);
	uint64_t size, asid;

	if (fields == 0)
		return TRC_LINE_SKIP;
	if (fields != 5 || field[0].len != 1 || !trc_laplace_type(field[0].p[0], &b->type[n]) ||
	    !trc_field_hex(field[1], UINT64_MAX, &b->time[n]) ||
	    !trc_field_hex(field[2], UINT32_MAX, &size) ||
	    !trc_field_hex(field[3], UINT32_MAX, &asid) ||
	    !trc_field_hex(field[4], UINT64_MAX, &b->addr[n]))
		return TRC_LINE_BAD;
	b->size[n] = (uint32_t)size;
	b->asid[n] = (uint32_t)asid;
	return TRC_LINE_ROW;
}

static uint8_t *
laplace_print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	const struct trc_batch *b = r->b;

	for (size_t i = r->i; i < r->stop; i++) {
		char letter = trc_laplace_letter(b->type[i]);

		if (!letter) {
			r->i = i;
			return trc_format_refuse_type("laplace", b->type[i], err);
		}
		*dst++ = (uint8_t)letter;
		dst = trc_print_hex(dst, ' ', b->time[i]);
		dst = trc_print_hex(dst, ' ', b->size[i]);
		dst = trc_print_hex(dst, ' ', b->asid[i]);
		dst = trc_print_hex(dst, ' ', b->addr[i]);
		*dst++ = '\n';
	}
	return dst;
}

/* The previous record. */
struct last {
	uint64_t time, addr;
	uint32_t asid;
};

static_assert(sizeof(struct last) <= TRC_FORMAT_STATE, "fits the state of a format");

static bool
diff_take(void *state, struct trc_batch *b, size_t n, uint8_t letter, const uint64_t *number,
          bool minus)
{
	struct last *last = state;

	if (!trc_laplace_type(letter, &b->type[n]) || number[1] > UINT32_MAX ||
	    !trc_diff_forward(&last->time, number[0]) || !trc_diff_space(&last->asid, number[2]) ||
	    !trc_diff_move(&last->addr, number[3], minus))
		return false;
	b->time[n] = last->time;
	b->size[n] = (uint32_t)number[1];
	b->asid[n] = last->asid;
	b->addr[n] = last->addr;
	return true;
}

static size_t
diff_parse(const struct trc_lines *l, struct trc_batch *b)
{
	return trc_diff_parse(l, b, 4, diff_take);
}

static uint8_t *
diff_print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	const struct trc_batch *b = r->b;
	struct last *last = r->state;

	for (size_t i = r->i; i < r->stop; i++) {
		const char letter = trc_laplace_letter(b->type[i]);
		const uint64_t time = b->time[i];
		const uint32_t asid = b->asid[i];

		r->i = i;
		if (!letter)
			return trc_format_refuse_type("laplace-diff", b->type[i], err);
		if (time < last->time)
			return trc_diff_refuse_time("time", last->time, time, err);
		if (asid == 0 && last->asid != 0)
			return trc_diff_refuse_space(last->asid, err);
		*dst++ = (uint8_t)letter;
		dst = trc_print_hex(dst, ' ', time - last->time);
		dst = trc_print_hex(dst, ' ', b->size[i]);
		dst = trc_print_hex(dst, ' ', asid == last->asid ? 0 : asid);
		dst = trc_diff_print_move(dst, &last->addr, b->addr[i]);
		*dst++ = '\n';
		last->time = time;
		last->asid = asid;
	}
	return dst;
}

static size_t
binary_parse(const uint8_t *p, size_t n, struct trc_batch *b)
{
	size_t i;

	for (i = 0; i < n; i++, p += RECORD, b->n++) {
		if (!trc_laplace_type(p[0], &b->type[b->n]))
			break;
		b->time[b->n] = trc_le64(p + 1);
		b->size[b->n] = p[9];
		b->asid[b->n] = trc_le32(p + 10);
		b->addr[b->n] = trc_le32(p + 14);
	}
	return i;
}

static uint8_t *
binary_print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	const struct trc_batch *b = r->b;

	for (size_t i = r->i; i < r->stop; i++, dst += RECORD) {
		char letter = trc_laplace_letter(b->type[i]);

		r->i = i;
		if (!letter)
			return trc_format_refuse_type("laplace-bin", b->type[i], err);
		if (b->addr[i] > UINT32_MAX || b->size[i] > UINT8_MAX) {
			trc_fail(err,
			         b->size[i] > UINT8_MAX ?
			                 "size %llu does not fit the one byte of laplace-bin; "
			                 "laplace (text) holds it" :
			                 "addr %llx does not fit the 32 bits of laplace-bin; "
			                 "laplace (text) holds it",
			         b->size[i] > UINT8_MAX ? (unsigned long long)b->size[i] :
			                                  (unsigned long long)b->addr[i]);
			return NULL;
		}
		dst[0] = (uint8_t)letter;
		trc_put_le64(dst + 1, b->time[i]);
		dst[9] = (uint8_t)b->size[i];
		trc_put_le32(dst + 10, b->asid[i]);
		trc_put_le32(dst + 14, (uint32_t)b->addr[i]);
	}
	return dst;
}

const struct trc_format trc_family_laplace[] = {
	{
	        .name = "laplace",
	        .base = 16,
	        .doc = "raw reference trace of Laplace, text",
	        .ending = ".laplace",
	        .holds = HELD,
	        .needs = HELD,
	        TRC_LINES("TYPE TIME SIZE SPACE ADDRESS", .way.one = laplace_line),
	        .print = &(const struct trc_print_format){ laplace_print, 96, NULL },
	},
	{
	        .name = "laplace-diff",
	        .doc = "raw reference trace of Laplace, text, differences",
	        .ending = ".laplace-diff",
	        .holds = HELD,
	        .needs = HELD,
	        .chained = true,
	        TRC_LINES("TYPE TIME SIZE SPACE +|- ADDRESS", .parse = diff_parse),
	        .print = &(const struct trc_print_format){ diff_print, 112, NULL },
	        .chained_print = true,
	},
	{
	        .name = "laplace-bin",
	        .doc = "raw reference trace of Laplace, 18-byte records",
	        .ending = ".laplace-bin",
	        .holds = HELD,
	        .needs = HELD,
	        .binary = true,
	        .record = &(const struct trc_record_format){ RECORD, 3, binary_parse },
	        .print = &(const struct trc_print_format){ binary_print, RECORD, NULL },
	},
	{ .name = NULL },
};
