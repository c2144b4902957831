/* SPDX-License-Identifier: MIT
 *
 * The traces of pixie, of MIPS processors under Ultrix and IRIX: big-endian words of a 4-bit count,
 * a 4-bit kind and a 24-bit address (pixie32), or 8, 8 and 48 bits, where the first word begins
 * with 15 (pixie64). Kinds:
 *
 *   0, 1, 8, 9      lw, ld, lwc1, ldc1: load
 *   2 to 7, 10, 11  sw, sd, sb, sh, swr, swl, swc1, sdc1: store
 *   12              basic block: the address is that of a word
 *   13              annulled delay slot
 *   14              system call: misc
 *   16 to 31        pixie64: mappings
 *
 * A load or store stands for the fetch of its instruction, itself, and then as many fetches as its
 * count; a basic block for as many fetches as its count. In pixie64 the address of a basic block is
 * an offset from the mapping of the program text. Programs with relocated dynamic libraries are
 * refused; dineroIV cannot read them either.
 */
#include "format/packets.h"

enum { BB = 12, ANNUL = 13, SYSCALL = 14 };

/* Kinds of pixie64. */
enum { UNDEFINED = 15, MAP_HIGH = 17, MAP_LOW = 18, MOVED = 27, SEGMENTS = 28, KINDS = 32 };

/* The state of the reader. */
struct state {
	uint64_t pc, text; /* address of the next fetch; start of the text */
	bool begun;
};

/* The type and size of a reference by its kind; take_word() handles stores of parts of words. */
static const struct {
	uint8_t type, size;
} of_kind[15] = {
	{ TRC_READ, 4 },  { TRC_READ, 8 },  { TRC_WRITE, 4 }, { TRC_WRITE, 8 }, { TRC_WRITE, 1 },
	{ TRC_WRITE, 2 }, { TRC_WRITE, 0 }, { TRC_WRITE, 0 }, { TRC_READ, 4 },  { TRC_READ, 8 },
	{ TRC_WRITE, 4 }, { TRC_WRITE, 8 }, { TRC_FETCH, 0 }, { TRC_FETCH, 0 }, { TRC_MISC, 4 },
};

static void
add(struct trc_batch *b, uint8_t type, uint64_t addr, uint32_t size)
{
	b->type[b->n] = type;
	b->addr[b->n] = addr;
	b->size[b->n++] = size;
}

static void
add_fetches(struct state *s, struct trc_batch *b, unsigned n)
{
	for (; n > 0; n--, s->pc += 4)
		add(b, TRC_FETCH, s->pc, 4);
}

/* Processes a word with a kind below 15. */
static void
take_word(struct state *s, unsigned kind, unsigned count, uint64_t addr, struct trc_batch *b)
{
	uint32_t size = of_kind[kind].size;

	if (kind == BB) {
		s->pc = s->text + (addr << 2);
		add_fetches(s, b, count);
		return;
	}
	add_fetches(s, b, 1);
	if (kind == 6) { /* the bytes of the word up to this one */
		size = (uint32_t)(addr % 4) + 1;
		addr &= ~UINT64_C(3);
	} else if (kind == 7) { /* the bytes of the word from this one on */
		size = 4 - (uint32_t)(addr % 4);
	} else if (size > 0) { /* align the address of a word */
		addr &= ~(uint64_t)(size - 1);
	}
	if (kind != ANNUL)
		add(b, of_kind[kind].type, addr, size);
	add_fetches(s, b, count);
}

static int
parse_32(void *state, const uint8_t **at, const uint8_t *end, struct trc_batch *b,
         struct trc_err *err)
{
	const uint8_t *p = *at;
	int ret = 0;

	for (; end - p >= 4 && b->cap - b->n >= 17; p += 4) {
		const uint32_t word = trc_be32(p);

		if ((word >> 24 & 15) > SYSCALL) {
			ret = trc_fail(err, "kind 15 is unknown in pixie32");
			break;
		}
		take_word(state, word >> 24 & 15, word >> 28, word & 0xffffff, b);
	}
	*at = p;
	return ret;
}

