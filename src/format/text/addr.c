/* SPDX-License-Identifier: MIT
 *
 * Byte addresses, one per line, and nothing else:
 *
 *   0x7fff12345678   addr
 *   140733193388664  addr
 *   7fff12345678     addr-hex
 *
 * In addr they are as C prints them with %p or %#lx, which gdb, bpftrace and most scripts also
 * write; or decimal. addr-hex is hexadecimal without 0x: the text traces of PARDA (Niu, Dinan, Lu,
 * Sadayappan, IPDPS 2012), whose binary traces are u64, and the output of valgrind's and Pin's
 * examples cut to one field.
 *
 * Lines that begin with # are comments, such as #eof of Pin's examples.
 *
 * 0x identifies addr, since page numbers are written without it. Hexadecimal digits alone could be
 * page numbers (format page); they are read as addresses if the first few hundred lines have a
 * number that cannot be a page of 4096 bytes. Decimal numbers alone are only read with --from addr.
 */
#include "format/text/addr.h"

bool
trc_addr_marked(const struct trc_lines *l, size_t i)
{
	const uint8_t *e = l->text + l->eol[i];
	const uint8_t *s = trc_text_pass(l->text + trc_line_start(l, i), e, TRC_TEXT_BLANKS);

	return trc_field_is_marked((struct trc_field){ s, (size_t)(e - s) });
}

bool
trc_addr_no_page(uint64_t v)
{
	/* User programs have at most 57 address bits, usually 47; the kernel is at the other end of
	 * the 64-bit space. Some programs write -1 for no page. */
	const uint64_t pages = UINT64_C(1) << (57 - 12), top = UINT64_C(1) << (64 - 12);

	return v >= pages && (v < top - pages || v >= top) && v != UINT64_MAX;
}

/* Scans lines as "%p" or, without `mark`, "%lx" prints them. */
static size_t
scan(const struct trc_lines *l, size_t from, struct trc_number_fields *hex, uint32_t mark)
{
	const uint32_t *eol = l->eol + from;
	const size_t n = l->n - from;
	uint32_t start = trc_line_start(l, from);
	size_t k;

	for (k = 0; k < n; k++) {
		const uint8_t *s = l->text + start;

		if (TRC_UNLIKELY(eol[k] - start - mark > 16 ||
		                 (mark && (s[0] != '0' || s[1] != 'x'))))
			break;
		hex->end[k] = eol[k];
		hex->len[k] = (uint8_t)(eol[k] - start - mark);
		start = eol[k] + 1;
	}
	return k;
}

static size_t
scan_marked(const struct trc_lines *l, size_t from, struct trc_batch *b,
            struct trc_number_fields *hex)
{
	(void)b;
	return scan(l, from, hex, 2);
}

size_t
trc_addr_scan(const struct trc_lines *l, size_t from, struct trc_batch *b,
              struct trc_number_fields *hex)
{
	(void)b;
	return scan(l, from, hex, 0);
}

static enum trc_line
marked_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	struct trc_field field[1];
	const size_t fields = trc_text_fields(s, e, field, 1);

	if (fields == 0 || field[0].p[0] == '#')
		return TRC_LINE_SKIP;
	return fields == 1 && trc_field_dec(field[0], UINT64_MAX, &b->addr[n]) ? TRC_LINE_ROW :
	                                                                         TRC_LINE_BAD;
}

static enum trc_line
bare_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	struct trc_field field[1];
	const size_t fields = trc_text_fields(s, e, field, 1);

	if (fields == 0)
		return TRC_LINE_SKIP;
	return fields == 1 && trc_field_hex(field[0], UINT64_MAX, &b->addr[n]) ? TRC_LINE_ROW :
	                                                                         TRC_LINE_BAD;
}

/* Returns true if all lines have 0x, except empty ones and the 0 of "%#lx". */
static bool
marked_likely(const struct trc_lines *l, const struct trc_batch *b)
{
	bool *begun = l->state; /* earlier lines had marks */
	size_t marked = 0, others = 0;

	for (size_t i = 0; i < l->n; i++)
		marked += trc_addr_marked(l, i);
	for (size_t i = 0; i < b->n; i++)
		others += b->addr[i] != 0;
	*begun |= marked > 0;
	return *begun && marked >= others;
}

static bool
bare_likely(const struct trc_lines *l, const struct trc_batch *b)
{
	bool any = false;

	for (size_t i = 0; i < l->n; i++)
		if (trc_addr_marked(l, i))
			return false;
	for (size_t i = 0; i < b->n; i++)
		any |= trc_addr_no_page(b->addr[i]);
	return any;
}

static uint8_t *
print(struct trc_rows *r, uint8_t *dst, const char *mark)
{
	const struct trc_batch *b = r->b;
	const size_t len = strlen(mark);

	for (; r->i < r->stop; r->i++) {
		memcpy(dst, mark, len);
		dst = trc_text_put_hex(dst + len, b->addr[r->i]);
		*dst++ = '\n';
	}
	return dst;
}

static uint8_t *
marked_print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	(void)err;
	return print(r, dst, "0x");
}

static uint8_t *
bare_print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	(void)err;
	return print(r, dst, "");
}

const struct trc_format trc_family_addr[] = {
	{
	        .name = "addr",
	        .doc = "byte addresses alone, hexadecimal after 0x or decimal",
	        .ending = ".addr",
	        .holds = TRC_HAS_ADDR,
	        .needs = TRC_HAS_ADDR,
	        TRC_LINES("0xADDRESS",
	                  .way = { marked_line, scan_marked, { { TRC_COL_ADDR, 16 } } }),
	        .more = &(const struct trc_line_more){ .likely = marked_likely },
	        .print = &(const struct trc_print_format){ marked_print, 40, NULL },
	},
	{
	        .name = "addr-hex",
	        .base = 16,
	        .doc = "byte addresses alone, hexadecimal without 0x",
	        .ending = ".addr-hex",
	        .holds = TRC_HAS_ADDR,
	        .needs = TRC_HAS_ADDR,
	        TRC_LINES("ADDRESS", .way = { bare_line, trc_addr_scan, { { TRC_COL_ADDR, 16 } } }),
	        .more = &(const struct trc_line_more){ .likely = bare_likely },
	        .print = &(const struct trc_print_format){ bare_print, 40, NULL },
	},
	{ .name = NULL },
};
