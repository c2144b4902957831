/* SPDX-License-Identifier: MIT
 *
 * capture/system.c gives a process a space when it begins, and another when it executes a program:
 * 'A PID SPACE'. References have spaces, not processes.
 */
#include "cmd/record/alone.h"

#include <stdlib.h>
#include <string.h>

#include "batch/event.h"
#include "stage/wrap.h"

/* The source. */
struct alone {
	struct trc_wrap wrap;
	struct trc_buf *names;
	bool *any;
	uint64_t process, space; /* 0: not known yet */
	uint32_t row[TRC_BATCH_ROWS];
};

/* Of 'A' and 'X', the pid is the first field. */
static int
take_event(struct alone *s, const char *text, struct trc_err *err)
{
	const char *slash;
	struct trc_event e;

	if (*text != 'A' && *text != 'X')
		return 0;
	if (trc_event_parse(&e, text, err))
		return -1;
	if (!s->process)
		s->process = e.field[0];
	if (e.field[0] == s->process) {
		s->space = e.tag == 'A' ? e.field[1] : s->space;
		return 0;
	}
	*s->any = true;
	if (e.tag == 'A')
		return 0;
	slash = strrchr(e.rest, '/');
	slash = slash ? slash + 1 : e.rest;
	return trc_buf_put(s->names, slash, strlen(slash) + 1, err);
}

static enum trc_flow
alone_next(struct trc_source *src, struct trc_batch *b, struct trc_err *err)
{
	struct alone *s = (struct alone *)src;
	const struct trc_batch *in = &s->wrap.in;

	while (b->n == 0) {
		const enum trc_flow flow = trc_wrap_pull_for(&s->wrap, b, err);
		size_t n = 0;

		if (flow != TRC_FLOW_ROWS)
			return flow;
		for (size_t i = 0; i < in->n; i++) {
			if (!trc_batch_is_event(in, i)) {
				s->row[n] = (uint32_t)i;
				n += in->asid[i] == s->space;
			} else if (take_event(s, trc_batch_event(in, i), err)) {
				return TRC_FLOW_FAILED;
			}
		}
		trc_batch_pick(b, in, s->row, n);
	}
	return TRC_FLOW_ROWS;
}

struct trc_source *
trc_record_alone(struct trc_source *from, struct trc_buf *names, bool *any, struct trc_err *err)
{
	const uint32_t all = TRC_HAS_EVENT | TRC_HAS_TIME | TRC_HAS_ASID; /* of many processes */
	struct alone *s = trc_wrap_open(sizeof(*s), from, from->have & ~all, alone_next, err);

	if (!s)
		return NULL;
	s->names = names;
	s->any = any;
	return &s->wrap.src;
}
