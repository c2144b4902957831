/* SPDX-License-Identifier: MIT */
#include "capture/bus/code.h"

#include <assert.h>

#include "machine/hart/csr.h"
#include "machine/hart/decode.h"

enum { CSR_CYCLE = 0xc00, CSR_INSTRET = 0xc02, ROWS_OF_ONE = 3 };

struct trc_translation *
trc_code_new(uint64_t addr, size_t insns, struct trc_err *err)
{
	/* In one piece: blocks are many, and rarely large. */
	const size_t rows = insns * ROWS_OF_ONE;
	struct trc_translation *b =
	        trc_alloc(1, sizeof(*b) + rows * sizeof(*b->row) + insns * sizeof(*b->place), err);

	if (!b)
		return NULL;
	assert(rows <= TRC_CODE_MOST);
	b->addr = addr;
	b->row = (uint64_t *)(void *)(b + 1);
	b->place = (struct trc_code_place *)(void *)(b->row + rows);
	return b;
}

static unsigned
special_of(const struct trc_insn *insn)
{
	switch (insn->op) {
	case TRC_OP_ecall: return TRC_CODE_CALLS;
	case TRC_OP_sc_w:
	case TRC_OP_sc_d: return TRC_CODE_HOLES;
	case TRC_OP_csrrw:
	case TRC_OP_csrrs:
	case TRC_OP_csrrc:
	case TRC_OP_csrrwi:
	case TRC_OP_csrrsi:
	case TRC_OP_csrrci: /* the result is in x0, so it is not an input */
		return insn->rd && insn->imm >= CSR_CYCLE && insn->imm <= CSR_INSTRET ?
		               TRC_CODE_COUNTS :
		               0;
	default: return 0;
	}
}

/* Returns true if a program's instruction should trap: it does not decode, or it is for a register
 * that a program does not have, or that it cannot write. */
static bool
is_beyond(const struct trc_insn *insn)
{
	const unsigned csr = (unsigned)insn->imm;
	const bool writes = insn->op == TRC_OP_csrrw || insn->op == TRC_OP_csrrwi || insn->rs1;

	if (insn->op < TRC_OP_csrrw || insn->op > TRC_OP_csrrci)
		return insn->op == TRC_OP_illegal;
	return !trc_csr_exists(csr) || csr >> 8 & 3 || (writes && csr >> 10 == 3);
}

struct trc_code_place *
trc_code_add(struct trc_translation *b, uint32_t word, unsigned isa)
{
	const struct trc_insn insn = trc_decode_by(word, isa);
	const struct trc_op_info *info = &trc_op_info[insn.op];
	struct trc_code_place *place = &b->place[b->insns++];

	b->last = word;
	b->special |= special_of(&insn);
	if (is_beyond(&insn) && !b->beyond) {
		b->special |= TRC_CODE_BEYOND;
		b->beyond = b->insns;
		b->unknown = insn.raw;
		b->at = b->addr + b->bytes;
	}
	b->row[b->rows++] = b->addr + b->bytes;
	b->bytes += insn.len;
	*place = (struct trc_code_place){ (uint16_t)b->insns,
		                          (uint16_t)b->rows,
		                          info->loads,
		                          info->stores,
		                          (uint8_t)(1 << info->size),
		                          insn.rs1,
		                          insn.op,
		                          insn.rd,
		                          insn.rs2,
		                          info->registers & (TRC_OP_RD_F | TRC_OP_RS2_F),
		                          insn.op >= TRC_OP_lr_w && insn.op <= TRC_OP_amomaxu_d,
		                          (int16_t)insn.imm };
	for (int i = info->loads + info->stores; i > 0; i--)
		b->row[b->rows++] = TRC_ROW_HOLE;
	return place;
}

uint32_t
trc_code_until(const struct trc_translation *b, uint64_t addr, uint32_t *insns)
{
	*insns = 0;
	for (uint32_t i = 0; i < b->rows; i++) {
		*insns += b->row[i] != TRC_ROW_HOLE;
		if (b->row[i] == addr)
			return i + 1;
	}
	return 0;
}

bool
trc_code_breaks(const struct trc_translation *b)
{
	return trc_decode(b->last).op == TRC_OP_ebreak;
}

size_t
trc_rows_close(uint64_t *row, size_t n)
{
	size_t left = 0;

	for (size_t i = 0; i < n; i++)
		if (row[i] != TRC_ROW_HOLE)
			row[left++] = row[i];
	return left;
}
