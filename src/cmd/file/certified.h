/* SPDX-License-Identifier: MIT
 * --certify: what the whole and shards have in common. */
#ifndef TRC_CMD_FILE_CERTIFIED_H
#define TRC_CMD_FILE_CERTIFIED_H

#include "batch/fingerprint_part.h"
#include "cmd/job/spread.h"
#include "cmd/shard/shard.h"
#include "stage/reduce/certify.h"

/* Both traces, and the certificate. */
struct trc_certified {
	const char *path[2];  /* reduced, original */
	struct trc_meta meta; /* of the reduced trace, at its end */
	uint64_t rows;        /* of it */
	uint64_t fingerprint[2];
	uint64_t r;
	struct trc_scope scope;
	struct trc_certificate c;
	struct trc_job reduced;               /* no source: parts are joined */
	struct trc_fingerprint_part original; /* of all of its rows so far, */
	bool begun;                           /* if this was */
	struct trc_spread spread;
};

extern const struct trc_opts trc_certified_opts; /* the options of --certify */

/* Finds what is to be certified, by reading the reduced trace x->path[0], and opens that once more;
 * x is to be released in any case. */
int trc_certified_look(struct trc_certified *x, const struct trc_settings *all,
                       struct trc_err *err) TRC_MUST_USE;

/* Takes rows of the original, for its fingerprint: all, in their order. */
int trc_certified_rows(struct trc_certified *x, const struct trc_batch *b,
                       struct trc_err *err) TRC_MUST_USE;

/* Wraps the original as what a sink compares, and opens this; `part` has what is in front of it.
 * Without x->reduced.src parts are joined. */
struct trc_sink *trc_certified_open(struct trc_certified *x, const struct trc_settings *all,
                                    struct trc_job *original, struct trc_certify_part part,
                                    struct trc_err *err);

void trc_certified_release(struct trc_certified *x);

/* When the sink has finished: prints the certificate; or with --json where they part, which
 * *err has, if that was found, and fails. */
int trc_certified_print(struct trc_certified *x, const struct trc_settings *all,
                        struct trc_err *err) TRC_MUST_USE;
int trc_certified_print_parted(const struct trc_certified *x, const struct trc_settings *all,
                               struct trc_err *err);

#endif
