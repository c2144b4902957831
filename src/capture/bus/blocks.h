/* SPDX-License-Identifier: MIT
 *
 * The callbacks of blocks and their accesses. They are in one file, so that the compiler can inline
 * the code of each callback. A whole block is noted when it begins: the emulator leaves a block
 * early only for a trap, and then the frame of its signal shows where. So a block costs one call,
 * and each access another.
 */
#ifndef TRC_CAPTURE_BUS_BLOCKS_H
#define TRC_CAPTURE_BUS_BLOCKS_H

#include <stdint.h>

struct qemu_plugin_tb;

/* The callback of a translation: registers the callbacks of the block and its accesses. */
void trc_bus_on_translate(uint64_t id, struct qemu_plugin_tb *tb);

#endif
