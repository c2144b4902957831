/* SPDX-License-Identifier: MIT
 *
 * What the commands share: the settings and options of input and output, and the way from paths to
 * an opened source and a pumped sink.
 */
#ifndef TRC_CMD_JOB_H
#define TRC_CMD_JOB_H

#include <stddef.h>

#include "batch/flow.h"
#include "cmd/cmd.h"
#include "format/registry.h"

struct trc_job_in {
	const char *from;
	uint64_t skip, limit;        /* limit 0: none */
	uint64_t from_time, to_time; /* in cycles, the second exclusive; 0: not given */
	uint64_t threads;            /* 0: as many as there are cores */
	uint64_t memlimit;           /* 0: not given */
	bool salvage;
};

struct trc_job_out {
	const char *to, *compress, *annotate;
	struct trc_opt_list drop, fill;
	uint64_t level; /* 1 + the level; 0: not given */
	bool extreme, no_verify, split_modify, force, no_sync, quiet;
};

/* Option rows for settings of type T that hold these as members `in` and `out`. */
/* clang-format off */
#define TRC_OPTS_IN(T)                                                                          \
	{ 'f', "from", "FORMAT[:ARGS]", "format of INPUT, if its content does not show it",     \
	  TRC_OPT_TEXT, TRC_WORDS_READ, offsetof(T, in.from) },                                 \
	{ 0, "skip", "N", "leave out the first N records", TRC_OPT_NUMBER, TRC_WORDS_NONE,      \
	  offsetof(T, in.skip) },                                                               \
	{ 0, "limit", "N", "stop after N records", TRC_OPT_COUNT, TRC_WORDS_NONE,               \
	  offsetof(T, in.limit) },                                                              \
	{ 0, "from-time", "T", "leave out records before cycle T, then skip",                   \
	  TRC_OPT_NUMBER, TRC_WORDS_NONE, offsetof(T, in.from_time) },                          \
	{ 0, "to-time", "T", "leave out records from cycle T on", TRC_OPT_COUNT,                \
	  TRC_WORDS_NONE, offsetof(T, in.to_time) },                                            \
	{ 0, "salvage", NULL, "read what is intact in a damaged container", TRC_OPT_FLAG,       \
	  TRC_WORDS_NONE, offsetof(T, in.salvage) },                                            \
	{ 0, "memlimit", "BYTES", "refuse containers that may take more to read",            \
	  TRC_OPT_BYTES, TRC_WORDS_NONE, offsetof(T, in.memlimit) },                            \
	{ 'T', "threads", "N", "use N threads, not one for each core",                          \
	  TRC_OPT_COUNT, TRC_WORDS_NONE, offsetof(T, in.threads) }
/* clang-format on */

/* clang-format off */
#define TRC_OPTS_OUT(T)                                                                         \
	{ 't', "to", "FORMAT[:ARGS]", "format of OUTPUT, if its name does not say it",          \
	  TRC_OPT_TEXT, TRC_WORDS_WRITE, offsetof(T, out.to) },                                 \
	{ 0, "compress", "HOW[:LEVEL]", "pack OUTPUT: xz, gz, bz2 or zst; its name may say it", \
	  TRC_OPT_TEXT, TRC_WORDS_PACKING, offsetof(T, out.compress) },                         \
	{ 0, "drop", "COLUMN,...", "agree to lose columns, or 'kernel'", TRC_OPT_LIST,          \
	  TRC_WORDS_COLUMN, offsetof(T, out.drop) },                                            \
	{ 0, "fill", "COLUMN=VALUE", "supply a column that is missing", TRC_OPT_LIST,           \
	  TRC_WORDS_COLUMN, offsetof(T, out.fill) },                                            \
	{ 0, "annotate", "ISA", "add branches and registers of instructions: riscv",            \
	  TRC_OPT_TEXT, TRC_WORDS_NONE, offsetof(T, out.annotate) },                            \
	{ 0, "level", "0-9", "of a container: -0 fast to -9 small; default 6", TRC_OPT_LEVEL,   \
	  TRC_WORDS_NONE, offsetof(T, out.level) },                                             \
	{ 'e', "extreme", NULL, "try every packing of a container, too: slow", TRC_OPT_FLAG,    \
	  TRC_WORDS_NONE, offsetof(T, out.extreme) },                                           \
	{ 0, "no-verify", NULL, "do not verify blocks of a container as written", TRC_OPT_FLAG, \
	  TRC_WORDS_NONE, offsetof(T, out.no_verify) },                                         \
	{ 0, "split-modify", NULL, "write a modify as a load and a store",                      \
	  TRC_OPT_FLAG, TRC_WORDS_NONE, offsetof(T, out.split_modify) },                        \
	{ 0, "force", NULL, "replace OUTPUT if it exists", TRC_OPT_FLAG, TRC_WORDS_NONE,        \
	  offsetof(T, out.force) },                                                             \
	{ 'q', "quiet", NULL, "print nothing but errors", TRC_OPT_FLAG, TRC_WORDS_NONE,         \
	  offsetof(T, out.quiet) }
