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
#include "capture/arguments.h"
#include "capture/extension.h"
#include "capture/guest.h"
#include "capture/host.h"
#include "capture/machine_state.h"
#include "capture/qemu.h"
#include "machine/hart/csr.h"
#include "machine/hart/extensions.h"
#include "machine/hart/hart.h"

struct qemu_plugin_hwaddr;

struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(uint32_t info, uint64_t addr);
bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *at);
uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *at);

enum {
	TRUTH_EVERY = 1 << 20, /* instructions */
	PAGE = 4096,
	VECTORS = 4 * 64, /* bytes from the base of a trap vector that are possible targets */
	REGISTER_PC = 32, /* of trc_guest_register() */
	TURN = 1 << 13,   /* instructions, if the user gives no number */
};

static _Thread_local bool executes; /* this thread is the processor's, and has begun */

/* ---- between two instructions ---- */

/* Begins the trace, or the first turn of another hart. */
static void
put_first(struct trc_machine_hart *h)
{
	h->task = ++trc_machine.tasks;
	if (h->task > 1)
		trc_machine_put_value(TRC_BUS_TASK, trc_machine.count, h->task, h->pc);
	else
		trc_machine_put_value(TRC_BUS_STATE, 0, TRC_REG_PC, h->pc);
	trc_machine_put_registers(trc_machine.count);
	trc_machine_put_value(TRC_BUS_STATE, trc_machine.count, TRC_REG_MODE, TRC_MODE_MACHINE);
	trc_machine_put_value(h->task > 1 ? TRC_BUS_SIGNAL : TRC_BUS_START, trc_machine.count, 0,
	                      0);
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
	return pc != trc_machine.last->addr + trc_machine.last->insn.len &&
	       ((pc == vector(trc_machine.mtvec, 0) &&
	         trc_machine_csr(TRC_CSR_MEPC) == trc_machine.last->addr &&
	         trc_machine_csr(TRC_CSR_MCAUSE) == TRC_CAUSE_ILLEGAL) ||
	        (pc == vector(trc_machine.stvec, 0) &&
	         trc_machine_csr(TRC_CSR_SEPC) == trc_machine.last->addr &&
	         trc_machine_csr(TRC_CSR_SCAUSE) == TRC_CAUSE_ILLEGAL));
}

/* Records the value that the last instruction got, which is in its register now. */
static void
take_value(uint64_t pc)
{
	const int rd = trc_machine.last->insn.rd;
	const uint64_t value = trc_guest_register(rd);

	if (trc_machine.waits == TRC_WAITS_FOR_DEVICE)
		trc_machine_put_device(TRC_BUS_INPUT, trc_machine.wait_for, trc_machine.wait_len,
		                       value);
	else if (!was_illegal(pc))
		trc_machine_put_value(TRC_BUS_CSR, trc_machine.count, trc_machine.wait_for, value);
	trc_machine.waits = TRC_WAITS_FOR_NOTHING;
}

/* Removes the last instruction if it is at pc, where the hart continues, and has not made its
 * access: with -icount, the emulator translates an instruction that accesses a device again. */
static const struct trc_machine_code *
undo(uint64_t pc)
{
	const struct trc_machine_code *c = trc_machine.last;
	const struct trc_op_info *info = c ? &trc_op_info[c->insn.op] : NULL;

	if (!c || trc_machine.accessed || pc != c->addr || !(info->loads || info->stores))
		return NULL;
	trc_machine.count--;
	trc_machine.rec.hash = trc_machine.hash;
	trc_machine.rec.rows--;
	trc_machine.next = pc;
	trc_machine.last = NULL;
	return c;
}

static void
put_interrupt(uint64_t cause, uint64_t epc)
{
	(void)undo(epc);
	trc_machine_note_event(epc);
	trc_machine_put_value(TRC_BUS_INTERRUPT, trc_machine.count, cause & ~TRC_CAUSE_INTERRUPT,
	                      epc);
}

/* Finds an interrupt that was taken before the instruction at pc. An interrupt taken in supervisor
 * mode may itself be interrupted before its first instruction. */
