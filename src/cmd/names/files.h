/* SPDX-License-Identifier: MIT
 *
 * Many inputs by few words: files by their names, all files below a directory, or a list of either
 * on standard input.
 */
#ifndef TRC_CMD_NAMES_FILES_H
#define TRC_CMD_NAMES_FILES_H

#include <stdbool.h>

#include "base/base.h"

/* A file to be looked at. */
struct trc_file {
	char *path;
	bool found; /* below a directory, not named by anybody */
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

/* Adds what is called `path`: a file, or all files below a directory. These are searched to any
 * depth in the order of their names as bytes; names that begin with a dot are left out, as are what
 * stands beside regions, and links to directories are not followed. What cannot be looked at is
 * added by its name; opening it reports why. */
int trc_files_named(struct trc_files *files, const char *path, struct trc_err *err) TRC_MUST_USE;

/* The same for a word that may be "-", the list on standard input: a name a line, or with `nul` a
 * name before each NUL byte. */
int trc_files_add(struct trc_files *files, const char *word, bool nul,
                  struct trc_err *err) TRC_MUST_USE;

void trc_files_release(struct trc_files *files);

#endif
