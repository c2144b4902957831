/* SPDX-License-Identifier: MIT
 * The names of columns and facts in CSV and JSON. */
#ifndef TRC_CMD_ANSWER_NAME_H
#define TRC_CMD_ANSWER_NAME_H

/* Identifies a name of names.def, as in TRC_NAME_references. */
enum trc_name {
	TRC_NAME_NONE,
#define NAME(name, unit, doc) TRC_NAME_##name,
#include "cmd/answer/names.def"
#undef NAME
	TRC_NAMES
};

/* A name, its unit or kind, and what it counts or names. */
struct trc_name_row {
	const char *name, *unit, *doc;
};

extern const struct trc_name_row trc_name_row[TRC_NAMES];

/* Returns the name for `unit` ("page", "line" or "object"). `pages` is the first of three names
 * that are declared in this order. */
enum trc_name trc_name_of_unit(enum trc_name pages, const char *unit);

#endif
