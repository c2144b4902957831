/* SPDX-License-Identifier: MIT
 *
 * The blocks that run, and their accesses: what is called for each of them, all in one file, so
 * that the compiler puts into each callback what it does.
 *
 * A block is noted when it begins, all of it: the emulator leaves a block in the middle only for a
 * trap, and then the frame of its signal shows where. So a block costs one call, and each access
 * another.
 */
#ifndef TRC_CAPTURE_BUS_BLOCKS_H
#define TRC_CAPTURE_BUS_BLOCKS_H

#include <stdint.h>

struct qemu_plugin_tb;

/* The callback of a translation: has the block and all its accesses noted whenever it runs. */
void trc_bus_on_translate(uint64_t id, struct qemu_plugin_tb *tb);

#endif
