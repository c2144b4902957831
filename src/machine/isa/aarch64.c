/* SPDX-License-Identifier: MIT
 *
 * Decodes AArch64 instructions by the tables of chapter C4 of the Arm Architecture Reference Manual
 * (DDI 0487). Registers have the numbers that cvp1 uses:
 *
 *     6            the stack pointer
 *    25            flags
 *    26            the instruction pointer, only of branches
 *    32 to 62      x0 to x30
 *    64 to 95      v0 to v31
 *
 * A part of a register counts as the register. A register of which a part is kept is also read. The
 * zero register and system registers are left out. SVE, SME and a few others (memory tags, memory
 * copies, moves of 64 bytes) are not decoded.
 */
#include "machine/isa/isa.h"
#include "batch/registers.h"

enum { X0 = 32, V0 = 64, SP = TRC_REGS_SP, FLAGS = TRC_REGS_FLAGS, LEN = 4 };

/* The roles of the fields of a word: d is bits 0 to 4; n 5 to 9; a 10 to 14; m 16 to 20. */
enum role {
	D = 1 << 0,    /* d is written, */
	KEEP = 1 << 1, /* read, */
	VD = 1 << 2,   /* a vector, */
	DSP = 1 << 3,  /* or where it is 31, the stack pointer */
	N = 1 << 4,    /* n is read, */
	BASE = 1 << 5, /* written, */
	VN = 1 << 6,
	NSP = 1 << 7,
	M = 1 << 8,  /* m is read, */
	MW = 1 << 9, /* written, */
	VM = 1 << 10,
	A = 1 << 11,  /* a is read, */
	AW = 1 << 12, /* written, */
	VA = 1 << 13,
	FR = 1 << 14,    /* flags are read, */
	FW = 1 << 15,    /* written */
	PAIR = 1 << 16,  /* d and m are two registers each */
	LIST_SHIFT = 17, /* d, or without it n, is this many consecutive vectors; 0: one */
	M4 = 1 << 20,    /* m has four bits; the fifth belongs to an index */
	KNOWN = 1 << 21,
	UNKNOWN = 0,
	V3 = VD | VN | VM,
};

/* Returns `n` bits of a word from bit `at` on. */
static inline unsigned
bits(uint32_t word, unsigned at, unsigned n)
{
	return word >> at & ((1u << n) - 1);
}

/* ---- loads and stores ---- */

/* Chooses the roles of one register or a pair: written by a load, read by a store. */
static uint32_t
moved_roles(uint32_t roles, bool load, bool pair)
{
	return roles | (load ? D : KEEP) | (pair ? load ? AW : A : 0);
}

static uint32_t
exclusive(uint32_t w, uint32_t roles)
{
	const bool load = bits(w, 22, 1), o1 = bits(w, 21, 1), o2 = bits(w, 23, 1);

	if (o1 && (o2 || !(w >> 31))) /* cas, casp */
		return roles | KEEP | M | MW | (o2 ? 0 : PAIR);
	return moved_roles(roles, load, o1) | (load || o2 ? 0 : MW);
}

static uint32_t
pair(uint32_t w, uint32_t roles)
{
	roles |= bits(w, 26, 1) ? VD | VA : 0;
	return moved_roles(roles, bits(w, 22, 1), true) | (bits(w, 23, 1) ? BASE : 0);
}

static uint32_t
literal(uint32_t w, uint32_t roles)
{
	const bool prefetch = !bits(w, 26, 1) && w >> 30 == 3;

	return roles | (prefetch ? 0 : D) | (bits(w, 26, 1) ? VD : 0);
}

/* Decodes the size and opc of a load or store of one register. */
static uint32_t
single(uint32_t w, uint32_t roles)
{
	const unsigned opc = bits(w, 22, 2);
	const bool vector = bits(w, 26, 1), load = vector ? opc & 1 : opc != 0;

	if (!vector && w >> 30 == 3 && opc == 2)
		return roles; /* a prefetch */
	return moved_roles(roles | (vector ? VD : 0), load, false);
}

static uint32_t
unscaled(uint32_t w, uint32_t roles)
{
	return single(w, roles) | (bits(w, 10, 1) ? BASE : 0);
}

/* Those of 64 bytes are not decoded. */
static uint32_t
atomic(uint32_t w, uint32_t roles)
{
	static const bool moves_64_bytes[8] = { false, true, true, true, false, true };

	return bits(w, 15, 1) && w >> 30 == 3 && moves_64_bytes[bits(w, 12, 3)] ? UNKNOWN : roles;
}

