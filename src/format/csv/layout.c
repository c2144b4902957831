/* SPDX-License-Identifier: MIT */
#include "format/csv/layout.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
	LINES_TRIED = 32, /* lines that are checked after one without a shape */
	/* Lines among which a record must be, if others are skipped; more if records have a shape,
	 * as messages of a scheduler are between those of blkparse. */
	LINES_A_ROW = 16,
	LINES_A_SHAPE = 64,
	/* Lines with one of two shapes by their type: by chance once in 4,096; lines that never
	 * decrease: once in 479,001,600. */
	LINES_SURE = 12,

	BLOCK = 512,            /* bytes of a disk block */
	REQUEST_MOST = 1 << 24, /* bytes */
};

/* Returns true if the line is these names, in upper or lower case, with or without surrounding
 * blanks; "..." is any others. */
static bool
is_named(const char *names, const uint8_t *p, const uint8_t *e, uint8_t by)
{
	const uint8_t *want = (const uint8_t *)names, *end = want + strlen(names);

	e = trc_csv_end(p, e, by);
	while (p <= e || want <= end) {
		const struct trc_field a = trc_csv_unquote(trc_csv_next(&p, e, by));
		const struct trc_field b = trc_csv_next(&want, end, by);

		if (a.p && b.p && trc_field_is(b, "..."))
			return true;
		if (!a.p || !b.p || a.len != b.len ||
		    strncasecmp((const char *)a.p, (const char *)b.p, a.len) != 0)
			return false;
	}
	return true;
}

bool
trc_layout_first(const struct trc_format *f, void *state, const void *settings, const uint8_t *p,
                 const uint8_t *e, uint32_t *have)
{
	const struct trc_layout *layout = f->layout;
	struct trc_csv_fields *s = state;
	const char *names;

	*s = (struct trc_csv_fields){ .layout = layout };
	if (!trc_csv_map(s, settings, p, e, have))
		return false;
	if (!layout)
		return true;
	names = layout->names ? layout->names : f->line->grammar;
	s->headed = s->skip || (*names && is_named(names, p, e, s->by));
	s->skip = s->headed;
	return true;
}

enum {
	WORD_MOST = 6, /* letters of the longest word that is also a hexadecimal number: `facade` */
	LONG = 16,     /* digits that no address, size or time has without 0x */
};

/* Skips what one character of a shape stands for, H as h if `loose`; returns NULL if it does not
 * match. */
static const uint8_t *
pass(char c, bool loose, const uint8_t *p, const uint8_t *e)
{
	const bool marked = trc_field_is_marked((struct trc_field){ p, (size_t)(e - p) });
	const uint8_t *const start = p += marked && strchr("xhHz", c) ? 2 : 0;
	bool digit = marked; /* words of the letters a to f have no digit */

	switch (c) {
	case '9':
	case 'n':
		while (p < e && (isdigit(*p) || (c == '9' && *p == '.' && p > start)))
			p++;
		break;
	case 'x':
	case 'h':
	case 'H':
		for (; p < e && isxdigit(*p); p++)
			digit |= isdigit(*p) || p - start >= WORD_MOST;
		return digit && (marked || c == 'h' || (c == 'H' && (loose || p - start >= LONG))) ?
		               p :
		               NULL;
	case 'a':
		while (p < e && isalpha(*p))
			p++;
		break;
	case 'w':
		while (p < e && *p != ' ' && *p != '\t')
			p++;
		break;
	case 'z':
		while (p < e && *p == '0')
			p++;
		break;
	case ' ': p = trc_text_pass(p, e, TRC_TEXT_BLANKS); break;
	default: p += p < e && *p == (uint8_t)c;
	}
	return p > start ? p : NULL;
}

/* Returns the index of the shape that a line matches; -1: none; -2: it has more fields. */
static int
find_shape(const char *shape, bool loose, const uint8_t *p, const uint8_t *e)
{
	int none = -1;

	for (int i = 0;; i++, shape++) {
		const uint8_t *at = p;

		for (; *shape && !strchr("|&*", *shape) && at; shape++) {
			if (*shape == ',' && at == e && (!shape[1] || shape[1] == '&'))
				continue; /* as in `R,x,` of some programs */
			at = pass(*shape, loose, at, e);
			while (*shape == ',' && at && at < e && *at == ' ')
				at++;
		}
		if (at && (*shape == '*' || at == e))
			return i;
		none -= at && none == -1;
		shape += strcspn(shape, "|&");
		if (!*shape)
			return none;
	}
}

/* Returns true if the number in a field is less than in the line before. */
static bool
falls(struct trc_csv_fields *s, const uint8_t *p, const uint8_t *e)
{
	const double last = s->risen;
	struct trc_field f = { 0 };
	char text[32];

	for (unsigned i = 0; i < s->layout->rising; i++)
		f = trc_csv_next(&p, e, s->by);
	snprintf(text, sizeof(text), "%.*s", (int)f.len, (const char *)f.p);
	s->risen = strtod(text, NULL);
	return s->risen < last;
}

