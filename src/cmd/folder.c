/* SPDX-License-Identifier: MIT */
#include "cmd/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH = 3 };

char *
trc_folder_join(const char *folder, const char *name, struct trc_err *err)
{
	const size_t len = strlen(folder), room = len + strlen(name) + 2;
	const bool slash = len > 0 && folder[len - 1] == '/';
	char *path = trc_alloc(room, 1, err);

	if (path)
		snprintf(path, room, "%s%s%s", folder, slash ? "" : "/", name);
	return path;
}

/* TARGET.part-PID; to be freed. */
static char *
part_of(const char *target, struct trc_err *err)
{
	const size_t room = strlen(target) + 32;
	char *path = trc_alloc(room, 1, err);

	if (path)
		snprintf(path, room, "%s.part-%ld", target, (long)getpid());
	return path;
}

bool
trc_folder_is(const char *path)
{
	struct stat st;

	return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int
trc_folder_open(struct trc_folder *f, const char *target, struct trc_err *err)
{
	struct stat st;

	*f = (struct trc_folder){ NULL, NULL };
	if (strcmp(target, "-") == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "many files cannot go to standard output; name "
		                   "a folder");
	if (lstat(target, &st) == 0)
		return trc_fail(err, "'%s' exists; remove it, or name another folder", target);
	f->target = trc_strdup(target, err);
	if (!f->target)
		return -1;
	for (char *end = f->target + strlen(f->target); end > f->target + 1 && end[-1] == '/';)
		*--end = 0;
	f->part = part_of(f->target, err);
	if (f->part && mkdir(f->part, 0777) == 0)
		return 0;
	if (f->part)
		trc_fail_errno(err, errno, "cannot make '%s'", target);
	free(f->part);
	f->part = NULL;
	trc_folder_close(f);
	return -1;
}

char *
trc_folder_path(const struct trc_folder *f, const char *name, struct trc_err *err)
{
	char *path = trc_folder_join(f->part, name, err);
	char *slash = path ? strrchr(path, '/') : NULL;

	if (!path || !strchr(name, '/'))
		return path;
	*slash = 0;
	if (mkdir(path, 0777) != 0 && errno != EEXIST) {
		trc_fail_errno(err, errno, "cannot make '%s'", path);
		free(path);
		return NULL;
	}
	*slash = '/';
	return path;
}

int
trc_folder_commit(struct trc_folder *f, struct trc_err *err)
{
	if (rename(f->part, f->target) != 0)
		return trc_fail_errno(err, errno, "cannot rename '%s' to '%s'", f->part, f->target);
	free(f->part);
	f->part = NULL;
	return 0;
}

/* Removes what is in a folder, and the folder. */
static void
remove_all(const char *path, int depth)
{
	DIR *dir = opendir(path);
	struct dirent *e;
	struct trc_err err;

	while (dir && (e = readdir(dir))) {
		char *inner;

		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		inner = trc_folder_join(path, e->d_name, &err);
		if (inner && unlink(inner) != 0 && depth > 0)
			remove_all(inner, depth - 1);
		free(inner);
	}
	if (dir)
		closedir(dir);
	rmdir(path);
}

void
trc_folder_close(struct trc_folder *f)
{
	if (f->part)
		remove_all(f->part, DEPTH);
	free(f->part);
	free(f->target);
	*f = (struct trc_folder){ NULL, NULL };
}
