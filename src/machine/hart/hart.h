/* SPDX-License-Identifier: MIT
 *
 * The processor: one hart of RV64IMAFDC_Zicsr_Zifencei with machine, supervisor and user mode, Sv39
 * with A and D bits kept by the hardware, and precise traps. A deterministic machine: what it does
 * follows from its state, its memory, and what comes in through the port.
 *
 *	open a memory and a hart, set the state;
 *	until the trace ends:
 *		apply what is due at h->count: trc_hart_write() for DMA, trc_hart_interrupt();
 *		trc_hart_run(h, batch, until, err), until the count of what is due next;
 *		look at why it came back.
 *
 * trc_hart_source() has that loop as a source of rows.
 *
 * The count. h->count is the number of instructions begun whose fetch succeeded. An instruction
 * that traps counts, one that cannot be fetched does not. Within a hook h->pc is the instruction
 * that calls it, and h->count the number of those before it.
 *
 * Rows. Each counted instruction is a row of type TRC_FETCH with its address, its size (2 or 4) and
 * its word in `insn`; behind it the rows of its data, TRC_READ before TRC_WRITE, with address and
 * size, `insn` 0. An access that crosses a page is one row. A store-conditional that fails, and an
 * access that traps, have none. TRC_KERNEL is set outside user mode. Addresses are virtual. The
 * walks of page tables are no rows; trc_port.seen() is called for them. Columns branch and regs are
 * as annotate.h has them; a driver fills the column task, if there is one.
 *
 * Inputs. A load outside RAM calls trc_port.load(), a store outside RAM trc_port.store(), a read of
 * a counter or of pending interrupts trc_port.csr(). Interrupts are taken by trc_hart_interrupt()
 * alone. WFI does nothing, unless TRC_HART_LIVE lets it end the run.
 *
 * Translations are kept until the program executes SFENCE.VMA, as in any processor; what is kept is
 * not part of the state. trc_hart_flush() forgets all; a run that is to be equal to one that began
 * in the middle calls it at the same count.
 *
 * Sources: The RISC-V Instruction Set Manual, volume I (20191213) and II (20211203). Where they
 * leave a choice, as QEMU 7.2 does: misaligned loads and stores are carried out, those of atomics
 * trap; SC succeeds if the address is reserved and the memory there has the value that LR saw.
 */
#ifndef TRC_MACHINE_HART_HART_H
#define TRC_MACHINE_HART_HART_H

#include <stdbool.h>
#include <stdint.h>

#include "batch/flow.h"
#include "machine/hart/memory.h"

enum trc_mode { TRC_MODE_USER = 0, TRC_MODE_SUPERVISOR = 1, TRC_MODE_MACHINE = 3 };

enum {
	TRC_PMPS = 16,   /* entries of physical memory protection */
	TRC_EVENTS = 29, /* mhpmevent3 to 31 */

	/* A batch that is given to trc_hart_run() has room for this many rows at least. */
	TRC_HART_ROOM = 512,

	/* Columns of the rows. The optional ones are filled if the batch has them. */
	TRC_HART_HAS = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE | TRC_HAS_INSN,
	TRC_HART_MAY_HAVE = TRC_HART_HAS | TRC_HAS_PC | TRC_HAS_ITIME | TRC_HAS_BRANCH |
	                    TRC_HAS_REGS | TRC_HAS_TASK,
};

/* Causes of traps, as in mcause; interrupts have TRC_CAUSE_INTERRUPT set. */
enum {
	TRC_CAUSE_FETCH_MISALIGNED = 0,
	TRC_CAUSE_FETCH_ACCESS = 1,
	TRC_CAUSE_ILLEGAL = 2,
	TRC_CAUSE_BREAKPOINT = 3,
	TRC_CAUSE_LOAD_MISALIGNED = 4,
	TRC_CAUSE_LOAD_ACCESS = 5,
	TRC_CAUSE_STORE_MISALIGNED = 6,
	TRC_CAUSE_STORE_ACCESS = 7,
	TRC_CAUSE_ECALL = 8, /* from user mode; + the mode from others */
	TRC_CAUSE_FETCH_PAGE = 12,
	TRC_CAUSE_LOAD_PAGE = 13,
	TRC_CAUSE_STORE_PAGE = 15,
	TRC_CAUSE_FORCED = 24, /* ours: trc_hart.trap_next */
};
#define TRC_CAUSE_INTERRUPT (UINT64_C(1) << 63)

