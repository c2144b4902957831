/* SPDX-License-Identifier: MIT
 *
 * Many inputs by few words: files by their names, all files below a directory or in an archive, or
 * a list of these on standard input.
 */
#ifndef TRC_CMD_NAMES_FILES_H
#define TRC_CMD_NAMES_FILES_H

#include <stdbool.h>

#include "base/base.h"

/* A file to be looked at. */
struct trc_file {
	char *path;
	bool found;    /* below a directory, or in an archive, not named by anybody */
	bool left_out; /* only while files are looked for */
};

/* Zeroed memory is none. */
struct trc_files {
	struct trc_file *file;
	size_t n, cap;
};

/* What `reduce --simpoint` writes beside regions. */
enum trc_regions_file {
	TRC_REGIONS_ERRORS,
	TRC_REGIONS_TABLE,
	TRC_REGIONS_SIMPOINTS,
	TRC_REGIONS_WEIGHTS,
	TRC_REGIONS_FILES
};

extern const char *const trc_regions_file[TRC_REGIONS_FILES];

/* True if `folder` is one of regions: all of these are in it. */
bool trc_regions_in(const char *folder);

/* Adds a file by its name, whatever it is. */
int trc_files_put(struct trc_files *files, const char *path, struct trc_err *err) TRC_MUST_USE;

/* Sets *several to whether `path` is a directory, or an archive of several files. */
int trc_files_several(const char *path, bool *several, struct trc_err *err) TRC_MUST_USE;

/* Adds what is called `path`: a file, or all files below a directory, or in an archive of several.
 * These are searched to any depth in the order of their names as bytes; names that begin with a dot
 * are left out, as is what stands beside regions, and beside traces of DynamoRIO, and links to
 * directories are not followed. What cannot be looked at is added by its name; opening it reports
 * why. */
int trc_files_named(struct trc_files *files, const char *path, struct trc_err *err) TRC_MUST_USE;

/* The same for a word that may be "-", the list on standard input: a name a line, or with `nul` a
 * name before each NUL byte. */
int trc_files_add(struct trc_files *files, const char *word, bool nul,
                  struct trc_err *err) TRC_MUST_USE;

void trc_files_release(struct trc_files *files);

#endif
