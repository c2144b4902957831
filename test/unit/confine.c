/* SPDX-License-Identifier: MIT
 * What is given up is refused by the kernel, to all threads; what is needed is not. */
#define _GNU_SOURCE
#include "base/io/confine.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io/out.h"
#include "base/io/spill.h"
#include "generate.h"
#include "test.h"

/* Folders of the test: TMPDIR, that of outputs, and one that nobody is to write to. */
static char spills[128], outputs[128], others[128];

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
	return error_of(open(in(folder, name), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
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

/* A connection to a port where nobody listens. */
static int
connect_somewhere(void)
{
	const int fd = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
	int ret;

	if (fd < 0)
		return EACCES;
	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ret = connect(fd, (struct sockaddr *)&to, sizeof(to)) < 0 ? errno : 0;
	close(fd);
	return ret;
}

static void *
refused_here(void *none)
{
	(void)none;
	CHECK(create(others, "new") == EACCES);
	CHECK(error_of(open(in(others, "there"), O_WRONLY | O_CLOEXEC)) == EACCES);
	CHECK(error_of(unlink(in(others, "there"))) == EACCES);
	CHECK(error_of(mkdir(in(others, "folder"), 0777)) == EACCES);
	CHECK(error_of(symlink("there", in(others, "link"))) == EACCES);
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
	CHECK(execute() == EACCES);
	/* Kernels before 6.7 leave connections alone. */
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

static void
readers_write_nothing(void)
{
	CHECK(create(outputs, "new") == EACCES);
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
	refused();
	spilled();
}

static void
writers_replace_what_a_link_leads_to(void)
{
	write_output(in(others, "to-output"));
	refused();
}

static void
writers_write_to_a_device(void)
{
	CHECK(create(outputs, "new") == EACCES);
	write_output("/dev/null");
	refused();
}

static void
a_forbidden_act_is_refused_to_all_threads(void)
{
	if (!confined("-", readers_write_nothing))
		SKIP("this kernel confines nobody");
	CHECK(confined(in(outputs, "file"), writers_write_their_output));
	CHECK(confined(in(others, "to-output"), writers_replace_what_a_link_leads_to));
	CHECK(confined("/dev/null", writers_write_to_a_device));
}

/* A relative path, and a folder that is not there: what it is asked for is an error of its own. */
static void
here(void)
{
	CHECK(create(".", "relative") == 0);
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
	CHECK(symlink("../outputs/linked", in(others, "to-output")) == 0);
}

static void
remove_folders(void)
{
	static const char *const name[] = { "file", "linked", "relative", "there", "to-output" };
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
