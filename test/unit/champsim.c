/* SPDX-License-Identifier: MIT
 * ChampSim: every record comes back byte for byte, and what has no place in one is refused. */
#include <string.h>

#include "base/bytes.h"
#include "generate.h"
#include "machine/hart/annotate.h"
#include "test.h"

enum { RECORDS = 3000 };

/* Any record that a tracer could write, places left out in the middle included. */
static void
make_record(struct generator *m, uint8_t *p, size_t size)
{
	const bool small = size == 64;
	const size_t registers = small ? 6 : 8;

	memset(p, 0, size);
	trc_put_le64(p, generate_random(m) >> generate_below(m, 64));
	p[8] = generate_below(m, 2) != 0;
	p[9] = generate_below(m, 2) != 0;
	for (size_t i = 0; i < registers; i++)
		p[10 + i] = (uint8_t)(generate_below(m, 2) ? generate_below(m, 30) :
		                                             generate_random(m));
	for (size_t i = small ? 16 : 24; i < (small ? 64 : 88); i += 8)
		if (generate_below(m, 3) == 0)
			trc_put_le64(p + i, generate_random(m) >> generate_below(m, 64));
	if (!small)
		trc_put_le16(p + 88, (uint16_t)generate_random(m));
}

static void
check_bytes(const char *format, size_t size)
{
	struct generator m = { test_seed };
	uint8_t *p = malloc(RECORDS * size);
	struct generate_bytes back;
	struct trc_batch rows;
	struct trc_err err;

	CHECK(p);
	for (size_t i = 0; i < RECORDS; i++)
		make_record(&m, p + i * size, size);
	for (size_t pull = 1; pull < 5000; pull = pull * 3 + 1) {
		CHECK(generate_collect(generate_read_as(format, p, RECORDS * size, 777, &err), pull,
		                       &rows, NULL, &err) == 0);
		CHECK_MSG(generate_write_as(format, &rows, pull, NULL, &back, &err) == 0, "%s",
		          err.text);
		CHECK(back.len == RECORDS * size && memcmp(back.p, p, back.len) == 0);
		trc_batch_release(&rows);
		free(back.p);
	}
	free(p);
}

static void
records_come_back_byte_for_byte(void)
{
	check_bytes("champsim", 64);
	check_bytes("cloudsuite", 96);
}

/* Registers that ChampSim takes for a branch of each kind. */
static void
kinds_are_written_as_registers_and_read_from_them(void)
{
	static const uint8_t kind[] = { TRC_BRANCH_COND,          TRC_BRANCH_JUMP,
		                        TRC_BRANCH_INDIRECT,      TRC_BRANCH_CALL,
		                        TRC_BRANCH_INDIRECT_CALL, TRC_BRANCH_RETURN };
	struct trc_batch b = generate_zeros(TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_BRANCH,
	                                    TRC_COUNT(kind));
	struct generate_bytes bytes;
	struct trc_batch back;
	struct trc_err err;

	for (size_t i = 0; i < b.n; i++) {
		b.type[i] = TRC_FETCH;
		b.addr[i] = 0x400000 + i;
		b.branch[i] = (uint8_t)(kind[i] | TRC_BRANCH | TRC_BRANCH_TAKEN);
	}
	CHECK(generate_write_as("champsim", &b, 1, NULL, &bytes, &err) == 0);
	CHECK(generate_collect(generate_read_as("champsim", bytes.p, bytes.len, 64, &err), 1, &back,
	                       NULL, &err) == 0);
	CHECK(memcmp(b.branch, back.branch, b.n) == 0);
	/* The conditional one writes 26, and reads 26 and 25, the flags. */
	CHECK(back.regs[0] == UINT64_C(0x191a0000001a));
	trc_batch_release(&b);
	trc_batch_release(&back);
	free(bytes.p);
}

/* The kind that ChampSim finds for a record of 64 bytes: since November 2019 (`since_2023` false),
 * and since September 2023. 0: none that it has a name for. */
