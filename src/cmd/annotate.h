/* SPDX-License-Identifier: MIT
 *
 * Implements --annotate: a stage that derives branches and registers from instruction words, with
 * the decoder of the right processor.
 */
#ifndef TRC_CMD_ANNOTATE_H
#define TRC_CMD_ANNOTATE_H

#include "cmd/job/settings.h"
#include "stage/stage.h"

extern const struct trc_stage_row trc_stage_row_annotate;

/* Returns true if --annotate is given, for code that has these columns anyway and needs no
 * stage. */
bool trc_annotate_given(const struct trc_settings *settings);

/* Wraps the stage around `from` if its provenance names a supported machine and it has instruction
 * words but no registers; otherwise returns `from`. */
struct trc_source *trc_annotate_own(struct trc_source *from, struct trc_err *err);

#endif
