/* SPDX-License-Identifier: MIT
 *
 * Manifests: text files that list the files of a trace in order. They can be given wherever a file
 * is expected.
 *
 *   #trc manifest 1
 *   # a line that begins with this sign is a comment
 *   bytes=123456 fingerprint=0123456789abcdef traces/first.din.xz
 *   records=1-5000000 traces/second.trc
 *   blocks=3-8 /data/third.trc
 *
 * Each line is one file. Its name is the rest of the line after optional keys, which are checked or
 * select a part: its size in bytes; the fingerprint that trc_slices_init() computes; a range of
 * records, or of blocks of a container, counted from 1, including the last; without a last, up to
 * the end. Names are relative to the folder of the manifest.
 */
#ifndef TRC_CMD_NAMES_MANIFEST_H
#define TRC_CMD_NAMES_MANIFEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

#define TRC_MANIFEST_BEGINNING "#trc manifest"

/* A file, or a range of it. */
struct trc_manifest_file {
	char *path;
	size_t line; /* line number in the manifest, from 1 */
	bool sized, marked;
	uint64_t size, fingerprint;
	bool ranged, blocks;  /* `blocks`: the range counts blocks, not records */
	uint64_t first, last; /* from 1; last UINT64_MAX: to the end */
};

/* A manifest. Zeroed memory is an empty one. */
struct trc_manifest {
	struct trc_manifest_file *file;
	size_t n, cap;
};

/* Returns true if the file `path` begins like a manifest. */
bool trc_manifest_is(const char *path);

/* Reads a manifest of at least one file. Error messages begin with the path and line. */
int trc_manifest_read(struct trc_manifest *m, const char *path, struct trc_err *err) TRC_MUST_USE;
void trc_manifest_release(struct trc_manifest *m);

/* trc_manifest_name() returns the name to write for a file in the manifest or plan `answer`:
 * relative to its folder if the file is below it, else absolute. The path stays as it is if
 * `answer` is NULL, because its folder is unknown, or in the current folder. trc_manifest_beside()
 * is the inverse. The caller frees both results. */
char *trc_manifest_name(const char *answer, const char *path, struct trc_err *err) TRC_MUST_USE;
char *trc_manifest_beside(const char *manifest, const char *name, struct trc_err *err) TRC_MUST_USE;

#endif
