/* SPDX-License-Identifier: MIT
 *
 * Files that contain the same trace, or of which one was made from the other: identified by the
 * fingerprints of their rows (batch/fingerprint.h), and by the fingerprints of their sources in
 * containers (batch/provenance.h).
 */
#ifndef TRC_CMD_FILE_RELATED_H
#define TRC_CMD_FILE_RELATED_H

#include "base/map.h"
#include "batch/provenance.h"

/* What a trace records about its source; nothing if it has several sources. */
struct trc_claim {
	bool known;      /* the fingerprint is recorded */
	bool named;      /* reading the source needs no arguments of --from */
	bool same;       /* and it has the rows of this trace: only the form has changed */
	char format[16]; /* for example "lackey" */
	uint64_t fingerprint;
};

struct trc_claim trc_claim_of(struct trc_view provenance);

/* A trace. */
struct trc_relative {
	const char *path, *format; /* owned by the caller */
	uint64_t fingerprint, rows;
	uint32_t have;
	struct trc_claim claim;
};

/* The relation of a trace to an earlier one. */
enum trc_kin {
	TRC_KIN_NONE,
	TRC_KIN_TWIN,      /* the same trace */
	TRC_KIN_COPY,      /* the same trace, made from the earlier one */
	TRC_KIN_ORIGINAL,  /* the same trace, from which the earlier one was made */
	TRC_KIN_CHILD,     /* made from the earlier one */
	TRC_KIN_SOURCE,    /* the earlier one was made from it */
	TRC_KIN_NO_CHILD,  /* not made from the earlier one, in spite of their names */
	TRC_KIN_NO_SOURCE, /* the earlier one was not made from it, in spite of their names */
};

/* The traces so far. Must be initialized; releasing frees the memory. */
struct trc_relatives {
	struct trc_map map;
	struct trc_relative *all;
	size_t n, cap;
};

int trc_relatives_init(struct trc_relatives *r, struct trc_err *err) TRC_MUST_USE;
void trc_relatives_release(struct trc_relatives *r);

/* Finds the relation of a trace to an earlier one, whose path is stored in *path, and adds it. */
int trc_relatives_add(struct trc_relatives *r, const struct trc_relative *one, enum trc_kin *kin,
                      const char **path, struct trc_err *err) TRC_MUST_USE;

#endif
