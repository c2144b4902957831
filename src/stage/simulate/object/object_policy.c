/* SPDX-License-Identifier: MIT
 *
 * The list of policies of object caches.
 */
#include <string.h>

#include "stage/simulate/object/object_cache.h"

extern const struct trc_object_policy trc_object_lists[], trc_object_shared_queues[],
        trc_object_ranked[], trc_object_w_tinylfu[]; /* each ends with a row without a name */

const struct trc_object_policy *
trc_object_policy(size_t i)
{
	static const struct trc_object_policy *const family[] = {
		trc_object_lists, trc_object_shared_queues, trc_object_ranked, trc_object_w_tinylfu
	};

	for (size_t f = 0; f < TRC_COUNT(family); f++)
		for (const struct trc_object_policy *p = family[f]; p->name; p++)
			if (i-- == 0)
				return p;
	return NULL;
}

const struct trc_object_policy *
trc_object_policy_named(const char *name)
{
	const struct trc_object_policy *p;

	for (size_t i = 0; (p = trc_object_policy(i)) != NULL; i++)
		if (strcmp(p->name, name) == 0)
			return p;
	return NULL;
}
