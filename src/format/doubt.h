/* SPDX-License-Identifier: MIT
 *
 * Decides whether a text that one format accepts may mean something else: decimal or hexadecimal
 * numbers, a size or another number, a field that the format would skip. Each count has a comment
 * with its odds.
 */
#ifndef TRC_FORMAT_DOUBT_H
#define TRC_FORMAT_DOUBT_H

#include "format/lines.h"
#include "format/registry.h"

enum { TRC_RIVALS = 2 };

/* The reason for asking about a text. */
struct trc_doubt {
	char why[128];
	bool base;  /* its numbers may have another base */
	bool hex;   /* they are hexadecimal, without 0x */
	bool later; /* something else is more likely */
	bool part;  /* fields would be skipped, so any table with these is more likely */
	bool sure;  /* it is certainly `from`, since nothing else is plausible */

	/* What is equally likely, and how to read it: "time=1,addr=2", or a format; NULL: unknown.
	 * Without a doubt, how to read the text. */
	const char *what[TRC_RIVALS], *from[TRC_RIVALS];
};

/* Sets *d if a text that format `f` accepts may mean something else; returns false if not. Adds the
 * evidence for and against the format to *evidence, which may be NULL. */
bool trc_doubt(const struct trc_format *f, const struct trc_probe *probe, struct trc_doubt *d,
               struct trc_evidence *evidence);

/* Adds a line such as "for din: ..." to *evidence, if that is not NULL and has room. */
void trc_evidence_add(struct trc_evidence *evidence, bool against, const struct trc_format *f,
                      const char *what);

#endif
