/* SPDX-License-Identifier: MIT */
#include "format/csv/layout.h"

#include <string.h>
#include <strings.h>

/* Whether the line is the names of a layout, in any letters, with or without blanks beside. */
static bool
is_named(const struct trc_layout *k, const uint8_t *p, const uint8_t *e, uint8_t by)
{
	const uint8_t *want = (const uint8_t *)k->names, *end = want + strlen(k->names);

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

static bool
map(const struct trc_layout *k, const char *words, struct trc_csv_fields *s, const uint8_t *p,
    const uint8_t *e, uint32_t *have)
{
	struct trc_csv_from from = { .separator = k->names ? 1 : 0 };
	struct trc_err none;

	*s = (struct trc_csv_fields){ .by = 0 };
	return !trc_opt_parse_words(trc_csv_args.opt, trc_csv_args.opts, "csv", words, &from,
	                            &none) &&
	       trc_csv_map(s, &from, p, e, have);
}

bool
trc_layout_first(const struct trc_layout *k, struct trc_csv_fields *s, const uint8_t *p,
                 const uint8_t *e, uint32_t *have)
{
	if (!map(k, k->from[0], s, p, e, have) &&
	    (!k->from[1] || !map(k, k->from[1], s, p, e, have)))
		return false;
	s->headed = s->skip || (k->names && is_named(k, p, e, s->by));
	s->skip = s->headed;
	s->codes.only = k->shown == TRC_LAYOUT_BY_CODES;
	for (unsigned i = 0; i < k->spaces; i++) {
		s->field[k->space - 1 + i] = 1 + TRC_COL_ASID;
		s->hashed |= UINT64_C(1) << (k->space - 1 + i);
		*have |= TRC_HAS_ASID;
	}
	if (k->fields == 0)
		return true;
	s->n = k->fields;
	s->named = !k->more;
	return true;
}

bool
trc_layout_likely(const struct trc_layout *k, const struct trc_lines *l, const struct trc_batch *b)
{
	const struct trc_csv_fields *s = l->state;
	size_t parts = 0;

	if (s->headed)
		return true;
	for (size_t i = 0; i < b->n; i++) {
		if (k->shown == TRC_LAYOUT_BY_TIME &&
		    (b->time[i] < k->least || b->time[i] > k->most))
			return false;
		parts += b->have & TRC_HAS_TIME && b->time[i] % TRC_LAYOUT_SECOND != 0;
	}
	return k->shown != TRC_LAYOUT_BY_NAMES &&
	       (k->shown != TRC_LAYOUT_BY_PARTS || parts > b->n / 2);
}
