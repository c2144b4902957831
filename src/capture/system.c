/* SPDX-License-Identifier: MIT
 *
 * A plugin for QEMU's user mode that records the raw reference trace of Laplace and its kernel
 * event trace, of all processes and threads that a program starts, for `trc split`:
 *
 *   qemu-ARCH -plugin libtrc-system.so,out=NAME[,limit=N|,insns=N][,pipe=on] PROGRAM ARGUMENT...
 *
 * writes NAME.laplace, which is an existing named pipe with pipe=on, and NAME.laplace-kernel, with
 * at most N references, or instructions with insns=N. With stream=on both go to that pipe in
 * order, in binary, and with words=on also the instruction words. Processes that the program
 * starts are recorded, too, if they are for the same processor: a fork of the guest is a fork of
 * the emulator, and an executed program runs under the emulator, in the same traces; the argument
 * exec=TASK+TASK... names the threads that ended by that. NAME.shared exists while any of the
 * processes runs, and is left over if a process ends unnoticed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "capture/arguments.h"
#include "capture/copies.h"
#include "capture/effects.h"
#include "capture/follow.h"
#include "capture/log.h"
#include "capture/qemu.h"
#include "capture/sharers.h"

const int qemu_plugin_version = 1;

/* ---- this process ---- */

enum { TASKS = 1 << 12, LARGEST = 64, LINE = TRC_LOG_NAME + 600 };

static uint32_t pid, space;
static pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER; /* protects the tasks */
static uint32_t task[TASKS];
static size_t tasks;
static struct trc_guest_memory memory; /* the memory of the guest */
static atomic_uint ender;              /* the task that is ending this program; 0: none */
/* The arguments of this plugin, for programs that are executed. */
static char plugin_words[PATH_MAX + 80];
static int fork_pipe[2];
static bool begun;
static bool words;                /* instruction words are requested */
static char maps_before[1 << 16]; /* starts of the emulator's own mappings */

/* This thread. */
static __thread uint32_t tid;

/* Begins a thread at its first appearance. */
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
	trc_log_begin(tid);
	trc_log_event_locked('F', " %x %x", tid, pid);
	trc_log_unlock();
}

/* ---- initial mappings ---- */

/* A line of /proc/self/maps. */
struct seen {
	uint64_t first, end, offset, inode;
	unsigned major, minor;
	char may[8]; /* "r-xp" */
	int name;    /* index of the name in the line */
};

static void
log_mapping(const struct seen *m, const char *name)
{
	const uint64_t first = m->first - memory.base, end = m->end - memory.base;

	if (m->inode) {
		trc_log_event('M', " %x %" PRIx64 " %" PRIx64 " %" PRIx64 " %x %x %" PRIx64 " %s",
		              pid, first, end - first, m->inode, m->major, m->minor, m->offset,
		              name);
		trc_copies_map(first, end, TRC_MAPPED_PRIVATE_FILE);
	} else if (*name != '[' && m->may[0] != '-') {
		/* Inaccessible mappings are address space that the emulator reserves. */
		trc_log_event('m', " %x %" PRIx64 " %" PRIx64, pid, first, end - first);
		trc_copies_map(first, end, TRC_MAPPED_ANONYMOUS);
	}
}

/* Logs the mappings that were not there before; without `report`, only notes them. */
static void
look_at_maps(bool report)
{
	FILE *f = fopen("/proc/self/maps", "r");
	char line[LINE], key[32];
	struct seen m;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %x:%x %" SCNu64 " %n",
		           &m.first, &m.end, m.may, &m.offset, &m.major, &m.minor, &m.inode,
		           &m.name) != 7)
			continue;
		line[strcspn(line, "\n")] = 0;
		snprintf(key, sizeof(key), "|%" PRIx64 "|", m.first);
		if (!report)
			strncat(maps_before, key, sizeof(maps_before) - strlen(maps_before) - 1);
		else if (!strstr(maps_before, key) && m.first >= memory.base &&
		         (memory.guest->bits == 64 || m.end - memory.base <= UINT64_C(1) << 32))
			log_mapping(&m, line + m.name);
	}
	if (f)
		fclose(f);
}

