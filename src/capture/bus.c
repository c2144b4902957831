/* SPDX-License-Identifier: MIT
 *
 * A plugin of QEMU's user mode for riscv64 that records a bus trace (machine/bus.h) of a static
 * program without threads and signal handlers, for `trc replay`:
 *
 *   qemu-riscv64 -plugin libtrc-bus.so,out=FILE PROGRAM ARGUMENT...
 *
 * Of system calls only number and result are recorded. What they wrote to memory shows when the
 * program reads it, as writes by another master do on a bus (Rose and Flanagan 1996, 3.1.3): to a
 * program of user mode the kernel is another master.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/qemu.h"
#include "machine/hart.h"
#include "machine/record.h"

struct byte_array { /* GByteArray of GLib */
	uint8_t *data;
	unsigned len;
};

/* Registers: not of the interface, but of every build of the emulator. */
void *qemu_get_cpu(int index);
int riscv_cpu_gdb_read_register(void *cpu, struct byte_array *to, int n);
struct byte_array *g_byte_array_new(void);
struct byte_array *g_byte_array_set_size(struct byte_array *a, unsigned len);

enum {
	TRUTH_EVERY = 1 << 20, /* instructions */
	GDB_PC = 32,

	OPCODE_AMO = 0x2f,
	FUNCT_LR = 2,
	FUNCT_SC = 3,
	OPCODE_SYSTEM = 0x73,
	CSR_CYCLE = 0xc00,
	CSR_INSTRET = 0xc02,
};

/* An instruction of the program. */
struct insn {
	uint64_t addr;
	uint32_t word;
	uint8_t size;
};

/* A plugin has no place of its own in the calls for accesses, and there is one program. */
static struct {
	struct trc_recorder rec;
	struct trc_bus_writer *bus;
	struct trc_out *out;
	const uint8_t *memory; /* of the guest, at address 0 */
	uint64_t count;        /* instructions begun */
	const struct insn *insn; /* the last one */
	struct byte_array *reg;
	bool csr_waits;        /* the last one read a counter: it is in its register now */
	bool started;
	unsigned cpus;
	struct trc_err err;
} s;

static void
give_up(void)
{
	fprintf(stderr, "trc-bus: %s\n", s.err.text);
	trc_bus_abandon(s.bus);
	_Exit(1);
}

static uint64_t
read_register(int n)
{
	g_byte_array_set_size(s.reg, 0);
	riscv_cpu_gdb_read_register(qemu_get_cpu(0), s.reg, n);
	return trc_le64(s.reg->data);
}

static void
put(enum trc_bus_type type, uint64_t count, uint64_t key, uint64_t value)
{
	const struct trc_bus_record r = { type, count, key, value, 0, NULL, 0 };

	if (trc_bus_put(s.bus, &r, &s.err))
		give_up();
}

static void
put_registers(uint64_t pc)
{
	for (int i = 1; i < 32; i++)
		put(TRC_BUS_STATE, s.count, (uint64_t)(TRC_REG_X + i), read_register(i));
	put(TRC_BUS_STATE, s.count, TRC_REG_PC, pc);
}

static void
read_memory(uint64_t count, enum trc_bus_agent agent, uint64_t addr, uint32_t len)
{
	if (trc_record_read(&s.rec, count, agent, addr, s.memory + addr, len, &s.err))
		give_up();
}

static bool
is_amo(const struct insn *insn)
{
	const unsigned funct = insn->word >> 27;

	return insn->size == 4 && (insn->word & 0x7f) == OPCODE_AMO && funct != FUNCT_LR &&
	       funct != FUNCT_SC;
}

static bool
is_sc(const struct insn *insn)
{
	return insn->size == 4 && (insn->word & 0x7f) == OPCODE_AMO && insn->word >> 27 == FUNCT_SC;
}

static bool
reads_counter(const struct insn *insn)
{
	const uint32_t csr = insn->word >> 20;

	return insn->size == 4 && (insn->word & 0x7f) == OPCODE_SYSTEM && (insn->word >> 12 & 7) &&
	       csr >= CSR_CYCLE && csr <= CSR_INSTRET;
}

