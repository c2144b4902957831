/* SPDX-License-Identifier: MIT
 *
 * Opens several inputs as one trace: files, and folders of files as `trc split` writes them, either
 * merged in order of time or one after another.
 */
#ifndef TRC_CMD_JOB_INPUTS_H
#define TRC_CMD_JOB_INPUTS_H

#include "cmd/job/job.h"

/* Opens one file, or `n` inputs that are each a file, a manifest or a folder, as one source, which
 * the caller closes. The files of one folder are merged by reference time if all have it, other
 * inputs by time. A file of the format `merge` is named after its task and its folder after the
 * process, which supplies the address space. If there are too many files to keep open, they are
 * read here already, with progress unless `quiet`. */
int trc_inputs_open(struct trc_job *job, const char *const *path, size_t n,
                    const struct trc_job_in *in, bool quiet, struct trc_err *err) TRC_MUST_USE;

/* Opens `n` inputs, each a file, a manifest or a folder, one after another. All must have the same
 * columns. A range counts the records of all inputs together. */
int trc_inputs_concat(struct trc_job *job, const char *const *path, size_t n,
                      const struct trc_job_in *in, struct trc_err *err) TRC_MUST_USE;

#endif
