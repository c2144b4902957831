/* SPDX-License-Identifier: MIT
 *
 * The rows that a recorder of whole systems writes to a pipe: references and kernel events in the
 * order in which they happened. They are words of 8 bytes in the machine's byte order: bits 0 to 2
 * are the kind, 3 to 7 the bytes of a reference, 8 to 63 a value:
 *
 *   TRC_READ, TRC_WRITE, TRC_FETCH   the address; but if the bytes are TRC_RECORDED_FAR, the next
 *                                    word is the address, and the one after it the bytes
 *   TRC_RECORDED_EVENT               the length of the text that follows, padded with zeros to a
 *                                    word
 *   TRC_RECORDED_SPACE               the address space of the references that follow
 *   TRC_RECORDED_CODE                an instruction in that space, before it is executed: the next
 *                                    word is its address, and the one after it its first 8 bytes
 *
 * Each reference or event is one tick of the clock, the first at time 1.
 *
 * All recorded processes collect words in shared memory, which is a file, and the process that
 * fills it writes them to the pipe. The file begins with struct trc_recorded_lines. If the last
 * process is killed, the file stays with the remaining words; otherwise it is removed.
 */
#ifndef TRC_BATCH_RECORDED_H
#define TRC_BATCH_RECORDED_H

#include "batch/batch.h"

enum {
	TRC_RECORDED_EVENT = 3,
	TRC_RECORDED_SPACE,
	TRC_RECORDED_CODE,
	TRC_RECORDED_KIND = 7,
	TRC_RECORDED_SIZE_SHIFT = 3,
	TRC_RECORDED_FAR = 31, /* in place of the bytes: they are in a later word */
	TRC_RECORDED_VALUE_SHIFT = 8,
	TRC_RECORDED_WORD = 8,
};

/* A buffer of words or lines. */
struct trc_recorded_lines {
	char text[1 << 18];
	uint64_t n;
	uint64_t at; /* bytes already written to the pipe */
};

static inline uint64_t
trc_recorded_word(unsigned kind, unsigned size, uint64_t value)
{
	return kind | size << TRC_RECORDED_SIZE_SHIFT | value << TRC_RECORDED_VALUE_SHIFT;
}

#endif
