/* SPDX-License-Identifier: MIT
 *
 * The traces of Dinero III and IV: a label and an address, followed by an optional comment (din);
 * or a letter, an address and a size, the extended din of dineroIV (xdin). Numbers are hexadecimal,
 * but many tools write such lines with decimal sizes (xdin:decimal). If only the content shows the
 * format, sizes of several digits, which may be either, are refused (xdin:digit).
 *
 *   2 401ab70        din
 *   1 1fff0005f8
 *   w 1fff0005f8 8   xdin
 *
 * The labels and letters mean:
 *
 *   label  type  din III        din IV
 *   0      r     read           read
 *   1      w     write          write
 *   2      i     fetch          fetch
 *   3      m     escape         miscellaneous
 *   4      c     cache flush    copy-back
 *   5      v     -              invalidate
 *
 * The two versions disagree on 3 and 4, so the label itself is kept, under its name in dineroIV.
 * The format does not hold sizes (din), times or address spaces.
 */
#include "base/opt.h"
#include "format/lines.h"

#include <stddef.h>
#include <stdio.h>

static const struct trc_text_labels din_labels = {
	.text = "012345",
	.meaning = { TRC_READ, TRC_WRITE, TRC_FETCH, TRC_MISC, TRC_COPY_BACK, TRC_INVALIDATE },
};

static const struct trc_text_labels xdin_labels = {
	.text = { 1, ['r' & 15] = 'r', ['w' & 15] = 'w', ['i' & 15] = 'i', ['m' & 15] = 'm',
	          ['c' & 15] = 'c', ['v' & 15] = 'v' },
	.meaning = { ['r' & 15] = TRC_READ,
	             ['w' & 15] = TRC_WRITE,
	             ['i' & 15] = TRC_FETCH,
	             ['m' & 15] = TRC_MISC,
	             ['c' & 15] = TRC_COPY_BACK,
	             ['v' & 15] = TRC_INVALIDATE },
};

/* 0 if din has no label, or xdin no letter. */
static const char label_of_type[TRC_KERNEL * 2] = {
	[TRC_READ] = '0', [TRC_WRITE] = '1',     [TRC_FETCH] = '2',
	[TRC_MISC] = '3', [TRC_COPY_BACK] = '4', [TRC_INVALIDATE] = '5',
};

static const char letter_of_label[] = "rwimcv";

/* Parses any line that a din reader accepts: with blanks and tabs, 0x, capitals, a carriage
 * return. */
static enum trc_line
din_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	struct trc_field field[2];
	size_t fields = trc_text_fields(s, e, field, 2);
	uint64_t label;

	if (fields == 0)
		return TRC_LINE_SKIP;
	if (fields < 2 || !trc_field_hex(field[0], 5, &label) ||
	    !trc_field_hex(field[1], UINT64_MAX, &b->addr[n]))
		return TRC_LINE_BAD;
	b->type[n] = din_labels.meaning[label];
	return TRC_LINE_ROW;
}

static size_t
din_scan(const struct trc_lines *l, size_t from, struct trc_batch *b, struct trc_number_fields *hex)
{
	const uint32_t *eol = l->eol + from;
	const size_t n = l->n - from;
	uint8_t *type = b->type + b->n;
	uint32_t start = trc_line_start(l, from);
	size_t k;

	for (k = 0; k < n; k++) {
		const uint8_t label = l->text[start];

		if (TRC_UNLIKELY((label != din_labels.text[label & 15]) |
		                 (l->text[start + 1] != ' ') | (eol[k] - start > 2 + 16)))
			break;
		type[k] = din_labels.meaning[label & 15];
		hex->end[k] = eol[k];
		hex->len[k] = (uint8_t)(eol[k] - start - 2);
		start = eol[k] + 1;
	}
	return k;
}

/* Reads lines of at most 18 characters by a kernel, in groups of four, and the rest by a scan. */
static size_t
read_labelled(const struct trc_lines *l, size_t from, struct trc_batch *b,
              const struct trc_text_labels *labels, const struct trc_lines_way *rest)
{
	const struct trc_text_kernels *kernels = trc_text_kernels(0);
	size_t n;

	if (!kernels->labelled)
		return trc_lines_scan(l, from, b, rest);
	n = kernels->labelled(l->text, l->eol + from, trc_line_start(l, from), l->n - from, labels,
	                      b->type + b->n, b->addr + b->n,
	                      labels->digits ? b->size + b->n : NULL);
	b->n += n;
	return n + trc_lines_scan(l, from + n, b, rest);
}

static size_t
din_many(const struct trc_lines *l, size_t from, struct trc_batch *b, const void *how)
{
	return read_labelled(l, from, b, &din_labels, how);
}

static TRC_ALWAYS_INLINE uint8_t *
print(struct trc_rows *r, uint8_t *dst, bool extended, struct trc_err *err)
{
	const struct trc_batch *b = r->b;

	for (size_t i = r->i; i < r->stop; i++) {
		char label = label_of_type[b->type[i] % sizeof(label_of_type)];

		if (!label) {
			r->i = i;
			return trc_format_refuse_type(extended ? "xdin" : "din", b->type[i], err);
		}
		*dst++ = (uint8_t)(extended ? letter_of_label[label - '0'] : label);
		*dst++ = ' ';
		dst = trc_text_put_hex(dst, b->addr[i]);
		if (extended) {
			*dst++ = ' ';
			dst = trc_text_put_hex(dst, b->size[i]);
		}
		*dst++ = '\n';
	}
	return dst;
}

static uint8_t *
din_print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	return print(r, dst, false, err);
}

