/* SPDX-License-Identifier: MIT
 *
 * stream [PROGRAMS [INSTRUCTIONS]]: programs of random instructions, of all that user mode has,
 * which end by printing all registers and their memory. On the hart they print what they printed
 * on an independent machine: the hashes below, and, where there is qemu-riscv64, all of it.
 */
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../unit/test.h"
#include "base/bytes.h"
#include "fp_cases.h"
#include "guest.h"
#include "machine/hart/decode.h"

enum {
	CODE = 0x10000, /* where the file is loaded, with its header */
	HEADER = 64 + 2 * 56,
	DATA = 0x400000,
	DATA_LEN = 0x2000,
	BASE = DATA + 0x800, /* in x8 and x2: loads and stores reach 2 KiB around it */
	STATE = 0x1800,      /* in the data: initial registers, then final ones */
	CODE_MOST = 1 << 20,
	GOLDEN_INSNS = 2000,
	TIMES = 3, /* that each program goes through its instructions */
};

/* Registers that instructions leave alone: the bases, an address for atomics, two counters. */
enum { SP = 2, X_BASE = 8, X_ADDR = 9, X_OUTER = 18, X_INNER = 19 };

struct program {
	uint64_t random;
	uint8_t byte[CODE_MOST];
	size_t len;
	uint8_t data[DATA_LEN];
};

static void
put32(struct program *p, uint32_t word)
{
	CHECK(p->len + 4 <= CODE_MOST);
	trc_put_le32(p->byte + p->len, word);
	p->len += 4;
}

static void
put_insn(struct program *p, uint32_t word)
{
	if (trc_insn_len((uint16_t)word) == 4) {
		put32(p, word);
	} else {
		CHECK(p->len + 2 <= CODE_MOST);
		trc_put_le16(p->byte + p->len, (uint16_t)word);
		p->len += 2;
	}
}

static uint32_t
type_i(int32_t imm, uint32_t rs1, uint32_t funct3, uint32_t rd, uint32_t opcode)
{
	return (uint32_t)imm << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}

static uint32_t
type_s(int32_t imm, uint32_t rs2, uint32_t rs1, uint32_t funct3, uint32_t opcode)
{
	const uint32_t i = (uint32_t)imm;

	return i >> 5 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (i & 31) << 7 | opcode;
}

static uint32_t
branch(int32_t offset, uint32_t rs1, uint32_t rs2, uint32_t funct3)
{
	const uint32_t o = (uint32_t)offset;

	return (o >> 12 & 1) << 31 | (o >> 5 & 63) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 |
	       (o >> 1 & 15) << 8 | (o >> 11 & 1) << 7 | 0x63;
}

static uint32_t
jal(int32_t offset, uint32_t rd)
{
	const uint32_t o = (uint32_t)offset;

	return (o >> 20 & 1) << 31 | (o >> 1 & 1023) << 21 | (o >> 11 & 1) << 20 |
	       (o >> 12 & 255) << 12 | rd << 7 | 0x6f;
}

static uint64_t
below(struct program *p, uint64_t n)
{
	return fp_random(&p->random) % n;
}

static bool
reserved(unsigned x)
{
	return x == SP || x == X_BASE || x == X_ADDR || x == X_OUTER || x == X_INNER;
}

/* Whether the word may stand in a program of RV64GC: no jump, no trap, memory near the base. */
static bool
harmless(uint32_t word)
{
	const struct trc_insn i = trc_decode_by(word, 0);
	const struct trc_op_info *info = &trc_op_info[i.op];
	const bool fcsr = i.op >= TRC_OP_fcsrrw && i.op <= TRC_OP_fcsrrci;

	if (fcsr) {
		/* Flags may be anything, the rounding mode what an immediate gives, if there is
		 * one. */
		if (reserved(i.rd) || i.imm < 1 || i.imm > 2)
			return false;
		return i.imm == 1 || (i.op == TRC_OP_fcsrrwi && i.rs1 <= 4);
	}
	if (info->flags & (TRC_OP_ENDS | TRC_OP_JUMPS | TRC_OP_BRANCHES) || i.op == TRC_OP_fence)
		return false;
	if (info->loads && info->stores)
		return false;
	if ((info->loads || info->stores) && i.rs1 != X_BASE && i.rs1 != SP)
		return false;
	if (i.op == TRC_OP_lr_w || i.op == TRC_OP_lr_d)
		return false;
	return info->stores || info->flags & TRC_OP_WRITES_F || !reserved(i.rd);
}

