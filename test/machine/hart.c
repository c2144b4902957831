/* SPDX-License-Identifier: MIT
 * What hart.h specifies for whoever runs a hart: rows, counts, hooks, writes from outside,
 * traps. */
#include <inttypes.h>
#include <string.h>

#include "../unit/test.h"
#include "base/bytes.h"
#include "machine/board/device.h"
#include "machine/hart/extensions.h"
#include "machine/hart/hart.h"

enum { RAM = 0x10000, RAM_LEN = 0x100000, DEVICE = 0x1000, ROWS = 4096 };

/* Instructions, as they are needed. */
#define NOP 0x00000013u
#define ECALL 0x00000073u
#define WFI 0x10500073u
#define MRET 0x30200073u
#define ADDI(rd, rs1, imm) ((uint32_t)(imm) << 20 | (rs1) << 15 | (rd) << 7 | 0x13u)
#define LUI(rd, imm) ((uint32_t)(imm) << 12 | (rd) << 7 | 0x37u)
#define LD(rd, rs1) ((rs1) << 15 | 3u << 12 | (rd) << 7 | 0x03u)
#define SD(rs2, rs1) ((rs2) << 20 | (rs1) << 15 | 3u << 12 | 0x23u)
#define SW(rs2, rs1) ((rs2) << 20 | (rs1) << 15 | 2u << 12 | 0x23u)
#define AMOADD_D(rd, rs2, rs1) ((rs2) << 20 | (rs1) << 15 | 3u << 12 | (rd) << 7 | 0x2fu)
#define CSRR(rd, csr) ((uint32_t)(csr) << 20 | 2u << 12 | (rd) << 7 | 0x73u)
#define CSRW(csr, rs1) ((uint32_t)(csr) << 20 | (rs1) << 15 | 1u << 12 | 0x73u)
#define FMV_D_X(rd, rs1) (0xf2000000u | (rs1) << 15 | (rd) << 7 | 0x53u)
#define FSD(rs2, rs1) ((rs2) << 20 | (rs1) << 15 | 3u << 12 | 0x27u)
#define LOOP(back) (0xfe0000e3u | (16u - (back) / 2) << 8) /* beq x0, x0; less than 32 bytes back */

/* A machine with 1 MiB of RAM, a device that gives and takes values, and what its hooks saw. */
struct machine {
	struct trc_port port;
	struct trc_memory m;
	struct trc_hart *h;
	struct trc_batch b;
	struct trc_err err;
	uint64_t give, taken, asked, at_pc, at_count;
	int answer;           /* of the device */
	struct trc_page *dma; /* written by the device when it is stored to */
	unsigned seen[TRC_SEEN_WALK_STORE + 1];
};

static int
device_load(struct trc_port *p, const struct trc_hart *h, uint64_t addr, unsigned size,
            uint64_t *value, struct trc_err *err)
{
	struct machine *t = (struct machine *)p;

	CHECK(addr == DEVICE && size == 8);
	t->at_pc = h->pc;
	t->at_count = h->count;
	*value = t->give;
	return t->answer < 0 ? trc_fail(err, "the device is gone") : t->answer;
}

static int
device_store(struct trc_port *p, const struct trc_hart *h, uint64_t addr, unsigned size,
             uint64_t value, struct trc_err *err)
{
	struct machine *t = (struct machine *)p;
	uint8_t word[4];

	CHECK(addr == DEVICE && size == 8);
	t->taken = value;
	trc_put_le32(word, NOP);
	if (t->dma)
		CHECK(!trc_hart_write((struct trc_hart *)h, h->pc + 4, word, 4, err));
	return t->answer;
}

static int
counter(struct trc_port *p, const struct trc_hart *h, unsigned csr, uint64_t *value,
        struct trc_err *err)
{
	struct machine *t = (struct machine *)p;

	(void)h, (void)err;
	t->asked = csr;
	*value = t->give;
	return 0;
}

static void
look(struct trc_port *p, const struct trc_hart *h, enum trc_seen what, uint64_t addr, unsigned size)
{
	(void)h;
	CHECK(addr >= RAM && size <= 8);
	((struct machine *)p)->seen[what]++;
}