/* clang-format on */

/* An opened input: its source, and what its progress is read from. */
struct trc_job {
	struct trc_source *src;
	const struct trc_format *format;
	const uint64_t *raw_at;
	uint64_t raw_size;
	uint64_t threads; /* as the settings have it */
	uint64_t rows;    /* pumped */
};

/* Opens the file `path` by the settings of the input. On success job->src is to be closed.
 * cmd/inputs.h opens what may be a folder, or several. */
int trc_job_open(struct trc_job *job, const char *path, const struct trc_job_in *in,
                 struct trc_err *err) TRC_MUST_USE;

/* Replaces job->src by a stage around it; -1 for NULL, a stage that could not be opened. */
int trc_job_wrap(struct trc_job *job, struct trc_source *stage) TRC_MUST_USE;

/* The format of a name that was given. */
const struct trc_format *trc_job_format_named(const char *name, struct trc_err *err);

/* The format of the output: by --to, else by the ending of `path`, else `otherwise`, which may be
 * NULL if there is none. */
const struct trc_format *trc_job_format(const struct trc_job_out *out, const char *path,
                                        const struct trc_format *otherwise, struct trc_err *err);

/* Wraps what leaves out the records that were not asked for: by their times, then by their number
 * among the others. */
int trc_job_select(struct trc_job *job, const struct trc_job_in *in,
                   struct trc_err *err) TRC_MUST_USE;

/* Fails if `name` is no machine whose instruction words trc reads. */
int trc_job_isa(const char *name, struct trc_err *err) TRC_MUST_USE;

/* Wraps the stages that the settings of the output ask for. */
int trc_job_shape(struct trc_job *job, const struct trc_job_out *out,
                  struct trc_err *err) TRC_MUST_USE;

/* Opens the output `path` as a sink for what job->src gives. */
struct trc_sink *trc_job_sink(const struct trc_job *job, const char *path,
                              const struct trc_format *format, const struct trc_job_out *out,
                              struct trc_err *err) TRC_MUST_USE;

/* Both, and writes the rest of job->src to `path` ("-": standard output) as `format`. */
int trc_job_write(struct trc_job *job, const char *path, const struct trc_format *format,
                  const struct trc_job_out *out, struct trc_err *err) TRC_MUST_USE;

/* Pumps job->src to `sink` under the eyes of the progress line. A salvage that lacks records fails
 * when all others are out, and names them. */
int trc_job_pump(struct trc_job *job, struct trc_sink *sink, bool quiet,
                 struct trc_err *err) TRC_MUST_USE;

/* Refuses inputs that are there only once, "-" and pipes, where they are read `again`: "--x reads the
 * input twice". */
int trc_job_again(const char *path, const char *again, struct trc_err *err) TRC_MUST_USE;

/* Checks that there are `least` to `most` positional words. */
int trc_job_words(const struct trc_args *args, size_t least, size_t most,
                  struct trc_err *err) TRC_MUST_USE;

/* log2 of a page size in bytes, which must be a power of two from 1 to 2^63. */
int trc_job_page_bits(uint64_t bytes, unsigned *bits, struct trc_err *err) TRC_MUST_USE;

#endif
