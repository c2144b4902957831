/* SPDX-License-Identifier: MIT
 *
 * Assigns the words of a command line to traces. A word is a file, a manifest, a folder, an
 * archive, or - for standard input. Each word is a trace of its own, except:
 *
 *   --concat      joins all words into one trace, in their order;
 *   a manifest    is one trace, made of the files that it names;
 *   a folder or archive is one trace if its files are parts of one (the threads of a recording, or
 *                 what `trc split` wrote); otherwise each of its files is one, as regions are.
 */
#ifndef TRC_CMD_JOB_TRACES_H
#define TRC_CMD_JOB_TRACES_H

#include "cmd/job/job.h"
#include "cmd/names/files.h"

/* A trace: its words, which are merged in order of time, or follow each other if `in_order`. */
struct trc_trace {
	const char *const *path;
	size_t n;
	bool in_order;
};

/* All traces of a command line. Zeroed memory is an empty list. */
struct trc_traces {
	struct trc_trace *trace;
	size_t n, cap;

	/* Private: what folders contain. */
	struct trc_files files;
	const char **path;
};

/* The owner of --concat, and whether that option is given. */
extern const struct trc_opts trc_traces_opts;
bool trc_traces_in_order(const struct trc_settings *settings);

/* Lists the traces that `n` words stand for. Unless `quiet`, it notes which folders are several
 * traces. The caller releases the list even on failure; the words must outlive it. */
int trc_traces_list(struct trc_traces *t, const struct trc_settings *settings,
                    const char *const *word, size_t n, bool quiet,
                    struct trc_err *err) TRC_MUST_USE;
void trc_traces_release(struct trc_traces *t);

/* Opens a trace as the source of a job, like trc_inputs_open(). */
int trc_trace_open(struct trc_job *job, const struct trc_trace *t, const struct trc_job_in *in,
                   bool quiet, struct trc_err *err) TRC_MUST_USE;

/* trc_traces_open_words() opens as one trace all words but the output, which is the last if there
 * are several. trc_traces_open_again() opens the same again, for job->again. */
int trc_traces_open_words(struct trc_job *job, const struct trc_settings *settings,
                          const struct trc_args *args, const struct trc_job_in *in, bool quiet,
                          struct trc_err *err) TRC_MUST_USE;
int trc_traces_open_again(struct trc_job *job, const struct trc_settings *settings,
                          struct trc_err *err) TRC_MUST_USE;

enum { TRC_TRACES_NAME = 101 }; /* in bytes, with the terminating NUL */

/* Formats a title for `n` words: the first without its folders, and how many more there are.
 * Returns `dst`, which has room for TRC_TRACES_NAME. */
const char *trc_traces_name(const char *const *path, size_t n, char *dst);

#endif
