/* SPDX-License-Identifier: MIT
 *
 * The text traces of Ramulator 1 and 2:
 *
 *   3 20734016 20846400  ramulator-inst
 *   3 20734016 R         ramulator-inst:unfiltered
 *   0x12345680 R         ramulator-dram
 *   LD 0x12345680        ramulator2-ls
 *
 * ramulator-inst is read by Ramulator 1 with --mode=cpu, and by Ramulator 2 with its SimpleO3 core:
 * the number of instructions before a load, the load, and the write-back that it caused in a cache.
 * The number becomes instruction time; nothing else is known of these instructions. The second form
 * has a line for each load and store, and is for Ramulator 1 with its own caches. Numbers are
 * written in decimal, since Ramulator 2 rejects 0x.
 *
 * ramulator-dram is read by Ramulator 1 with --mode=dram; ramulator2-ls by LoadStoreTrace of
 * Ramulator 2, which supports addresses below 2^63.
 *
 * All of these hold only loads and stores: trc reduce --cache makes them from traces with fetches,
 * as the traffic below a cache.
 */
#include <assert.h>

#include "format/lines.h"
#include "format/print.h"

/* Parses the letter or word of a load or a store. */
static bool
take_type(struct trc_field f, const char *load, const char *store, uint8_t *type)
{
	*type = trc_field_is(f, store) ? TRC_WRITE : TRC_READ;
	return *type == TRC_WRITE || trc_field_is(f, load);
}

/* Reading ramulator-inst */

/* The state of the reader between lines. */
struct clock {
	uint64_t itime;
};

static enum trc_line
inst_line(struct clock *clock, const uint8_t *s, const uint8_t *e, struct trc_batch *b)
{
	struct trc_field field[3];
	const size_t fields = trc_text_fields(s, e, field, 3);
	const size_t n = b->n;
	uint64_t count;

	if (fields == 0 || field[0].p[0] == '#')
		return TRC_LINE_SKIP;
	if (fields < 2 || fields > 3 || !trc_field_dec(field[0], UINT64_MAX, &count) ||
	    count >= UINT64_MAX - clock->itime || !trc_field_dec(field[1], UINT64_MAX, &b->addr[n]))
		return TRC_LINE_BAD;
	b->type[n] = TRC_READ;
	b->itime[n] = clock->itime += count + 1;
	if (fields == 2 || take_type(field[2], "R", "W", &b->type[n])) {
		b->n++;
		return TRC_LINE_ROW;
	}
	if (!trc_field_dec(field[2], UINT64_MAX, &b->addr[n + 1]))
		return TRC_LINE_BAD;
	b->type[n] = TRC_READ;
	b->type[n + 1] = TRC_WRITE;
	b->itime[n + 1] = clock->itime;
	b->n += 2;
	return TRC_LINE_ROW;
}

/* The positions of the numbers of some lines. Those of the second and third field have a row each;
 * more[k] is set if line k has both. */
struct inst_fields {
	struct trc_number_fields count;
	uint32_t end[2 * TRC_LINES_AT_ONCE];
	uint8_t len[2 * TRC_LINES_AT_ONCE + 8];
	bool more[TRC_LINES_AT_ONCE];
};

