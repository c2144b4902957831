/* SPDX-License-Identifier: MIT
 * The names of columns and facts in CSV and JSON. */
#ifndef TRC_CMD_ANSWER_NAME_H
#define TRC_CMD_ANSWER_NAME_H

/* TRC_NAME_references and all others of names.def. */
enum trc_name {
	TRC_NAME_NONE,
#define NAME(name, unit, doc) TRC_NAME_##name,
#include "cmd/answer/names.def"
#undef NAME
	TRC_NAMES
};

/* What each is: its name, its unit or kind, what it counts or names. */
struct trc_name_row {
	const char *name, *unit, *doc;
};

extern const struct trc_name_row trc_name_row[TRC_NAMES];

/* Of the names of pages, lines and objects, which stand in this order, that of a unit like "line". */
enum trc_name trc_name_of_unit(enum trc_name pages, const char *unit);

#endif
