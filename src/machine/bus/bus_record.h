/* SPDX-License-Identifier: MIT
 *
 * The head and the records of bus traces, in whichever form they stand in a file.
 *
 * A record has a count: how many instructions had begun when it was seen, that is, how many fetches
 * had succeeded since the start. What instruction n (from 1) does to memory has count n; its own
 * fetch, and the page walk for it, have count n - 1.
 */
#ifndef TRC_MACHINE_BUS_BUS_RECORD_H
#define TRC_MACHINE_BUS_BUS_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum trc_bus_type {
	TRC_BUS_STATE = 'S',     /* a register, as TRC_REG_ has it, was written to the state
	                           * window: key, value */
	TRC_BUS_START = 'G',     /* the state is complete, caches are invalid, counting begins */
	TRC_BUS_FILL = 'F',      /* a line was read, by agent key: addr, data */
	TRC_BUS_BACK = 'W',      /* a line was written back: addr, data */
	TRC_BUS_WRITE = 'P',     /* a write went through, or a part of a line: addr, data */
	TRC_BUS_INPUT = 'R',     /* an uncached read: addr, data */
	TRC_BUS_OUTPUT = 'O',    /* an uncached write: addr, data */
	TRC_BUS_INTERRUPT = 'I', /* an interrupt was taken: cause key, epc value */
	TRC_BUS_CSR = 'C',       /* input inside the processor: number of the CSR key, value */
	TRC_BUS_DMA = 'D',       /* another master wrote: addr, data */
	TRC_BUS_CALL = 'Y',      /* user mode: an ecall returned: its number key, a0 value */
	TRC_BUS_MOVE = 'M',      /* user mode: the kernel moved key bytes of memory, whole pages,
	                           * from address value: addr */
	TRC_BUS_TRAP = 'T',      /* user mode: the instruction did nothing but bring about signal
	                           * key */
	TRC_BUS_SIGNAL = 'X',    /* user mode: the registers are those of the S before it */
	TRC_BUS_TASK = 'N',      /* user mode: from now on task key runs, at pc value: tasks.h */
	TRC_BUS_KILL = 'K',      /* user mode: signal key ended the program; an E follows */
	TRC_BUS_TRUTH = 'H',     /* hash of the trace so far key, of the registers value */
	TRC_BUS_END = 'E',       /* the registers are those of the S before it */
};

/* Who requested a line. */
enum trc_bus_agent {
	TRC_BUS_FETCH,
	TRC_BUS_DATA,
	TRC_BUS_WALK_FETCH, /* a page walk for a fetch, or for data */
	TRC_BUS_WALK_DATA,
	TRC_BUS_AGENTS
};

enum {
	TRC_BUS_VERSION = 1,
	TRC_BUS_RANGES = 8,          /* of RAM, and of input and output, at most */
	TRC_BUS_DATA_MOST = 1 << 16, /* bytes of data in a record */
	TRC_BUS_REGISTERS = 0x2000,  /* numbers of registers are less */
};

/* A range of physical addresses. */
struct trc_bus_range {
	uint64_t start, len;
};

/* The head of a bus trace: what it was recorded of. */
struct trc_bus_head {
	char isa[64];    /* "rv64imafdc_zba": machine/hart/extensions.h */
	bool user;       /* user mode only: memory is virtual, ecalls are answered by records */
	uint32_t line;   /* bytes of a cache line; 0: fills have any length */
	uint64_t window; /* address of the state window, read but not used */
	struct trc_bus_range ram[TRC_BUS_RANGES], io[TRC_BUS_RANGES];
	size_t rams, ios; /* no ram: all that is not io */
};

/* A record of the bus; its type has which members mean something: trc_bus_fields(). */
struct trc_bus_record {
	enum trc_bus_type type;
	uint64_t count;
	uint64_t key, value, addr;
	const uint8_t *data; /* the reader's, until its next record */
	uint32_t len;
};

/* What records have besides type and count: 'k' key, 'v' value, 'a' address, 'd' data, in order;
 * NULL for types that there are not. */
const char *trc_bus_fields(unsigned type);

/* True for events that an instruction causes and that belong to it; false for those that belong to
 * the moment before it, as interrupts do. */
static inline bool
trc_bus_is_synchronous(unsigned type)
{
	return type == TRC_BUS_INPUT || type == TRC_BUS_OUTPUT || type == TRC_BUS_CSR ||
	       type == TRC_BUS_CALL || type == TRC_BUS_TRAP;
}

#endif