static void
open_machine(struct machine *t, unsigned flags, const uint32_t *code, size_t n)
{
	*t = (struct machine){ .port = { device_load, device_store, counter, look } };
	CHECK(!trc_memory_init(&t->m, 1 << 24, &t->err));
	CHECK(!trc_memory_add_ram(&t->m, RAM, RAM + RAM_LEN - 1, &t->err));
	for (size_t i = 0; i < n; i++) {
		uint8_t word[4];

		trc_put_le32(word, code[i]);
		CHECK(!trc_memory_write(&t->m, RAM + 4 * i, word, 4, &t->err));
	}
	t->h = trc_hart_open(&t->m, &t->port, flags, &t->err);
	CHECK(t->h && !trc_batch_init(&t->b, TRC_HART_MAY_HAVE, ROWS, &t->err));
	t->h->pc = RAM;
	t->h->csr.mtvec = RAM + 0x800;
}

static void
close_machine(struct machine *t)
{
	trc_batch_release(&t->b);
	trc_hart_close(t->h);
	trc_memory_release(&t->m);
}

static enum trc_run_end
run(struct machine *t, uint64_t until)
{
	return trc_hart_run(t->h, &t->b, until, &t->err);
}

static void
check_row(const struct machine *t, size_t i, unsigned type, uint64_t addr, uint32_t size,
          uint64_t insn, uint64_t pc)
{
	const struct trc_batch *b = &t->b;

	CHECK_MSG(i < b->n && b->type[i] == type && b->addr[i] == addr && b->size[i] == size &&
	                  b->insn[i] == insn && b->pc[i] == pc,
	          "row %zu: type %d, addr %" PRIx64 ", size %d, insn %" PRIx64, i, b->type[i],
	          b->addr[i], (int)b->size[i], b->insn[i]);
}

static void
rows_are_fetches_and_behind_each_its_data(void)
{
	static const uint32_t code[] = { LUI(5, RAM >> 12), ADDI(5, 5, 0x400), LD(6, 5), SD(6, 5),
		                         AMOADD_D(7, 6, 5) };
	struct machine t;

	open_machine(&t, 0, code, TRC_COUNT(code));
	CHECK(run(&t, 5) == TRC_RUN_UNTIL && t.b.n == 9);
	check_row(&t, 0, TRC_FETCH | TRC_KERNEL, RAM, 4, code[0], RAM);
	check_row(&t, 2, TRC_FETCH | TRC_KERNEL, RAM + 8, 4, code[2], RAM + 8);
	check_row(&t, 3, TRC_READ | TRC_KERNEL, RAM + 0x400, 8, 0, RAM + 8);
	check_row(&t, 5, TRC_WRITE | TRC_KERNEL, RAM + 0x400, 8, 0, RAM + 12);
	check_row(&t, 7, TRC_READ | TRC_KERNEL, RAM + 0x400, 8, 0, RAM + 16);
	check_row(&t, 8, TRC_WRITE | TRC_KERNEL, RAM + 0x400, 8, 0, RAM + 16);
	CHECK(t.b.itime[0] == 1 && t.b.itime[3] == 3 && t.b.itime[8] == 5);
	close_machine(&t);
}

static void
a_load_outside_memory_asks_at_its_pc_and_count(void)
{
	static const uint32_t code[] = { LUI(5, DEVICE >> 12), NOP, LD(6, 5), SD(6, 5) };
	struct machine t;

	open_machine(&t, 0, code, TRC_COUNT(code));
	t.give = 0x123456789abcdef;
	CHECK(run(&t, 4) == TRC_RUN_UNTIL);
	CHECK(t.h->x[6] == t.give && t.taken == t.give);
	CHECK(t.at_pc == RAM + 8 && t.at_count == 2);
	close_machine(&t);
}

static void
a_device_that_is_not_there_traps_and_the_access_has_no_row(void)
{
	static const uint32_t code[] = { LUI(5, DEVICE >> 12), NOP, LD(6, 5) };
	struct machine t;

	open_machine(&t, 0, code, TRC_COUNT(code));
	t.answer = 1;
	CHECK(run(&t, 3) == TRC_RUN_UNTIL);
	CHECK(t.h->count == 3 && t.b.n == 3 && t.h->pc == RAM + 0x800);
	CHECK(t.h->csr.mcause == TRC_CAUSE_LOAD_ACCESS && t.h->csr.mepc == RAM + 8 &&
	      t.h->csr.mtval == DEVICE);
	close_machine(&t);
}

