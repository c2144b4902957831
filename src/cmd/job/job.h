/* SPDX-License-Identifier: MIT
 *
 * What the commands share: the settings and options of input and output, and the way from paths to
 * an opened source and a pumped sink.
 */
#ifndef TRC_CMD_JOB_JOB_H
#define TRC_CMD_JOB_JOB_H

#include <stddef.h>

#include "batch/flow.h"
#include "cmd/fit/fit.h"
#include "cmd/job/progress.h"
#include "cmd/job/settings.h"
#include "format/registry.h"
#include "stage/filter.h"
#include "stage/provenance.h"
#include "stage/stage.h"

/* Some bytes of a file; `name` is for messages, and must outlive the source; *sum, too, to which
 * that of the bytes is added when it is closed (trc_in_between()). */
struct trc_job_bytes {
	uint64_t from, to;
	const char *name;
	uint64_t *sum;
};

/* The settings of an input. */
struct trc_job_in {
	const char *from;
	uint64_t skip, limit;        /* limit 0: none */
	uint64_t from_time, to_time; /* in cycles, the second exclusive; 0: not given */
	uint64_t threads;            /* 0: as many as there are cores */
	uint64_t memlimit;           /* 0: not given */
	bool salvage;
	bool verbose; /* what was recognised is reported */
	bool named;   /* it is one of several, whose notes have its name, quiet as it is itself */
	struct trc_filter filter;
	bool provenance;                   /* it will be in a container: trc_job_in_for() */
	const struct trc_job_bytes *bytes; /* these alone, of lines or records; NULL: all */
};

/* How a file that was written gets its name: over what is there, and before it is on the disk. */
struct trc_job_publish {
	bool force, no_sync;
};

struct trc_job;
struct trc_job_out;
typedef int trc_job_fit_fn(struct trc_job *job, const struct trc_format *format,
                           const struct trc_job_out *out, struct trc_err *err);

/* The settings of an output; trc_job_out() takes them from all settings. */
struct trc_job_out {
	const char *to, *compress;
	struct trc_job_publish publish;
	bool quiet;
	bool recording;                   /* of a program that runs: written fast */
	const char *loses;                /* a command that leaves out records by itself, or NULL */
	const struct trc_settings *all;   /* for the stages in front of the output, */
	const struct trc_stage_row *done; /* one of these that is left out; NULL: none */
	const struct trc_preset *preset;  /* what the trace is for; NULL: not given */
	bool noted;                       /* what that loses was noted before */
	const struct trc_fit *fit;        /* done behind these stages; NULL: nothing */
	trc_job_fit_fn *fitting;          /* called behind them; NULL: nothing is */
};

/* Owners of options: that of an input, that of an output, with which come the stages in front of
 * it, that of containers, and two that are of use by themselves. */
extern const struct trc_opts trc_job_opts_in, trc_job_opts_out, trc_job_opts_container,
        trc_job_opts_publish, trc_job_opts_note, trc_job_opts_quiet;

/* What a part takes that writes a trace. */
#define TRC_JOB_TAKES_OUT                                                                      \
	&trc_job_opts_out, &trc_job_opts_container, &trc_job_opts_note, &trc_job_opts_publish, \
	        &trc_job_opts_quiet

struct trc_job_out trc_job_out(const struct trc_settings *all);
const struct trc_job_in *trc_job_in(const struct trc_settings *all);

/* The settings of an input that goes to `path`. */
struct trc_job_in trc_job_in_for(const struct trc_job_out *out, const char *path);
const struct trc_job_publish *trc_job_publish(const struct trc_settings *all);

/* Opens a file for writing. */
struct trc_out *trc_job_create(const char *path, const struct trc_job_publish *how,
                               struct trc_err *err) TRC_MUST_USE;

enum { TRC_JOB_NOTE = 384 };

/* An opened input: its source, and what its progress is read from. */
struct trc_job {
	struct trc_source *src;
	const struct trc_format *format;
	const uint64_t *raw_at;
	uint64_t raw_size;
	const struct trc_in *in; /* the data, while there is a source; NULL: several inputs */
	bool seekable;           /* any byte of the data can be read: it is no pipe, nor packed */
	bool whole;              /* no record is left out by its place or time */
	uint64_t threads;        /* as the settings have it */
	uint64_t rows;           /* pumped */