/* Scans lines as they are written here: numbers separated by one blank. */
static size_t
inst_scan(const struct trc_lines *l, size_t from, const struct trc_batch *b, struct inst_fields *f,
          uint8_t *type, size_t *rows)
{
	const uint32_t *eol = l->eol + from;
	const size_t room = b->cap - b->n;
	uint32_t start = trc_line_start(l, from);
	size_t r = 0, k;

	/* The presence of a third field is unpredictable, so no branch depends on it. */
	for (k = 0; k < l->n - from && r + 2 <= room; k++, start = eol[k - 1] + 1) {
		const uint8_t *s = l->text + start, *e = l->text + eol[k];
		const uint32_t first = start + trc_text_find(s, ' ');
		const uint32_t digits = trc_text_find(l->text + first + 1, ' ');
		/* 16 digits mean that no blank was found. Then `second` becomes a position far
		 * beyond the line. */
		const uint32_t second = first + 1 + digits + (digits >> 4 << 8);
		const uint32_t stop = second < eol[k] ? second : eol[k];
		const uint32_t len = stop - first - 1, last = eol[k] - stop;
		const bool word = (e[-1] > '9') & (last > 0);

		if (l->text[first] != ' ' || first >= eol[k] || len > 20 || last > 21)
			break;
		type[r] = TRC_READ;
		if (word) {
			if (last != 2 || (e[-1] != 'R' && e[-1] != 'W'))
				break;
			type[r] = e[-1] == 'W' ? TRC_WRITE : TRC_READ;
		}
		type[r + 1] = TRC_WRITE;
		f->count.end[k] = first;
		f->count.len[k] = (uint8_t)(first - start);
		f->end[r] = stop;
		f->len[r] = (uint8_t)len;
		f->end[r + 1] = eol[k];
		f->len[r + 1] = (uint8_t)(last - 1);
		f->more[k] = (last > 0) & !word;
		r += 1u + f->more[k];
	}
	*rows = r;
	return k;
}

static size_t
inst_many(const struct trc_lines *l, size_t from, struct trc_batch *b, const void *how)
{
	const struct trc_text_kernels *kernels = trc_text_kernels(0);
	struct clock *clock = l->state;
	uint64_t count[TRC_LINES_AT_ONCE], itime = clock->itime;
	uint64_t *const at = b->itime + b->n;
	struct inst_fields f;
	size_t rows, n = inst_scan(l, from, b, &f, b->type + b->n, &rows), r = 0, k;

	(void)how;
	if (itime >> 63)
		return 0;
	n = kernels->dec(l->text, f.count.end, f.count.len, n, count);
	rows = kernels->dec(l->text, f.end, f.len, rows, b->addr + b->n);
	for (k = 0; k < n && r + 1 + f.more[k] <= rows && count[k] >> 52 == 0; k++) {
		itime += count[k] + 1;
		at[r] = itime;
		at[r + f.more[k]] = itime;
		r += 1u + f.more[k];
	}
	clock->itime = itime;
	b->n += r;
	return k;
}

static bool
inst_one(const struct trc_lines *l, size_t i, struct trc_batch *b, const void *how)
{
	(void)how;
	return inst_line(l->state, l->text + trc_line_start(l, i), l->text + l->eol[i], b) !=
	       TRC_LINE_BAD;
}

static size_t
inst_parse(const struct trc_lines *l, struct trc_batch *b)
{
	return trc_lines_parse_many(l, b, inst_many, inst_one, NULL);
}

/* The meaning of the letters R and W in some lines: there are none, they are comments of din that
 * repeat the labels, or they belong to the second form. */
enum letters { LETTERS_NONE, LETTERS_OF_DIN, LETTERS_OF_INST };

static enum letters
letters_of(const struct trc_lines *l)
{
	bool agree = true, some = false, store = false;

	for (size_t k = 0; k < l->n; k++) {
		struct trc_field field[3];
		uint8_t type;

		if (trc_text_fields(l->text + trc_line_start(l, k), l->text + l->eol[k], field,
		                    3) != 3 ||
		    !take_type(field[2], "R", "W", &type))
			continue;
		some = true;
		store |= type == TRC_WRITE;
		agree &= trc_field_is(field[0], type == TRC_WRITE ? "1" : "0");
	}
	return !some ? LETTERS_NONE : store && agree ? LETTERS_OF_DIN : LETTERS_OF_INST;
}

/* Two numbers may also be a label and an address of din, with a third word as a comment. If letters
 * do not decide, an eighth of the lines must not be possible in din, because of a count above 5 or
 * a store, and no address may be small. */
static bool
inst_likely(const struct trc_lines *l, const struct trc_batch *b)
{
	const enum letters letters = letters_of(l);
	size_t distinct = 0;

	if (letters != LETTERS_NONE)
		return letters == LETTERS_OF_INST;
	for (size_t i = 0; i < b->n; i++) {
		if (b->addr[i] <= UINT16_MAX)
			return false;
		distinct += i > 0 && (b->itime[i] == b->itime[i - 1] ||
		                      b->itime[i] - b->itime[i - 1] > 1 + 5);
	}
	return distinct * 8 >= b->n;
}

