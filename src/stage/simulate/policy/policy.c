/* SPDX-License-Identifier: MIT */
#include "stage/simulate/policy/policy.h"

#define POLICIES(P) \
	P(plru)     \
	P(srrip)    \
	P(clock)    \
	P(sieve)    \
	P(lfu)      \
	P(2q)       \
	P(arc)      \
	P(s3_fifo)

#define DECLARE(name) extern const struct trc_policy trc_policy_##name;
#define ROW(name) &trc_policy_##name,

POLICIES(DECLARE)

static const struct trc_policy by_the_cache[] = {
	[TRC_CACHE_LRU] = { .name = "lru",
	                    .doc = "LRU (Mattson, Gecsei, Slutz, Traiger 1970): the line used "
	                           "longest ago goes" },
	[TRC_CACHE_FIFO] = { .name = "fifo",
	                     .doc = "FIFO (Belady 1966): the line that came first goes, used "
	                            "since or not" },
	[TRC_CACHE_RANDOM] = { .name = "random",
	                       .doc = "RAND (Belady 1966): a line drawn by chance goes, each as likely; "
	                              "random=SEED gives the seed, else it is 1" },
	[TRC_CACHE_OPT] = { .name = "opt",
	                    .doc = "of MIN (Belady 1966): the line that is used again last goes; of "
	                           "lines not used again, the one used last. In the last level of "
	                           "caches alone. A write-back counts where its line is missed "
	                           "again, or would be when it is deleted, else at the end",
	                    .ahead = true },
};

const struct trc_policy *
trc_policy(size_t i)
{
	static const struct trc_policy *const row[] = { POLICIES(ROW) };

	if (i < TRC_COUNT(by_the_cache))
		return &by_the_cache[i];
	i -= TRC_COUNT(by_the_cache);
	return i < TRC_COUNT(row) ? row[i] : NULL;
}
