/* SPDX-License-Identifier: MIT
 *
 * The columns `branch` and `regs` of RV64GC instructions, in the form that simulators of other
 * machines expect: the kind of a branch, and registers numbered as ChampSim numbers those of x86.
 */
#ifndef TRC_MACHINE_HART_ANNOTATE_H
#define TRC_MACHINE_HART_ANNOTATE_H

#include "batch/annotation.h"
#include "machine/hart/decode.h"

trc_annotate_fn trc_annotate_riscv;

/* Returns the annotation of a decoded instruction. */
struct trc_annotation trc_annotate_insn(const struct trc_insn *i);

#endif