static uint32_t
authenticated(uint32_t w, uint32_t roles)
{
	return w >> 30 == 3 ? roles | (bits(w, 11, 1) ? BASE : 0) : UNKNOWN;
}

/* After the access, m is added to the base, unless it is 31. */
static uint32_t
structures(uint32_t w, uint32_t roles)
{
	static const uint8_t many[16] = { 4, 0, 4, 0, 3, 0, 3, 1, 2, 0, 2 };
	const bool load = bits(w, 22, 1), lane = bits(w, 24, 1), replicate = bits(w, 14, 2) == 3;
	const uint32_t n = lane ? 1 + bits(w, 21, 1) + 2 * bits(w, 13, 1) : many[bits(w, 12, 4)];

	if (n == 0)
		return UNKNOWN;
	return moved_roles(roles, load, false) | (load && lane && !replicate ? KEEP : 0) |
	       n << LIST_SHIFT | (bits(w, 23, 1) ? BASE | M : 0);
}

/* ---- integers ---- */

/* If bit 29 is set, flags are written, and 31 is not the stack pointer. */
static uint32_t
sets_flags(uint32_t w, uint32_t roles)
{
	return bits(w, 29, 1) ? (roles & ~(uint32_t)DSP) | FW : roles;
}

static uint32_t
logical(uint32_t w, uint32_t roles)
{
	return bits(w, 29, 2) == 3 ? (roles & ~(uint32_t)DSP) | FW : roles;
}

/* movk, bfm */
static uint32_t
inserts(uint32_t w, uint32_t roles)
{
	const bool wide = bits(w, 23, 3) == 5;

	return roles | (bits(w, 29, 2) == (wide ? 3 : 1) ? KEEP : 0);
}

static uint32_t
compares_if(uint32_t w, uint32_t roles)
{
	return roles | (bits(w, 11, 1) ? 0 : M);
}

/* Those of memory tags are not decoded. */
static uint32_t
two_sources(uint32_t w, uint32_t roles)
{
	const unsigned opcode = bits(w, 10, 6);

	return opcode == 0 || opcode == 4 || opcode == 5 ? UNKNOWN : roles;
}

/* Signs the pointer in d, with n as modifier if it is used. */
static uint32_t
signs(uint32_t w, uint32_t roles)
{
	return roles | (bits(w, 10, 6) < 8 ? N | NSP : 0);
}

/* Moves of system registers; flags are one of them. */
static uint32_t
system_register(uint32_t w, uint32_t roles)
{
	const bool reads = bits(w, 21, 1), flags = bits(w, 5, 15) == 0x5a10;

	return roles | (reads ? D : KEEP) | (flags ? reads ? FR : FW : 0);
}

/* ---- vectors, and floating point ---- */

/* Instructions whose name ends in 2 keep the half of d that they do not write. */
static uint32_t
keeps_half(uint32_t w, uint32_t roles)
{
	return roles | (bits(w, 30, 1) && !bits(w, 28, 1) ? KEEP : 0);
}

static uint32_t
converts(uint32_t w, uint32_t roles)
{
	const unsigned opcode = bits(w, 16, 3);
	const bool to_vector = opcode == 2 || opcode == 3 || opcode == 7;
	const bool javascript = bits(w, 16, 5) == 0x1e, top = bits(w, 19, 2) == 1 && opcode == 7;

	return roles | (to_vector ? VD : VN) | (javascript ? FW : 0) | (top ? KEEP : 0);
}

static uint32_t
compares(uint32_t w, uint32_t roles)
{
	return roles | (bits(w, 3, 1) ? 0 : M | VM);
}

static uint32_t
copies(uint32_t w, uint32_t roles)
{
	const unsigned imm = bits(w, 11, 4);

	if (bits(w, 29, 1)) /* ins of an element */
		return roles | VD | VN | KEEP;
	switch (imm) {
	case 0: return roles | VD | VN; /* dup */
	case 1: return roles | VD;
	case 3: return roles | VD | KEEP; /* ins */
	case 5:
	case 7: return roles | VN; /* smov, umov */
	default: return UNKNOWN;
	}
}

static uint32_t
table(uint32_t w, uint32_t roles)
{
	return roles | (1 + bits(w, 13, 2)) << LIST_SHIFT | (bits(w, 12, 1) ? KEEP : 0);
}

