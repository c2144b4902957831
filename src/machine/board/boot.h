/* SPDX-License-Identifier: MIT
 *
 * The contents of memory when a machine is switched on, and the registers that point to them: an
 * image alone, or firmware and the image that it starts. This follows QEMU's `virt` board without
 * its ROM: the registers have the values that the ROM would leave.
 */
#ifndef TRC_MACHINE_BOARD_BOOT_H
#define TRC_MACHINE_BOARD_BOOT_H

#include "base/buf.h"
#include "machine/hart/hart.h"

enum {
	TRC_BOOT_NEXT = 2 << 20, /* where firmware starts the next image, from the start of RAM */
};

/* The images to load; empty ones are left out. An ELF file is loaded to its addresses and entered
 * at its entry point. Other bytes are loaded and entered at the start of RAM. */
struct trc_boot {
	struct trc_view firmware;
	struct trc_view image; /* with firmware: bytes for TRC_BOOT_NEXT, or an ELF file */

	/* The flattened device tree; goes to the end of RAM, and its address to a1. */
	struct trc_view tree;
};

/* Loads all of it, and sets pc, a0 and a1. RAM is the first range of the memory of `h`. */
int trc_boot(struct trc_hart *h, const struct trc_boot *boot, struct trc_err *err) TRC_MUST_USE;

#endif
