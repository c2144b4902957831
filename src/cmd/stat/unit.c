/* SPDX-License-Identifier: MIT
 * What --mrc and --ws count: pages, or lines. */
#include "cmd/stat/stat.h"

int
trc_stat_unit(const struct trc_stat *s, const struct trc_source *src, struct trc_stat_unit *unit,
              struct trc_err *err)
{
	const char *option = s->line_size ? "--line-size" : "--page-size";
	const uint64_t given = s->line_size ? s->line_size : s->page_size;
	const bool pages = src->have & TRC_HAS_VPN;
	const uint32_t own = src->meta.page_bits;

	*unit = (struct trc_stat_unit){ s->line_size ? "line" : "page", own, given || !pages };
	if (s->line_size && s->page_size)
		return trc_fail_as(err, TRC_USAGE, "--line-size and --page-size: one of them");
	if (s->line_size && pages)
		return trc_fail_as(err, TRC_USAGE,
		                   "--line-size: the trace has pages, no addresses");
	if (s->by_space && !(src->have & TRC_HAS_ASID))
		return trc_fail(err, "--by-space: the trace has no address spaces");
	if (!unit->known)
		return 0;
	if (given & (given - 1))
		return trc_fail_as(err, TRC_USAGE, "%s: %llu is no power of two", option,
		                   (unsigned long long)given);
	if (trc_job_page_bits(given ? given : TRC_STAT_PAGE_SIZE, &unit->bits, err))
		return -1;
	if (given && own && unit->bits != own)
		return trc_fail_as(err, TRC_USAGE, "%s: the trace has pages of %llu bytes", option,
		                   1ull << own);
	return 0;
}
