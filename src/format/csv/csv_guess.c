/* SPDX-License-Identifier: MIT */
#include "format/csv/csv_guess.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "format/csv/csv_assign.h"
#include "format/csv/csv_names.h"

enum {
	LINES_SEEN = 1000,
	NAME_MOST = 24,
};

/* What fields are called, in small letters and digits, the likelier first; in blocks of 512 bytes
 * behind an asterisk. */
static const struct {
	enum trc_column column;
	const char *names;
} known[] = {
	{ TRC_COL_TIME,
	  "time timestamp ts clocktime arrivaltime arrival issuetime requesttime reqtime "
	  "starttime optime timestampus timestampns timestampms timeus timens timems timesec "
	  "clock cycle cycles date datetime when " },
	{ TRC_COL_ADDR, "addr address offset byteoffset startoffset lba* lbn* startlba* sector* "
	                "startsector* sectorno* lsn* blkno* blocknumber* blocknum* block* objid "
	                "objectid object obj key objkey "
	                "objectkey cachekey itemid blockid id url " },
	{ TRC_COL_SIZE,
	  "size len length bytes nbytes iosize reqsize requestsize transfersize objsize "
	  "objectsize valuesize sz blocks* nblocks* numblocks* sectors* nsectors* "
	  "numsectors* blkcnt* " },
	{ TRC_COL_TYPE, "type op opcode iotype rw operation cmd command optype reqtype requesttype "
	                "direction dir rwflag " },
	{ TRC_COL_TASK, "tid thread threadid task taskid " },
	{ TRC_COL_PC, "pc ip rip eip instructionpointer programcounter insnaddr " },
	{ TRC_COL_ASID,
	  "pid process processid asid deviceid volumeid volume diskid disknumber disk device "
	  "dev asu vol lun hostname host node server "
	  "namespace " },
};

/* The table: its names, and lines behind them. */
struct table {
	const uint8_t *names, *names_end, *rows, *end;
	uint8_t by;
	const char *comment; /* what begins lines to pass over; "": nothing */
};

/* Small letters and digits of a name, for comparison. */
static void
simplify(struct trc_field f, char name[NAME_MOST])
{
	size_t n = 0;

	f = trc_csv_unquote(f);
	for (size_t i = 0; i < f.len && n + 1 < NAME_MOST; i++)
		if (isalnum(f.p[i]))
			name[n++] = (char)tolower(f.p[i]);
	name[n] = 0;
}

/* Field `at`, from 0, of the line [p, e). */
static struct trc_field
field_at(const struct table *t, const uint8_t *p, const uint8_t *e, unsigned at)
{
	struct trc_field f = trc_csv_next(&p, e, t->by);

	for (; f.p && at > 0; at--)
		f = trc_csv_next(&p, e, t->by);
	return f.p ? trc_csv_unquote(f) : f;
}

static bool
begins(const uint8_t *p, const uint8_t *e, const char *comment)
{
	const size_t len = strlen(comment);

	return len > 0 && (size_t)(e - p) >= len && memcmp(p, comment, len) == 0;
}

/* Behind the comments at `p`, or NULL if nothing is there; notes what begins them. */
static const uint8_t *
pass_comments(struct table *t, const uint8_t *p)
{
	static const char *const all[] = { "#", "//", "%", ";", "*" };

	t->comment = "";
	for (size_t i = 0; i < TRC_COUNT(all) && !*t->comment; i++)
		if (begins(p, t->end, all[i]))
			t->comment = all[i];
	while (p && begins(p, t->end, t->comment)) {
		p = memchr(p, '\n', (size_t)(t->end - p));
		p = p ? p + 1 : NULL;
	}
	return p;
}

/* What has to be given for lines: what is between fields, and which are passed over. */
static void
put_lines(const struct table *t, char *dst, size_t room)
{
	const size_t n = strlen(dst);

	snprintf(dst + n, room - n, "%s%s%s",
	         t->by == ' '         ? ",separator=blank" :
	         t->by == TRC_CSV_ANY ? ",separator=any" :
	                                "",
	         *t->comment ? ",comment=" : "", t->comment);
}

