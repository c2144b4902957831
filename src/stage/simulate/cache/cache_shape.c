/* SPDX-License-Identifier: MIT
 *
 * Checks shapes of caches.
 */
#include "stage/simulate/cache/cache.h"
#include "stage/simulate/cache/regions.h"

enum { LINES_MOST = 1 << 30 };

const char *
trc_cache_shape_wrong(const struct trc_cache_shape *s)
{
	const uint64_t set = s->line && s->ways && s->ways <= UINT64_MAX / s->line ?
	                             s->ways * s->line :
	                             0;
	const uint64_t sets = set ? s->size / set : 0;

	if (s->line < TRC_CACHE_LINE_LEAST || s->line & (s->line - 1) || s->line > 1u << 30)
		return "a line is a power of two from 1 byte to 1 GiB";
	if (s->ways == 0)
		return "there must be at least one way";
	if (!set || sets == 0 || s->size % set || sets & (sets - 1))
		return "the number of sets, SIZE / (WAYS * LINE), must be a power of two";
	if (trc_policy(s->policy)->pairs && s->ways & (s->ways - 1))
		return "with this policy, the number of ways must be a power of two";
	if (s->size / s->line > LINES_MOST)
		return "a cache can have at most 2^30 lines";
	if (sets * s->line > UINT64_C(1) << TRC_REGION_BITS)
		return "a way holds at most 4 GiB";
	if (s->prefetch.how && s->policy == TRC_CACHE_OPT)
		return "opt has no prefetcher, since it knows the future of demands only";
	return NULL;
}

const char *
trc_cache_level_wrong(const struct trc_cache_shape *shape, size_t n, size_t i)
{
	const size_t first = shape[0].part == TRC_CACHE_UNIFIED ? 1 : 2;

	if (shape[i].policy == TRC_CACHE_OPT && n > (i < first ? first : i + 1))
		return "opt chooses its victims from the future, too late for a level below; "
		       "only the last level can use it";
	return NULL;
}

const char *
trc_cache_inclusion_wrong(const struct trc_cache_shape *shape, size_t i)
{
	const enum trc_cache_inclusion inclusion = shape[i].inclusion;
	const size_t first = shape[0].part == TRC_CACHE_UNIFIED ? 1 : 2;
	const size_t from = inclusion == TRC_CACHE_INCLUSIVE || i <= first ? 0 : i - 1;

	if (inclusion == TRC_CACHE_NINE)
		return NULL;
	if (i < first)
		return "the first level has none above it";
	if (shape[i].policy == TRC_CACHE_OPT)
		return "opt chooses its victims from the future, too late for the levels above";
	for (size_t k = from; k < i; k++) {
		if (inclusion == TRC_CACHE_INCLUSIVE && shape[k].line > shape[i].line)
			return "lines of an inclusive level must be at least as large as those "
			       "above it";
		if (inclusion == TRC_CACHE_EXCLUSIVE && shape[k].line != shape[i].line)
			return "lines of an exclusive level must be as large as those above it";
	}
	return NULL;
}

bool
trc_cache_parts(const struct trc_cache_shape *shape, size_t n)
{
	if (n > (shape[0].part == TRC_CACHE_UNIFIED ? 1 : 2))
		return false;
	for (size_t i = 0; i < n; i++)
		if (shape[i].policy != TRC_CACHE_LRU || shape[i].prefetch.how)
			return false;
	return true;
}
