/* SPDX-License-Identifier: MIT
 *
 * Guesses the fields of a table by their values.
 */
#include "format/csv/csv_guess.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "format/csv/csv_assign.h"
#include "format/csv/csv_table.h"

enum {
	KEYED_MOST = 4, /* maximum fields of tables whose keys have no type in front, */
	WORDY = 8,      /* of tables that may be mostly words, */
	FEW = 6,        /* and of those that may have few columns */
	BLOCK = 512,    /* bytes of a disk block */
};

/* Returns the base of numbers without 0x; 0: it need not be given. */
static unsigned
base_of(const struct trc_csv_values *v)
{
	return v->binary ? 2 : v->hex > 0 ? 16 : 0;
}

/* Returns true if only these fields are plausible; then removes those with a single value from
 * *at. */
static bool
is_sure(const struct trc_csv_table *t, const struct trc_csv_values *v, unsigned fields,
        int at[TRC_COLUMNS])
{
	int sure[TRC_COLUMNS];
	struct trc_csv_sample s;

	memcpy(sure, at, sizeof(sure));
	s.n = trc_csv_table_numbers(t, at[TRC_COL_ADDR], base_of(&v[at[TRC_COL_ADDR]]), s.addr);
	if (at[TRC_COL_SIZE] >= 0 && trc_csv_table_numbers(t, at[TRC_COL_SIZE], 0, s.size) != s.n)
		return false;
	if (!trc_csv_is_sure(v, fields, &s, sure) || !trc_csv_table_is_even(t, fields))
		return false;
	memcpy(at, sure, sizeof(sure));
	return true;
}

/* Returns true if the sizes are rather the ends of ranges: each is at least the address, and most
 * are close to it. */
static bool
are_ends(const struct trc_csv_table *t, const struct trc_csv_values *v, const int at[TRC_COLUMNS])
{
	enum { LEAST = 4, CLOSE = 4 };
	struct trc_csv_sample s;
	size_t close = 0;

	s.n = trc_csv_table_numbers(t, at[TRC_COL_ADDR], base_of(&v[at[TRC_COL_ADDR]]), s.addr);
	if (s.n < LEAST || trc_csv_table_numbers(t, at[TRC_COL_SIZE], 0, s.size) != s.n)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (s.size[i] < s.addr[i])
			return false;
		close += (s.size[i] - s.addr[i]) < s.addr[i] / CLOSE;
	}
	return close * 2 > s.n;
}

/* If the addresses are rather the words of the instructions at the pcs, makes them that, and the
 * pcs the addresses of fetches. */
static void
find_words(const struct trc_csv_table *t, const struct trc_csv_values *v, int at[TRC_COLUMNS])
{
	const int pc = at[TRC_COL_PC], addr = at[TRC_COL_ADDR];
	struct trc_csv_sample s;

	if (pc < 0 || at[TRC_COL_TYPE] >= 0)
		return;
	s.n = trc_csv_table_numbers(t, pc, base_of(&v[pc]), s.addr);
	if (trc_csv_table_numbers(t, addr, base_of(&v[addr]), s.size) != s.n ||
	    !trc_csv_are_words(&s))
		return;
	at[TRC_COL_INSN] = addr;
	at[TRC_COL_ADDR] = pc;
	at[TRC_COL_PC] = at[TRC_COL_SIZE] = -1;
}

/* Notes that sizes are ends; removes those whose last byte is not certain. What would be pcs before
 * addresses are addresses, if these are last bytes: no instruction loads only such. */
static void
find_ends(struct trc_csv_table *t, const struct trc_csv_values *v, int at[TRC_COLUMNS])
{
	const int pc = at[TRC_COL_PC], addr = at[TRC_COL_ADDR];

	t->ends = NULL;
	if (at[TRC_COL_SIZE] >= 0 &&
	    (are_ends(t, v, at) ||
	     trc_csv_is_end(
	             trc_csv_table_field(t, t->names, t->names_end, (unsigned)at[TRC_COL_SIZE])))) {
		t->ends = trc_csv_table_ends(t, addr, at[TRC_COL_SIZE], base_of(&v[addr]),
		                             TRC_CSV_LEAST);
		at[TRC_COL_SIZE] = t->ends ? at[TRC_COL_SIZE] : -1;
	} else if (pc >= 0 && addr == pc + 1 && at[TRC_COL_SIZE] < 0) {
		t->ends = trc_csv_table_ends(t, pc, addr, base_of(&v[addr]), TRC_CSV_LEAST);
		if (!t->ends || *t->ends != 'l') {
			t->ends = NULL;
			return;
		}
		at[TRC_COL_PC] = -1;
		at[TRC_COL_ADDR] = pc;
		at[TRC_COL_SIZE] = addr;
	}
}

