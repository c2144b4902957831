/* SPDX-License-Identifier: MIT
 *
 * What --salvage reads of files that are not containers: all up to where they break off.
 */
#ifndef TRC_CMD_JOB_SALVAGE_H
#define TRC_CMD_JOB_SALVAGE_H

#include "base/io/in.h"
#include "batch/flow.h"

/* A stage around the source of `in`, which outlives it: names what is lost as a gap at the end. */
struct trc_source *trc_job_salvage(struct trc_source *from, const struct trc_in *in,
                                   struct trc_err *err) TRC_MUST_USE;

#endif