	bool guessed;                   /* no option, nor ending, has the format: its content */
	bool few;                       /* and there are few lines of that */
	bool follows;                   /* --pc goes by what each task fetched last */
	bool noted;                     /* by trc_job_note() */
	char changes[TRC_JOB_NOTE];     /* what its columns do not hold as it stands; "": nothing */
	const struct trc_source *range; /* the stage that skips records, and */
	uint64_t skip;                  /* how many; NULL: none */
	bool named;                     /* as the settings have it */

	const struct trc_format *gives; /* the one that rows come from; NULL: not known */
	uint32_t types;                 /* that they may be of, a bit each; 0: all of `gives` */

	/* Opens the same again, if it is of files and nothing was done to it; NULL: it cannot. */
	int (*again)(struct trc_job *job, const struct trc_settings *all, struct trc_err *err);

	const char *const *input; /* their paths, of the caller */
	size_t inputs;
	struct trc_source *file; /* the source of the file itself; NULL: several, or none */
	bool gives_cut;          /* trc_job_report() reports what it lacks */
	bool over_input;         /* the output takes the place of the only one, and has all of it */

	/* That of work of which this is a part, and which trc_job_open() leaves out; NULL: the pump
	 * has one of its own. */
	struct trc_progress *progress;
};

/* Opens the file `path` by the settings of the input. On success job->src is to be closed.
 * cmd/job/inputs.h opens what may be a folder, or several. */
int trc_job_open(struct trc_job *job, const char *path, const struct trc_job_in *in,
                 struct trc_err *err) TRC_MUST_USE;

/* The same of an input that is open, and taken over, also where that fails. */
int trc_job_open_in(struct trc_job *job, struct trc_in *in, const struct trc_job_in *settings,
                    struct trc_err *err) TRC_MUST_USE;

/* Adds what this command does to the provenance of a trace that becomes a container; `known` as in
 * trc_stage_step(). */
int trc_job_step(struct trc_job *job, const struct trc_format *format,
                 const struct trc_job_out *out, const struct trc_view *known,
                 struct trc_err *err) TRC_MUST_USE;

/* Replaces job->src by a stage around it; -1 for NULL, a stage that could not be opened. */
int trc_job_wrap(struct trc_job *job, struct trc_source *src) TRC_MUST_USE;

/* Wraps it in the stage that drops columns, if it has one of these; with events their rows go. */
int trc_job_drop(struct trc_job *job, uint32_t columns, struct trc_err *err) TRC_MUST_USE;

/* Refuses names of formats among the settings that are none, before anything else is done. */
int trc_job_check_formats(const struct trc_settings *all, struct trc_err *err) TRC_MUST_USE;

/* The format of a name that was given. */
const struct trc_format *trc_job_format_named(const char *name, struct trc_err *err);

/* The format of the output: by --to, else by the ending of `path`, else `otherwise`, which may be
 * NULL if there is none. */
const struct trc_format *trc_job_format(const struct trc_job_out *out, const char *path,
                                        const struct trc_format *otherwise, struct trc_err *err);

/* The settings of an input that is one of several: what leaves out records comes behind all. */
struct trc_job_in trc_job_in_each(const struct trc_job_in *in);

/* Whether the settings leave out no record by its place, its time, or what it has. */
bool trc_job_in_whole(const struct trc_job_in *in);

/* Wraps the stage that leaves out records by what they have, if there are any to leave out. */
int trc_job_filter(struct trc_job *job, const struct trc_job_in *in,
                   struct trc_err *err) TRC_MUST_USE;

/* Wraps the stages that leave out records: by their times, by what else they have, then by their
 * number among the others. */
int trc_job_select(struct trc_job *job, const struct trc_job_in *in,
                   struct trc_err *err) TRC_MUST_USE;

/* Wraps those stages of the list in meson.build whose options are given. */
int trc_job_shape(struct trc_job *job, const struct trc_job_out *out,
                  struct trc_err *err) TRC_MUST_USE;

/* True if the options of one are given. */
bool trc_job_shapes(const struct trc_job_out *out) TRC_MUST_USE;

