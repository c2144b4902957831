/* SPDX-License-Identifier: MIT
 *
 * Implements --salvage for files that are not containers: reads everything up to the damage.
 */
#ifndef TRC_CMD_JOB_SALVAGE_H
#define TRC_CMD_JOB_SALVAGE_H

#include "base/io/in.h"
#include "batch/flow.h"

/* Opens a stage around the source of `in`; `in` must outlive it. At the end, it reports the lost
 * rest as a gap. */
struct trc_source *trc_job_salvage(struct trc_source *from, const struct trc_in *in,
                                   struct trc_err *err) TRC_MUST_USE;

#endif
