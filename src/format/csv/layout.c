/* SPDX-License-Identifier: MIT */
#include "format/csv/layout.h"

#include <string.h>
#include <strings.h>

enum { LINES_A_ROW = 16 }; /* among which a record is, where others are passed over */

/* Whether the line is these names, in any letters, with or without blanks beside. */
static bool
is_named(const char *names, const uint8_t *p, const uint8_t *e, uint8_t by)
{
	const uint8_t *want = (const uint8_t *)names, *end = want + strlen(names);

	e = trc_csv_end(p, e, by);
	while (p <= e || want <= end) {
		const struct trc_field a = trc_csv_unquote(trc_csv_next(&p, e, by));
		const struct trc_field b = trc_csv_next(&want, end, by);

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

	*s = (struct trc_csv_fields){ .layout = layout };
	if (!trc_csv_map(s, settings, p, e, have))
		return false;
	if (!layout)
		return true;
	s->headed = s->skip ||
	            is_named(layout->names ? layout->names : f->line->grammar, p, e, s->by);
	s->skip = s->headed;
	s->codes.only = layout->shown == TRC_LAYOUT_BY_CODES;
	return true;
}

static bool
likely(const struct trc_lines *l, const struct trc_batch *b)
{
	const struct trc_csv_fields *s = l->state;
	const struct trc_layout *k = s->layout;
	size_t parts = 0;

	if (s->headed)
		return true;
	for (size_t i = 0; i < b->n; i++) {
		if (k->shown == TRC_LAYOUT_BY_TIME &&
		    (b->time[i] < k->least || b->time[i] > k->most))
			return false;
		parts += b->have & TRC_HAS_TIME && b->time[i] % TRC_LAYOUT_SECOND != 0;
	}
	return k->shown != TRC_LAYOUT_BY_NAMES && b->n * LINES_A_ROW >= l->n &&
	       (k->shown != TRC_LAYOUT_BY_COMMENTS || s->commented > 0) &&
	       (k->shown != TRC_LAYOUT_BY_PARTS || parts > b->n / 2);
}

const struct trc_line_more trc_layout_more = { .likely = likely, .explain = trc_csv_explain };
