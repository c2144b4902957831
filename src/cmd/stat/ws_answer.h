/* SPDX-License-Identifier: MIT
 *
 * Working sets as an answer: a table of windows, and a picture with more of them.
 */
#ifndef TRC_CMD_STAT_WS_ANSWER_H
#define TRC_CMD_STAT_WS_ANSWER_H

#include "cmd/picture/answered.h"
#include "stage/simulate/ws.h"

/* What is shown of a trace. */
struct trc_ws_shown {
	bool among; /* it is one of several */
	struct trc_ws ws;
	bool by_space;
	const char *clock, *unit; /* "page" or "line" */
	uint64_t bytes;           /* of it; 0: not known */
	uint64_t from;            /* the smallest window that is known */

	/* Private, while it is printed: the windows of the space at hand, and its name. */
	uint64_t *window;
	size_t cap;
	enum trc_form form;
	char curve[24], touched[32];
};

/* Sets the answer and what is drawn: mean sizes, and of one trace its footprint. */
void trc_ws_answer(struct trc_ws_shown *s, struct trc_answered *to);
void trc_ws_shown_release(void *shown);

#endif
