/* SPDX-License-Identifier: MIT
 * --annotate: joins a stage and a processor, which do not depend on each other. */
#include "cmd/annotate.h"

#include <string.h>

#include "machine/hart/annotate.h"

/* What --annotate was given. */
struct settings {
	const char *isa;
};

static int
check(const struct settings *s, struct trc_err *err)
{
	if (strcmp(s->isa, "riscv") == 0)
		return 0;
	return trc_fail_as(err, TRC_USAGE,
	                   "--annotate: no '%s'; the machine whose words trc reads is "
	                   "riscv",
	                   s->isa);
}

int
trc_annotate_check(const struct trc_settings *all, bool *given, struct trc_err *err)
{
	*given = trc_settings_given(all, &trc_stage_row_annotate.opts);
	return *given ? check(trc_settings_of(all, &trc_stage_row_annotate.opts), err) : 0;
}

static struct trc_source *
wrap(struct trc_source *from, const void *settings, struct trc_err *err)
{
	return check(settings, err) ? NULL : trc_stage_annotate(from, trc_annotate_riscv, err);
}

static const struct trc_opt opts[] = {
	{ 0, "annotate", "ISA", "add branches and registers of instructions: riscv", TRC_OPT_TEXT,
	  TRC_WORDS_NONE, offsetof(struct settings, isa) },
};

const struct trc_stage_row trc_stage_row_annotate = {
	.opts = { opts, TRC_COUNT(opts), sizeof(struct settings), NULL },
	.wrap = wrap,
};