/* Wraps what --for asks for, and notes what that loses. */
int trc_job_fit(struct trc_job *job, const struct trc_format *format, const struct trc_job_out *out,
                struct trc_err *err) TRC_MUST_USE;

/* Adds to the error of a trace that does not fit `format` what it loses in all where it does, and
 * the command that does it: tried on the first records, if the job can be opened again. */
void trc_job_explain(const struct trc_job *job, const struct trc_format *format,
                     const struct trc_job_out *out, struct trc_err *err);

/* Adds to the error of an input that is not read the command that might read it, if its format
 * proposes one. */
void trc_job_explain_from(const struct trc_settings *all, struct trc_err *err);

/* Opens the output `path` as a sink for what job->src gives. */
struct trc_sink *trc_job_sink(const struct trc_job *job, const char *path,
                              const struct trc_format *format, const struct trc_job_out *out,
                              struct trc_err *err) TRC_MUST_USE;

/* True if no progress is to be shown while `path` is written as `format`: with --quiet, and on the
 * terminal that records go to, or a program that is recorded has for itself. */
bool trc_job_quiet(const struct trc_job_out *out, const char *path,
                   const struct trc_format *format);

/* All of these before a row is pumped; NULL if one failed. */
struct trc_sink *trc_job_begin(struct trc_job *job, const char *path,
                               const struct trc_format *format, const struct trc_job_out *out,
                               struct trc_err *err) TRC_MUST_USE;

/* That, and writes the rest of job->src to `path` ("-": standard output) as `format`. */
int trc_job_write(struct trc_job *job, const char *path, const struct trc_format *format,
                  const struct trc_job_out *out, struct trc_err *err) TRC_MUST_USE;

/* The same without what trc_job_explain() adds to an error; out->fitting stands for --for. */
int trc_job_write_rows(struct trc_job *job, const char *path, const struct trc_format *format,
                       const struct trc_job_out *out, struct trc_err *err) TRC_MUST_USE;

/* Prints how many bytes became how many, and how fast: what was written to `path` since `start`
 * (trc_progress_clock()). With --verbose, or where somebody is at a terminal. */
void trc_job_summary(const struct trc_job *job, const char *path, const struct trc_job_out *out,
                     double start);

/* Sets by what `p` shows how far the input is read: bytes; or of a container, which is read ahead
 * of its rows, these, if it has an index. */
void trc_job_measure(const struct trc_job *job, struct trc_progress *p);

/* Begins a progress line for the records of a job, which becomes job->progress. */
void trc_job_begin_progress(struct trc_job *job, struct trc_progress *p, bool quiet);

/* What users of a format should know that they may not, once, on standard error. */
void trc_job_note(struct trc_job *job, bool quiet);

/* Behind the last record: notes what was repaired, and fails if records lack, naming them. */
int trc_job_report(const struct trc_job *job, bool quiet, struct trc_err *err) TRC_MUST_USE;

/* Pumps job->src to `sink` under the eyes of the progress line, whose own `quiet` counts if it is
 * job->progress. A salvage that lacks records fails when all others are out, and names them. */
int trc_job_pump(struct trc_job *job, struct trc_sink *sink, bool quiet,
                 struct trc_err *err) TRC_MUST_USE;

/* True if all inputs are files, or folders of them: they can be read once more, and nobody has to
 * be waited for. */
bool trc_job_of_files(const struct trc_job *job);

/* Refuses inputs that are there only once, "-" and pipes, where they are read `again`: "--x reads the
 * input twice". */
int trc_job_again(const char *path, const char *again, struct trc_err *err) TRC_MUST_USE;

/* The output of commands whose last word it is, behind an input: the path, or "-". */
const char *trc_job_output(const struct trc_action *action, const struct trc_settings *all,
                           const struct trc_args *args);

/* Checks that there are `least` to `most` positional words. */
int trc_job_words(const struct trc_args *args, size_t least, size_t most,
                  struct trc_err *err) TRC_MUST_USE;

/* log2 of a page size in bytes, which must be a power of two from 1 to 2^63. */
int trc_job_page_bits(uint64_t bytes, unsigned *bits, struct trc_err *err) TRC_MUST_USE;

#endif