static void
take_interrupt(uint64_t pc)
{
	const uint64_t of_m = pc - (trc_machine.mtvec & ~UINT64_C(3)),
	               of_s = pc - (trc_machine.stvec & ~UINT64_C(3));
	uint64_t mcause, scause;
	bool machine, nested;

	if (pc == trc_machine.next || (of_m >= VECTORS && of_s >= VECTORS))
		return;
	mcause = trc_machine_csr(TRC_CSR_MCAUSE);
	scause = trc_machine_csr(TRC_CSR_SCAUSE);
	machine = pc == vector(trc_machine.mtvec, mcause);
	nested = machine && mcause >> 63 && trc_machine_csr(TRC_CSR_MEPC) != trc_machine.next &&
	         trc_machine_csr(TRC_CSR_MEPC) == vector(trc_machine.stvec, scause);
	if (scause >> 63 && (nested || (!machine && pc == vector(trc_machine.stvec, scause))))
		put_interrupt(scause, trc_machine_csr(TRC_CSR_SEPC));
	if (mcause >> 63 && machine)
		put_interrupt(mcause, trc_machine_csr(TRC_CSR_MEPC));
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

/* Returns true if replay cannot execute the instruction. */
static bool
is_beyond(const struct trc_insn *i)
{
	return i->op == TRC_OP_illegal || (is_csr(i) && !trc_csr_exists((unsigned)i->imm));
}

static void
settle(uint64_t pc)
{
	const struct trc_machine_code *c = trc_machine.last;

	if (c && is_beyond(&c->insn) && pc == c->addr + c->insn.len) {
		trc_extension_refuse(c->insn.raw, c->addr, &trc_machine.err);
		trc_machine_give_up();
	}
	if (trc_machine.tables_change) {
		trc_machine.tables_change = false;
		trc_machine.mtvec = trc_machine_csr(TRC_CSR_MTVEC);
		trc_machine.stvec = trc_machine_csr(TRC_CSR_STVEC);
		trc_machine.satp = trc_machine_csr(TRC_CSR_SATP);
		trc_walk_forget(&trc_machine.walk);
	}
	if (trc_machine.waits)
		take_value(pc);
	take_interrupt(pc);
}

/* Ends the turn of the hart that ran: records the rest of what it did. */
static void
end_turn(void)
{
	struct trc_machine_hart *h = &trc_machine.hart[trc_machine.runs];

	h->pc = trc_guest_register(REGISTER_PC);
	h->undone = undo(h->pc);
	settle(h->pc);
	trc_machine_note_event(h->pc);
	trc_guest_forget(trc_machine.runs);
	trc_machine.last = NULL;
}

/* Begins a turn of a hart; pc is that of its first instruction. */
static void
begin_turn(unsigned vcpu, uint64_t pc)
{
	struct trc_machine_hart *h = &trc_machine.hart[vcpu];

	if (trc_machine.started)
		end_turn();
	trc_machine.runs = vcpu;
	trc_machine.done = 0;
	trc_machine.tables_change = true;
	trc_guest_choose(vcpu);
	if (h->task) {
		trc_machine_put_value(TRC_BUS_TASK, trc_machine.count, h->task, h->pc);
	} else {
		h->pc = pc;
		put_first(h);
	}
	trc_machine.next = h->pc;
	trc_machine.started = executes = true;
}

/* Records the fetch of the instruction, from one page or two. */
static void
fetch(const struct trc_machine_code *c)
{
	const uint32_t here = c->second ? 2 : c->insn.len;

	trc_machine_walk(TRC_WALK_FETCH, c->addr, c->at);
	trc_machine_read(trc_machine.count, TRC_BUS_FETCH, c->at, here);
	if (c->second) {
		trc_machine_walk(TRC_WALK_FETCH, c->addr + 2, c->second);
		trc_machine_read(trc_machine.count, TRC_BUS_FETCH, c->second, 2);
	}
}

static uint64_t
value_at(uint64_t at, uint32_t len)
{
	const uint8_t *p = trc_machine.ram + (at - TRC_MACHINE_RAM);

	return len == 4 ? trc_le32(p) : trc_le64(p);
}

/* Records the read of an atomic operation in advance, since its callback comes after the write. A
 * store-conditional that finds another value than was reserved has a callback, too. */
static void
read_for_amo(const struct trc_insn *i)
{
	const uint32_t len = 1u << trc_op_info[i->op].size;
	const uint64_t addr = trc_guest_register(i->rs1), at = trc_guest_physical(addr);

	if (addr % len || !trc_machine_is_ram(at))
		return;
	trc_machine_read(trc_machine.count, TRC_BUS_DATA, at, len);
	trc_machine.fits = value_at(at, len) == trc_machine.hart[trc_machine.runs].reserved;
}

/* Counts an instruction of the turn, and lets another hart run when the turn is used up. */
static void
count_turn(void)
{
	if (trc_machine.harts > 1 && ++trc_machine.done % trc_machine.turn == 0)
		trc_guest_pause();
}

static void
begin_insn(unsigned vcpu, const struct trc_machine_code *c)
{
	if (!trc_machine.started || vcpu != trc_machine.runs)
		begin_turn(vcpu, c->addr);
	settle(c->addr);
	if (trc_machine.count && trc_machine.count % TRUTH_EVERY == 0)
		trc_machine_put_truth(trc_machine.count, c->addr, trc_machine.rec.hash);
	trc_machine.hash = trc_machine.rec.hash;
	fetch(c);
	trc_machine_put_row(c->addr, false);
	trc_machine.count++;
	trc_machine.last = c;
	trc_machine.accessed = false;
	trc_machine.hart[vcpu].undone = NULL;
	trc_machine.next = c->addr + c->insn.len;
	trc_machine.tables_change = changes_tables(&c->insn);
	if (reads_input(&c->insn)) {
		trc_machine.waits = TRC_WAITS_FOR_CSR;
		trc_machine.wait_for = (uint64_t)c->insn.imm;
	} else if (is_amo(&c->insn) || is_sc(&c->insn)) {
		read_for_amo(&c->insn);
	}
	count_turn();
}

static void
on_insn(unsigned vcpu, void *user)
{
	const struct trc_machine_code *c = user;

	if (trc_machine.hart[vcpu].task || trc_machine_is_ram(c->at)) /* begins in RAM */
		begin_insn(vcpu, c);
}

/* ---- its data ---- */

static void
at_device(uint64_t at, uint32_t len, bool store)
{
	if (store) {
		trc_machine_put_device(TRC_BUS_OUTPUT, at, len,
		                       trc_guest_register(trc_machine.last->insn.rs2));
		return;
	}
	trc_machine.waits = TRC_WAITS_FOR_DEVICE;
	trc_machine.wait_for = at;
	trc_machine.wait_len = len;
}

/* Records the part of an access that lies in one page. */
static void
at_memory(uint64_t at, uint32_t len, bool store)
{
	if (store)
		trc_machine_write(at, len);
	else if (!is_amo(&trc_machine.last->insn))
		trc_machine_read(trc_machine.count, TRC_BUS_DATA, at, len);
	if (is_lr(&trc_machine.last->insn))
		trc_machine.hart[trc_machine.runs].reserved = value_at(at, len);
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
	if (trc_machine.hart[vcpu].undone)
		begin_insn(vcpu, trc_machine.hart[vcpu].undone);
	if (vcpu != trc_machine.runs || !trc_machine.last)
		return;
	trc_machine.accessed = true;
	if (is_sc(&trc_machine.last->insn) && !(store && trc_machine.fits))
		return; /* the emulator reads the reserved value */
	where = qemu_plugin_get_hwaddr(info, addr);
	if (!where) {
		trc_fail(&trc_machine.err, "an access to %llx, where there is no memory or device",
		         (unsigned long long)addr);
		trc_machine_give_up();
	}
	at = qemu_plugin_hwaddr_phys_addr(where);
	trc_machine_walk(what, addr, at);
	trc_machine_put_row(addr, store);
	if (qemu_plugin_hwaddr_is_io(where) || !trc_machine_is_ram(at)) {
		at_device(at, len, store);
		return;
	}
	at_memory(at, len < left ? len : left, store);
	if (len > left) {
		at = trc_guest_physical(addr + left);
		trc_machine_walk(what, addr + left, at);
		at_memory(at, len - left, store);
	}
}

/* ---- the plugin ---- */

/* Creates the trace. Its header has the range of RAM, which is only known when the machine
 * exists. */
static void
begin(void)
{
	struct trc_bus_head head = { .rams = 1, .ios = 1, .io = { { 0, TRC_MACHINE_RAM } } };
	char cpu[256];

	trc_host_cpu("rv64", cpu, sizeof(cpu));
	trc_machine.isa = trc_extensions_of_cpu(cpu);
	trc_extensions_print(trc_machine.isa, head.isa);

	trc_machine.ram = trc_guest_ram(TRC_MACHINE_RAM, &trc_machine.ram_len);
	if (!trc_machine.ram)
		trc_fail(&trc_machine.err, "there is no RAM at %llx",
		         (unsigned long long)TRC_MACHINE_RAM);
	head.ram[0] = (struct trc_bus_range){ TRC_MACHINE_RAM, trc_machine.ram_len };
	if (trc_machine.ram)
		trc_machine.bus = trc_bus_create(trc_machine.out, &head, trc_machine.text,
		                                 &trc_machine.err);
	if (!trc_machine.bus ||
	    trc_recorder_init(&trc_machine.rec, trc_machine.bus, &trc_machine.err))
		trc_machine_give_up();
	trc_machine.rec.memory = (const uint8_t *)((uintptr_t)trc_machine.ram - TRC_MACHINE_RAM);
}

static void
on_translate(uint64_t id, struct qemu_plugin_tb *tb)
{
	struct qemu_plugin_insn *in = qemu_plugin_tb_get_insn(tb, 0);
	struct trc_machine_code *c = trc_alloc(1, sizeof(*c), &trc_machine.err);
	uint8_t word[4] = { 0 };
	const uint8_t *host;

	(void)id;
	if (!trc_machine.ram)
		begin();
	if (qemu_plugin_tb_n_insns(tb) != 1)
		trc_fail(&trc_machine.err,
		         "blocks have several instructions; run QEMU with -singlestep");
	if (!c || trc_machine.err.code)
		trc_machine_give_up();
	host = qemu_plugin_insn_haddr(in);
	c->addr = qemu_plugin_insn_vaddr(in);
	memcpy(word, qemu_plugin_insn_data(in), qemu_plugin_insn_size(in));
	c->insn = trc_decode_by(trc_le32(word), trc_machine.isa);
	c->at = host >= trc_machine.ram && host < trc_machine.ram + trc_machine.ram_len ?
	                TRC_MACHINE_RAM + (uint64_t)(host - trc_machine.ram) :
	                c->addr;
	if (c->insn.len == 4 && c->addr % PAGE == PAGE - 2)
		c->second = trc_guest_physical(c->addr + 2);
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
	if (trc_machine.started) {
		pc = within ? trc_machine.last->addr : trc_guest_register(REGISTER_PC);
		count = trc_machine.count - within;
		if (!within)
			settle(pc);
		trc_machine_put_truth(count, pc, within ? trc_machine.hash : trc_machine.rec.hash);
		trc_machine_put_value(TRC_BUS_STATE, count, TRC_REG_PC, pc);
		trc_machine_put_registers(count);
		if (trc_record_end(&trc_machine.rec, count, &trc_machine.err) ||
		    trc_bus_commit(trc_machine.bus, &trc_machine.err))
			trc_machine_give_up();
	}
	trc_bus_abandon(trc_machine.bus);
	trc_recorder_release(&trc_machine.rec);
}

const int qemu_plugin_version = 1;

int
qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv)
{
	const char *path = "machine.trc-bus";
	const struct trc_argument takes[] = {
		{ "out=", "FILE", TRC_ARGUMENT_TEXT, &path, 0 },
		{ "text=", "on|off", TRC_ARGUMENT_SWITCH, &trc_machine.text, 0 },
		{ "turn=", "N", TRC_ARGUMENT_NUMBER, &trc_machine.turn, UINT32_MAX },
	};

	if (!info->system || strcmp(info->target, "riscv64") != 0) {
		fputs("trc-machine: this is not qemu-system-riscv64\n", stderr);
		return -1;
	}
	trc_machine.harts = (unsigned)info->harts;
	if (trc_machine.harts > 1 &&
	    (trc_machine.harts > TRC_MACHINE_HARTS || !trc_guest_takes_turns())) {
		fprintf(stderr,
		        "trc-machine: %u harts run at the same time; run QEMU with -accel "
		        "tcg,thread=single\n",
		        trc_machine.harts);
		return -1;
	}
	trc_machine.turn = TURN;
	if (!trc_arguments_take("trc-machine", takes, TRC_COUNT(takes), argc, argv))
		return -1;
	trc_machine.before.count = UINT64_MAX;
	trc_machine.out = trc_out_open(path, true, &trc_machine.err);
	if (!trc_machine.out) {
		trc_shown(trc_machine.err.text);
		fprintf(stderr, "trc-machine: %s\n", trc_machine.err.text);
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_atexit_cb(id, on_exit_of_emulator, NULL);
	return 0;
}
