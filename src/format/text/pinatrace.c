/* SPDX-License-Identifier: MIT
 *
 * The output of pinatrace, an example tool of Intel's Pin, and of its variants:
 *
 *   0x400810: R 0x602040              pinatrace
 *   0x400810: R 0x602040; TID: 32746  pinatrace-tid
 *   0x400810: R 0x602040 8            pinatrace-size
 *   R 6299712                         pinatrace-addr
 *
 * Each line has the address of the instruction, R or W, and the address, in hexadecimal, except
 * that pinatrace-addr has decimal addresses. Thread and size are decimal. A line #eof ends a file.
 * There are no fetches.
 */
#include "format/lines.h"
#include "format/print.h"

enum variant { PLAIN, TID, SIZE, ADDR };

/* Parses a hexadecimal number and the character that ends its field: "0x400810:". */
static bool
take_ended(struct trc_field f, uint8_t by, uint64_t *v)
{
	return f.len > 0 && f.p[f.len - 1] == by &&
	       trc_field_hex((struct trc_field){ f.p, f.len - 1 }, UINT64_MAX, v);
}

static bool
take_type(struct trc_field f, uint8_t *type)
{
	*type = trc_field_is(f, "W") ? TRC_WRITE : TRC_READ;
	return *type == TRC_WRITE || trc_field_is(f, "R");
}

static TRC_ALWAYS_INLINE enum trc_line
any_line(enum variant variant, const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	static const size_t fields_of[] = { [PLAIN] = 3, [TID] = 5, [SIZE] = 4, [ADDR] = 2 };
	struct trc_field field[5];
	const size_t fields = trc_text_fields(s, e, field, 5);
	const bool ip = variant != ADDR;
	uint64_t v = 0;

	if (fields == 0 || field[0].p[0] == '#')
		return TRC_LINE_SKIP;
	if (fields != fields_of[variant] || !take_type(field[ip], &b->type[n]) ||
	    (ip && !take_ended(field[0], ':', &b->pc[n])))
		return TRC_LINE_BAD;
	if (variant == TID  ? !take_ended(field[2], ';', &b->addr[n]) :
	    variant == ADDR ? !trc_field_dec(field[1], UINT64_MAX, &b->addr[n]) :
	                      !trc_field_hex(field[2], UINT64_MAX, &b->addr[n]))
		return TRC_LINE_BAD;
	if ((variant == TID &&
	     !(trc_field_is(field[3], "TID:") && trc_field_dec(field[4], UINT32_MAX, &v))) ||
	    (variant == SIZE && !trc_field_dec(field[3], UINT32_MAX, &v)))
		return TRC_LINE_BAD;
	if (variant == TID)
		b->task[n] = (uint32_t)v;
	if (variant == SIZE)
		b->size[n] = (uint32_t)v;
	return TRC_LINE_ROW;
}

#define LINE(name, variant)                                                                       \
	static enum trc_line name##_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, \
	                                 size_t n)                                                \
	{                                                                                         \
		return any_line(variant, s, e, b, n);                                             \
	}

LINE(plain, PLAIN)
LINE(tid, TID)
LINE(size, SIZE)
LINE(addr, ADDR)

/* Scans lines in canonical form: stores the types in the rows from b->n on, and in `field` the
 * positions of the addresses and, in field[2], of the thread or size. */
static TRC_ALWAYS_INLINE size_t
scan(enum variant variant, const struct trc_lines *l, size_t from, struct trc_batch *b,
     struct trc_number_fields *field)
{
	static const char tid[] = "; TID: ";
	const uint32_t *eol = l->eol + from;
	uint32_t start = trc_line_start(l, from);
	size_t k;

	for (k = 0; k < l->n - from; k++, start = eol[k - 1] + 1) {
		const uint8_t *s = l->text + start, *e = l->text + eol[k];
		const unsigned colon = trc_text_find(s + 2, ':');
		const uint8_t *at = s + 2 + colon, *stop = e;
		size_t len;

		/* ": R 0x" or ": W 0x" */
		if (trc_le16(s) != ('0' | 'x' << 8) || (at[2] != 'R' && at[2] != 'W') ||
		    trc_le16(at) != (':' | ' ' << 8) || at[3] != ' ' ||
		    trc_le16(at + 4) != ('0' | 'x' << 8))
			break;
		b->type[b->n + k] = at[2] == 'W' ? TRC_WRITE : TRC_READ;
		at += 6;
		if (variant == TID) {
			stop = at + trc_text_find(at, ';');
			if (memcmp(stop, tid, 7) != 0 || e - stop > 7 + 20)
				break;
			field[2].len[k] = (uint8_t)(e - stop - 7);
		} else if (variant == SIZE) {
			stop = at + trc_text_find(at, ' ');
			if (*stop != ' ' || e - stop > 1 + 20)
				break;
			field[2].len[k] = (uint8_t)(e - stop - 1);
		}
		if (variant == TID || variant == SIZE)
			field[2].end[k] = eol[k];
		len = (size_t)(stop - at);
		if (stop <= at || len > 16)
			break;
		field[0].end[k] = start + 2 + colon;
		field[0].len[k] = (uint8_t)colon;
		field[1].end[k] = (uint32_t)(stop - l->text);
		field[1].len[k] = (uint8_t)len;
	}
	return k;
}

#define SCAN(name, variant)                                                                    \
	static size_t name##_scan(const struct trc_lines *l, size_t from, struct trc_batch *b, \
	                          struct trc_number_fields *field)                             \
	{                                                                                      \
		return scan(variant, l, from, b, field);                                       \
	}

