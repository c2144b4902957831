/* SPDX-License-Identifier: MIT
 * Writes output next to its target and renames it when complete. */
#define _GNU_SOURCE /* F_SETPIPE_SZ, realpath() */
#include "base/io/out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/io/confine.h"
#include "base/io/reads.h"

/* The name of standard output in messages: that of the file that replaced it. */
static char standard[256] = "standard output";

enum { PIPE_ROOM = 1 << 20 }; /* the maximum that Linux allows any user */

static int
open_part(struct trc_out *out, const char *path, const mode_t *mode, struct trc_err *err)
{
	out->fd = trc_temporary_file(&out->part, path, mode, err);
	return out->fd < 0 ? -1 : 0;
}

static int
open_target(struct trc_out *out, const char *path, struct trc_err *err)
{
	struct stat st;
	char real[PATH_MAX];

	if (strcmp(path, "-") == 0) {
		out->name = standard;
		out->fd = STDOUT_FILENO;
		return 0;
	}
	out->path = trc_strdup(path, err);
	if (!out->path)
		return -1;
	out->name = out->path;
	if (stat(path, &st) != 0) {
		if (lstat(path, &st) == 0 && S_ISLNK(st.st_mode))
			return trc_fail(err, "'%s' is a link to a file that does not exist", path);
		return open_part(out, path, NULL, err);
	}
	if (S_ISDIR(st.st_mode))
		return trc_fail(err, "'%s' is a directory", path);
	if (!S_ISREG(st.st_mode) && trc_reads_check(path, NULL, err))
		return -1;
	if (!S_ISREG(st.st_mode)) {
		out->fd = trc_confine_open(path);
		return out->fd < 0 ? trc_fail_errno(err, errno, "cannot write '%s'", path) : 0;
	}
	if (!out->force)
		return trc_temporary_exists(path, err);
	if (!out->over_input && trc_reads_check(path, NULL, err))
		return -1;
	/* If the target is a link, the file it points to is replaced, so the temporary file must be
	 * next to that. */
	if (!realpath(path, real))
		return trc_fail_errno(err, errno, "cannot write '%s'", path);
	/* The new file gets the permissions of the old one, so nobody else can read it. */
	return open_part(out, real, &st.st_mode, err);
}

/* Enlarges a pipe to hold what is written at once, so both of its ends work at the same time. Has
 * no effect on other files. */
static void
widen_pipe(int fd)
{
#ifdef F_SETPIPE_SZ
	(void)fcntl(fd, F_SETPIPE_SZ, PIPE_ROOM);
#else
	(void)fd;
#endif
}

static struct trc_out *
open_out(const char *path, bool force, bool over_input, struct trc_err *err)
{
	struct trc_out *out = trc_alloc(1, sizeof(*out), err);

	if (!out)
		return NULL;
	out->fd = -1;
	out->force = force;
	out->over_input = over_input;
	out->sync = true;
	out->buf = trc_alloc_room(TRC_OUT_ROOM, 1, err);
	if (!out->buf || open_target(out, path, err)) {
		trc_out_close(out);
		return NULL;
	}
	widen_pipe(out->fd);
	out->p = out->buf;
	out->end = out->buf + TRC_OUT_ROOM;
	return out;
}

struct trc_out *
trc_out_open(const char *path, bool force, struct trc_err *err)
{
	return open_out(path, force, false, err);
}

struct trc_out *
trc_out_open_over_input(const char *path, struct trc_err *err)
{
	return open_out(path, true, true, err);
}

static int
write_all(struct trc_out *out, const uint8_t *p, size_t n, struct trc_err *err)
{
	while (n > 0) {
		ssize_t done;

		if (trc_interrupted(err))
			return -1;
		done = write(out->fd, p, n);
		if (done < 0 && errno != EINTR)
			return trc_fail_errno(err, errno, "cannot write '%s'", out->name);
		if (done > 0) {
			p += done;
			n -= (size_t)done;
		}
	}
	return 0;
}

/* Packs and writes `n` bytes; with `last`, also writes all that is buffered in the packer. */
static int
write_packed(struct trc_out *out, const uint8_t *p, size_t n, bool last, struct trc_err *err)
{
	struct trc_packer *packer = out->packer;
	enum trc_step step = TRC_STEP_MORE;

	packer->src = p;
	packer->len = n;
	while (last ? step != TRC_STEP_MEMBER : packer->len > 0) {
		if (trc_interrupted(err))
			return -1;
		packer->dst = out->packed;
		packer->room = TRC_OUT_ROOM;
		step = packer->row->pack_step(packer, last, err);
		if (step == TRC_STEP_FAILED)
			return trc_err_in(err, "%s", out->name);
		if (write_all(out, out->packed, TRC_OUT_ROOM - packer->room, err))
			return -1;
	}
	return 0;
}