static uint8_t
classify(const uint8_t *record, bool since_2023)
{
	bool reads[3] = { 0 }, writes[3] = { 0 }, reads_other = false; /* stack, flags, ip */

	for (size_t i = 0; i < 6; i++) {
		const uint8_t reg = record[10 + i];
		const int k = reg == 6 ? 0 : reg == 25 ? 1 : reg == 26 ? 2 : -1;

		if (k >= 0 && i < 2)
			writes[k] = true;
		else if (k >= 0)
			reads[k] = true;
		else if (i >= 2)
			reads_other |= reg != 0;
	}
	if (!writes[2])
		return 0;
	if (reads[0]) {
		if (!writes[0])
			return 0;
		if (!reads[2])
			return TRC_BRANCH_RETURN;
		if (reads[1])
			return 0;
		return reads_other ? TRC_BRANCH_INDIRECT_CALL : TRC_BRANCH_CALL;
	}
	if (!reads[1] && !reads_other)
		return TRC_BRANCH_JUMP;
	if (!reads[1] && !(since_2023 && reads[2]))
		return TRC_BRANCH_INDIRECT;
	if (writes[0] || !reads[2] || (!since_2023 && reads_other))
		return 0;
	return TRC_BRANCH_COND;
}

/* Every jump and branch of RISC-V. */
static struct trc_batch
branches_of_riscv(void)
{
	struct trc_batch b = generate_zeros(
	        TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_BRANCH | TRC_HAS_REGS, 32 + 2 * 32 * 32);

	for (uint32_t i = 0; i < b.n; i++) {
		const uint32_t first = i & 31, second = i >> 5 & 31;
		const uint32_t word = i >= 32 * 32 + 32 ? 0x63 | first << 15 | second << 20 :
		                      i >= 32 * 32      ? 0x6f | first << 7 :
		                                          0x67 | first << 7 | second << 15;
		const struct trc_annotation is = trc_annotate_riscv(word);

		b.type[i] = TRC_FETCH;
		b.addr[i] = 0x400000 + 4 * i;
		b.branch[i] = is.branch;
		b.regs[i] = is.regs;
	}
	return b;
}

/* ChampSim of 2022 and of early 2023 took every conditional branch for an indirect one. */
static void
with_flags_all_versions_find_the_same_kinds(void)
{
	struct trc_batch b = branches_of_riscv();
	struct generate_bytes plain, flags;
	size_t indirect = 0;
	struct trc_err err;

	CHECK(generate_write_as("champsim", &b, 7, NULL, &plain, &err) == 0);
	CHECK(generate_write_as("champsim:flags", &b, 7, NULL, &flags, &err) == 0);
	CHECK(plain.len == 64 * b.n && flags.len == 64 * b.n);
	for (size_t i = 0; i < b.n; i++) {
		const uint8_t kind = b.branch[i] & TRC_BRANCH_KIND;
		const uint8_t *p = plain.p + 64 * i, *f = flags.p + 64 * i;

		CHECK(classify(p, true) == kind);
		CHECK_MSG(classify(f, true) == kind && classify(f, false) == kind, "%zu", i);
		CHECK(kind == TRC_BRANCH_COND || memcmp(p, f, 64) == 0);
		indirect += kind == TRC_BRANCH_COND && classify(p, false) == TRC_BRANCH_INDIRECT;
	}
	/* But for the one that compares x0 with itself, for which the flags stand anyway. */
	CHECK(indirect == 32 * 32 - 1);
	trc_batch_release(&b);
	free(plain.p);
	free(flags.p);
}

struct row {
	uint8_t type;
	uint64_t addr, pc;
};

static struct trc_batch
rows_of(const struct row *row, size_t n, uint32_t have)
{
	struct trc_batch b = generate_zeros(have, n);

	for (size_t i = 0; i < n; i++) {
		b.type[i] = row[i].type;
		b.addr[i] = row[i].addr;
		if (b.pc)
			b.pc[i] = row[i].pc;
	}
	return b;
}

