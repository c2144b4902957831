/* SPDX-License-Identifier: MIT
 *
 * Queries about formats, and refusals that all writers share.
 */
#include "format/format.h"

bool
trc_format_needs_line(const struct trc_format *f)
{
	return f->line && (f->line->first || (f->more && f->more->head));
}

uint8_t *
trc_format_refuse_type(const char *format, uint8_t type, struct trc_err *err)
{
	const char *by = type & TRC_KERNEL ? "kernel " : "";
	uint8_t kind = type & TRC_TYPE_MASK;

	if (kind == TRC_MODIFY)
		trc_fail(err, "%s cannot hold a %smodify; --split-modify writes a load and a store",
		         format, by);
	else if (type & TRC_KERNEL)
		trc_fail(err, "%s cannot hold a kernel %s; --drop kernel makes it the user's",
		         format, kind < TRC_TYPES ? trc_type_name[kind] : "reference");
	else if (kind < TRC_TYPES && kind > TRC_WRITE)
		trc_fail(err,
		         "%s cannot hold a %s reference; --drop %s agrees to lose such records",
		         format, trc_type_name[kind], trc_type_name[kind]);
	else
		trc_fail(err, "%s cannot hold a %s reference", format,
		         kind < TRC_TYPES ? trc_type_name[kind] : "strange");
	err->unfit = true;
	return NULL;
}