/* The line [*p, *e) at *at, which moves behind it; false if there is none, or it is cut. */
static bool
next_row(const struct table *t, const uint8_t **at, const uint8_t **p, const uint8_t **e)
{
	const uint8_t *lf;

	do {
		lf = *at < t->end ? memchr(*at, '\n', (size_t)(t->end - *at)) : NULL;
		if (!lf)
			return false;
		*p = *at;
		*e = trc_csv_end(*p, lf, t->by);
		*at = lf + 1;
	} while (begins(*p, *e, t->comment));
	return true;
}

/* Finds the field called so, a name of `known` with its length; -1: none. */
static int
find_name(const struct table *t, const char *want, size_t len)
{
	const uint8_t *p = t->names;
	struct trc_field f;
	char name[NAME_MOST];

	for (int at = 0; (f = trc_csv_next(&p, t->names_end, t->by)).p; at++) {
		simplify(f, name);
		if (strlen(name) == len && memcmp(name, want, len) == 0)
			return at;
	}
	return -1;
}

/* The field that column `k` of `known` is; *blocks: in blocks. */
static int
find_field(const struct table *t, size_t k, bool *blocks)
{
	for (const char *p = known[k].names; *p;) {
		const size_t len = strcspn(p, "* ");
		const int at = find_name(t, p, len);

		*blocks = p[len] == '*';
		if (at >= 0)
			return at;
		p += len + *blocks + 1;
	}
	return -1;
}

/* Digits behind the point that the numbers of a field have, at most; -1 if some are no numbers. */
static int
decimals(const struct table *t, unsigned at)
{
	const uint8_t *row = t->rows, *p, *e;
	int most = 0;

	for (int i = 0; i < LINES_SEEN && next_row(t, &row, &p, &e); i++) {
		const struct trc_field f = field_at(t, p, e, at);
		unsigned tens = 0;
		uint64_t v;

		if (!f.p || f.len == 0)
			continue;
		switch (trc_csv_take_number(f, &(struct trc_csv_unit){ .time = true }, &v, &tens)) {
		case TRC_NUMBER_NONE: return -1;
		case TRC_NUMBER_BROKEN: most = (int)tens > most ? (int)tens : most; break;
		default: break;
		}
	}
	return most;
}

/* What stands in the field of types, as far as it is no type. */
static void
put_codes_of(const struct table *t, unsigned at, char *dst, size_t room)
{
	struct trc_csv_fields s = { .n = 0 };
	const uint8_t *row = t->rows, *p, *e;
	uint8_t type;

	for (int i = 0; i < LINES_SEEN && next_row(t, &row, &p, &e); i++) {
		const struct trc_field f = field_at(t, p, e, at);

		if (!f.p)
			continue;
		if (trc_csv_take_type(&s.codes, f, &type))
			s.known = true;
		else
			trc_csv_note_unknown(&s, f);
	}
	(void)trc_csv_put_codes(&s, dst, room);
}

/* A factor for what stands in a field, as it is in blocks or has decimals. */
static void
put_factor(const struct table *t, enum trc_column c, unsigned at, bool blocks, char *dst,
           size_t room)
{
	const int digits = decimals(t, at);
	char text[16];

	if (blocks)
		trc_csv_put(dst, room, "*512", 4);
	if (c == TRC_COL_TIME && digits > 0) {
		snprintf(text, sizeof(text), "*1e%d", digits < 6 ? 6 : digits);
		trc_csv_put(dst, room, text, strlen(text));
	}
	if (c == TRC_COL_ADDR && digits < 0)
		trc_csv_put(dst, room, ",hash", 5);
}

