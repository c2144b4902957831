/* SPDX-License-Identifier: MIT
 * --check asked of shards. */
#ifndef TRC_CMD_FILE_CHECK_H
#define TRC_CMD_FILE_CHECK_H

#include "cmd/shard/shard.h"

/* Of one trace. */
extern const struct trc_question trc_check_question;

#endif
