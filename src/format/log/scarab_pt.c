/* SPDX-License-Identifier: MIT
 *
 * Processor traces (Intel PT) for Scarab's frontend pt: a line for each instruction, its address,
 * its size in decimal, and its bytes.
 *
 *   401136 3 48 89 e5
 *   401139 5 e8 c2 ff ff ff
 *
 * Each line becomes a fetch, whose word is the first eight bytes. Such traces have no loads and
 * stores. '--for champsim --annotate x86' adds branches and registers.
 */
#include "format/lines.h"

enum { LONGEST = 15, WORD = 8 };

static enum trc_line
parse_line(const uint8_t *s, const uint8_t *e, struct trc_batch *b, size_t n)
{
	struct trc_field field[2 + LONGEST];
	const size_t fields = trc_text_fields(s, e, field, TRC_COUNT(field));
	uint64_t size = 0, byte, word = 0;

	if (fields == 0)
		return TRC_LINE_SKIP;
	if (fields < 3 || !trc_field_hex(field[0], UINT64_MAX, &b->addr[n]) ||
	    !trc_field_dec(field[1], LONGEST, &size) || fields != 2 + size)
		return TRC_LINE_BAD;
	for (size_t i = 0; i < size; i++) {
		if (!trc_field_hex(field[2 + i], UINT8_MAX, &byte))
			return TRC_LINE_BAD;
		word |= i < WORD ? byte << 8 * i : 0;
	}
	b->type[n] = TRC_FETCH;
	b->size[n] = (uint32_t)size;
	b->insn[n] = word;
	return TRC_LINE_ROW;
}

const struct trc_format trc_family_scarab_pt[] = {
	{
	        .name = "scarab-pt",
	        .doc = "Scarab's processor traces: instructions without data",
	        .ending = ".scarab-pt",
	        .gives = 1 << TRC_FETCH,
	        .holds = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_INSN,
	        TRC_LINES("ADDRESS SIZE BYTE...", .way.one = parse_line),
	},
	{ .name = NULL },
};
