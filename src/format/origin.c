/* SPDX-License-Identifier: MIT
 *
 * Processes the lines before the first record one by one.
 */
#include "format/origin.h"

#include <string.h>

#include "base/text.h"

enum { LIST_MOST = 1 << 13 }; /* limit for the entries of a head, in bytes */

#define BLANKS (TRC_TEXT_BLANKS | TRC_TEXT_RETURN)

/* Takes a line that begins with '#', unless trc wrote it. */
static bool
take_comment(const uint8_t *s, const uint8_t *e, struct trc_provenance_entry *entry)
{
	if (s == e || *s != '#')
		return false;
	if (trc_text_begins(s, e, "# trc ") || trc_text_begins(s, e, "#eof"))
		return true;
	s = trc_text_pass(s, e, BLANKS | UINT64_C(1) << '#');
	e = trc_text_trim(s, e, BLANKS);
	strcpy(entry->key, s < e ? "comment" : "");
	entry->text = s;
	entry->len = (size_t)(e - s);
	return true;
}

/* Takes the line at *p, and moves *p past it; returns false if it is a record, or there is none. */
static bool
take_line(const struct trc_format *f, const uint8_t **p, const uint8_t *stop,
          struct trc_provenance_entry *entry)
{
	const uint8_t *s = *p, *e = s < stop ? memchr(s, '\n', (size_t)(stop - s)) : NULL;

	*entry = (struct trc_provenance_entry){ .key = "" };
	if (!e)
		return false;
	*p = e + 1;
	if (f->more && f->more->origin)
		return f->more->origin(s, e, entry);
	return !f->line->first && take_comment(s, e, entry);
}

bool
trc_origin_begins(const struct trc_format *f, const uint8_t *p, const uint8_t *stop)
{
	struct trc_provenance_entry entry;

	return take_line(f, &p, stop, &entry);
}

int
trc_origin_take(const struct trc_format *f, const uint8_t *p, const uint8_t *stop,
                struct trc_buf *list, struct trc_err *err)
{
	struct trc_provenance_entry entry;

	if (stop - p > TRC_ORIGIN_HEAD)
		stop = p + TRC_ORIGIN_HEAD;
	while (take_line(f, &p, stop, &entry))
		if (*entry.key && list->n + entry.len < LIST_MOST &&
		    trc_provenance_put(list, entry.key, entry.text, entry.len, err))
			return -1;
	return 0;
}
