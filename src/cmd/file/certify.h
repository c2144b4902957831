/* SPDX-License-Identifier: MIT
 * --certify asked of shards. */
#ifndef TRC_CMD_FILE_CERTIFY_H
#define TRC_CMD_FILE_CERTIFY_H

#include "cmd/shard/shard.h"

/* Of a trace that one is compared with, which is read beside it. */
extern const struct trc_question trc_certify_question;

#endif
