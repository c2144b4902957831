/* SPDX-License-Identifier: MIT
 * Whether an output is an input: by device and inode, since a link, /dev/stdin or a longer path are
 * other names of it. */
#include "cmd/names/overwrite.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/names/files.h"
#include "cmd/names/folder.h"
#include "cmd/names/manifest.h"

static bool
is_file(const struct stat *file, const char *path)
{
	struct stat st;
	const int failed = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &st) : stat(path, &st);

	return !failed && st.st_dev == file->st_dev && st.st_ino == file->st_ino;
}

int
trc_overwrite_check(const char *output, const char *input, const char *what, struct trc_err *err)
{
	struct trc_manifest manifest = { 0 };
	struct trc_files files = { 0 };
	struct stat st;
	bool same = false;
	int ret = 0;

	if (strcmp(output, "-") == 0 || stat(output, &st) || !S_ISREG(st.st_mode))
		return 0;
	if (trc_folder_is(input))
		ret = trc_files_named(&files, input, err);
	else
		same = is_file(&st, input);
	if (ret == 0 && trc_manifest_is(input))
		ret = trc_manifest_read(&manifest, input, err);
	for (size_t i = 0; !same && i < manifest.n; i++)
		same = is_file(&st, manifest.file[i].path);
	for (size_t i = 0; !same && i < files.n; i++)
		same = is_file(&st, files.file[i].path);
	trc_files_release(&files);
	trc_manifest_release(&manifest);
	if (same)
		ret = trc_fail(err,
		               "'%s' is the input, too, and %s would be lost; name another OUTPUT",
		               output, what ? what : "all that is in it");
	return ret;
}
