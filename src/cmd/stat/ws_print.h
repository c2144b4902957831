/* SPDX-License-Identifier: MIT
 *
 * Working sets as a table, CSV, JSON and pictures: of one trace, or of several that are compared.
 */
#ifndef TRC_CMD_STAT_WS_PRINT_H
#define TRC_CMD_STAT_WS_PRINT_H

#include "cmd/picture/plotting.h"
#include "stage/simulate/ws.h"

/* What is shown of a trace. */
struct trc_ws_shown {
	const char *name;  /* of the trace */
	const char *input; /* its path, if it is one of several; else NULL */
	struct trc_ws ws;
	bool by_space;
	const char *clock, *unit; /* "page" or "line" */
	uint64_t bytes;           /* of it; 0: not known */
	uint64_t from;            /* the smallest window that is known */
};

/* Prints `n` > 0 traces, in their order, in the form of `all`. Of several the table has sizes and
 * ratios, and the rest is as each has it alone, with its path. */
int trc_ws_print(struct trc_ws_shown *const *of, size_t n, const struct trc_settings *all,
                 struct trc_err *err) TRC_MUST_USE;

/* The picture, if one is wanted, or with `out` in a terminal: mean sizes, and of one trace its
 * footprint. */
int trc_ws_draw(struct trc_ws_shown *const *of, size_t n, const struct trc_settings *all,
                struct trc_plotting *g, struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

#endif