/* Recognises a table with one field of block numbers, which are pages. */
static bool
guess_numbered(const struct trc_csv_table *t, struct trc_reading *r)
{
	struct trc_csv_numbered seen = { 0 };
	const uint8_t *row = t->rows, *p, *e;
	uint64_t v;

	while (trc_csv_table_next(t, &row, &p, &e))
		if (p < e &&
		    !(trc_field_dec((struct trc_field){ p, (size_t)(e - p) }, UINT64_MAX, &v) &&
		      trc_csv_note_numbered(&seen, v)))
			return false;
	if (!trc_csv_is_numbered(&seen))
		return false;
	snprintf(r->what, sizeof(r->what),
	         "these are its fields; numbers in order of first use, taken as pages");
	snprintf(r->from, sizeof(r->from), "csv:vpn=1");
	return r->sure = true;
}

/* Prints the unit of times and, if they are days, the times of day that belong to them. Returns a
 * bit for the field of these. */
static uint64_t
put_time(const struct trc_csv_table *t, unsigned at, char *dst, size_t room)
{
	const size_t n = strlen(dst);
	const unsigned fields = trc_csv_table_fields(t);
	char unit[16];

	trc_csv_table_put_factor(t, TRC_COL_TIME, at, false, dst, room);
	for (unsigned k = 0; k < fields; k++)
		if (trc_csv_table_day_of(t, k) == (int)at) {
			trc_csv_table_put_factor(t, TRC_COL_TIME, k, false, dst, room);
			snprintf(unit, sizeof(unit), "%s", dst + n);
			snprintf(dst + n, room - n, "%s+%u%s", unit, k + 1, unit);
			return UINT64_C(1) << k;
		}
	return 0;
}

/* Prints one column, from field `at`, with its unit. Returns a bit for each field of it. */
static uint64_t
put_column(const struct trc_csv_table *t, const struct trc_csv_values *v, enum trc_column c,
           unsigned at, char *dst, size_t room)
{
	const size_t n = strlen(dst);

	snprintf(dst + n, room - n, "%c%s=%u", n > 3 ? ',' : ':',
	         c == TRC_COL_SIZE && t->ends ? t->ends :
	         c == TRC_COL_BRANCH          ? "taken" :
	                                        trc_column[c].name,
	         at + 1);
	if (c == TRC_COL_TYPE && !trc_csv_are_types(v))
		trc_csv_put(dst, room, ",read=0,write=1,fetch=2", v->most < 2 ? 15 : 23);
	else if (c == TRC_COL_TYPE)
		trc_csv_table_put_codes(t, at, dst, room);
	else if (c == TRC_COL_TIME)
		return UINT64_C(1) << at | put_time(t, at, dst, room);
	else if (v->hex == 0 || !trc_csv_is_number(v))
		trc_csv_table_put_factor(t, c, at, t->blocks >> c & 1, dst, room);
	return UINT64_C(1) << at;
}

/* The field of addresses, or of pages. */
static int
address_of(const int at[TRC_COLUMNS])
{
	return at[TRC_COL_ADDR] >= 0 ? at[TRC_COL_ADDR] : at[TRC_COL_VPN];
}

