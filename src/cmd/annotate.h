/* SPDX-License-Identifier: MIT
 *
 * --annotate: the stage that derives branches and registers, by the processor that decodes the
 * words.
 */
#ifndef TRC_CMD_ANNOTATE_H
#define TRC_CMD_ANNOTATE_H

#include "cmd/job/settings.h"
#include "stage/stage.h"

extern const struct trc_stage_row trc_stage_row_annotate;

/* True if --annotate is there: for whoever has the columns already, and needs no stage. */
bool trc_annotate_given(const struct trc_settings *all);

/* Wraps the stage around `from` if that has instruction words of a machine that its provenance
 * names, and no registers; else gives `from`. */
struct trc_source *trc_annotate_own(struct trc_source *from, struct trc_err *err);

#endif
