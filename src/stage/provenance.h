/* SPDX-License-Identifier: MIT
 *
 * Sources that add entries to a provenance (batch/provenance.h) on the way to a container: what the
 * input was, and how it was changed. Rows pass unchanged.
 */
#ifndef TRC_STAGE_PROVENANCE_H
#define TRC_STAGE_PROVENANCE_H

#include "base/opt.h"
#include "batch/flow.h"

/* Wraps the source `from`, which is not a container, and adds an entry for its format and, if
 * `fingerprint`, at its end one with the fingerprint of its rows. Takes ownership of `from` on
 * success. */
struct trc_source *trc_stage_origin(struct trc_source *from, const char *format, bool fingerprint,
                                    struct trc_err *err);

/* A command that makes a new trace. */
struct trc_provenance_step {
	struct trc_buf command;           /* version, name, and options that change records */
	bool plain;                       /* there are no such options */
	const struct trc_opt_list *notes; /* KEY=VALUE each; owned by the caller */
};

/* Wraps the source `from` and adds entries for a step after those of `from`, which may change up to
 * its end, or after `known` if that is not NULL. Takes ownership of `from` on success. */
struct trc_source *trc_stage_step(struct trc_source *from, const struct trc_provenance_step *step,
                                  const struct trc_view *known, struct trc_err *err);

#endif
