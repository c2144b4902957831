/* SPDX-License-Identifier: MIT
 *
 * What is in memory when a machine is switched on, and the registers that point to it: an image
 * alone, or firmware with what it starts. As the `virt` board of QEMU has it, but for its ROM: the
 * registers are as that leaves them.
 */
#ifndef TRC_MACHINE_BOARD_BOOT_H
#define TRC_MACHINE_BOARD_BOOT_H

#include "base/buf.h"
#include "machine/hart/hart.h"

enum {
	TRC_BOOT_NEXT = 2 << 20, /* where, from the start of RAM, firmware starts what is there */
};

/* Empty parts are left out. An ELF file goes to the addresses in it and is entered at its entry
 * point; other bytes go to the start of RAM, which is where they are entered. */
struct trc_boot {
	struct trc_view firmware;
	struct trc_view image; /* with firmware, bytes for TRC_BOOT_NEXT, or an ELF file */
	struct trc_view tree;  /* the flattened device tree; goes to the end of RAM, its address
	                        * to a1 */
};

/* Writes all of it and sets pc, a0 and a1. RAM is the first range of the memory of `h`. */
int trc_boot(struct trc_hart *h, const struct trc_boot *boot, struct trc_err *err) TRC_MUST_USE;

#endif
