/* SPDX-License-Identifier: MIT
 *
 * What stands beside traces in the folders that DynamoRIO writes (drrun -t drmemtrace -offline),
 * and that Google publishes: schedules, lists of modules and functions, encodings, physical
 * addresses, and in raw/ what the traces in trace/ were made of.
 */
#ifndef TRC_CMD_NAMES_RECORDED_H
#define TRC_CMD_NAMES_RECORDED_H

#include "cmd/names/files.h"

/* Leaves out of the files from the first on what is no trace beside others that are. */
void trc_recorded_leave_out(struct trc_files *files, size_t first);

/* Fails if the file is of a folder raw/, by its name, with what makes a trace of it. */
int trc_recorded_refuse(const char *path, struct trc_err *err) TRC_MUST_USE;

#endif
