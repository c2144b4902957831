/* SPDX-License-Identifier: MIT
 *
 * A plugin for QEMU's system mode, riscv64, that records a bus trace (machine/bus/bus.h) of a whole
 * machine, for `trc replay`:
 *
 *   qemu-system-riscv64 -M virt -cpu rv64,h=off,sstc=off,pmu-num=0,debug=off -singlestep
 *           [-smp N -accel tcg,thread=single] -plugin libtrc-machine.so,out=FILE[,turn=N] ...
 *
 * Recording begins with the first instruction in RAM. What devices write to memory shows when the
 * processor reads it (Rose and Flanagan 1996, 3.1.3). The accesses of the page table walker are
 * found by walking the tables, too. Values from a device or a counter are in a register when the
 * next instruction begins. An interrupt shows when execution continues at a trap vector, with the
 * cause of an interrupt.
 *
 * Registers are in memory only where a translated block begins. So -singlestep is required: each
 * block is one instruction.
 *
 * Several harts must share one thread of the emulator, so thread=single is required: they take
 * turns of up to N instructions, and callbacks come in the order of the machine. A turn is over
 * when a callback of another hart comes. Then the hart drops its cached translations, here and in
 * the replay. So page tables do not change during a turn unless the hart itself stores to them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shown.h"
#include "capture/extension.h"
#include "capture/guest.h"
#include "capture/host.h"
#include "capture/qemu.h"
#include "capture/walk.h"
#include "machine/hart/csr.h"
#include "machine/hart/decode.h"
#include "machine/hart/hart.h"
#include "machine/hart/extensions.h"
#include "machine/bus/record.h"
#include "machine/bus/truth.h"

struct qemu_plugin_hwaddr;

struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(uint32_t info, uint64_t addr);
bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *at);
uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *at);

#define RAM UINT64_C(0x80000000) /* start of RAM on all boards so far */

enum {
	TRUTH_EVERY = 1 << 20, /* instructions */
	PAGE = 4096,
	VECTORS = 4 * 64, /* bytes from the base of a trap vector that are possible targets */
	REGISTER_PC = 32, /* of trc_guest_register() */
	HARTS = 512,      /* as many as the board of the emulator can have */
	TURN = 1 << 13,   /* instructions, if the user gives no number */
};

/* The kind of value that an instruction waits for. */
enum waits { NOTHING, OF_DEVICE, OF_CSR };

/* The instruction of a block. */
struct code {
	/* Virtual and physical address, and that of the next page if it crosses into it. */
	uint64_t addr, at, behind;
	struct trc_insn insn;
};

/* A hart while others have their turns. */
struct hart {
	uint64_t task;             /* its number: bus.md, "Tasks"; 0: it had no turn */
	uint64_t pc;               /* where it continues */
	uint64_t reserved;         /* the value that its last load-reserved saw */
	const struct code *undone; /* the instruction that continues with its access; NULL: none */
};

/* All state: callbacks for accesses have no argument for it, and there is only one machine. */
static struct {
	struct trc_recorder rec;
	unsigned isa;        /* of the processor (machine/hart/extensions.h) */
	struct trc_out *out; /* until bus takes it over */
	bool text;
	struct trc_bus_writer *bus;
	const uint8_t *ram;
	uint64_t ram_len;
	uint64_t count; /* instructions that have begun */
	uint64_t hash;  /* before the last instruction */
	const struct code *last;
	uint64_t next; /* where the hart goes on unless something happens */
	struct hart hart[HARTS];
	unsigned harts, runs; /* how many there are, and which one has the turn */
	uint64_t tasks;       /* harts that had a turn */
	uint64_t turn, done;  /* instructions of a turn, and of those that were done */
	struct {
		uint64_t count, pc;
		unsigned hart;
	} before;      /* the last interrupt or turn: when it came, and which hart was where */
	bool accessed; /* the last instruction had an access */
	bool fits;     /* the store-conditional finds the value that was reserved */
	enum waits waits;
	uint64_t wait_for; /* address, or CSR number */
	uint32_t wait_len;
	uint64_t mtvec, stvec, satp;
	bool tables_change; /* the last instruction changed page tables or their registers */
	struct trc_walk walk;
	bool started;
	struct trc_err err;
} s;

static _Thread_local bool executes; /* this thread is the processor's, and has begun */

static void
give_up(void)
{
	trc_shown(s.err.text);
	fprintf(stderr, "trc-machine: %s\n", s.err.text);
	trc_bus_abandon(s.bus);
	_Exit(1);
}

