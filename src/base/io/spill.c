/* SPDX-License-Identifier: MIT
 * Temporary files without names. */
#include "base/io/spill.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"

const char *
trc_spill_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : "/tmp";
}

int
trc_spill_open(struct trc_err *err)
{
	static const char name[] = "/trc-XXXXXX";
	const char *folder = trc_spill_folder();
	size_t len;
	char *path;
	int fd;

	len = strlen(folder);
	path = trc_alloc(len + sizeof(name), 1, err);
	if (!path)
		return -1;
	memcpy(path, folder, len);
	memcpy(path + len, name, sizeof(name));
	fd = mkstemp(path);
	if (fd < 0)
		trc_fail_errno(err, errno,
		               "cannot create a temporary file in '%s'; set TMPDIR to another "
		               "folder",
		               folder);
	else
		unlink(path);
	free(path);
	return fd;
}

static int
fail(struct trc_err *err)
{
	return trc_fail_errno(err, errno,
	                      "cannot use a temporary file; set TMPDIR to a folder with more "
	                      "space");
}

int
trc_spill_write(int fd, const void *p, size_t n, uint64_t offset, struct trc_err *err)
{
	const char *at = p;

	while (n > 0) {
		const ssize_t done = pwrite(fd, at, n, (off_t)offset);

		if (trc_interrupted(err))
			return -1;
		if (done < 0 && errno != EINTR)
			return fail(err);
		if (done > 0) {
			at += done;
			n -= (size_t)done;
			offset += (uint64_t)done;
		}
	}
	return 0;
}

int
trc_spill_read(int fd, void *p, size_t n, uint64_t offset, struct trc_err *err)
{
	char *at = p;

	while (n > 0) {
		const ssize_t done = pread(fd, at, n, (off_t)offset);

		if (trc_interrupted(err))
			return -1;
		if (done == 0)
			errno = EIO;
		if (done == 0 || (done < 0 && errno != EINTR))
			return fail(err);
		if (done > 0) {
			at += done;
			n -= (size_t)done;
			offset += (uint64_t)done;
		}
	}
	return 0;
}