/* ---- references ---- */

/* The last access of this thread, as far as it is known: QEMU reports one of 16 or more bytes, or
 * a pair of registers, in parts. */
static __thread struct {
	uint64_t addr;
	unsigned size; /* 0: none */
	char type;
} held;

static void
log_held(void)
{
	const unsigned size = held.size;

	held.size = 0;
	if (size && (!ender || ender == tid))
		trc_log_reference(held.type, size, tid, space, held.addr);
}

/* `apart` accesses are not of one place. */
static void
hold(char type, unsigned size, uint64_t addr, bool apart)
{
	const bool joins = held.size && !apart && held.type == type &&
	                   held.addr + held.size == addr && held.size + size <= LARGEST;

	/* Other threads continue until the system stops them. */
	if (ender && ender != tid)
		return;
	if (!joins)
		log_held();
	if (type == 'w')
		trc_copies_store(tid, addr);
	held.addr = joins ? held.addr : addr;
	held.size += size;
	held.type = type;
}

static void
executed(unsigned vcpu, void *user)
{
	const uint64_t v = (uint64_t)(uintptr_t)user;

	(void)vcpu;
	if (!tid)
		begin_thread();
	log_held();
	if (!ender || ender == tid)
		trc_log_reference('i', (unsigned)(v >> 56), tid, space,
		                  v & ((UINT64_C(1) << 56) - 1));
}

static void
accessed(unsigned vcpu, uint32_t info, uint64_t addr, void *user)
{
	const unsigned size = 1u << qemu_plugin_mem_size_shift(info);

	(void)vcpu;
	if (qemu_plugin_mem_is_load(info))
		hold('r', size, addr, user != NULL);
	if (qemu_plugin_mem_is_store(info))
		hold('w', size, addr, user != NULL);
}

/* Returns true if an instruction may load from several places, which may be side by side: CMPS and
 * gathers. What other guests than these report stays as it is. */
static bool
accesses_apart(const struct qemu_plugin_insn *insn)
{
	const uint8_t *s = qemu_plugin_insn_data(insn);
	const size_t n = qemu_plugin_insn_size(insn);
	const char *const target = memory.guest->target;
	size_t i = 0;

	if (strcmp(target, "aarch64") == 0)
		return (s[3] & 0xbe) == 0x84;
	if (strcmp(target, "x86_64") != 0)
		return true;
	while (i + 1 < n && memchr("\x26\x2e\x36\x3e\x64\x65\x66\x67\xf2\xf3", s[i], 10))
		i++;
	if (i + 3 < n && s[i] == 0xc4)
		return (s[i + 1] & 31) == 2 && (s[i + 3] & 0xfc) == 0x90;
	i += i + 1 < n && s[i] >> 4 == 4;
	return (s[i] & 0xfe) == 0xa6;
}

static void
log_code(const struct qemu_plugin_insn *insn)
{
	const size_t n = qemu_plugin_insn_size(insn);
	uint64_t bytes = 0;

	memcpy(&bytes, qemu_plugin_insn_data(insn), n < sizeof(bytes) ? n : sizeof(bytes));
	trc_log_code(space, qemu_plugin_insn_vaddr(insn), bytes);
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
			memory.base = (uint64_t)(uintptr_t)qemu_plugin_insn_haddr(insn) - addr;
			look_at_maps(true);
		}
		if (words)
			log_code(insn);
		qemu_plugin_register_vcpu_insn_exec_cb(insn, executed, CB_NO_REGS,
		                                       (void *)(uintptr_t)v);
		qemu_plugin_register_vcpu_mem_cb(insn, accessed, CB_NO_REGS, MEM_READ_WRITE,
		                                 accesses_apart(insn) ? insn : NULL);
	}
}

/* ---- calls ---- */

static void
end_task(uint32_t who)
{
	trc_log_lock();
	trc_log_event_locked('T', " %x", who);
	trc_log_end(who);
	trc_log_unlock();
}

