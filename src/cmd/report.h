/* SPDX-License-Identifier: MIT
 *
 * Reports: words and figures to an output, a piece at a time.
 */
#ifndef TRC_CMD_REPORT_H
#define TRC_CMD_REPORT_H

#include "base/io/out.h"

/* As printf() does, at most 2047 bytes. */
int trc_report(struct trc_out *out, struct trc_err *err, const char *fmt, ...)
        TRC_PRINTF(3, 4) TRC_MUST_USE;

/* A number with its name, on a line of its own: the text form of most reports. */
int trc_report_fact(struct trc_out *out, const char *name, uint64_t value,
                    struct trc_err *err) TRC_MUST_USE;

/* `text` on one line, as a terminal may have it: base/shown.h. */
int trc_report_line(struct trc_out *out, const char *text, struct trc_err *err) TRC_MUST_USE;

/* `text` as a string of JSON, quotes included. What is no UTF-8 in it becomes U+FFFD, a byte at a
 * time. */
int trc_report_json(struct trc_out *out, const char *text, struct trc_err *err) TRC_MUST_USE;

/* `text` as a field of CSV (RFC 4180), in quotes if it needs them. */
int trc_report_csv(struct trc_out *out, const char *text, struct trc_err *err) TRC_MUST_USE;

/* The same as text of XML, on one line. */
int trc_report_xml(struct trc_out *out, const char *text, struct trc_err *err) TRC_MUST_USE;

/* The columns of the terminal that `out` is, within reason; 80 if it is none. */
enum { TRC_REPORT_COLUMNS = 600 }; /* at most: a line of them is below 2 KiB */
unsigned trc_report_columns(const struct trc_out *out);

/* Prints a note to standard error, on one line and at most TRC_NOTE_MOST bytes: names in it are
 * shown as base/shown.h has them. */
enum { TRC_NOTE_MOST = 2048 };
void trc_report_note(const char *fmt, ...) TRC_PRINTF(1, 2);

#endif
