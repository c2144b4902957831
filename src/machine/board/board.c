/* SPDX-License-Identifier: MIT */
#include "machine/board/board.h"

#include "machine/bus/truth.h"

enum {
	FINISHER = 0x100000,
	FINISHER_PASS = 0x5555,
	FINISHER_FAIL = 0x3333,
	CLINT = 0x2000000,
	CLINT_LEN = 0x10000,
	CLINT_COMPARE = 0x4000,
	CLINT_TIME = 0xbff8,
	PLIC = 0xc000000,
	PLIC_LEN = 0x600000,
	UART = 0x10000000,
	UART_LEN = 0x100,
	DISK = 0x10001000,
	DISK_LEN = 0x1000,
	DISK_SLOTS = 8,
	IO_END = 0x20000000,
	SOURCE_DISK = 1,
	SOURCE_UART = 10,

	PER_TICK = 2,          /* instructions in 100 ns */
	TYPE_EVERY = 20000,    /* ticks between two characters, on average */
	DISK_TAKES = 1000,     /* ticks for a request, on average */
	CHECK_EVERY = 1 << 14, /* most instructions between two checks of the time */
	TRUTH_EVERY = 1 << 20,

	MIP_SOFTWARE = 1 << 3,
	MIP_TIMER = 1 << 7,
	MIP_SUPERVISOR = 1 << 9,
	MIP_MACHINE = 1 << 11,
	CSR_MIP = 0x344,
};
#define RAM UINT64_C(0x80000000)

/* The machine: hart, memory, devices, and the cache between it and the recorded bus. */
struct board {
	struct trc_port port;
	struct trc_dma dma;
	const struct trc_board_how *how;
	struct trc_board_report *report;
	struct trc_memory mem;
	struct trc_hart *h;
	struct trc_bus_cache cache;
	struct trc_bus_writer *bus;
	struct trc_shadow shown; /* the contents of memory that the bus has shown */
	struct trc_err err;      /* the first failure in a function that cannot return it */

	struct trc_uart uart;
	struct trc_plic plic;
	struct trc_disk disk;
	uint64_t waited, compare; /* ticks that passed while waiting; when the timer interrupts */

	/* Times in ticks of the next character and of the next request. */
	uint64_t type_at, disk_at;
	bool software;
	uint64_t random;
	bool fetched; /* the current instruction was fetched */
	uint64_t fetched_count;
	uint64_t last; /* count of the last record */
	uint64_t hash, rows;
};

static struct board *
of_port(struct trc_port *p)
{
	return (struct board *)(void *)p;
}

static struct board *
of_dma(struct trc_dma *d)
{
	return (struct board *)(void *)((char *)d - offsetof(struct board, dma));
}

/* Xorshift64: the delays of devices look random, and are the same in each run. */
static uint64_t
random_below(struct board *b, uint64_t n)
{
	b->random ^= b->random << 13;
	b->random ^= b->random >> 7;
	b->random ^= b->random << 17;
	return b->random % n;
}

static uint64_t
ticks(const struct board *b)
{
	return b->h->count / PER_TICK + b->waited;
}

static int
put(struct board *b, const struct trc_bus_record *r, struct trc_err *err)
{
	b->last = r->count;
	return trc_bus_put(b->bus, r, err);
}

/* ---- devices ---- */

/* Sets the interrupt lines from the states of the devices. */
static void
raise_lines(struct board *b)
{
	uint64_t *mip = &b->h->csr.mip;

	b->plic.raised = (uint32_t)trc_uart_interrupts(&b->uart) << SOURCE_UART |
	                 (uint32_t)(b->disk.interrupt != 0) << SOURCE_DISK;
	*mip &= ~(uint64_t)(MIP_SOFTWARE | MIP_TIMER | MIP_SUPERVISOR | MIP_MACHINE);
	*mip |= b->software ? MIP_SOFTWARE : 0;
	*mip |= ticks(b) >= b->compare ? MIP_TIMER : 0;
	*mip |= trc_plic_interrupts(&b->plic, 0) ? MIP_MACHINE : 0;
	*mip |= trc_plic_interrupts(&b->plic, 1) ? MIP_SUPERVISOR : 0;
}

static bool
within(uint64_t addr, uint64_t start, uint64_t len)
{
	return addr - start < len;
}

/* Returns part of a register of 8 bytes. */
static uint64_t
part_of(uint64_t value, uint64_t offset, unsigned size)
{
	value >>= 8 * offset;
	return size == 8 ? value : value & ((UINT64_C(1) << 8 * size) - 1);
}

