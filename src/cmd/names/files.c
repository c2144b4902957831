/* SPDX-License-Identifier: MIT */
#include "cmd/names/files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cmd/names/archive.h"
#include "cmd/names/folder.h"
#include "cmd/names/recorded.h"

const char *const trc_regions_file[TRC_REGIONS_FILES] = { "errors.tsv", "regions.tsv", "simpoints",
	                                                  "weights" };

bool
trc_regions_in(const char *folder)
{
	for (size_t i = 0; i < TRC_REGIONS_FILES; i++) {
		char path[4096];
		const int len = snprintf(path, sizeof(path), "%s/%s", folder, trc_regions_file[i]);

		if (len >= (int)sizeof(path) || access(path, F_OK))
			return false;
	}
	return true;
}

static bool
is_beside_regions(const char *name)
{
	for (size_t i = 0; i < TRC_REGIONS_FILES; i++)
		if (strcmp(name, trc_regions_file[i]) == 0)
			return true;
	return false;
}

/* Takes over `path`, which may be NULL after a failed allocation: then *err is set already. */
static int
add(struct trc_files *files, char *path, bool found, struct trc_err *err)
{
	if (!path || trc_grow(&files->file, &files->cap, files->n + 1, sizeof(*files->file), err)) {
		free(path);
		return -1;
	}
	files->file[files->n++] = (struct trc_file){ .path = path, .found = found };
	return 0;
}

int
trc_files_put(struct trc_files *files, const char *path, struct trc_err *err)
{
	return add(files, trc_strdup(path, err), false, err);
}

static int
by_path(const void *a, const void *b)
{
	return strcmp(((const struct trc_file *)a)->path, ((const struct trc_file *)b)->path);
}

/* Lists the names in a directory in sorted order. If it cannot be read, returns -1 with the errno
 * in *why. */
static int
list(const char *dir, struct trc_files *names, int *why, struct trc_err *err)
{
	DIR *d = opendir(dir);
	struct dirent *e;
	int ret = 0;

	*why = errno;
	if (!d)
		return -1;
	for (*why = errno = 0; ret == 0 && (e = readdir(d)); errno = 0)
		if (e->d_name[0] != '.')
			ret = add(names, trc_strdup(e->d_name, err), true, err);
	if (ret == 0)
		*why = errno;
	closedir(d);
	if (names->n > 0)
		qsort(names->file, names->n, sizeof(*names->file), by_path);
	return ret || *why ? -1 : 0;
}

static int search(struct trc_files *files, const char *dir, struct trc_err *err);

/* Adds a file, or all files below a directory. Takes over `path`. */
static int
look_at(struct trc_files *files, char *path, struct trc_err *err)
{
	struct stat link, st;
	int ret;

	if (!path)
		return -1;
	if (lstat(path, &link) || stat(path, &st) || S_ISREG(st.st_mode))
		return add(files, path, true, err);
	ret = S_ISDIR(link.st_mode) ? search(files, path, err) : 0;
	free(path);
	return ret;
}

static int
search(struct trc_files *files, const char *dir, struct trc_err *err)
{
	const bool regions = trc_regions_in(dir);
	struct trc_files names = { 0 };
	int why = 0, ret;

	ret = list(dir, &names, &why, err);
	if (ret && why)
		ret = add(files, trc_strdup(dir, err), false, err);
	else
		for (size_t i = 0; ret == 0 && i < names.n; i++)
			if (!regions || !is_beside_regions(names.file[i].path))
				ret = look_at(files, trc_folder_join(dir, names.file[i].path, err),
				              err);
	trc_files_release(&names);
	return ret;
}

int
trc_files_several(const char *path, bool *several, struct trc_err *err)
{
	const char *const *name;
	size_t n;

	*several = trc_folder_is(path);
	if (*several)
		return 0;
	if (trc_archive_files(path, &name, &n, err))
		return -1;
	*several = n > 0;
	return 0;
}

int
trc_files_named(struct trc_files *files, const char *path, struct trc_err *err)
{
	struct trc_err none = { 0 };
	const char *const *name;
	size_t n, before = files->n;
	int ret = 0;

	if (trc_folder_is(path))
		ret = search(files, path, err);
	else if (trc_archive_files(path, &name, &n, &none) || n == 0)
		return trc_files_put(files, path, err);
	else
		for (size_t i = 0; ret == 0 && i < n; i++)
			ret = add(files, trc_strdup(name[i], err), true, err);
	trc_recorded_leave_out(files, before);
	return ret;
}

static int
read_list(struct trc_files *files, int end, struct trc_err *err)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t len;
	int ret = 0;

	errno = 0;
	while (ret == 0 && (len = getdelim(&line, &room, end, stdin)) > 0) {
		if (line[len - 1] == end)
			line[--len] = 0;
		if (memchr(line, 0, (size_t)len))
			ret = trc_fail_as(err, TRC_USAGE,
			                  "the names on standard input end in NUL; use --null");
		else if (len > 0)
			ret = trc_files_named(files, line, err);
		errno = 0;
	}
	if (ret == 0 && trc_interrupted(err))
		ret = -1;
	else if (ret == 0 && !feof(stdin))
		ret = trc_fail_errno(err, errno, "cannot read the list on standard input");
	free(line);
	return ret;
}

int
trc_files_add(struct trc_files *files, const char *word, bool nul, struct trc_err *err)
{
	if (strcmp(word, "-") == 0)
		return read_list(files, nul ? 0 : '\n', err);
	return trc_files_named(files, word, err);
}

void
trc_files_release(struct trc_files *files)
{
	for (size_t i = 0; i < files->n; i++)
		free(files->file[i].path);
	free(files->file);
	*files = (struct trc_files){ 0 };
}