/* Returns true if there are lines of all shapes that are needed, and enough of them. */
static bool
have_all(const struct trc_csv_fields *s)
{
	unsigned all = 1;

	if (s->layout->passed && s->passed + s->commented == 0)
		return false;
	if (!strchr(s->layout->shape, '&'))
		return !s->layout->rising || s->shaped >= LINES_SURE;
	for (const char *p = s->layout->shape; *p; p++)
		all = *p == '&' ? all << 1 | 1 : all;
	return s->shapes == all && s->shaped >= LINES_SURE;
}

/* Counts a line that is skipped; returns false if it does not match the form of such lines. */
static bool
pass_over(struct trc_csv_fields *s, const uint8_t *p, const uint8_t *e)
{
	if (p == e || !s->layout->passed)
		return true;
	s->passed++;
	return find_shape(s->layout->passed, false, p, e) >= 0;
}

static bool
have_shapes(const struct trc_lines *l, struct trc_csv_fields *s)
{
	bool all = true;

	for (size_t i = 0; i < l->n; i++) {
		const uint8_t *const line = l->text + trc_line_start(l, i);
		const uint8_t *e = trc_csv_line_end(s->comment, line, l->text + l->eol[i], s->by);
		const uint8_t *const p = trc_text_pass(line, e, TRC_TEXT_BLANKS);
		const size_t comments = s->commented;
		const bool passed = trc_csv_is_passed(s, line, e);
		int at;

		if (passed && s->commented == comments && !pass_over(s, p, e))
			return false;
		if (passed)
			continue;
		at = find_shape(s->layout->shape, false, p, e);
		s->possible |= at >= 0 || find_shape(s->layout->shape, true, p, e) >= 0;
		s->longer |= at == -2;
		all &= at >= 0 && !(s->layout->rising && falls(s, p, e));
		if (!all && i >= LINES_TRIED)
			return false;
		if (at < 0)
			continue;
		s->shapes |= 1u << at;
		s->shaped++;
	}
	return all;
}

/* Returns true if most rows so far are requests to disks. Addresses, times and disks in place of
 * sizes are not whole blocks, or too large; sizes and addresses in place of disks are too large. */
static bool
are_requests(struct trc_csv_fields *s, const struct trc_batch *b)
{
	for (size_t i = 0; i < b->n; i++)
		s->requests += b->asid[i] <= s->layout->disk &&
		               (b->addr[i] | b->size[i]) % BLOCK == 0 && b->size[i] > 0 &&
		               b->size[i] <= REQUEST_MOST;
	s->rows += b->n;
	return s->requests > s->rows / 2;
}

static bool
likely(const struct trc_lines *l, const struct trc_batch *b)
{
	struct trc_csv_fields *s = l->state;
	const struct trc_layout *k = s->layout;
	size_t parts = 0;
	bool shaped;

	s->lines += l->n;
	s->given += b->n;
	if (s->headed)
		return true;
	for (size_t i = 0; i < b->n; i++) {
		s->broken |= k->most && (b->time[i] < k->least || b->time[i] > k->most);
		parts += b->have & TRC_HAS_TIME && b->time[i] % TRC_LAYOUT_SECOND != 0;
		s->falls += i > 0 && b->have & TRC_HAS_TIME && b->time[i] < b->time[i - 1];
	}
	shaped = !k->shape || have_shapes(l, s);
	s->broken |= k->shown == TRC_LAYOUT_BY_NAMES || !shaped ||
	             s->given * (k->shape ? LINES_A_SHAPE : LINES_A_ROW) < s->lines ||
	             (k->shown == TRC_LAYOUT_BY_COMMENTS && s->commented == 0) ||
	             (k->shown == TRC_LAYOUT_BY_PARTS && parts <= b->n / 2) ||
	             (k->disk != 0 && !are_requests(s, b));
	return !s->broken && (k->shown != TRC_LAYOUT_BY_SHAPE || have_all(s));
}

/* Where a layout has a shape, some of the first lines have it, and none goes on after it; where
 * nothing shows it, its times do not fall more often than once in eight rows. */
static bool
possible(const void *state)
{
	const struct trc_csv_fields *s = state;

	return s->layout->shown == TRC_LAYOUT_BY_NAMES ?
	               s->falls * 8 <= s->given && (!s->layout->shape || s->possible) :
	               s->layout->shown != TRC_LAYOUT_BY_SHAPE || (s->possible && !s->longer);
}

/* If two formats accept the same lines, the one with its own parser is stricter. */
const struct trc_line_more trc_layout_more = {
	.loose = 1, .likely = likely, .possible = possible, .explain = trc_csv_explain
};
