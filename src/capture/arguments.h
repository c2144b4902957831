/* SPDX-License-Identifier: MIT
 *
 * The arguments of a plugin, which QEMU passes as NAME=VALUE.
 */
#ifndef TRC_CAPTURE_ARGUMENTS_H
#define TRC_CAPTURE_ARGUMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What an argument sets. */
enum trc_argument_kind {
	TRC_ARGUMENT_TEXT,   /* a const char *, which then points into the argument */
	TRC_ARGUMENT_NUMBER, /* a uint64_t, from 1, in digits */
	TRC_ARGUMENT_SWITCH, /* a bool: on or off */
};

/* An argument that a plugin takes. */
struct trc_argument {
	const char *name;  /* with the '=' */
	const char *value; /* what it stands for in messages: FILE, N */
	enum trc_argument_kind kind;
	void *to;
	uint64_t most; /* the largest number */
};

/* Takes the arguments `argv`, the last one of several with the same name. Returns false, after a
 * message on standard error, if one is unknown or has an invalid value. */
bool trc_arguments_take(const char *plugin, const struct trc_argument *known, size_t n, int argc,
                        char **argv);

#endif
