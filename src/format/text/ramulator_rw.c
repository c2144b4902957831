/* SPDX-License-Identifier: MIT
 *
 * ReadWriteTrace of Ramulator 2: R or W, and a location in memory.
 *
 *   R 0,0,1,3,1024,16
 *
 * The location has the channel, rank, bank group, bank, row and column. There are five numbers if
 * the memory has no bank groups, which is read as group 0. They become fields of the address, in
 * this order from the top, of 4, 4, 4, 4, 20 and 12 bits, above the 6 bits for the offset in a line
 * of 64 bytes.
 */
#include "format/table.h"

enum { PLACES = 6, GROUP = 2, LINE_BITS = 6, ADDR_BITS = 4 + 4 + 4 + 4 + 20 + 12 + LINE_BITS };

/* The arguments of the writer. */
struct rw_settings {
	unsigned places; /* 1: five numbers, without bank group */
	bool lines;      /* the offset in a line is dropped */
};

static const uint8_t place_bits[PLACES] = { 4, 4, 4, 4, 20, 12 };

static enum trc_line
rw_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	struct trc_field field[2];
	const size_t fields = trc_text_fields(s, e, field, 2);
	const uint8_t *p, *stop;
	uint64_t addr = 0, v;
	size_t commas = 0;

	if (fields == 0)
		return TRC_LINE_SKIP;
	if (fields != 2 || (!trc_field_is(field[0], "R") && !trc_field_is(field[0], "W")))
		return TRC_LINE_BAD;
	b->type[n] = *field[0].p == 'W' ? TRC_WRITE : TRC_READ;
	p = field[1].p;
	stop = p + field[1].len;
	for (const uint8_t *at = p; at < stop; at++)
		commas += *at == ',';
	for (int i = 0; i < PLACES; i++) {
		const uint8_t *comma = memchr(p, ',', (size_t)(stop - p));

		if (i == GROUP && commas == PLACES - 2) {
			addr <<= place_bits[i];
			continue;
		}
		if ((i + 1 < PLACES) != (comma != NULL))
			return TRC_LINE_BAD;
		comma = comma ? comma : stop;
		if (!trc_field_dec((struct trc_field){ p, (size_t)(comma - p) },
		                   (UINT64_C(1) << place_bits[i]) - 1, &v))
			return TRC_LINE_BAD;
		addr = addr << place_bits[i] | v;
		p = comma + 1;
	}
	b->addr[n] = addr << LINE_BITS;
	return TRC_LINE_ROW;
}

/* Reads the letters of the first `n` lines, each followed by a blank. */
static size_t
rw_types(const struct trc_table *t, size_t n, uint8_t *type)
{
	struct trc_table_column c = trc_table_column(t, 0);
	size_t i;

	for (i = 0; i < n; i++) {
		const uint8_t *s = trc_table_next(&c).p;

		if ((*s != 'R' && *s != 'W') || s[1] != ' ')
			break;
		type[i] = *s == 'W' ? TRC_WRITE : TRC_READ;
	}
	return i;
}

static size_t
rw_many(const struct trc_lines *l, size_t from, struct trc_batch *b, const void *how)
{
	uint64_t *const addr = b->addr + b->n;
	uint64_t place[TRC_LINES_AT_ONCE];
	struct trc_table t;
	size_t n = trc_table_init(&t, l, from, ','), i;

	(void)how;
	if (t.fields != PLACES && t.fields != PLACES - 1)
		return 0;
	n = rw_types(&t, n, b->type + b->n);
	memset(addr, 0, n * sizeof(*addr));
	for (size_t field = 0, k = 0; k < PLACES; k++) {
		const unsigned bits = place_bits[k];
		uint64_t high = 0;

		if (k == GROUP && t.fields == PLACES - 1) {
			for (i = 0; i < n; i++)
				addr[i] <<= bits;
			continue;
		}
		n = trc_table_numbers(&t, field, field ? 0 : 2, false, n, place);
		for (i = 0; i < n; i++) {
			addr[i] = addr[i] << bits | place[i];
			high |= place[i] >> bits;
		}
		for (i = 0; high && place[i] >> bits == 0;)
			i++;
		n = high ? i : n;
		field++;
	}
	for (i = 0; i < n; i++)
		addr[i] <<= LINE_BITS;
	b->n += n;
	return n;
}

/* Prints the location of an address; returns NULL if it has a bank group and `five` is set. */
static uint8_t *
put_places(uint8_t *dst, uint64_t addr, bool five)
{
	unsigned shift = ADDR_BITS;

	for (int i = 0; i < PLACES; i++) {
		uint64_t place;

		shift -= place_bits[i];
		place = addr >> shift & ((UINT64_C(1) << place_bits[i]) - 1);
		if (five && i == GROUP) {
			if (place > 0)
				return NULL;
			continue;
		}
		*dst++ = i ? ',' : ' ';
		dst = trc_text_put_dec(dst, place);
	}
	return dst;
}

static uint8_t *
rw_print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	const struct rw_settings *set = r->settings;
	const struct trc_batch *b = r->b;

	for (; r->i < r->stop; r->i++) {
		const uint64_t within = set->lines ? (1 << LINE_BITS) - 1 : 0;
		const uint64_t addr = b->addr[r->i] & ~within;

		if (b->type[r->i] > TRC_WRITE)
			return trc_format_refuse_type("ramulator2-rw", b->type[r->i], err);
		if (addr >> ADDR_BITS || addr & ((1 << LINE_BITS) - 1)) {
			trc_fail(err,
			         "ramulator2-rw cannot hold address %llx: it has lines of 64 "
			         "bytes in a memory of 2^%d; use ramulator2-ls, or --to "
			         "ramulator2-rw:lines to drop the offset in the line",
			         (unsigned long long)addr, ADDR_BITS);
			return NULL;
		}
		*dst++ = b->type[r->i] == TRC_WRITE ? 'W' : 'R';
		dst = put_places(dst, addr, set->places == 1);
		if (!dst) {
			trc_fail(err,
			         "ramulator2-rw:places=5 cannot hold address %llx, which is "
			         "in a bank group",
			         (unsigned long long)addr);
			return NULL;
		}
		*dst++ = '\n';
	}
	return dst;
}

static const struct trc_opt rw_opts[] = {
	{ 0, "places", "5|6", "without or with bank group (default 6)", TRC_OPT_CHOICE,
	  TRC_WORDS_NONE, offsetof(struct rw_settings, places) },
	{ 0, "lines", NULL, "round addresses down to lines of 64 bytes", TRC_OPT_FLAG,
	  TRC_WORDS_NONE, offsetof(struct rw_settings, lines) },
};

static const struct trc_format_args rw_to = { rw_opts, TRC_COUNT(rw_opts) };

#define HELD (TRC_HAS_TYPE | TRC_HAS_ADDR)

const struct trc_format trc_family_ramulator_rw[] = {
	{
	        .name = "ramulator2-rw",
	        .doc = "Ramulator 2 ReadWriteTrace: R or W, place in memory",
	        .ending = ".ramulator2-rw",
	        .holds = HELD,
	        .needs = HELD,
	        .eases = "lines",
	        TRC_LINES("R|W CHANNEL,RANK,GROUP,BANK,ROW,COLUMN", .way.one = rw_line,
	                  .many = rw_many),
	        .print = &(const struct trc_print_format){ rw_print, 64, NULL },
	        .to = &rw_to,
	},
	{ .name = NULL },
};
