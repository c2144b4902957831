/* SPDX-License-Identifier: MIT */
#include "base/io/reads.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct id {
	dev_t device;
	ino_t inode;
};

static struct {
	pthread_mutex_t lock;
	struct id *id;
	size_t n, cap;
} reads = { .lock = PTHREAD_MUTEX_INITIALIZER };

static bool
is_it(const struct id *id, const struct stat *st)
{
	return id->inode == st->st_ino && id->device == st->st_dev;
}

static bool
stat_path(const char *path, struct stat *st)
{
	return (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, st) : stat(path, st)) == 0;
}

/* Only compares with the last file, so a file that is opened repeatedly may be added several times;
 * searching thousands would be slower. */
int
trc_reads_add(const struct stat *st, struct trc_err *err)
{
	int ret = 0;

	if (!S_ISREG(st->st_mode) && !S_ISBLK(st->st_mode))
		return 0;
	pthread_mutex_lock(&reads.lock);
	if (reads.n == 0 || !is_it(&reads.id[reads.n - 1], st)) {
		ret = trc_grow(&reads.id, &reads.cap, reads.n + 1, sizeof(*reads.id), err);
		if (ret == 0)
			reads.id[reads.n++] = (struct id){ st->st_dev, st->st_ino };
	}
	pthread_mutex_unlock(&reads.lock);
	return ret;
}

int
trc_reads_add_path(const char *path, struct trc_err *err)
{
	struct stat st;

	return stat_path(path, &st) ? trc_reads_add(&st, err) : 0;
}

void
trc_reads_forget(const char *path)
{
	struct stat st;

	if (!stat_path(path, &st))
		return;
	pthread_mutex_lock(&reads.lock);
	for (size_t i = reads.n; i > 0; i--)
		if (is_it(&reads.id[i - 1], &st))
			reads.id[i - 1] = reads.id[--reads.n];
	pthread_mutex_unlock(&reads.lock);
}

bool
trc_reads_same(const char *path, const char *input)
{
	struct stat a, b;

	return strcmp(path, "-") != 0 && stat_path(path, &a) && stat_path(input, &b) &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Finds the folder of a file that may not exist. */
static bool
stat_folder_of(const char *path, const char *name, struct stat *st)
{
	char folder[PATH_MAX];
	const int len = snprintf(folder, sizeof(folder), "%.*s.", (int)(name - path), path);

	return len < (int)sizeof(folder) && stat(folder, st) == 0;
}

bool
trc_reads_same_place(const char *a, const char *b)
{
	const char *a_slash = strrchr(a, '/'), *b_slash = strrchr(b, '/');
	const char *a_name = a_slash ? a_slash + 1 : a, *b_name = b_slash ? b_slash + 1 : b;
	struct stat x, y;

	if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
		return false;
	if (stat(a, &x) == 0 && stat(b, &y) == 0)
		return (S_ISREG(x.st_mode) || S_ISDIR(x.st_mode)) && x.st_dev == y.st_dev &&
		       x.st_ino == y.st_ino;
	return strcmp(a_name, b_name) == 0 && stat_folder_of(a, a_name, &x) &&
	       stat_folder_of(b, b_name, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int
trc_reads_check(const char *path, const char *what, struct trc_err *err)
{
	struct stat st;
	bool is = false;

	if (strcmp(path, "-") == 0 || !stat_path(path, &st))
		return 0;
	pthread_mutex_lock(&reads.lock);
	for (size_t i = 0; !is && i < reads.n; i++)
		is = is_it(&reads.id[i], &st);
	pthread_mutex_unlock(&reads.lock);
	return is ? trc_fail(err,
	                     "'%s' is also an input, and %s would be lost; choose another OUTPUT",
	                     path, what ? what : "everything in it") :
	            0;
}