static int
drain(struct trc_out *out, const uint8_t *p, size_t n, struct trc_err *err)
{
	out->flushed += n;
	return out->packer ? write_packed(out, p, n, false, err) : write_all(out, p, n, err);
}

int
trc_out_flush(struct trc_out *out, struct trc_err *err)
{
	size_t n = (size_t)(out->p - out->buf);

	out->p = out->buf;
	return drain(out, out->buf, n, err);
}

int
trc_out_pack(struct trc_out *out, const struct trc_packing *row, int level, struct trc_err *err)
{
	out->packed = trc_alloc(TRC_OUT_ROOM, 1, err);
	if (!out->packed)
		return -1;
	out->packer = trc_pack_open(row, level, err);
	return out->packer ? 0 : -1;
}

int
trc_out_room(struct trc_out *out, size_t n, struct trc_err *err)
{
	return (size_t)(out->end - out->p) >= n ? 0 : trc_out_flush(out, err);
}

int
trc_out_put(struct trc_out *out, const void *bytes, size_t n, struct trc_err *err)
{
	if ((size_t)(out->end - out->p) < n && trc_out_flush(out, err))
		return -1;
	if ((size_t)(out->end - out->p) < n)
		return drain(out, bytes, n, err);
	if (n > 0)
		memcpy(out->p, bytes, n);
	out->p += n;
	return 0;
}

bool
trc_out_rewritable(const struct trc_out *out)
{
	struct stat st;
	const bool device = fstat(out->fd, &st) == 0 && S_ISCHR(st.st_mode); /* /dev/null */

	return !out->packer && (out->part.path || (device && lseek(out->fd, 0, SEEK_CUR) == 0));
}

int
trc_out_rewrite(struct trc_out *out, uint64_t at, const void *bytes, size_t n, struct trc_err *err)
{
	for (size_t done = 0; done < n;) {
		const ssize_t more = pwrite(out->fd, (const uint8_t *)bytes + done, n - done,
		                            (off_t)(at + done));

		if (more < 0 && errno != EINTR)
			return trc_fail_errno(err, errno, "cannot write '%s'", out->name);
		done += more > 0 ? (size_t)more : 0;
	}
	return 0;
}

uint64_t
trc_out_offset(const struct trc_out *out)
{
	return out->flushed + (uint64_t)(out->p - out->buf);
}

void
trc_out_no_sync(struct trc_out *out)
{
	out->sync = false;
}

int
trc_out_commit(struct trc_out *out, struct trc_err *err)
{
	int fd = out->fd;

	if (trc_out_flush(out, err) || (out->packer && write_packed(out, out->buf, 0, true, err)))
		return -1;
	if (fd == STDOUT_FILENO)
		return 0;
	if (out->sync && out->part.path && trc_temporary_sync(fd, out->name, err))
		return -1;
	out->fd = -1;
	/* Network file systems may report a full disk only on close. */
	if (close(fd) != 0)
		return trc_fail_errno(err, errno, "cannot write '%s'", out->name);
	if (!out->part.path)
		return 0;
	if (out->force && !out->over_input && trc_reads_check(out->path, NULL, err))
		return -1;
	return trc_temporary_publish(&out->part, out->force ? TRC_PUBLISH_REPLACE : TRC_PUBLISH_NEW,
	                             out->sync, err);
}

void
trc_out_close(struct trc_out *out)
{
	if (!out)
		return;
	if (out->fd > STDERR_FILENO)
		close(out->fd);
	trc_temporary_close(&out->part);
	trc_pack_close(out->packer);
	free(out->packed);
	free(out->path);
	free(out->buf);
	free(out);
}

int
trc_out_replace_stdout(struct trc_out *out, struct trc_err *err)
{
	if (dup2(out->fd, STDOUT_FILENO) < 0)
		return trc_fail_errno(err, errno, "cannot write '%s'", out->name);
	snprintf(standard, sizeof(standard), "%s", out->name);
	return 0;
}

bool
trc_out_terminal(const struct trc_out *out)
{
	return isatty(out->fd);
}
