/* SPDX-License-Identifier: MIT
 *
 * The processor: one hart of RV64IMAFDC_Zicsr_Zifencei with machine, supervisor and user mode, Sv39
 * to Sv57 with A and D bits set by the hardware, and precise traps. It is a deterministic machine:
 * its behaviour follows from its state, its memory, and the inputs from the port.
 *
 *  open a memory and a hart, set the state;
 *  until the trace ends:
 * 	apply what is due at h->count: trc_hart_write() for DMA, trc_hart_interrupt();
 * 	trc_hart_run(h, batch, until, err), until the count of what is due next;
 * 	check why it returned.
 *
 * trc_hart_source() runs that loop as a source of rows.
 *
 * The count. h->count is the number of instructions begun whose fetch succeeded. An instruction
 * that traps counts, one that cannot be fetched does not. Within a hook h->pc is the instruction
 * that calls it, and h->count the number of instructions before it.
 *
 * Rows. Each counted instruction is a row of type TRC_FETCH with its address, its size (2 or 4) and
 * its word in `insn`, followed by the rows of its data, TRC_READ before TRC_WRITE, with address and
 * size, and `insn` 0. An access that crosses a page is one row. A store-conditional that fails, and
 * an access that traps, have no rows. TRC_KERNEL is set outside user mode. Addresses are virtual.
 * Page table walks are not rows; they are reported to trc_port.seen(). Columns branch and regs are
 * as annotate.h describes them. A driver fills column task, if there is one.
 *
 * Inputs. A load outside RAM calls trc_port.load(), a store outside RAM trc_port.store(), a read of
 * a counter or of pending interrupts trc_port.csr(). Interrupts are taken only in
 * trc_hart_interrupt(). WFI does nothing, unless TRC_HART_LIVE lets it end the run.
 *
 * Cached translations are kept until the program executes SFENCE.VMA, as in any processor; the
 * cache is not part of the state. trc_hart_flush() empties it. To make two runs equal, one of which
 * begins in the middle of the other, call it at the same count in both.
 *
 * Sources: The RISC-V Instruction Set Manual, volume I (20191213) and II (20211203). Where they
 * leave a choice, the hart does what QEMU 7.2 does: misaligned loads and stores are executed,
 * misaligned atomics trap; SC succeeds if the address is reserved and the memory there has the
 * value that LR read.
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

	TRC_HART_REGISTERS = 145, /* registers that trc_hart_each() lists */

	/* The least room, in rows, of a batch that is given to trc_hart_run(). */
	TRC_HART_ROOM = 512,

	/* Columns of the rows. Optional ones are filled if the batch has them. */
	TRC_HART_HAS = TRC_HAS_TYPE | TRC_HAS_ADDR | TRC_HAS_SIZE,
	TRC_HART_MAY_HAVE = TRC_HART_HAS | TRC_HAS_INSN | TRC_HAS_PC | TRC_HAS_ITIME |
	                    TRC_HAS_BRANCH | TRC_HAS_REGS | TRC_HAS_TASK,
};

/* Causes of traps, as in mcause; those of interrupts have TRC_CAUSE_INTERRUPT set. */
enum {
	TRC_CAUSE_FETCH_MISALIGNED = 0,
	TRC_CAUSE_FETCH_ACCESS = 1,
	TRC_CAUSE_ILLEGAL = 2,
	TRC_CAUSE_BREAKPOINT = 3,
	TRC_CAUSE_LOAD_MISALIGNED = 4,
	TRC_CAUSE_LOAD_ACCESS = 5,
	TRC_CAUSE_STORE_MISALIGNED = 6,
	TRC_CAUSE_STORE_ACCESS = 7,
	TRC_CAUSE_ECALL = 8, /* from user mode; from other modes, this + the mode */
	TRC_CAUSE_FETCH_PAGE = 12,
	TRC_CAUSE_LOAD_PAGE = 13,
	TRC_CAUSE_STORE_PAGE = 15,
	TRC_CAUSE_FORCED = 24, /* not of RISC-V: trc_hart.trap_next */
};
#define TRC_CAUSE_INTERRUPT (UINT64_C(1) << 63)