static uint32_t
two_misc(uint32_t w, uint32_t roles)
{
	const unsigned opcode = bits(w, 12, 5);

	if (opcode == 3 || opcode == 6) /* suqadd, sadalp */
		return roles | KEEP;
	return opcode == 0x12 || opcode == 0x14 || opcode == 0x16 ? keeps_half(w, roles) : roles;
}

static uint32_t
three_different(uint32_t w, uint32_t roles)
{
	const unsigned opcode = bits(w, 12, 4);

	if (opcode == 4 || opcode == 6)
		return keeps_half(w, roles);
	return roles | (opcode == 5 || (opcode >= 8 && opcode <= 11) ? KEEP : 0);
}

static uint32_t
three_same(uint32_t w, uint32_t roles)
{
	const unsigned opcode = bits(w, 11, 5), u = bits(w, 29, 1);
	const bool selects = opcode == 3 && u && bits(w, 22, 2);
	const bool adds = opcode == 0x0f || opcode == 0x12 || opcode == 0x19 ||
	                  (opcode == 0x1d && !u);

	return roles | (selects || (adds && !bits(w, 28, 1)) ? KEEP : 0);
}

static uint32_t
three_halves(uint32_t w, uint32_t roles)
{
	return roles | (bits(w, 11, 3) == 1 && !bits(w, 29, 1) ? KEEP : 0);
}

/* All of them accumulate in d, except fcadd. */
static uint32_t
three_extra(uint32_t w, uint32_t roles)
{
	return roles | (bits(w, 13, 2) == 3 && !bits(w, 11, 1) ? 0 : KEEP);
}

static uint32_t
immediate(uint32_t w, uint32_t roles)
{
	const unsigned cmode = bits(w, 12, 4);

	return roles | (cmode < 12 && cmode & 1 ? KEEP : 0);
}

static uint32_t
shift(uint32_t w, uint32_t roles)
{
	const unsigned opcode = bits(w, 11, 5), u = bits(w, 29, 1);

	if (opcode >= 0x10 && opcode <= 0x13)
		return keeps_half(w, roles);
	return roles |
	       (opcode == 2 || opcode == 6 || opcode == 8 || (opcode == 10 && u) ? KEEP : 0);
}

/* Returns true if m has four bits, since the fifth belongs to the index. */
static bool
narrow_element(uint32_t w)
{
	const unsigned opcode = bits(w, 12, 4), u = bits(w, 29, 1), size = bits(w, 22, 2);
	const bool complex = u && (opcode & 9) == 1, fp = (opcode & 3) == 1 && opcode < 12;
	const bool longer = size == 2 && (u ? opcode == 8 || opcode == 12 : (opcode & 11) == 0);

	if (opcode == 14 || (complex && size))
		return false;
	if (opcode == 15 && !u)
		return size == 3;
	return fp ? size == 0 : longer || size == 1;
}

static uint32_t
element(uint32_t w, uint32_t roles)
{
	const unsigned opcode = bits(w, 12, 4), u = bits(w, 29, 1);
	const bool multiplies = (opcode >= 9 && opcode <= 11) ||
	                        (!u && (opcode == 8 || opcode == 12 || opcode == 13));

	return roles | (multiplies ? 0 : KEEP) | (narrow_element(w) ? M4 : 0);
}

static uint32_t
sha(uint32_t w, uint32_t roles)
{
	return roles | (bits(w, 12, 5) ? KEEP : 0);
}

static uint32_t
aes(uint32_t w, uint32_t roles)
{
	return roles | (bits(w, 12, 5) < 6 ? KEEP : 0);
}

static uint32_t
sha512(uint32_t w, uint32_t roles)
{
	return roles | (bits(w, 10, 2) < 3 ? KEEP : 0);
}

