/* SPDX-License-Identifier: MIT
 *
 * What the word of an instruction determines, on any machine: the columns branch and regs of a
 * trace with instruction words, and sizes. Machines compute it, and a stage applies it.
 */
#ifndef TRC_BATCH_ANNOTATION_H
#define TRC_BATCH_ANNOTATION_H

#include "batch/batch.h"

/* The properties of an instruction word. */
struct trc_annotation {
	uint64_t regs;  /* column regs */
	int64_t target; /* of a conditional branch, in bytes from its own address */
	uint8_t len;    /* bytes of the instruction; 0: the word is not an instruction */
	uint8_t access; /* bytes of each of its loads and stores; 0: unknown */
	uint8_t branch; /* column branch; without TRC_BRANCH_TAKEN if the branch is conditional */
	bool more;      /* there are more registers than the column can hold */
};

/* Returns true if the word does not determine whether its branch is taken. */
static inline bool
trc_annotation_open(const struct trc_annotation *a)
{
	return (a->branch & (TRC_BRANCH | TRC_BRANCH_TAKEN)) == TRC_BRANCH;
}

/* Returns the properties of a word and depends on nothing else. For a word that is not an
 * instruction, such as 0, all members are 0. */
typedef struct trc_annotation trc_annotate_fn(uint64_t word);

#endif
