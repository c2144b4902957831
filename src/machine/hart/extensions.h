/* SPDX-License-Identifier: MIT
 *
 * The instruction set of a processor: RV64GC, and extensions by their names in the RISC-V manual.
 */
#ifndef TRC_MACHINE_HART_EXTENSIONS_H
#define TRC_MACHINE_HART_EXTENSIONS_H

#include "base/base.h"

/* Sets of extensions: a bit for each one that replay supports. */
enum {
	TRC_EXTENSIONS_ZBA = 1,
	TRC_EXTENSIONS_ZBB = 2,
	TRC_EXTENSIONS_ZBC = 4,
	TRC_EXTENSIONS_ZBS = 8,
	TRC_EXTENSIONS_ZICOND = 16,
	TRC_EXTENSIONS_ZFHMIN = 32,
	TRC_EXTENSIONS_ZFH = 64, /* beyond Zfhmin, which it includes */
	TRC_EXTENSIONS_ZICBOM = 128,
	TRC_EXTENSIONS_ZICBOZ = 256,
	TRC_EXTENSIONS_BITS = 15, /* Zba to Zbs */
	TRC_EXTENSIONS_ALL = 511,
	TRC_EXTENSIONS_OF_QEMU = 127, /* plugins do not see what others access */
	TRC_EXTENSIONS_ROOM = 64,     /* for their names */
};

/* Parses the extensions after rv64gc or rv64imafdc, each with a leading _; fails if one is
 * unknown. */
int trc_extensions_read(const char *text, unsigned *isa, struct trc_err *err) TRC_MUST_USE;

/* Prints a set in the same form; returns dst. */
const char *trc_extensions_print(unsigned isa, char dst[TRC_EXTENSIONS_ROOM]);

/* Returns the extensions of QEMU's processor `cpu`, given as -cpu has it: rv64, max and any have
 * Zba to Zbs unless a property turns them off; others have those that are turned on. What plugins
 * of QEMU cannot record is not among them. */
unsigned trc_extensions_of_cpu(const char *cpu);

/* Returns the name of the extension that has an instruction, of those that QEMU has and recorders
 * refuse; NULL if none has. */
const char *trc_extension_beyond(uint32_t word);

#endif