/* Classes of encodings; the first that matches counts. */
static const struct row {
	uint32_t mask, word, roles;
	uint32_t (*adjust)(uint32_t word, uint32_t roles);
} rows[] = {
	{ 0x1f000000, 0x10000000, D, NULL },                       /* adr, adrp */
	{ 0x1f800000, 0x11000000, D | DSP | N | NSP, sets_flags }, /* add, sub of a number */
	{ 0x7fc00000, 0x11c00000, D | N, NULL },                   /* smax and the like */
	{ 0x1f800000, 0x12000000, D | DSP | N, logical },
	{ 0x1f800000, 0x12800000, D, inserts },      /* movn, movz, movk */
	{ 0x1f800000, 0x13000000, D | N, inserts },  /* bit fields */
	{ 0x1f800000, 0x13800000, D | N | M, NULL }, /* extr */
	{ 0xff000000, 0xd4000000, 0, NULL },         /* exceptions */
	{ 0xfffff01f, 0xd500401f, FR | FW, NULL },   /* cfinv and the like */
	{ 0xfff80000, 0xd5000000, 0, NULL },         /* hints, barriers */
	{ 0xfff80000, 0xd5080000, KEEP, NULL },      /* sys */
	{ 0xfff80000, 0xd5280000, D, NULL },
	{ 0xffd00000, 0xd5100000, 0, system_register },
	{ 0x3f000000, 0x08000000, N | NSP, exclusive },
	{ 0x3f200c00, 0x19000000, N | NSP, single }, /* ldapur, stlur */
	{ 0x3b000000, 0x18000000, 0, literal },
	{ 0x3a000000, 0x28000000, N | NSP, pair },
	{ 0x3b000000, 0x39000000, N | NSP, single }, /* offset of 12 bits */
	{ 0x3b200000, 0x38000000, N | NSP, unscaled },
	{ 0x3b200c00, 0x38200800, N | NSP | M, single }, /* offset in a register */
	{ 0x3f200c00, 0x38200000, D | N | NSP | M, atomic },
	{ 0x3f200400, 0x38200400, D | N | NSP, authenticated },
	{ 0xbe000000, 0x0c000000, VD | N | NSP, structures },
	{ 0x1f000000, 0x0a000000, D | N | M, logical },
	{ 0x1f200000, 0x0b000000, D | N | M, sets_flags },
	{ 0x1f200000, 0x0b200000, D | DSP | N | NSP | M, sets_flags },
	{ 0x1fe0fc00, 0x1a000000, D | N | M | FR, sets_flags }, /* adc, sbc */
	{ 0xffe07c10, 0xba000400, N | FR | FW, NULL },          /* rmif */
	{ 0xffffbc1f, 0x3a00080d, N | FR | FW, NULL },          /* setf8, setf16 */
	{ 0x3fe00410, 0x3a400000, N | FR | FW, compares_if },   /* ccmp, ccmn */
	{ 0x3fe00800, 0x1a800000, D | N | M | FR, NULL },       /* csel */
	{ 0x7fe00000, 0x1ac00000, D | N | M, two_sources },
	{ 0x7fff0000, 0x5ac00000, D | N, NULL },
	{ 0xffff0000, 0xdac10000, D | KEEP, signs },
	{ 0x7f600000, 0x1b400000, D | N | M, NULL }, /* smulh, umulh */
	{ 0x7f000000, 0x1b000000, D | N | M | A, NULL },

	{ 0x7f20fc00, 0x1e200000, D | N, converts },
	{ 0x7f200000, 0x1e000000, D | N, converts },
	{ 0xff207c00, 0x1e204000, D | VD | N | VN, NULL }, /* one source */
	{ 0xff203c07, 0x1e202000, N | VN | FW, compares },
	{ 0xff201fe0, 0x1e201000, D | VD, NULL },                    /* fmov of a number */
	{ 0xff200c00, 0x1e200400, N | VN | M | VM | FR | FW, NULL }, /* fccmp */
	{ 0xff200c00, 0x1e200800, D | N | M | V3, NULL },
	{ 0xff200c00, 0x1e200c00, D | N | M | V3 | FR, NULL }, /* fcsel */
	{ 0xff000000, 0x1f000000, D | N | M | A | V3 | VA, NULL },
	{ 0xff3e0c00, 0x4e280800, D | N | V3, aes },
	{ 0xff208c00, 0x5e000000, D | KEEP | N | M | V3, NULL }, /* sha1c and the like */
	{ 0xff3e0c00, 0x5e280800, D | N | V3, sha },
	{ 0xff808000, 0xce000000, D | N | M | A | V3 | VA, NULL }, /* eor3, bcax, sm3ss1 */
	{ 0xffe00000, 0xce800000, D | N | M | V3, NULL },          /* xar */
	{ 0xffe0c000, 0xce408000, D | KEEP | N | M | V3, NULL },   /* sm3tt1a and the like */
	{ 0xffe0f800, 0xce60c000, D | KEEP | N | M | V3, NULL },   /* sm3partw1, sm3partw2 */
	{ 0xffe0fc00, 0xce60c800, D | N | M | V3, NULL },          /* sm4ekey */
	{ 0xffe0f000, 0xce608000, D | N | M | V3, sha512 },
	{ 0xfffff800, 0xcec08000, D | KEEP | N | V3, NULL }, /* sha512su0, sm4e */
	{ 0xffe0fc00, 0x5e000400, D | N | V3, NULL },        /* dup of an element */
	{ 0x9fe08400, 0x0e000400, D | N, copies },
	{ 0xbfe08c00, 0x0e000000, D | N | M | V3, table },
	{ 0xbf208c00, 0x0e000800, D | N | M | V3, NULL }, /* permutations */
	{ 0xbf208400, 0x2e000000, D | N | M | V3, NULL }, /* ext */
	{ 0x9f3e0c00, 0x0e300800, D | N | V3, NULL },     /* across lanes */
	{ 0xdf3e0c00, 0x5e300800, D | N | V3, NULL },     /* of a pair */
	{ 0x8f3e0c00, 0x0e200800, D | N | V3, two_misc },
	{ 0x8f7e0c00, 0x0e780800, D | N | V3, NULL },
	{ 0x8f200c00, 0x0e200000, D | N | M | V3, three_different },
	{ 0x8f200400, 0x0e200400, D | N | M | V3, three_same },
	{ 0x8f60c400, 0x0e400400, D | N | M | V3, three_halves },
	{ 0x8f208400, 0x0e008400, D | N | M | V3, three_extra },
	{ 0x9ff80400, 0x0f000400, D | VD, immediate },
	{ 0x8f800400, 0x0f000400, D | N | V3, shift },
	{ 0x8f000400, 0x0f000000, D | N | M | V3, element },
};