static void
on_insn(unsigned vcpu, void *user)
{
	const struct insn *insn = user;

	(void)vcpu;
	if (!s.started) {
		s.started = true;
		put_registers(insn->addr);
		put(TRC_BUS_START, 0, 0, 0);
	}
	if (s.csr_waits) {
		const int rd = s.insn->word >> 7 & 31;

		put(TRC_BUS_CSR, s.count, s.insn->word >> 20, rd ? read_register(rd) : 0);
		s.csr_waits = false;
	}
	if (s.count && s.count % TRUTH_EVERY == 0)
		put(TRC_BUS_TRUTH, s.count, s.rec.hash, 0);
	read_memory(s.count, TRC_BUS_FETCH, insn->addr, insn->size);
	trc_record_row(&s.rec, insn->addr, false);
	s.count++;
	s.insn = insn;
	s.csr_waits = reads_counter(insn);
	if (is_amo(insn)) /* afterwards there is the new value */
		read_memory(s.count, TRC_BUS_DATA, read_register(insn->word >> 15 & 31),
		            insn->word >> 12 & 1 ? 8 : 4);
}

static void
on_access(unsigned vcpu, uint32_t info, uint64_t addr, void *user)
{
	const bool store = qemu_plugin_mem_is_store(info);
	const uint32_t len = 1u << qemu_plugin_mem_size_shift(info);

	(void)vcpu, (void)user;
	if (!store && is_sc(s.insn))
		return; /* how the emulator looks at the reservation */
	trc_record_row(&s.rec, addr, store);
	if (store && trc_record_write(&s.rec, addr, s.memory + addr, len, &s.err))
		give_up();
	if (!store && !is_amo(s.insn))
		read_memory(s.count, TRC_BUS_DATA, addr, len);
}

static void
on_translate(uint64_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *in = qemu_plugin_tb_get_insn(tb, i);
		struct insn *insn = trc_alloc(1, sizeof(*insn), &s.err);
		uint8_t word[4] = { 0 };

		if (!insn)
			give_up();
		insn->addr = qemu_plugin_insn_vaddr(in);
		insn->size = (uint8_t)qemu_plugin_insn_size(in);
		memcpy(word, qemu_plugin_insn_data(in), insn->size);
		insn->word = trc_le32(word);
		if (!s.memory)
			s.memory = (const uint8_t *)qemu_plugin_insn_haddr(in) - insn->addr;
		qemu_plugin_register_vcpu_insn_exec_cb(in, on_insn, CB_READ_REGS, insn);
		qemu_plugin_register_vcpu_mem_cb(in, on_access, CB_NO_REGS, MEM_READ_WRITE, NULL);
	}
}

static void
on_return(uint64_t id, unsigned vcpu, int64_t number, int64_t result)
{
	(void)id, (void)vcpu;
	put(TRC_BUS_CALL, s.count, (uint64_t)number, (uint64_t)result);
}

static void
on_cpu(uint64_t id, unsigned vcpu)
{
	(void)id, (void)vcpu;
	if (s.cpus++ == 0)
		return;
	trc_fail(&s.err, "the program starts a second thread, which a bus trace of one processor "
	                 "cannot hold");
	give_up();
}

static void
on_exit(uint64_t id, void *user)
{
	(void)id, (void)user;
	if (!s.started)
		return;
	put(TRC_BUS_TRUTH, s.count, s.rec.hash, 0);
	for (int i = 1; i < 32; i++)
		put(TRC_BUS_STATE, s.count, (uint64_t)(TRC_REG_X + i), read_register(i));
	if (trc_record_end(&s.rec, s.count, &s.err) || trc_bus_commit(s.bus, &s.err))
		give_up();
	trc_bus_abandon(s.bus);
	trc_recorder_release(&s.rec);
}

const int qemu_plugin_version = 1;

int
qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv)
{
	const struct trc_bus_head head = { .isa = "rv64imafdc", .user = true };
	const char *path = "bus.trc-bus";
	bool text = false;
	struct trc_out *out;

	(void)info;
	for (int i = 0; i < argc; i++) {
		if (strncmp(argv[i], "out=", 4) == 0)
			path = argv[i] + 4;
		text |= strcmp(argv[i], "text=on") == 0;
	}
	out = trc_out_open(path, true, &s.err);
	s.bus = out ? trc_bus_create(out, &head, text, &s.err) : NULL;
	if (!s.bus || trc_recorder_init(&s.rec, s.bus, &s.err)) {
		fprintf(stderr, "trc-bus: %s\n", s.err.text);
		return -1;
	}
	s.reg = g_byte_array_new();
	qemu_plugin_register_vcpu_init_cb(id, on_cpu);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_vcpu_syscall_ret_cb(id, on_return);
	qemu_plugin_register_atexit_cb(id, on_exit, NULL);
	return 0;
}