/* Prints all columns, and how lines are read. Returns a bit for each field that is a column. */
static uint64_t
put_columns(const struct trc_csv_table *t, const struct trc_csv_values *v, unsigned fields,
            const int at[TRC_COLUMNS], char *dst, size_t room)
{
	static const enum trc_column order[] = { TRC_COL_TYPE,  TRC_COL_TIME, TRC_COL_TASK,
		                                 TRC_COL_ASID,  TRC_COL_PC,   TRC_COL_ADDR,
		                                 TRC_COL_VPN,   TRC_COL_SIZE, TRC_COL_INSN,
		                                 TRC_COL_BRANCH };
	uint64_t used = 0;

	snprintf(dst, room, "csv");
	for (size_t i = 0; i < TRC_COUNT(order); i++) {
		const int k = at[order[i]];

		if (k < 0)
			continue;
		used |= put_column(t, &v[k], order[i], (unsigned)k, dst, room);
	}
	if (v[address_of(at)].binary)
		trc_csv_put(dst, room, ",binary", 7);
	else if ((trc_csv_is_number(&v[address_of(at)]) &&
	          (v[address_of(at)].hex || v[address_of(at)].padded)) ||
	         (at[TRC_COL_PC] >= 0 && v[at[TRC_COL_PC]].hex))
		trc_csv_put(dst, room, ",hex", 4);
	if (at[TRC_COL_INSN] >= 0)
		trc_csv_put(dst, room, ",fetches", 8);
	if (fields > 1)
		trc_csv_table_put(t, dst, room);
	return used;
}

/* Returns true if a table is more than lines that happen to have a number. */
static bool
is_table(const struct trc_csv_table *t, const struct trc_csv_values *v, unsigned fields,
         unsigned known, unsigned used, const int at[TRC_COLUMNS])
{
	const struct trc_csv_values *addr = &v[address_of(at)];
	const int type = at[TRC_COL_TYPE];

	if (type >= 0 && trc_csv_are_types(&v[type]))
		return t->by == ',' || 2 * known > fields || addr->marked || addr->hex;
	return trc_csv_table_is_even(t, fields) &&
	       (t->by == ',' || 2 * known > fields || (addr->marked && fields <= WORDY)) &&
	       (t->by == ',' || 2 * used >= fields || fields <= FEW);
}

/* Returns true if field `at` is the same word in all lines. */
static bool
is_label(const struct trc_csv_table *t, unsigned at)
{
	const uint8_t *row = t->rows, *p, *e;
	struct trc_field first = { NULL, 0 };

	while (trc_csv_table_next(t, &row, &p, &e)) {
		const struct trc_field f = trc_csv_unquote(trc_csv_table_field(t, p, e, at));

		first = first.p ? first : f;
		if (f.len == 0 || f.len != first.len || memcmp(f.p, first.p, f.len) != 0)
			return false;
	}
	return first.p && isalpha(*first.p);
}

/* Returns true if a text has a digit, as words have not, and no separator. */
static bool
has_digit(struct trc_field f)
{
	bool digit = false;

	for (size_t i = 0; i < f.len; i++) {
		if (!isalnum(f.p[i]) && !strchr("-_./:", f.p[i]))
			return false;
		digit |= isdigit(f.p[i]) != 0;
	}
	return digit;
}

/* Returns true if field `at` is identifiers: many different texts with digits. */
static bool
is_identifier(const struct trc_csv_table *t, unsigned at)
{
	const uint8_t *row = t->rows, *p, *e;
	struct trc_field seen[TRC_CSV_FEW];
	unsigned n = 0;

	while (trc_csv_table_next(t, &row, &p, &e)) {
		const struct trc_field f = trc_csv_table_field(t, p, e, at);
		unsigned i = 0;

		if (p == e)
			continue;
		if (!has_digit(f))
			return false;
		while (i < n && (seen[i].len != f.len || memcmp(seen[i].p, f.p, f.len) != 0))
			i++;
		if (i == TRC_CSV_FEW)
			return true;
		seen[i] = f;
		n += i == n;
	}
	return false;
}

/* The values in all fields of a table, and a bit for each field that is the same word in all
 * lines. */
struct fields {
	struct trc_csv_values v[TRC_CSV_ASSIGNED];
	uint64_t words;
	unsigned n; /* 0: too many */
};

/* Returns the first field that may be keys: of different texts after words for types, or else of
 * identifiers; -1: none. */
