/* SPDX-License-Identifier: MIT
 * What is given up is refused by the kernel, to all threads; what is needed is not. What Landlock
 * refuses is EACCES, what the filter of calls does EPERM; where one is missing it is left out. */
#define _GNU_SOURCE
#include "base/io/confine.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/io/out.h"
#include "base/io/spill.h"
#include "generate.h"
#include "test.h"

/* Calls that are newer than some headers, and those of x86-64 with pointers of 32 bits. */
enum { IO_URING_SETUP = 425, OPENAT2 = 437, OTHER_CALLS = 0x40000000 };

/* Folders of the test: TMPDIR, that of outputs, and one that nobody is to write to. */
static char spills[128], outputs[128], others[128];

/* A socket from before, for datagrams. */
static int datagrams = -1;

static bool
is_filtered(void)
{
	enum { FILTER = 2 };

	return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) == FILTER;
}

static const char *
in(const char *folder, const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static int
error_of(int ret)
{
	const int number = ret < 0 ? errno : 0;

	if (ret > STDERR_FILENO)
		close(ret);
	return number;
}

static int
create(const char *folder, const char *name)
{
	return error_of(open(in(folder, name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
}

/* Starting a program: the child reports why it could not. */
static int
execute(void)
{
	const pid_t pid = fork();
	int status;

	if (pid == 0) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(errno);
	}
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	return WEXITSTATUS(status);
}

static struct sockaddr_in
somewhere(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return to;
}

/* A connection to a port where nobody listens. */
static int
connect_somewhere(void)
{
	const struct sockaddr_in to = somewhere();
	const int fd = socket(AF_INET, SOCK_STREAM, 0);
	int ret;

	if (fd < 0)
		return errno;
	ret = connect(fd, (const struct sockaddr *)&to, sizeof(to)) < 0 ? errno : 0;
	close(fd);
	return ret;
}

static void
no_network(void)
{
	static const int family[] = { AF_INET, AF_INET6, AF_UNIX };
	const struct sockaddr_in to = somewhere();
	const struct sockaddr *any = (const struct sockaddr *)&to;
	int pair[2];

	for (size_t i = 0; i < TRC_COUNT(family); i++) {
		CHECK(error_of(socket(family[i], SOCK_STREAM, 0)) == EPERM);
		CHECK(error_of(socket(family[i], SOCK_DGRAM, 0)) == EPERM);
	}
	CHECK(error_of(socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) == EPERM);
	CHECK(error_of((int)sendto(datagrams, "x", 1, 0, any, sizeof(to))) == EPERM);
	CHECK(error_of(connect(datagrams, any, sizeof(to))) == EPERM);
	CHECK(error_of(bind(datagrams, any, sizeof(to))) == EPERM);
}

/* A file beside the output, which Landlock lets all do who make outputs there. */
static void
no_change(const char *path)
{
	static const int flags[] = { O_WRONLY,           O_RDWR,           O_WRONLY | O_TRUNC,
		                     O_WRONLY | O_CREAT, O_RDWR | O_TRUNC, O_RDONLY | O_TRUNC,
		                     O_WRONLY | O_EXCL,  O_ACCMODE,        O_RDONLY | O_CREAT };

	for (size_t i = 0; i < TRC_COUNT(flags); i++)
		CHECK(error_of(open(path, flags[i] | O_CLOEXEC, 0666)) == EPERM);
#ifdef SYS_open
	CHECK(error_of((int)syscall(SYS_open, path, O_WRONLY)) == EPERM);
#endif
#if defined(__x86_64__) && defined(__LP64__)
	CHECK(error_of((int)syscall(SYS_open | OTHER_CALLS, path, O_WRONLY)) == EPERM);
#endif
	CHECK(error_of(creat(path, 0666)) == EPERM);
	CHECK(error_of((int)syscall(OPENAT2, AT_FDCWD, path, NULL, 0)) == EPERM);
	CHECK(error_of(truncate(path, 0)) == EPERM);
	CHECK(error_of(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) == EEXIST);
}

static void
no_chmod(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);

	CHECK(fd >= 0);
	CHECK(error_of(chmod(path, 0777)) == EPERM);
	CHECK(error_of(fchmod(fd, 0777)) == EPERM);
	CHECK(error_of(fchmodat(AT_FDCWD, path, 0777, 0)) == EPERM);
	CHECK(error_of(chown(path, getuid(), getgid())) == EPERM);
	CHECK(error_of(lchown(path, getuid(), getgid())) == EPERM);
	CHECK(error_of(fchown(fd, getuid(), getgid())) == EPERM);
	CHECK(error_of(utimensat(AT_FDCWD, path, NULL, 0)) == EPERM);
	CHECK(error_of(futimens(fd, NULL)) == EPERM);
	CHECK(error_of(setxattr(path, "user.x", "x", 1, 0)) == EPERM);
	CHECK(error_of(fremovexattr(fd, "user.x")) == EPERM);
	close(fd);
}

static void
no_powers(void)
{
	char key = 'x';

	CHECK(error_of((int)ptrace(PTRACE_TRACEME, 0, NULL, NULL)) == EPERM);
	CHECK(error_of((int)syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0)) ==
	      EPERM);
	CHECK(error_of((int)syscall(SYS_bpf, 0, NULL, 0)) == EPERM);
	CHECK(error_of((int)syscall(SYS_keyctl, 0, 0, 0, 0, 0)) == EPERM);
	CHECK(error_of((int)syscall(SYS_unshare, 0)) == EPERM);
	CHECK(error_of((int)syscall(IO_URING_SETUP, 1, NULL)) == EPERM);
	CHECK(error_of(ioctl(STDIN_FILENO, TIOCSTI, &key)) == EPERM);
}

static void *
refused_here(void *none)
{
	(void)none;
	CHECK(create(others, "new") == EACCES);
	CHECK(error_of(unlink(in(others, "there"))) == EACCES);
	CHECK(error_of(mkdir(in(others, "folder"), 0777)) == EACCES);
	CHECK(error_of(symlink("there", in(others, "link"))) == EACCES);
	if (!is_filtered()) {
		CHECK(error_of(open(in(others, "there"), O_WRONLY | O_CLOEXEC)) == EACCES);
		return NULL;
	}
	no_network();
	no_chmod(in(others, "there"));
	no_chmod(in(outputs, "beside"));
	no_powers();
	return NULL;
}

/* Runs `check` in a process of its own, which stays confined. False: the kernel confines nobody. */
static bool
confined(const char *output, void (*check)(void))
{
	const pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (!trc_confine(output))
			_exit(77);
		check();
		_exit(0);
	}
	CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	CHECK(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77);
	return WEXITSTATUS(status) == 0;
}