/* Writing ramulator-inst: a load is held back until its store may have come. */

/* The state of the writer between rows: the line that is held back. */
struct waiting {
	uint64_t itime;   /* of the last row written or held back */
	uint64_t end;     /* instruction time of the end of the instructions written so far */
	uint64_t fetches; /* fetches since then */
	uint64_t count, load;
	bool open;
};

static_assert(sizeof(struct waiting) <= TRC_FORMAT_STATE, "fits the state of a format");

/* The arguments of the writer. */
struct settings {
	bool count, unfiltered;
};

static uint8_t *
put_numbers(uint8_t *dst, uint64_t count, uint64_t addr)
{
	dst = trc_text_put_dec(dst, count);
	*dst++ = ' ';
	return trc_text_put_dec(dst, addr);
}

static uint8_t *
put_waiting(struct waiting *w, uint8_t *dst)
{
	if (!w->open)
		return dst;
	w->open = false;
	dst = put_numbers(dst, w->count, w->load);
	*dst++ = '\n';
	return dst;
}

/* Returns the number of instructions from those already written to row `i`; 0 if it belongs to the
 * same instruction. An instruction that was made from a second load replaces one of those that
 * follow, so that the total stays the same. */
static uint64_t
instructions(const struct trc_rows *r, size_t i, const struct waiting *w)
{
	const struct settings *set = r->settings;
	const bool own = r->b->type[i] == TRC_READ || set->unfiltered;

	if (!r->b->itime)
		return w->fetches ? w->fetches : own;
	if (!own && r->b->itime[i] == w->itime)
		return 0;
	if (!set->count)
		return r->b->itime[i] - w->itime;
	if (r->b->itime[i] > w->end)
		return r->b->itime[i] - w->end;
	return 1;
}

/* Fails for a row that the format cannot hold: row `i`, `n` instructions after the previous one. */
static int
check_inst(const struct trc_rows *r, size_t i, uint64_t n, struct trc_err *err)
{
	static const char name[] = "ramulator-inst";
	const struct settings *set = r->settings;
	const struct trc_batch *b = r->b;
	const struct waiting *w = r->state;
	const bool store = b->type[i] == TRC_WRITE;

	if (b->type[i] == TRC_FETCH)
		return trc_fail(err, "%s cannot hold a fetch reference; --to %s:count counts them",
		                name, name);
	if (!store && b->type[i] != TRC_READ) {
		trc_format_refuse_type(name, b->type[i], err);
		return -1;
	}
	if (!b->itime && !set->count)
		return trc_fail(err,
		                "%s cannot hold a %s without its instruction time; --to %s:count "
		                "counts fetches, and counts a load without one as an instruction",
		                name, store ? "store" : "load", name);
	if (b->itime && b->itime[i] < w->itime)
		return trc_fail(err,
		                "%s cannot hold an instruction time that goes back; --to %s:count "
		                "--drop itime counts fetches",
		                name, name);
	if (store && !set->unfiltered)
		return trc_fail(err,
		                "%s cannot hold a store without a load of its instruction; --to "
		                "%s:unfiltered writes a line for each",
		                name, name);
	if (n == 0 && !set->count)
		return trc_fail(err,
		                "%s cannot hold a second %s of an instruction; --to %s:count "
		                "makes it a separate instruction",
		                name, store ? "store" : "load", name);
	return 0;
}