/* A word of 32 bits that is likely to be an instruction. */
static uint32_t
likely(struct program *p)
{
	static const uint8_t opcode[] = { 0x03, 0x07, 0x13, 0x13, 0x17, 0x1b, 0x23, 0x27,
		                          0x33, 0x33, 0x33, 0x37, 0x3b, 0x43, 0x47, 0x4b,
		                          0x4f, 0x53, 0x53, 0x53, 0x53, 0x73 };
	static const uint8_t funct7[] = { 0, 1, 0x20 };
	static const uint8_t fp[] = { 0x00, 0x04, 0x08, 0x0c, 0x2c, 0x10, 0x14,
		                      0x50, 0x60, 0x68, 0x20, 0x70, 0x78 };
	uint32_t w = (uint32_t)fp_random(&p->random) << 7;

	w |= opcode[below(p, TRC_COUNT(opcode))];
	switch (w & 0x7f) {
	case 0x03:
	case 0x07:
	case 0x23:
	case 0x27: w = (w & ~(UINT32_C(31) << 15)) | X_BASE << 15; break;
	case 0x33:
	case 0x3b: w = (w & 0x1ffffff) | (uint32_t)funct7[below(p, TRC_COUNT(funct7))] << 25; break;
	case 0x53:
		w = (w & 0xffffff) | ((uint32_t)fp[below(p, TRC_COUNT(fp))] | (w >> 25 & 1)) << 25;
		if (below(p, 2))
			w &= ~(UINT32_C(28) << 20); /* rs2 is part of the name */
		break;
	case 0x73: w = (w & 0xfffff) | (uint32_t)(1 + below(p, 2)) << 20; break;
	}
	return w;
}

static uint32_t
random_insn(struct program *p)
{
	for (;;) {
		uint32_t w = below(p, 3) ? likely(p) : (uint32_t)below(p, 0x10000);

		if (trc_insn_len((uint16_t)w) == 2)
			w &= 0xffff;
		if (harmless(w))
			return w;
	}
}

/* An atomic, or a pair that reserves and stores, at an aligned address. */
static void
put_atomic(struct program *p)
{
	static const uint8_t funct5[] = { 0, 1, 4, 8, 12, 16, 20, 24, 28 };
	const uint32_t width = 2 + (uint32_t)below(p, 2), rs2 = (uint32_t)below(p, 32);
	const int32_t at = (int32_t)(below(p, 256) * 8) - 1024;
	uint32_t rd;

	do
		rd = (uint32_t)below(p, 32);
	while (reserved(rd));
	put32(p, type_i(at, X_BASE, 0, X_ADDR, 0x13));
	if (below(p, 4)) {
		put32(p, (uint32_t)funct5[below(p, TRC_COUNT(funct5))] << 27 | rs2 << 20 |
		                 X_ADDR << 15 | width << 12 | rd << 7 | 0x2f);
		return;
	}
	put32(p, UINT32_C(2) << 27 | X_ADDR << 15 | width << 12 | rd << 7 | 0x2f);
	put32(p, UINT32_C(3) << 27 | rs2 << 20 | X_ADDR << 15 | width << 12 | rd << 7 | 0x2f);
}

/* A few plain instructions; returns their bytes. */
static int32_t
put_some(struct program *p, unsigned n)
{
	const size_t start = p->len;

	for (unsigned i = 0; i < n; i++)
		put_insn(p, random_insn(p));
	return (int32_t)(p->len - start);
}

/* A jump or a branch over what follows it. */
static void
put_forward(struct program *p)
{
	static const uint8_t funct3[] = { 0, 1, 4, 5, 6, 7 };
	const size_t at = p->len;
	const unsigned kind = (unsigned)below(p, 8), n = 1 + (unsigned)below(p, 12);
	const uint32_t a = (uint32_t)below(p, 32), b = (uint32_t)below(p, 32);
	const uint32_t rd = reserved(a) ? 0 : a;
	int32_t over;

	if (kind == 0) { /* by a register */
		put32(p, (uint32_t)X_ADDR << 7 | 0x17);
		put32(p, 0);
		over = put_some(p, n);
		trc_put_le32(p->byte + at + 4, type_i(8 + over, X_ADDR, 0, rd, 0x67));
		return;
	}
	put32(p, 0);
	over = put_some(p, n);
	trc_put_le32(p->byte + at,
	             kind == 1 ? jal(4 + over, rd) : branch(4 + over, a, b, funct3[below(p, 6)]));
}

