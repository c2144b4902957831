/* SPDX-License-Identifier: MIT */
#include "cmd/answer/name.h"

const struct trc_name_row trc_name_row[TRC_NAMES] = {
#define NAME(name, unit, doc) [TRC_NAME_##name] = { #name, unit, doc },
#include "cmd/answer/names.def"
#undef NAME
};

enum trc_name
trc_name_of_unit(enum trc_name pages, const char *unit)
{
	return pages + (*unit == 'l' ? 1 : *unit == 'o' ? 2 : 0);
}
