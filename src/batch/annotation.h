/* SPDX-License-Identifier: MIT
 *
 * What follows from the word of an instruction, whatever the machine: the columns branch and regs
 * of a trace that has instruction words. Machines compute it, a stage uses it.
 */
#ifndef TRC_BATCH_ANNOTATION_H
#define TRC_BATCH_ANNOTATION_H

#include "batch/batch.h"

/* What follows from an instruction word. */
struct trc_annotation {
	uint64_t regs;  /* column regs */
	int64_t target; /* of a conditional branch: from its own address, */
	uint8_t len;    /* as is the instruction behind it; 0: the word is no instruction */
	uint8_t branch; /* column branch; of a conditional one without TRC_BRANCH_TAKEN */
	bool more;      /* registers than the column has room for */
};

/* Whether the word leaves open if its branch is taken. */
static inline bool
trc_annotation_open(const struct trc_annotation *a)
{
	return (a->branch & (TRC_BRANCH | TRC_BRANCH_TAKEN)) == TRC_BRANCH;
}

/* A pure function of the word; all members are 0 for a word that is no instruction, as 0 is
 * none. */
typedef struct trc_annotation trc_annotate_fn(uint64_t word);

#endif
