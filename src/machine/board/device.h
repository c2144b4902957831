/* SPDX-License-Identifier: MIT
 *
 * The devices of the board (board.h), to the extent that operating systems use them: the serial
 * line of a 16550, the interrupt controller of SiFive's platform (PLIC, RISC-V Platform-Level
 * Interrupt Controller Specification 1.0.0), and a disk on virtio over memory-mapped registers
 * (Virtual I/O Device 1.1, sections 4.2 and 5.2). Offsets are from the start of a device. Undefined
 * bits of a register read as 0.
 */
#ifndef TRC_MACHINE_BOARD_DEVICE_H
#define TRC_MACHINE_BOARD_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* ---- serial line ---- */

/* A serial line: 16550A, without FIFOs. */
struct trc_uart {
	const uint8_t *input, *input_end; /* what will be typed; the caller's */
	struct trc_buf output;            /* what was printed */
	bool waiting;                     /* a character can be read */
	bool sent; /* the transmitter became empty, which was not acknowledged yet */
	uint8_t enabled, lcr, mcr, scratch, divisor[2];
};

uint8_t trc_uart_load(struct trc_uart *u, unsigned offset);
int trc_uart_store(struct trc_uart *u, unsigned offset, uint8_t value, struct trc_err *err);
bool trc_uart_interrupts(const struct trc_uart *u);

/* Delivers the next character, if there is one and the last one was read. */
void trc_uart_type(struct trc_uart *u);

/* ---- interrupt controller ---- */

enum {
	TRC_PLIC_SOURCES = 32,
	TRC_PLIC_CONTEXTS = 2, /* machine and supervisor mode of the hart */
};

/* The platform-level interrupt controller. */
struct trc_plic {
	uint32_t priority[TRC_PLIC_SOURCES];

	/* Lines as set by the devices; sources claimed and not completed. */
	uint32_t raised, claimed;
	uint32_t enabled[TRC_PLIC_CONTEXTS], threshold[TRC_PLIC_CONTEXTS];
};

uint32_t trc_plic_load(struct trc_plic *p, uint32_t offset);
void trc_plic_store(struct trc_plic *p, uint32_t offset, uint32_t value);
bool trc_plic_interrupts(const struct trc_plic *p, unsigned context);

/* ---- disk ---- */

/* A device's access to memory. */
struct trc_dma {
	int (*read)(struct trc_dma *d, uint64_t addr, void *dst, uint32_t len, struct trc_err *err);
	int (*write)(struct trc_dma *d, uint64_t addr, const void *src, uint32_t len,
	             struct trc_err *err);
};

/* A disk: virtio-blk over MMIO. */
struct trc_disk {
	struct trc_buf *data; /* the caller's, whole sectors of 512 bytes; NULL: no disk */
	struct trc_dma *dma;
	uint32_t status, interrupt, feature_page, queue_size;
	uint64_t descriptors, available, used; /* addresses of the three parts of the queue */
	bool ready;
	uint16_t seen; /* entries of the available ring that were processed */
	bool notified; /* there may be more requests */
};

uint32_t trc_disk_load(const struct trc_disk *d, uint32_t offset);
void trc_disk_store(struct trc_disk *d, uint32_t offset, uint32_t value);

/* Processes one request, if there is one; clears d->notified if there is none. */
int trc_disk_work(struct trc_disk *d, struct trc_err *err) TRC_MUST_USE;

#endif