static void
put_loop(struct program *p)
{
	int32_t back;

	put32(p, type_i(1 + (int32_t)below(p, 20), 0, 0, X_INNER, 0x13));
	back = put_some(p, 1 + (unsigned)below(p, 30));
	put32(p, type_i(-1, X_INNER, 0, X_INNER, 0x13));
	put32(p, branch(-back - 4, X_INNER, 0, 1));
}

/* Loads all registers from the data, or stores them there. */
static void
put_state(struct program *p, bool load)
{
	const int32_t at = STATE - (BASE - DATA) - 0x1000;

	/* x9: the middle of what is to be reached. */
	put32(p, UINT32_C(1) << 12 | X_ADDR << 7 | 0x37);
	put32(p, X_ADDR << 20 | X_BASE << 15 | X_ADDR << 7 | 0x33);
	for (uint32_t i = 0; i < 32; i++)
		put32(p, load ? type_i(at + 8 * (int32_t)i, X_ADDR, 3, i, 0x07) :
		                type_s(at + 8 * (int32_t)i, i, X_ADDR, 3, 0x27));
	for (uint32_t i = 1; i < 32; i++)
		if (load && !reserved(i))
			put32(p, type_i(at + 256 + 8 * (int32_t)i, X_ADDR, 3, i, 0x03));
		else if (!load)
			put32(p, type_s(at + 256 + 8 * (int32_t)i, i, X_ADDR, 3, 0x23));
	if (!load) {
		put32(p, 0x003022f3); /* frcsr t0 */
		put32(p, type_s(at + 512, 5, X_ADDR, 3, 0x23));
	}
}

/* li rd, value; 32 bits. */
static void
put_li(struct program *p, uint32_t rd, uint32_t value)
{
	put32(p, ((value + 0x800) & 0xfffff000) | rd << 7 | 0x37);
	put32(p, type_i((int32_t)(value & 0xfff), rd, 0, rd, 0x1b));
}

static void
make(struct program *p, uint64_t seed, unsigned n)
{
	size_t start;

	p->random = seed;
	p->len = HEADER;
	/* One number to a statement: compilers evaluate operands in different orders. */
	for (size_t i = 0; i < DATA_LEN; i += 8) {
		const uint64_t v = fp_random(&p->random);

		trc_put_le64(p->data + i, v >> below(p, 64));
	}
	put_li(p, X_BASE, BASE);
	put_li(p, SP, BASE);
	put32(p, type_i(TIMES, 0, 0, X_OUTER, 0x13));
	put_state(p, true);
	start = p->len;
	for (unsigned i = 0; i < n; i++)
		switch (below(p, 16)) {
		case 0: put_atomic(p); break;
		case 1:
		case 2: put_forward(p); break;
		case 3: put_loop(p); break;
		default: put_insn(p, random_insn(p)); break;
		}
	put32(p, type_i(-1, X_OUTER, 0, X_OUTER, 0x13));
	put32(p, branch(8, X_OUTER, 0, 0));
	put32(p, jal((int32_t)start - (int32_t)p->len, 0));
	put_state(p, false);
	put32(p, type_i(1, 0, 0, 10, 0x13)); /* write(1, data, all) */
	put_li(p, 11, DATA);
	put_li(p, 12, DATA_LEN);
	put32(p, type_i(64, 0, 0, 17, 0x13));
	put32(p, 0x73);
	put32(p, type_i(0, 0, 0, 10, 0x13)); /* exit(0) */
	put32(p, type_i(93, 0, 0, 17, 0x13));
	put32(p, 0x73);
}

static void
put_segment(uint8_t *at, uint32_t flags, uint64_t offset, uint64_t addr, uint64_t len)
{
	trc_put_le32(at, 1);
	trc_put_le32(at + 4, flags);
	trc_put_le64(at + 8, offset);
	trc_put_le64(at + 16, addr);
	trc_put_le64(at + 24, addr);
	trc_put_le64(at + 32, len);
	trc_put_le64(at + 40, len);
	trc_put_le64(at + 48, 4096);
}