/* Flags for opening a hart. */
enum {
	/* Run one program in user mode: addresses are not translated, and an ecall or any trap ends
	 * the run. */
	TRC_HART_USER = 1,
	/* End the run when an interrupt in mip is enabled, and at WFI. */
	TRC_HART_LIVE = 2,
	/* Call trc_port.seen() for every access. This is slow, since no translation is cached. */
	TRC_HART_SEEN = 4,
	/* Call trc_port.seen() for walks of page tables, and for fetches after they were made,
	 * unless they were reported before. Runs end where translations change, and
	 * trc_hart_physical() has where the data of a run were. */
	TRC_HART_SHOWN = 8,
	/* From this bit on: the extensions of the hart (extensions.h). */
	TRC_HART_EXTENSIONS = 8,
};

/* Control and status registers in their stored width. sstatus, sie and sip are views of others. */
struct trc_csrs {
	uint64_t mstatus, misa, medeleg, mideleg, mie, mip, mtvec, mcounteren, mscratch, mepc,
	        mcause, mtval, mcountinhibit, menvcfg;
	uint64_t mhpmevent[TRC_EVENTS];
	uint64_t mvendorid, marchid, mimpid, mhartid;
	uint64_t cycles, instrets; /* mcycle and minstret less trc_hart.count */
	uint64_t stvec, scounteren, senvcfg, sscratch, sepc, scause, stval, satp;
	uint8_t pmpcfg[TRC_PMPS];
	uint64_t pmpaddr[TRC_PMPS];
};

enum trc_seen {
	TRC_SEEN_FETCH,
	TRC_SEEN_LOAD,
	TRC_SEEN_STORE,
	TRC_SEEN_WALK_LOAD,  /* the walker reads a page table entry of 8 bytes */
	TRC_SEEN_WALK_STORE, /* the walker sets its A and D bits */
};

struct trc_hart;

/* The connection of a hart to the outside. Embed it as the first member of the struct that the
 * functions need. All but `load` may be NULL: then stores are dropped, and registers have the
 * hart's own values. */
struct trc_port {
	/* A load and a store of 1, 2, 4 or 8 bytes at a physical address outside RAM. They return
	 * 0, 1 for an access fault if nothing is there, or -1 if the run fails with *err. */
	int (*load)(struct trc_port *p, const struct trc_hart *h, uint64_t addr, unsigned size,
	            uint64_t *value, struct trc_err *err);
	int (*store)(struct trc_port *p, const struct trc_hart *h, uint64_t addr, unsigned size,
	             uint64_t value, struct trc_err *err);

	/* A read of cycle, time, instret, mcycle, minstret, mip or sip. *value is the hart's own
	 * value, and may be replaced. Returns -1 if the run fails. */
	int (*csr)(struct trc_port *p, const struct trc_hart *h, unsigned csr, uint64_t *value,
	           struct trc_err *err);

	/* Reports an access to RAM at a physical address, within one page. Called with
	 * TRC_HART_SHOWN, see there, and with TRC_HART_SEEN: then for a load before the value is
	 * read, for a store before it is written. So a cache that is simulated in front of the
	 * memory finds the bytes of its fill there. */
	void (*seen)(struct trc_port *p, const struct trc_hart *h, enum trc_seen what,
	             uint64_t addr, unsigned size);
};

/* The state of a hart: registers, mode and CSRs, and its memory and port. */
struct trc_hart {
	uint64_t x[33]; /* x[0] is always 0; writes to x0 go to x[32] */
	uint64_t f[32]; /* single-precision values are NaN-boxed */
	uint64_t pc, count;
	enum trc_mode mode;
	uint8_t fflags, frm; /* fcsr */
	bool reserved;       /* by LR; the virtual address and the value that it read follow */
	uint64_t reservation, reserved_value;
	struct trc_csrs csr;

	struct trc_memory *mem;
	struct trc_port *port;
	unsigned flags; /* TRC_HART_ */

	/* With TRC_HART_USER: the last trap. */
	uint64_t cause, tval;

	/* With TRC_HART_USER: the next instruction, whatever it is, traps when it is fetched, with
	 * TRC_CAUSE_FORCED, and clears this. */
	bool trap_next;
};

/* Opens a hart in its reset state: machine mode with pc 0x1000, or user mode with TRC_HART_USER.
 * `mem` and `port` stay the caller's and must outlive it. Returns NULL on failure. */
struct trc_hart *trc_hart_open(struct trc_memory *mem, struct trc_port *port, unsigned flags,
                               struct trc_err *err) TRC_MUST_USE;
void trc_hart_close(struct trc_hart *h);

