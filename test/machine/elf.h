/* SPDX-License-Identifier: MIT
 * Just enough of ELF to load the programs of the tests: static, 64 bits, little-endian. */
#ifndef TRC_TEST_MACHINE_ELF_H
#define TRC_TEST_MACHINE_ELF_H

#include "machine/hart/memory.h"

struct elf {
	uint8_t *byte;
	size_t len;
	uint64_t entry, end; /* end: behind the last byte of any segment */
	uint64_t phdr;       /* address of the program headers, once loaded */
	unsigned phnum;
};

/* Reads a file and loads its segments; ends the program if it is not one. */
void elf_load(struct elf *e, const char *path, struct trc_memory *m);
void elf_release(struct elf *e);

/* The value of a symbol, or 0. */
uint64_t elf_symbol(const struct elf *e, const char *name);

#endif