static void
put(const struct trc_bus_record *r)
{
	if (trc_bus_put(s.bus, r, &s.err))
		give_up();
}

static void
put_pair(enum trc_bus_type type, uint64_t count, uint64_t key, uint64_t value)
{
	const struct trc_bus_record r = { type, count, key, value, 0, NULL, 0 };

	put(&r);
}

static void
put_device(enum trc_bus_type type, uint64_t addr, uint32_t len, uint64_t value)
{
	uint8_t data[8];
	const struct trc_bus_record r = { type, s.count, 0, 0, addr, data, len };

	trc_put_le64(data, value);
	put(&r);
}

static uint64_t
csr(unsigned number)
{
	uint64_t value;

	if (!trc_guest_csr(number, &value)) {
		trc_fail(&s.err, "CSR %x cannot be read: this is not QEMU 7.2", number);
		give_up();
	}
	return value;
}

/* ---- memory ---- */

static bool
is_ram(uint64_t addr)
{
	return addr - RAM < s.ram_len;
}

static void
read_memory(uint64_t count, enum trc_bus_agent agent, uint64_t addr, uint32_t len)
{
	if (!trc_record_known(&s.rec, addr, len) &&
	    trc_record_read(&s.rec, count, agent, addr, len, &s.err))
		give_up();
}

static void
write_memory(uint64_t addr, uint32_t len)
{
	if (!trc_record_kept(&s.rec, addr, len) && trc_record_write(&s.rec, addr, len, &s.err))
		give_up();
}

static void
put_row(uint64_t addr, bool store)
{
	const uint64_t row = addr ^ (uint64_t)store << 63;

	trc_record_rows(&s.rec, &row, 1);
}

/* Reads a page table entry as the recorder has it; returns false if some of it is unknown. */
static bool
known_entry(uint64_t addr, uint64_t *value)
{
	const struct trc_shadow_page *p = trc_shadow_find(&s.rec.here, addr / TRC_SHADOW_PAGE);
	const uint32_t i = addr % TRC_SHADOW_PAGE;

	if (!p || (p->known[i / 64] >> i % 64 & 0xff) != 0xff)
		return false;
	*value = trc_le64(p->byte + i);
	return true;
}

static void
read_entries(uint64_t count, enum trc_bus_agent agent, const struct trc_walk_path *path)
{
	for (int i = 0; i < path->n; i++) {
		const uint64_t at = path->entry[i], now = trc_le64(s.ram + (at - RAM));
		uint64_t before;

		if (known_entry(at, &before) && trc_walk_marks(before, now))
			write_memory(at, 8);
		else
			read_memory(count, agent, at, 8);
	}
}

/* Records the walk for an access to physical address `at`. Without translation, a walk leads
 * elsewhere, or nowhere. */
static void
walk(enum trc_walk_for what, uint64_t addr, uint64_t at)
{
	const bool fetch = what == TRC_WALK_FETCH;
	struct trc_walk_path path;

	if (s.satp >> 60 && trc_walk_is_new(&s.walk, what, addr, at) &&
	    trc_walk_path(s.satp, addr, s.ram, RAM, s.ram_len, &path) == at)
		read_entries(s.count, fetch ? TRC_BUS_WALK_FETCH : TRC_BUS_WALK_DATA, &path);
}

/* ---- registers ---- */

/* Returns true for registers of the state, except pc; counters, pending interrupts and the
 * reservation, which differ between machines that behave equally; and those that QEMU does not
 * show. */
static bool
is_recorded(int reg)
{
	return (reg < TRC_REG_PC && reg != TRC_REG_X) ||
	       (reg >= TRC_REG_CSR && reg != TRC_REG_CSR + TRC_CSR_MIP &&
	        reg != TRC_REG_CSR + TRC_CSR_MCYCLE && reg != TRC_REG_CSR + TRC_CSR_MINSTRET);
}

static uint64_t
value_of(int reg, const uint64_t f[32])
{
	if (reg < TRC_REG_F)
		return trc_guest_register(reg);
	return reg < TRC_REG_PC ? f[reg - TRC_REG_F] : csr((unsigned)(reg - TRC_REG_CSR));
}

