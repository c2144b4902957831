/* SPDX-License-Identifier: MIT
 *
 * partials PLAN FOLDER EACH PARTIAL...: what all shards of a plan would write, in folders of EACH,
 * where the traces of its shards are those of the PARTIALs in turn: cluster.sh measures merges of
 * more shards than can be computed in an afternoon. Files that are there are left.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/shard/plan_file.h"

enum { PATH = 4096, MOST = 64 };

static struct trc_err err;

static void
check(bool good, const char *what)
{
	if (good)
		return;
	fprintf(stderr, "partials: %s: %s\n", what, err.text);
	exit(1);
}

static void
write_partial(const struct trc_partial *p, const char *path)
{
	struct trc_out *out = trc_out_open(path, false, &err);

	check(out, path);
	trc_out_no_sync(out);
	check(trc_partial_write(p, out, &err) == 0 && trc_out_commit(out, &err) == 0, path);
	trc_out_close(out);
}

int
main(int argc, char **argv)
{
	const uint64_t each = argc > 4 ? strtoull(argv[3], NULL, 10) : 0;
	const size_t n = argc > 4 && argc - 4 < MOST ? (size_t)argc - 4 : 0;
	struct trc_partial like[MOST];
	struct trc_plan_file plan;

	check(each && n, "PLAN FOLDER EACH PARTIAL...");
	check(trc_plan_open(&plan, argv[1], &err) == 0, argv[1]);
	for (size_t k = 0; k < n; k++)
		check(trc_partial_read(&like[k], argv[4 + k], true, &err) == 0, argv[4 + k]);
	for (uint64_t i = 1; i <= plan.head.of; i++) {
		struct trc_partial *p = &like[(i - 1) % n];
		struct trc_slices files = { .n = 0 };
		struct trc_planned at;
		char path[PATH];

		check(trc_plan_read(&plan, i, &at, &files, &err) == 0, argv[1]);
		trc_slices_release(&files);
		p->first = p->last = i;
		p->from = at.from;
		p->to = at.to;
		snprintf(path, sizeof(path), "%s/%llu", argv[2],
		         (unsigned long long)((i - 1) / each + 1));
		(void)mkdir(path, 0777);
		snprintf(path, sizeof(path), "%s/%llu/%llu", argv[2],
		         (unsigned long long)((i - 1) / each + 1), (unsigned long long)i);
		if (access(path, F_OK))
			write_partial(p, path);
	}
	for (size_t k = 0; k < n; k++)
		trc_partial_release(&like[k]);
	trc_plan_close(&plan);
	return 0;
}
