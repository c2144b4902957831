/* SPDX-License-Identifier: MIT
 *
 * A plugin of QEMU's user mode for riscv64 that records a bus trace (machine/bus/bus.h) of a static
 * program, for `trc replay`:
 *
 *   qemu-riscv64 -plugin libtrc-bus.so,out=FILE[,text=on][,parent=PID][,turn=N] PROGRAM...
 *
 * The recorder ends with the process PID, whose child it is. A turn of a thread is about N
 * references.
 *
 * The callbacks of blocks and accesses are in capture/bus/blocks.c. System calls are recorded by
 * number and result (capture/bus/syscalls.c). Signals and traps show in the registers when the next
 * block begins (capture/bus/between.c). Registers are in memory when a block begins and in a system
 * call, and are read only then, and before an atomic.
 *
 * A program that shares memory is run with atomics in one piece, which have a single callback when
 * all is done. So what they load is noted before them.
 *
 * Threads take turns (capture/bus/turns.c), so the recorder notes one at a time.
 *
 * Memory may also be written by other processes (capture/bus/sharing.h). A load from such memory in
 * the middle of a block is repeated, and the program goes on with one instruction a block until it
 * has made some hundred accesses to other memory.
 *
 * Of processes that the program forks, and of a program that it executes in its own place, nothing
 * is recorded.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shown.h"
#include "capture/arguments.h"
#include "capture/bus/blocks.h"
#include "capture/bus/end.h"
#include "capture/bus/state.h"
#include "capture/bus/syscalls.h"
#include "capture/bus/turns.h"
#include "capture/host.h"
#include "capture/qemu.h"
#include "machine/hart/extensions.h"

const int qemu_plugin_version = 1;

/* Creates the trace, and initialises the state. */
static int
open_trace(const char *path, bool text)
{
	struct trc_bus_head head = { .user = true, .line = TRC_RECORD_LINE };
	struct trc_out *out = trc_out_open(path, true, &trc_now.err);
	char cpu[256];

	trc_host_cpu("any", cpu, sizeof(cpu));
	trc_now.isa = trc_extensions_of_cpu(cpu);
	trc_extensions_print(trc_now.isa, head.isa);
	trc_now.fd = out ? out->fd : -1;
	trc_now.bus = out ? trc_bus_create(out, &head, text, &trc_now.err) : NULL;
	if (!trc_now.bus) {
		trc_out_close(out);
		return -1;
	}
	trc_now.row = trc_alloc(TRC_BUS_ROWS + 2 * TRC_CODE_MOST, sizeof(*trc_now.row),
	                        &trc_now.err);
	if (!trc_now.row || trc_recorder_init(&trc_now.rec, trc_now.bus, &trc_now.err)) {
		trc_bus_abandon(trc_now.bus);
		return -1;
	}
	trc_now.base = trc_now.end = trc_now.row;
	trc_now.special = TRC_BUS_SPECIAL_START;
	trc_now.truth = TRC_BUS_TRUTH_EVERY;
	trc_now.room = TRC_BUS_ROWS;
	return 0;
}

int
qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv)
{
	const char *path = "bus.trc-bus";
	uint64_t parent = 0;
	bool text = false;
	const struct trc_argument takes[] = {
		{ "out=", "FILE", TRC_ARGUMENT_TEXT, &path, 0 },
		{ "text=", "on|off", TRC_ARGUMENT_SWITCH, &text, 0 },
		{ "turn=", "N", TRC_ARGUMENT_NUMBER, &trc_now.turn, TRC_BUS_ROWS - 1 },
		{ "parent=", "PID", TRC_ARGUMENT_NUMBER, &parent, INT32_MAX },
	};
	int ret = 0;

	if (!trc_arguments_take("trc-bus", takes, TRC_COUNT(takes), argc, argv))
		return -1;
	if (parent)
		trc_host_stay_with((pid_t)parent);
	if (info->system || strcmp(info->target, "riscv64") != 0)
		ret = trc_fail(&trc_now.err,
		               "this records programs under qemu-riscv64, not qemu-%s%s",
		               info->system ? "system-" : "", info->target);
	if (ret || open_trace(path, text)) {
		trc_shown(trc_now.err.text);
		fprintf(stderr, "trc-bus: %s\n", trc_now.err.text);
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, trc_bus_on_translate);
	qemu_plugin_register_vcpu_syscall_cb(id, trc_bus_on_call);
	qemu_plugin_register_vcpu_syscall_ret_cb(id, trc_bus_on_return);
	qemu_plugin_register_vcpu_exit_cb(id, trc_bus_on_thread_end);
	qemu_plugin_register_atexit_cb(id, trc_bus_on_end, NULL);
	trc_host_watch_end(trc_bus_on_fatal);
	trc_host_outlive(trc_now.fd, trc_bus_on_outlived);
	return 0;
}
