/* SPDX-License-Identifier: MIT
 *
 * Finds what stops or misleads a program that reads a trace as trc encode --for writes it. A table
 * of rules, each for some programs, is checked row by row. It follows the invariant checker of
 * DynamoRIO and the assertions of ChampSim.
 */
#ifndef TRC_CMD_FILE_PROGRAM_CHECK_H
#define TRC_CMD_FILE_PROGRAM_CHECK_H

#include "cmd/file/finding.h"
#include "cmd/fit/fit.h"

struct trc_program_check;

/* Opens a check for rows with the columns `have`. */
struct trc_program_check *trc_program_check_open(const struct trc_preset *program, uint32_t have,
                                                 struct trc_err *err) TRC_MUST_USE;
void trc_program_check_close(struct trc_program_check *c);

/* Checks the rows of a batch. */
int trc_program_check_put(struct trc_program_check *c, const struct trc_batch *b,
                          struct trc_err *err) TRC_MUST_USE;

/* Takes the faults in `check` that stop or mislead the program, and resets them there, so they are
 * not reported twice. */
void trc_program_check_claim(struct trc_program_check *c, struct trc_check *check);

/* Notes what stops the program, or with `lies`, what misleads it. */
void trc_program_check_note(const struct trc_program_check *c, const struct trc_meta *meta,
                            bool lies, struct trc_finding *v);

#endif
