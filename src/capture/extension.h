/* SPDX-License-Identifier: MIT
 *
 * Instructions beyond RV64GC, which no replay can execute, and QEMU's default processor has: they
 * are refused while they are recorded.
 */
#ifndef TRC_CAPTURE_EXTENSION_H
#define TRC_CAPTURE_EXTENSION_H

#include <stdint.h>

#include "base/base.h"

/* Fails for an instruction that was executed, but does not decode: names its extension, and the
 * processor that lacks it. */
int trc_extension_refuse(uint32_t word, uint64_t addr, struct trc_err *err);

#endif
