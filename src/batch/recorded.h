/* SPDX-License-Identifier: MIT
 *
 * Rows as a recorder of whole systems writes them to a pipe, references and kernel events in the
 * order in which they happened. Words of 8 bytes, as the machine has them: bits 0 to 2 are what it
 * is, 3 to 7 the bytes of a reference, 8 to 63 a value:
 *
 *   TRC_READ, TRC_WRITE, TRC_FETCH   its address; if the bytes are TRC_RECORDED_FAR, the next word
 *                                    is the address, and the one behind it how many bytes
 *   TRC_RECORDED_EVENT               how long its text is, which follows, with zeros up to a word
 *   TRC_RECORDED_SPACE               the address space of the references behind it
 *
 * A reference or event is one tick of the clock, the first at time 1.
 *
 * All recorded processes gather words in memory that they share, which is a file, and whoever finds
 * it full writes them to the pipe. The file begins with these. Where the last process was killed
 * they are left in it, and the file is; else it is removed.
 */
#ifndef TRC_BATCH_RECORDED_H
#define TRC_BATCH_RECORDED_H

#include "batch/batch.h"

enum {
	TRC_RECORDED_EVENT = 3,
	TRC_RECORDED_SPACE,
	TRC_RECORDED_KIND = 7,
	TRC_RECORDED_SIZE_SHIFT = 3,
	TRC_RECORDED_FAR = 31, /* bytes of a reference: they are not here */
	TRC_RECORDED_VALUE_SHIFT = 8,
	TRC_RECORDED_WORD = 8,
};

/* Words or lines that are gathered. */
struct trc_recorded_lines {
	char text[1 << 18];
	uint64_t n;
	uint64_t at; /* so many are written */
};

static inline uint64_t
trc_recorded_word(unsigned kind, unsigned size, uint64_t value)
{
	return kind | size << TRC_RECORDED_SIZE_SHIFT | value << TRC_RECORDED_VALUE_SHIFT;
}

#endif
