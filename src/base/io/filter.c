/* SPDX-License-Identifier: MIT
 *
 * A seccomp filter, as Documentation/userspace-api/seccomp_filter.rst of Linux describes it.
 * Everything is allowed except the calls listed: libraries and newer systems may make calls unknown
 * to us, and Landlock handles writing to disks. Constants of the kernel are defined here, because
 * its headers may be missing or older than the kernel that trc runs on; numbers of calls from 424
 * on are the same on all processors. There is no filter on other processors, and none under an
 * emulator or valgrind, which do not pass the call on.
 */
#define _GNU_SOURCE /* syscall() */
#include "base/io/filter.h"

#ifdef __linux__
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "base/base.h"

#if defined(__linux__) && defined(SYS_seccomp) && defined(__LP64__) && \
        __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && !defined(TRC_UNCONFINED)
#if defined(__x86_64__)
enum { PROCESSOR = 62 };
#elif defined(__aarch64__)
enum { PROCESSOR = 183 };
#elif defined(__riscv)
enum { PROCESSOR = 243 };
#else
#define UNKNOWN
#endif
#else
#define UNKNOWN
#endif

#ifndef UNKNOWN

/* Instructions: operations on the accumulator with the constant `k`. */
enum {
	LOAD = 0x20,
	AND = 0x54,
	EQUAL = 0x15,
	AT_LEAST = 0x35,
	ANY_BIT = 0x45,
	RETURN = 0x06,
};

enum {
	SET_FILTER = 1,
	SPECULATE = 1 << 2, /* without it, kernels before 5.16 slow down everything that follows */
	ALLOW = 0x7fff0000,
	REFUSE = 0x00050000 | EPERM,
	OTHER_CALLS = 0x40000000, /* on x86-64: calls with 32-bit pointers */
};

#define ARCHITECTURE (0xc0000000u | PROCESSOR) /* 64-bit, little-endian */

/* Structures of the kernel interface. */
struct step {
	uint16_t code;
	uint8_t if_true, if_false; /* number of instructions to skip */
	uint32_t k;
};

struct program {
	uint16_t n;
	const struct step *step;
};

/* The input of a filter. Arguments are loaded by their lower halves. */
struct call {
	uint32_t number, architecture;
	uint64_t at, arg[6];
};

/* Networks, and local sockets. */
static const uint16_t sockets[] = {
	SYS_socket, SYS_socketpair, SYS_connect, SYS_bind,    SYS_listen,
	SYS_accept, SYS_accept4,    SYS_sendto,  SYS_sendmsg, SYS_sendmmsg,
};

/* Modes, owners, attributes and times of files; ways to change a file without open(). */
static const uint16_t files[] = {
	SYS_fchmod,       SYS_fchmodat,
	SYS_fchown,       SYS_fchownat,
	SYS_setxattr,     SYS_lsetxattr,
	SYS_fsetxattr,    SYS_removexattr,
	SYS_lremovexattr, SYS_fremovexattr,
	SYS_utimensat,    SYS_truncate,
	SYS_mknodat,      SYS_open_by_handle_at,
#ifdef __x86_64__
	SYS_chmod,        SYS_chown,
	SYS_lchown,       SYS_utime,
	SYS_utimes,       SYS_futimesat,
	SYS_creat,        SYS_mknod,
#endif
};

/* Starting programs, and accessing other processes. */
static const uint16_t processes[] = {
	SYS_execve,           SYS_execveat,          SYS_ptrace,
	SYS_process_vm_readv, SYS_process_vm_writev, SYS_perf_event_open,
	SYS_userfaultfd,
};

/* Administrative calls. */
static const uint16_t powers[] = {
	SYS_mount,           SYS_umount2,      SYS_pivot_root,    SYS_chroot,     SYS_unshare,
	SYS_setns,           SYS_bpf,          SYS_keyctl,        SYS_add_key,    SYS_request_key,
	SYS_init_module,     SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot,
	SYS_swapon,          SYS_swapoff,      SYS_acct,          SYS_quotactl,   SYS_settimeofday,
	SYS_clock_settime,   SYS_sethostname,  SYS_setdomainname,
#ifdef __x86_64__
	SYS_kexec_file_load,
#endif
};

