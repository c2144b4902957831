/* SPDX-License-Identifier: MIT
 *
 * Proposals for texts that are records only after a filter of the shell: after some other lines,
 * or between names of sections, with several numbers on a line.
 */
#ifndef TRC_FORMAT_FILTER_H
#define TRC_FORMAT_FILTER_H

#include "format/probe.h"

/* The head of a file, and what recognises what a filter leaves of it. */
struct trc_filter_look {
	const char *name;
	const struct trc_probe *probe;
	const struct trc_format *(*recognise)(struct trc_in *in, struct trc_err *err);
};

/* Adds the ways to read a text that is numbers in one or two lines, one on each line, to *err. */
void trc_filter_split(const struct trc_filter_look *look, struct trc_err *err);

/* Adds the ways to read a text without the lines that begin as `line` does, such as "Core 0:", to
 * *err; NULL: as its first line, and more do. */
void trc_filter_sections(const struct trc_filter_look *look, const char *line, struct trc_err *err);

/* Adds the ways to read a text without its first lines to *err. */
void trc_filter_pass(const struct trc_filter_look *look, struct trc_err *err);

/* If the `n` bytes at `p` are the head of a log that holds references among other text, fails with
 * its name and the ways to read it, which are commands if it is a plain file. Returns false for any
 * other text. */
bool trc_filter_logs(const char *name, bool plain, const uint8_t *p, size_t n, struct trc_err *err);

#endif