struct xdin {
	bool decimal, digit;
};

typedef bool (*size_fn)(struct trc_field f, uint64_t max, uint64_t *v);

static bool
take_digit(struct trc_field f, uint64_t max, uint64_t *v)
{
	return f.len == 1 && trc_field_dec(f, max, v);
}

static inline enum trc_line
xdin_row(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n, size_fn take_size)
{
	struct trc_field field[3];
	size_t fields = trc_text_fields(s, e, field, 3);
	uint64_t size;
	uint8_t letter;

	if (fields == 0)
		return TRC_LINE_SKIP;
	if (fields < 3 || field[0].len != 1)
		return TRC_LINE_BAD;
	letter = field[0].p[0] | 0x20;
	if (letter != xdin_labels.text[letter & 15] ||
	    !trc_field_hex(field[1], UINT64_MAX, &b->addr[n]) ||
	    !take_size(field[2], UINT32_MAX, &size))
		return TRC_LINE_BAD;
	b->type[n] = xdin_labels.meaning[letter & 15];
	b->size[n] = (uint32_t)size;
	return TRC_LINE_ROW;
}

static enum trc_line
xdin_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	return xdin_row(s, e, b, n, trc_field_hex);
}

static enum trc_line
xdin_decimal_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	return xdin_row(s, e, b, n, trc_field_dec);
}

static enum trc_line
xdin_digit_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	return xdin_row(s, e, b, n, take_digit);
}

static size_t
xdin_scan(const struct trc_lines *l, size_t from, struct trc_batch *b,
          struct trc_number_fields *field)
{
	const uint32_t *eol = l->eol + from;
	const uint32_t digits_most = ((const struct xdin *)l->state)->digit ? 1 : 8;
	uint32_t start = trc_line_start(l, from);
	size_t k;

	for (k = 0; k < l->n - from; k++, start = eol[k - 1] + 1) {
		const uint8_t *s = l->text + start;
		const uint32_t digits = trc_text_find(s + 2, ' '), end = start + 2 + digits;

		if (*s != xdin_labels.text[*s & 15] || s[1] != ' ' || l->text[end] != ' ' ||
		    eol[k] - end > 1 + digits_most)
			break;
		b->type[b->n + k] = xdin_labels.meaning[*s & 15];
		field[0].end[k] = end;
		field[0].len[k] = (uint8_t)digits;
		field[1].end[k] = eol[k];
		field[1].len[k] = (uint8_t)(eol[k] - end - 1);
	}
	return k;
}

static size_t
xdin_many(const struct trc_lines *l, size_t from, struct trc_batch *b, const void *how)
{
	const struct xdin *own = l->state;
	struct trc_text_labels labels = xdin_labels;

	labels.digits = own->digit ? 1 : 2;
	labels.decimal = own->decimal || own->digit;
	return read_labelled(l, from, b, &labels, how);
}

static size_t
xdin_parse(const struct trc_lines *l, struct trc_batch *b)
{
	const struct xdin *own = l->state;
	const trc_line_fn one = own->decimal ? xdin_decimal_line :
	                        own->digit   ? xdin_digit_line :
	                                       xdin_line;

	return trc_lines_parse_way(
	        l, b,
	        &(const struct trc_lines_way){
	                one,
	                xdin_scan,
	                { { TRC_COL_ADDR, 16 },
	                  { TRC_COL_SIZE, own->decimal || own->digit ? 10 : 16 } } },
	        xdin_many);
}

static void
xdin_explain(const void *state, const uint8_t *s, const uint8_t *e, char *dst, size_t room)
{
	uint64_t addr[1];
	uint32_t size[1];
	uint8_t type[1];
	struct trc_batch row = { .addr = addr, .size = size, .type = type };

	*dst = 0;
	if (((const struct xdin *)state)->digit && xdin_line(s, e, &row, 0) == TRC_LINE_ROW)
		snprintf(dst, room,
		         "its size may be hexadecimal, as --from xdin reads it, or decimal: "
		         "--from xdin:decimal");
}

static uint8_t *
xdin_print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	return print(r, dst, true, err);
}

static const struct trc_opt xdin_opts[] = {
	{ 0, "decimal", NULL, "sizes are decimal", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct xdin, decimal) },
	{ 0, "digit", NULL, "all sizes have one digit; others may be decimal or not", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct xdin, digit) },
};

static const struct trc_format_args xdin_from = { xdin_opts, TRC_COUNT(xdin_opts) };

const struct trc_format trc_family_din[] = {
	{
	        .name = "din",
	        .base = 16,
	        .doc = "dinero: label 0 to 5 and address",
	        .ending = ".din",
	        .holds = TRC_HAS_TYPE | TRC_HAS_ADDR,
	        .needs = TRC_HAS_TYPE | TRC_HAS_ADDR,
	        TRC_LINES("LABEL ADDRESS", .way = { din_line, din_scan, { { TRC_COL_ADDR, 16 } } },
	                  .many = din_many),
	        .print = &(const struct trc_print_format){ din_print, 40, NULL },
	},
	{
	        .name = "xdin",
	        .base = 16,
	        .doc = "extended din of dineroIV: letter, address, size",
	        .ending = ".xdin",
	        .holds = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE,
	        .needs = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE,
	        TRC_LINES("TYPE ADDRESS SIZE", .parse = xdin_parse),
	        .more = TRC_ROW(trc_line_more, .explain = xdin_explain,
	                        .settings = sizeof(struct xdin)),
	        .from = &xdin_from,
	        .print = &(const struct trc_print_format){ xdin_print, 64, NULL },
	},
	{ .name = NULL },
};
