/* SPDX-License-Identifier: MIT
 *
 * What the files of `trc split` share.
 */
#ifndef TRC_CMD_SPLIT_SPLIT_H
#define TRC_CMD_SPLIT_SPLIT_H

#include "cmd/job/job.h"

/* As in the option --by. */
enum trc_split_by {
	TRC_SPLIT_NOT, /* not given: with a kernel trace a folder a process, a file a task */
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

/* A split: its settings, with those of input and output. */
struct trc_split {
	const struct trc_split_options *opt;
	const struct trc_job_in *in;
	struct trc_job_out out;
	bool recorded; /* while its program runs, and with the events of the kernel */
};

struct trc_spaces;

/* Takes columns from the trace that a part is, so that `format` can hold it. */
typedef int (*trc_split_fit)(struct trc_job *part, const struct trc_format *format,
                             struct trc_err *err);

/* Deals job->src to files in the folder `path`. `spaces` has the process of each task; it and `fit`
 * are NULL without a kernel trace. */
int trc_split_parts(const struct trc_split *s, struct trc_job *job, const char *path,
                    const struct trc_format *format, const struct trc_spaces *spaces,
                    trc_split_fit fit, struct trc_err *err) TRC_MUST_USE;

/* Cuts job->src, opened on `input`, which may have to be read once more, into files in the folder
 * `path`. */
int trc_split_windows(const struct trc_split *s, struct trc_job *job, const char *input,
                      const char *path, const struct trc_format *format,
                      struct trc_err *err) TRC_MUST_USE;

/* What the names of parts end in: ".merge.xz"; `dst` has room for 32 bytes. Returns dst. */
char *trc_split_ending(const struct trc_split *s, const struct trc_format *format, char *dst);

#endif