static void
a_hook_that_fails_leaves_the_state_before_its_instruction(void)
{
	static const uint32_t code[] = { LUI(5, DEVICE >> 12), NOP, LD(6, 5), NOP };
	struct machine t;

	open_machine(&t, 0, code, TRC_COUNT(code));
	t.answer = -1;
	CHECK(run(&t, 4) == TRC_RUN_FAILED);
	CHECK(t.h->count == 2 && t.b.n == 2 && t.h->pc == RAM + 8 && t.err.code == TRC_FAILED);
	t.answer = 0;
	CHECK(run(&t, 4) == TRC_RUN_UNTIL && t.b.n == 5);
	close_machine(&t);
}

static void
counters_are_inputs(void)
{
	static const uint32_t code[] = { CSRR(6, 0xc01), CSRR(0, 0xc01) };
	struct machine t;

	open_machine(&t, 0, code, TRC_COUNT(code));
	t.give = 77;
	CHECK(run(&t, 1) == TRC_RUN_UNTIL && t.h->x[6] == 77 && t.asked == 0xc01);
	t.asked = 0;
	CHECK(run(&t, 2) == TRC_RUN_UNTIL && t.asked == 0);
	close_machine(&t);
}

/* As QEMU 7.2 keeps them, though no address has more than 54 bits. */
static void
addresses_of_protection_keep_all_their_bits(void)
{
	static const uint32_t code[] = { ADDI(5, 0, -1), CSRW(0x3b0, 5), CSRR(6, 0x3b0) };
	struct machine t;

	open_machine(&t, 0, code, TRC_COUNT(code));
	CHECK(run(&t, 3) == TRC_RUN_UNTIL && t.h->x[6] == UINT64_MAX);
	close_machine(&t);
}

/* A store to the instruction right behind it. */
static void
a_store_into_decoded_instructions_shows_at_once(void)
{
	static const uint32_t code[] = { SW(6, 5), ADDI(7, 7, 1), LOOP(8) };
	struct machine t;

	open_machine(&t, 0, code, TRC_COUNT(code));
	t.h->x[5] = RAM + 4;
	t.h->x[6] = ADDI(7, 7, 1);
	CHECK(run(&t, 300) == TRC_RUN_UNTIL && t.h->x[7] == 100);
	t.h->x[6] = ADDI(7, 7, 16);
	CHECK(run(&t, 303) == TRC_RUN_UNTIL && t.h->x[7] == 116);
	close_machine(&t);
}

/* What compilers make of a ? b : 0, which QEMU 7.2 lacks; on a processor without it, too. */
static void
conditional_zero(void)
{
	const uint32_t code[] = { 0x0e735433 /* czero.eqz x8, x6, x7 */,
		                  0x0e7374b3 /* czero.nez x9, x6, x7 */ };
	struct machine t;

	for (uint64_t condition = 0; condition < 2; condition++) {
		open_machine(&t, TRC_EXTENSIONS_ZICOND << TRC_HART_EXTENSIONS, code,
		             TRC_COUNT(code));
		t.h->x[6] = 5;
		t.h->x[7] = condition << 40;
		CHECK(run(&t, 2) == TRC_RUN_UNTIL && t.h->x[8] == (condition ? 5 : 0) &&
		      t.h->x[9] == (condition ? 0 : 5));
		close_machine(&t);
	}
	open_machine(&t, TRC_EXTENSIONS_BITS << TRC_HART_EXTENSIONS, code, TRC_COUNT(code));
	CHECK(run(&t, 1) == TRC_RUN_UNTIL && t.h->csr.mcause == TRC_CAUSE_ILLEGAL);
	close_machine(&t);
}

