/* SPDX-License-Identifier: MIT */
#include "cmd/names/folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

	*f = (struct trc_folder){ 0 };
	if (strcmp(target, "-") == 0)
		return trc_fail_as(err, TRC_USAGE,
		                   "several files cannot go to standard output; name a folder");
	if (lstat(target, &st) == 0)
		return trc_fail(err, "'%s' exists; remove it, or choose another folder", target);
	return trc_temporary_folder(&f->part, target, false, err);
}

char *
trc_folder_path(const struct trc_folder *f, const char *name, struct trc_err *err)
{
	char *path = trc_folder_join(f->part.path, name, err);
	char *slash = path ? strrchr(path, '/') : NULL;

	if (!path || !strchr(name, '/'))
		return path;
	*slash = 0;
	if (mkdir(path, 0777) != 0 && errno != EEXIST) {
		trc_fail_errno(err, errno, "cannot create '%s'", path);
		free(path);
		return NULL;
	}
	*slash = '/';
	return path;
}

int
trc_folder_commit(struct trc_folder *f, bool sync, struct trc_err *err)
{
	return trc_temporary_publish(&f->part, TRC_PUBLISH_NEW, sync, err);
}

void
trc_folder_close(struct trc_folder *f)
{
	trc_temporary_close(&f->part);
}
