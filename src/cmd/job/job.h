/* SPDX-License-Identifier: MIT
 *
 * What the commands share: the settings and options of inputs and outputs, and the way from a path
 * to an opened source or a pumped sink.
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

/* A range of bytes of a file. `name` is used in messages. When the source is closed, the sum of its
 * bytes is added to *sum (trc_in_between()). Both must outlive the source. */
struct trc_job_bytes {
	uint64_t from, to;
	const char *name;
	uint64_t *sum;
};

/* The settings of an input. */
struct trc_job_in {
	const char *from;
	uint64_t skip, limit;        /* 0: no limit */
	uint64_t from_time, to_time; /* in cycles, to_time exclusive; 0: not given */
	uint64_t threads;            /* 0: one per core */
	uint64_t memlimit;           /* 0: not given */
	bool salvage;
	bool verbose; /* report what was recognised */
	bool named;   /* one of several inputs: notes name it, even if it is quiet */
	struct trc_filter filter;
	bool provenance;                   /* the output will be a container: trc_job_in_for() */
	const struct trc_job_bytes *bytes; /* lines or records to read; NULL: all */
};

/* How a finished file gets its name: whether it may replace a file, and whether it may be renamed
 * before it is on the disk. */
struct trc_job_publish {
	bool force, no_sync;
};

struct trc_job;
struct trc_job_out;
typedef int trc_job_fit_fn(struct trc_job *job, const struct trc_format *format,
                           const struct trc_job_out *out, struct trc_err *err);

/* The settings of an output; trc_job_out() extracts them from all settings. */
struct trc_job_out {
	const char *to, *compress;
	struct trc_job_publish publish;
	bool quiet;
	bool recording;                      /* of a running program, so writing must be fast */
	const char *loses;                   /* what a command itself leaves out; NULL: nothing */
	const struct trc_settings *settings; /* for the stages before the output */
	const struct trc_stage_row *done;    /* one of these to leave out; NULL: none */
	const struct trc_preset *preset;     /* of --for; NULL: not given */
	bool noted;                          /* the losses by `preset` were reported before */
	const struct trc_fit *fit;           /* applied after these stages; NULL: nothing */
	trc_job_fit_fn *fitting;             /* called after these stages; NULL: not called */
};

/* Owners of options: those of an input; of an output, including its stages; of containers; and
 * three that are also useful alone. */
extern const struct trc_opts trc_job_opts_in, trc_job_opts_out, trc_job_opts_level,
        trc_job_opts_container, trc_job_opts_publish, trc_job_opts_note, trc_job_opts_quiet;

/* The owners for an action that writes a trace. */
#define TRC_JOB_TAKES_OUT                                                                    \
	&trc_job_opts_out, &trc_job_opts_level, &trc_job_opts_container, &trc_job_opts_note, \
	        &trc_job_opts_publish, &trc_job_opts_quiet

struct trc_job_out trc_job_out(const struct trc_settings *settings);
const struct trc_job_in *trc_job_in(const struct trc_settings *settings);

/* Returns the settings of an input whose records are written to `path`. */
struct trc_job_in trc_job_in_for(const struct trc_job_out *out, const char *path);
const struct trc_job_publish *trc_job_publish(const struct trc_settings *settings);

/* Returns the level of packing that was given, or `otherwise`. */
int trc_job_level(const struct trc_settings *settings, int otherwise);

/* Opens a file for writing, to be renamed as `how` asks. */
struct trc_out *trc_job_create(const char *path, const struct trc_job_publish *how,
                               struct trc_err *err) TRC_MUST_USE;

enum { TRC_JOB_NOTE = 384 };

/* An opened input: its source, and where its progress is read from. */
struct trc_job {
	struct trc_source *src;
	const struct trc_format *format;
	const uint64_t *raw_at;
	uint64_t raw_size;
	const struct trc_in *in; /* the data, valid as long as the source; NULL: several inputs */
	bool seekable;           /* any byte can be read directly: neither a pipe nor packed */
	bool whole;              /* no record is left out by position or time */
	uint64_t threads;        /* as in the settings */
	uint64_t rows;           /* number pumped */

	bool guessed;                   /* the format follows only from the content */
	bool few;                       /* and that content is few lines */
	bool follows;                   /* --pc uses the last fetch of each task */
	bool noted;                     /* trc_job_note() was called */
	char changes[TRC_JOB_NOTE];     /* what the columns do not hold as it stands; "": nothing */
	const struct trc_source *range; /* the stage that skips records; NULL: none */
	uint64_t skip;                  /* how many it skips */
	bool named;                     /* as in the settings */

