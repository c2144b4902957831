/* SPDX-License-Identifier: MIT
 *
 * Instructions of x86 and their memory accesses, two lines each, as distributed by a computer
 * architecture course at the University of Texas at San Antonio (CS 3853):
 *
 *   EIP (04): 7c80976b 8b 44 24 04  mov eax,[esp+0x4]
 *   dstM: 00000000 --------    srcM: 0012e548 0f000000
 *
 * The first line has the length of the instruction, in decimal, its address, its bytes, and its
 * disassembly. The second has the addresses of its store and its load, with four bytes of data
 * each; hyphens mean that there is none. An instruction of length 0 ends the trace, and is not part
 * of it.
 */
#include "format/lines.h"

enum { DATA = 4, INSN_MOST = 15 };

static void
put(struct trc_batch *b, uint8_t type, uint64_t addr, uint64_t size)
{
	b->type[b->n] = type;
	b->addr[b->n] = addr;
	b->size[b->n++] = (uint32_t)size;
}

/* Parses an address, which always has eight digits. */
static bool
take_address(struct trc_field f, uint64_t *addr)
{
	return f.len == 8 && trc_field_hex(f, UINT32_MAX, addr);
}

static const char *
take_fetch(const struct trc_field *f, size_t fields, struct trc_batch *b)
{
	uint64_t addr, size;

	if (fields < 3 || f[1].len != 5 || f[1].p[0] != '(' || memcmp(f[1].p + 3, "):", 2) != 0 ||
	    !trc_field_dec((struct trc_field){ f[1].p + 1, 2 }, INSN_MOST, &size) ||
	    !take_address(f[2], &addr))
		return "";
	if (size > 0)
		put(b, TRC_FETCH, addr, size);
	return NULL;
}

static const char *
take_data(const struct trc_field *f, size_t fields, struct trc_batch *b)
{
	uint64_t store, load, data;

	if (fields != 6 || !trc_field_is(f[3], "srcM:") || !take_address(f[1], &store) ||
	    !take_address(f[4], &load) ||
	    !(take_address(f[2], &data) || trc_field_is(f[2], "--------")) ||
	    !(take_address(f[5], &data) || trc_field_is(f[5], "--------")))
		return "";
	if (*f[5].p != '-')
		put(b, TRC_READ, load, DATA);
	if (*f[2].p != '-')
		put(b, TRC_WRITE, store, DATA);
	return NULL;
}

static const char *
take_line(void *state, const uint8_t *s, const uint8_t *e, struct trc_batch *b)
{
	struct trc_field f[7];
	const size_t fields = trc_text_fields(s, e, f, 7);

	(void)state;
	if (fields == 0)
		return NULL;
	return trc_field_is(f[0], "EIP")   ? take_fetch(f, fields, b) :
	       trc_field_is(f[0], "dstM:") ? take_data(f, fields, b) :
	                                     "";
}

const struct trc_format trc_family_eip[] = {
	{
	        .name = "eip",
	        .doc = "instructions of x86 and what they have in memory, of a course",
	        .holds = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE,
	        .gives = 1 << TRC_READ | 1 << TRC_WRITE | 1 << TRC_FETCH,
	        TRC_LINES("EIP (SIZE): ADDRESS ...", .rows = 2),
	        .more = &(const struct trc_line_more){ .take = take_line },
	        .changes = "bytes of instructions and data are skipped",
	},
	{ .name = NULL },
};
