/* SPDX-License-Identifier: MIT
 *
 * The kernel event trace of Laplace, which accompanies a raw reference trace: one event per line,
 * with a tag, the time, and the fields of the tag ('trc help events'), hexadecimal. Lines that
 * begin with # are comments.
 *
 *   F 123456789abcdef7 100 77
 *   M 123456789abcdefe 100 1a2b3c4d 9000 8efa5567 35 5 0 a.so
 */
#include "format/text/event.h"

#define HELD (TRC_HAS_TYPE | TRC_HAS_TIME | TRC_HAS_EVENT)

static enum trc_line
kernel_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	struct trc_field field[1];

	if (trc_text_fields(s, e, field, 1) == 0)
		return TRC_LINE_SKIP;
	if (field[0].p[0] == '#')
		return trc_text_begins(s, e, "# trc ") ? TRC_LINE_BAD : TRC_LINE_SKIP;
	return trc_event_line(s, e, b, n);
}

static void
explain(const void *state, const uint8_t *s, const uint8_t *e, char *dst, size_t room)
{
	(void)state;
	trc_event_explain(s, e, dst, room);
}

static uint8_t *
kernel_print(struct trc_rows *r, uint8_t *dst, struct trc_err *err)
{
	const struct trc_batch *b = r->b;

	for (size_t i = r->i; i < r->stop; i++) {
		if (!trc_batch_is_event(b, i)) {
			r->i = i;
			return trc_format_refuse_type("laplace-kernel", b->type[i], err);
		}
		dst = trc_event_print(dst, b, i);
	}
	return dst;
}

const struct trc_format trc_family_kernel[] = {
	{
	        .name = "laplace-kernel",
	        .doc = "kernel event trace of Laplace, text",
	        .ending = ".laplace-kernel",
	        .holds = HELD,
	        .needs = HELD,
	        TRC_LINES("TAG TIME FIELD FIELD ...", .way.one = kernel_line),
	        .print = &(const struct trc_print_format){ kernel_print, TRC_EVENT_LINE, NULL },
	        .more = TRC_ROW(trc_line_more, .explain = explain, .likely = trc_event_likely),
	},
	{ .name = NULL },
};