	const struct trc_format *gives; /* the format that the rows come from; NULL: unknown */
	uint32_t types;                 /* those that rows may have, as bits; 0: any of `gives` */

	/* Opens the same input again; NULL: impossible, because it is not made of files or was
	 * changed. */
	int (*again)(struct trc_job *job, const struct trc_settings *settings, struct trc_err *err);

	const char *const *input; /* paths, owned by the caller */
	size_t inputs;
	struct trc_source *file; /* the source of the file itself; NULL: several inputs, or none */
	bool gives_cut;          /* trc_job_report() fails with the records that a cut file lacks */
	bool over_input;         /* the output replaces the only input, and keeps all of it */

	/* The progress of the work that this job is part of; trc_job_open() does not set it. NULL:
	 * the pump has its own. */
	struct trc_progress *progress;
};

/* Opens the file `path` with the settings of the input. On success the caller closes job->src. To
 * open folders or several inputs, see cmd/job/inputs.h. */
int trc_job_open(struct trc_job *job, const char *path, const struct trc_job_in *in,
                 struct trc_err *err) TRC_MUST_USE;

/* Does the same for an open file, which it takes over, even on failure. */
int trc_job_open_in(struct trc_job *job, struct trc_in *in, const struct trc_job_in *settings,
                    struct trc_err *err) TRC_MUST_USE;

/* If the trace becomes a container, adds what this command does to its provenance; for `known` see
 * trc_stage_step(). */
int trc_job_step(struct trc_job *job, const struct trc_format *format,
                 const struct trc_job_out *out, const struct trc_view *known,
                 struct trc_err *err) TRC_MUST_USE;

/* Replaces job->src by a stage around it. Returns -1 if `src` is NULL, which means that opening the
 * stage failed. */
int trc_job_wrap(struct trc_job *job, struct trc_source *src) TRC_MUST_USE;

/* Wraps a stage that drops columns, if the source has any of these. Dropping events drops their
 * rows. */
int trc_job_drop(struct trc_job *job, uint32_t columns, struct trc_err *err) TRC_MUST_USE;

/* Refuses unknown names of formats in the settings, before anything else is done. */
int trc_job_check_formats(const struct trc_settings *settings, struct trc_err *err) TRC_MUST_USE;

/* Returns true for the native format. */
bool trc_job_is_container(const struct trc_format *f);

/* Returns the format with this name, or NULL and an error with a hint. */
const struct trc_format *trc_job_format_named(const char *name, struct trc_err *err);

/* Returns the format of the output: as --to names it, else by the ending of `path`, else
 * `otherwise` (may be NULL). Returns NULL and an error if there is none. */
const struct trc_format *trc_job_format(const struct trc_job_out *out, const char *path,
                                        const struct trc_format *otherwise, struct trc_err *err);

/* Returns the settings for one of several inputs: without those that leave out records, which apply
 * to all inputs together. */
struct trc_job_in trc_job_in_each(const struct trc_job_in *in);

/* Returns true if the settings leave out no record by its position, time or values. */
bool trc_job_in_whole(const struct trc_job_in *in);

/* Wraps the stage that filters records by their values, if the settings have such a filter. */
int trc_job_filter(struct trc_job *job, const struct trc_job_in *in,
                   struct trc_err *err) TRC_MUST_USE;

/* Wraps the stages that select records: by time, then by values, then by position among the
 * rest. */
int trc_job_select(struct trc_job *job, const struct trc_job_in *in,
                   struct trc_err *err) TRC_MUST_USE;

/* Marks the source if several threads of a recording take turns in it. Only those that have to know
 * should ask: the provenance that has it is at the end of a container. */
void trc_job_note_threads(const struct trc_job *job);

/* Wraps the stages (listed in meson.build) whose options are given. */
int trc_job_shape(struct trc_job *job, const struct trc_job_out *out,
                  struct trc_err *err) TRC_MUST_USE;

/* Returns true if an option of such a stage is given. */
bool trc_job_shapes(const struct trc_job_out *out) TRC_MUST_USE;

