/* SPDX-License-Identifier: MIT
 *
 * Refuses instructions beyond RV64GC while they are recorded: QEMU's default processor has them,
 * but no replay can execute them.
 */
#ifndef TRC_CAPTURE_EXTENSION_H
#define TRC_CAPTURE_EXTENSION_H

#include <stdint.h>

#include "base/base.h"

/* Fails for an executed instruction that does not decode, or that is for a register that replay
 * does not have; the message names its extension, and a processor that lacks it. */
int trc_extension_refuse(uint32_t word, uint64_t addr, struct trc_err *err);

#endif
