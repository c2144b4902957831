/* SPDX-License-Identifier: MIT
 * Lines that the format itself looks at one by one, each of several rows. */
#include "format/lines.h"

#include <stdio.h>

size_t
trc_lines_rows(const struct trc_format *f, const struct trc_lines *l, struct trc_batch *b)
{
	_Alignas(uint64_t) unsigned char before[TRC_FORMAT_STATE];
	const struct trc_line_more *more = f->more;
	size_t i = 0;

	if (f->line->parse)
		return f->line->parse(l, b);
	for (; i < l->n && b->cap - b->n >= l->rows; i++) {
		const size_t n = b->n;

		memcpy(before, l->state, more->state_size);
		if (more->take(l->state, l->text + trc_line_start(l, i), l->text + l->eol[i], b)) {
			memcpy(l->state, before, more->state_size);
			b->n = n;
			break;
		}
	}
	return i;
}

void
trc_lines_explain(const struct trc_format *f, const void *state, const uint8_t *s, const uint8_t *e,
                  char *dst, size_t room)
{
	_Alignas(uint64_t) unsigned char copy[TRC_FORMAT_STATE];
	struct trc_batch b;
	struct trc_err err;
	const char *why;

	*dst = 0;
	if (f->more && f->more->explain)
		f->more->explain(state, s, e, dst, room);
	if (f->line->parse || trc_batch_init(&b, f->holds, f->line->rows, &err))
		return;
	memcpy(copy, state, sizeof(copy));
	why = f->more->take(copy, s, e, &b);
	snprintf(dst, room, "%s", why ? why : "");
	trc_batch_release(&b);
}
