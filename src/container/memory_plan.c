/* SPDX-License-Identifier: MIT
 * What reading blocks may take, from the columns and the rows of a block that a header tells of. */
#include "container/memory_plan.h"

#include "codec/column/joint_columns.h"
#include "container/events.h"

enum {
	/* Bytes that may be taken: by the tables of all that is unpacked at a time, by the program,
	 * and at least by what reads references with it. */
	TABLES = 128 << 20,
	PROGRAM = 144 << 20,
	READER_LEAST = 1 << 20,
	READER_GOOD = 128 << 20, /* better than more blocks ahead */
};

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* What reading blocks of `rows` rows, `ahead` at a time, may take at most, but for the programs of
 * their references. */
static uint64_t
memory_of(uint32_t have, uint64_t ahead, size_t rows)
{
	uint64_t row = 0, refs = 0, need;

	for (int i = 0; i < TRC_COLUMNS; i++) {
		row += have >> i & 1 ? trc_column[i].width : 0;
		refs += (have & TRC_GATHERED_COLUMNS) >> i & 1 ? trc_column[i].width : 0;
	}
	/* Blocks as columns; a column of each as numbers; packed; what unpacks them. */
	need = ahead * (row + 8) * rows + (ahead + 1) * row * rows +
	       least(TABLES, 32 * (uint64_t)rows);
	if (have & TRC_HAS_ADDR)
		need += (ahead + 1) * TRC_STREAMS_MOST(rows) +
		        least(PROGRAM, 1024 * (uint64_t)rows);
	if (have & (TRC_HAS_VPN | TRC_HAS_CPN) && have & (TRC_HAS_RTIME | TRC_HAS_TIME))
		need += ahead * trc_joint_memory(rows);
	if (have & TRC_HAS_ADDR && have & (TRC_HAS_TASK | TRC_HAS_ASID))
		need += ahead * refs * rows;
	return need + (have & TRC_HAS_EVENT ? 2 * ahead * TRC_EVENTS_BYTES : 0);
}

int
trc_memory_plan_make(struct trc_memory_plan *room, uint32_t have, uint64_t memlimit, int *ahead,
                     size_t rows, struct trc_err *err)
{
	enum { MIB = 1 << 20 };
	const bool small = memlimit < MIB;
	uint64_t need;

	if (rows <= room->block_rows)
		return 0;
	while (room->block_rows == 0 && *ahead > 1 &&
	       memory_of(have, (uint64_t)*ahead, rows) + (uint64_t)*ahead * READER_GOOD > memlimit)
		--*ahead;
	need = memory_of(have, (uint64_t)*ahead, rows);
	if (need > memlimit)
		return trc_fail(err,
		                "may need %llu MiB to read, more than the limit of %llu %s; "
		                "--memlimit raises it",
		                (unsigned long long)((need + MIB - 1) / MIB),
		                (unsigned long long)(memlimit / (small ? 1 : MIB)),
		                small ? "bytes" : "MiB");
	room->reader = (size_t)least((memlimit - need) / (uint64_t)*ahead + READER_LEAST,
	                             SIZE_MAX / 2);
	room->tables = (size_t)least(TABLES, 32 * (uint64_t)rows);
	room->programs = (size_t)least(PROGRAM, 1024 * (uint64_t)rows);
	room->block_rows = rows;
	return 0;
}
