/* SPDX-License-Identifier: MIT
 *
 * Uses Landlock as Documentation/userspace-api/landlock.rst of Linux describes it: the rights in a
 * set are lost, except where rules grant them. Its constants are defined here, because trc may be
 * built with headers older than the kernel it runs on. Rights to read are not in the set: inputs
 * may be anywhere, and their names come from folders and lists. Files that are already open are not
 * affected.
 */
#define _GNU_SOURCE /* syscall(), O_PATH, realpath() */
#include "base/io/confine.h"

#include <fcntl.h>
#include <string.h>

#ifdef __linux__
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "base/io/filter.h"
#include "base/io/spill.h"

/* /dev/null, opened before confinement would refuse it; -1: not open */
static int null = -1;

int
trc_confine_open(const char *path)
{
	if (null >= 0 && strcmp(path, "/dev/null") == 0)
		return fcntl(null, F_DUPFD_CLOEXEC, 0);
	return open(path, O_WRONLY | O_CLOEXEC);
}

#if defined(SYS_landlock_create_ruleset) && !defined(TRC_UNCONFINED)

/* Rights to files, and the versions that introduced them. */
enum {
	EXECUTE = 1 << 0,
	WRITE_FILE = 1 << 1,
	REMOVE_DIR = 1 << 4,
	REMOVE_FILE = 1 << 5,
	MAKE_CHAR = 1 << 6,
	MAKE_DIR = 1 << 7,
	MAKE_REG = 1 << 8,
	MAKE_SOCK = 1 << 9,
	MAKE_FIFO = 1 << 10,
	MAKE_BLOCK = 1 << 11,
	MAKE_SYM = 1 << 12,
	REFER = 1 << 13,    /* version 2: moving a file to another folder */
	TRUNCATE = 1 << 14, /* version 3 */

	FILES = WRITE_FILE | TRUNCATE,
	FOLDERS = FILES | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | REFER,
	ALL = FOLDERS | EXECUTE | MAKE_CHAR | MAKE_SOCK | MAKE_FIFO | MAKE_BLOCK | MAKE_SYM,
};

enum {
	BIND_AND_CONNECT = 1 << 0 | 1 << 1, /* version 4 */
	ABSTRACT_SOCKETS = 1 << 0,          /* version 6 */
	VERSION_ONLY = 1 << 0,
	RULE_BENEATH = 1,
};

/* Structures of the kernel interface. */
struct ruleset {
	uint64_t files, network, scoped;
};

struct beneath {
	uint64_t rights;
	int32_t fd;
} __attribute__((packed));

/* Grants `rights` to `path` and everything below it. A missing path needs none. */
static bool
allow(int set, const char *path, uint64_t rights)
{
	struct beneath rule = { .rights = rights };
	bool done;

	rule.fd = open(path, O_PATH | O_CLOEXEC);
	if (rule.fd < 0)
		return true;
	done = syscall(SYS_landlock_add_rule, set, RULE_BENEATH, &rule, 0) == 0;
	close(rule.fd);
	return done;
}

static bool
is_device(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 && strcmp(path, "/dev/null") != 0 && stat(path, &st) == 0 &&
	       !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
}

/* Grants the rights to write a file at `path`: in its folder, or in that of the target if it is a
 * link, because the target is replaced. */
static bool
allow_output(int set, const char *path, uint64_t handled)
{
	char folder[PATH_MAX + 1], *slash;

	if (strcmp(path, "-") == 0 || strcmp(path, "/dev/null") == 0)
		return true;
	if (is_device(path))
		return allow(set, path, FILES & handled);
	if (!realpath(path, folder)) {
		if (strlen(path) >= sizeof(folder))
			return true;
		strcpy(folder, path);
	}
	for (size_t n = strlen(folder); n > 1 && folder[n - 1] == '/'; n--)
		folder[n - 1] = 0;
	slash = strrchr(folder, '/');
	if (slash)
		slash[slash == folder] = 0;
	return allow(set, slash ? folder : ".", FOLDERS & handled);
}

static bool
confine_files(const char *path)
{
	const long version = syscall(SYS_landlock_create_ruleset, NULL, 0, VERSION_ONLY);
	const struct ruleset rules = {
		.files = version >= 3 ? ALL : ALL & ~(uint64_t)TRUNCATE,
		.network = version >= 4 ? BIND_AND_CONNECT : 0,
		.scoped = version >= 6 ? ABSTRACT_SOCKETS : 0,
	};
	bool done;
	int set;

	/* A split moves files to other folders, which version 1 always refuses. */
	if (version < 2)
		return false;
	set = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof(rules), 0);
	if (set < 0)
		return false;
	done = allow(set, trc_spill_folder(), FOLDERS & rules.files) &&
	       allow_output(set, path, rules.files) &&
	       syscall(SYS_landlock_restrict_self, set, 0) == 0;
	close(set);
	return done;
}

bool
trc_confine(const char *path)
{
	bool done;

	null = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return false;
	done = confine_files(path);
	(void)trc_filter_calls(is_device(path));
	return done;
}

#else

bool
trc_confine(const char *path)
{
	(void)path;
	return false;
}

#endif