enum trc_run_end {
	TRC_RUN_FAILED = -1, /* a hook or memory failed, see *err; the rows so far are valid */
	TRC_RUN_UNTIL,       /* h->count reached the caller's limit */
	TRC_RUN_ROOM,        /* the batch is full, or nearly full */
	TRC_RUN_ECALL,       /* user: an ecall was counted; pc is after it, its result is missing */
	TRC_RUN_TRAP,      /* user: another trap, see h->cause and h->tval; pc is its instruction */
	TRC_RUN_INTERRUPT, /* live: trc_hart_pending() returns which */
	TRC_RUN_WFI,       /* live: pc is after it */
};

/* Runs until h->count is `until`, and appends the rows to `b`, or drops them if `b` is NULL. The
 * state in *h may be changed between runs. After a change of satp, mode, PMP or a bit of mstatus
 * that affects translation, or after trc_memory_write(), call trc_hart_flush(). */
enum trc_run_end trc_hart_run(struct trc_hart *h, struct trc_batch *b, uint64_t until,
                              struct trc_err *err) TRC_MUST_USE;

/* Takes an interrupt, given its number, before the next instruction. */
void trc_hart_interrupt(struct trc_hart *h, unsigned cause);

/* Returns the interrupt that the hart would take now according to mip, mie, mstatus and mideleg, or
 * -1. */
int trc_hart_pending(const struct trc_hart *h);

/* Writes RAM from outside, as DMA does, and drops decoded instructions of these bytes. */
int trc_hart_write(struct trc_hart *h, uint64_t addr, const void *src, size_t len,
                   struct trc_err *err) TRC_MUST_USE;

/* Drops cached translations and decoded instructions. Call it after clearing trc_page.dirty, so
 * that the next store to the page sets it again. */
void trc_hart_flush(struct trc_hart *h);

/* Drops cached translations only, when the registers become those of another hart. */
void trc_hart_forget(struct trc_hart *h);

/* Registers by number, to save and restore a state: x is 0 to 31, f 32 to 63, then these; a CSR is
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

/* Iterates over the registers that make up the state, in rising order: *reg is the last register,
 * -1 at first. Returns false after the last one. */
bool trc_hart_each(const struct trc_hart *h, int *reg, uint64_t *value);

/* Sets one register; call trc_hart_flush() when all are set. Fails if there is no register of that
 * number, or it cannot hold the value. */
int trc_hart_set(struct trc_hart *h, int reg, uint64_t value, struct trc_err *err) TRC_MUST_USE;

/* With TRC_HART_SHOWN, after a run: which translation the run had, for comparing; and the physical
 * address of data that it accessed at a virtual one, false if that is not in RAM. After
 * trc_hart_doubtful() these may be wrong, since page tables changed and nothing was flushed. */
uint64_t trc_hart_translation(const struct trc_hart *h);
bool trc_hart_physical(const struct trc_hart *h, uint64_t va, uint64_t *pa);
bool trc_hart_doubtful(const struct trc_hart *h);

/* Writes the name of a register to `dst`, which has room for 32 bytes; returns dst. */
char *trc_hart_name(int reg, char *dst);

/* A driver decides what happens between runs of a hart. Embed it as the first member of the struct
 * that the functions need. */
struct trc_driver {
	/* Called first with TRC_RUN_UNTIL or TRC_RUN_INTERRUPT, and then after each run with its
	 * outcome, except TRC_RUN_ROOM. Applies what is due at h->count. Returns TRC_FLOW_ROWS with
	 * the count to run to in *until, or TRC_FLOW_END when the trace is over. */
	enum trc_flow (*due)(struct trc_driver *d, struct trc_hart *h, enum trc_run_end why,
	                     uint64_t *until, struct trc_err *err);

	/* Called after each run, including a failed one, with its rows: those of `b` from index
	 * `from` on. It may remove rows by setting b->n, and may prefix the message in *err. NULL:
	 * not called. */
	void (*ran)(struct trc_driver *d, struct trc_hart *h, enum trc_run_end why,
	            struct trc_batch *b, size_t from, struct trc_err *err);
	void (*close)(struct trc_driver *d);
};

/* Makes a source of the rows of a hart under a driver, with the columns `have` (TRC_HART_HAS and
 * more of TRC_HART_MAY_HAVE). Takes over the driver, which closes the hart if necessary. skip()
 * runs at the speed of next(). */
struct trc_source *trc_hart_source(struct trc_hart *h, uint32_t have, struct trc_driver *d,
                                   struct trc_err *err) TRC_MUST_USE;

#endif
