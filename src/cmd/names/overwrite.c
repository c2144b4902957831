/* SPDX-License-Identifier: MIT */
#include "cmd/names/overwrite.h"

#include "base/io/reads.h"
#include "cmd/names/files.h"
#include "cmd/names/folder.h"
#include "cmd/names/manifest.h"

/* Adds a file, and those that it names as a manifest. If the manifest cannot be read, its later
 * reader reports that. */
static int
add_file(const char *path, bool named, struct trc_err *err)
{
	struct trc_manifest manifest = { 0 };
	struct trc_err none = { 0 };
	int ret = trc_reads_add_path(path, err);

	if (ret || !named || !trc_manifest_is(path) || trc_manifest_read(&manifest, path, &none))
		return ret;
	for (size_t i = 0; ret == 0 && i < manifest.n; i++)
		ret = trc_reads_add_path(manifest.file[i].path, err);
	trc_manifest_release(&manifest);
	return ret;
}

int
trc_overwrite_add(const char *input, bool named, struct trc_err *err)
{
	struct trc_files files = { 0 };
	int ret;

	if (!trc_folder_is(input)) /* an archive is a single file that is read */
		return add_file(input, named, err);
	ret = trc_files_named(&files, input, err);
	for (size_t i = 0; ret == 0 && i < files.n; i++)
		ret = add_file(files.file[i].path, named, err);
	trc_files_release(&files);
	return ret;
}

int
trc_overwrite_add_word(const char *word, struct trc_err *err)
{
	return trc_folder_is(word) ? 0 : add_file(word, true, err);
}
