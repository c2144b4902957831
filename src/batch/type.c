/* SPDX-License-Identifier: MIT */
#include "batch/type.h"

#include <string.h>
#include <strings.h>

#include "batch/batch.h"

/* Names from simulators, block traces and object caches. */
static const struct word {
	const char *text;
	uint8_t type;
} words_of_others[] = {
	{ "r", TRC_READ },
	{ "w", TRC_WRITE },
	{ "i", TRC_FETCH },
	{ "l", TRC_READ },
	{ "s", TRC_WRITE },
	{ "m", TRC_MODIFY },
	{ "rd", TRC_READ },
	{ "wr", TRC_WRITE },
	{ "ld", TRC_READ },
	{ "st", TRC_WRITE },
	{ "reads", TRC_READ },
	{ "writes", TRC_WRITE },
	{ "load", TRC_READ },
	{ "loads", TRC_READ },
	{ "store", TRC_WRITE },
	{ "stores", TRC_WRITE },
	{ "fetches", TRC_FETCH },
	{ "ifetch", TRC_FETCH },
	{ "ifetches", TRC_FETCH },
	{ "instr", TRC_FETCH },
	{ "instrs", TRC_FETCH },
	{ "insn", TRC_FETCH },
	{ "insns", TRC_FETCH },
	{ "instruction", TRC_FETCH },
	{ "instructions", TRC_FETCH },
	{ "exec", TRC_FETCH },
	{ "execute", TRC_FETCH },
	{ "modifies", TRC_MODIFY },
	{ "prefetches", TRC_PREFETCH },
	{ "get", TRC_READ },
	{ "gets", TRC_READ },
	{ "put", TRC_WRITE },
	{ "set", TRC_WRITE },
	{ "add", TRC_WRITE },
	{ "replace", TRC_WRITE },
	{ "cas", TRC_MODIFY },
	{ "append", TRC_MODIFY },
	{ "prepend", TRC_MODIFY },
	{ "incr", TRC_MODIFY },
	{ "decr", TRC_MODIFY },
	{ "delete", TRC_INVALIDATE },
	{ "del", TRC_INVALIDATE },
	{ "trim", TRC_INVALIDATE },
	{ "discard", TRC_INVALIDATE },
};

static bool
is_word(const char *name, const char *word, size_t len)
{
	return len > 0 && ((*name ^ *word) & ~0x20) == 0 && strlen(name) == len &&
	       strncasecmp(name, word, len) == 0;
}

bool
trc_type_of(const char *word, size_t len, uint8_t *type)
{
	for (unsigned t = 0; t < TRC_TYPES; t++)
		if (is_word(trc_type_name[t], word, len)) {
			*type = (uint8_t)t;
			return true;
		}
	for (size_t i = 0; i < TRC_COUNT(words_of_others); i++)
		if (is_word(words_of_others[i].text, word, len)) {
			*type = words_of_others[i].type;
			return true;
		}
	return false;
}

uint32_t
trc_type_bits(const char *word, size_t len)
{
	uint8_t type;

	if (is_word("data", word, len))
		return UINT32_C(1) << TRC_READ | UINT32_C(1) << TRC_WRITE |
		       UINT32_C(1) << TRC_MODIFY;
	return trc_type_of(word, len, &type) ? UINT32_C(1) << type : 0;
}