static int
find_key(const struct trc_csv_table *t, const struct fields *f, int type)
{
	const struct trc_csv_values *const v = f->v;
	const bool typed = type >= 0 && trc_csv_are_types(&v[type]);

	for (int after = typed; after >= 0; after--)
		for (unsigned k = after ? (unsigned)type + 1 : 0; k < f->n; k++)
			if (!trc_csv_is_number(&v[k]) && v[k].dates < v[k].lines &&
			    v[k].lines > 1 && (after ? !(f->words >> k & 1) : is_identifier(t, k)))
				return (int)k;
	return -1;
}

/* Assigns URLs, which are keys whatever else there is. In tables of few fields a number after them
 * is a size. */
static bool
assign_url(const struct trc_csv_table *t, const struct fields *f, int at[TRC_COLUMNS])
{
	const int url = trc_csv_find_url(t, f->n), addr = at[TRC_COL_ADDR];

	if (url < 0)
		return false;
	if (at[TRC_COL_TIME] < 0 && addr >= 0 && addr < url && trc_csv_is_time(&f->v[addr]))
		at[TRC_COL_TIME] = addr;
	at[TRC_COL_ADDR] = url;
	at[TRC_COL_SIZE] = addr > url && f->n <= KEYED_MOST ? addr : -1;
	at[TRC_COL_ASID] = at[TRC_COL_TASK] = at[TRC_COL_PC] = at[TRC_COL_VPN] = -1;
	return true;
}

/* Returns true if a number after identifiers is not an address: it is not like an offset in a file,
 * in whole blocks, and in tables with types the last one. */
static bool
is_beside_key(const struct trc_csv_table *t, const struct fields *f, unsigned key,
              const int at[TRC_COLUMNS])
{
	const struct trc_csv_values *const v = &f->v[at[TRC_COL_ADDR]];
	const bool typed = at[TRC_COL_TYPE] >= 0;

	return f->n <= (typed ? FEW : KEYED_MOST) && !v->marked && !v->hex &&
	       is_identifier(t, key) &&
	       (at[TRC_COL_SIZE] < 0 || (!typed && v->bits % BLOCK != 0)) &&
	       !(typed && v->bits % BLOCK == 0);
}

/* Assigns keys, where nothing is an address. A number after identifiers is a size, if it may be
 * one. Returns false if another separator may show addresses. */
static bool
assign_key(const struct trc_csv_table *t, const struct fields *f, int at[TRC_COLUMNS])
{
	static const struct trc_csv_values text = { 0 };
	const int addr = at[TRC_COL_ADDR], key = find_key(t, f, at[TRC_COL_TYPE]);
	const bool beside = key >= 0 && addr > key && is_beside_key(t, f, (unsigned)key, at);

	if (key < 0 || (addr >= 0 && !beside))
		return true;
	at[TRC_COL_ADDR] = key;
	if (beside)
		at[TRC_COL_SIZE] = trc_csv_is_size(&f->v[addr], &text) ? addr : -1;
	return t->keyed || beside;
}

/* Assigns the fields that follow their names, as in `addr=0x1000 size=4` and {"addr": 4096}: these
 * are right, whatever the values suggest; a value, if so called, is not a column. Returns a bit for
 * each such name. */
static uint64_t
assign_labelled(struct trc_csv_table *t, const struct fields *f, int at[TRC_COLUMNS])
{
	uint64_t labels = 0;

	t->blocks = 0;
	for (unsigned k = 1; k < f->n && (t->by == TRC_CSV_ANY || t->by == ' '); k++) {
		const struct trc_field name = trc_csv_table_field(t, t->names, t->names_end, k - 1);
		bool blocks = false;
		const enum trc_column c = trc_csv_column_named(name, &blocks);
		const bool data = trc_csv_is_data(name);

		if ((c == TRC_COLUMNS && !data) || !(f->words >> (k - 1) & 1) ||
		    (c == TRC_COL_TYPE ? !trc_csv_are_types(&f->v[k]) :
		                         !trc_csv_is_number(&f->v[k])))
			continue;
		for (int other = 0; other < TRC_COLUMNS; other++)
			if (at[other] == (int)k)
				at[other] = -1;
		if (!data)
			at[c] = (int)k;
		t->blocks |= (uint32_t)(blocks && !data) << c;
		labels |= UINT64_C(1) << (k - 1);
	}
	return labels;
}

