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

#endif