static void
end_process(void)
{
	ender = tid;
	for (size_t i = tasks; i-- > 0;)
		end_task(task[i]);
	trc_sharers_end();
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
	end_task(tid);
}

static void
note_exec(void)
{
	ender = tid;
	trc_sharers_end();
}

/* Returns if it failed. Then the emulator tries, and reports the error, or the system executes a
 * program natively, which is not recorded. */
static void
execute(int at, uint64_t path, uint64_t arguments, uint64_t environment)
{
	const struct trc_exec x = { at, path, arguments, environment };
	char last[16 + 9 * TASKS], *to = last;

	to += sprintf(to, "exec=");
	pthread_mutex_lock(&own);
	for (size_t i = 0; i < tasks; i++)
		if (task[i] != pid)
			to += sprintf(to, "+%x", task[i]);
	pthread_mutex_unlock(&own);
	trc_follow_guest_exec(&memory, &x, last, note_exec);
	ender = 0;
	trc_sharers_resume();
	trc_log_flush();
}

static void
called(uint64_t id, unsigned vcpu, int64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
       uint64_t e, uint64_t f, uint64_t g, uint64_t h)
{
	const uint64_t argument[TRC_ARGUMENTS] = { a, b, c, d, e, f };
	const enum trc_call call = trc_guest_call(memory.guest, number);

	(void)id, (void)vcpu, (void)g, (void)h;
	if (!tid)
		begin_thread();
	log_held();
	trc_effects_before(&memory, call, argument);
	switch (call) {
	case TRC_CALL_CLONE: trc_log_share(); break;
	case TRC_CALL_EXIT: end_thread(); break;
	case TRC_CALL_EXIT_GROUP: end_process(); break;
	case TRC_CALL_EXECVE: execute(AT_FDCWD, a, b, c); break;
	case TRC_CALL_EXECVEAT: execute((int)a, b, c, d); break;
	default: break;
	}
}

static void
returned(uint64_t id, unsigned vcpu, int64_t number, int64_t result)
{
	(void)id, (void)vcpu;
	trc_effects_after(&memory, trc_guest_call(memory.guest, number), (uint64_t)result, tid);
}

/* ---- processes ---- */

/* The parent waits, with the lock, until the child has logged its start and writes a byte to the
 * pipe. Otherwise its next stores would seem to come before the fork. The pipe ends without a byte
 * if the fork failed: the process that was counted does not exist then. */
static void
before_fork(void)
{
	trc_log_share();
	trc_log_enter();
	trc_copies_before_fork();
	trc_log_lock();
	if (pipe2(fork_pipe, O_CLOEXEC) != 0)
		fork_pipe[0] = fork_pipe[1] = -1;
}

static void
in_parent(void)
{
	ssize_t n;
	char byte;

	close(fork_pipe[1]);
	while ((n = read(fork_pipe[0], &byte, 1)) < 0 && errno == EINTR)
		;
	close(fork_pipe[0]);
	trc_log_unlock();
	if (n == 0)
		trc_log_leave();
	trc_copies_after_fork(false);
}

static void
in_child(void)
{
	const uint32_t parent = pid, from = space;

	trc_copies_after_fork(true);
	pthread_mutex_init(&own, NULL);
	pid = tid = (uint32_t)getpid();
	ender = 0;
	task[0] = tid;
	tasks = 1;
	trc_log_begin(pid);
	space = trc_log_new_space();
	trc_log_event_locked('F', " %x %x", pid, parent);
	trc_log_event_locked('A', " %x %x", pid, space);
	trc_log_event_locked('D', " %x %x 0 ffffffffffffffff", from, space);
	if (write(fork_pipe[1], "", 1) < 0)
		(void)errno; /* there was no pipe */
	close(fork_pipe[0]);
	close(fork_pipe[1]);
}

static void
leave(uint64_t id, void *user)
{
	(void)id, (void)user;
	trc_log_leave();
}

