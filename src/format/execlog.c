/* SPDX-License-Identifier: MIT
 *
 * The log of QEMU's plugin execlog: a line for each instruction, with its loads and stores.
 *
 *   CPU, PC, OPCODE, "DISASSEMBLY"[, load|store, ADDRESS[, DEVICE]]...
 *   0, 0xffffffff80200000, 0x13, "nop"
 *   0, 0x80001000, 0x6398, "ld a4,0(a5)", load, 0x80003000, RAM
 *
 * Each becomes the fetch, with its opcode as instruction word, and its loads and stores. Addresses
 * of whole systems are physical, and name their device; those of single programs are virtual. What
 * the format cannot tell: sizes, times. It is only read.
 */
#include "format/lines.h"

enum { ACCESSES = 127 }; /* of an instruction, at most */

/* The next of what stands between commas, blanks around it left out; false at the end. */
static bool
next_word(const uint8_t **s, const uint8_t *e, struct trc_field *f)
{
	const uint8_t *p = *s, *stop;

	if (p >= e)
		return false;
	while (p < e && (*p == ' ' || *p == '\t'))
		p++;
	f->p = p;
	while (p < e && *p != ',')
		p++;
	for (stop = p; stop > f->p && (stop[-1] == ' ' || stop[-1] == '\t' || stop[-1] == '\r');)
		stop--;
	f->len = (size_t)(stop - f->p);
	*s = p + 1;
	return true;
}

/* Moves *s behind the comma after the quoted disassembly, which has commas of its own. */
static bool
pass_disassembly(const uint8_t **s, const uint8_t *e)
{
	const uint8_t *p = *s;

	while (p < e && (*p == ' ' || *p == '\t'))
		p++;
	if (p == e || *p != '"')
		return false;
	while (e > p + 1 && e[-1] != '"')
		e--;
	if (e == p + 1)
		return false;
	*s = e + 1;
	return true;
}

static bool
put(struct trc_batch *b, uint8_t type, struct trc_field addr, uint32_t cpu, uint64_t insn)
{
	b->type[b->n] = type;
	b->task[b->n] = cpu;
	b->insn[b->n] = insn;
	return trc_field_hex(addr, UINT64_MAX, &b->addr[b->n++]);
}

static bool
parse_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b)
{
	const size_t n = b->n;
	struct trc_field word, addr;
	uint64_t cpu, opcode;

	if (e > s && e[-1] == '\r')
		e--;
	if (!next_word(&s, e, &word) || word.len == 0)
		return s >= e; /* a blank line */
	if (!trc_field_dec(word, UINT32_MAX, &cpu) || !next_word(&s, e, &addr) ||
	    !next_word(&s, e, &word) || !trc_field_hex(word, UINT64_MAX, &opcode) ||
	    !pass_disassembly(&s, e) || !put(b, TRC_FETCH, addr, (uint32_t)cpu, opcode))
		return false;
	while (next_word(&s, e, &word)) {
		const bool store = trc_field_is(word, "store");

		if (!store && !trc_field_is(word, "load"))
			continue; /* the device of the access before */
		if (b->n - n > ACCESSES || !next_word(&s, e, &addr) ||
		    !put(b, store ? TRC_WRITE : TRC_READ, addr, (uint32_t)cpu, 0))
			return false;
	}
	return true;
}

static size_t
parse(const struct trc_lines *l, struct trc_batch *b)
{
	const uint8_t *s = l->text;
	size_t i;

	for (i = 0; i < l->n; s = l->text + l->eol[i++] + 1) {
		const size_t n = b->n;

		if (!parse_line(s, l->text + l->eol[i], b)) {
			b->n = n;
			break;
		}
	}
	return i;
}

const struct trc_format trc_family_execlog[] = {
	{
	        .name = "execlog",
	        .doc = "log of QEMU's plugin execlog",
	        .ending = ".execlog",
	        .holds = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_TASK | TRC_HAS_INSN,
	        .line = &(const struct trc_line_format){
	                "CPU, PC, OPCODE, \"DISASSEMBLY\"[, load|store, ADDRESS[, DEVICE]]...",
	                parse, 1 + ACCESSES, NULL },
	},
	{ .name = NULL },
};