/* Writes the program as a file in the ELF format. */
static void
write_file(struct program *p, const char *path)
{
	const size_t code = (p->len + 4095) & ~(size_t)4095;
	FILE *f = fopen(path, "wb");
	uint8_t *h = p->byte;

	memset(h, 0, HEADER);
	memcpy(h, "\177ELF\2\1\1", 7);
	trc_put_le16(h + 16, 2);
	trc_put_le16(h + 18, 243);
	trc_put_le32(h + 20, 1);
	trc_put_le64(h + 24, CODE + HEADER);
	trc_put_le64(h + 32, 64);
	trc_put_le32(h + 48, 5); /* compressed instructions, doubles in registers */
	trc_put_le16(h + 52, 64);
	trc_put_le16(h + 54, 56);
	trc_put_le16(h + 56, 2);
	put_segment(h + 64, 5, 0, CODE, p->len);
	put_segment(h + 120, 6, code, DATA, DATA_LEN);
	memset(p->byte + p->len, 0, code - p->len);
	CHECK(f && fwrite(p->byte, 1, code, f) == code);
	CHECK(fwrite(p->data, 1, DATA_LEN, f) == DATA_LEN && !fclose(f));
}

/* What the program prints on an independent machine. */
static void
ask_qemu(const char *path, uint8_t *dst)
{
	char command[600];
	FILE *f;
	size_t n;

	snprintf(command, sizeof(command), "qemu-riscv64 %s 2>/dev/null", path);
	f = popen(command, "r");
	CHECK(f);
	n = fread(dst, 1, DATA_LEN, f);
	CHECK(!pclose(f) && n == DATA_LEN);
}

static uint64_t
hash(const uint8_t *s, size_t len)
{
	uint64_t h = 0;

	for (size_t i = 0; i < len; i += 8)
		h = fp_hash(h, trc_le64(s + i), 0);
	return h;
}

/* Runs the program of a seed, compares it with qemu's output if `ask`, and gives the hash of what
 * it prints. */
static uint64_t
try(struct program *p, uint64_t seed, unsigned n, const char *path, bool ask, uint64_t *insns)
{
	static uint8_t theirs[DATA_LEN];
	char name[256];
	char *argv[] = { name };
	struct guest g;
	uint64_t ours;

	make(p, seed, n);
	write_file(p, path);
	snprintf(name, sizeof(name), "%s", path);
	guest_open(&g, 1, argv);
	guest_run(&g);
	CHECK(g.len == DATA_LEN);
	ours = hash((const uint8_t *)g.out, DATA_LEN);
	*insns += g.h->count;
	if (ask)
		ask_qemu(path, theirs);
	for (size_t i = 0; ask && i < DATA_LEN; i += 8)
		CHECK_MSG(!memcmp(g.out + i, theirs + i, 8),
		          "seed %" PRIu64 ": at %zx %" PRIx64 ", but qemu-riscv64 says %" PRIx64,
		          seed, i, trc_le64((uint8_t *)g.out + i), trc_le64(theirs + i));
	guest_close(&g);
	return ours;
}

/* Of the programs with seeds 0, 1, ...; each was the same on qemu-riscv64 7.2. */
static const uint64_t golden[] = {
	0xaf05c566f585c6f3, 0xb4c18890f3d66331, 0x59eba47bb03c8201, 0xe2b82bab510fc025,
	0x10a31cfeaf832236, 0x70d9fc9cc094b20b, 0xac9c320774d6eec7, 0x61f680f7b10b14bb,
	0xb5bf95df1521cbe5, 0x1f86d6b6076328ab, 0xd6f4db41240e7256, 0xf0e5b120c9a35062,
	0x3af486736458b045, 0x44e59771ba6c191e, 0xa17b4d982d052b97, 0xd30ebc3c3c27a5bc,
};

int
main(int argc, char **argv)
{
	const unsigned programs = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
	const unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : 10000;
	const bool qemu = system("qemu-riscv64 --version >/dev/null 2>&1") == 0;
	static struct program p;
	char path[] = "/tmp/trc-stream-XXXXXX";
	const int fd = mkstemp(path);
	uint64_t insns = 0;

	test_start();
	CHECK(fd >= 0 && !fchmod(fd, 0700) && !close(fd)); /* which qemu needs */
	for (size_t i = 0; i < TRC_COUNT(golden); i++) {
		const uint64_t h = try(&p, i, GOLDEN_INSNS, path, qemu, &insns);

		CHECK_MSG(h == golden[i], "program %zu: %" PRIx64, i, h);
	}
	for (unsigned i = 0; i < programs; i++)
		try(&p, test_seed + i, n, path, qemu, &insns);
	remove(path);
	printf("%" PRIu64 " instructions%s\n", insns, qemu ? ", the same on qemu-riscv64" : "");
	return 0;
}