/* `last` names the threads of the program that this one replaced; NULL if there was none. */
static void
log_program(const char *last)
{
	const char *name = trc_follow_program();
	struct stat st;

	if (stat(name, &st) != 0)
		memset(&st, 0, sizeof(st));
	for (char *end; last && *last == '+'; last = end)
		end_task((uint32_t)strtoul(last + 1, &end, 16));
	trc_log_lock();
	if (!last)
		trc_log_event_locked('F', " %x %x", pid, (unsigned)getppid());
	trc_log_begin(pid);
	space = trc_log_new_space();
	trc_log_event_locked('X', " %x %" PRIx64 " %x %x %s", pid, (uint64_t)st.st_ino,
	                     major(st.st_dev), minor(st.st_dev), name);
	trc_log_event_locked('A', " %x %x", pid, space);
	trc_log_unlock();
}

/* Makes the name absolute, since guests change their working folder. */
static bool
name_traces(const char *name, char *path, size_t room)
{
	char folder[PATH_MAX], real[PATH_MAX];
	const char *slash = strrchr(name, '/');

	snprintf(folder, sizeof(folder), "%.*s", slash ? (int)(slash - name + 1) : 1,
	         slash ? name : ".");
	return realpath(folder, real) &&
	       snprintf(path, room, "%s/%s", real, slash ? slash + 1 : name) < (int)room;
}

int
qemu_plugin_install(uint64_t id, const struct qemu_info *info, int argc, char **argv)
{
	const char *name = NULL, *last = NULL;
	uint64_t most = UINT64_MAX, insns = UINT64_MAX;
	struct trc_log_limit limit;
	bool pipe = false, stream = false;
	const struct trc_argument takes[] = {
		{ "out=", "NAME", TRC_ARGUMENT_TEXT, &name, 0 },
		{ "limit=", "N", TRC_ARGUMENT_NUMBER, &most, UINT64_MAX },
		{ "insns=", "N", TRC_ARGUMENT_NUMBER, &insns, UINT64_MAX },
		{ "pipe=", "on|off", TRC_ARGUMENT_SWITCH, &pipe, 0 },
		{ "stream=", "on|off", TRC_ARGUMENT_SWITCH, &stream, 0 },
		{ "words=", "on|off", TRC_ARGUMENT_SWITCH, &words, 0 },
		{ "exec=", "TASK+TASK...", TRC_ARGUMENT_TEXT, &last, 0 },
	};
	enum trc_log_to to = TRC_LOG_FILES;
	char path[PATH_MAX];

	if (!trc_arguments_take("trc-system", takes, TRC_COUNT(takes), argc, argv))
		return -1;
	if (!name || info->system) {
		fprintf(stderr, "trc-system: is for user mode, and needs out=NAME\n");
		return -1;
	}
	if (stream || pipe)
		to = stream ? TRC_LOG_STREAM : TRC_LOG_PIPE;
	words = words && stream;
	limit = (struct trc_log_limit){ insns < most ? insns : most, insns < most };
	memory.guest = trc_guest_named(info->target);
	if (!memory.guest) {
		fprintf(stderr,
		        "trc-system: the system calls of %s are unknown; add a column to "
		        "src/capture/calls.c\n",
		        info->target);
		return -1;
	}
	if (!name_traces(name, path, sizeof(path)))
		trc_log_die(name);
	trc_copies_open();
	trc_log_open(path, limit, last, to);
	snprintf(plugin_words, sizeof(plugin_words), "out=%s,%s=%llu%s%s", path,
	         limit.insns ? "insns" : "limit", (unsigned long long)limit.most,
	         to == TRC_LOG_STREAM ? ",stream=on" : "", words ? ",words=on" : "");
	trc_follow_open(plugin_words);
	pid = (uint32_t)getpid();
	pthread_atfork(before_fork, in_parent, in_child);
	log_program(last);
	look_at_maps(false);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	qemu_plugin_register_vcpu_syscall_cb(id, called);
	qemu_plugin_register_vcpu_syscall_ret_cb(id, returned);
	qemu_plugin_register_atexit_cb(id, leave, NULL);
	return 0;
}
