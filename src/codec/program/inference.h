/* SPDX-License-Identifier: MIT
 *
 * Inferred instructions, for traces without any. References made by the same instruction have
 * similar histories: a loop reads and writes in the same order each time, a function accesses its
 * own variables. So rows with similar histories are assumed to be made by one instruction. The
 * resulting program is not the one that ran, but it is as good for compression. A wrong inference
 * only costs bytes, and the format does not depend on the method.
 */
#ifndef TRC_CODEC_PROGRAM_INFERENCE_H
#define TRC_CODEC_PROGRAM_INFERENCE_H

#include "codec/program/refs.h"

/* Which rows count as similar. */
enum trc_inference_kind {
	TRC_INFER_BY_PATH,   /* after the same kinds of references to the same regions of memory */
	TRC_INFER_BY_STREAM, /* close to the last reference of one of a few streams */
	TRC_INFERENCES
};

/* Fills `pc` with a name of an instruction for each row. */
void trc_inference(const struct trc_refs_rows *rows, enum trc_inference_kind alike, uint64_t *pc);

/* Finds the method that makes 2^18 rows from the middle smaller at a level of codec/stream/pack.h.
 * `pc` is used for trials and must have room for all rows. */
int trc_infer_instructions(const struct trc_refs_rows *rows, int level, uint64_t *pc,
                           enum trc_inference_kind *best, struct trc_err *err) TRC_MUST_USE;

#endif
