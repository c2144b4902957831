/* SPDX-License-Identifier: MIT
 *
 * Instruction words of a program that valgrind's lackey records, which has none: bytes of the files
 * that it executes. With --trace-redir, valgrind names these, and where they are, in front of the
 * first instruction there. Code that is not of a file, or is written while it runs, has none.
 */
#ifndef TRC_CMD_RECORD_CODE_H
#define TRC_CMD_RECORD_CODE_H

#include "base/io/stream.h"
#include "batch/flow.h"

/* The files, and where they are. */
struct trc_record_code;

struct trc_record_code *trc_record_code_open(struct trc_err *err);
void trc_record_code_close(struct trc_record_code *c);

/* Whether lackey gave up, as it does at an instruction that valgrind does not know. */
bool trc_record_code_crashed(const struct trc_record_code *c);

/* The stream `pipe` of valgrind's lines, of which `c`, which has to outlive it, notes where files
 * are. It ends where lackey gives up. Takes `pipe` over if it succeeds. */
struct trc_stream *trc_record_code_watch(struct trc_record_code *c, struct trc_stream *pipe,
                                         struct trc_err *err);

/* Calls each(of, path, bias) for the files, which were `bias` above their addresses: those that
 * the stream named by then. */
int trc_record_code_files(const struct trc_record_code *c,
                          int (*each)(void *of, const char *path, uint64_t bias,
                                      struct trc_err *err),
                          void *of, struct trc_err *err) TRC_MUST_USE;

/* The rows of `from`, all that come of that stream, with column insn. */
struct trc_source *trc_record_code_words(struct trc_record_code *c, struct trc_source *from,
                                         struct trc_err *err);

#endif
