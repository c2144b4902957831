/* SPDX-License-Identifier: MIT */
#include "format/csv/csv_guess.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "batch/type.h"
#include "format/csv/csv_assign.h"
#include "format/csv/csv_table.h"

enum {
	KEYED_MOST = 4, /* maximum fields of tables whose keys have no type in front, */
	WORDY = 8,      /* of tables that may be mostly words, */
	FEW = 6,        /* and of those that may have few columns */
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

/* Prints one column, from field `at`, with its unit. */
static void
put_column(const struct trc_csv_table *t, const struct trc_csv_values *v, enum trc_column c,
           unsigned at, char *dst, size_t room)
{
	const size_t n = strlen(dst);

	snprintf(dst + n, room - n, "%c%s=%u", n > 3 ? ',' : ':', trc_column[c].name, at + 1);
	if (c == TRC_COL_TYPE && !trc_csv_are_types(v))
		trc_csv_put(dst, room, ",read=0,write=1,fetch=2", v->most < 2 ? 15 : 23);
	else if (c == TRC_COL_TYPE)
		trc_csv_table_put_codes(t, at, dst, room);
	else if (v->hex == 0 || !trc_csv_is_number(v))
		trc_csv_table_put_factor(t, c, at, t->blocks >> c & 1, dst, room);
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
	static const enum trc_column order[] = { TRC_COL_TYPE, TRC_COL_TIME, TRC_COL_TASK,
		                                 TRC_COL_ASID, TRC_COL_PC,   TRC_COL_ADDR,
		                                 TRC_COL_VPN,  TRC_COL_SIZE };
	uint64_t used = 0;

	snprintf(dst, room, "csv");
	for (size_t i = 0; i < TRC_COUNT(order); i++) {
		const int k = at[order[i]];

		if (k < 0)
			continue;
		used |= UINT64_C(1) << k;
		put_column(t, &v[k], order[i], (unsigned)k, dst, room);
	}
	if (v[address_of(at)].binary)
		trc_csv_put(dst, room, ",binary", 7);
	else if ((trc_csv_is_number(&v[address_of(at)]) &&
	          (v[address_of(at)].hex || v[address_of(at)].padded)) ||
	         (at[TRC_COL_PC] >= 0 && v[at[TRC_COL_PC]].hex))
		trc_csv_put(dst, room, ",hex", 4);
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
		if (!isalnum(f.p[i]) && !strchr("-_./", f.p[i]))
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

/* Returns the first field that may be keys: of different texts after words for types, or else of
 * identifiers; -1: none. */
static int
find_key(const struct trc_csv_table *t, const struct trc_csv_values *v, unsigned fields, int type)
{
	const bool typed = type >= 0 && trc_csv_are_types(&v[type]);

	for (unsigned k = typed ? (unsigned)type + 1 : 0; k < fields; k++)
		if (!trc_csv_is_number(&v[k]) && v[k].dates < v[k].lines && v[k].lines > 1 &&
		    (typed ? !is_label(t, k) : is_identifier(t, k)))
			return (int)k;
	return -1;
}

/* Assigns keys, where nothing is an address. In tables without types a number after identifiers is
 * a size. Returns false if another separator may show addresses. */
static bool
assign_key(const struct trc_csv_table *t, const struct trc_csv_values *v, unsigned fields,
           int at[TRC_COLUMNS])
{
	const int addr = at[TRC_COL_ADDR], key = find_key(t, v, fields, at[TRC_COL_TYPE]);
	const bool sized = at[TRC_COL_TYPE] < 0 && addr > key && fields <= KEYED_MOST &&
	                   !v[addr].marked && !v[addr].hex && at[TRC_COL_SIZE] < 0;

	if (key < 0 || (addr >= 0 && !sized))
		return true;
	at[TRC_COL_ADDR] = key;
	if (sized)
		at[TRC_COL_SIZE] = addr;
	return t->keyed || sized;
}

/* Assigns the fields that follow their names, as in `addr=0x1000 size=4` and {"addr": 4096}: these
 * are right, whatever the values suggest; a value, if so called, is not a column. Returns a bit for
 * each such name. */
static uint64_t
assign_labelled(struct trc_csv_table *t, const struct trc_csv_values *v, unsigned fields,
                int at[TRC_COLUMNS])
{
	uint64_t labels = 0;

	t->blocks = 0;
	for (unsigned k = 1; k < fields && (t->by == TRC_CSV_ANY || t->by == ' '); k++) {
		const struct trc_field f = trc_csv_table_field(t, t->names, t->names_end, k - 1);
		bool blocks = false;
		const enum trc_column c = trc_csv_column_named(f, &blocks);
		const bool data = trc_csv_is_data(f);

		if ((c == TRC_COLUMNS && !data) || !is_label(t, k - 1) ||
		    (c == TRC_COL_TYPE ? !trc_csv_are_types(&v[k]) : !trc_csv_is_number(&v[k])))
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

/* The values in all fields of a table. */
struct looks {
	struct trc_csv_values v[TRC_CSV_ASSIGNED];
	unsigned fields;
};

/* Looks at all fields; there are none if they are too many. */
static void
look(struct trc_csv_table *t, unsigned fields, struct looks *l)
{
	*l = (struct looks){ .fields = 0 };
	t->typed = 0;
	trc_csv_table_find_prefix(t, fields);
	l->fields = trc_csv_table_look_all(t, fields, l->v);
}

static bool
guess_by_values(struct trc_csv_table *t, const struct looks *l, unsigned nth, struct trc_reading *r)
{
	const struct trc_csv_values *const v = l->v;
	const unsigned fields = l->fields;
	int at[TRC_COLUMNS];
	const struct trc_csv_values *addr;
	unsigned known = 0, columns = 0;
	uint64_t used, labels;

	if (fields == 0)
		return false;
	for (int c = 0; c < TRC_COLUMNS; c++)
		at[c] = -1;
	trc_csv_assign(v, fields, at);
	labels = assign_labelled(t, v, fields, at);
	if (!labels && !assign_key(t, v, fields, at))
		return false;
	if (labels && at[TRC_COL_ADDR] >= 0 && at[TRC_COL_VPN] >= 0)
		at[TRC_COL_VPN] = -1;
	/* Types may be in brackets: then any separator finds them. */
	if (at[TRC_COL_ADDR] < 0 || (labels && t->by == ' ' && at[TRC_COL_TYPE] < 0))
		return false;
	if (at[TRC_COL_SIZE] >= 0 && are_ends(t, v, at))
		at[TRC_COL_SIZE] = -1;
	if (nth == 0 && fields == 1 && guess_numbered(t, r))
		return true;
	addr = &v[at[TRC_COL_ADDR]];
	r->sure = nth == 0 && !t->typed && !t->keyed && !labels &&
	          (addr->hex || addr->binary || !addr->padded) && is_sure(t, v, fields, at);
	if (labels ? nth > 0 : !trc_csv_reassign(v, fields, nth, at))
		return false;
	snprintf(r->what, sizeof(r->what), "these are its fields");
	used = put_columns(t, v, fields, at, r->from, sizeof(r->from));
	for (unsigned k = 0; k < fields; k++) {
		if (!((used | labels) >> k & 1))
			trc_csv_table_leave_out(r, (struct trc_field){ NULL, 0 }, k,
			                        r->sure ? &v[k] : NULL);
		columns += used >> k & 1;
		known += used >> k & 1 || trc_csv_is_number(&v[k]) || is_label(t, k);
	}
	return labels || is_table(t, v, fields, known, columns, at);
}

/* Returns true if blanks in a line are between values as well as commas, one of which has 0x. */
static bool
has_blanks(struct trc_csv_table *t, const uint8_t *p, const uint8_t *e)
{
	struct trc_csv_table any = *t;
	bool marked = false;
	struct trc_field f;

	t->names_end = any.names_end = e;
	any.by = TRC_CSV_ANY;
	if (trc_csv_table_fields(&any) <= trc_csv_table_fields(t))
		return false;
	while ((f = trc_csv_next(&p, e, TRC_CSV_ANY)).p)
		marked |= trc_field_is_marked(f);
	return marked;
}

/* Returns true if two tabs are next to each other in [p, e). */
static bool
has_empty(const uint8_t *p, const uint8_t *e)
{
	while (p + 1 < e && !(p[0] == '\t' && p[1] == '\t'))
		p++;
	return p + 1 < e;
}

/* Sets by[] to the separators that may be those of the line [p, lf), the likeliest first, for its
 * numbers and for keys that are texts. */
static void
find_separators(struct trc_csv_table *t, const uint8_t *p, const uint8_t *lf, uint8_t by[4])
{
	const uint8_t sign = trc_csv_separator(p, lf);
	const bool there = memchr(p, sign, (size_t)(lf - p));

	t->by = sign;
	t->names_end = lf;
	if (sign == '\t' && trc_csv_table_fields(t) > 2 && !has_empty(p, lf))
		by[0] = sign;
	else if (!there || sign == '\t')
		by[0] = memchr(p, ':', (size_t)(lf - p)) ? TRC_CSV_ANY : ' ';
	else
		by[0] = sign == ',' && has_blanks(t, p, lf) ? TRC_CSV_ANY : sign;
	by[1] = by[3] = TRC_CSV_ANY;
	by[2] = there ? sign : ' ';
}

/* Appends the name of a field, which a separator divides from the one before. */
static bool
put_name(uint8_t by, const uint8_t *p, size_t len, char *dst, size_t room)
{
	const char between = by == TRC_CSV_ANY ? ' ' : (char)by;

	return (!*dst || trc_csv_put(dst, room, &between, 1)) &&
	       trc_csv_put(dst, room, (const char *)p, len);
}

/* Writes the names of as many fields as the comment right above the records has words, besides one
 * before a colon: "# Format: <type> <address>". */
static bool
take_comment(const struct trc_csv_table *t, unsigned fields, char *dst, size_t room)
{
	static const char between[] = " \t,;|<>[]()\r";
	const uint8_t *e = t->rows, *p = e;
	unsigned words = 0;

	while (p > t->file && (p == e || p[-1] != '\n'))
		p--;
	if (!*t->comment || (size_t)(e - p) < strlen(t->comment) ||
	    memcmp(p, t->comment, strlen(t->comment)) != 0)
		return false;
	for (p += strlen(t->comment), e--; p < e;) {
		const uint8_t *const word = p;

		while (p < e && *p && !strchr(between, *p))
			p++;
		if (p > word && p[-1] == ':' && words == 0) {
			p++;
			continue;
		}
		if (p > word && !put_name(t->by, word, (size_t)(p - word), dst, room))
			return false;
		words += p > word;
		p += p < e;
	}
	return words == fields;
}

/* Guesses by names in a comment. */
static bool
guess_by_comment(const struct trc_csv_table *values, unsigned fields, struct trc_reading *r)
{
	struct trc_csv_table t = *values;
	char names[512] = "";

	t.made = true;
	t.typed = 0;
	if (!take_comment(&t, fields, names, sizeof(names)))
		return false;
	t.names = (const uint8_t *)names;
	t.names_end = t.names + strlen(names);
	*r = (struct trc_reading){ .what = "" };
	if (!trc_csv_guess_by_names(&t, r))
		return false;
	r->sure = false;
	return true;
}

/* Guesses by values, unless these leave a doubt and there are names. Sets *any to whether there is
 * a first way. */
static bool
guess_fields(struct trc_csv_table *t, unsigned fields, unsigned nth, bool *any,
             struct trc_reading *r)
{
	struct trc_reading named;
	struct looks l;
	bool valued;

	look(t, fields, &l);
	*any = valued = guess_by_values(t, &l, 0, r);
	if ((!valued || !r->sure) && guess_by_comment(t, fields, &named)) {
		*any = true;
		*r = named;
		return nth == 0 || (valued && guess_by_values(t, &l, nth - 1, r));
	}
	return valued && (nth == 0 || guess_by_values(t, &l, nth, r));
}

/* Returns true if a field of the first line is not a number, which a key may not be. */
static bool
has_texts(const struct trc_csv_table *t)
{
	const uint8_t *p = t->names;
	struct trc_field f;
	uint64_t v;
	uint8_t type;

	while ((f = trc_csv_next(&p, t->names_end, t->by)).p)
		if (trc_csv_take_number(f, NULL, &v, NULL) == TRC_NUMBER_NONE &&
		    !trc_type_of((const char *)f.p, f.len, &type))
			return true;
	return false;
}

/* Processes a table whose first line is values. */
static bool
take_values(struct trc_csv_table *t, const uint8_t *p, size_t n, unsigned nth,
            struct trc_reading *r)
{
	const uint8_t *const end = p + n, *lf;
	uint8_t by[4];

	*t = (struct trc_csv_table){ .end = end };
	p = trc_csv_table_begin(t, trc_lines_pass_mark(p, end));
	lf = p ? memchr(p, '\n', (size_t)(end - p)) : NULL;
	if (!lf)
		return false;
	t->names = t->rows = p;
	find_separators(t, p, lf, by);
	for (size_t i = 0; i < TRC_COUNT(by); i++) {
		bool any, found;
		unsigned fields;

		t->by = by[i];
		t->keyed = i >= 2;
		t->names_end = trc_csv_line_end(t->comment, p, lf, t->by);
		fields = trc_csv_table_fields(t);
		if (t->keyed && !has_texts(t))
			continue;
		if (fields > TRC_CSV_ASSIGNED)
			continue;
		found = guess_fields(t, fields, nth, &any, r);
		if (any)
			return found;
	}
	return false;
}

/* Guesses by the values after unknown names. */
static bool
guess_behind_names(struct trc_csv_table *t, unsigned nth, struct trc_reading *r)
{
	const unsigned fields = trc_csv_table_fields(t);
	struct looks l;

	if (t->by == ' ' || fields > TRC_CSV_ASSIGNED)
		return false;
	look(t, fields, &l);
	if (!guess_by_values(t, &l, nth, r))
		return false;
	r->sure = false;
	return trc_csv_put(r->from, sizeof(r->from), ",header", 7);
}

bool
trc_csv_guess(const void *state, const uint8_t *p, size_t n, unsigned nth, struct trc_reading *r)
{
	struct trc_csv_table t;

	*r = (struct trc_reading){ .what = "these are its types" };
	if (state)
		return nth == 0 && trc_csv_put_codes(state, r->from, sizeof(r->from));
	/* `R 1862a498` could be two names. */
	if (!trc_csv_take_names(&t, p, n))
		return take_values(&t, p, n, nth, r);
	if (trc_csv_guess_by_names(&t, r))
		return nth == 0;
	if (guess_behind_names(&t, 0, r))
		return nth == 0 || guess_behind_names(&t, nth, r);
	return take_values(&t, p, n, nth, r);
}

/* Returns true if the first lines have the same number of fields, so that not every comma is one by
 * chance. */
static bool
same_fields(const uint8_t *p, const uint8_t *end, uint8_t by)
{
	size_t fields[3] = { 0, 0, 0 };

	for (size_t i = 0; i < TRC_COUNT(fields) && p < end; i++, p++)
		for (; p < end && *p != '\n'; p++)
			fields[i] += *p == by;
	return p == end || (fields[0] == fields[1] && fields[0] == fields[2]);
}

bool
trc_csv_suggest(const uint8_t *p, size_t n, char *dst, size_t room)
{
	const uint8_t *const end = p + n, *start, *table, *e;
	struct trc_reading r;
	/* All sorts of texts contain tabs. */
	const bool has_guess = trc_csv_guess(NULL, p, n, 0, &r);
	struct trc_csv_table t = { .end = end };
	unsigned fields = 0;
	uint8_t by;

	start = trc_lines_pass_mark(p, end);
	p = table = trc_csv_table_begin(&t, start);
	if (!p)
		return false;
	e = memchr(p, '\n', (size_t)(end - p));
	if (e && trc_csv_odd_name(p, e, dst, room)) {
		const size_t len = strlen(dst);

		snprintf(dst + len, room - len,
		         "; assign fields with --from csv:addr=NAME and so on");
		return true;
	}
	by = e ? trc_csv_separator(p, e) : ',';
	if (!has_guess && e && !same_fields(p, end, by))
		return false;
	for (; e && p < e; p++) {
		if (!isprint(*p) && *p != '\r' && *p != '\t')
			return false;
		fields += *p == by;
	}
	if (fields == 0 || (by == '\t' && !has_guess))
		return false;
	snprintf(dst, room,
	         "looks like %s-separated values; assign fields with --from csv:addr=NAME, or "
	         "csv:addr=N by number, and 'header' if the first line has names%s",
	         by == ';'  ? "semicolon" :
	         by == '\t' ? "tab" :
	                      "comma",
	         table > start ? "; remove the lines before it, if it has" : "");
	return true;
}
