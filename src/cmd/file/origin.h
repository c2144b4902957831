/* SPDX-License-Identifier: MIT
 *
 * Files that contain the same trace, or of which one was made from the other: identified by the
 * fingerprints of their rows (batch/fingerprint.h), and by the fingerprints of their sources in
 * containers (batch/provenance.h).
 */
#ifndef TRC_CMD_FILE_ORIGIN_H
#define TRC_CMD_FILE_ORIGIN_H

#include "base/map.h"
#include "batch/provenance.h"

/* What a trace records about its source; nothing if it has several sources. */
struct trc_origin {
	bool known;      /* the fingerprint is recorded */
	bool named;      /* reading the source needs no arguments of --from */
	bool same;       /* and it has the rows of this trace: only the form has changed */
	char format[16]; /* for example "lackey" */
	uint64_t fingerprint;
};

struct trc_origin trc_origin_of(struct trc_view provenance);

/* A trace. */
struct trc_origin_trace {
	const char *path, *format; /* owned by the caller */
	uint64_t fingerprint, rows;
	uint32_t have;
	struct trc_origin origin;
};

/* The relation of a trace to an earlier one. */
enum trc_origin_relation {
	TRC_ORIGIN_NONE,
	TRC_ORIGIN_DUPLICATE,   /* the same trace */
	TRC_ORIGIN_COPY,        /* the same trace, made from the earlier one */
	TRC_ORIGIN_ORIGINAL,    /* the same trace, from which the earlier one was made */
	TRC_ORIGIN_DERIVED,     /* made from the earlier one */
	TRC_ORIGIN_SOURCE,      /* the earlier one was made from it */
	TRC_ORIGIN_NOT_DERIVED, /* not made from the earlier one, in spite of their names */
	TRC_ORIGIN_NOT_SOURCE,  /* the earlier one was not made from it, in spite of their names */
};

/* The traces so far. Must be initialized; releasing frees the memory. */
struct trc_origins {
	struct trc_map map;
	struct trc_origin_trace *all;
	size_t n, cap;
};

int trc_origins_init(struct trc_origins *r, struct trc_err *err) TRC_MUST_USE;
void trc_origins_release(struct trc_origins *r);

/* Finds the relation of a trace to an earlier one, whose path is stored in *path, and adds it. */
int trc_origins_add(struct trc_origins *r, const struct trc_origin_trace *one,
                    enum trc_origin_relation *relation, const char **path,
                    struct trc_err *err) TRC_MUST_USE;

#endif