static void
set_part(uint64_t *to, uint64_t offset, unsigned size, uint64_t value)
{
	const uint64_t mask = (size == 8 ? 0 : UINT64_C(1) << 8 * size) - 1;

	*to = (*to & ~(mask << 8 * offset)) | (value & mask) << 8 * offset;
}

static uint64_t
load_clint(const struct board *b, uint64_t offset, unsigned size)
{
	if (offset < 4)
		return b->software;
	if (within(offset, CLINT_COMPARE, 8))
		return part_of(b->compare, offset - CLINT_COMPARE, size);
	if (within(offset, CLINT_TIME, 8))
		return part_of(ticks(b), offset - CLINT_TIME, size);
	return 0;
}

static uint64_t
load_device(struct board *b, uint64_t addr, unsigned size)
{
	static const struct trc_disk nothing;

	if (within(addr, CLINT, CLINT_LEN))
		return load_clint(b, addr - CLINT, size);
	if (within(addr, PLIC, PLIC_LEN))
		return trc_plic_load(&b->plic, (uint32_t)(addr - PLIC));
	if (within(addr, UART, UART_LEN))
		return trc_uart_load(&b->uart, (unsigned)(addr - UART));
	if (within(addr, DISK, DISK_LEN))
		return trc_disk_load(&b->disk, (uint32_t)(addr - DISK));
	if (within(addr, DISK, DISK_SLOTS * DISK_LEN))
		return trc_disk_load(&nothing, (uint32_t)(addr - DISK) % DISK_LEN);
	return 0;
}

/* Schedules the next request of the disk, if it was notified and is idle. */
static void
start_disk(struct board *b)
{
	if (b->disk.notified && b->disk_at == UINT64_MAX)
		b->disk_at = ticks(b) + DISK_TAKES + random_below(b, DISK_TAKES);
}

static int
store_device(struct board *b, uint64_t addr, unsigned size, uint64_t value, struct trc_err *err)
{
	if (within(addr, FINISHER, 4)) {
		b->report->finished |= (value & 0xffff) == FINISHER_PASS ||
		                       (value & 0xffff) == FINISHER_FAIL;
		b->report->code = (uint32_t)value;
	} else if (within(addr, CLINT, 4)) {
		b->software = value & 1;
	} else if (within(addr, CLINT + CLINT_COMPARE, 8)) {
		set_part(&b->compare, addr - CLINT - CLINT_COMPARE, size, value);
	} else if (within(addr, PLIC, PLIC_LEN)) {
		trc_plic_store(&b->plic, (uint32_t)(addr - PLIC), (uint32_t)value);
	} else if (within(addr, UART, UART_LEN)) {
		return trc_uart_store(&b->uart, (unsigned)(addr - UART), (uint8_t)value, err);
	} else if (within(addr, DISK, DISK_LEN) && b->how->disk) {
		trc_disk_store(&b->disk, (uint32_t)(addr - DISK), (uint32_t)value);
		start_disk(b);
	}
	return 0;
}

static int
dma_read(struct trc_dma *d, uint64_t addr, void *dst, uint32_t len, struct trc_err *err)
{
	struct board *b = of_dma(d);

	if (trc_bus_cache_snoop(&b->cache, b->h->count, addr, len, false, err))
		return -1;
	trc_memory_read(&b->mem, addr, dst, len);
	return 0;
}

static int
dma_write(struct trc_dma *d, uint64_t addr, const void *src, uint32_t len, struct trc_err *err)
{
	struct board *b = of_dma(d);

	if (len &&
	    (!trc_memory_is_ram(&b->mem, addr) || !trc_memory_is_ram(&b->mem, addr + len - 1)))
		return trc_fail(err,
		                "the disk was asked to write %u bytes to %llx, which is not RAM",
		                (unsigned)len, (unsigned long long)addr);
	if (trc_bus_cache_snoop(&b->cache, b->h->count, addr, len, true, err))
		return -1;
	return trc_hart_write(b->h, addr, src, len, err);
}

/* ---- callbacks of the hart ---- */

static int
port_load(struct trc_port *port, const struct trc_hart *h, uint64_t addr, unsigned size,
          uint64_t *value, struct trc_err *err)
{
	struct board *b = of_port(port);
	uint8_t data[8];
	const struct trc_bus_record r = { TRC_BUS_INPUT, h->count + 1, 0, 0, addr, data, size };

	if (addr >= IO_END)
		return 1;
	*value = load_device(b, addr, size);
	trc_put_le64(data, *value);
	raise_lines(b);
	return put(b, &r, err);
}

