/* SPDX-License-Identifier: MIT
 * --annotate: joins a stage and a processor, which do not depend on each other. */
#include "cmd/annotate.h"

#include "machine/hart/annotate.h"

/* What --annotate was given. */
struct settings {
	unsigned isa; /* 1: riscv */
};

bool
trc_annotate_given(const struct trc_settings *all)
{
	return trc_settings_given(all, &trc_stage_row_annotate.opts);
}

static struct trc_source *
wrap(struct trc_source *from, const void *settings, struct trc_err *err)
{
	(void)settings;
	return trc_stage_annotate(from, trc_annotate_riscv, err);
}

static const struct trc_opt opts[] = {
	{ 0, "annotate", "riscv", "add branches and registers to instructions", TRC_OPT_CHOICE,
	  TRC_WORDS_NONE, offsetof(struct settings, isa) },
};

const struct trc_stage_row trc_stage_row_annotate = {
	.opts = { opts, TRC_COUNT(opts), sizeof(struct settings), NULL },
	.wrap = wrap,
};