/* Cache blocks, in machine mode and in a mode that menvcfg allows them, or not. */
static void
cache_blocks(void)
{
	static const uint32_t code[] = { 0x0012a00f /* cbo.clean (x5) */, 0x0042a00f /* cbo.zero */,
		                         0x0002a00f /* cbo.inval */ };
	static const uint8_t given[8] = { 1, 2, 3, 4, 5, 6, 7, 8 }, zeros[8];
	const unsigned isa = TRC_EXTENSIONS_ZICBOM | TRC_EXTENSIONS_ZICBOZ;
	uint8_t bytes[8];
	struct machine t;

	for (int allowed = 0; allowed < 3; allowed++) {
		open_machine(&t, isa << TRC_HART_EXTENSIONS, code, TRC_COUNT(code));
		t.h->x[5] = RAM + 0x107f;
		CHECK(!trc_hart_write(t.h, RAM + 0x1078, given, 8, &t.err));
		if (allowed < 2) {
			t.h->csr.pmpcfg[0] = 0x1f;
			t.h->csr.pmpaddr[0] = UINT64_MAX >> 10;
			t.h->mode = TRC_MODE_SUPERVISOR;
			t.h->csr.menvcfg = allowed ? 0xf0 : 0;
		}
		trc_hart_flush(t.h);
		CHECK(run(&t, 3) == TRC_RUN_UNTIL);
		CHECK((t.h->csr.mcause == TRC_CAUSE_ILLEGAL) == !allowed);
		trc_memory_read(&t.m, RAM + 0x1078, bytes, 8);
		CHECK(memcmp(bytes, allowed ? zeros : given, 8) == 0);
		close_machine(&t);
	}
}

static void
processors_are_named_by_their_extensions(void)
{
	static const struct {
		const char *cpu, *isa;
	} row[] = {
		{ "any", "rv64imafdc_zba_zbb_zbc_zbs" },
		{ "rv64,zba=false,v=true", "rv64imafdc_zbb_zbc_zbs" },
		{ "max,zbb=off,zicond=on,zbs=false", "rv64imafdc_zba_zbc_zicond" },
		{ "sifive-u54", "rv64imafdc" },
		{ "sifive-u54,zbc=true", "rv64imafdc_zbc" },
		{ "sifive-u54,zicboz=true", "rv64imafdc" },
		{ "sifive-u54,Zfhmin=true", "rv64imafdc_zfhmin" },
		{ "sifive-u54,Zfh=true", "rv64imafdc_zfhmin_zfh" },
	};
	static const char *const unknown[] = { "rv32gc",     "rv64",    "rv64gcv",
		                               "rv64gc_zfa", "rv64gc_", "rv64gc_zbaz" };
	char text[TRC_EXTENSIONS_ROOM];
	struct trc_err err;
	unsigned set;

	for (size_t i = 0; i < TRC_COUNT(row); i++) {
		trc_extensions_print(trc_extensions_of_cpu(row[i].cpu), text);
		CHECK_MSG(strcmp(text, row[i].isa) == 0, "%s: %s", row[i].cpu, text);
		CHECK(!trc_extensions_read(text, &set, &err) &&
		      set == trc_extensions_of_cpu(row[i].cpu));
	}
	CHECK(!trc_extensions_read("rv64gc_zicsr_zifencei_Zbs", &set, &err) &&
	      set == TRC_EXTENSIONS_ZBS);
	for (size_t i = 0; i < TRC_COUNT(unknown); i++)
		CHECK_MSG(trc_extensions_read(unknown[i], &set, &err), "%s", unknown[i]);
}

static void
a_write_from_outside_shows_at_once(void)
{
	static const uint32_t code[] = { ADDI(7, 7, 1), LOOP(4) };
	struct machine t;
	uint8_t word[4];

	open_machine(&t, 0, code, TRC_COUNT(code));
	CHECK(run(&t, 200) == TRC_RUN_UNTIL && t.h->x[7] == 100);
	trc_put_le32(word, ADDI(7, 7, 16));
	CHECK(!trc_hart_write(t.h, RAM, word, 4, &t.err));
	CHECK(run(&t, 202) == TRC_RUN_UNTIL && t.h->x[7] == 116);
	close_machine(&t);
}

/* A device that writes the instruction behind the store to it. */
static void
a_write_from_within_a_hook_shows_at_once(void)
{
	static const uint32_t code[] = { SD(6, 5), ADDI(7, 7, 1), LOOP(8) };
	struct machine t;

	open_machine(&t, 0, code, TRC_COUNT(code));
	t.h->x[5] = DEVICE;
	CHECK(run(&t, 3) == TRC_RUN_UNTIL && t.h->x[7] == 1);
	t.dma = trc_memory_find(&t.m, RAM >> TRC_GUEST_PAGE_BITS);
	CHECK(run(&t, 6) == TRC_RUN_UNTIL && t.h->x[7] == 1);
	close_machine(&t);
}

