/* SPDX-License-Identifier: MIT
 *
 * Where traces are that are not ours to copy: in a folder of the one that TRC_SHARED names, or else
 * the first argument.
 */
#ifndef TRC_TEST_PUBLISHED_SHARED_H
#define TRC_TEST_PUBLISHED_SHARED_H

#include "../unit/test.h"

static char shared_folder[3000];

static inline void
shared_start(const char *name, int argc, char **argv)
{
	const char *above = getenv("TRC_SHARED");

	test_start();
	if (!above)
		above = argc > 1 ? argv[1] : ".";
	snprintf(shared_folder, sizeof(shared_folder), "%s/%s", above, name);
}

/* The path of a file there, until the next call. */
static inline const char *
shared_path(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/%s", shared_folder, name);
	return path;
}

#endif
