/* SPDX-License-Identifier: MIT
 *
 * The header and the records of bus traces, in binary files and in texts.
 *
 * A record has a count: the number of instructions that had begun when it was seen, that is, of
 * fetches that had succeeded since the start. What instruction n (from 1) does to memory has count
 * n. Its own fetch, and the page walk for that, have count n - 1.
 */
#ifndef TRC_MACHINE_BUS_BUS_RECORD_H
#define TRC_MACHINE_BUS_BUS_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum trc_bus_type {
	/* A register, by its TRC_REG_ number, was written to the state window: key, value. */
	TRC_BUS_STATE = 'S',
	TRC_BUS_START = 'G',     /* the state is complete, caches are invalid, counting begins */
	TRC_BUS_FILL = 'F',      /* a line was read by agent key: addr, data */
	TRC_BUS_BACK = 'W',      /* a line was written back: addr, data */
	TRC_BUS_WRITE = 'P',     /* a write-through or a write of part of a line: addr, data */
	TRC_BUS_INPUT = 'R',     /* an uncached read: addr, data */
	TRC_BUS_OUTPUT = 'O',    /* an uncached write: addr, data */
	TRC_BUS_INTERRUPT = 'I', /* an interrupt was taken: cause key, epc value */
	TRC_BUS_CSR = 'C',       /* an input inside the processor: CSR number key, value */
	TRC_BUS_DMA = 'D',       /* another master wrote: addr, data */
	TRC_BUS_CALL = 'Y',      /* user mode: an ecall returned: its number key, a0 value */
	/* User mode: the kernel moved key bytes, in whole pages, from address value to addr. */
	TRC_BUS_MOVE = 'M',
	TRC_BUS_TRAP = 'T', /* user mode: the instruction had no effect but to raise signal key */
	/* A signal was delivered, a task got its first turn, or what a call returned: registers are
	 * those of the S records before it. */
	TRC_BUS_SIGNAL = 'X',
	TRC_BUS_TASK = 'N',  /* task key runs from now on, at pc value: tasks.h */
	TRC_BUS_KILL = 'K',  /* user mode: signal key ended the program; an E follows */
	TRC_BUS_TRUTH = 'H', /* key: hash of the trace so far; value: hash of the registers */
	/* The end; the registers are those of the S records before it. */
	TRC_BUS_END = 'E',
};

/* The unit of the processor that requested a line. */
enum trc_bus_agent {
	TRC_BUS_FETCH,
	TRC_BUS_DATA,
	TRC_BUS_WALK_FETCH, /* a page walk for a fetch, and for data */
	TRC_BUS_WALK_DATA,
	TRC_BUS_AGENTS
};

enum {
	TRC_BUS_VERSION = 1,
	TRC_BUS_RANGES = 8,          /* limit for ranges of RAM, and of input and output */
	TRC_BUS_DATA_MOST = 1 << 16, /* bytes of data in a record */
	TRC_BUS_REGISTERS = 0x2000,  /* numbers of registers are below this */
};

/* A range of physical addresses. */
struct trc_bus_range {
	uint64_t start, len;
};

/* The header of a bus trace: the machine that was recorded. */
struct trc_bus_head {
	char isa[64];    /* for example "rv64imafdc_zba": machine/hart/extensions.h */
	bool user;       /* user mode only: memory is virtual, records hold the results of ecalls */
	uint32_t line;   /* bytes of a cache line; 0: fills may have any length */
	uint64_t window; /* address of the state window; it is read, but not used */
	struct trc_bus_range ram[TRC_BUS_RANGES], io[TRC_BUS_RANGES];
	size_t rams, ios; /* without ram, everything but io is RAM */
};

/* A record of the bus. trc_bus_fields() lists the members that a type uses. */
struct trc_bus_record {
	enum trc_bus_type type;
	uint64_t count;
	uint64_t key, value, addr;
	const uint8_t *data; /* valid until the reader returns its next record */
	uint32_t len;
};

/* Returns the fields of a type besides type and count, in order: 'k' key, 'v' value, 'a' address,
 * 'd' data; NULL for unknown types. */
const char *trc_bus_fields(unsigned type);

/* Returns true for events that an instruction causes; false for events that happen before an
 * instruction, such as interrupts. */
static inline bool
trc_bus_is_synchronous(unsigned type)
{
	return type == TRC_BUS_INPUT || type == TRC_BUS_OUTPUT || type == TRC_BUS_CSR ||
	       type == TRC_BUS_CALL || type == TRC_BUS_TRAP;
}

#endif
