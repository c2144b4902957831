/* SPDX-License-Identifier: MIT
 *
 * Instructions where a trace tells of none. What made a reference shows in what was referenced
 * before it: a loop reads and writes in the same order each time, a function its own variables. So
 * rows that came about alike are taken for the work of one instruction. The program that follows
 * is not the one that ran, but as good to compress by. What is guessed wrong costs bytes, no more,
 * and no reader need know how it was guessed.
 */
#ifndef TRC_CODEC_GUESS_H
#define TRC_CODEC_GUESS_H

#include "codec/refs.h"

/* Fills `pc` with names of instructions, one for each row. */
void trc_guess(const struct trc_refs_rows *rows, uint64_t *pc);

#endif
