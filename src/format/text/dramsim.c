/* SPDX-License-Identifier: MIT
 *
 * The traces of DRAMsim3: address in hexadecimal, operation, cycle in decimal.
 *
 *   0x2000D5C0 READ 30
 *
 * The words of DRAMSim2's k6 traces (P_FETCH, P_MEM_RD, P_MEM_WR, P_LOCK_RD, P_LOCK_WR, BOFF) and
 * mase traces (IFETCH, READ, WRITE) are also read; BOFF of k6 is a write, as in DRAMsim3. Only READ
 * and WRITE are written.
 */
#include "format/lines.h"
#include "format/print.h"

static const struct {
	const char *word;
	uint8_t type;
} words[] = {
	{ "READ", TRC_READ },      { "WRITE", TRC_WRITE },     { "P_MEM_RD", TRC_READ },
	{ "P_MEM_WR", TRC_WRITE }, { "P_FETCH", TRC_FETCH },   { "IFETCH", TRC_FETCH },
	{ "P_LOCK_RD", TRC_READ }, { "P_LOCK_WR", TRC_WRITE }, { "BOFF", TRC_WRITE },
	{ "read", TRC_READ },      { "write", TRC_WRITE },
};

static enum trc_line
line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	struct trc_field field[3];
	const size_t fields = trc_text_fields(s, e, field, 3);
	size_t i = 0;

	if (fields == 0)
		return TRC_LINE_SKIP;
	if (fields != 3 || !trc_field_hex(field[0], UINT64_MAX, &b->addr[n]) ||
	    !trc_field_dec(field[2], UINT64_MAX, &b->time[n]))
		return TRC_LINE_BAD;
	while (i < TRC_COUNT(words) && !trc_field_is(field[1], words[i].word))
		i++;
	if (i == TRC_COUNT(words))
		return TRC_LINE_BAD;
	b->type[n] = words[i].type;
	return TRC_LINE_ROW;
}

/* Returns the number of blanks at `p`, up to 7. */
static TRC_ALWAYS_INLINE unsigned
blanks(const uint8_t *p)
{
	const uint64_t others = trc_le64(p) ^ UINT64_C(0x2020202020202020);

	return (unsigned)trc_ctz64(others | UINT64_C(1) << 63) / 8;
}

/* Scans lines in canonical form: 0x, READ or WRITE, and at least one blank before the cycle. */
static size_t
scan(const struct trc_lines *l, size_t from, struct trc_batch *b, struct trc_number_fields *field)
{
	const uint32_t load = 'R' | 'E' << 8 | 'A' << 16 | (uint32_t)'D' << 24;
	const uint32_t *eol = l->eol + from;
	uint32_t start = trc_line_start(l, from);
	size_t k;

	for (k = 0; k < l->n - from; k++, start = eol[k - 1] + 1) {
		const uint8_t *s = l->text + start, *e = l->text + eol[k];
		const unsigned digits = trc_text_find(s + 2, ' ');
		const uint8_t *p = s + 2 + digits + 1;
		const uint32_t word = trc_le32(p);
		const bool store = word == ('W' | 'R' << 8 | 'I' << 16 | (uint32_t)'T' << 24);

		if (trc_le16(s) != ('0' | 'x' << 8) || p[-1] != ' ' ||
		    (store ? p[4] != 'E' : word != load))
			break;
		p += 4 + store;
		if (*p != ' ')
			break;
		p += blanks(p);
		if (p >= e || e - p > 20)
			break;
		b->type[b->n + k] = store ? TRC_WRITE : TRC_READ;
		field[0].end[k] = start + 2 + digits;
		field[0].len[k] = (uint8_t)digits;
		field[1].end[k] = eol[k];
		field[1].len[k] = (uint8_t)(e - p);
	}
	return k;
}

static uint8_t *
print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	const struct trc_batch *b = r->b;

	for (; r->i < r->stop; r->i++) {
		if (b->type[r->i] > TRC_WRITE)
			return trc_format_refuse_type("dramsim3", b->type[r->i], err);
		memcpy(dst, "0x", 2);
		dst = trc_text_put_hex(dst + 2, b->addr[r->i]);
		memcpy(dst, b->type[r->i] == TRC_WRITE ? " WRITE " : " READ ", 7);
		dst += b->type[r->i] == TRC_WRITE ? 7 : 6;
		dst = trc_text_put_dec(dst, b->time[r->i]);
		*dst++ = '\n';
	}
	return dst;
}

#define HELD (TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TIME)

const struct trc_format trc_family_dramsim[] = {
	{
	        .name = "dramsim3",
	        .base = 16,
	        .doc = "DRAMsim3, DRAMSim2: address, READ or WRITE, cycle",
	        .ending = ".dramsim3",
	        .holds = HELD,
	        .needs = HELD,
	        TRC_LINES("ADDRESS READ|WRITE CYCLE",
	                  .way = { line, scan, { { TRC_COL_ADDR, 16 }, { TRC_COL_TIME, 10 } } }),
	        .print = &(const struct trc_print_format){ print, 64, NULL },
	},
	{ .name = NULL },
};