/* Wraps what --for asks for, and notes what is lost. */
int trc_job_fit(struct trc_job *job, const struct trc_format *format, const struct trc_job_out *out,
                struct trc_err *err) TRC_MUST_USE;

/* Adds to the error of a trace that does not fit `format` everything it would lose, and the command
 * that accepts this. If the job can be opened again, the command is tried on the first records. */
void trc_job_explain(const struct trc_job *job, const struct trc_format *format,
                     const struct trc_job_out *out, struct trc_err *err);

/* Adds to the error of an unreadable input a command that might read it, if its format proposes
 * one. */
void trc_job_explain_from(const struct trc_settings *settings, struct trc_err *err);

/* Returns how many threads to use: as many as the user gave; else one per processor, but only one
 * for small texts. */
int trc_job_threads(const struct trc_job *job);

/* Opens `path` as a sink for the rows of job->src. */
struct trc_sink *trc_job_sink(const struct trc_job *job, const char *path,
                              const struct trc_format *format, const struct trc_job_out *out,
                              struct trc_err *err) TRC_MUST_USE;

/* Returns true if no progress should be shown while `path` is written as `format`: with --quiet, if
 * the records go to the terminal, or if a recorded program has the terminal for itself. */
bool trc_job_quiet(const struct trc_job_out *out, const char *path,
                   const struct trc_format *format);

/* Does all of the above that precedes the first row, and opens the sink; returns NULL on
 * failure. */
struct trc_sink *trc_job_begin(struct trc_job *job, const char *path,
                               const struct trc_format *format, const struct trc_job_out *out,
                               struct trc_err *err) TRC_MUST_USE;

/* Does this, then writes all rows of job->src to `path` ("-": standard output) as `format`. */
int trc_job_write(struct trc_job *job, const char *path, const struct trc_format *format,
                  const struct trc_job_out *out, struct trc_err *err) TRC_MUST_USE;

/* Does the same without the additions of trc_job_explain() to errors; out->fitting replaces
 * --for. */
int trc_job_write_rows(struct trc_job *job, const char *path, const struct trc_format *format,
                       const struct trc_job_out *out, struct trc_err *err) TRC_MUST_USE;

/* Prints sizes before and after, their ratio and the speed for what was written to `path` since
 * `start` (trc_progress_clock()); with --verbose, or if standard error is a terminal. */
void trc_job_summary(const struct trc_job *job, const char *path, const struct trc_job_out *out,
                     double start);

/* Chooses what `p` shows as progress: the bytes read; or the rows, for a container with an index,
 * because containers are read ahead of their rows. */
void trc_job_measure(const struct trc_job *job, struct trc_progress *p);

/* Starts a progress line for the records of a job, and stores it in job->progress. */
void trc_job_begin_progress(struct trc_job *job, struct trc_progress *p, bool quiet);

/* Prints, once, notes to standard error that users of this format may need. */
void trc_job_note(struct trc_job *job, bool quiet);

/* To be called after the last record: notes repairs, and fails if records are missing, naming
 * them. */
int trc_job_report(const struct trc_job *job, bool quiet, struct trc_err *err) TRC_MUST_USE;

/* Pumps job->src to `sink` with a progress line; if there is a job->progress, that line's own
 * `quiet` counts. A salvage that lacks records fails after all others are written, and names
 * them. */
int trc_job_pump(struct trc_job *job, struct trc_sink *sink, bool quiet,
                 struct trc_err *err) TRC_MUST_USE;

/* Returns true if all inputs are files or folders: they can be read again, and reading does not
 * wait for another program. */
bool trc_job_of_files(const struct trc_job *job);

/* Refuses inputs that can be read only once, "-" and pipes, where they are read again. `again`
 * begins the message: "--x reads the input twice". */
int trc_job_again(const char *path, const char *again, struct trc_err *err) TRC_MUST_USE;

/* Returns the output of a command: its last word if it has an input before that, else "-". */
const char *trc_job_output(const struct trc_action *action, const struct trc_settings *settings,
                           const struct trc_args *args);

/* Checks that there are `least` to `most` positional arguments. */
int trc_job_words(const struct trc_args *args, size_t least, size_t most,
                  struct trc_err *err) TRC_MUST_USE;

/* Sets *bits to log2 of a page size in bytes, which must be a power of two from 1 to 2^63. */
int trc_job_page_bits(uint64_t bytes, unsigned *bits, struct trc_err *err) TRC_MUST_USE;

#endif
