/* SPDX-License-Identifier: MIT
 *
 * Decodes x86-64 instructions with Zydis. Registers have the numbers that Pin, and so the tracers
 * of ChampSim, use:
 *
 *     3 to 10    rdi, rsi, rbp, rsp, rbx, rdx, rcx, rax
 *    11 to 18    r8 to r15
 *    23, 24      fs, gs
 *    25          flags
 *    26          rip, only of branches
 *
 * and others of ours: 64 to 95 zmm0 to zmm31, 96 to 103 k0 to k7, 104 to 111 st0 to st7 and mm0 to
 * mm7, 112 the x87 status. A part of a register counts as the register. A register that is written
 * conditionally is also read, since it may keep its value. The other segment registers, control
 * registers, and all registers of instructions that do nothing are left out.
 *
 * A word holds the first 8 bytes of a longer instruction. Its registers are decoded if the
 * remaining bytes can only be part of a displacement or an immediate, as they are in all of six
 * programs and libraries.
 */
#include "machine/isa/isa.h"

#ifdef TRC_WITH_ZYDIS
#include <Zydis/Zydis.h>

#include "base/bytes.h"

#include "batch/registers.h"

enum { FS = 23, GS = 24, VECTORS = 64, MASKS = 96, STACK = 104, STATUS = 112 };
enum { WORD = 8, LONGEST = 15 }; /* bytes */

/* Returns the number of a register; 0 for those that are left out. */
static uint8_t
number(ZydisRegister reg)
{
	static const uint8_t general[16] = {
		10, 9, 8, 7, 6, 5, 4, 3, 11, 12, 13, 14, 15, 16, 17, 18
	};
	const ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64,
	                                                             reg);
	const ZyanI8 id = ZydisRegisterGetId(whole ? whole : reg);

	switch (ZydisRegisterGetClass(whole ? whole : reg)) {
	case ZYDIS_REGCLASS_GPR64: return general[id & 15];
	case ZYDIS_REGCLASS_FLAGS: return TRC_REGS_FLAGS;
	case ZYDIS_REGCLASS_XMM:
	case ZYDIS_REGCLASS_YMM:
	case ZYDIS_REGCLASS_ZMM: return (uint8_t)(VECTORS + (id & 31));
	case ZYDIS_REGCLASS_MASK: return (uint8_t)(MASKS + (id & 7));
	case ZYDIS_REGCLASS_X87:
	case ZYDIS_REGCLASS_MMX: return (uint8_t)(STACK + (id & 7));
	default: break;
	}
	return reg == ZYDIS_REGISTER_FS        ? FS :
	       reg == ZYDIS_REGISTER_GS        ? GS :
	       reg == ZYDIS_REGISTER_X87STATUS ? STATUS :
	                                         0;
}

static void
add_operand(struct trc_registers *r, const ZydisDecodedOperand *o)
{
	if (o->type == ZYDIS_OPERAND_TYPE_MEMORY) {
		trc_registers_read(r, number(o->mem.base));
		trc_registers_read(r, number(o->mem.index));
		trc_registers_read(r, number(o->mem.segment));
	}
	if (o->type != ZYDIS_OPERAND_TYPE_REGISTER)
		return;
	if (o->actions & (ZYDIS_OPERAND_ACTION_MASK_READ | ZYDIS_OPERAND_ACTION_CONDWRITE))
		trc_registers_read(r, number(o->reg.value));
	if (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
		trc_registers_write(r, number(o->reg.value));
}

/* Returns the kind of a branch. The operand of a direct one is an immediate. */
static uint8_t
kind_of(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *o)
{
	const bool direct = i->operand_count && o->type == ZYDIS_OPERAND_TYPE_IMMEDIATE;

	switch (i->meta.category) {
	case ZYDIS_CATEGORY_COND_BR: return TRC_BRANCH_COND;
	case ZYDIS_CATEGORY_UNCOND_BR: return direct ? TRC_BRANCH_JUMP : TRC_BRANCH_INDIRECT;
	case ZYDIS_CATEGORY_CALL: return direct ? TRC_BRANCH_CALL : TRC_BRANCH_INDIRECT_CALL;
	case ZYDIS_CATEGORY_RET: return TRC_BRANCH_RETURN;
	default: return 0;
	}
}

static bool
does_nothing(const ZydisDecodedInstruction *i)
{
	return i->meta.category == ZYDIS_CATEGORY_NOP || i->meta.category == ZYDIS_CATEGORY_WIDENOP;
}

/* Returns true if all bytes of an instruction after its first word are part of a displacement or a
 * numeric immediate. */
static bool
ends_in_numbers(const ZydisDecodedInstruction *i, const ZydisDecodedOperand *operand)
{
	unsigned numbers = i->length;

	if (i->raw.disp.size && i->raw.disp.offset < numbers)
		numbers = i->raw.disp.offset;
	for (unsigned k = 0; k < 2; k++)
		if (i->raw.imm[k].size && i->raw.imm[k].offset < numbers)
			numbers = i->raw.imm[k].offset;
	for (unsigned k = 0; k < i->operand_count; k++)
		if (operand[k].encoding == ZYDIS_OPERAND_ENCODING_IS4)
			return false; /* a register */
	return numbers <= WORD && !kind_of(i, operand);
}

static struct trc_annotation
annotate(uint64_t word)
{
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
	struct trc_registers regs = { 0 };
	uint8_t bytes[LONGEST] = { 0 };
	struct trc_annotation is;
	ZydisDecodedInstruction i;
	ZydisDecoder decoder;

	trc_put_le64(bytes, word);
	if (word == 0 ||
	    ZYAN_FAILED(
	            ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64)) ||
	    ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, bytes, LONGEST, &i, operand)) ||
	    (i.length > WORD && !ends_in_numbers(&i, operand)))
		return (struct trc_annotation){ 0 };
	for (unsigned k = 0; k < i.operand_count && !does_nothing(&i); k++)
		add_operand(&regs, &operand[k]);
	is = trc_registers_annotate(&regs, kind_of(&i, operand), i.length);
	if (trc_annotation_open(&is))
		is.target = i.length + operand[0].imm.value.s;
	return is;
}

trc_annotate_fn *const trc_annotate_x86 = annotate;
#else
trc_annotate_fn *const trc_annotate_x86 = NULL;
#endif
