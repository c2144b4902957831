/* SPDX-License-Identifier: MIT
 * The row of the native container. */
#include "format/trc.h"

#include "format/format.h"

static unsigned
probe(const uint8_t *p, size_t n, bool whole)
{
	struct trc_frame f;

	(void)whole;
	return trc_frame_head(p, n, &f) && f.kind == TRC_KIND_TRACE ? TRC_BID_MOST : 0;
}

const struct trc_format trc_family_trc[] = {
	{
	        .name = "trc",
	        .doc = "the native container: small, fast, checked",
	        .ending = ".trc",
	        .holds = TRC_HAS_ALL,
	        .binary = true,
	        .source = trc_container_source,
	        .sink = trc_container_sink,
	        .probe = probe,
	},
	{ .name = NULL },
};