/* Records all registers but pc, in the order in which a hart lists them. */
static void
put_registers(uint64_t count)
{
	struct trc_memory none = { 0 };
	struct trc_port port = { 0 };
	struct trc_hart *h = trc_hart_open(&none, &port, 0, &s.err);
	uint64_t f[32], value;
	int reg = -1;

	if (!h)
		give_up();
	trc_guest_floats(f);
	while (trc_hart_each(h, &reg, &value))
		if (is_recorded(reg))
			put_pair(TRC_BUS_STATE, count, (uint64_t)reg, value_of(reg, f));
	trc_hart_close(h);
}

/* Notes that an interrupt or a turn follows, and the pc of the current hart, unless one was noted
 * since the last instruction. */
static void
note_event(uint64_t pc)
{
	if (s.before.count == s.count)
		return;
	s.before.count = s.count;
	s.before.pc = pc;
	s.before.hart = s.runs;
}

/* The replay compares registers before an interrupt or turn of the same count. */
static void
put_truth(uint64_t count, uint64_t pc, uint64_t hash)
{
	const bool before = s.before.count == count;
	uint64_t sum = trc_truth_mix(before ? s.before.pc : pc, TRC_REG_PC), f[32];

	if (before)
		trc_guest_choose(s.before.hart);
	trc_guest_floats(f);
	for (unsigned i = 1; i < 32; i++)
		sum += trc_truth_mix(trc_guest_register((int)i), TRC_REG_X + i);
	for (unsigned i = 0; i < 32; i++)
		sum += trc_truth_mix(f[i], TRC_REG_F + i);
	sum += trc_truth_mix(csr(TRC_CSR_FCSR), TRC_REG_CSR + TRC_CSR_FCSR);
	put_pair(TRC_BUS_TRUTH, count, hash, sum);
	trc_guest_choose(s.runs);
}

/* ---- between two instructions ---- */

/* Begins the trace, or the first turn of another hart. */
static void
put_first(struct hart *h)
{
	h->task = ++s.tasks;
	if (h->task > 1)
		put_pair(TRC_BUS_TASK, s.count, h->task, h->pc);
	else
		put_pair(TRC_BUS_STATE, 0, TRC_REG_PC, h->pc);
	put_registers(s.count);
	put_pair(TRC_BUS_STATE, s.count, TRC_REG_MODE, TRC_MODE_MACHINE);
	put_pair(h->task > 1 ? TRC_BUS_SIGNAL : TRC_BUS_START, s.count, 0, 0);
}

static uint64_t
vector(uint64_t tvec, uint64_t cause)
{
	return (tvec & ~UINT64_C(3)) + (tvec & 1 && cause >> 63 ? 4 * (cause & 63) : 0);
}

/* Returns true if the last instruction was illegal, so that it did not get the value that it
 * requested. */
static bool
was_illegal(uint64_t pc)
{
	return pc != s.last->addr + s.last->insn.len &&
	       ((pc == vector(s.mtvec, 0) && csr(TRC_CSR_MEPC) == s.last->addr &&
	         csr(TRC_CSR_MCAUSE) == TRC_CAUSE_ILLEGAL) ||
	        (pc == vector(s.stvec, 0) && csr(TRC_CSR_SEPC) == s.last->addr &&
	         csr(TRC_CSR_SCAUSE) == TRC_CAUSE_ILLEGAL));
}

/* Records the value that the last instruction got, which is in its register now. */
static void
take_value(uint64_t pc)
{
	const int rd = s.last->insn.rd;
	const uint64_t value = trc_guest_register(rd);

	if (s.waits == OF_DEVICE)
		put_device(TRC_BUS_INPUT, s.wait_for, s.wait_len, value);
	else if (!was_illegal(pc))
		put_pair(TRC_BUS_CSR, s.count, s.wait_for, value);
	s.waits = NOTHING;
}

/* Removes the last instruction if it is at pc, where the hart continues, and has not made its
 * access: with -icount, the emulator translates an instruction that accesses a device again. */
static const struct code *
undo(uint64_t pc)
{
	const struct code *c = s.last;
	const struct trc_op_info *info = c ? &trc_op_info[c->insn.op] : NULL;

	if (!c || s.accessed || pc != c->addr || !(info->loads || info->stores))
		return NULL;
	s.count--;
	s.rec.hash = s.hash;
	s.rec.rows--;
	s.next = pc;
	s.last = NULL;
	return c;
}

static void
put_interrupt(uint64_t cause, uint64_t epc)
{
	(void)undo(epc);
	note_event(epc);
	put_pair(TRC_BUS_INTERRUPT, s.count, cause & ~TRC_CAUSE_INTERRUPT, epc);
}

/* Finds an interrupt that was taken before the instruction at pc. An interrupt taken in supervisor
 * mode may itself be interrupted before its first instruction. */
