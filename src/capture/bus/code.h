/* SPDX-License-Identifier: MIT
 *
 * A block, the unit that the emulator translates, and its rows: each fetch, followed by the loads
 * and stores of the instruction. Everything except data addresses is known when the block is
 * translated. So running a block copies its rows, and each access fills in an address.
 */
#ifndef TRC_CAPTURE_BUS_CODE_H
#define TRC_CAPTURE_BUS_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/* A row whose address is not known yet. No instruction has this address. */
#define TRC_ROW_HOLE UINT64_MAX

/* Flips the address of a store. */
#define TRC_ROW_STORE (UINT64_C(1) << 63)

enum {
	TRC_CODE_MOST = 2048, /* rows; the emulator ends a block at 512 instructions */

	/* What must be handled when a block is left. */
	TRC_CODE_CALLS = 1,  /* its last instruction is an ecall */
	TRC_CODE_COUNTS = 2, /* it reads a counter */
	TRC_CODE_HOLES = 4,  /* a store-conditional may have stored nothing */
	TRC_CODE_BEYOND = 8, /* it has an instruction that should trap */
};

/* The rows for an instruction's accesses, and the kind of accesses. */
struct trc_code_place {
	uint16_t at;  /* number of instructions of the block up to this one */
	uint16_t row; /* index in the block; a store after a load is in the next row */
	uint8_t loads, stores, len;
	uint8_t base; /* register with the address, without imm */
	uint8_t op;   /* enum trc_opcode */
	uint8_t rd, rs2;
	bool is_float; /* rd and rs2 are floating-point registers */
	bool atomic;   /* loads and stores may be called for it */
	int16_t imm;   /* added to the base */
};

/* A translated block of guest code. */
struct trc_translation {
	uint64_t addr;
	uint32_t insns, rows, bytes;
	uint32_t last;    /* the word of the last instruction */
	uint32_t beyond;  /* index, from 1, of the first instruction that should trap */
	uint32_t unknown; /* its word, */
	uint64_t at;      /* and its address */
	unsigned special; /* TRC_CODE_ */
	bool old;         /* it has run before; set by the caller */
	uint64_t *row;
	struct trc_code_place *place; /* of each instruction */
};

/* Makes a block with room for `insns` instructions. It lives as long as the process, since a plugin
 * never learns when a translation is dropped. */
struct trc_translation *trc_code_new(uint64_t addr, size_t insns, struct trc_err *err);

/* Appends the next instruction, of a processor with these extensions (machine/hart/extensions.h);
 * `word` as trc_decode() takes it. Returns its place. */
struct trc_code_place *trc_code_add(struct trc_translation *b, uint32_t word, unsigned isa);

/* Returns the number of rows of the block up to the fetch of the instruction at `addr`, which is
 * the last one counted in *insns; 0 if the block does not have it. */
uint32_t trc_code_until(const struct trc_translation *b, uint64_t addr, uint32_t *insns);

/* Returns true if the block ends with an ebreak, which does nothing but trap. */
bool trc_code_breaks(const struct trc_translation *b);

/* Removes the holes among `n` rows; returns how many are left. */
size_t trc_rows_close(uint64_t *row, size_t n);

#endif
