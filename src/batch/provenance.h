/* SPDX-License-Identifier: MIT
 *
 * Provenance: where a trace came from, and what was done to it. It is a list of entries, each a key
 * and a text, in the order in which things happened; containers hold it as it stands here, and
 * container/SPEC.md, "Provenance", has the keys and what they mean. Other keys are kept as they
 * are. Only what the input and the command line determine is in it: no times, no paths, no host.
 * Texts have any bytes: who prints them uses base/shown.h.
 */
#ifndef TRC_BATCH_PROVENANCE_H
#define TRC_BATCH_PROVENANCE_H

#include "base/buf.h"

enum {
	TRC_PROVENANCE_MOST = 1 << 16, /* bytes of all entries */
	TRC_PROVENANCE_KEY_MOST = 32,  /* bytes: small letters, digits, hyphens */
	TRC_PROVENANCE_TEXT_MOST = 4096,
};

/* An entry; its bytes are those of the list. */
struct trc_provenance_entry {
	char key[TRC_PROVENANCE_KEY_MOST + 1];
	const uint8_t *text;
	size_t len; /* of the text */
};

/* Takes the next entry from the front of a list; false at its end, or where it is damaged. */
bool trc_provenance_next(struct trc_view *list, struct trc_provenance_entry *e);

/* True if a list holds entries up to its end, and has not too many bytes. */
bool trc_provenance_good(struct trc_view list);

/* Finds the last entry of a key. */
bool trc_provenance_last(struct trc_view list, const char *key, struct trc_provenance_entry *e);

/* Appends an entry; one for which there is no room is left out. A text is cut at its limit. */
int trc_provenance_put(struct trc_buf *list, const char *key, const void *text, size_t len,
                       struct trc_err *err) TRC_MUST_USE;
int trc_provenance_text(struct trc_buf *list, const char *key, const char *text,
                        struct trc_err *err) TRC_MUST_USE;

/* Lists of several traces that become one. Zeroed memory is none; release frees. */
struct trc_provenances {
	struct trc_buf all;   /* those that differ, each behind an entry `part` */
	size_t end;           /* of these in `all`; behind it, what closes them */
	size_t last;          /* where the last begins */
	size_t first;         /* and the first */
	uint64_t n, left_out; /* how many there are, and for how many there was no room */
};

void trc_provenances_release(struct trc_provenances *p);

/* Begins anew. */
void trc_provenances_reset(struct trc_provenances *p);

/* Adds the list of one more trace, unless it is that of the one before. */
int trc_provenances_add(struct trc_provenances *p, struct trc_view list,
                        struct trc_err *err) TRC_MUST_USE;

/* The list of all; its bytes are those of *p, until that changes. */
int trc_provenances_view(struct trc_provenances *p, struct trc_view *list,
                         struct trc_err *err) TRC_MUST_USE;

#endif