static void
take_interrupt(uint64_t pc)
{
	const uint64_t of_m = pc - (s.mtvec & ~UINT64_C(3)), of_s = pc - (s.stvec & ~UINT64_C(3));
	uint64_t mcause, scause;
	bool machine, nested;

	if (pc == s.next || (of_m >= VECTORS && of_s >= VECTORS))
		return;
	mcause = csr(TRC_CSR_MCAUSE);
	scause = csr(TRC_CSR_SCAUSE);
	machine = pc == vector(s.mtvec, mcause);
	nested = machine && mcause >> 63 && csr(TRC_CSR_MEPC) != s.next &&
	         csr(TRC_CSR_MEPC) == vector(s.stvec, scause);
	if (scause >> 63 && (nested || (!machine && pc == vector(s.stvec, scause))))
		put_interrupt(scause, csr(TRC_CSR_SEPC));
	if (mcause >> 63 && machine)
		put_interrupt(mcause, csr(TRC_CSR_MEPC));
}

/* ---- an instruction ---- */

static bool
is_csr(const struct trc_insn *i)
{
	return i->op >= TRC_OP_csrrw && i->op <= TRC_OP_csrrci;
}

static bool
reads_input(const struct trc_insn *i)
{
	const int64_t n = i->imm;

	return is_csr(i) && i->rd &&
	       (n == TRC_CSR_MIP || n == TRC_CSR_SIP || n == TRC_CSR_MCYCLE ||
	        n == TRC_CSR_MINSTRET || (n >= TRC_CSR_CYCLE && n <= TRC_CSR_INSTRET));
}

static bool
changes_tables(const struct trc_insn *i)
{
	return i->op == TRC_OP_sfence_vma ||
	       (is_csr(i) &&
	        (i->imm == TRC_CSR_SATP || i->imm == TRC_CSR_MTVEC || i->imm == TRC_CSR_STVEC));
}

static bool
is_amo(const struct trc_insn *i)
{
	return trc_op_info[i->op].loads && trc_op_info[i->op].stores;
}

static bool
is_lr(const struct trc_insn *i)
{
	return i->op == TRC_OP_lr_w || i->op == TRC_OP_lr_d;
}

static bool
is_sc(const struct trc_insn *i)
{
	return i->op == TRC_OP_sc_w || i->op == TRC_OP_sc_d;
}

static void
settle(uint64_t pc)
{
	const struct code *c = s.last;

	if (c && c->insn.op == TRC_OP_illegal && pc == c->addr + c->insn.len) {
		trc_extension_refuse(c->insn.raw, c->addr, &s.err);
		give_up();
	}
	if (s.tables_change) {
		s.tables_change = false;
		s.mtvec = csr(TRC_CSR_MTVEC);
		s.stvec = csr(TRC_CSR_STVEC);
		s.satp = csr(TRC_CSR_SATP);
		trc_walk_forget(&s.walk);
	}
	if (s.waits)
		take_value(pc);
	take_interrupt(pc);
}

/* Ends the turn of the hart that ran: records the rest of what it did. */
static void
end_turn(void)
{
	struct hart *h = &s.hart[s.runs];

	h->pc = trc_guest_register(REGISTER_PC);
	h->undone = undo(h->pc);
	settle(h->pc);
	note_event(h->pc);
	trc_guest_forget(s.runs);
	s.last = NULL;
}

/* Begins a turn of a hart; pc is that of its first instruction. */
static void
begin_turn(unsigned vcpu, uint64_t pc)
{
	struct hart *h = &s.hart[vcpu];

	if (s.started)
		end_turn();
	s.runs = vcpu;
	s.done = 0;
	s.tables_change = true;
	trc_guest_choose(vcpu);
	if (h->task) {
		put_pair(TRC_BUS_TASK, s.count, h->task, h->pc);
	} else {
		h->pc = pc;
		put_first(h);
	}
	s.next = h->pc;
	s.started = executes = true;
}

/* Records the fetch of the instruction, from one page or two. */
static void
fetch(const struct code *c)
{
	const uint32_t here = c->behind ? 2 : c->insn.len;

	walk(TRC_WALK_FETCH, c->addr, c->at);
	read_memory(s.count, TRC_BUS_FETCH, c->at, here);
	if (c->behind) {
		walk(TRC_WALK_FETCH, c->addr + 2, c->behind);
		read_memory(s.count, TRC_BUS_FETCH, c->behind, 2);
	}
}

