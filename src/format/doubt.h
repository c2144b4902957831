/* SPDX-License-Identifier: MIT
 *
 * Whether text that one format takes may be meant otherwise: decimal or hexadecimal numbers, a size
 * or another thing, a field that the format would pass over. What is counted has its odds beside
 * it.
 */
#ifndef TRC_FORMAT_DOUBT_H
#define TRC_FORMAT_DOUBT_H

#include "format/lines.h"
#include "format/registry.h"

/* Why text is asked about. */
struct trc_doubt {
	char why[128];
	bool base;  /* its numbers may be of another one */
	bool hex;   /* they are hexadecimal, without 0x */
	bool later; /* something else is likelier */
	bool part;  /* fields would be passed over, so any table that has them is likelier */
	bool sure;  /* that is `from`, and nothing but this is plausible */

	/* What is as likely, and how that is read: "time=1,addr=2", or a format; NULL: unknown. If
	 * nothing is doubted, how it is read then. */
	const char *what, *from;
};

/* Fills in *d if text that format `f` takes may be meant otherwise; false if it may not. Adds what
 * speaks for and against to *evidence, which may be NULL. */
bool trc_doubt(const struct trc_format *f, const struct trc_probe *probe, struct trc_doubt *d,
               struct trc_evidence *evidence);

/* Adds a line to *evidence, if that is not NULL and has room: "for din: ...". */
void trc_evidence_add(struct trc_evidence *evidence, bool against, const struct trc_format *f,
                      const char *what);

#endif