/* What may be set when a hart is opened. */
enum {
	/* A program of user mode is all there is: addresses are not translated, ecall and every
	 * trap end the run. */
	TRC_HART_USER = 1,
	/* The run ends when an interrupt in mip is enabled, and at WFI. */
	TRC_HART_LIVE = 2,
	/* trc_port.seen() is called for every access. Slow, since no translation is kept. */
	TRC_HART_SEEN = 4,
	/* From this bit on: the extensions that it has (extensions.h). */
	TRC_HART_EXTENSIONS = 8,
};

/* Control and status registers, as wide as they are stored. sstatus, sie and sip are views. */
struct trc_csrs {
	uint64_t mstatus, misa, medeleg, mideleg, mie, mip, mtvec, mcounteren, mscratch, mepc,
	        mcause, mtval, mcountinhibit, menvcfg;
	uint64_t mhpmevent[TRC_EVENTS];
	uint64_t mvendorid, marchid, mimpid, mhartid;
	uint64_t cycles, instrets; /* mcycle and minstret beyond trc_hart.count */
	uint64_t stvec, scounteren, senvcfg, sscratch, sepc, scause, stval, satp;
	uint8_t pmpcfg[TRC_PMPS];
	uint64_t pmpaddr[TRC_PMPS];
};

enum trc_seen {
	TRC_SEEN_FETCH,
	TRC_SEEN_LOAD,
	TRC_SEEN_STORE,
	TRC_SEEN_WALK_LOAD,  /* of a page table entry by the walker, 8 bytes */
	TRC_SEEN_WALK_STORE, /* of its A and D bits */
};

struct trc_hart;

/* What comes from outside, and goes there. Embed it as the first member of what the functions need.
 * All but `load` may be NULL; then stores are dropped and registers have the hart's own values. */
struct trc_port {
	/* A load, and a store, of 1, 2, 4 or 8 bytes at a physical address outside RAM. 1: nothing
	 * is there, an access fault. -1: the run fails with *err. */
	int (*load)(struct trc_port *p, const struct trc_hart *h, uint64_t addr, unsigned size,
	            uint64_t *value, struct trc_err *err);
	int (*store)(struct trc_port *p, const struct trc_hart *h, uint64_t addr, unsigned size,
	             uint64_t value, struct trc_err *err);

	/* A read of cycle, time, instret, mcycle, minstret, mip or sip; *value is the hart's own.
	 * -1: the run fails. */
	int (*csr)(struct trc_port *p, const struct trc_hart *h, unsigned csr, uint64_t *value,
	           struct trc_err *err);

	/* An access to RAM at a physical address, of bytes of one page. Called only under
	 * TRC_HART_SEEN, for loads before the value is taken, for stores before it is there, so
	 * that a cache in front of the memory finds there the bytes of its fill. */
	void (*seen)(struct trc_port *p, const struct trc_hart *h, enum trc_seen what,
	             uint64_t addr, unsigned size);
};

/* The state of a hart: registers, mode, CSRs, and what it runs on. */
struct trc_hart {
	uint64_t x[33]; /* x[0] is 0; x[32] is where writes to it go */
	uint64_t f[32]; /* narrower values are boxed */
	uint64_t pc, count;
	enum trc_mode mode;
	uint8_t fflags, frm; /* fcsr */
	bool reserved;       /* by LR, with the virtual address and the value it saw: */
	uint64_t reservation, reserved_value;
	struct trc_csrs csr;

	struct trc_memory *mem;
	struct trc_port *port;
	unsigned flags; /* TRC_HART_ */

	/* The last trap under TRC_HART_USER. */
	uint64_t cause, tval;

	/* Under TRC_HART_USER: the next instruction traps when it is fetched, whatever it is, with
	 * TRC_CAUSE_FORCED, which clears this. */
	bool trap_next;
};

/* A hart as after reset: machine mode, pc 0x1000, or user mode under TRC_HART_USER. `mem` and
 * `port` stay the caller's and outlive it; NULL on failure. */
struct trc_hart *trc_hart_open(struct trc_memory *mem, struct trc_port *port, unsigned flags,
                               struct trc_err *err) TRC_MUST_USE;
