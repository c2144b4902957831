/* SPDX-License-Identifier: MIT
 *
 * A plugin of QEMU's user mode that records the raw reference trace of Laplace and its kernel event
 * trace, of all processes and threads that a program starts, for `trc split`:
 *
 *   qemu-ARCH -plugin libtrc-system.so,out=NAME[,limit=N] PROGRAM ARGUMENT...
 *
 * writes NAME.laplace and NAME.laplace-kernel. Processes that are forked are followed by
 * themselves, programs that are executed if the system runs them by an emulator with QEMU_PLUGIN in
 * its environment (binfmt_misc, or scripts in PATH that do).
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "capture/copies.h"
#include "capture/effects.h"
#include "capture/log.h"
#include "capture/qemu.h"

const int qemu_plugin_version = 1;

/* ---- this process ---- */

enum { TASKS = 1 << 12, LINE = TRC_LOG_NAME + 600 };

static uint32_t pid, space;
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER; /* the tasks */
static uint32_t task[TASKS];
static size_t tasks;
static uint64_t base; /* where the memory of the guest begins */
static bool begun;
static char maps_before[1 << 16]; /* starts of mappings of the emulator itself */

/* This thread. */
static __thread uint32_t tid;

/* This thread's first appearance. */
static void
begin_thread(void)
{
	tid = (uint32_t)syscall(SYS_gettid);
	pthread_mutex_lock(&own);
	if (tasks < TASKS)
		task[tasks++] = tid;
	pthread_mutex_unlock(&own);
	if (tid == pid)
		return;
	trc_log_lock();
	trc_log_see(tid);
	trc_log_event_locked('F', " %x %x", tid, pid);
	trc_log_unlock();
}

/* ---- mappings that were there at the start ---- */

/* Calls for the mappings of the host that were not there before; without `tell`, notes them. */
static void
look_at_maps(bool tell)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[LINE], key[32], *name;
	uint64_t first, end, offset;
	unsigned major_, minor_;
	uint64_t inode;
	int at;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %x:%x %" SCNu64 " %n", &first,
		           &end, &offset, &major_, &minor_, &inode, &at) != 6)
			continue;
		snprintf(key, sizeof(key), "|%" PRIx64 "|", first);
		if (!tell) {
			strncat(maps_before, key, sizeof(maps_before) - strlen(maps_before) - 1);
			continue;
		}
		if (strstr(maps_before, key) || first < base)
			continue;
		name = line + at;
		name[strcspn(name, "\n")] = 0;
		if (inode) {
			trc_log_event('M', " %x %" PRIx64 " %" PRIx64 " %" PRIx64 " %x %x %" PRIx64 " %s", pid,
			      first - base, end - first, inode, major_, minor_, offset, name);
			trc_copies_map(first - base, end - base, TRC_MAPPED_PRIVATE_FILE);
		} else if (*name != '[') {
			trc_log_event('m', " %x %" PRIx64 " %" PRIx64, pid, first - base, end - first);
			trc_copies_map(first - base, end - base, TRC_MAPPED_ANONYMOUS);
		}
	}
	if (f)
		fclose(f);
}

/* ---- references ---- */

static void
reference(char type, unsigned size, uint64_t addr)
{
	if (!tid)
		begin_thread();
	if (type == 'w')
		trc_copies_store(tid, addr);
	trc_log_reference(type, size, tid, space, addr);
}

static void
executed(unsigned vcpu, void *user)
{
	const uint64_t v = (uint64_t)(uintptr_t)user;

	(void)vcpu;
	reference('i', (unsigned)(v >> 56), v & ((UINT64_C(1) << 56) - 1));
}

static void
accessed(unsigned vcpu, uint32_t info, uint64_t addr, void *user)
{
	(void)vcpu, (void)user;
	reference(qemu_plugin_mem_is_store(info) ? 'w' : 'r',
	          1u << qemu_plugin_mem_size_shift(info), addr);
}

static void
translate(uint64_t id, struct qemu_plugin_tb *tb)
{
	const size_t n = qemu_plugin_tb_n_insns(tb);

	(void)id;
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		const uint64_t addr = qemu_plugin_insn_vaddr(insn);
		const uint64_t v = addr | (uint64_t)qemu_plugin_insn_size(insn) << 56;

		if (!begun) {
			begun = true;
			base = (uint64_t)(uintptr_t)qemu_plugin_insn_haddr(insn) - addr;
			look_at_maps(true);
		}
		qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, CB_NO_REGS,
		                                       (void *)(uintptr_t)v);
		qemu_plugin_register_vcpu_mem_cb(insn, accessed, CB_NO_REGS, MEM_READ_WRITE, NULL);
	}
}