/* One column, with its field by its name, which is noted in *used. */
static bool
put_column(const struct table *t, size_t k, uint64_t *used, char *dst, size_t room)
{
	const enum trc_column c = known[k].column;
	const char *name = trc_column[c].name;
	struct trc_field f;
	bool blocks, text;
	const int at = find_field(t, k, &blocks);

	if (at < 0 || *used >> at & 1)
		return false;
	text = c != TRC_COL_TYPE && decimals(t, (unsigned)at) < 0;
	if (text && c == TRC_COL_ASID)
		name = "space";
	else if (text && c != TRC_COL_ADDR)
		return false;
	trc_csv_put(dst, room, dst[strlen(dst) - 1] == ':' ? "" : ",", dst[strlen(dst) - 1] != ':');
	trc_csv_put(dst, room, name, strlen(name));
	trc_csv_put(dst, room, "=", 1);
	*used |= UINT64_C(1) << at;
	f = field_at(t, t->names, t->names_end, (unsigned)at);
	trc_csv_put(dst, room, (const char *)f.p, f.len);
	if (c == TRC_COL_TYPE)
		put_codes_of(t, (unsigned)at, dst, room);
	else
		put_factor(t, c, (unsigned)at, blocks, dst, room);
	return true;
}

/* Whether the first line is names, and no values: nothing in it is a number. */
static bool
take_names(struct table *t, const uint8_t *p, size_t n)
{
	const uint8_t *const end = p + n;
	unsigned fields = 0;
	struct trc_field f;
	uint64_t v;

	*t = (struct table){ .end = end };
	p = pass_comments(t, trc_lines_pass_mark(p, end));
	t->names = p;
	t->rows = p ? memchr(p, '\n', (size_t)(end - p)) : NULL;
	if (!t->rows)
		return false;
	t->by = trc_csv_separator(p, t->rows);
	if (!memchr(p, t->by, (size_t)(t->rows - p)))
		t->by = ' ';
	t->names_end = trc_csv_end(p, t->rows++, t->by);
	for (; (f = trc_csv_next(&p, t->names_end, t->by)).p; fields++) {
		f = trc_csv_unquote(f);
		/* That of the index of pandas is empty. */
		if ((f.len == 0 && fields > 0) || f.len >= 40 || fields == TRC_CSV_FIELDS_MOST ||
		    trc_csv_take_number(f, NULL, &v, NULL) != TRC_NUMBER_NONE)
			return false;
		for (size_t i = 0; i < f.len; i++)
			if (!isalnum(f.p[i]) && !strchr("_-. #()/", f.p[i]))
				return false;
	}
	return fields > 1;
}

/* Adds a field that is left out to the description of the reading. */
static void
leave_out(struct trc_reading *r, struct trc_field name, unsigned at)
{
	const size_t len = strlen(r->what), room = sizeof(r->what) - 4;
	const char *before = strstr(r->what, "; left out: ") ? ", " : "; left out: ";
	char text[64];

	if (name.len)
		snprintf(text, sizeof(text), "%.*s", (int)name.len, (const char *)name.p);
	else
		snprintf(text, sizeof(text), "field %u", at + 1);
	if (len + strlen(before) + strlen(text) < room)
		snprintf(r->what + len, sizeof(r->what) - len, "%s%s", before, text);
	else if (strcmp(r->what + len - 3, "...") != 0)
		snprintf(r->what + len, sizeof(r->what) - len, "...");
}

static bool
guess_by_names(const struct table *t, struct trc_reading *r)
{
	const uint8_t *p = t->names;
	struct trc_field f;
	uint64_t used = 0;

	snprintf(r->from, sizeof(r->from), "csv:");
	for (size_t k = 0; k < TRC_COUNT(known); k++)
		put_column(t, k, &used, r->from, sizeof(r->from));
	snprintf(r->what, sizeof(r->what), "these are its fields");
	for (unsigned at = 0; (f = trc_csv_next(&p, t->names_end, t->by)).p; at++)
		if (!(used >> at & 1))
			leave_out(r, trc_csv_unquote(f), at);
	put_lines(t, r->from, sizeof(r->from));
	return strstr(r->from, "addr=") != NULL;
}

