/* SPDX-License-Identifier: MIT
 *
 * Instruction words for programs recorded by valgrind's lackey, which writes none. They are read
 * from the files that the program executes: with --trace-redir, valgrind prints the name and
 * address of a file before its first instruction. Code that is not in a file, or is modified at run
 * time, has no words. With --trace-sched, it prints which thread runs.
 */
#ifndef TRC_CMD_RECORD_CODE_H
#define TRC_CMD_RECORD_CODE_H

#include "base/io/stream.h"
#include "batch/flow.h"
#include "cmd/record/program.h"

/* The files and their addresses. */
struct trc_record_code;

struct trc_record_code *trc_record_code_open(struct trc_err *err);
void trc_record_code_close(struct trc_record_code *c);

/* Returns true if lackey gave up, as it does at an instruction that valgrind does not support. */
bool trc_record_code_crashed(const struct trc_record_code *c);

/* Sets *is to the last instruction that valgrind did not know, if any. */
void trc_record_code_unknown(const struct trc_record_code *c, struct trc_tracee_insn *is);

/* Returns how many threads there were, besides the first one. */
unsigned trc_record_code_threads(const struct trc_record_code *c);

/* Wraps the stream `pipe` of valgrind's output, and notes in `c` where files are, and which thread
 * runs. Ends where lackey gives up. `c` must outlive the stream. Takes `pipe` over unless it
 * fails. */
struct trc_stream *trc_record_code_watch(struct trc_record_code *c, struct trc_stream *pipe,
                                         struct trc_err *err);

/* Calls each(of, path, bias) for the files that the stream has named so far; `bias` is the
 * difference between addresses in memory and in the file. */
int trc_record_code_files(const struct trc_record_code *c,
                          int (*each)(void *of, const char *path, uint64_t bias,
                                      struct trc_err *err),
                          void *of, struct trc_err *err) TRC_MUST_USE;

/* Opens a source that adds the thread, as a spare column, and if `words` column insn, to the rows
 * of `from`, which must be those of that stream. */
struct trc_source *trc_record_code_words(struct trc_record_code *c, struct trc_source *from,
                                         bool words, struct trc_err *err);

#endif
