/* SPDX-License-Identifier: MIT
 *
 * The state of the plugin that records machines (machine.c), and what it writes.
 */
#ifndef TRC_CAPTURE_MACHINE_STATE_H
#define TRC_CAPTURE_MACHINE_STATE_H

#include "capture/walk.h"
#include "machine/bus/record.h"
#include "machine/hart/decode.h"

#define TRC_MACHINE_RAM UINT64_C(0x80000000) /* start of RAM on all boards so far */

enum { TRC_MACHINE_HARTS = 512 }; /* as many as the board of the emulator can have */

/* The kind of value that an instruction waits for. */
enum trc_machine_waits { TRC_WAITS_FOR_NOTHING, TRC_WAITS_FOR_DEVICE, TRC_WAITS_FOR_CSR };

/* The instruction of a block. */
struct trc_machine_code {
	/* Virtual and physical address, and that of the next page if it crosses into it. */
	uint64_t addr, at, second;
	struct trc_insn insn;
};

/* A hart while others have their turns. */
struct trc_machine_hart {
	uint64_t task;     /* its number: bus.md, "Tasks"; 0: it had no turn */
	uint64_t pc;       /* where it continues */
	uint64_t reserved; /* the value that its last load-reserved saw */
	/* The instruction that continues with its access; NULL: none. */
	const struct trc_machine_code *undone;
};

/* All state: callbacks for accesses have no argument for it, and there is only one machine. */
struct trc_machine_recording {
	struct trc_recorder rec;
	unsigned isa;        /* of the processor (machine/hart/extensions.h) */
	struct trc_out *out; /* until bus takes it over */
	bool text;
	struct trc_bus_writer *bus;
	const uint8_t *ram;
	uint64_t ram_len;
	uint64_t count; /* instructions that have begun */
	uint64_t hash;  /* before the last instruction */
	const struct trc_machine_code *last;
	uint64_t next; /* where the hart goes on unless something happens */
	struct trc_machine_hart hart[TRC_MACHINE_HARTS];
	unsigned harts, runs; /* how many there are, and which one has the turn */
	uint64_t tasks;       /* harts that had a turn */
	uint64_t turn, done;  /* instructions of a turn, and of those that were done */
	struct {
		uint64_t count, pc;
		unsigned hart;
	} before;      /* the last interrupt or turn: when it came, and which hart was where */
	bool accessed; /* the last instruction had an access */
	bool fits;     /* the store-conditional finds the value that was reserved */
	enum trc_machine_waits waits;
	uint64_t wait_for; /* address, or CSR number */
	uint32_t wait_len;
	uint64_t mtvec, stvec, satp;
	bool tables_change; /* the last instruction changed page tables or their registers */
	struct trc_walks_seen walk;
	bool started;
	struct trc_err err;
};

extern struct trc_machine_recording trc_machine;

/* Prints the failure in trc_machine.err, and ends the emulator without a trace. */
void trc_machine_give_up(void) __attribute__((noreturn));

/* Records an event with a key and a value. */
void trc_machine_put_value(enum trc_bus_type type, uint64_t count, uint64_t key, uint64_t value);

/* Records a value that goes to or comes from a device. */
void trc_machine_put_device(enum trc_bus_type type, uint64_t addr, uint32_t len, uint64_t value);

/* Returns a control and status register of the running hart. */
uint64_t trc_machine_csr(unsigned number);

bool trc_machine_is_ram(uint64_t addr);

/* Record that an agent reads memory, or that the hart writes it, unless that is known already. */
void trc_machine_read(uint64_t count, enum trc_bus_agent agent, uint64_t addr, uint32_t len);
void trc_machine_write(uint64_t addr, uint32_t len);

/* Adds an access to the hash of the trace. */
void trc_machine_put_row(uint64_t addr, bool store);

/* Records the walk for an access to physical address `at`. Without translation, a walk leads
 * elsewhere, or nowhere. */
void trc_machine_walk(enum trc_walk_for what, uint64_t addr, uint64_t at);

/* Records all registers but pc, in the order in which a hart lists them. */
void trc_machine_put_registers(uint64_t count);

/* Notes that an interrupt or a turn follows, and the pc of the current hart, unless one was noted
 * since the last instruction. */
void trc_machine_note_event(uint64_t pc);

/* Records hashes of the trace and of the registers, with `pc`, for the replay to compare. */
void trc_machine_put_truth(uint64_t count, uint64_t pc, uint64_t hash);

#endif