/* What the values of a field are in all lines. */
static struct trc_csv_values
look_at(const struct table *t, unsigned at)
{
	static const struct trc_codes none = { .n = 0 };
	const uint8_t *row = t->rows, *p, *e;
	struct trc_csv_values v = { .rises = true, .powers = true };

	for (int i = 0; i < LINES_SEEN && next_row(t, &row, &p, &e); i++) {
		const struct trc_field f = field_at(t, p, e, at);
		enum trc_number_kind kind;
		uint64_t n = 0, rank;
		uint8_t type;

		if (p == e)
			continue;
		v.lines++;
		if (!f.p || f.len == 0)
			continue;
		v.types += trc_csv_take_type(&none, f, &type);
		v.marked += f.len > 2 && (f.p[1] | 0x20) == 'x' && trc_field_hex(f, UINT64_MAX, &n);
		if (trc_field_dec(f, UINT64_MAX, &n))
			v.decimals++;
		else if (trc_field_hex(f, UINT64_MAX, &n))
			v.hex++;
		else if ((kind = trc_csv_take_number(f, NULL, &n, NULL)) != TRC_NUMBER_NONE)
			*(kind == TRC_NUMBER_WHOLE ? &v.decimals : &v.broken) += 1;
		else
			v.dates += trc_csv_take_number(f, &(struct trc_csv_unit){ .time = true },
			                               &n, NULL) != TRC_NUMBER_NONE;
		/* In millionths, for decimals. */
		if (trc_csv_take_number(f, &(struct trc_csv_unit){ 1000000, 1, true }, &rank,
		                        NULL) != TRC_NUMBER_WHOLE)
			rank = n;
		trc_csv_note_value(&v, n);
		v.rises &= rank >= v.last;
		v.first = v.lines == 1 ? rank : v.first;
		v.last = rank;
		v.most = n > v.most ? n : v.most;
	}
	return v;
}

static bool
guess_by_values(struct table *t, unsigned fields, struct trc_reading *r)
{
	static const enum trc_column order[] = { TRC_COL_TYPE, TRC_COL_TIME, TRC_COL_TASK,
		                                 TRC_COL_ASID, TRC_COL_PC,   TRC_COL_ADDR,
		                                 TRC_COL_SIZE };
	struct trc_csv_values v[TRC_CSV_ASSIGNED];
	int at[TRC_COLUMNS];
	unsigned known_fields = 0;
	uint64_t used = 0;
	size_t n;

	for (unsigned k = 0; k < fields; k++)
		v[k] = look_at(t, k);
	for (int c = 0; c < TRC_COLUMNS; c++)
		at[c] = -1;
	trc_csv_assign(v, fields, at);
	if (at[TRC_COL_ADDR] < 0)
		return false;
	snprintf(r->what, sizeof(r->what), "these are its fields");
	n = (size_t)snprintf(r->from, sizeof(r->from), "csv");
	for (size_t i = 0; i < TRC_COUNT(order); i++) {
		const enum trc_column c = order[i];

		if (at[c] < 0)
			continue;
		used |= UINT64_C(1) << at[c];
		n += (size_t)snprintf(r->from + n, sizeof(r->from) - n, "%c%s=%d",
		                      n > 3 ? ',' : ':', trc_column[c].name, at[c] + 1);
		if (c == TRC_COL_TYPE && v[at[c]].types == 0)
			trc_csv_put(r->from, sizeof(r->from), ",read=0,write=1,fetch=2",
			            v[at[c]].most < 2 ? 15 : 23);
		else if (c == TRC_COL_TYPE)
			put_codes_of(t, (unsigned)at[c], r->from, sizeof(r->from));
		else if (v[at[c]].hex == 0)
			put_factor(t, c, (unsigned)at[c], false, r->from, sizeof(r->from));
		n = strlen(r->from);
	}
	if (v[at[TRC_COL_ADDR]].hex || (at[TRC_COL_PC] >= 0 && v[at[TRC_COL_PC]].hex))
		trc_csv_put(r->from, sizeof(r->from), ",hex", 4);
	if (fields > 1)
		put_lines(t, r->from, sizeof(r->from));
	for (unsigned k = 0; k < fields; k++)
		if (!(used >> k & 1))
			leave_out(r, (struct trc_field){ NULL, 0 }, k);
	for (unsigned k = 0; k < fields; k++)
		known_fields += used >> k & 1 || trc_csv_is_number(&v[k]);
	return t->by == ',' || 2 * known_fields > fields || v[at[TRC_COL_ADDR]].marked;
}