static void
an_ecall_of_user_mode_counts_and_ends_the_run(void)
{
	static const uint32_t code[] = { NOP, ECALL, NOP, 0 };
	struct machine t;

	open_machine(&t, TRC_HART_USER, code, TRC_COUNT(code));
	CHECK(run(&t, 100) == TRC_RUN_ECALL && t.h->count == 2 && t.h->pc == RAM + 8);
	CHECK(t.b.type[0] == TRC_FETCH);
	CHECK(run(&t, 100) == TRC_RUN_TRAP && t.h->count == 4 && t.h->pc == RAM + 12);
	CHECK(t.h->cause == TRC_CAUSE_ILLEGAL && t.b.n == 4);
	close_machine(&t);
}

static void
a_fetch_that_fails_does_not_count(void)
{
	static const uint32_t code[] = { LUI(5, 0x2), 0x00028067 /* jr x5 */ };
	struct machine t;

	open_machine(&t, 0, code, TRC_COUNT(code));
	CHECK(run(&t, 3) == TRC_RUN_UNTIL && t.h->count == 3);
	CHECK(t.h->csr.mcause == TRC_CAUSE_ILLEGAL); /* that of the handler, which is zeros */
	CHECK(t.h->csr.mepc == RAM + 0x800 && t.b.n == 3);
	t.h->csr.mtvec = 0x3000;
	CHECK(run(&t, 5) == TRC_RUN_FAILED && t.h->count == 4);
	close_machine(&t);
}

static void
interrupts_are_reported_only_to_who_lives(void)
{
	static const uint32_t code[] = { CSRW(0x304, 5), WFI, CSRW(0x300, 6), NOP, NOP };

	for (unsigned flags = 0; flags <= TRC_HART_LIVE; flags += TRC_HART_LIVE) {
		struct machine t;

		open_machine(&t, flags, code, TRC_COUNT(code));
		t.h->x[5] = 0x80;
		t.h->x[6] = 8;
		t.h->csr.mip = 0x80;
		if (flags) {
			CHECK(run(&t, 5) == TRC_RUN_WFI && t.h->count == 2);
			CHECK(run(&t, 5) == TRC_RUN_INTERRUPT && t.h->count == 3);
			CHECK(trc_hart_pending(t.h) == 7);
		} else {
			CHECK(run(&t, 3) == TRC_RUN_UNTIL);
		}
		trc_hart_interrupt(t.h, 7);
		CHECK(t.h->pc == RAM + 0x800 && t.h->csr.mepc == RAM + 12);
		CHECK(t.h->csr.mcause == (TRC_CAUSE_INTERRUPT | 7) && trc_hart_pending(t.h) < 0);
		close_machine(&t);
	}
}

static void
put64(struct machine *t, uint64_t addr, uint64_t v)
{
	uint8_t byte[8];

	trc_put_le64(byte, v);
	CHECK(!trc_memory_write(&t->m, addr, byte, 8, &t->err));
}

static uint64_t
get64(const struct machine *t, uint64_t addr)
{
	uint8_t byte[8];

	trc_memory_read(&t->m, addr, byte, 8);
	return trc_le64(byte);
}

/* Supervisor mode with tables of three levels or more that map two pages of virtual addresses
 * from 0x2000 to two of RAM: the first may be executed, the second read, written and executed. */
static void
set_tables(struct machine *t, unsigned levels, uint64_t first, uint64_t second)
{
	const uint64_t leaf = RAM + 0x12000, root = leaf - 0x1000 * (levels - 1);

	for (uint64_t at = root; at < leaf; at += 0x1000)
		put64(t, at, (at + 0x1000) >> 2 | 1);
	put64(t, leaf + 8 * 2, first >> 2 | 0x9);
	put64(t, leaf + 8 * 3, second >> 2 | 0xf);
	t->h->csr.satp = (uint64_t)(8 + levels - 3) << 60 | root >> 12;
	t->h->mode = TRC_MODE_SUPERVISOR;
	trc_hart_flush(t->h);
}

