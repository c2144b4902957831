/* SPDX-License-Identifier: MIT
 *
 * Provenance: where a trace came from, and what was done to it. It is a list of entries, each a key
 * and a text, in chronological order. Containers store it in this form, and container/SPEC.md,
 * "Provenance", defines the keys. Other keys are kept unchanged. Only information determined by the
 * input and the command line is in it: no times, no paths, no host. Texts may contain any bytes, so
 * code that prints them uses base/shown.h.
 */
#ifndef TRC_BATCH_PROVENANCE_H
#define TRC_BATCH_PROVENANCE_H

#include "base/buf.h"

enum {
	TRC_PROVENANCE_MOST = 1 << 16, /* bytes of all entries */
	TRC_PROVENANCE_KEY_MOST = 32,  /* bytes; lower-case letters, digits, hyphens */
	TRC_PROVENANCE_TEXT_MOST = 4096,
};

/* An entry; its text points into the list. */
struct trc_provenance_entry {
	char key[TRC_PROVENANCE_KEY_MOST + 1];
	const uint8_t *text;
	size_t len; /* of the text */
};

/* Takes the next entry from the front of a list; returns false at the end or if it is damaged. */
bool trc_provenance_next(struct trc_view *list, struct trc_provenance_entry *e);

/* Returns true if a list is undamaged and not too long. */
bool trc_provenance_good(struct trc_view list);

/* Finds the last entry with this key; returns false if there is none. */
bool trc_provenance_last(struct trc_view list, const char *key, struct trc_provenance_entry *e);

/* Appends an entry, or nothing if there is no room for it. A text is truncated to its limit. */
int trc_provenance_put(struct trc_buf *list, const char *key, const void *text, size_t len,
                       struct trc_err *err) TRC_MUST_USE;
int trc_provenance_text(struct trc_buf *list, const char *key, const char *text,
                        struct trc_err *err) TRC_MUST_USE;

/* The joined lists of several traces. Zeroed memory is empty; releasing frees its memory. */
struct trc_provenances {
	struct trc_buf all;   /* the lists that differ, each after an entry `part` */
	size_t end;           /* their end in `all`; after it, the entries that close them */
	size_t last;          /* where the last list begins */
	size_t first;         /* where the first list begins */
	uint64_t n, left_out; /* number of lists; number without room */
};

void trc_provenances_release(struct trc_provenances *p);

/* Removes all lists. */
void trc_provenances_reset(struct trc_provenances *p);

/* Adds the list of another trace, unless it equals the previous one. */
int trc_provenances_add(struct trc_provenances *p, struct trc_view list,
                        struct trc_err *err) TRC_MUST_USE;

/* Sets *list to the joined list, which points into *p and is valid until *p changes. */
int trc_provenances_view(struct trc_provenances *p, struct trc_view *list,
                         struct trc_err *err) TRC_MUST_USE;

#endif