static int
port_store(struct trc_port *port, const struct trc_hart *h, uint64_t addr, unsigned size,
           uint64_t value, struct trc_err *err)
{
	struct board *b = of_port(port);
	uint8_t data[8];
	const struct trc_bus_record r = { TRC_BUS_OUTPUT, h->count + 1, 0, 0, addr, data, size };

	if (addr >= IO_END)
		return 1;
	trc_put_le64(data, value);
	if (put(b, &r, err) || store_device(b, addr, size, value, err))
		return -1;
	raise_lines(b);
	return 0;
}

static int
port_csr(struct trc_port *port, const struct trc_hart *h, unsigned csr, uint64_t *value,
         struct trc_err *err)
{
	struct board *b = of_port(port);
	struct trc_bus_record r = { TRC_BUS_CSR, h->count + 1, csr, 0, 0, NULL, 0 };

	if (csr == 0xc01) /* time */
		*value = ticks(b);
	r.value = *value;
	return put(b, &r, err);
}

static void
port_seen(struct trc_port *port, const struct trc_hart *h, enum trc_seen what, uint64_t addr,
          unsigned size)
{
	struct board *b = of_port(port);
	const bool store = what == TRC_SEEN_STORE || what == TRC_SEEN_WALK_STORE;
	const bool walk = what == TRC_SEEN_WALK_LOAD || what == TRC_SEEN_WALK_STORE;
	enum trc_bus_agent agent;
	bool begun;

	if (b->err.code)
		return;
	if (what == TRC_SEEN_LOAD || what == TRC_SEEN_STORE) {
		b->fetched = true;
		b->fetched_count = h->count;
	}
	begun = (b->fetched && b->fetched_count == h->count) || b->last > h->count;
	agent = walk  ? begun ? TRC_BUS_WALK_DATA : TRC_BUS_WALK_FETCH :
	        begun ? TRC_BUS_DATA :
	                TRC_BUS_FETCH;
	if (trc_bus_cache_access(&b->cache, h->count + begun, agent, addr, size, store, &b->err))
		return;
	b->last = h->count + begun > b->last ? h->count + begun : b->last;
}

/* ---- running ---- */

/* Performs what is due now. */
static int
work(struct board *b, struct trc_err *err)
{
	if (ticks(b) >= b->type_at) {
		trc_uart_type(&b->uart);
		b->type_at = ticks(b) + TYPE_EVERY + random_below(b, TYPE_EVERY);
	}
	if (ticks(b) >= b->disk_at) {
		if (trc_disk_work(&b->disk, err))
			return -1;
		b->disk_at = UINT64_MAX;
		start_disk(b);
	}
	raise_lines(b);
	return 0;
}

/* Returns the time in ticks of the next event. */
static uint64_t
next_tick(const struct board *b)
{
	uint64_t next = b->compare;

	next = b->disk_at < next ? b->disk_at : next;
	return b->type_at < next && b->uart.input != b->uart.input_end ? b->type_at : next;
}

static int
take_interrupts(struct board *b, struct trc_err *err)
{
	int cause;

	while ((cause = trc_hart_pending(b->h)) >= 0) {
		const struct trc_bus_record r = {
			TRC_BUS_INTERRUPT, b->h->count, (uint64_t)cause, b->h->pc, 0, NULL, 0
		};

		if (put(b, &r, err))
			return -1;
		trc_hart_interrupt(b->h, (unsigned)cause);
		b->report->interrupts++;
	}
	return 0;
}

/* Returns how far to run before the next check. */
static uint64_t
run_until(const struct board *b)
{
	const uint64_t now = b->h->count, tick = ticks(b), next = next_tick(b);
	const uint64_t truth = (now / TRUTH_EVERY + 1) * TRUTH_EVERY;
	uint64_t until = now + CHECK_EVERY;

	if (next > tick && next - tick < CHECK_EVERY / PER_TICK)
		until = now + (next - tick) * PER_TICK;
	until = truth < until ? truth : until;
	return b->how->limit && b->how->limit < until ? b->how->limit : until;
}

static int
put_truth(struct board *b, struct trc_err *err)
{
	const struct trc_bus_record r = {
		TRC_BUS_TRUTH, b->h->count, b->hash, trc_truth_registers(b->h), 0, NULL, 0
	};

	return put(b, &r, err);
}