static void
the_walker_sets_a_when_read_and_d_when_written(void)
{
	static const uint32_t code[] = { LD(6, 5), SD(6, 5) };
	const uint64_t leaf = RAM + 0x12000;
	struct machine t;

	open_machine(&t, 0, code, TRC_COUNT(code));
	set_tables(&t, 3, RAM, RAM + 0x4000);
	t.h->pc = 0x2000;
	t.h->x[5] = 0x3008;
	CHECK(run(&t, 1) == TRC_RUN_UNTIL);
	CHECK((get64(&t, leaf + 16) & 0xc0) == 0x40 && (get64(&t, leaf + 24) & 0xc0) == 0x40);
	CHECK(run(&t, 2) == TRC_RUN_UNTIL && (get64(&t, leaf + 24) & 0xc0) == 0xc0);
	check_row(&t, 3, TRC_WRITE | TRC_KERNEL, 0x3008, 8, 0, 0x2004);
	close_machine(&t);
}

/* An address whose upper bits are not copies of the highest that is translated. */
static void
each_depth_of_tables_has_its_range_of_addresses(void)
{
	static const uint32_t code[] = { LD(6, 5) };

	for (unsigned levels = 3; levels <= 5; levels++) {
		struct machine t;

		open_machine(&t, 0, code, TRC_COUNT(code));
		put64(&t, RAM + 0x4000, 77);
		set_tables(&t, levels, RAM, RAM + 0x4000);
		t.h->pc = 0x2000;
		t.h->x[5] = 0x3000;
		CHECK(run(&t, 1) == TRC_RUN_UNTIL && t.h->x[6] == 77);
		t.h->pc = 0x2000;
		t.h->x[5] = (UINT64_C(1) << (12 + 9 * levels - 1)) + 0x3000;
		CHECK(run(&t, 2) == TRC_RUN_UNTIL && t.h->csr.mcause == TRC_CAUSE_LOAD_PAGE);
		CHECK(t.h->csr.mtval == t.h->x[5]);
		close_machine(&t);
	}
}

static void
large_pages_begin_at_a_multiple_of_their_size(void)
{
	static const uint32_t code[] = { LD(6, 5) };
	const uint64_t large = RAM + 0x11000 + 8; /* the entry of the second 2 MiB */
	struct machine t;

	open_machine(&t, 0, code, TRC_COUNT(code));
	put64(&t, RAM + 0x4000, 77);
	set_tables(&t, 3, RAM, RAM + 0x4000);
	put64(&t, large, 0xf);
	t.h->pc = 0x2000;
	t.h->x[5] = 0x200000 + RAM + 0x4000;
	CHECK(run(&t, 1) == TRC_RUN_UNTIL && t.h->x[6] == 77);
	put64(&t, large, 0x1000 >> 2 | 0xf);
	trc_hart_flush(t.h);
	t.h->pc = 0x2000;
	CHECK(run(&t, 2) == TRC_RUN_UNTIL && t.h->csr.mcause == TRC_CAUSE_LOAD_PAGE);
	close_machine(&t);
}

static void
a_watch_sees_fetches_data_and_walks(void)
{
	static const uint32_t code[] = { LD(6, 5), SD(6, 5) };
	struct machine t;

	open_machine(&t, TRC_HART_SEEN, code, TRC_COUNT(code));
	set_tables(&t, 3, RAM, RAM + 0x4000);
	t.h->pc = 0x2000;
	t.h->x[5] = 0x3008;
	CHECK(run(&t, 2) == TRC_RUN_UNTIL && t.b.n == 4);
	CHECK(t.seen[TRC_SEEN_FETCH] == 2 && t.seen[TRC_SEEN_LOAD] == 1);
	CHECK(t.seen[TRC_SEEN_STORE] == 1 && t.seen[TRC_SEEN_WALK_STORE] == 3);
	CHECK(t.seen[TRC_SEEN_WALK_LOAD] % 3 == 0 && t.seen[TRC_SEEN_WALK_LOAD] > 0);
	close_machine(&t);
}

