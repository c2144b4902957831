/* SPDX-License-Identifier: MIT
 *
 * The origins of a trace's files, kept by shards for the container that a merge writes. For each
 * file they hold its format and its provenance, each preceded by its size in bytes (a number of
 * base/buf.h).
 */
#ifndef TRC_CMD_JOB_ORIGINS_H
#define TRC_CMD_JOB_ORIGINS_H

#include "batch/provenance.h"

/* Appends a file to `to`. */
int trc_origin_put(struct trc_buf *to, const char *format, struct trc_view provenance,
                   struct trc_err *err) TRC_MUST_USE;

/* Takes the next file from the front of `from`; returns false if that is damaged. */
bool trc_origin_next(struct trc_view *from, struct trc_view *format, struct trc_view *provenance);

/* Returns true if `from` consists of undamaged files; the other functions rely on this. */
bool trc_origins_good(struct trc_view from);

/* Joins the provenance of all files into one, as trc_stage_origin() does for each, but without
 * fingerprints. *list points into *all, which must be zeroed before and released after. */
int trc_origins_join(struct trc_view from, struct trc_provenances *all, struct trc_view *list,
                     struct trc_err *err) TRC_MUST_USE;

#endif
