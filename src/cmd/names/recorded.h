/* SPDX-License-Identifier: MIT
 *
 * The additional files in folders that DynamoRIO writes (drrun -t drmemtrace -offline) and that
 * Google publishes: schedules, lists of modules and functions, encodings, physical addresses, and
 * in raw/ the data from which the traces in trace/ were made.
 */
#ifndef TRC_CMD_NAMES_RECORDED_H
#define TRC_CMD_NAMES_RECORDED_H

#include "cmd/names/files.h"

/* Removes files from `first` on that are not traces, if they are next to traces of DynamoRIO. */
void trc_recorded_leave_out(struct trc_files *files, size_t first);

/* Fails if `path` is a raw file by its name. The message has the command that converts it. */
int trc_recorded_refuse(const char *path, struct trc_err *err) TRC_MUST_USE;

#endif