/* addi x7, x7, 1 across two pages, of which the second is then another one. */
static void
an_instruction_across_pages_is_what_both_hold(void)
{
	const uint32_t one = ADDI(7, 7, 1), two = ADDI(7, 7, 2);
	struct machine t;
	uint8_t half[2];

	open_machine(&t, 0, NULL, 0);
	trc_put_le16(half, (uint16_t)one);
	CHECK(!trc_memory_write(&t.m, RAM + 0xffe, half, 2, &t.err));
	trc_put_le16(half, (uint16_t)(one >> 16));
	CHECK(!trc_memory_write(&t.m, RAM + 0x4000, half, 2, &t.err));
	trc_put_le16(half, (uint16_t)(two >> 16));
	CHECK(!trc_memory_write(&t.m, RAM + 0x5000, half, 2, &t.err));
	for (int i = 0; i < 4; i++) {
		set_tables(&t, 3 + (unsigned)i % 3, RAM, i % 2 ? RAM + 0x5000 : RAM + 0x4000);
		t.h->pc = 0x2ffe;
		CHECK(run(&t, t.h->count + 1) == TRC_RUN_UNTIL);
		t.h->pc = 0x2ffe;
		CHECK(run(&t, t.h->count + 1) == TRC_RUN_UNTIL);
	}
	CHECK(t.h->x[7] == 2 * (1 + 2 + 1 + 2));
	close_machine(&t);
}

static void
floating_point_is_dirty_only_once_it_is_written(void)
{
	static const uint32_t code[] = { FSD(0, 5), FMV_D_X(1, 6), NOP };
	struct machine t;

	open_machine(&t, 0, code, TRC_COUNT(code));
	t.h->x[5] = RAM + 0x400;
	CHECK(run(&t, 1) == TRC_RUN_UNTIL && t.h->csr.mcause == TRC_CAUSE_ILLEGAL);
	CHECK(t.h->csr.mtval == code[0]);
	t.h->pc = RAM;
	t.h->csr.mstatus |= 2 << 13; /* clean */
	CHECK(run(&t, 2) == TRC_RUN_UNTIL && (t.h->csr.mstatus >> 13 & 3) == 2);
	CHECK(run(&t, 3) == TRC_RUN_UNTIL && (t.h->csr.mstatus >> 13 & 3) == 3);
	CHECK(t.h->csr.mstatus >> 63);
	close_machine(&t);
}

static void
all_registers_can_be_read_and_set(void)
{
	struct machine a, b;
	uint64_t value, other;
	int reg = -1, again = -1, n = 0;

	open_machine(&a, 0, NULL, 0);
	open_machine(&b, 0, NULL, 0);
	for (unsigned i = 1; i < 32; i++)
		a.h->x[i] = a.h->f[i] = i * UINT64_C(0x0123456789abcdef);
	a.h->mode = TRC_MODE_SUPERVISOR;
	a.h->csr.stvec = 0x1230;
	a.h->frm = 3;
	while (trc_hart_each(a.h, &reg, &value)) {
		CHECK_MSG(!trc_hart_set(b.h, reg, value, &b.err), "%s", b.err.text);
		n++;
	}
	trc_hart_flush(b.h);
	CHECK(n > 100);
	for (reg = -1; trc_hart_each(a.h, &reg, &value);)
		CHECK(trc_hart_each(b.h, &again, &other) && reg == again && value == other);
	CHECK(trc_hart_set(b.h, TRC_REG_PC, 1, &b.err) && trc_hart_set(b.h, 0, 1, &b.err));
	CHECK(trc_hart_set(b.h, TRC_REG_CSR + 0x999, 1, &b.err));
	CHECK(trc_hart_set(b.h, TRC_REG_CSR + 0x302, UINT64_MAX, &b.err));
	close_machine(&a);
	close_machine(&b);
}

static enum trc_flow
until_1000(struct trc_driver *d, struct trc_hart *h, enum trc_run_end why, uint64_t *until,
           struct trc_err *err)
{
	(void)d, (void)err;
	CHECK(why == TRC_RUN_UNTIL);
	*until = h->count + 7 < 1000 ? h->count + 7 : 1000;
	return h->count == 1000 ? TRC_FLOW_END : TRC_FLOW_ROWS;
}

static void
close_nothing(struct trc_driver *d)
{
	(void)d;
}

