/* SPDX-License-Identifier: MIT
 *
 * Sources that add entries to a provenance (batch/provenance.h) on the way to a container: what the
 * input was, and what was done to it. Rows pass as they are.
 */
#ifndef TRC_STAGE_PROVENANCE_H
#define TRC_STAGE_PROVENANCE_H

#include "base/opt.h"
#include "batch/flow.h"

/* The source `from`, which is no container, with an entry for its format; at its end, if that is
 * wanted, with the fingerprint of its rows. Takes it over if it succeeds. */
struct trc_source *trc_stage_origin(struct trc_source *from, const char *format, bool fingerprint,
                                    struct trc_err *err);

/* A command that makes a new trace. */
struct trc_provenance_step {
	struct trc_buf command;           /* version, name, options that change records */
	bool plain;                       /* without such options */
	const struct trc_opt_list *notes; /* each KEY=VALUE; of the caller */
};

/* The source `from`, with entries for a step behind those that it has, which may grow up to its
 * end; or, if `known` is not NULL, behind those. Takes it over if it succeeds. */
struct trc_source *trc_stage_step(struct trc_source *from, const struct trc_provenance_step *step,
                                  const struct trc_view *known, struct trc_err *err);

#endif