static uint64_t
value_at(uint64_t at, uint32_t len)
{
	const uint8_t *p = s.ram + (at - RAM);

	return len == 4 ? trc_le32(p) : trc_le64(p);
}

/* Records the read of an atomic operation in advance, since its callback comes after the write. A
 * store-conditional that finds another value than was reserved has a callback, too. */
static void
read_for_amo(const struct trc_insn *i)
{
	const uint32_t len = 1u << trc_op_info[i->op].size;
	const uint64_t addr = trc_guest_register(i->rs1), at = trc_guest_physical(addr);

	if (addr % len || !is_ram(at))
		return;
	read_memory(s.count, TRC_BUS_DATA, at, len);
	s.fits = value_at(at, len) == s.hart[s.runs].reserved;
}

/* Counts an instruction of the turn, and lets another hart run when the turn is used up. */
static void
count_turn(void)
{
	if (s.harts > 1 && ++s.done % s.turn == 0)
		trc_guest_pause();
}

static void
begin_insn(unsigned vcpu, const struct code *c)
{
	if (!s.started || vcpu != s.runs)
		begin_turn(vcpu, c->addr);
	settle(c->addr);
	if (s.count && s.count % TRUTH_EVERY == 0)
		put_truth(s.count, c->addr, s.rec.hash);
	s.hash = s.rec.hash;
	fetch(c);
	put_row(c->addr, false);
	s.count++;
	s.last = c;
	s.accessed = false;
	s.hart[vcpu].undone = NULL;
	s.next = c->addr + c->insn.len;
	s.tables_change = changes_tables(&c->insn);
	if (reads_input(&c->insn)) {
		s.waits = OF_CSR;
		s.wait_for = (uint64_t)c->insn.imm;
	} else if (is_amo(&c->insn) || is_sc(&c->insn)) {
		read_for_amo(&c->insn);
	}
	count_turn();
}

static void
on_insn(unsigned vcpu, void *user)
{
	const struct code *c = user;

	if (s.hart[vcpu].task || is_ram(c->at)) /* begins in RAM */
		begin_insn(vcpu, c);
}

/* ---- its data ---- */

static void
at_device(uint64_t at, uint32_t len, bool store)
{
	if (store) {
		put_device(TRC_BUS_OUTPUT, at, len, trc_guest_register(s.last->insn.rs2));
		return;
	}
	s.waits = OF_DEVICE;
	s.wait_for = at;
	s.wait_len = len;
}

/* Records the part of an access that lies in one page. */
static void
at_memory(uint64_t at, uint32_t len, bool store)
{
	if (store)
		write_memory(at, len);
	else if (!is_amo(&s.last->insn))
		read_memory(s.count, TRC_BUS_DATA, at, len);
	if (is_lr(&s.last->insn))
		s.hart[s.runs].reserved = value_at(at, len);
}

static void
on_access(unsigned vcpu, uint32_t info, uint64_t addr, void *user)
{
	const bool store = qemu_plugin_mem_is_store(info);
	const uint32_t len = 1u << qemu_plugin_mem_size_shift(info), left = PAGE - addr % PAGE;
	const enum trc_walk_for what = store ? TRC_WALK_STORE : TRC_WALK_LOAD;
	const struct qemu_plugin_hwaddr *where;
	uint64_t at;

	(void)user;
	if (s.hart[vcpu].undone)
		begin_insn(vcpu, s.hart[vcpu].undone);
	if (vcpu != s.runs || !s.last)
		return;
	s.accessed = true;
	if (is_sc(&s.last->insn) && !(store && s.fits))
		return; /* the emulator reads the reserved value */
	where = qemu_plugin_get_hwaddr(info, addr);
	if (!where) {
		trc_fail(&s.err, "an access to %llx, where there is no memory or device",
		         (unsigned long long)addr);
		give_up();
	}
	at = qemu_plugin_hwaddr_phys_addr(where);
	walk(what, addr, at);
	put_row(addr, store);
	if (qemu_plugin_hwaddr_is_io(where) || !is_ram(at)) {
		at_device(at, len, store);
		return;
	}
	at_memory(at, len < left ? len : left, store);
	if (len > left) {
		at = trc_guest_physical(addr + left);
		walk(what, addr + left, at);
		at_memory(at, len - left, store);
	}
}

/* ---- the plugin ---- */

/* Creates the trace. Its header has the range of RAM, which is only known when the machine
 * exists. */