/* A table whose first line is values: with the likeliest between its fields, or with any. */
static bool
take_values(struct table *t, const uint8_t *p, size_t n, struct trc_reading *r)
{
	const uint8_t *const end = p + n, *lf;
	bool comma;

	*t = (struct table){ .end = end };
	p = pass_comments(t, trc_lines_pass_mark(p, end));
	lf = p ? memchr(p, '\n', (size_t)(end - p)) : NULL;
	if (!lf)
		return false;
	t->names = t->rows = p;
	t->by = trc_csv_separator(p, lf);
	comma = t->by == ',' && memchr(p, ',', (size_t)(lf - p));
	if (t->by == '\t' || (t->by == ',' && !comma))
		t->by = ' ';
	for (int i = 0; i < 2; i++, t->by = TRC_CSV_ANY) {
		const uint8_t *at = p;
		unsigned fields = 0;

		t->names_end = trc_csv_end(p, lf, t->by);
		while (trc_csv_next(&at, t->names_end, t->by).p)
			fields++;
		if (fields <= TRC_CSV_ASSIGNED && guess_by_values(t, fields, r))
			return true;
	}
	return false;
}

/* By the values behind names that mean nothing here. */
static bool
guess_behind_names(struct table *t, struct trc_reading *r)
{
	const uint8_t *at = t->names;
	unsigned fields = 0;

	while (trc_csv_next(&at, t->names_end, t->by).p)
		fields++;
	if (t->by == ' ' || fields > TRC_CSV_ASSIGNED || !guess_by_values(t, fields, r))
		return false;
	return trc_csv_put(r->from, sizeof(r->from), ",header", 7);
}

bool
trc_csv_guess(const void *state, const uint8_t *p, size_t n, struct trc_reading *r)
{
	struct table t;

	*r = (struct trc_reading){ .what = "these are its types" };
	if (state)
		return trc_csv_put_codes(state, r->from, sizeof(r->from));
	/* `R 1862a498` could be two names. */
	return (take_names(&t, p, n) && (guess_by_names(&t, r) || guess_behind_names(&t, r))) ||
	       take_values(&t, p, n, r);
}

/* Whether the first lines have as many fields each, where not every comma is one. */
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
	const uint8_t *const end = p + n, *e;
	struct trc_reading r;
	/* Tabs are in texts of all sorts. */
	const bool has_guess = trc_csv_guess(NULL, p, n, &r);
	unsigned fields = 0;
	uint8_t by;

	p = trc_lines_pass_mark(p, end);
	e = memchr(p, '\n', (size_t)(end - p));
	if (e && trc_csv_odd_name(p, e, dst, room)) {
		const size_t len = strlen(dst);

		snprintf(dst + len, room - len,
		         "; --from csv:addr=NAME and the like says which field is what");
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
	         "looks like %s-separated values; say which field is what with "
	         "--from csv:addr=NAME, or csv:addr=N by its number, and `header` if its first "
	         "line is names",
	         by == ';'  ? "semicolon" :
	         by == '\t' ? "tab" :
	                      "comma");
	return true;
}
