/* SPDX-License-Identifier: MIT
 *
 * --annotate: the stage that derives branches and registers, by the processor that decodes the
 * words.
 */
#ifndef TRC_CMD_ANNOTATE_H
#define TRC_CMD_ANNOTATE_H

#include "cmd/settings.h"
#include "stage/stage.h"

extern const struct trc_stage_row trc_stage_row_annotate;

/* Fails if --annotate names no machine whose instruction words trc reads; *given: it is there. For
 * whoever has the columns already, and needs no stage. */
int trc_annotate_check(const struct trc_settings *all, bool *given,
                       struct trc_err *err) TRC_MUST_USE;

#endif