/* Processes a word that describes the program. */
static int
take_note(struct state *s, unsigned kind, uint64_t value, struct trc_err *err)
{
	if (kind == MAP_HIGH)
		s->text |= value << 32;
	else if (kind == MAP_LOW)
		s->text |= value & UINT32_MAX;
	else if ((kind == MOVED && value != 0) || (kind == SEGMENTS && value != 1))
		return trc_fail(err, "the trace is from a dynamically linked program; trc reads "
		                     "pixie64 of static ones only");
	else if (kind >= KINDS || kind == UNDEFINED)
		return trc_fail(err, "kind %u is unknown in pixie64", kind);
	return 0;
}

static int
parse_64(void *state, const uint8_t **at, const uint8_t *end, struct trc_batch *b,
         struct trc_err *err)
{
	struct state *s = state;
	const uint8_t *p = *at;
	int ret = 0;

	if (!s->begun && end - p >= 8) {
		if (p[0] != UNDEFINED)
			return trc_fail(err, "the first byte of pixie64 must be 15, not %u", p[0]);
		s->begun = true;
		p += 8;
	}
	for (; end - p >= 8 && b->cap - b->n >= 257; p += 8) {
		const uint64_t word = trc_be64(p), addr = word & UINT64_MAX >> 16;
		const unsigned kind = word >> 48 & 255;

		if (kind <= SYSCALL)
			take_word(s, kind, (unsigned)(word >> 56), addr, b);
		else if ((ret = take_note(s, kind, addr, err)))
			break;
	}
	*at = p;
	return ret;
}

/* Only four zero bits of each word can be checked, and that a trace begins with a block. */
static unsigned
probe_32(const uint8_t *p, size_t n, bool whole)
{
	const size_t words = n / 4;
	size_t blocks = 0;

	if ((whole && n % 4 != 0) || n < 4 || (p[0] & 15) != BB)
		return 0;
	for (size_t i = 0; i < words; i++, p += 4) {
		if ((p[0] & 15) > SYSCALL)
			return 0;
		blocks += (p[0] & 15) == BB;
	}
	/* Programs have a block every few words. */
	if (blocks * 16 < words)
		return 0;
	return (unsigned)(words < TRC_BID_ROWS ? words : TRC_BID_ROWS) / 2;
}

static unsigned
probe_64(const uint8_t *p, size_t n, bool whole)
{
	const size_t words = n / 8;

	if ((whole && n % 8 != 0) || n < 16 || p[0] != UNDEFINED)
		return 0;
	for (size_t i = 1; i < words; i++)
		if (p[8 * i + 1] >= KINDS || p[8 * i + 1] == UNDEFINED)
			return 0;
	return (unsigned)(words < TRC_BID_ROWS ? words : TRC_BID_ROWS) * 2;
}

#define HELD (TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE)

const struct trc_format trc_family_pixie[] = {
	{
	        .name = "pixie32",
	        .doc = "pixie of MIPS, 32-bit words",
	        .gives = 1 << TRC_READ | 1 << TRC_WRITE | 1 << TRC_FETCH | 1 << TRC_MISC,
	        .holds = HELD,
	        .binary = true,
	        .packet = TRC_ROW(trc_packet_format, .longest = 4, .rows = 17,
	                          .state = sizeof(struct state), .parse = parse_32),
	        .probe = probe_32,
	},
	{
	        .name = "pixie64",
	        .doc = "pixie of MIPS, 64-bit words",
	        .gives = 1 << TRC_READ | 1 << TRC_WRITE | 1 << TRC_FETCH | 1 << TRC_MISC,
	        .holds = HELD,
	        .binary = true,
	        .packet = TRC_ROW(trc_packet_format, .longest = 8, .rows = 257,
	                          .state = sizeof(struct state), .parse = parse_64),
	        .probe = probe_64,
	},
	{ .name = NULL },
};