static void
begin(void)
{
	struct trc_bus_head head = { .rams = 1, .ios = 1, .io = { { 0, RAM } } };
	char cpu[256];

	trc_host_cpu("rv64", cpu, sizeof(cpu));
	s.isa = trc_extensions_of_cpu(cpu);
	trc_extensions_print(s.isa, head.isa);

	s.ram = trc_guest_ram(RAM, &s.ram_len);
	if (!s.ram)
		trc_fail(&s.err, "there is no RAM at %llx", (unsigned long long)RAM);
	head.ram[0] = (struct trc_bus_range){ RAM, s.ram_len };
	if (s.ram)
		s.bus = trc_bus_create(s.out, &head, s.text, &s.err);
	if (!s.bus || trc_recorder_init(&s.rec, s.bus, &s.err))
		give_up();
	s.rec.memory = (const uint8_t *)((uintptr_t)s.ram - RAM);
}

static void
on_translate(uint64_t id, struct qemu_plugin_tb *tb)
{
	struct qemu_plugin_insn *in = qemu_plugin_tb_get_insn(tb, 0);
	struct code *c = trc_alloc(1, sizeof(*c), &s.err);
	uint8_t word[4] = { 0 };
	const uint8_t *host;

	(void)id;
	if (!s.ram)
		begin();
	if (qemu_plugin_tb_n_insns(tb) != 1)
		trc_fail(&s.err, "blocks have several instructions; run QEMU with -singlestep");
	if (!c || s.err.code)
		give_up();
	host = qemu_plugin_insn_haddr(in);
	c->addr = qemu_plugin_insn_vaddr(in);
	memcpy(word, qemu_plugin_insn_data(in), qemu_plugin_insn_size(in));
	c->insn = trc_decode_by(trc_le32(word), s.isa);
	c->at = host >= s.ram && host < s.ram + s.ram_len ? RAM + (uint64_t)(host - s.ram) :
	                                                    c->addr;
	if (c->insn.len == 4 && c->addr % PAGE == PAGE - 2)
		c->behind = trc_guest_physical(c->addr + 2);
	qemu_plugin_register_vcpu_insn_exec_cb(in, on_insn, CB_READ_REGS, c);
	qemu_plugin_register_vcpu_mem_cb(in, on_access, CB_NO_REGS, MEM_READ_WRITE, NULL);
}

/* If a store switches the machine off, this is called within that store, in the thread of the
 * processor. Then the trace ends before the store; otherwise the last instruction is complete. */
static void
on_exit_of_emulator(uint64_t id, void *user)
{
	const bool within = executes;
	uint64_t pc, count;

	(void)id, (void)user;
	if (s.started) {
		pc = within ? s.last->addr : trc_guest_register(REGISTER_PC);
		count = s.count - within;
		if (!within)
			settle(pc);
		put_truth(count, pc, within ? s.hash : s.rec.hash);
		put_pair(TRC_BUS_STATE, count, TRC_REG_PC, pc);
		put_registers(count);
		if (trc_record_end(&s.rec, count, &s.err) || trc_bus_commit(s.bus, &s.err))
			give_up();
	}
	trc_bus_abandon(s.bus);
	trc_recorder_release(&s.rec);
}

const int qemu_plugin_version = 1;

int
qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv)
{
	const char *path = "machine.trc-bus";
	long turn = 0;

	if (!info->system || strcmp(info->target, "riscv64") != 0) {
		fputs("trc-machine: this is not qemu-system-riscv64\n", stderr);
		return -1;
	}
	s.harts = (unsigned)info->harts;
	if (s.harts > 1 && (s.harts > HARTS || !trc_guest_takes_turns())) {
		fprintf(stderr,
		        "trc-machine: %u harts run at the same time; run QEMU with -accel "
		        "tcg,thread=single\n",
		        s.harts);
		return -1;
	}
	for (int i = 0; i < argc; i++) {
		if (strncmp(argv[i], "out=", 4) == 0)
			path = argv[i] + 4;
		if (strncmp(argv[i], "turn=", 5) == 0)
			turn = strtol(argv[i] + 5, NULL, 10);
		s.text |= strcmp(argv[i], "text=on") == 0;
	}
	s.before.count = UINT64_MAX;
	s.turn = turn > 0 ? (uint64_t)turn : TURN;
	s.out = trc_out_open(path, true, &s.err);
	if (!s.out) {
		trc_shown(s.err.text);
		fprintf(stderr, "trc-machine: %s\n", s.err.text);
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_atexit_cb(id, on_exit_of_emulator, NULL);
	return 0;
}