/* Returns the roles of the fields of a word, with KNOWN; UNKNOWN if it is not decoded. */
static uint32_t
roles_of(uint32_t w)
{
	for (size_t i = 0; i < TRC_COUNT(rows); i++)
		if ((w & rows[i].mask) == rows[i].word)
			return rows[i].adjust ? rows[i].adjust(w, rows[i].roles | KNOWN) :
			                        rows[i].roles | KNOWN;
	return UNKNOWN;
}

static uint8_t
number(unsigned reg, bool vector, bool stack)
{
	if (vector)
		return (uint8_t)(V0 + (reg & 31));
	return reg < 31 ? (uint8_t)(X0 + reg) : reg == 31 && stack ? SP : 0;
}

/* Adds `n` consecutive registers; after the last register follows the first. */
static void
add(struct trc_registers *r, bool writes, unsigned first, unsigned n, bool vector, bool stack)
{
	for (unsigned i = 0; i < n; i++)
		(writes ? trc_registers_write : trc_registers_read)(
		        r, number(vector ? (first + i) & 31 : first + i, vector, stack));
}

/* Returns the size of each access. It is unknown for pairs, lists and accesses of 16 bytes, since
 * emulators make one access of them, or several. */
static uint8_t
access_of(uint32_t w)
{
	const unsigned size = w >> 30, bytes = 1u << size;
	const bool vector = bits(w, 26, 1), pair = bits(w, 21, 1) && !bits(w, 23, 1);

	if ((w & 0x3b000000) == 0x18000000) /* literal */
		return size == 1 ? 8 : size == 2 && vector ? 0 : 4;
	if ((w & 0x3f000000) == 0x08000000) /* exclusive */
		return (uint8_t)(pair ? 0 : bytes);
	if ((w & 0x3a000000) == 0x38000000 || (w & 0x3f200c00) == 0x19000000)
		return (uint8_t)(vector && size == 0 && bits(w, 23, 1) ? 0 : bytes);
	return 0;
}

static struct trc_annotation
plain(uint32_t w)
{
	const uint32_t is = roles_of(w);
	const unsigned d = bits(w, 0, 5), n = bits(w, 5, 5), a = bits(w, 10, 5);
	const unsigned m = bits(w, 16, is & M4 ? 4 : 5);
	const unsigned list = is >> LIST_SHIFT & 7, many = list ? list : is & PAIR ? 2 : 1;
	const bool of_n = is & VN;
	struct trc_registers r = { 0 };
	struct trc_annotation annotation = { 0 };

	if (is == UNKNOWN)
		return annotation;
	if (is & N)
		add(&r, false, n, of_n ? many : 1, is & VN, is & NSP);
	if (is & M)
		add(&r, false, m, is & PAIR ? 2 : 1, is & VM, false);
	if (is & A)
		add(&r, false, a, 1, is & VA, false);
	if (is & KEEP)
		add(&r, false, d, of_n ? 1 : many, is & VD, false);
	if (is & FR)
		trc_registers_read(&r, FLAGS);
	if (is & D)
		add(&r, true, d, of_n ? 1 : many, is & VD, is & DSP);
	if (is & AW)
		add(&r, true, a, 1, is & VA, false);
	if (is & MW)
		add(&r, true, m, is & PAIR ? 2 : 1, false, false);
	if (is & BASE)
		add(&r, true, n, 1, false, true);
	if (is & FW)
		trc_registers_write(&r, FLAGS);
	annotation = trc_registers_annotate(&r, 0, LEN);
	annotation.access = access_of(w);
	return annotation;
}

