/* SPDX-License-Identifier: MIT
 *
 * The shared parts of `trc split`.
 */
#ifndef TRC_CMD_SPLIT_SPLIT_H
#define TRC_CMD_SPLIT_SPLIT_H

#include "cmd/job/job.h"

/* The values of --by. */
enum trc_split_by {
	/* Not given; with kernel events, a folder for each process with a file for each task. */
	TRC_SPLIT_NOT,
	TRC_SPLIT_TASK,
	TRC_SPLIT_PROCESS,
	TRC_SPLIT_SPACE,
	TRC_SPLIT_TYPE,
};

/* The settings of a split. */
struct trc_split_options {
	const char *kernel;
	bool basic;
	unsigned by;
	struct trc_opt_list at;
	uint64_t every, page_size; /* 0: not given */
};

struct trc_recorded;

/* A split: its settings, and those of input and output. */
struct trc_split {
	const struct trc_split_options *opt;
	const struct trc_job_in *in;
	struct trc_job_out out;
	const struct trc_recorded *recorded; /* the running program; NULL: an existing trace */
};

struct trc_spaces;

/* Drops columns of a part that `format` cannot hold. */
typedef int (*trc_split_fit)(struct trc_job *part, const struct trc_format *format,
                             struct trc_err *err);

/* Splits job->src into files in the folder `path`. `spaces` has the process of each task. `spaces`
 * and `fit` are NULL if there are no kernel events. */
int trc_split_parts(const struct trc_split *s, struct trc_job *job, const char *path,
                    const struct trc_format *format, const struct trc_spaces *spaces,
                    trc_split_fit fit, struct trc_err *err) TRC_MUST_USE;

/* Cuts job->src into files in the folder `path`. It may have to read `input`, from which job->src
 * was opened, once more. */
int trc_split_windows(const struct trc_split *s, struct trc_job *job, const char *input,
                      const char *path, const struct trc_format *format,
                      struct trc_err *err) TRC_MUST_USE;

/* Formats the file name extension of parts, such as ".merge.xz"; `dst` has room for 32 bytes.
 * Returns dst. */
char *trc_split_ending(const struct trc_split *s, const struct trc_format *format, char *dst);

#endif
