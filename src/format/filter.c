/* SPDX-License-Identifier: MIT */
#include "format/filter.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/text.h"
#include "batch/type.h"
#include "format/reading.h"
#include "format/registry.h"

enum {
	PASSED_MOST = 8, /* lines before the records, such as the parameters of a cache */
	LINES_LEAST = 4, /* records after them */
	FIELDS_MOST = 12,
	FEW_MOST = 4,     /* few lines of at least */
	ROW_LEAST = 8,    /* numbers each, or of any lines if all have 0x, need not be columns */
	RAGGED_LEAST = 4, /* or of lines that have different numbers of them, on average */
	WORD_LEAST = 4,   /* digits of a number after a letter */
	SECTION_MOST = 24,
	RECORDS_LEAST = 4, /* lines to one that begins a section */
};

#define BETWEEN " ,;\t\r"

/* What a filter leaves of the head. */
struct rest {
	const uint8_t *p;
	size_t n;
	char filter[sizeof(((struct trc_reading *)0)->filter)];
	char how[48]; /* such as "its first line is not a record" */
};

/* Adds a way to read the rest, with its filter. */
static void
add(const struct rest *r, const char *what, const char *from, struct trc_err *err)
{
	char text[sizeof(err->reading->what)];
	const unsigned n = err->readings;

	snprintf(text, sizeof(text), "%s, and %.55s", r->how, what);
	trc_reading_add(err, text, from, r->p, r->n);
	if (err->readings > n)
		memcpy(err->reading[n].filter, r->filter, sizeof(r->filter));
}

/* How much the rest shows: a reading to choose from, and one that ignores words, are less. */
enum shown { RECOGNISED, ASKED, ANY, NOTHING };

/* Adds the ways to read the rest to *err if it shows more than `most`, in their place.
 * Returns how much it shows. */
static enum shown
propose(const struct rest *r, enum shown most, const struct trc_filter_look *look,
        struct trc_err *err)
{
	struct trc_err inner = { 0 };
	struct trc_stream *bytes = trc_stream_memory(r->p, r->n, r->n, &inner);
	struct trc_in *in = bytes ? trc_in_window(bytes, r->n + 1, look->name, &inner) : NULL;
	const struct trc_format *f = in ? look->recognise(in, &inner) : NULL;
	char what[sizeof(err->reading->what)];
	enum shown shown = f ? RECOGNISED : NOTHING;

	for (unsigned i = 0; i < inner.readings; i++) {
		const bool ignores = strstr(inner.reading[i].from, ",ignore=");

		if (*inner.reading[i].from != ',' && shown > (ignores ? ANY : ASKED))
			shown = ignores ? ANY : ASKED;
	}
	if (shown < most)
		err->readings = 0;
	if (f && shown < most) {
		snprintf(what, sizeof(what), "this is %s", f->name);
		add(r, what, *in->reading.from ? in->reading.from : f->name, err);
	}
	for (unsigned i = 0; !f && shown < most && i < inner.readings; i++)
		if (*inner.reading[i].from != ',' &&
		    (shown == ANY || !strstr(inner.reading[i].from, ",ignore=")))
			add(r, inner.reading[i].what, inner.reading[i].from, err);
	if (in)
		trc_in_close(in);
	else
		trc_stream_close(bytes);
	return shown;
}

/* Counts the fields of a line, and those of them with a digit. */
static unsigned
count_fields(const uint8_t *p, const uint8_t *e, unsigned *digits)
{
	unsigned fields = 0;
	bool within = false, digit = false;

	*digits = 0;
	for (; p < e; p++) {
		const bool between = *p && strchr(BETWEEN ":", *p);

		fields += !between && !within;
		digit = !between && (digit || isdigit(*p));
		*digits += digit && (p + 1 == e || strchr(BETWEEN ":", p[1]));
		within = !between;
	}
	return fields;
}

/* Returns true if the next lines have about as many fields, with numbers, as records have. */
static bool
has_records(const uint8_t *p, size_t n)
{
	const uint8_t *const e = p + n;
	unsigned first = 0, digits;

	for (unsigned i = 0; i < LINES_LEAST; i++) {
		const uint8_t *lf = p < e ? memchr(p, '\n', (size_t)(e - p)) : NULL;
		const unsigned fields = lf ? count_fields(p, lf, &digits) : 0;

		first = i == 0 ? fields : first;
		if (fields == 0 || digits == 0 || fields > first + 1 || first > fields + 1 ||
		    fields > FIELDS_MOST)
			return false;
		p = lf + 1;
	}
	return true;
}

