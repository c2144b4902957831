/* SPDX-License-Identifier: MIT
 *
 * Manifests: a text that names the files of a trace, in order, where a file is expected.
 *
 *   #trc manifest 1
 *   # what begins with this sign is for people
 *   bytes=123456 fingerprint=0123456789abcdef traces/first.din.xz
 *   records=1-5000000 traces/second.trc
 *   blocks=3-8 /data/third.trc
 *
 * A line is a file, whose name is the rest of the line behind what is to be checked or chosen of
 * it: its length; the fingerprint that trc_slices_init() takes; records, or blocks of a container,
 * from 1, the last included, or to the end if there is none. A name is relative to the folder of
 * the manifest.
 */
#ifndef TRC_CMD_NAMES_MANIFEST_H
#define TRC_CMD_NAMES_MANIFEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

#define TRC_MANIFEST_BEGINNING "#trc manifest"

/* A file, or some of it. */
struct trc_manifest_file {
	char *path;
	size_t line; /* of the manifest, from 1 */
	bool sized, marked;
	uint64_t size, fingerprint;
	bool ranged, blocks;  /* the range is one of blocks */
	uint64_t first, last; /* from 1; the last UINT64_MAX: to the end */
};

/* Zeroed memory is none. */
struct trc_manifest {
	struct trc_manifest_file *file;
	size_t n, cap;
};

/* True if the file `path` begins as one. */
bool trc_manifest_is(const char *path);

/* Reads all of it: at least one file. Fails with a sentence that begins with the path and line. */
int trc_manifest_read(struct trc_manifest *m, const char *path, struct trc_err *err) TRC_MUST_USE;
void trc_manifest_release(struct trc_manifest *m);

/* A file as its name stands in a manifest or plan `answer`, NULL where nobody knows in which folder
 * that is: relative to that folder where the file is below it, else absolute; and back. To be
 * freed. */
char *trc_manifest_name(const char *answer, const char *path, struct trc_err *err) TRC_MUST_USE;
char *trc_manifest_beside(const char *manifest, const char *name, struct trc_err *err) TRC_MUST_USE;

#endif
