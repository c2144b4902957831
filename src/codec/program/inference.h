/* SPDX-License-Identifier: MIT
 *
 * Inferred instructions, for traces without any. What made a reference shows in what was referenced
 * before it: a loop reads and writes in the same order each time, a function its own variables. So
 * rows that came about alike are taken for the work of one instruction. The program that follows is
 * not the one that ran, but as good to compress by. A wrong inference costs bytes, no more, and the
 * format does not depend on the method.
 */
#ifndef TRC_CODEC_PROGRAM_INFERENCE_H
#define TRC_CODEC_PROGRAM_INFERENCE_H

#include "codec/program/refs.h"

/* Which rows are alike. */
enum trc_inference_kind {
	TRC_INFER_BY_PATH,   /* behind the same kinds of references to the same regions of memory */
	TRC_INFER_BY_STREAM, /* near the last of one of a few streams of references */
	TRC_INFERENCES
};

/* Fills `pc` with names of instructions, one for each row. */
void trc_inference(const struct trc_refs_rows *rows, enum trc_inference_kind alike, uint64_t *pc);

/* Finds which makes 2^18 rows in the middle smaller at a level of codec/stream/pack.h. Names are
 * tried in `pc`, which has a place for each of the rows. */
int trc_infer_instructions(const struct trc_refs_rows *rows, int level, uint64_t *pc,
                           enum trc_inference_kind *best, struct trc_err *err) TRC_MUST_USE;

#endif