static uint8_t *
inst_row(struct trc_rows *r, size_t i, uint8_t *dst, struct trc_err *err)
{
	const struct settings *set = r->settings;
	const struct trc_batch *b = r->b;
	struct waiting *w = r->state;
	const bool store = b->type[i] == TRC_WRITE;
	uint64_t n;

	if (b->type[i] == TRC_FETCH && set->count) {
		w->fetches++;
		return dst;
	}
	n = instructions(r, i, w);
	if (store && n == 0 && w->open && !set->unfiltered) {
		w->open = false;
		dst = put_numbers(dst, w->count, w->load);
		*dst++ = ' ';
		dst = trc_text_put_dec(dst, b->addr[i]);
		*dst++ = '\n';
		return dst;
	}
	if (check_inst(r, i, n, err))
		return NULL;
	dst = put_waiting(w, dst);
	w->count = n ? n - 1 : 0;
	w->itime = b->itime ? b->itime[i] : 0;
	w->end += n;
	w->fetches = 0;
	w->load = b->addr[i];
	w->open = !set->unfiltered;
	if (set->unfiltered) {
		dst = put_numbers(dst, w->count, b->addr[i]);
		memcpy(dst, store ? " W\n" : " R\n", 3);
		dst += 3;
	}
	return dst;
}

static uint8_t *
inst_print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	for (; dst && r->i < r->stop; r->i++) {
		uint8_t *end = inst_row(r, r->i, dst, err);

		if (!end)
			return NULL;
		dst = end;
	}
	return dst;
}

static uint8_t *
inst_end(const struct trc_rows *r, const struct trc_meta *meta, uint8_t *dst)
{
	(void)meta;
	return put_waiting(r->state, dst);
}

static const struct trc_opt inst_opts[] = {
	{ 0, "count", NULL, "instructions are counted if the trace has no instruction times",
	  TRC_OPT_FLAG, TRC_WORDS_NONE, offsetof(struct settings, count) },
	{ 0, "unfiltered", NULL, "lines are COUNT ADDRESS R|W, for Ramulator 1 with caches",
	  TRC_OPT_FLAG, TRC_WORDS_NONE, offsetof(struct settings, unfiltered) },
};

/* Lines show which form they have; users who named it to the writer may also name it here. */
static const struct trc_format_args inst_from = { inst_opts + 1, TRC_COUNT(inst_opts) - 1 };
static const struct trc_format_args inst_to = { inst_opts, TRC_COUNT(inst_opts) };

/* Parses lines with a word and an address in either order. */

static enum trc_line
dram_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	struct trc_field field[2];
	const size_t fields = trc_text_fields(s, e, field, 2);

	if (fields == 0)
		return TRC_LINE_SKIP;
	if (fields != 2 || !trc_field_hex(field[0], UINT64_MAX, &b->addr[n]) ||
	    !take_type(field[1], "R", "W", &b->type[n]))
		return TRC_LINE_BAD;
	return TRC_LINE_ROW;
}

static size_t
dram_scan(const struct trc_lines *l, size_t from, struct trc_batch *b,
          struct trc_number_fields *hex)
{
	const uint32_t *eol = l->eol + from;
	uint32_t start = trc_line_start(l, from);
	size_t k;

	for (k = 0; k < l->n - from; k++, start = eol[k - 1] + 1) {
		const uint8_t *s = l->text + start, *e = l->text + eol[k];

		/* "0x0 R" is the shortest. */
		if (e - s < 5 || e - s > 2 + 16 + 2 || trc_le16(s) != ('0' | 'x' << 8) ||
		    e[-2] != ' ' || (e[-1] != 'R' && e[-1] != 'W'))
			break;
		b->type[b->n + k] = e[-1] == 'W' ? TRC_WRITE : TRC_READ;
		hex->end[k] = eol[k] - 2;
		hex->len[k] = (uint8_t)(e - s - 4);
	}
	return k;
}

static uint8_t *
dram_print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	const struct trc_batch *b = r->b;

	for (; r->i < r->stop; r->i++) {
		if (b->type[r->i] > TRC_WRITE)
			return trc_format_refuse_type("ramulator-dram", b->type[r->i], err);
		memcpy(dst, "0x", 2);
		dst = trc_text_put_hex(dst + 2, b->addr[r->i]);
		memcpy(dst, b->type[r->i] == TRC_WRITE ? " W\n" : " R\n", 3);
		dst += 3;
	}
	return dst;
}

