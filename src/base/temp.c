/* SPDX-License-Identifier: MIT */
#include "base/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
trc_temp_open(const char *dir, struct trc_err *err)
{
	const size_t room = strlen(dir) + 32;
	char *path = trc_alloc(room, 1, err);
	int fd;

	if (!path)
		return -1;
	snprintf(path, room, "%s/.trc-XXXXXX", dir);
	fd = mkstemp(path);
	if (fd < 0)
		trc_fail_errno(err, errno, "cannot make a temporary file in '%s'", dir);
	else
		unlink(path);
	if (fd >= 0)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	free(path);
	return fd;
}

int
trc_temp_write(int fd, const void *bytes, size_t n, uint64_t offset, struct trc_err *err)
{
	const char *p = bytes;

	while (n > 0) {
		const ssize_t done = pwrite(fd, p, n, (off_t)offset);

		if (done < 0 && errno != EINTR)
			return trc_fail_errno(err, errno, "cannot write a temporary file");
		if (done > 0) {
			p += done;
			n -= (size_t)done;
			offset += (uint64_t)done;
		}
	}
	return 0;
}

int
trc_temp_read(int fd, void *bytes, size_t n, uint64_t offset, struct trc_err *err)
{
	char *p = bytes;

	while (n > 0) {
		const ssize_t done = pread(fd, p, n, (off_t)offset);

		if (done < 0 && errno != EINTR)
			return trc_fail_errno(err, errno, "cannot read a temporary file");
		if (done == 0)
			return trc_fail(err, "a temporary file ends too early");
		if (done > 0) {
			p += done;
			n -= (size_t)done;
			offset += (uint64_t)done;
		}
	}
	return 0;
}
