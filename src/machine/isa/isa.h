/* SPDX-License-Identifier: MIT
 *
 * The columns `branch` and `regs` derived from instruction words of other machines, as
 * machine/hart/annotate.h does for RV64GC.
 */
#ifndef TRC_MACHINE_ISA_ISA_H
#define TRC_MACHINE_ISA_ISA_H

#include "batch/annotation.h"

/* x86-64, decoded by a library; NULL if trc was built without it. A word may be the beginning of a
 * longer instruction, so the caller compares the length with the size of the fetch. x86.c lists the
 * numbers of registers. */
extern trc_annotate_fn *const trc_annotate_x86;

/* A64. aarch64.c lists the numbers of registers. */
trc_annotate_fn trc_annotate_aarch64;

#endif
