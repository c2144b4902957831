/* SPDX-License-Identifier: MIT
 *
 * What the files of a trace were, kept by shards for a container that a merge makes: of each its
 * format and its provenance, each behind how many bytes it has (a number of base/buf.h).
 */
#ifndef TRC_CMD_JOB_ORIGINS_H
#define TRC_CMD_JOB_ORIGINS_H

#include "batch/provenance.h"

/* Appends a file. */
int trc_origin_put(struct trc_buf *to, const char *format, struct trc_view provenance,
                   struct trc_err *err) TRC_MUST_USE;

/* Takes the next file from the front; false if that is damaged. */
bool trc_origin_next(struct trc_view *from, struct trc_view *format, struct trc_view *provenance);

/* True if that is files up to its end, as the others rely on. */
bool trc_origins_good(struct trc_view from);

/* The provenance of all together, as trc_stage_origin() has that of each, but for fingerprints. Its
 * bytes are those of *all, zeroed before, which is to be released. */
int trc_origins_join(struct trc_view from, struct trc_provenances *all, struct trc_view *list,
                     struct trc_err *err) TRC_MUST_USE;

#endif
