/* SPDX-License-Identifier: MIT
 *
 * A plugin of QEMU that prints each instruction and each plain access of all threads of a program,
 * or of all harts of a machine, in the order in which it sees them, to the file that `out=` names:
 *
 *   fetch,0x10400,1            of the first thread that it saw, or hart 0
 *   read,0x40008000d0,2        of the second one, or hart 1
 *
 * Loaded behind the recorder, which lets one thread run at a time, it sees what that records. What
 * atomics access is left out: of a store-conditional that fails it sees as much as of one that
 * does not.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "capture/qemu.h"

static FILE *out;
static bool harts;
static unsigned threads;
static __thread unsigned number;

static void
print(unsigned vcpu, const char *what, uint64_t addr)
{
	if (!number)
		number = ++threads;
	fprintf(out, "%s,0x%llx,%u\n", what, (unsigned long long)addr, harts ? vcpu + 1 : number);
}

static void
on_insn(unsigned vcpu, void *user)
{
	print(vcpu, "fetch", (uintptr_t)user);
}

static void
on_access(unsigned vcpu, uint32_t info, uint64_t addr, void *user)
{
	(void)user;
	print(vcpu, qemu_plugin_mem_is_store(info) ? "write" : "read", addr);
}

static void
on_translate(uint64_t id, struct qemu_plugin_tb *tb)
{
	enum { OPCODE = 0x7f, ATOMIC = 0x2f };

	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *in = qemu_plugin_tb_get_insn(tb, i);
		const uint8_t *word = qemu_plugin_insn_data(in);

		qemu_plugin_register_vcpu_insn_exec_cb(
		        in, on_insn, CB_NO_REGS, (void *)(uintptr_t)qemu_plugin_insn_vaddr(in));
		if ((*word & OPCODE) != ATOMIC)
			qemu_plugin_register_vcpu_mem_cb(in, on_access, CB_NO_REGS, MEM_READ_WRITE,
			                                 NULL);
	}
}

/* A child process has a copy of the buffer. */
static void
on_return(uint64_t id, unsigned vcpu, int64_t call, int64_t result)
{
	enum { CLONE = 220 };

	(void)id, (void)vcpu;
	if (call == CLONE && result == 0)
		out = fopen("/dev/null", "w");
}

static void
on_end(uint64_t id, void *user)
{
	(void)id, (void)user;
	fflush(out);
}

const int qemu_plugin_version = 1;

int
qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv)
{
	harts = info->system;
	for (int i = 0; i < argc; i++)
		if (strncmp(argv[i], "out=", 4) == 0)
			out = fopen(argv[i] + 4, "w");
	if (!out)
		return -1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	if (!harts)
		qemu_plugin_register_vcpu_syscall_ret_cb(id, on_return);
	qemu_plugin_register_atexit_cb(id, on_end, NULL);
	return 0;
}
