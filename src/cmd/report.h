/* SPDX-License-Identifier: MIT
 *
 * Writes reports: text and figures, piece by piece.
 */
#ifndef TRC_CMD_REPORT_H
#define TRC_CMD_REPORT_H

#include "base/io/out.h"

/* Writes like printf(), at most 2047 bytes. */
int trc_report(struct trc_out *out, struct trc_err *err, const char *fmt, ...)
        TRC_PRINTF(3, 4) TRC_MUST_USE;

/* Writes a name and a number on a line of its own, the text form of most reports. */
int trc_report_fact(struct trc_out *out, const char *name, uint64_t value,
                    struct trc_err *err) TRC_MUST_USE;

/* Writes `text` on one line, safe for a terminal (base/shown.h). */
int trc_report_line(struct trc_out *out, const char *text, struct trc_err *err) TRC_MUST_USE;

/* Writes `text` as a JSON string with quotes. Each byte that is not valid UTF-8 becomes U+FFFD. */
int trc_report_json(struct trc_out *out, const char *text, struct trc_err *err) TRC_MUST_USE;

/* Writes `text` as a CSV field (RFC 4180), in quotes if necessary. */
int trc_report_csv(struct trc_out *out, const char *text, struct trc_err *err) TRC_MUST_USE;

/* Writes `text` as XML text on one line. */
int trc_report_xml(struct trc_out *out, const char *text, struct trc_err *err) TRC_MUST_USE;

/* Returns the width of the terminal `out`, within reasonable limits, or 80 if it is not a
 * terminal. */
enum { TRC_REPORT_COLUMNS = 600 }; /* maximum: keeps a line below 2 KiB */
unsigned trc_report_columns(const struct trc_out *out);

/* Prints a note to standard error, on one line and at most TRC_NOTE_MOST bytes, safe for a terminal
 * (base/shown.h). */
enum { TRC_NOTE_MOST = 2048 };
void trc_report_note(const char *fmt, ...) TRC_PRINTF(1, 2);

#endif