static int
run(struct board *b, struct trc_batch *rows, struct trc_err *err)
{
	struct trc_watch *count = b->how->count;

	while (!b->report->finished && !(b->how->limit && b->h->count >= b->how->limit)) {
		const uint64_t before = b->h->count;
		enum trc_run_end why;

		if (work(b, err) || take_interrupts(b, err))
			return -1;
		rows->n = 0;
		why = trc_hart_run(b->h, rows, run_until(b), err);
		b->hash += trc_truth_rows(rows, 0, &b->rows);
		if (count && count->batch(count, b->h->count - before, err))
			return -1;
		if (b->err.code)
			*err = b->err;
		if (why == TRC_RUN_FAILED || b->err.code)
			return -1;
		if (why == TRC_RUN_WFI && !b->report->finished && trc_hart_pending(b->h) < 0 &&
		    next_tick(b) > ticks(b)) {
			if (next_tick(b) == UINT64_MAX)
				return trc_fail(err,
				                "the machine waits for an interrupt that nothing "
				                "will raise, after %llu instructions",
				                (unsigned long long)b->h->count);
			b->waited += next_tick(b) - ticks(b);
		}
		if (b->h->count % TRUTH_EVERY == 0 && put_truth(b, err))
			return -1;
	}
	return 0;
}

static int
put_state(struct board *b, struct trc_err *err)
{
	struct trc_bus_record r = { .type = TRC_BUS_STATE, .count = b->h->count };
	int reg = -1;

	while (trc_hart_each(b->h, &reg, &r.value)) {
		r.key = (uint64_t)reg;
		if (r.key != TRC_REG_CSR + CSR_MIP && put(b, &r, err))
			return -1;
	}
	return 0;
}

/* ---- all of it ---- */

static int
record(struct board *b, struct trc_err *err)
{
	const struct trc_bus_record start = { .type = TRC_BUS_START };
	struct trc_bus_record end = { .type = TRC_BUS_END };
	struct trc_batch rows = { 0 };
	int ret = -1;

	if (trc_boot(b->h, &b->how->boot, err) || put_state(b, err) || put(b, &start, err) ||
	    trc_batch_init(&rows, TRC_HART_HAS, 1 << 16, err))
		return -1;
	if (run(b, &rows, err) == 0 && put_truth(b, err) == 0 &&
	    trc_bus_cache_flush(&b->cache, b->h->count, err) == 0 && put_state(b, err) == 0) {
		end.count = b->h->count;
		end.value = trc_shadow_digest(&b->shown);
		ret = put(b, &end, err);
	}
	trc_batch_release(&rows);
	return ret ? ret : trc_bus_commit(b->bus, err);
}

static int
set_up(struct board *b, const struct trc_board_how *how, struct trc_out *out, bool text,
       struct trc_err *err)
{
	const struct trc_bus_head head = { .isa = "rv64imafdc",
		                           .line = how->line,
		                           .ram = { { RAM, how->ram } },
		                           .rams = 1,
		                           .io = { { 0, IO_END } },
		                           .ios = 1 };

	if (how->ram == 0 || how->ram % TRC_GUEST_PAGE || how->ram > UINT64_C(1) << 40)
		return trc_fail_as(err, TRC_USAGE,
		                   "%llu bytes of RAM is not a number of whole pages, or too much",
		                   (unsigned long long)how->ram);
	if (trc_memory_init(&b->mem, how->ram, err) ||
	    trc_memory_add_ram(&b->mem, RAM, RAM + how->ram - 1, err))
		return -1;
	b->h = trc_hart_open(&b->mem, &b->port, TRC_HART_LIVE | TRC_HART_SEEN, err);
	b->bus = b->h ? trc_bus_create(out, &head, text, err) : NULL;
	if (!b->bus)
		return -1;
	if (trc_shadow_init(&b->shown, err))
		return -1;
	return trc_bus_cache_init(&b->cache, how->cache, how->ways, how->line, &b->mem, b->bus,
	                          &b->shown, err);
}

int
trc_board_record(const struct trc_board_how *how, struct trc_out *out, bool text,
                 struct trc_board_report *report, struct trc_err *err)
{
	struct board b = {
		.port = { port_load, port_store, port_csr, port_seen },
		.dma = { dma_read, dma_write },
		.how = how,
		.report = report,
		.uart = { .input = how->typed.p, .input_end = how->typed.end },
		.compare = UINT64_MAX,
		.type_at = TYPE_EVERY,
		.disk_at = UINT64_MAX,
		.random = how->seed * 2 + 1,
	};
	int ret;

	*report = (struct trc_board_report){ 0 };
	b.disk = (struct trc_disk){ .data = how->disk, .dma = &b.dma };
	ret = set_up(&b, how, out, text, err);
	if (ret == 0)
		ret = record(&b, err);
	report->output = b.uart.output;
	report->count = b.h ? b.h->count : 0;
	report->fills = b.cache.fills;
	report->backs = b.cache.backs;
	if (b.bus)
		trc_bus_abandon(b.bus);
	else
		trc_out_close(out);
	trc_bus_cache_release(&b.cache);
	trc_shadow_release(&b.shown);
	trc_hart_close(b.h);
	trc_memory_release(&b.mem);
	return ret;
}