/* ---- branches, and signed pointers ---- */

/* Returns the signed number of `bits` bits at bit `at`. */
static int64_t
distance(uint32_t word, unsigned at, unsigned bits)
{
	return LEN * ((int64_t)((uint64_t)word << (64 - at - bits)) >> (64 - bits));
}

/* b.cond, cbz and cbnz, tbz and tbnz. */
static bool
conditional(uint32_t w, struct trc_annotation *is)
{
	const bool compared = (w & 0x7e000000) == 0x34000000;
	const bool tested = (w & 0x7e000000) == 0x36000000;
	struct trc_registers r = { 0 };

	if (!compared && !tested && (w & 0xff000000) != 0x54000000)
		return false;
	trc_registers_read(&r, compared || tested ? number(bits(w, 0, 5), false, false) : FLAGS);
	*is = trc_registers_annotate(&r, TRC_BRANCH_COND, LEN);
	is->target = distance(w, 5, tested ? 14 : 19);
	return true;
}

static bool
direct(uint32_t w, struct trc_annotation *is)
{
	const bool links = w >> 31;
	struct trc_registers r = { 0 };

	if ((w & 0x7c000000) != 0x14000000)
		return false;
	trc_registers_write(&r, links ? X0 + 30 : 0);
	*is = trc_registers_annotate(&r, links ? TRC_BRANCH_CALL : TRC_BRANCH_JUMP, LEN);
	return true;
}

/* Decodes br, blr, ret and eret by opc, bits 21 to 24. Its highest bit means a modifier in d, and
 * bit 11 means authentication. */
static bool
indirect(uint32_t w, struct trc_annotation *is)
{
	static const uint8_t kinds[16] = {
		[0] = TRC_BRANCH_INDIRECT, [1] = TRC_BRANCH_INDIRECT_CALL,
		[2] = TRC_BRANCH_RETURN,   [4] = TRC_BRANCH_RETURN,
		[8] = TRC_BRANCH_INDIRECT, [9] = TRC_BRANCH_INDIRECT_CALL,
	};
	const unsigned opc = bits(w, 21, 4);
	const bool returns = kinds[opc] == TRC_BRANCH_RETURN, signs_it = bits(w, 11, 1);
	struct trc_registers r = { 0 };

	if ((w & 0xfe1f0000) != 0xd61f0000 || !kinds[opc])
		return false;
	if (opc != 4)
		trc_registers_read(&r, returns && signs_it ? X0 + 30 :
		                                             number(bits(w, 5, 5), false, false));
	if (signs_it && opc >= 8)
		trc_registers_read(&r, number(bits(w, 0, 5), false, true));
	trc_registers_write(&r, kinds[opc] == TRC_BRANCH_INDIRECT_CALL ? X0 + 30 : 0);
	*is = trc_registers_annotate(&r, kinds[opc], LEN);
	return true;
}

/* Decodes hints that sign pointers: x30 with the stack pointer, or x17 with x16. */
static bool
signing(uint32_t w, struct trc_annotation *is)
{
	const bool x30 = (w & 0xffffff1f) == 0xd503231f, x17 = (w & 0xffffff3f) == 0xd503211f;
	const uint8_t pointer = X0 + (x17 ? 17 : 30);
	struct trc_registers r = { 0 };

	if (!x30 && !x17 && w != 0xd50320ff)
		return false;
	trc_registers_read(&r, pointer);
	trc_registers_read(&r, x17 ? X0 + 16 : x30 && bits(w, 5, 1) ? SP : 0);
	trc_registers_write(&r, pointer);
	*is = trc_registers_annotate(&r, 0, LEN);
	return true;
}

struct trc_annotation
trc_annotate_aarch64(uint64_t word)
{
	const uint32_t w = (uint32_t)word;
	struct trc_annotation is = { 0 };

	if (word == 0 || word >> 32 || conditional(w, &is) || direct(w, &is) || indirect(w, &is) ||
	    signing(w, &is))
		return is;
	return plain(w);
}
