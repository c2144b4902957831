/* SPDX-License-Identifier: MIT
 *
 * Files of which one is another once more, or was made of it: by the fingerprints of their rows
 * (batch/fingerprint.h), and by those that containers have of their sources (batch/provenance.h).
 */
#ifndef TRC_CMD_FILE_RELATED_H
#define TRC_CMD_FILE_RELATED_H

#include "base/map.h"
#include "batch/provenance.h"

/* What a trace has of the one that it was made of; nothing if that were several. */
struct trc_claim {
	bool known;      /* the fingerprint is there */
	bool named;      /* whoever reads a file of that format reads those rows */
	bool same;       /* and they are those of this trace: only its form has changed */
	char format[16]; /* "lackey" */
	uint64_t fingerprint;
};

struct trc_claim trc_claim_of(struct trc_view provenance);

/* A trace. */
struct trc_relative {
	const char *path, *format; /* of the caller */
	uint64_t fingerprint, rows;
	uint32_t have;
	struct trc_claim claim;
};

/* How one is related to one that came before. */
enum trc_kin {
	TRC_KIN_NONE,
	TRC_KIN_TWIN,      /* the same trace */
	TRC_KIN_COPY,      /* the same trace, made of that */
	TRC_KIN_ORIGINAL,  /* the same trace, and that was made of it */
	TRC_KIN_CHILD,     /* made of that */
	TRC_KIN_SOURCE,    /* that was made of it */
	TRC_KIN_NO_CHILD,  /* not made of that, though their names are alike */
	TRC_KIN_NO_SOURCE, /* that was not made of it, though their names are alike */
};

/* Those that came so far. Zeroed memory has to be opened; release frees. */
struct trc_relatives {
	struct trc_map map;
	struct trc_relative *all;
	size_t n, cap;
};

int trc_relatives_init(struct trc_relatives *r, struct trc_err *err) TRC_MUST_USE;
void trc_relatives_release(struct trc_relatives *r);

/* Finds how a trace is related to one of those before, whose path goes into *path, and adds it. */
int trc_relatives_add(struct trc_relatives *r, const struct trc_relative *one, enum trc_kin *kin,
                      const char **path, struct trc_err *err) TRC_MUST_USE;

#endif