/* Numbers of a text, and how they are on its lines. */
struct numbers {
	size_t n, lines, len; /* len: bytes of the text with one on each line */
	size_t of_line;       /* numbers of the first line */
	bool ragged;          /* others have more or less */
	bool comments;        /* lines that begin with # */
	bool blanks;          /* only blanks are between numbers */
	bool marked;          /* each of them has 0x */
};

/* Appends the numbers of a line, each on its own line, to `dst`; returns false for other texts. */
static bool
split_line(const uint8_t *p, const uint8_t *e, struct numbers *all, uint8_t *dst)
{
	size_t numbers = 0;

	if (p < e && *p == '#')
		return all->comments = true;
	while (p < e) {
		const bool between = *p && strchr(BETWEEN, *p);

		if (!between && !isxdigit(*p) && (*p | 0x20) != 'x')
			return false;
		all->blanks &= *p != ',' && *p != ';';
		all->marked &= between || all->len == 0 || dst[all->len - 1] != '\n' ||
		               (*p == '0' && p + 1 < e && (p[1] | 0x20) == 'x');
		if (!between)
			dst[all->len++] = *p;
		if (!between && (++p == e || strchr(BETWEEN, *p))) {
			dst[all->len++] = '\n';
			numbers++;
		} else if (between) {
			p++;
		}
	}
	all->of_line = all->lines ? all->of_line : numbers;
	all->ragged |= numbers > 0 && numbers != all->of_line;
	all->lines += numbers > 0;
	all->n += numbers;
	return true;
}

/* Writes one number on each line to `dst`; returns false for other texts and tables. */
static bool
split_numbers(const struct trc_probe *probe, struct numbers *all, uint8_t *dst)
{
	const uint8_t *p = probe->p, *const e = p + probe->n;

	*all = (struct numbers){ .blanks = true, .marked = true };
	while (p < e) {
		const uint8_t *lf = memchr(p, '\n', (size_t)(e - p));

		if (!lf && !probe->whole)
			break;
		if (!split_line(p, lf ? lf : e, all, dst))
			return false;
		p = lf ? lf + 1 : e;
	}
	if (all->comments && !all->blanks)
		return false;
	return ((all->marked || all->lines <= FEW_MOST) && all->n >= ROW_LEAST * all->lines) ||
	       (all->ragged && all->n >= RAGGED_LEAST * all->lines);
}

/* Writes each line, a letter and a number, with a blank between them; not all letters are
 * hexadecimal digits. */
static size_t
split_letters(const uint8_t *p, size_t n, uint8_t *dst)
{
	size_t len = 0, digits = 0;
	bool letter = false;

	for (size_t i = 0; i < n; i++) {
		const bool first = i == 0 || p[i - 1] == '\n', end = p[i] == '\n' || p[i] == '\r';

		if (first ? !isalpha(p[i]) : !(end || isxdigit(p[i]) || (p[i] | 0x20) == 'x'))
			return 0;
		if (end && p[i] == '\n' && digits < WORD_LEAST)
			return 0;
		digits = first || end ? 0 : digits + 1;
		letter |= first && !isxdigit(p[i]);
		dst[len++] = p[i];
		if (first)
			dst[len++] = ' ';
	}
	return letter ? len : 0;
}

/* Returns how many fields each record of the line [p, e) has, which all begin with a type, as no
 * other field is; 0: it is something else. */
static size_t
take_records(const uint8_t *p, const uint8_t *e, struct trc_field field[FIELDS_MOST],
             size_t *fields)
{
	size_t each = 0;
	uint8_t type;

	*fields = trc_text_fields(p, e, field, FIELDS_MOST);
	for (size_t i = 0; i < *fields && *fields <= FIELDS_MOST; i++) {
		const bool typed = isalpha(*field[i].p) &&
		                   trc_type_of((const char *)field[i].p, field[i].len, &type);

		each = typed && each == 0 ? i : each;
		if (typed != (each ? i % each == 0 : i == 0))
			return 0;
	}
	each = each ? each : *fields;
	return each > 1 && *fields <= FIELDS_MOST && *fields % each == 0 ? each : 0;
}