/* The hash of the rows of a loop, pulled so many at a time. */
static uint64_t
pulled(size_t cap, uint64_t skip, uint64_t *rows)
{
	static const uint32_t code[] = { LD(6, 5), SD(6, 5), ADDI(5, 5, 1), LOOP(12) };
	struct trc_driver driver = { .due = until_1000, .close = close_nothing };
	struct trc_source *src;
	struct trc_batch b;
	struct machine t;
	uint64_t hash = 0;

	open_machine(&t, 0, code, TRC_COUNT(code));
	t.h->x[5] = RAM + 0xff0;
	src = trc_hart_source(t.h, TRC_HART_MAY_HAVE, &driver, &t.err);
	CHECK(src && !trc_batch_init(&b, src->have, cap, &t.err));
	CHECK(!src->seek->skip(src, skip, &t.err));
	*rows = 0;
	while (trc_source_next(src, &b, &t.err) == TRC_FLOW_ROWS) {
		for (size_t i = 0; i < b.n; i++)
			hash = hash * 31 + b.type[i] + b.addr[i] + b.size[i] + b.insn[i] + b.pc[i] +
			       b.itime[i];
		*rows += b.n;
	}
	trc_batch_release(&b);
	trc_source_close(src);
	close_machine(&t);
	return hash;
}

static void
rows_do_not_depend_on_the_room_of_batches(void)
{
	static const size_t cap[] = { 1, 2, 7, TRC_HART_ROOM - 1, TRC_HART_ROOM, 1000 };
	uint64_t rows, other;
	const uint64_t hash = pulled(TRC_BATCH_ROWS, 0, &rows);

	CHECK(rows == 1500);
	for (size_t i = 0; i < TRC_COUNT(cap); i++)
		CHECK_MSG(pulled(cap[i], 0, &other) == hash && other == rows, "room %zu", cap[i]);
	CHECK(pulled(7, 1499, &rows) && rows == 1);
	CHECK(!pulled(7, 1500, &rows) && rows == 0);
	CHECK(!pulled(7, 2000, &rows) && rows == 0);
}

/* The highest priority, of equals the lowest number; one that was claimed comes again once it was
 * completed, and none that is not above the threshold. */
static void
the_most_urgent_interrupt_is_claimed_first(void)
{
	enum { ENABLED = 0x2000, THRESHOLD = 0x200000, CLAIM = 0x200004 };
	static const uint32_t order[] = { 3, 2, 5, 0 };
	struct trc_plic p = { .raised = 1 << 2 | 1 << 3 | 1 << 5 | 1 << 7 };

	for (uint32_t i = 1; i < 7; i++)
		trc_plic_store(&p, 4 * i, i == 3 ? 2 : 1);
	trc_plic_store(&p, ENABLED, 0xff);
	CHECK(trc_plic_interrupts(&p, 0) && !trc_plic_interrupts(&p, 1));
	for (size_t i = 0; i < TRC_COUNT(order); i++)
		CHECK(trc_plic_load(&p, CLAIM) == order[i]);
	CHECK(!trc_plic_interrupts(&p, 0));
	trc_plic_store(&p, CLAIM, 3);
	CHECK(trc_plic_interrupts(&p, 0));
	trc_plic_store(&p, THRESHOLD, 2);
	CHECK(!trc_plic_interrupts(&p, 0) && trc_plic_load(&p, CLAIM) == 3);
}

int
main(void)
{
	test_start();
	RUN(rows_are_fetches_and_behind_each_its_data);
	RUN(a_load_outside_memory_asks_at_its_pc_and_count);
	RUN(a_device_that_is_not_there_traps_and_the_access_has_no_row);
	RUN(a_hook_that_fails_leaves_the_state_before_its_instruction);
	RUN(counters_are_inputs);
	RUN(addresses_of_protection_keep_all_their_bits);
	RUN(a_store_into_decoded_instructions_shows_at_once);
	RUN(conditional_zero);
	RUN(cache_blocks);
	RUN(processors_are_named_by_their_extensions);
	RUN(a_write_from_outside_shows_at_once);
	RUN(a_write_from_within_a_hook_shows_at_once);
	RUN(an_ecall_of_user_mode_counts_and_ends_the_run);
	RUN(a_fetch_that_fails_does_not_count);
	RUN(interrupts_are_reported_only_to_who_lives);
	RUN(the_walker_sets_a_when_read_and_d_when_written);
	RUN(each_depth_of_tables_has_its_range_of_addresses);
	RUN(large_pages_begin_at_a_multiple_of_their_size);
	RUN(a_watch_sees_fetches_data_and_walks);
	RUN(an_instruction_across_pages_is_what_both_hold);
	RUN(floating_point_is_dirty_only_once_it_is_written);
	RUN(all_registers_can_be_read_and_set);
	RUN(rows_do_not_depend_on_the_room_of_batches);
	RUN(the_most_urgent_interrupt_is_claimed_first);
	return 0;
}