static void
look(struct trc_csv_table *t, unsigned fields, struct fields *f)
{
	*f = (struct fields){ .n = 0 };
	t->typed = 0;
	trc_csv_table_find_prefix(t, fields);
	f->n = trc_csv_table_look_all(t, fields, f->v);
	for (unsigned k = 0; k < f->n; k++)
		f->words |= (uint64_t)is_label(t, k) << k;
}

/* Assigns columns to fields, by their labels, which *labels has the bits of, or their values.
 * Returns false if none is an address. */
static bool
assign(struct trc_csv_table *t, const struct fields *f, int at[TRC_COLUMNS], uint64_t *labels)
{
	for (int c = 0; c < TRC_COLUMNS; c++)
		at[c] = -1;
	trc_csv_assign(f->v, f->n, at);
	*labels = assign_labelled(t, f, at);
	/* Numbers without a name in JSON are elements of lists. */
	for (int c = 0; c < TRC_COLUMNS && trc_csv_is_json(t->names, t->end); c++)
		if (at[c] >= 0 && c != TRC_COL_TYPE && !(at[c] > 0 && *labels >> (at[c] - 1) & 1))
			at[c] = -1;
	if (!assign_url(t, f, at) && !*labels && !assign_key(t, f, at))
		return false;
	if (*labels && at[TRC_COL_ADDR] >= 0)
		at[TRC_COL_VPN] = -1;
	/* After another type there is another record. Types may be in brackets: then any separator
	 * finds them. */
	for (int k = at[TRC_COL_PC] + 1; at[TRC_COL_PC] > 0 && k < at[TRC_COL_ADDR]; k++)
		if (trc_csv_are_types(&f->v[k]) && at[TRC_COL_TYPE] < at[TRC_COL_PC])
			return false;
	if (at[TRC_COL_ADDR] < 0 || (*labels && t->by == ' ' && at[TRC_COL_TYPE] < 0))
		return false;
	find_words(t, f->v, at);
	find_ends(t, f->v, at);
	return true;
}

/* Sets *r to this assignment; returns false if it shows no table. */
static bool
put_reading(const struct trc_csv_table *t, const struct fields *f, const int at[TRC_COLUMNS],
            uint64_t labels, struct trc_reading *r)
{
	const uint64_t used = put_columns(t, f->v, f->n, at, r->from, sizeof(r->from));
	unsigned known = 0, columns = 0;

	snprintf(r->what, sizeof(r->what), "%s",
	         at[TRC_COL_BRANCH] >= 0 ? "these are branches, taken or not" :
	         at[TRC_COL_INSN] >= 0   ? "these are instructions and their words" :
	                                   "these are its fields");
	for (unsigned k = 0; k < f->n; k++) {
		const bool is_used = used >> k & 1;

		if (!is_used && !(labels >> k & 1))
			trc_csv_table_leave_out(r, (struct trc_field){ NULL, 0 }, k,
			                        r->sure ? &f->v[k] : NULL);
		columns += is_used;
		known += is_used || trc_csv_is_number(&f->v[k]) || f->words >> k & 1;
	}
	return labels || is_table(t, f->v, f->n, known, columns, at);
}

unsigned
trc_csv_guess_by_values(struct trc_csv_table *t, unsigned fields,
                        struct trc_reading r[TRC_READINGS])
{
	int first[TRC_COLUMNS], at[TRC_COLUMNS];
	const struct trc_csv_values *addr;
	struct fields f;
	uint64_t labels;
	unsigned n;

	look(t, fields, &f);
	if (f.n == 0 || !assign(t, &f, first, &labels))
		return 0;
	addr = &f.v[first[TRC_COL_ADDR]];
	n = f.n == 1 && guess_numbered(t, r);
	for (; n < (labels ? 1 : TRC_READINGS); n++) {
		memcpy(at, first, sizeof(at));
		r[n] = (struct trc_reading){
			.sure = n == 0 && !t->typed && !t->keyed && !labels && !t->ends &&
			        (addr->hex || addr->binary || !addr->padded) &&
			        is_sure(t, f.v, f.n, at),
		};
		if ((!labels && !trc_csv_reassign(f.v, f.n, n, at)) ||
		    !put_reading(t, &f, at, labels, &r[n]))
			break;
	}
	return n;
}