/* Writes each record on its own line; some lines have several. */
static size_t
split_records(const uint8_t *p, size_t n, uint8_t *dst)
{
	const uint8_t *const end = p + n, *lf;
	struct trc_field field[FIELDS_MOST];
	size_t first = 0, len = 0, fields;
	bool several = false;

	for (; (lf = memchr(p, '\n', (size_t)(end - p))); p = lf + 1) {
		const size_t each = take_records(p, lf, field, &fields);

		first = first ? first : each;
		if (each == 0 || each != first)
			return 0;
		several |= fields > each;
		for (size_t i = 0; i < fields; i++) {
			memcpy(dst + len, field[i].p, field[i].len);
			len += field[i].len;
			dst[len++] = (i + 1) % each ? ' ' : '\n';
		}
	}
	return several ? len : 0;
}

/* Writes lines whose fields are divided by underscores, with blanks instead. */
static size_t
split_underscores(const uint8_t *p, size_t n, uint8_t *dst)
{
	size_t under = 0;

	for (size_t i = 0; i < n; i++) {
		under += p[i] == '_';
		if (p[i] == ' ' || p[i] == '\t' || (p[i] == '\n' && under == 0))
			return 0;
		under = p[i] == '\n' ? 0 : under;
		dst[i] = p[i] == '_' ? ' ' : p[i];
	}
	return n;
}

/* Proposes a text whose lines a function rewrites as the filter does. */
static void
propose_split(struct rest *r, size_t (*split)(const uint8_t *p, size_t n, uint8_t *dst),
              const struct trc_filter_look *look, struct trc_err *err)
{
	const struct trc_probe *probe = look->probe;
	struct trc_err none;
	uint8_t *text = trc_alloc(probe->n + 1, 2, &none);
	size_t n = probe->n;

	while (!probe->whole && n > 0 && probe->p[n - 1] != '\n')
		n--;
	r->p = text;
	r->n = text ? split(probe->p, n, text) : 0;
	if (r->n > 0)
		(void)propose(r, NOTHING, look, err);
	free(text);
}

static void
propose_numbers(const struct trc_filter_look *look, struct trc_err *err)
{
	const struct trc_probe *probe = look->probe;
	struct rest r = { NULL, 0, "tr -s ' ,;\\t\\r' '\\n' <", "each of its numbers is a record" };
	struct numbers all;
	struct trc_err none;
	uint8_t *text = trc_alloc(probe->n + 1, 1, &none);

	r.p = text;
	if (text && split_numbers(probe, &all, text)) {
		r.n = all.len;
		if (all.comments)
			snprintf(r.filter, sizeof(r.filter),
			         "awk '!/^#/{for(i=1;i<=NF;i++)print$i}' <");
		(void)propose(&r, NOTHING, look, err);
	}
	free(text);
}

static void
propose_records(const struct trc_filter_look *look, struct trc_err *err)
{
	const struct trc_probe *probe = look->probe;
	const uint8_t *const lf = memchr(probe->p, '\n', probe->n);
	struct rest r = { NULL, 0, "", "each line is several records" };
	struct trc_field field[FIELDS_MOST];
	size_t fields, each = lf ? take_records(probe->p, lf, field, &fields) : 0;

	if (each == 0)
		return;
	snprintf(r.filter, sizeof(r.filter),
	         "awk '{for(i=1;i<=NF;i++)printf\"%%s%%s\",$i,i%%%zu?\" \":\"\\n\"}' <", each);
	propose_split(&r, split_records, look, err);
}

void
trc_filter_split(const struct trc_filter_look *look, struct trc_err *err)
{
	struct rest letter = { NULL, 0, "sed 's/./& /' <", "the first letter is a field" };
	struct rest under = { NULL, 0, "tr _ ' ' <", "underscores are between its fields" };

	propose_numbers(look, err);
	if (err->readings == 0)
		propose_split(&letter, split_letters, look, err);
	if (err->readings == 0)
		propose_split(&under, split_underscores, look, err);
	if (err->readings == 0)
		propose_records(look, err);
}