static void
refused(void)
{
	pthread_t thread;

	refused_here(NULL);
	CHECK(pthread_create(&thread, NULL, refused_here, NULL) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
	CHECK(execute() == (is_filtered() ? EPERM : EACCES));
	/* Without a filter, kernels before 6.7 leave connections alone. */
	CHECK(connect_somewhere() != 0);
}

static void
spilled(void)
{
	struct trc_err err;
	const int fd = trc_spill_open(&err);

	CHECK_MSG(fd >= 0 && trc_spill_write(fd, "x", 1, 0, &err) == 0, "%s", err.text);
	close(fd);
	CHECK(error_of(open(in(others, "there"), O_RDONLY | O_CLOEXEC)) == 0);
}

static void *
no_change_here(void *none)
{
	(void)none;
	no_change(in(outputs, "beside"));
	no_change(in(spills, "beside"));
	return NULL;
}

static void
unchanged(void)
{
	pthread_t thread;

	if (!is_filtered())
		return;
	no_change_here(NULL);
	CHECK(pthread_create(&thread, NULL, no_change_here, NULL) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
}

static void
readers_write_nothing(void)
{
	CHECK(create(outputs, "new") == EACCES);
	unchanged();
	refused();
	spilled();
}

static void
write_output(const char *path)
{
	struct trc_err err;
	struct trc_out *out = trc_out_open(path, true, &err);

	CHECK_MSG(out && trc_out_put(out, "new", 3, &err) == 0 && trc_out_commit(out, &err) == 0,
	          "%s", err.text);
	trc_out_close(out);
}

static void
writers_write_their_output(void)
{
	write_output(in(outputs, "file"));
	write_output("/dev/null");
	unchanged();
	refused();
	spilled();
}

static void
writers_replace_what_a_link_leads_to(void)
{
	write_output(in(others, "to-output"));
	unchanged();
	refused();
}

static const char device[] = "/dev/zero";

static void
writers_write_to_a_device(void)
{
	CHECK(create(outputs, "new") == EACCES);
	write_output(device);
	refused();
}

/* Where the kernel has filters and the processor is known, there is one. */
static void
a_filter_is_there_where_it_can_be(void)
{
#if defined(__x86_64__) && defined(__LP64__)
	CHECK(is_filtered() || prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 0);
#endif
}

/* umask is no matter, and a chmod would be refused. */
static void
replacing_keeps_permissions(void)
{
	struct stat st;

	umask(027);
	write_output(in(outputs, "wide"));
	CHECK(stat(in(outputs, "wide"), &st) == 0 && (st.st_mode & 0777) == 0664);
	write_output(in(outputs, "narrow"));
	CHECK(stat(in(outputs, "narrow"), &st) == 0 && (st.st_mode & 0777) == 0600);
	CHECK(umask(0) == 027);
}

static void
a_forbidden_act_is_refused_to_all_threads(void)
{
	if (!confined("-", readers_write_nothing))
		SKIP("this kernel confines nobody");
	CHECK(confined(in(outputs, "file"), writers_write_their_output));
	CHECK(confined(in(others, "to-output"), writers_replace_what_a_link_leads_to));
	CHECK(confined(device, writers_write_to_a_device));
	CHECK(confined("-", a_filter_is_there_where_it_can_be));
	CHECK(confined(in(outputs, "wide"), replacing_keeps_permissions));
}

/* A relative path, and a folder that is not there: what it is asked for is an error of its own. */
static void
here(void)
{
	CHECK(create(".", "relative") == 0 && unlink("relative") == 0);
	CHECK(create(others, "new") == EACCES);
}

static void
nowhere(void)
{
	CHECK(create(others, "new") == EACCES);
	CHECK(create(outputs, "absent/new") == ENOENT);
}

static void
paths_are_found_as_they_are_given(void)
{
	CHECK(chdir(outputs) == 0);
	CHECK(confined("file", here) && confined("./file///", here));
	CHECK(confined(in(outputs, "absent/file"), nowhere));
}

static void
make_folders(void)
{
	snprintf(spills, sizeof(spills), "%s", generate_path("spills"));
	snprintf(outputs, sizeof(outputs), "%s", generate_path("outputs"));
	snprintf(others, sizeof(others), "%s", generate_path("others"));
	CHECK(mkdir(spills, 0777) == 0 && mkdir(outputs, 0777) == 0 && mkdir(others, 0777) == 0);
	CHECK(setenv("TMPDIR", spills, 1) == 0);
	generate_file(in(others, "there"), "old", 3);
	generate_file(in(outputs, "linked"), "old", 3);
	generate_file(in(outputs, "beside"), "old", 3);
	generate_file(in(outputs, "wide"), "old", 3);
	generate_file(in(outputs, "narrow"), "old", 3);
	generate_file(in(spills, "beside"), "old", 3);
	CHECK(chmod(in(outputs, "wide"), 0664) == 0 && chmod(in(outputs, "narrow"), 0600) == 0);
	datagrams = socket(AF_INET, SOCK_DGRAM, 0);
	CHECK(symlink("../outputs/linked", in(others, "to-output")) == 0);
}

static void
remove_folders(void)
{
	static const char *const name[] = { "file",      "linked", "relative", "there",
		                            "to-output", "beside", "wide",     "narrow" };
	char *folder[] = { spills, outputs, others };

	for (size_t i = 0; i < TRC_COUNT(folder); i++) {
		for (size_t k = 0; k < TRC_COUNT(name); k++)
			unlink(in(folder[i], name[k]));
		CHECK(rmdir(folder[i]) == 0);
	}
}

int
main(void)
{
	test_start();
	make_folders();
	RUN(a_forbidden_act_is_refused_to_all_threads);
	RUN(paths_are_found_as_they_are_given);
	remove_folders();
	return 0;
}
