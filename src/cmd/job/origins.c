/* SPDX-License-Identifier: MIT */
#include "cmd/job/origins.h"

#include <string.h>

int
trc_origin_put(struct trc_buf *to, const char *format, struct trc_view provenance,
               struct trc_err *err)
{
	if (trc_buf_put_counted(to, format, strlen(format), err) ||
	    trc_buf_put_counted(to, provenance.p, (size_t)(provenance.end - provenance.p), err))
		return -1;
	return 0;
}

bool
trc_origin_next(struct trc_view *from, struct trc_view *format, struct trc_view *provenance)
{
	return trc_view_counted(from, TRC_PROVENANCE_TEXT_MOST, format) &&
	       trc_view_counted(from, TRC_PROVENANCE_MOST, provenance) &&
	       trc_provenance_good(*provenance);
}

bool
trc_origins_good(struct trc_view from)
{
	struct trc_view format, provenance;

	while (from.p < from.end)
		if (!trc_origin_next(&from, &format, &provenance))
			return false;
	return true;
}

/* Adds the provenance of a file; that of other formats than containers begins with the format as
 * its source. */
static int
add(struct trc_provenances *all, struct trc_view format, struct trc_view provenance,
    struct trc_err *err)
{
	static const char container[] = "trc";
	const size_t n = (size_t)(format.end - format.p);
	struct trc_buf list = { 0 };
	int ret;

	if (n == strlen(container) && memcmp(format.p, container, n) == 0)
		return trc_provenances_add(all, provenance, err);
	ret = trc_provenance_put(&list, "source", format.p, n, err);
	if (ret == 0 && provenance.p < provenance.end)
		ret = trc_buf_put(&list, provenance.p, (size_t)(provenance.end - provenance.p),
		                  err);
	if (ret == 0)
		ret = trc_provenances_add(all, trc_buf_view(&list), err);
	trc_buf_release(&list);
	return ret;
}

int
trc_origins_join(struct trc_view from, struct trc_provenances *all, struct trc_view *list,
                 struct trc_err *err)
{
	struct trc_view format, provenance;

	while (from.p < from.end && trc_origin_next(&from, &format, &provenance))
		if (add(all, format, provenance, err))
			return -1;
	return trc_provenances_view(all, list, err);
}
