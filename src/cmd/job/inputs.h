/* SPDX-License-Identifier: MIT
 *
 * Several inputs as one: files, and folders of files as `trc split` writes them, merged in order
 * of time, or one behind the other.
 */
#ifndef TRC_CMD_JOB_INPUTS_H
#define TRC_CMD_JOB_INPUTS_H

#include "cmd/job/job.h"

/* Opens one file, or `n` inputs, each a file, a manifest or a folder, as one source of the job,
 * which is to be closed. Parts of one folder that all have it are merged by reference time, others
 * by time. A file of a merge has the number of its task for a name, and is in a folder named after
 * its process, which stands for its space. Many files are read here already, with progress unless
 * `quiet`. */
int trc_inputs_open(struct trc_job *job, const char *const *path, size_t n,
                    const struct trc_job_in *in, bool quiet, struct trc_err *err) TRC_MUST_USE;

/* Opens `n` inputs, each a file, a manifest or a folder, one behind the other: all have the same
 * columns. The range is one of all records together. */
int trc_inputs_concat(struct trc_job *job, const char *const *path, size_t n,
                      const struct trc_job_in *in, struct trc_err *err) TRC_MUST_USE;

#endif