/* Copies what a section begins with, up to its number: "Core" of "Core 0:". Returns the length, or
 * 0 if that is not words. */
static size_t
take_section(const uint8_t *p, const uint8_t *e, char name[SECTION_MOST])
{
	size_t n = 0, letters = 0;

	for (; p < e && n + 1 < SECTION_MOST && !isdigit(*p) && *p != ':' && *p != '\r'; p++) {
		if (!isprint(*p) || strchr("'\\", *p))
			return 0;
		letters += isalpha(*p) != 0;
		name[n++] = (char)*p;
	}
	while (n > 0 && name[n - 1] == ' ')
		n--;
	name[n] = 0;
	return letters > 2 ? n : 0;
}

/* Writes the lines that do not begin with a section's name; returns the length, and how many lines
 * do in *sections, or 0 if more than one in four does. */
static size_t
drop_sections(const struct rest *r, const char *name, size_t len, uint8_t *dst, size_t *sections)
{
	const uint8_t *p = r->p, *const e = p + r->n;
	size_t n = 0, lines = 0;

	for (*sections = 0; p < e; lines++) {
		const uint8_t *lf = memchr(p, '\n', (size_t)(e - p));
		const size_t line = (size_t)((lf ? lf + 1 : e) - p);
		const bool section = line > len && memcmp(p, name, len) == 0;

		*sections += section;
		if (!section)
			memcpy(dst + n, p, line);
		n += section ? 0 : line;
		p += line;
	}
	*sections = *sections * RECORDS_LEAST > lines ? 0 : *sections;
	return n;
}

/* Sets the filter to a grep of this name, whose special characters are escaped. */
static void
set_grep(struct rest *r, const char *name)
{
	size_t n = (size_t)snprintf(r->filter, sizeof(r->filter), "grep -v '^");

	for (; *name; name++) {
		if (strchr("[*.$^", *name))
			r->filter[n++] = '\\';
		r->filter[n++] = *name;
	}
	snprintf(r->filter + n, sizeof(r->filter) - n, "' <");
}

void
trc_filter_sections(const struct trc_filter_look *look, const char *line, struct trc_err *err)
{
	const struct trc_probe *probe = look->probe;
	const uint8_t *p = line ? (const uint8_t *)line : probe->p;
	const uint8_t *lf = line ? p + strlen(line) : memchr(p, '\n', probe->n);
	struct rest r = { probe->p, probe->n, "", "its lines that begin with a name are sections" };
	char name[SECTION_MOST];
	const size_t len = lf ? take_section(p, lf, name) : 0;
	struct trc_err none;
	uint8_t *text = len > 0 ? trc_alloc(probe->n + 1, 1, &none) : NULL;
	size_t sections;

	if (!text)
		return;
	while (!probe->whole && r.n > 0 && probe->p[r.n - 1] != '\n')
		r.n--;
	r.n = drop_sections(&r, name, len, text, &sections);
	r.p = text;
	set_grep(&r, name);
	if (sections > (line ? 0 : 1) && has_records(r.p, r.n))
		(void)propose(&r, ANY, look, err);
	free(text);
}

void
trc_filter_pass(const struct trc_filter_look *look, struct trc_err *err)
{
	const struct trc_probe *probe = look->probe;
	struct rest r = { probe->p, probe->n, "", "its first line is not a record" };
	enum shown most = NOTHING;

	while (!probe->whole && r.n > 0 && probe->p[r.n - 1] != '\n')
		r.n--;
	for (unsigned i = 1; i <= PASSED_MOST && most != RECOGNISED; i++) {
		const uint8_t *lf = memchr(r.p, '\n', r.n);
		enum shown shown;

		if (!lf)
			break;
		r.n -= (size_t)(lf + 1 - r.p);
		r.p = lf + 1;
		if (i > 1)
			snprintf(r.how, sizeof(r.how), "its first %u lines are not records", i);
		snprintf(r.filter, sizeof(r.filter), "tail -n +%u <", i + 1);
		if (has_records(r.p, r.n)) {
			shown = propose(&r, most, look, err);
			most = shown < most ? shown : most;
		}
	}
}
