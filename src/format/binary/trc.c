/* SPDX-License-Identifier: MIT
 * The row of the native container. */
#include "container/container.h"

#include <stddef.h>
#include <string.h>

#include "format/format.h"

static unsigned
probe(const uint8_t *p, size_t n, bool whole)
{
	struct trc_frame f;

	(void)whole;
	return trc_frame_head(p, n, &f) && f.kind == TRC_KIND_TRACE ? TRC_BID_MOST : 0;
}

_Static_assert(sizeof(struct trc_container_from) <= TRC_FORMAT_SETTINGS &&
                       sizeof(struct trc_container_to) <= TRC_FORMAT_SETTINGS,
               "settings have room");

static const struct trc_opt from[] = {
	{ 0, "salvage", NULL, "leave out what is damaged", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_container_from, salvage) },
	{ 0, "memlimit", "BYTES", "refuse what needs more to read", TRC_OPT_BYTES, TRC_WORDS_NONE,
	  offsetof(struct trc_container_from, memlimit) },
	{ 0, "threads", "N", "as many, not one for each core", TRC_OPT_COUNT, TRC_WORDS_NONE,
	  offsetof(struct trc_container_from, threads) },
};

static const struct trc_opt to[] = {
	{ 0, "level", "0-9", "0 fast, 9 small; 6", TRC_OPT_LEVEL, TRC_WORDS_NONE,
	  offsetof(struct trc_container_to, level) },
	{ 0, "extreme", NULL, "try every packing", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_container_to, extreme) },
	{ 0, "no-verify", NULL, "do not check each block", TRC_OPT_FLAG, TRC_WORDS_NONE,
	  offsetof(struct trc_container_to, no_verify) },
	{ 0, "threads", "N", "as many, not one for each core", TRC_OPT_COUNT, TRC_WORDS_NONE,
	  offsetof(struct trc_container_to, threads) },
};

const struct trc_format trc_family_trc[] = {
	{
	        .name = "trc",
	        .doc = "the native container: small, fast, checked",
	        .ending = ".trc",
	        .holds = TRC_HAS_ALL,
	        .binary = true,
	        .source = trc_container_source,
	        .sink = trc_container_sink,
	        .from = &(const struct trc_format_args){ from, TRC_COUNT(from) },
	        .to = &(const struct trc_format_args){ to, TRC_COUNT(to) },
	        .probe = probe,
	},
	{ .name = NULL },
};
