/* SPDX-License-Identifier: MIT */
#include "cmd/shard/number.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/opt.h"

/* Reads a number from the environment; returns false if there is none. */
static bool
from_environment(const char *name, uint64_t *v)
{
	const char *text = getenv(name);

	return text && trc_opt_number(text, false, v);
}

/* The task of a Slurm array. Its numbers have to be consecutive, since gaps would leave shards out
 * unnoticed. */
static int
number_of_task(struct trc_shard_number *shard, struct trc_err *err)
{
	uint64_t id, least, most, count, step;

	if (from_environment("SLURM_ARRAY_TASK_ID", &id) &&
	    from_environment("SLURM_ARRAY_TASK_MIN", &least) &&
	    from_environment("SLURM_ARRAY_TASK_MAX", &most) &&
	    from_environment("SLURM_ARRAY_TASK_COUNT", &count)) {
		if (!from_environment("SLURM_ARRAY_TASK_STEP", &step) || step == 0)
			step = 1;
		if (id < least || id > most || count == 0 || (most - least) / step + 1 != count)
			return trc_fail_as(err, TRC_USAGE,
			                   "--shard auto: the array has gaps: %llu tasks from "
			                   "%llu to %llu; number it from 1, and use --shard "
			                   "auto/N",
			                   (ull)count, (ull)least, (ull)most);
		*shard = (struct trc_shard_number){ (id - least) / step + 1, count };
		return 0;
	}
	return trc_fail_as(err, TRC_USAGE,
	                   "--shard auto: SLURM_ARRAY_TASK_ID and _COUNT are not set, so this is "
	                   "not a Slurm job array; for another scheduler, use --shard auto/N or "
	                   "I/N");
}

/* The task of an array whose `of` tasks are numbered from 1. */
static int
number_of_task_of(uint64_t of, struct trc_shard_number *shard, struct trc_err *err)
{
	static const char *const name[] = { "SLURM_ARRAY_TASK_ID", "PBS_ARRAY_INDEX", "PBS_ARRAYID",
		                            "SGE_TASK_ID", "LSB_JOBINDEX" };
	uint64_t id;

	for (size_t i = 0; i < TRC_COUNT(name); i++) {
		if (!from_environment(name[i], &id))
			continue;
		if (id == 0 || id > of)
			return trc_fail_as(err, TRC_USAGE,
			                   "--shard auto/%llu: %s is %llu; number the array from 1 "
			                   "to %llu",
			                   (ull)of, name[i], (ull)id, (ull)of);
		*shard = (struct trc_shard_number){ id, of };
		return 0;
	}
	return trc_fail_as(err, TRC_USAGE,
	                   "--shard auto/%llu: not a job array: neither SLURM_ARRAY_TASK_ID nor "
	                   "PBS_ARRAY_INDEX is set",
	                   (ull)of);
}

static int
number_of(const char *text, bool quiet, struct trc_shard_number *shard, struct trc_err *err)
{
	const char *slash = strchr(text, '/');
	const bool automatic = slash ? strncmp(text, "auto/", 5) == 0 : strcmp(text, "auto") == 0;
	char first[32] = "";
	int ret = 0;

	if (slash && slash - text < (ptrdiff_t)sizeof(first))
		memcpy(first, text, (size_t)(slash - text));
	if (automatic && !slash) {
		ret = number_of_task(shard, err);
	} else if (!slash || !trc_opt_number(slash + 1, false, &shard->of) || shard->of == 0) {
		return trc_fail_as(err, TRC_USAGE,
		                   "--shard: '%s' is not a shard; write 3/16, auto, or auto/16",
		                   text);
	} else if (automatic) {
		ret = number_of_task_of(shard->of, shard, err);
	} else if (!trc_opt_number(first, false, &shard->i) || shard->i == 0 ||
	           shard->i > shard->of) {
		return trc_fail_as(err, TRC_USAGE, "--shard: '%s': shards are 1/%llu to %llu/%llu",
		                   text, (ull)shard->of, (ull)shard->of, (ull)shard->of);
	}
	if (ret == 0 && automatic && !quiet)
		fprintf(stderr, "trc: note: this is shard %llu/%llu\n", (ull)shard->i,
		        (ull)shard->of);
	return ret;
}

int
trc_shard_number(const char *text, uint64_t planned, bool quiet, struct trc_shard_number *shard,
                 struct trc_err *err)
{
	char whole[96];

	if (!planned)
		return number_of(text, quiet, shard, err);
	snprintf(whole, sizeof(whole), "%.64s", text);
	if (!strchr(whole, '/'))
		snprintf(whole + strlen(whole), sizeof(whole) - strlen(whole), "/%llu",
		         (ull)planned);
	if (number_of(whole, quiet, shard, err))
		return -1;
	return shard->of == planned ?
	               0 :
	               trc_fail_as(err, TRC_USAGE, "--shard: '%s': the plan has %llu shards", text,
	                           (ull)planned);
}