static enum trc_line
ls_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	struct trc_field field[2];
	const size_t fields = trc_text_fields(s, e, field, 2);

	if (fields == 0)
		return TRC_LINE_SKIP;
	if (fields != 2 || !take_type(field[0], "LD", "ST", &b->type[n]) ||
	    !trc_field_dec(field[1], UINT64_MAX, &b->addr[n]))
		return TRC_LINE_BAD;
	return TRC_LINE_ROW;
}

/* Scans addresses as they are written here: hexadecimal. */
static size_t
ls_scan(const struct trc_lines *l, size_t from, struct trc_batch *b, struct trc_number_fields *hex)
{
	const uint32_t *eol = l->eol + from;
	uint32_t start = trc_line_start(l, from);
	size_t k;

	for (k = 0; k < l->n - from; k++, start = eol[k - 1] + 1) {
		const uint8_t *s = l->text + start;
		const bool load = trc_le16(s) == ('L' | 'D' << 8);

		/* "LD 0x0" is the shortest. */
		if (eol[k] - start < 6 || eol[k] - start > 5 + 16 ||
		    (!load && trc_le16(s) != ('S' | 'T' << 8)) || s[2] != ' ' ||
		    trc_le16(s + 3) != ('0' | 'x' << 8))
			break;
		b->type[b->n + k] = load ? TRC_READ : TRC_WRITE;
		hex->end[k] = eol[k];
		hex->len[k] = (uint8_t)(eol[k] - start - 5);
	}
	return k;
}

static uint8_t *
ls_print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	const struct trc_batch *b = r->b;

	for (; r->i < r->stop; r->i++) {
		if (b->type[r->i] > TRC_WRITE)
			return trc_format_refuse_type("ramulator2-ls", b->type[r->i], err);
		if (b->addr[r->i] > INT64_MAX) {
			trc_fail(err,
			         "ramulator2-ls cannot hold address %llx: Ramulator 2 supports "
			         "addresses below 2^63",
			         (unsigned long long)b->addr[r->i]);
			return NULL;
		}
		memcpy(dst, b->type[r->i] == TRC_WRITE ? "ST 0x" : "LD 0x", 5);
		dst = trc_text_put_hex(dst + 5, b->addr[r->i]);
		*dst++ = '\n';
	}
	return dst;
}

#define HELD (TRC_HAS_TYPE | TRC_HAS_ADDR)

const struct trc_format trc_family_ramulator[] = {
	{
	        .name = "ramulator-inst",
	        .base = 10,
	        .doc = "Ramulator 1 --mode=cpu, 2 SimpleO3: count, load, store",
	        .ending = ".ramulator-inst",
	        .holds = HELD | TRC_HAS_ITIME,
	        .needs = HELD,
	        .wants = TRC_HAS_ITIME,
	        .eases = "count,unfiltered",
	        .chained = true,
	        TRC_LINES("COUNT READ [WRITE]", .parse = inst_parse, .rows = 2),
	        .more = &(const struct trc_line_more){ .likely = inst_likely },
	        .print = &(const struct trc_print_format){ inst_print, 112, inst_end },
	        .chained_print = true,
	        .from = &inst_from,
	        .to = &inst_to,
	},
	{
	        .name = "ramulator-dram",
	        .base = 16,
	        .doc = "Ramulator 1 --mode=dram: address, R or W",
	        .ending = ".ramulator-dram",
	        .holds = HELD,
	        .needs = HELD,
	        TRC_LINES("ADDRESS R|W", .way = { dram_line, dram_scan, { { TRC_COL_ADDR, 16 } } }),
	        .print = &(const struct trc_print_format){ dram_print, 40, NULL },
	},
	{
	        .name = "ramulator2-ls",
	        .base = 10,
	        .doc = "Ramulator 2 LoadStoreTrace: LD or ST, address",
	        .ending = ".ramulator2-ls",
	        .holds = HELD,
	        .needs = HELD,
	        TRC_LINES("LD|ST ADDRESS", .way = { ls_line, ls_scan, { { TRC_COL_ADDR, 16 } } }),
	        .print = &(const struct trc_print_format){ ls_print, 40, NULL },
	},
	{ .name = NULL },
};
