/* SPDX-License-Identifier: MIT
 *
 * The findings of --check about a trace, for a whole trace and for merged shards.
 */
#ifndef TRC_CMD_FILE_FINDING_H
#define TRC_CMD_FILE_FINDING_H

#include "base/io/out.h"
#include "batch/counts.h"
#include "cmd/answer/answer.h"
#include "cmd/file/origin.h"
#include "cmd/job/settings.h"
#include "stage/check.h"
#include "stage/stage.h"

enum trc_outcome { TRC_OUTCOME_GOOD, TRC_OUTCOME_ODD, TRC_OUTCOME_WRONG, TRC_OUTCOME_NO_TRACE };

/* The findings about one file. */
struct trc_finding {
	enum trc_outcome outcome;
	const char *format; /* NULL: unknown */
	uint64_t rows, fingerprint;
	uint32_t have;
	struct trc_origin origin;                      /* about its source */
	bool whole;                                    /* it was read to its end */
	char why[sizeof(((struct trc_err *)0)->text)]; /* empty if there is nothing to report */
	struct trc_err err; /* why checking itself had to stop, such as TRC_STOPPED */
};

/* How findings are printed: the settings of trc_stat_opts_finding. */
struct trc_finding_form {
	bool strict, tap;
};

/* Notes it if reducing the trace again leaves fewer rows than it has. */
void trc_finding_dropped(struct trc_finding *v, uint64_t rows);

/* Returns true if the reduction of a trace with columns `have` can be repeated on it; sets *how to
 * that reduction. */
bool trc_check_again(const struct trc_guarantee *p, uint32_t have, struct trc_reduction *how);

/* Fails with TRC_USAGE if options leave out rows or choose two forms of output. */
int trc_check_usage(const struct trc_settings *settings, struct trc_err *err) TRC_MUST_USE;

/* Adds an error, a warning or a remark, formatted like printf(). Errors must be added first. */
void trc_finding_note(struct trc_finding *v, enum trc_outcome outcome, const char *fmt, ...)
        TRC_PRINTF(3, 4);

/* Does the same for a fault in `n` rows, the first of which is row `first`; 0: in the whole trace.
 * `whom` is prefixed: "stops champsim: ", or "". */
void trc_finding_fault(struct trc_finding *v, enum trc_outcome outcome, const char *whom,
                       const char *what, uint64_t n, uint64_t first);

/* Add findings about a whole trace: an index with other counts; errors in rows and in the
 * fingerprint of its source, and repairs. */
void trc_finding_counts(struct trc_finding *v, const struct trc_counts *index,
                        const struct trc_counts *counts);
void trc_finding_rows(struct trc_finding *v, const struct trc_check *check, uint64_t repaired);

/* Adds warnings about a whole trace, after all errors: the name `path` suggests another format
 * (unless the format was `given`); the last line has no newline, or there is no footer; and
 * warnings about rows. */
void trc_finding_end(struct trc_finding *v, const struct trc_check *check, const char *path,
                     bool given, bool unended);

/* Prints what precedes the first of `n` traces with --tap or --csv. */
int trc_finding_begin(size_t n, bool tap, enum trc_form form, struct trc_out *out,
                      struct trc_err *err) TRC_MUST_USE;

/* Prints a line, or several with --tap, for trace `i` (from 0). */
int trc_finding_print(const struct trc_finding *v, const char *path, size_t i, bool tap,
                      enum trc_form form, struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

/* Fails if any of the traces is wrong. */
int trc_finding_fail(size_t wrong, size_t traces, struct trc_err *err) TRC_MUST_USE;

#endif
