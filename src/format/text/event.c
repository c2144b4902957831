/* SPDX-License-Identifier: MIT */
#include "format/text/event.h"

#include <stdio.h>

#include "batch/event.h"
#include "format/print.h"

/* Splits a line into the time and the text, which has room for TRC_EVENT_MOST + 1 bytes. */
static int
split_line(const uint8_t *s, const uint8_t *e, uint64_t *time, char *text, size_t *len,
           struct trc_err *err)
{
	struct trc_field field[2] = { 0 };
	struct trc_event event;
	const uint8_t *rest;
	size_t at = 0;

	if (s < e && e[-1] == '\r')
		e--;
	trc_text_fields(s, e, field, 2);
	if (field[0].len != 1 || strchr("0123456789#rwiRWI", field[0].p[0]))
		return trc_fail(err, "it has no event tag (one character)");
	if (!field[1].p || !trc_field_hex(field[1], UINT64_MAX, time))
		return trc_fail(err, "field 2, the time, is not a hexadecimal number of 64 bits");
	rest = field[1].p + field[1].len;
	text[at++] = (char)field[0].p[0];
	/* The text of an unknown event stays unchanged after the time, including its blanks. */
	if (trc_event_tag_named(text[0])) {
		rest = trc_text_pass(rest, e, TRC_TEXT_BLANKS);
		text[at] = ' ';
		at += rest < e;
	}
	*len = at + (size_t)(e - rest);
	if (*len > TRC_EVENT_MOST)
		return trc_fail(err, "it has more than %d bytes", TRC_EVENT_MOST);
	memcpy(text + at, rest, (size_t)(e - rest));
	text[*len] = 0;
	if (strlen(text) < *len)
		return trc_fail(err, "it has a NUL");
	return trc_event_parse(&event, text, err);
}

enum trc_line
trc_event_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	char text[TRC_EVENT_MOST + 1];
	struct trc_err err;
	size_t len = 0;

	if (split_line(s, e, &b->time[n], text, &len, &err))
		return TRC_LINE_BAD;
	b->type[n] = TRC_EVENT;
	trc_batch_put_event(b, n, text, len);
	return TRC_LINE_ROW;
}

void
trc_event_explain(const uint8_t *s, const uint8_t *e, char *dst, size_t room)
{
	char text[TRC_EVENT_MOST + 1];
	struct trc_err err = { 0 };
	uint64_t time;
	size_t len;

	if (split_line(s, e, &time, text, &len, &err) == 0)
		err.text[0] = 0;
	snprintf(dst, room, "%s", err.text);
}

/* Statistics by which a file of events is recognised. */
struct seen {
	/* Events with known tags; events with a time before the previous one; all events. */
	uint64_t known, back, all;
	uint64_t time; /* of the last event */
	bool named;    /* the file begins with a comment that names it */
};

_Static_assert(sizeof(struct seen) <= TRC_FORMAT_STATE, "fits the state of a format");

bool
trc_event_likely(const struct trc_lines *l, const struct trc_batch *b)
{
	struct seen *seen = l->state;

	seen->named |= seen->all == 0 && l->n > 0 && l->eol[0] >= 6 &&
	               memcmp(l->text, "# trc ", 6) == 0;
	for (size_t i = 0; i < b->n; i++)
		if (trc_batch_is_event(b, i)) {
			seen->back += b->time[i] < seen->time;
			seen->time = b->time[i];
			seen->all++;
			seen->known += trc_event_tag_named(*trc_batch_event(b, i)) != NULL;
		}
	return seen->named || seen->all == 0 ||
	       (2 * seen->known > seen->all && (seen->back <= 1 || 4 * seen->back <= seen->all));
}

uint8_t *
trc_event_print(uint8_t *dst, const struct trc_batch *b, size_t i)
{
	const char *text = trc_batch_event(b, i);
	const size_t len = strlen(text);

	*dst++ = (uint8_t)*text;
	dst = trc_print_hex(dst, ' ', b->time[i]);
	if (len > 1) {
		memcpy(dst, text + 1, len - 1);
		dst += len - 1;
	}
	*dst++ = '\n';
	return dst;
}
