/* SPDX-License-Identifier: MIT
 *
 * Machines by their instruction words: what follows from these, as machine/hart/annotate.h has it
 * for RV64GC.
 */
#ifndef TRC_MACHINE_ISA_ISA_H
#define TRC_MACHINE_ISA_ISA_H

#include "batch/annotation.h"

/* Words of x86-64, decoded by a library; NULL: trc was built without. A word may be the beginning
 * of a longer instruction, so the caller compares the length with the size of the fetch. x86.c has
 * the numbers of registers. */
extern trc_annotate_fn *const trc_annotate_x86;

/* Words of A64: aarch64.c has the numbers of registers. */
trc_annotate_fn trc_annotate_aarch64;

#endif
