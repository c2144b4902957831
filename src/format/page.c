/* SPDX-License-Identifier: MIT
 *
 * Page traces: one hexadecimal page number a line, the form of the SIGMETRICS 1999 traces of
 * Kaplan, Smaragdakis and Wilson. What the format cannot tell: anything else, reads from writes
 * included.
 */
#include "format/lines.h"

static enum trc_line
page_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	struct trc_field field[1];
	size_t fields = trc_text_fields(s, e, field, 1);

	if (fields == 0)
		return TRC_LINE_SKIP;
	if (fields != 1 || !trc_field_hex(field[0], UINT64_MAX, &b->vpn[n]))
		return TRC_LINE_BAD;
	return TRC_LINE_ROW;
}

static size_t
page_scan(const struct trc_lines *l, size_t from, struct trc_batch *b,
          struct trc_number_fields *hex)
{
	const uint32_t *eol = l->eol + from;
	const size_t n = l->n - from;
	uint32_t start = trc_line_start(l, from);
	size_t k;

	(void)b;
	for (k = 0; k < n; k++) {
		if (TRC_UNLIKELY(eol[k] - start > 16))
			break;
		hex->end[k] = eol[k];
		hex->len[k] = (uint8_t)(eol[k] - start);
		start = eol[k] + 1;
	}
	return k;
}

static size_t
page_parse(const struct trc_lines *l, struct trc_batch *b)
{
	return trc_lines_parse_hex(l, b, b->vpn, page_scan, page_line);
}

static uint8_t *
page_print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	const struct trc_batch *b = r->b;

	(void)err;
	for (size_t i = r->i; i < r->stop; i++) {
		dst = trc_text_put_hex(dst, b->vpn[i]);
		*dst++ = '\n';
	}
	return dst;
}

const struct trc_format trc_family_page[] = {
	{
	        .name = "page",
	        .doc = "page numbers alone",
	        .ending = ".page",
	        .holds = TRC_HAS_VPN,
	        .needs = TRC_HAS_VPN,
	        .line = &(const struct trc_line_format){ "PAGE", page_parse, 0, NULL },
	        .print = &(const struct trc_print_format){ page_print, 40, NULL },
	},
	{ .name = NULL },
};