SCAN(plain, PLAIN)
SCAN(tid, TID)
SCAN(size, SIZE)

static size_t
addr_scan(const struct trc_lines *l, size_t from, struct trc_batch *b,
          struct trc_number_fields *field)
{
	const uint32_t *eol = l->eol + from;
	uint32_t start = trc_line_start(l, from);
	size_t k;

	for (k = 0; k < l->n - from; k++, start = eol[k - 1] + 1) {
		const uint8_t *s = l->text + start;
		const uint32_t len = eol[k] - start - 2;

		if ((*s != 'R' && *s != 'W') || s[1] != ' ' || len > 20)
			break;
		b->type[b->n + k] = *s == 'W' ? TRC_WRITE : TRC_READ;
		field->end[k] = eol[k];
		field->len[k] = (uint8_t)len;
	}
	return k;
}

static TRC_ALWAYS_INLINE uint8_t *
print(enum variant variant, struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	static const char *const name[] = { [PLAIN] = "pinatrace",
		                            [TID] = "pinatrace-tid",
		                            [SIZE] = "pinatrace-size",
		                            [ADDR] = "pinatrace-addr" };
	const struct trc_batch *b = r->b;

	for (size_t i = r->i; i < r->stop; i++) {
		if (b->type[i] > TRC_WRITE) {
			r->i = i;
			return trc_format_refuse_type(name[variant], b->type[i], err);
		}
		if (variant == ADDR) {
			*dst++ = b->type[i] == TRC_WRITE ? 'W' : 'R';
			*dst++ = ' ';
			dst = trc_text_put_dec(dst, b->addr[i]);
			*dst++ = '\n';
			continue;
		}
		memcpy(dst, "0x", 2);
		dst = trc_text_put_hex(dst + 2, b->pc[i]);
		memcpy(dst, b->type[i] == TRC_WRITE ? ": W 0x" : ": R 0x", 6);
		dst = trc_text_put_hex(dst + 6, b->addr[i]);
		if (variant == TID) {
			memcpy(dst, "; TID: ", 7);
			dst = trc_text_put_dec(dst + 7, b->task[i]);
		} else if (variant == SIZE) {
			*dst++ = ' ';
			dst = trc_text_put_dec(dst, b->size[i]);
		}
		*dst++ = '\n';
	}
	return dst;
}

#define PRINT(name, variant)                                                                \
	static uint8_t *name##_print(struct trc_rows *r, uint8_t *dst, struct trc_err *err) \
	{                                                                                   \
		return print(variant, r, dst, err);                                         \
	}

PRINT(plain, PLAIN)
PRINT(tid, TID)
PRINT(size, SIZE)
PRINT(addr, ADDR)

static uint8_t *
eof(const struct trc_rows *r, const struct trc_meta *meta, uint8_t *dst)
{
	(void)r, (void)meta;
	memcpy(dst, "#eof\n", 5);
	return dst + 5;
}

#define HELD (TRC_HAS_TYPE | TRC_HAS_ADDR)

const struct trc_format trc_family_pinatrace[] = {
	{
	        .name = "pinatrace",
	        .base = 16,
	        .doc = "Pin's pinatrace: instruction, R or W, address",
	        .ending = ".pinatrace",
	        .holds = HELD | TRC_HAS_PC,
	        .needs = HELD | TRC_HAS_PC,
	        TRC_LINES("IP: R|W ADDRESS",
	                  .way = { plain_line,
	                           plain_scan,
	                           { { TRC_COL_PC, 16 }, { TRC_COL_ADDR, 16 } } }),
	        .print = &(const struct trc_print_format){ plain_print, 64, eof },
	},
	{
	        .name = "pinatrace-tid",
	        .base = 16,
	        .doc = "pinatrace with threads: IP: R|W ADDRESS; TID: THREAD",
	        .ending = ".pinatrace-tid",
	        .holds = HELD | TRC_HAS_PC | TRC_HAS_TASK,
	        .needs = HELD | TRC_HAS_PC | TRC_HAS_TASK,
	        TRC_LINES("IP: R|W ADDRESS; TID: THREAD", .way = { tid_line,
	                                                           tid_scan,
	                                                           { { TRC_COL_PC, 16 },
	                                                             { TRC_COL_ADDR, 16 },
	                                                             { TRC_COL_TASK, 10 } } }),
	        .print = &(const struct trc_print_format){ tid_print, 80, eof },
	},
	{
	        .name = "pinatrace-size",
	        .base = 16,
	        .doc = "pinatrace with sizes: IP: R|W ADDRESS SIZE",
	        .ending = ".pinatrace-size",
	        .holds = HELD | TRC_HAS_PC | TRC_HAS_SIZE,
	        .needs = HELD | TRC_HAS_PC | TRC_HAS_SIZE,
	        TRC_LINES("IP: R|W ADDRESS SIZE", .way = { size_line,
	                                                   size_scan,
	                                                   { { TRC_COL_PC, 16 },
	                                                     { TRC_COL_ADDR, 16 },
	                                                     { TRC_COL_SIZE, 10 } } }),
	        .print = &(const struct trc_print_format){ size_print, 80, eof },
	},
	{
	        .name = "pinatrace-addr",
	        .base = 10,
	        .doc = "pinatrace without instructions: R|W ADDRESS, decimal",
	        .ending = ".pinatrace-addr",
	        .holds = HELD,
	        .needs = HELD,
	        TRC_LINES("R|W ADDRESS", .way = { addr_line, addr_scan, { { TRC_COL_ADDR, 10 } } }),
	        .print = &(const struct trc_print_format){ addr_print, 40, NULL },
	},
	{ .name = NULL },
};