void trc_hart_close(struct trc_hart *h);

enum trc_run {
	TRC_RUN_FAILED = -1, /* a hook or memory, see *err; the rows so far are valid */
	TRC_RUN_UNTIL,       /* h->count is what the caller set */
	TRC_RUN_ROOM,        /* the batch is full, or nearly */
	TRC_RUN_ECALL,       /* user: an ecall counted, pc is behind it, its result missing */
	TRC_RUN_TRAP,        /* user: another trap, h->cause and h->tval; pc is the instruction */
	TRC_RUN_INTERRUPT,   /* live: trc_hart_pending() has which */
	TRC_RUN_WFI,         /* live: pc is behind it */
};

/* Runs until h->count is `until` and appends the rows to `b`, or drops them if `b` is NULL. The
 * state in *h may be changed between runs; after satp, mode, PMP or a bit of mstatus that
 * translation depends on was, trc_hart_flush() has to be called, as after trc_memory_write(). */
enum trc_run trc_hart_run(struct trc_hart *h, struct trc_batch *b, uint64_t until,
                          struct trc_err *err) TRC_MUST_USE;

/* Takes the trap of an interrupt, given its number, before the next instruction. */
void trc_hart_interrupt(struct trc_hart *h, unsigned cause);

/* The interrupt that the hart would take now by mip, mie, mstatus and mideleg, or -1. */
int trc_hart_pending(const struct trc_hart *h);

/* Writes RAM from outside, as DMA does. */
int trc_hart_write(struct trc_hart *h, uint64_t addr, const void *src, size_t len,
                   struct trc_err *err) TRC_MUST_USE;

/* Forgets translations and decoded instructions. After trc_page.dirty was cleared this must be
 * called, so that the next store to the page sets it again. */
void trc_hart_flush(struct trc_hart *h);

/* Registers by number, for code that stores a state: x is 0 to 31, f 32 to 63, then these; a CSR is
 * TRC_REG_CSR + its number. */
enum {
	TRC_REG_X = 0,
	TRC_REG_F = 32,
	TRC_REG_PC = 64,
	TRC_REG_MODE,
	TRC_REG_RESERVED, /* 0 or 1 */
	TRC_REG_RESERVATION,
	TRC_REG_RESERVED_VALUE,
	TRC_REG_CSR = 0x1000,
};

/* Calls for all registers that make up the state in rising order: *reg is the last one, or -1 to
 * begin; false after the last. */
bool trc_hart_each(const struct trc_hart *h, int *reg, uint64_t *value);

/* Sets one register; trc_hart_flush() has to follow when all are set. Fails if there is no register
 * of that number, or it cannot hold the value. */
int trc_hart_set(struct trc_hart *h, int reg, uint64_t value, struct trc_err *err) TRC_MUST_USE;

/* Writes the name of a register into `dst`, which has room for 32 bytes; returns dst. */
char *trc_hart_name(int reg, char *dst);

/* What happens between runs. Embed it as the first member of what the functions need. */
struct trc_driver {
	/* Called first with TRC_RUN_UNTIL or TRC_RUN_INTERRUPT, then after each run with its
	 * outcome, but for TRC_RUN_ROOM: applies what is due at h->count, and returns TRC_FLOW_ROWS
	 * with how far to go in *until, or TRC_FLOW_END when the trace is over. */
	enum trc_flow (*due)(struct trc_driver *d, struct trc_hart *h, enum trc_run why,
	                     uint64_t *until, struct trc_err *err);

	/* Called after each run, the failed too, with its rows, those of `b` from `from` on, which
	 * it may take out again by setting b->n; may put words in front of the message in *err.
	 * NULL: not called. */
	void (*ran)(struct trc_driver *d, struct trc_hart *h, enum trc_run why, struct trc_batch *b,
	            size_t from, struct trc_err *err);
	void (*close)(struct trc_driver *d);
};

/* The rows of a hart under a driver, with the columns `have` (TRC_HART_HAS and more of
 * TRC_HART_MAY_HAVE). Takes over the driver, which closes the hart if it is to be closed. skip()
 * skips rows at the speed of running. */
struct trc_source *trc_hart_source(struct trc_hart *h, uint32_t have, struct trc_driver *d,
                                   struct trc_err *err) TRC_MUST_USE;

#endif