static void
what_has_no_place_is_refused(void)
{
	static const struct {
		struct row row[6];
		size_t n;
		const char *why;
		size_t split; /* records with the argument split; 0: refused, too */
	} x[] = {
		{ { { TRC_READ, 1, 0 } }, 1, "before the first fetch", 0 },
		{ { { TRC_FETCH, 1, 0 }, { TRC_READ, 0, 0 } }, 2, "address 0", 0 },
		{ { { TRC_FETCH, 1, 0 }, { TRC_MODIFY, 1, 0 } }, 2, "modify", 0 },
		{ { { TRC_FETCH, 1, 0 }, { TRC_PREFETCH, 1, 0 } }, 2, "prefetch", 0 },
		{ { { TRC_FETCH, 1, 0 }, { TRC_WRITE, 1, 0 }, { TRC_READ, 2, 0 } },
		  3,
		  "after a store",
		  2 },
		{ { { TRC_FETCH, 1, 0 },
		    { TRC_WRITE, 1, 0 },
		    { TRC_WRITE, 2, 0 },
		    { TRC_WRITE, 3, 0 } },
		  4,
		  "further operand",
		  2 },
		{ { { TRC_FETCH, 1, 0 },
		    { TRC_READ, 1, 0 },
		    { TRC_READ, 2, 0 },
		    { TRC_READ, 3, 0 },
		    { TRC_READ, 4, 0 },
		    { TRC_READ, 5, 0 } },
		  6,
		  "further operand",
		  2 },
	};
	struct generate_bytes bytes;
	struct trc_err err;

	for (size_t i = 0; i < TRC_COUNT(x); i++) {
		struct trc_batch b = rows_of(x[i].row, x[i].n, TRC_HAS_TYPE | TRC_HAS_ADDR);

		CHECK(generate_write_as("champsim", &b, 4096, NULL, &bytes, &err) == -1);
		CHECK_MSG(strstr(err.text, x[i].why), "%s", err.text);
		CHECK((generate_write_as("champsim:split", &b, 4096, NULL, &bytes, &err) == 0) ==
		      (x[i].split > 0));
		if (x[i].split > 0) {
			CHECK(bytes.len == 64 * x[i].split);
			free(bytes.p);
		}
		trc_batch_release(&b);
	}
}

/* A trace of loads and stores with their pc is one of instructions. */
static void
a_pc_makes_a_record(void)
{
	static const struct row row[] = { { TRC_READ, 16, 1 },
		                          { TRC_WRITE, 32, 1 },
		                          { TRC_READ, 48, 2 },
		                          { TRC_FETCH, 3, 3 },
		                          { TRC_READ, 64, 3 } };
	struct trc_batch b = rows_of(row, TRC_COUNT(row), TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_PC);
	struct generate_bytes bytes;
	struct trc_err err;

	CHECK(generate_write_as("champsim", &b, 2, NULL, &bytes, &err) == 0);
	CHECK(bytes.len == 3 * 64);
	CHECK(trc_le64(bytes.p) == 1 && trc_le64(bytes.p + 16) == 32 &&
	      trc_le64(bytes.p + 32) == 16);
	CHECK(trc_le64(bytes.p + 64) == 2 && trc_le64(bytes.p + 128) == 3);
	free(bytes.p);
	b.pc[3] = 4;
	CHECK(generate_write_as("champsim", &b, 2, NULL, &bytes, &err) == -1);
	CHECK_MSG(strstr(err.text, "pc of a fetch"), "%s", err.text);
	trc_batch_release(&b);
}

/* Records of a fork have fields behind those of ChampSim. */
static void
records_of_a_fork_are_suspected(void)
{
	enum { SIZE = 72, N = 128 };
	struct generator m = { test_seed };
	uint8_t *p = calloc(N, SIZE);
	struct trc_batch rows;
	struct trc_err err;
	struct trc_in *in;

	CHECK(p);
	for (size_t i = 0; i < N; i++) {
		trc_put_le64(p + i * SIZE, 0x400000 + generate_below(&m, 1000));
		p[i * SIZE + 8] = i % 5 == 0;
		trc_put_le64(p + i * SIZE + 64, generate_random(&m));
	}
	in = generate_in(p, N * SIZE, 4096);
	CHECK(!trc_format_recognise(in, &err));
	CHECK_MSG(strstr(err.text, "72-byte records of a fork of ChampSim"), "%s", err.text);
	trc_in_close(in);
	CHECK(generate_collect(generate_read_as("champsim", p, N * SIZE, 64, &err), 9, &rows, NULL,
	                       &err) == -1);
	trc_batch_release(&rows);
	CHECK_MSG(strstr(err.text, "made: byte ") && strstr(err.text, "fork"), "%s", err.text);
	free(p);
}

int
main(void)
{
	test_start();
	RUN(records_come_back_byte_for_byte);
	RUN(kinds_are_written_as_registers_and_read_from_them);
	RUN(with_flags_all_versions_find_the_same_kinds);
	RUN(what_has_no_place_is_refused);
	RUN(a_pc_makes_a_record);
	RUN(records_of_a_fork_are_suspected);
	return 0;
}
