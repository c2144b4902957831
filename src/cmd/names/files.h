/* SPDX-License-Identifier: MIT
 *
 * Finds many inputs by few words: files by name, all files below a directory or in an archive, or a
 * list of these on standard input.
 */
#ifndef TRC_CMD_NAMES_FILES_H
#define TRC_CMD_NAMES_FILES_H

#include <stdbool.h>

#include "base/base.h"

/* A file to be read or examined. */
struct trc_file {
	char *path;
	bool found;    /* in a directory or archive, not named by the user */
	bool left_out; /* used only during the search */
};

/* A list of files. Zeroed memory is an empty list. */
struct trc_files {
	struct trc_file *file;
	size_t n, cap;
};

/* The files that `reduce --simpoint` writes in addition to the regions. */
enum trc_regions_file {
	TRC_REGIONS_ERRORS,
	TRC_REGIONS_TABLE,
	TRC_REGIONS_SIMPOINTS,
	TRC_REGIONS_WEIGHTS,
	TRC_REGIONS_FILES
};

extern const char *const trc_regions_file[TRC_REGIONS_FILES];

/* Returns true if `folder` contains all of these files, so it is a folder of regions. */
bool trc_regions_in(const char *folder);

/* Adds a file by name without examining it. */
int trc_files_put(struct trc_files *files, const char *path, struct trc_err *err) TRC_MUST_USE;

/* Sets *several to true if `path` is a directory, or an archive of several files. */
int trc_files_several(const char *path, bool *several, struct trc_err *err) TRC_MUST_USE;

/* Adds the file `path`, or all files below that directory or in that archive of several files.
 * Directories are searched recursively, in byte order of the names. Left out are names that begin
 * with a dot, the additional files in a folder of regions, those that DynamoRIO writes next to its
 * traces, and links to directories. What cannot be examined is added by its name; opening it then
 * reports the reason. */
int trc_files_named(struct trc_files *files, const char *path, struct trc_err *err) TRC_MUST_USE;

/* Does the same for a word that may be "-", a list on standard input: one name per line, or with
 * `nul`, names that each end with a NUL byte. */
int trc_files_add(struct trc_files *files, const char *word, bool nul,
                  struct trc_err *err) TRC_MUST_USE;

void trc_files_release(struct trc_files *files);

#endif
