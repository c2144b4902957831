/* SPDX-License-Identifier: MIT
 *
 * What --check finds of a trace: of the whole, and of shards that were merged.
 */
#ifndef TRC_CMD_FILE_FINDING_H
#define TRC_CMD_FILE_FINDING_H

#include "base/io/out.h"
#include "batch/counts.h"
#include "cmd/answer/answer.h"
#include "cmd/file/related.h"
#include "cmd/job/settings.h"
#include "stage/check.h"
#include "stage/stage.h"

enum trc_outcome { TRC_OUTCOME_GOOD, TRC_OUTCOME_ODD, TRC_OUTCOME_WRONG, TRC_OUTCOME_NO_TRACE };

/* What was found of one file. */
struct trc_finding {
	enum trc_outcome outcome;
	const char *format; /* NULL: not known */
	uint64_t rows, fingerprint;
	uint32_t have;
	struct trc_claim claim;                        /* of its source */
	bool whole;                                    /* it could be read to its end */
	char why[sizeof(((struct trc_err *)0)->text)]; /* empty if it is good */
	struct trc_err err; /* why checking had to stop: TRC_STOPPED and the like */
};

/* How it is printed: the settings of trc_stat_opts_finding. */
struct trc_finding_form {
	bool strict, tap;
};

/* Notes that reducing the trace again leaves so many of its rows. */
void trc_finding_dropped(struct trc_finding *v, uint64_t rows);

/* What a trace was reduced for, if that can be done again to its rows of the columns `have`. */
bool trc_check_again(const struct trc_guarantee *p, uint32_t have, struct trc_reduction *how);

/* Fails as wrong usage if options leave out rows, or print in two forms. */
int trc_check_usage(const struct trc_settings *all, struct trc_err *err) TRC_MUST_USE;

/* Adds what is wrong, odd, or only worth knowing, as for printf(). What is wrong comes first. */
void trc_finding_note(struct trc_finding *v, enum trc_outcome outcome, const char *fmt, ...)
        TRC_PRINTF(3, 4);

/* The same of a fault that `n` rows have, from the row `first` on, 0: the whole has it. `whom`
 * stands in front: "stops champsim: ", or "". */
void trc_finding_fault(struct trc_finding *v, enum trc_outcome outcome, const char *whom,
                       const char *what, uint64_t n, uint64_t first);

/* Of the whole trace: that an index has other counts; what is wrong with rows, and with the
 * fingerprint that it has of its source; what was repaired. */
void trc_finding_counts(struct trc_finding *v, const struct trc_counts *index,
                        const struct trc_counts *counts);
void trc_finding_rows(struct trc_finding *v, const struct trc_check *check, uint64_t repaired);

/* What is odd about it, behind all that is wrong: `path` has the name of another format, unless
 * that was given; its last line has no newline, or it has no footer; and rows. */
void trc_finding_end(struct trc_finding *v, const struct trc_check *check, const char *path,
                     bool given, bool unended);

/* What stands before the first of `n` traces with --tap, or with --csv. */
int trc_finding_begin(size_t n, bool tap, enum trc_form form, struct trc_out *out,
                      struct trc_err *err) TRC_MUST_USE;

/* One line, or lines with --tap, of the trace `i`, from 0. */
int trc_finding_print(const struct trc_finding *v, const char *path, size_t i, bool tap,
                      enum trc_form form, struct trc_out *out, struct trc_err *err) TRC_MUST_USE;

/* Fails if some of the traces are wrong. */
int trc_finding_fail(size_t wrong, size_t traces, struct trc_err *err) TRC_MUST_USE;

#endif
