/* SPDX-License-Identifier: MIT
 *
 * The serial line of a 16550, without its FIFOs.
 */
#include "machine/board/device.h"

enum {
	DATA = 0, /* and the divisor while LCR_DIVISOR is set */
	IER = 1,
	IIR = 2,
	LCR = 3,
	MCR = 4,
	LSR = 5,
	MSR = 6,
	SCRATCH = 7,

	IER_READ = 1,
	IER_SENT = 2,
	IIR_NONE = 1,
	IIR_SENT = 2,
	IIR_READ = 4,
	LCR_DIVISOR = 0x80,
	LSR_READ = 1,
	LSR_SENT = 0x60,
	MSR_THERE = 0xb0, /* carrier, ready, clear to send */
};

void
trc_uart_type(struct trc_uart *u)
{
	u->waiting |= u->input != u->input_end;
}

bool
trc_uart_interrupts(const struct trc_uart *u)
{
	return (u->waiting && u->enabled & IER_READ) || (u->sent && u->enabled & IER_SENT);
}

static uint8_t
identify(struct trc_uart *u)
{
	if (u->waiting && u->enabled & IER_READ)
		return IIR_READ;
	if (!(u->sent && u->enabled & IER_SENT))
		return IIR_NONE;
	u->sent = false;
	return IIR_SENT;
}

uint8_t
trc_uart_load(struct trc_uart *u, unsigned offset)
{
	const bool divisor = u->lcr & LCR_DIVISOR;

	switch (offset) {
	case DATA:
		if (divisor)
			return u->divisor[0];
		if (!u->waiting)
			return 0;
		u->waiting = false;
		return *u->input++;
	case IER: return divisor ? u->divisor[1] : u->enabled;
	case IIR: return identify(u);
	case LCR: return u->lcr;
	case MCR: return u->mcr;
	case LSR: return (uint8_t)(LSR_SENT | (u->waiting ? LSR_READ : 0));
	case MSR: return MSR_THERE;
	case SCRATCH: return u->scratch;
	default: return 0;
	}
}

int
trc_uart_store(struct trc_uart *u, unsigned offset, uint8_t value, struct trc_err *err)
{
	const bool divisor = u->lcr & LCR_DIVISOR;

	switch (offset) {
	case DATA:
		if (divisor) {
			u->divisor[0] = value;
			return 0;
		}
		u->sent = true;
		return trc_buf_put(&u->output, &value, 1, err);
	case IER:
		if (divisor) {
			u->divisor[1] = value;
			return 0;
		}
		u->sent |= value & ~u->enabled & IER_SENT; /* the transmitter is empty now */
		u->enabled = value & 15;
		return 0;
	case LCR: u->lcr = value; return 0;
	case MCR: u->mcr = value & 31; return 0;
	case SCRATCH: u->scratch = value; return 0;
	default: return 0;
	}
}
