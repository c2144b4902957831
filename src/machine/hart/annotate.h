/* SPDX-License-Identifier: MIT
 *
 * Instructions of RV64GC as simulators of other machines need them: the kind of a branch, and the
 * registers, numbered as ChampSim does for its x86.
 */
#ifndef TRC_MACHINE_HART_ANNOTATE_H
#define TRC_MACHINE_HART_ANNOTATE_H

#include "batch/annotation.h"
#include "machine/hart/decode.h"

trc_annotate_fn trc_annotate_riscv;

/* The same of a decoded instruction. */
struct trc_annotation trc_annotate_insn(const struct trc_insn *i);

#endif