/* Newer calls of these kinds: three of io_uring, six from open_tree to fspick, openat2,
 * pidfd_getfd, mount_setattr, fchmodat2, setxattrat, removexattrat, file_setattr. */
static const uint16_t newer[] = {
	425, 426, 427, 428, 429, 430, 431, 432, 433, 437, 438, 442, 452, 463, 466, 469,
};

/* ioctl requests: two that simulate terminal input, and two that set flags and attributes of
 * files. */
static const uint32_t controls[] = { 0x5412, 0x541c, 0x40086602, 0x401c5820 };

/* Two instructions for each of them, plus the others. */
enum {
	REFUSED = TRC_COUNT(sockets) + TRC_COUNT(files) + TRC_COUNT(processes) + TRC_COUNT(powers) +
	          TRC_COUNT(newer) + TRC_COUNT(controls),
	ROOM = 2 * REFUSED + 32,
};

struct filter {
	struct step step[ROOM];
	uint16_t n;
};

static void
add(struct filter *f, uint16_t code, uint32_t k, uint8_t if_true, uint8_t if_false)
{
	f->step[f->n++] = (struct step){ code, if_true, if_false, k };
}

static void
refuse(struct filter *f, uint16_t if_code, uint32_t k)
{
	add(f, if_code, k, 0, 1);
	add(f, RETURN, REFUSE, 0, 0);
}

static void
refuse_all(struct filter *f, const uint16_t *number, size_t n)
{
	for (size_t i = 0; i < n; i++)
		refuse(f, EQUAL, number[i]);
}

static void
load_arg(struct filter *f, size_t i)
{
	add(f, LOAD, (uint32_t)(offsetof(struct call, arg) + i * sizeof(uint64_t)), 0, 0);
}

/* Refuses opening a file for changes unless it is created, by the flags in argument `arg`. */
static void
refuse_existing(struct filter *f, uint32_t number, size_t arg)
{
	const uint32_t made = O_CREAT | O_EXCL, changes = O_ACCMODE | O_CREAT | O_TRUNC;

	add(f, EQUAL, number, 0, 6);
	load_arg(f, arg);
	add(f, ANY_BIT, changes, 0, 3);
	add(f, AND, made, 0, 0);
	add(f, EQUAL, made, 1, 0);
	add(f, RETURN, REFUSE, 0, 0);
	add(f, RETURN, ALLOW, 0, 0);
}

static void
refuse_controls(struct filter *f)
{
	add(f, EQUAL, SYS_ioctl, 0, 2 + 2 * TRC_COUNT(controls));
	load_arg(f, 1);
	for (size_t i = 0; i < TRC_COUNT(controls); i++)
		refuse(f, EQUAL, controls[i]);
	add(f, RETURN, ALLOW, 0, 0);
}

/* Composes the filter. Other architectures are refused first, because their calls have other
 * numbers. */
static void
compose(struct filter *f, bool existing)
{
	add(f, LOAD, offsetof(struct call, architecture), 0, 0);
	add(f, EQUAL, ARCHITECTURE, 1, 0);
	add(f, RETURN, REFUSE, 0, 0);
	add(f, LOAD, offsetof(struct call, number), 0, 0);
	refuse(f, AT_LEAST, OTHER_CALLS);
	refuse_all(f, sockets, TRC_COUNT(sockets));
	refuse_all(f, files, TRC_COUNT(files));
	refuse_all(f, processes, TRC_COUNT(processes));
	refuse_all(f, powers, TRC_COUNT(powers));
	refuse_all(f, newer, TRC_COUNT(newer));
	if (!existing) {
		refuse_existing(f, SYS_openat, 2);
#ifdef SYS_open
		refuse_existing(f, SYS_open, 1);
#endif
	}
	refuse_controls(f);
	add(f, RETURN, ALLOW, 0, 0);
}

bool
trc_filter_calls(bool existing)
{
	struct filter f = { .n = 0 };
	struct program program = { .step = f.step };

	compose(&f, existing);
	program.n = f.n;
	return syscall(SYS_seccomp, SET_FILTER, SPECULATE, &program) == 0 ||
	       (errno == EINVAL && syscall(SYS_seccomp, SET_FILTER, 0, &program) == 0);
}

#else

bool
trc_filter_calls(bool existing)
{
	(void)existing;
	return false;
}

#endif
