/* SPDX-License-Identifier: MIT
 *
 * Which words of a command line stand for which traces. A word is a file, a manifest, a folder, an
 * archive, or - for standard input; each is a trace of its own, but
 *
 *   --concat      makes all words one trace, in their order;
 *   a manifest    is one trace, of the files that it names;
 *   a folder or archive whose files are parts of one trace (the threads of a recording, what
 *                 `trc split` wrote) is that trace; else each of its files is one, as regions are.
 */
#ifndef TRC_CMD_JOB_TRACES_H
#define TRC_CMD_JOB_TRACES_H

#include "cmd/job/job.h"
#include "cmd/names/files.h"

/* A trace: its words, which are merged in order of time, or with `in_order` follow each other. */
struct trc_trace {
	const char *const *path;
	size_t n;
	bool in_order;
};

/* All of them. Zeroed memory is none. */
struct trc_traces {
	struct trc_trace *trace;
	size_t n, cap;

	/* Private: of folders. */
	struct trc_files files;
	const char **path;
};

/* The owner of --concat, and whether it was given. */
extern const struct trc_opts trc_traces_opts;
bool trc_traces_in_order(const struct trc_settings *all);

/* Lists the traces that `n` words stand for; `one`: all are one in any case. Notes folders that are
 * several, unless `quiet`. To be released in any case; the words outlive it. */
int trc_traces_list(struct trc_traces *t, const struct trc_settings *all, const char *const *word,
                    size_t n, bool quiet, struct trc_err *err) TRC_MUST_USE;
void trc_traces_release(struct trc_traces *t);

/* Opens a trace as the source of a job, as trc_inputs_open() does. */
int trc_trace_open(struct trc_job *job, const struct trc_trace *t, const struct trc_job_in *in,
                   bool quiet, struct trc_err *err) TRC_MUST_USE;

/* Opens all words but the output, which is the last of several, as one trace; and the same again,
 * for job->again. */
int trc_traces_open_words(struct trc_job *job, const struct trc_settings *all,
                          const struct trc_args *args, const struct trc_job_in *in, bool quiet,
                          struct trc_err *err) TRC_MUST_USE;
int trc_traces_open_again(struct trc_job *job, const struct trc_settings *all,
                          struct trc_err *err) TRC_MUST_USE;

enum { TRC_TRACES_NAME = 101 }; /* bytes, with the 0 behind it */

/* What titles call `n` words: the first without its folders, and how many more there are. Returns
 * dst, which has room for TRC_TRACES_NAME. */
const char *trc_traces_name(const char *const *path, size_t n, char *dst);

#endif
