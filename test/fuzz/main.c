/* SPDX-License-Identifier: MIT
 *
 * Calls a fuzz target with every file named, and every file of every folder named: the whole of
 * fuzzing where there is no engine. Files that end in .hex are assembled first. Each is tried with
 * every first byte that read.c distinguishes; where tests are thinned out, with some, but all are
 * tried with one file or another.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/generate.h"
#include "../unit/test.h"
#include "fuzz.h"

enum { FIRST_BYTES = 32 };

static void
replay_file(const char *path)
{
	struct generate_bytes bytes = generate_corpus_bytes(path);
	uint8_t *p = malloc(bytes.len + 1);
	const size_t step = test_step_most(16);

	if (!p)
		abort();
	printf("%s\n", path);
	LLVMFuzzerTestOneInput(bytes.p, bytes.len);
	if (bytes.len > 0)
		memcpy(p + 1, bytes.p, bytes.len);
	for (size_t i = bytes.len % step; i < FIRST_BYTES; i += step) {
		p[0] = (uint8_t)i;
		LLVMFuzzerTestOneInput(p, bytes.len + 1);
	}
	free(p);
	free(bytes.p);
}

static void
replay(const char *path)
{
	DIR *dir = opendir(path);
	struct dirent *e;

	if (!dir) {
		replay_file(path);
		return;
	}
	while ((e = readdir(dir))) {
		char name[4096];

		snprintf(name, sizeof(name), "%s/%s", path, e->d_name);
		if (e->d_name[0] != '.')
			replay_file(name);
	}
	closedir(dir);
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		replay(argv[i]);
	return 0;
}
