/* SPDX-License-Identifier: MIT */
#ifndef TRC_CMD_STAT_FORMATS_H
#define TRC_CMD_STAT_FORMATS_H

#include "cmd/job.h"

/* Writes `path` in every lossless format, plain and with xz, into a directory that is removed
 * again, reads it back, and prints how large and how fast each was, or why the format cannot hold
 * the trace. */
int trc_stat_formats(const char *path, const struct trc_job_in *in, bool json, bool quiet,
                     struct trc_err *err) TRC_MUST_USE;

#endif
