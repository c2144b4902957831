/* SPDX-License-Identifier: MIT
 * Plans the memory for reading blocks, from the columns and the rows per block in a header. */
#include "container/memory_plan.h"

#include "codec/column/joint_columns.h"
#include "codec/column/requests.h"
#include "container/container.h"
#include "container/events.h"

enum {
	/* The most bytes for the tables of all that is unpacked at a time and for the program, and
	 * the fewest bytes for reading references. */
	TABLES = 128 << 20,
	PROGRAM = 144 << 20,
	READER_LEAST = 1 << 20,
	READER_GOOD = 128 << 20, /* preferred to more blocks in flight */
};

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Returns the most bytes that reading `blocks` blocks of `rows` rows at a time may use, without the
 * programs of their references. */
static uint64_t
memory_of(uint32_t have, uint64_t blocks, size_t rows)
{
	uint64_t row = 0, refs = 0, by_op = 0, streams = TRC_STREAMS_MOST(rows), need;

	for (int i = 0; i < TRC_COLUMNS; i++) {
		row += have >> i & 1 ? trc_column[i].width : 0;
		refs += (have & TRC_GATHERED_COLUMNS) >> i & 1 ? trc_column[i].width : 0;
		by_op += (have & TRC_BY_OP_COLUMNS) >> i & 1 ? trc_column[i].width : 0;
	}
	/* In this order: blocks as columns, a column of each as 64-bit values, packed blocks, and
	 * the tables for unpacking. */
	need = blocks * (row + 8) * rows + (blocks + 1) * row * rows +
	       least(TABLES, 32 * (uint64_t)rows);
	/* A block with requests has no references. */
	if (have & TRC_HAS_ADDR && have & TRC_HAS_SIZE && streams < trc_requests_memory(rows))
		streams = trc_requests_memory(rows);
	if (have & TRC_HAS_ADDR)
		need += (blocks + 1) * streams + least(PROGRAM, 1024 * (uint64_t)rows);
	if (have & (TRC_HAS_VPN | TRC_HAS_CPN) && have & (TRC_HAS_RTIME | TRC_HAS_TIME))
		need += blocks * trc_joint_memory(rows);
	if (have & TRC_HAS_ADDR && have & (TRC_HAS_TASK | TRC_HAS_ASID))
		need += blocks * refs * rows;
	if (have & TRC_HAS_ADDR)
		need += blocks * by_op * rows;
	return need + (have & TRC_HAS_EVENT ? 2 * blocks * TRC_EVENTS_BYTES : 0);
}

int
trc_memory_plan_make(struct trc_memory_plan *plan, uint32_t have, size_t rows, struct trc_err *err)
{
	enum { MIB = 1 << 20 };
	const bool small = plan->limit < MIB;
	uint64_t blocks = (uint64_t)plan->in_flight, need;

	if (rows <= plan->block_rows)
		return 0;
	while (plan->block_rows == 0 && blocks > 1 &&
	       memory_of(have, blocks, rows) + blocks * READER_GOOD > plan->limit)
		blocks--;
	need = memory_of(have, blocks, rows);
	if (need > plan->limit)
		return trc_fail(err,
		                "may need %llu MiB to read, more than the limit of %llu %s; raise "
		                "it with --memlimit",
		                (ull)((need + MIB - 1) / MIB),
		                (ull)(plan->limit / (small ? 1 : MIB)), small ? "bytes" : "MiB");
	plan->in_flight = (int)blocks;
	plan->reader = (size_t)least((plan->limit - need) / blocks + READER_LEAST, SIZE_MAX / 2);
	plan->tables = (size_t)least(TABLES, 32 * (uint64_t)rows);
	plan->programs = (size_t)least(PROGRAM, 1024 * (uint64_t)rows);
	plan->block_rows = rows;
	return 0;
}