/* ---- calls ---- */

static void
end_process(void)
{
	for (size_t i = tasks; i-- > 0;)
		trc_log_event('T', " %x", task[i]);
	trc_log_event('u', " %x", space);
}

static void
end_thread(void)
{
	pthread_mutex_lock(&own);
	for (size_t i = 0; i < tasks; i++)
		if (task[i] == tid)
			task[i--] = task[--tasks];
	pthread_mutex_unlock(&own);
	trc_log_event('T', " %x", tid);
}

static void
called(uint64_t id, unsigned vcpu, int64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
       uint64_t e, uint64_t f, uint64_t g, uint64_t h)
{
	const uint64_t argument[TRC_ARGUMENTS] = { a, b, c, d, e, f };

	(void)id, (void)vcpu, (void)g, (void)h;
	if (!tid)
		begin_thread();
	switch (trc_effects_before(number, argument, base)) {
	case TRC_CALL_EXIT: end_thread(); break;
	case TRC_CALL_EXIT_GROUP: end_process(); break;
	default: break;
	}
}

static void
returned(uint64_t id, unsigned vcpu, int64_t number, int64_t result)
{
	(void)id, (void)vcpu;
	trc_effects_after(number, (uint64_t)result, tid);
}

/* ---- processes ---- */

static void
before_fork(void)
{
	trc_copies_before_fork();
	trc_log_lock();
}

static void
in_parent(void)
{
	trc_log_unlock();
	trc_copies_after_fork(false);
}

static void
in_child(void)
{
	const uint32_t parent = pid, from = space;

	/* The lock is the parent's to give back. */
	trc_copies_after_fork(true);
	pthread_mutex_init(&own, NULL);
	pid = tid = (uint32_t)getpid();
	task[0] = tid;
	tasks = 1;
	trc_log_lock();
	trc_log_see(pid);
	space = trc_log_new_space();
	trc_log_event_locked('F', " %x %x", pid, parent);
	trc_log_event_locked('A', " %x %x", pid, space);
	trc_log_event_locked('D', " %x %x 0 ffffffffffffffff", from, space);
	trc_log_unlock();
}

static void
flush_all(uint64_t id, void *user)
{
	(void)id, (void)user;
	trc_log_flush();
}

/* The program of this process: the emulator's first argument that is a file, as it opened it. */
static void
tell_program(void)
{
	char name[512] = "";
	struct stat st = { 0 };
	FILE *f = fopen("/proc/self/cmdline", "r");
	char *word = NULL;
	size_t room = 0;

	/* Behind the options of the emulator, each of which takes a value here. */
	while (f && getdelim(&word, &room, 0, f) > 0)
		if (strchr(word, '/') && stat(word, &st) == 0 && S_ISREG(st.st_mode) &&
		    !strstr(word, "qemu")) {
			snprintf(name, sizeof(name), "%s", word);
			break;
		}
	free(word);
	if (f)
		fclose(f);
	trc_log_lock();
	if (!trc_log_see(pid))
		trc_log_event_locked('F', " %x %x", pid, (unsigned)getppid());
	space = trc_log_new_space();
	trc_log_event_locked('X', " %x %" PRIx64 " %x %x %s", pid, (uint64_t)st.st_ino, major(st.st_dev),
	             minor(st.st_dev), name);
	trc_log_event_locked('A', " %x %x", pid, space);
	trc_log_unlock();
}

int
qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv)
{
	const char *name = NULL;
	uint64_t limit = UINT64_MAX;

	for (int i = 0; i < argc; i++)
		if (strncmp(argv[i], "out=", 4) == 0)
			name = argv[i] + 4;
		else if (strncmp(argv[i], "limit=", 6) == 0)
			limit = strtoull(argv[i] + 6, NULL, 10);
	if (!name || info->system) {
		fprintf(stderr, "trc-system: of the user mode, and needs out=NAME\n");
		return -1;
	}
	trc_effects_open(info->target);
	trc_copies_open();
	trc_log_open(name, limit);
	pid = (uint32_t)getpid();
	pthread_atfork(before_fork, in_parent, in_child);
	tell_program();
	look_at_maps(false);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	qemu_plugin_register_vcpu_syscall_cb(id, called);
	qemu_plugin_register_vcpu_syscall_ret_cb(id, returned);
	qemu_plugin_register_atexit_cb(id, flush_all, NULL);
	return 0;
}
