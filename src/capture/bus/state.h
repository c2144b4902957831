/* SPDX-License-Identifier: MIT
 *
 * The state of the recorder of programs, and functions that all of its parts use: they write
 * records of the trace, and hash rows (the addresses of fetches, loads and stores, in order). A
 * plugin has no context of its own in the callbacks of accesses, and there is one program in a
 * process, so the state is a global variable. Only the thread that has the baton
 * (capture/bus/baton.h) uses it.
 */
#ifndef TRC_CAPTURE_BUS_STATE_H
#define TRC_CAPTURE_BUS_STATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "capture/bus/code.h"
#include "machine/bus/record.h"

enum {
	TRC_BUS_TRUTH_EVERY = 1 << 20, /* the fewest instructions between two checkpoints */
	TRC_BUS_ROWS = 1 << 15,        /* the most rows that wait for their hash */
	TRC_BUS_READABLE = 16,         /* slots for pages that are known to be readable */

	/* Bits of `special` beside those of code.h: no block has run yet; an access to shared
	 * memory is still to be noted. */
	TRC_BUS_SPECIAL_START = TRC_CODE_BEYOND << 1,
	TRC_BUS_SPECIAL_LATE = TRC_BUS_SPECIAL_START << 1,

	/* Numbers of system calls that several parts know. */
	TRC_SYSCALL_EXIT = 93,
	TRC_SYSCALL_SIGRETURN = 139,
	TRC_SYSCALL_FLUSH_ICACHE = 259, /* which the emulator answers itself */
};

/* What the recorder was doing when the process was killed: trc_bus_on_outlived(). */
enum trc_bus_step {
	TRC_BUS_STEP_GUEST, /* the block ran, and its accesses were noted */
	TRC_BUS_STEP_HASH,  /* rows went into the hash; `safe` has what was true before */
	TRC_BUS_STEP_SLOW,  /* records were written, or the state changed in several places */
};

struct trc_bus_recording {
	struct trc_recorder rec;             /* memory as the processor and the bus see it */
	unsigned isa;                        /* extensions: machine/hart/extensions.h */
	struct trc_bus_writer *bus;          /* the trace */
	const struct trc_translation *block; /* the block that runs */
	uint64_t count; /* instructions begun, including all of the block that runs */
	uint64_t truth; /* the least count at which the next checkpoint is written */
	uint64_t *row;  /* the rows of completed blocks, up to `base` */
	uint64_t *base; /* the rows of the block that runs, up to `end` */
	uint64_t *end;  /* where the rows of the next block go */

	/* What must be handled when the block is left: TRC_CODE_, and the bits above. */
	unsigned special;
	uint64_t handlers; /* a bit for the address, modulo 64, of each handler installed */
	bool started;      /* a block has run */
	bool off;          /* nothing is recorded any more */
	bool in_one_piece; /* blocks translated from now on do atomics in one piece */
	bool shares;       /* there is memory that other processes may write */

	/* The reservation. */
	uint64_t reserved; /* the value that the last load-reserved saw */
	bool lost;         /* the store-conditional sees another value */

	/* The access to memory that other processes write which is noted later. */
	const struct trc_code_place *late; /* NULL: there is none */
	uint64_t late_addr;                /* its address */
	uint64_t before;                   /* what an atomic found there, just before it was done */
	uint64_t operand;                  /* what the atomic was given */
	unsigned patience; /* accesses before blocks have several instructions again */
	uint64_t mapped;   /* bytes of such memory that the last call is to map */

	/* The last system call. */
	int64_t call;      /* its number */
	int64_t result;    /* what it returned */
	bool returned;     /* it returned, and the next block has not begun */
	uint64_t argument; /* a struct sigaction, the frame of rt_sigreturn, or what mremap moves */
	uint64_t length;   /* the bytes that mremap moves */

	/* Threads: capture/bus/turns.h. */
	uint64_t tasks;         /* how many threads had a turn */
	uint64_t task;          /* the thread that has the turn, from 1 */
	bool several;           /* there may be more than one thread */
	bool called;            /* the last turn ended with a system call: */
	uint64_t called_number; /* its number */
	uint64_t called_a0;     /* a0 when it was made */
	ptrdiff_t room;         /* rows that are gathered before they are hashed */
	uint64_t turn;          /* rows of a turn, if the user gave a number; 0 if not */

	uint64_t readable[TRC_BUS_READABLE]; /* a page's number plus 1; 0: none */
	volatile enum trc_bus_step step;
	struct {
		uint64_t rows, hash; /* those of `rec` */
		uint64_t *end;
	} safe;             /* as they were before TRC_BUS_STEP_HASH */
	int fd;             /* the file of the trace */
	struct trc_err err; /* of what fails in any part */
};

/* Hidden, so that callbacks reach it without a look into a table of addresses. */
extern struct trc_bus_recording trc_now __attribute__((visibility("hidden")));

/* Notes what the recorder is about to do, for the process that outlives this one. */
static inline void
trc_bus_enter(enum trc_bus_step step)
{
	atomic_signal_fence(memory_order_seq_cst);
	trc_now.step = step;
	atomic_signal_fence(memory_order_seq_cst);
}

/* Records that this value was stored in memory that other processes may write. */
void trc_bus_put_stored(uint64_t addr, uint32_t len, uint64_t value);

/* Returns what memory has now at an address: `len` is 4 or 8 bytes. */
static inline uint64_t
trc_bus_value_at(uint64_t addr, unsigned len)
{
	const uint8_t *p = trc_now.rec.memory + addr;

	return len == 4 ? trc_le32(p) : trc_le64(p);
}

/* Reports trc_now.err, removes the unfinished trace, and ends the process. */
void trc_bus_give_up(void) __attribute__((noreturn));

/* Writes a record of the trace, at the present count. */
void trc_bus_put_value(enum trc_bus_type type, uint64_t key, uint64_t value);

/* Records x1 to x31 as they are now, and this pc. */
void trc_bus_put_registers(uint64_t pc);

/* Records f0 to f31 and fcsr as they are now. */
void trc_bus_put_floats(void);

/* Puts all rows so far into the hash, and writes a checkpoint if one is due. */
void trc_bus_hash_rows(void);

/* Cuts the current block: only its first `rows` rows and `insns` instructions were executed. */
void trc_bus_cut_block(uint32_t rows, uint32_t insns);

/* Gives up if the block has an instruction that does not decode: it trapped, or is refused. */
void trc_bus_check_known(void);

/* Removes the rows of stores that a store-conditional did not make. */
void trc_bus_close_holes(void);

#endif
